"""A warning if Python unrolls a long loop in a trace: each iteration becomes a part of the Program."""

from __future__ import annotations

from to_static.compiler.ir import mode
from to_static.core import unroll_limit
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.diagnostics.source_location import capture
from to_static.core.log import warn_once


class Unrolled:
    """Counts the iterations of one loop."""

    __slots__ = ("_first", "_turns")

    def __init__(self) -> None:
        self._turns = 0
        self._first = _length()

    def iteration(self) -> None:
        """Called before each iteration of the loop. Warns if there are many iterations and these add ops to the Program."""
        self._turns += 1
        if self._turns == unroll_limit.UNROLL_WARNING_LIMIT + 1 and _length() - self._first >= unroll_limit.UNROLL_WARNING_LIMIT:
            warn_once(
                f"unrolled:{capture(2)}",
                f"a Python loop{in_expression()} has more than {unroll_limit.UNROLL_WARNING_LIMIT} iterations, and each becomes "
                "a part of the Program, which gets large and takes long to build. Make it a loop of the Program: a loop over a "
                "tensor, or `for i in range(n)` and `while i < n` with a tensor n, `n = paddle.to_tensor(5000)`",
            )


def _length() -> int:
    return len(mode.current().frame.block.ops) if mode.building() else 0
