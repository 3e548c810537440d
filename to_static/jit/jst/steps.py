"""Checks that the Program would make, handed to who asks whether something fails (see `told`)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from to_static.core.site import is_internal
from to_static.ir import mode
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ops.control import error_name


class Steps:
    """A piece of a trace that ends at its first check (``stop``: the condition and the error) after those that ``passed``."""

    def __init__(self, passed: int, code: Any) -> None:
        self.left = passed
        self.code = code  # of the user's expression that is computed, if any
        self.value: Any = None
        self.stop: Any = None

    def __enter__(self) -> Steps:
        self.frame, self.base = mode.state.mode.frame, sys._getframe(1)
        _running.append(self)
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        _running.remove(self)
        return kind is _Stop and error.steps is self


class _Stop(BaseException):
    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self.steps = steps


_running: list[Steps] = []


def asked() -> bool:
    """Whether somebody asks: in this block, and without code of the user's in between, which would run again."""
    if not _running or _running[-1].frame is not mode.state.mode.frame:
        return False
    steps = _running[-1]
    frame: Any = sys._getframe(1)
    while frame is not steps.base:
        if not (is_internal(frame.f_code.co_filename) or frame.f_code is steps.code):
            return False
        frame = frame.f_back
    return True


def asks(condition: Any, error: Callable[[], BaseException]) -> bool:
    """Whether somebody asked about this check and found that it holds here; if nobody did, the Program has to make it."""
    if not asked():
        return False
    steps = _running[-1]
    if not steps.left:
        steps.stop = condition, error
        raise _Stop(steps)
    steps.left -= 1
    return True


def check_place(items: Any, index: Any, out_of_range: str, empty: str = "") -> None:
    """Whether a list of the Program has such an item, where somebody asks; else its operator finds out when it runs."""
    if not asked():
        from to_static.jit.jst.blocks import check_uncaught

        check_uncaught(IndexError)
        return
    size: Any = number(FUNCTIONS["list_len"](getattr(items, "main", items)))
    place: Any = index if isinstance(index, (int, Number)) else number(index, int)
    if empty:
        asks(size > 0, lambda: IndexError(empty))
    asks((place >= -size) * (place < size) > 0, lambda: IndexError(out_of_range))


def check(condition: Any, error: BaseException) -> None:
    """Raise ``error`` when the Program finds ``condition`` false."""
    from to_static.jit.jst.blocks import check_uncaught
    from to_static.jit.jst.text import Text, template

    if asks(condition, lambda: error):
        return
    check_uncaught(type(error))
    text = error.args[0] if error.args and type(error.args[0]) is Text else None
    values, message = template(text.pieces if text is not None else [", ".join(map(str, error.args)).split("\n")[0]])
    FUNCTIONS["assert"](condition, values, message=message, error=error_name(type(error)))
