"""What translated code calls, and how values that only the Program knows are joined, carried and given back.

Each operator decides when it runs. What Python knows, Python does. What only the Program will know goes through one protocol
(`protocol`), by which branches join values, loops carry them and calls return them. Anything else is a graph break.

Rooms: ``values`` (one file a kind of value), ``control`` (branches, loops, conditions, checks), ``iteration`` (``range``,
``enumerate``, loops over tensors), ``calls`` (what a call leads to, and twins of library functions). `operators` has the names.
"""
