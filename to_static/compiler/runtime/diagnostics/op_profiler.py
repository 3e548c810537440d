"""The profiler of plans: while somebody measures, a plan's function is generated anew with a call after every operator.

Nothing of this is in a plan's function at other times, so that it costs nothing then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from to_static.core.caching.weak_tables import WeakValues

if TYPE_CHECKING:
    from to_static.compiler.ir.program import Op

Run = Callable[..., tuple[Any, ...]]


class Recorder(Protocol):
    """The interface of a profiler."""

    def __call__(self, op: Op, results: list[Any]) -> None:
        """An operator of a plan is done."""

    def around(self, run: Run, name: str) -> Run:
        """``run``, a function of the plan of that name, with a word when it begins and ends."""


class Functions(list[Run]):
    """The functions of one plan that no call is using. (A list of Python's has no weak references.)"""

    __slots__ = ("__weakref__",)


_recorder: Recorder | None = None
_stocks: WeakValues[int, Functions] = WeakValues()


def recorder() -> Recorder | None:
    """The profiler that is active; None: there is none."""
    return _recorder


def stock(functions: list[Run]) -> Functions:
    """A list for a plan's functions, which is emptied when measuring begins or ends, so that new ones are made."""
    stock_list = Functions(functions)
    _stocks[id(stock_list)] = stock_list
    return stock_list


def measure(by: Recorder | None) -> None:
    """Let plans that run from now on report each operator to ``by``; None: stop reporting."""
    global _recorder
    _recorder = by
    for functions in _stocks.values():
        functions.clear()
