"""``items += more`` and ``items *= n`` of a Python list: the list itself changes, which all its names see.

Python asks the right operand what ``items + more`` is, and does not say that the statement is one that changes ``items``: the
instruction at which the user's code is does.
"""

from __future__ import annotations

import dis
from typing import Any

from to_static.core.expressions import users_frame

_FIRST_IN_PLACE = 13  # among the operators of BINARY_OP


def changing(items: Any) -> Any:
    """The list of the Program that takes the place of ``items`` where the running statement changes it; else None."""
    from to_static.jit.jst.growth import can_grow, grown

    frame = users_frame()
    if type(items) is not list or frame is None or not can_grow(items):
        return None
    code, at = frame.f_code.co_code, frame.f_lasti
    name = dis.opname[code[at]]
    in_place = name.startswith("INPLACE_") or (name == "BINARY_OP" and code[at + 1] >= _FIRST_IN_PLACE)
    return grown(items) if in_place else None
