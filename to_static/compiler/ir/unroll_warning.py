"""Loops of Python's that run while a Program is built: every turn becomes part of it, and very many of them are worth a word."""

from __future__ import annotations

from to_static.compiler.ir import mode
from to_static.core import unroll_limit
from to_static.core.log import warn_once
from to_static.core.source_expressions import in_expression
from to_static.core.source_location import capture


class Unrolled:
    """Counts the turns of one loop."""

    __slots__ = ("_first", "_turns")

    def __init__(self) -> None:
        self._turns = 0
        self._first = _length()

    def turn(self) -> None:
        """Called before each turn. Turns that only compute in Python add nothing to the Program, and are as many as they like."""
        self._turns += 1
        if self._turns == unroll_limit.UNROLL_WARNING_LIMIT + 1 and _length() - self._first >= unroll_limit.UNROLL_WARNING_LIMIT:
            warn_once(
                f"unrolled:{capture(2)}",
                f"a Python loop{in_expression()} goes on for more than {unroll_limit.UNROLL_WARNING_LIMIT} turns, and each becomes "
                "a part of the Program, which "
                "gets large and takes long to build. Have a loop in the Program: over a tensor, or `for i in range(n)` and "
                "`while i < n` with a tensor n, `n = paddle.to_tensor(5000)`",
            )


def _length() -> int:
    return len(mode.current().frame.block.ops) if mode.building() else 0
