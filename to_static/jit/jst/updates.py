"""``a += b``, ``a |= b`` and the like where tensors make ``b``: Python's list, set or deque ``a`` changes, under all its names.

Python asks ``b`` for that as it does for ``a + b``; the instruction that runs tells which it is.
"""

from __future__ import annotations

import opcode
import operator
from typing import Any

from to_static.core.instructions import instruction

_SIGNS = [sign for _, sign in getattr(opcode, "_nb_ops", ())]  # by the argument of Python's instruction, from 3.11 on
_NAMES = {
    "+=": "INPLACE_ADD", "*=": "INPLACE_MULTIPLY", "|=": "INPLACE_OR", "&=": "INPLACE_AND", "-=": "INPLACE_SUBTRACT",
    "^=": "INPLACE_XOR",
}  # fmt: skip
_OPERATORS = {
    "+=": operator.iadd, "*=": operator.imul, "|=": operator.ior, "&=": operator.iand, "-=": operator.isub, "^=": operator.ixor,
}  # fmt: skip


def updates(frame: Any, sign: str) -> bool:
    """Whether ``frame`` is at an operator with this sign, ``+=`` and not ``+``."""
    name, argument = instruction(frame.f_code, frame.f_lasti)
    return name == _NAMES[sign] or (name == "BINARY_OP" and _SIGNS[argument] == sign)


def updated(value: Any, sign: str, other: Any) -> Any:
    """What takes the place of a container of Python's that is updated."""
    from to_static.jit.jst.growth import grown

    return _OPERATORS[sign](grown(value), other)


def _iadd(a: Any, b: Any) -> Any:
    a += b
    return a


def _ior(a: Any, b: Any) -> Any:
    a |= b
    return a


TWINS: dict[Any, Any] = {operator.iadd: _iadd, operator.iconcat: _iadd, operator.ior: _ior}  # whose instruction can be seen
