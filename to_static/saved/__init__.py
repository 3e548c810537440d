"""Static models in files: `save` writes what a static function or Layer traces, `load` makes a Layer of a file again.

`traced_layer` is Paddle's older way, `modes` tells train from eval in a loaded model. Formats are for `formats`.
"""
