"""The profiler of plans. While it is active, plans run functions that are generated anew with a call after every operator.

The usual function of a plan has no trace of the profiler, so an inactive profiler costs nothing. `to_static.profiler` calls this.
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
        """Called after each operator of a plan."""

    def around(self, run: Run, name: str) -> Run:
        """Return ``run``, a function of the plan ``name``, wrapped so that the profiler sees its beginning and end."""


class Functions(list[Run]):
    """The functions of one plan that no call is using. (It is a class because lists have no weak references.)"""

    __slots__ = ("__weakref__",)


_recorder: Recorder | None = None
_stocks: WeakValues[int, Functions] = WeakValues()


def recorder() -> Recorder | None:
    """Return the active profiler, or None."""
    return _recorder


def stock(functions: list[Run]) -> Functions:
    """Return a list for a plan's functions. It is emptied when profiling begins or ends, so that the plan makes new ones."""
    stock_list = Functions(functions)
    _stocks[id(stock_list)] = stock_list
    return stock_list


def measure(by: Recorder | None) -> None:
    """Make plans report each operator to ``by`` from now on; None: stop reporting."""
    global _recorder
    _recorder = by
    for functions in _stocks.values():
        functions.clear()
