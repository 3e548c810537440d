"""Objects that stand in for Python's where tensors decide, and whose own operations are branches, loops and checks of the Program.

`union` is one of several values, `tensor_list` a list; `subscript` has items of Python's containers at places that the Program
knows, `variables` and `write_barrier` what is read and written by name. A kind of value that needs no construct is for `values`.
"""
