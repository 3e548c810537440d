"""Calls in translated code: they lead to translated functions, and to replacements of builtins that handle traced values.

`converted_call` decides, by the table `BUILTIN_OVERRIDES`, which `builtin_overrides` fills.
"""
