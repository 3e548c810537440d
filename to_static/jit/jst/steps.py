"""Checks that the Program would make, handed to who asks whether something fails (see `told`).

What is asked runs again behind each check. Functions of the user's that Python calls on the way (operators, properties) run once:
what they tell is kept, and is a check itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from to_static.core.site import is_internal
from to_static.ir import mode
from to_static.ir.edit import has
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.jit.jst.levels import Back
from to_static.jit.jst.traced import is_traced
from to_static.ops.control import error_name


class Steps:
    """A piece of a trace that ends at its first check (``stop``: the condition and the error) after those that ``passed``."""

    def __init__(self, passed: int, code: Any, calls: list[Any]) -> None:
        self.left = passed
        self.code = code  # of the user's expression that is computed, if any
        self.calls = calls  # of the user's functions: the object that each was called with, and what it told
        self.place = 0  # among these
        self.value: Any = None
        self.stop: Any = None
        self._acted = False

    def __enter__(self) -> Steps:
        self.frame, self.base = mode.state.mode.frame, sys._getframe(1)
        self.first = len(self.frame.block.ops)
        _running.append(self)
        return self

    @property
    def acted(self) -> bool:
        """Whether the piece itself printed or drew random numbers, which it would do again."""
        ops = [inner for op in self.frame.block.ops[self.first :] for inner in (op, *(o for b in op.blocks for o in b.walk()))]
        self._acted |= any(has(op, trait) for op in ops for trait in ("effect", "random"))
        self.first = len(self.frame.block.ops)
        return self._acted

    def once(self, owner: Any, run: Callable[[], tuple[Any, Any, Any]]) -> Any:
        """What a function of the user's gives that is called with ``owner``, or gave when the piece came here before."""
        from to_static.jit.jst.blocks import uncaught

        if self.place == len(self.calls):
            self._acted = self.acted
            self.calls.append((owner, run()))
            self.first = len(self.frame.block.ops)
        known, (raised, error, value) = self.calls[self.place]
        self.place += 1
        passes = raised is False or asks(number(FUNCTIONS["logical_not"](raised)) if is_traced(raised) else False, lambda: error)
        if not passes or known is not owner:
            raise uncaught(Exception)
        return value

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        _running.remove(self)
        return kind is _Stop and error.steps is self


class _Stop(Back):
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
    return not steps.acted


def running() -> Steps:
    """Who asks."""
    return _running[-1]


def asks(condition: Any, error: Callable[[], Any]) -> bool:
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
