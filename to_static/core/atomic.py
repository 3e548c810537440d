"""State that is written in one step, which nothing interrupts half-way: all of it is of before, or all of it is new.

Python looks for signals, and for errors that other threads send, between instructions of its own. So whatever a run changes is
put together first, as calls of functions written in C, and then one call into C makes all of them: `commit`.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Iterable
from contextvars import ContextVar
from itertools import chain, starmap
from typing import Any

import numpy as np

Steps = Iterable[Any]  # an iterator that makes one call each time it is asked, and runs no code of Python's meanwhile

_CALL: Any = getattr(operator, "call", np.ufunc.__call__)  # the first is quicker; Python 3.10 has none


def computing(*calls: tuple[Any, ...]) -> Steps:
    """Calls of NumPy's universal functions: each with its arguments, the last of which is the array to write to."""
    return starmap(_CALL, calls)


def putting(*items: tuple[Any, Any, Any]) -> Steps:
    """Assignments to items of arrays: (array, index, what to put there)."""
    return starmap(np.ndarray.__setitem__, items)


def setting(*attributes: tuple[Any, str, Any]) -> Steps:
    """Assignments to attributes that are no properties: (object, name, value)."""
    return starmap(setattr, attributes)


def set_all(objects: Iterable[Any], names: Iterable[str], values: Iterable[Any]) -> None:
    """Set attributes that are no properties, all in one step, as `commit` does where nothing is computed; as many as the fewest."""
    deque(map(setattr, objects, names, values), 0)


def commit(steps: Iterable[Steps]) -> None:
    """Make all calls.

    What NumPy has to say of numbers that it computed, a warning or an error, comes in the middle of them: then the others are made
    first. The error is marked: what was to be written is.
    """
    todo = chain.from_iterable(steps)
    try:
        deque(todo, 0)
    except BaseException as error:
        with np.errstate(all="ignore"):
            deque(todo, 0)
        error.__dict__["__committed__"] = True
        raise


class Ahead:
    """Objects that a run changes before its end, which are put back unless it comes to that: ``with`` it around the run."""

    _now: ContextVar[Ahead | None] = ContextVar("ahead", default=None)

    def __init__(self) -> None:
        self._saved_attributes: list[tuple[dict[str, Any], dict[str, Any]]] = []

    @classmethod
    def save_attributes(cls, target: object) -> None:
        """Remember the attributes of an object that is about to change, in the run that is under way."""
        current = cls._now.get()
        if current is not None:
            current._saved_attributes.append((vars(target), vars(target).copy()))

    def commit_step(self) -> Steps:
        """The step that lets the changes stay, for `commit`."""
        return map(list.clear, [self._saved_attributes])

    def __enter__(self) -> Ahead:
        self._token = self._now.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        deque(starmap(dict.update, reversed(self._saved_attributes)), 0)
        self._now.reset(self._token)


def is_committed(error: BaseException) -> bool:
    """Return whether an error came when everything was written."""
    return "__committed__" in error.__dict__
