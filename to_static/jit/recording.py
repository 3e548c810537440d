"""What traced code tells the record of its trace (`outside.Outside`) about what it reads, while it runs."""

from __future__ import annotations

import contextlib
import contextvars
import types
from collections.abc import Iterator
from typing import Any

from to_static.jit.contents import of_users
from to_static.jit.outside import Outside
from to_static.jit.watch import names_of

_recording: contextvars.ContextVar[Outside | None] = contextvars.ContextVar("recording", default=None)


@contextlib.contextmanager
def recording(outside: Outside) -> Iterator[None]:
    """What functions met inside of the ``with`` block read goes to ``outside``."""
    token = _recording.set(outside)
    try:
        yield
    finally:
        _recording.reset(token)


def meet(function: types.FunctionType) -> None:
    """Called when translated code is about to call one of the user's functions."""
    outside = _recording.get()
    if outside is not None:
        outside.meet(function)


def meet_all(function: types.FunctionType) -> None:
    """Called when one of the user's functions is about to run as plain Python: with all functions that it mentions."""
    todo, seen = [function], set()
    while todo:
        function = todo.pop()
        if id(function) not in seen and of_users(function.__module__):
            seen.add(id(function))
            meet(function)
            space = function.__globals__
            todo += [x for name in names_of(function.__code__)[1] if type(x := space.get(name)) is types.FunctionType]


def read_whole(*values: Any) -> None:
    """Called when library code is about to read all attributes of these objects."""
    outside = _recording.get()
    if outside is not None:
        for value in values:
            outside.read_whole(value)


def ask(name: Any) -> None:
    """Called when translated code looks for an attribute of this name."""
    outside = _recording.get()
    if outside is not None and type(name) is str:
        outside.ask(name)
