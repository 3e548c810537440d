"""Errors that tensors decide, where user code would do something about them: that is a refusal.

The Program raises such an error when it runs, and by then no ``except``, ``finally`` or ``with`` of the user's is there. So what
may catch or see it says so while its body is traced (`caught`), and whoever leaves an error to the Program asks first
(`check_uncaught`).
"""

from __future__ import annotations

from typing import Any

from to_static.core.errors import REFUSALS, AutogradError, TranslationError
from to_static.core.expressions import shown
from to_static.core.site import report
from to_static.ir import mode
from to_static.ir.registry import FUNCTIONS
from to_static.jit.jst.leaks import is_mistake, leaked
from to_static.jit.jst.levels import Back
from to_static.jit.jst.traced import failure
from to_static.ops.control import error_name
from to_static.ops.python import errors_of

_catching: list[tuple[tuple[Any, ...], Any]] = []  # kinds of errors, and the block that the `try` or `with` is in


class Refused(Back):
    """Carries the refusal of a construct past the user's own ``except`` clauses."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


class caught:
    """A body whose errors of these kinds user code catches or sees: those that tensors decide are refused.

    No refusal is caught.
    """

    def __init__(self, *kinds: Any) -> None:
        self.kinds = tuple(k for kind in kinds for k in (kind if isinstance(kind, tuple) else (kind,)))

    def __enter__(self) -> None:
        self.entry = (self.kinds, getattr(mode.state.mode, "frame", None))
        self.first = len(mode.state.mode.frame.block.ops) if mode.building() else 0
        _catching.append(self.entry)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        # generators begin and end in any order
        del _catching[max(i for i, entry in enumerate(_catching) if entry is self.entry)]
        ours = isinstance(error, (*REFUSALS, AutogradError)) or (error is not None and is_mistake(error))
        refusal = error if ours else leaked(error)
        if refusal is not None and mode.building():
            raise Refused(refusal)
        frame = self.entry[1]
        if error is None and frame is not None and mode.building() and mode.state.mode.frame is frame:
            self.computed(frame.block.ops[self.first :])

    def computed(self, ops: list[Any]) -> None:
        """Refuse what numbers that depend on tensors may raise in the body."""
        for op in ops:
            for block in op.blocks:
                self.computed(block.ops)
            for kind in errors_of(op.attrs["function"]) if op.name == "python" else ():
                if _fits(kind, self.kinds):
                    raise Refused(_uncaught(kind, op.site))


def catches_here(kind: Any) -> bool:
    """Whether Python itself catches this error: a ``try`` around it is in the block that is being traced."""
    return any(_fits(kind, kinds) and frame is mode.state.mode.frame for kinds, frame in _catching)


def check_uncaught(kind: Any) -> None:
    """Refuse an error that the Program may raise where user code would do something about it."""
    for kinds, _ in _catching:
        if _fits(kind, kinds):
            raise _uncaught(kind)


def _uncaught(kind: Any, where: Any = None) -> Exception:
    """The refusal of an error that user code would catch or see."""
    what = kind.__name__ + (shown() if where is None else "")
    message = (
        f"{what} depends on a tensor, and an `except`, `finally` or `with` around it would be told of it, but tensors have values "
        "only when the Program runs"
    )
    if where is not None:
        rewrite = "ask before what may fail, in place of `try` / `except`: `if x >= 0: y = math.sqrt(x)` and `else: ...`"
        return TranslationError(report(message, where, rewrite))
    return failure(TranslationError, message, "`if condition: ... else: ...` in place of `try` / `except`")


def _fits(kind: Any, kinds: tuple[Any, ...]) -> bool:
    return isinstance(kind, type) and any(issubclass(kind, k) for k in kinds)


def kinds(*given: Any) -> tuple[Any, ...]:
    """The classes of an ``except`` in one tuple, none for all; without those that carry refusals through the user's code."""
    flat: list[Any] = []
    for kind in given or (BaseException,):
        flat += kind if isinstance(kind, tuple) else (kind,)
    every = [k for k in BaseException.__subclasses__() if k is not Back] if mode.building() else [BaseException]
    return tuple(k for kind in flat for k in (every if kind is BaseException else (kind,)))


def check(condition: Any, error: BaseException) -> None:
    """Raise ``error`` when the Program finds ``condition`` false."""
    from to_static.jit.jst.text import Text, template

    check_uncaught(type(error))
    text = error.args[0] if error.args and type(error.args[0]) is Text else None
    values, message = template(text.pieces if text is not None else [", ".join(map(str, error.args)).split("\n")[0]])
    FUNCTIONS["assert"](condition, values, message=message, error=error_name(type(error)))
