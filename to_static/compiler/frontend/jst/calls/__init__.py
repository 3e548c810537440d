"""Calls in translated code: user functions are translated, builtins are replaced by functions that handle traced values.

`converted_call` decides, by the table `BUILTIN_OVERRIDES`, which `builtin_overrides` fills.
"""
