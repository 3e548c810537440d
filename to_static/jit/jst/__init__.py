"""The run-time operators of translated code, which calls this package ``_jst``.

Each decides when it runs: plain Python when the value it asks about is a Python value or an eager tensor, graph control flow when it
is a tensor of the Program being built. The names are what translated source shows, so that it reads like Python: ``_jst.if_``,
``_jst.while_``, ``_jst.for_``, ``_jst.and_``, ``_jst.len``, ``_jst.print``, ``_jst.call``, ...
"""

from to_static.jit.jst.unbound import bound, unbound

__all__ = ["bound", "unbound"]
