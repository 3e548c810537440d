"""Objects that replace Python's if tensors decide their contents, and whose operations need branches, loops and checks.

`union` is one of several values, `tensor_list` a list of traced length. `subscript` indexes Python's containers with traced
indices. `variables` and `write_barrier` read and write variables and attributes. Types of values that need no control flow
belong to `values`.
"""
