"""Static models in files: `save` writes what a static function or Layer traces, `load` makes a Layer of a file again.

`traced_layer` is Paddle's older way, `modes` tells train from eval in a loaded model. How an operator looks in a file
is for `ops`, the format for `formats`: here is only which Programs a file gets, and what a loaded one belongs to.
"""
