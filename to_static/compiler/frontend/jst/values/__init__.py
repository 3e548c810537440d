"""One file for each kind of value that branches join and loops carry: its `protocol.Spec`, and what makes such a value.

Each adds itself to `protocol` and asks nothing of branches and loops, which are built on these. A kind whose own operations are
branches or loops is for `objects`.
"""
