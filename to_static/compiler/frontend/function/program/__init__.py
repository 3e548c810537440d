"""One Program of a static function: `tracer` makes it, `traced` says how arguments and results map onto it, `concrete` runs it.

Loaded models run here, too: nothing but `tracer` may import the translator or `jst.operators`.
"""
