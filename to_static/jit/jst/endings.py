"""The end of a ``try`` or ``with``: an error of the Program is the end there, while in Python ``finally`` comes after it."""

from __future__ import annotations

from typing import Any

from to_static.core.errors import TranslationError
from to_static.ir import mode
from to_static.ir.edit import contains
from to_static.jit.jst.traced import failure


def begun() -> Any:
    """Where the body of a ``try`` or ``with`` begins in the Program."""
    return (mode.state.mode.frame, len(mode.state.mode.frame.block.ops)) if mode.building() else None


class ended:
    """``finally``, or the end of a ``with``, after the body that began at ``start``: prints behind a check are refused."""

    def __init__(self, start: Any) -> None:
        self.start = start

    def __enter__(self) -> None:
        self.first = begun()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self.start is None or self.first is None or self.first[0] is not self.start[0]:
            return
        ops = self.start[0].block.ops
        body, after = ops[self.start[1] : self.first[1]], ops[self.first[1] :]
        if any(contains(op, "effect") for op in after) and any(map(_checks, body)):
            raise failure(
                TranslationError,
                "what is printed at the end of a `with` or `try` / `finally` would be missing when an error that depends on a "
                "tensor ends the Program inside of it",
                "print before the error, or put the `raise` or `assert` into the body of a `try` / `finally` itself, in the same "
                "function, where it is translated",
            )


def _checks(op: Any) -> bool:
    return op.name == "assert" or any(inner.name == "assert" for block in op.blocks for inner in block.walk())
