"""One Program of a static function: `tracer` makes it, `trace_result` maps arguments and results to it, `concrete` runs it.

Loaded models run here, too. Therefore only `tracer` may import the translator or `jst.operators`.
"""
