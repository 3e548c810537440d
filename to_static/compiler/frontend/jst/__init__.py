"""The run-time operators of translated code, and the protocol by which branches join traced values and loops carry them.

Each operator decides when it runs. What Python knows, Python does. What only the Program will know goes through one protocol
(`protocol`), by which branches join values, loops carry them and calls return them. Anything else is a graph break.

Rooms, each of which imports from those before it: ``values`` (kinds of values that branches and loops are built
on), ``control`` (branches, loops, conditions, checks), ``iteration`` (loops over what has items), ``objects`` (values whose own
operations are branches and loops: a list, one of several), ``calls`` (what a call leads to, and twins of library functions).
`operators` has the names. No module here imports inside of a function.
"""
