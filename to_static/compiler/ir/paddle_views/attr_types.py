"""`AttrType`: the kinds of attributes that operators have in files."""

from __future__ import annotations

import enum
from typing import Any


class AttrType(enum.IntEnum):
    """Kinds of attributes, as Paddle's core names them."""

    INT, FLOAT, STRING, INTS, FLOATS, STRINGS, BOOL, BOOLS, BLOCK = 0, 1, 2, 3, 4, 5, 6, 7, 8
    LONG, BLOCKS, LONGS, FLOAT64S, VAR, VARS, FLOAT64, SCALAR, SCALARS = 9, 10, 11, 12, 13, 14, 15, 16, 17


_PYTHON = ((bool, "BOOL"), (float, "FLOAT"), (str, "STRING"))
_LISTS_OF_TEXT = ("op_callstack", "op_role_var")  # also where they are empty


def attr_type_of(name: str, value: Any, declared: str = "") -> AttrType:
    """The kind of an attribute: what its operator declares (``int``, ``floats``, ``str``, ``dtype``, ...), else by its value."""
    if declared and declared != "dtype":
        return AttrType[declared.upper().replace("STR", "STRING")]
    if name in _LISTS_OF_TEXT:
        return AttrType.STRINGS
    several = isinstance(value, (list, tuple))
    first = value[0] if several and value else value
    return AttrType[next((word for python, word in _PYTHON if isinstance(first, python)), "INT") + "S" * several]
