"""The run-time operators of translated code.

An operator decides when it runs. With Python values it does what Python does. With traced values it appends operations to the
Program, through one protocol (`protocol`) by which branches join values, loops carry them and calls return them. Other values
are a graph break.

Packages, each of which imports only from those before it: ``values`` (the types of values that branches and loops need),
``control`` (branches, loops, conditions, checks), ``iteration`` (loops over items), ``objects`` (values whose own operations
need branches and loops: lists, unions), ``calls`` (calls, and replacements of library functions). `operators` has the public
names.
"""
