"""The run-time operators of translated code.

Translated code calls them as ``_jst.NAME``. With Python values an operator does what Python does. With traced values it appends
operations to the Program. `protocol` describes how branches join values, loops carry them and functions return them. A value
without such a description is a graph break.

Packages, each of which imports only from those before it: ``values`` (the types of values that branches and loops need),
``control`` (branches, loops, conditions, checks), ``iteration`` (loops over items), ``objects`` (values whose own operations
need branches and loops: lists, unions), ``calls`` (calls, and replacements of library functions). `operators` has the public
names.
"""
