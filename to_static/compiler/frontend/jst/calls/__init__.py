"""Calls in translated code: they lead to translated functions and to replacements of builtins that understand traced values.

`convert` decides, by tables that `twins` fills; a twin of one more builtin is a function in a file of its idea and a line there.
"""
