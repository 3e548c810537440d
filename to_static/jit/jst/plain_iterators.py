"""Iterators over Python's own containers, from which a loop that tensors may have ended may take items: nobody notices.

Taking an item of a list runs no code of the user's. A generator, `map` or an iterator of the user's class does, so that a loop over
these can't go on once tensors may have ended it.
"""

from __future__ import annotations

import collections
from types import FunctionType
from typing import Any

import numpy as np

from to_static.core.errors import TranslationError
from to_static.core.expressions import quoted
from to_static.ir import mode
from to_static.ir.tensor import Tensor
from to_static.jit.contents import is_users
from to_static.jit.jst.traced import failure

_PLAIN: frozenset[type] = frozenset(
    type(iter(made))  # type: ignore[call-overload, var-annotated]
    for made in (
        [], (), {}, {}.values(), {}.items(), set(), range(0), range(1 << 70), "", "\u00e9", b"", collections.deque(),
        reversed({}), reversed({}.values()), reversed({}.items()), collections.OrderedDict(), collections.OrderedDict().values(),
        collections.OrderedDict().items(),
    )
)  # fmt: skip


class PlainIterator:
    """``enumerate``, ``zip`` or ``reversed`` over Python's own containers.

    A loop that tensors may have ended leaves it: who asks for more items gets a refusal.
    """

    def __init__(self, iterator: Any, sources: tuple[Any, ...]) -> None:
        self.stands_for = type(iterator)
        self._iterator = iterator
        self._sources = sources
        self._left = False

    def __iter__(self) -> PlainIterator:
        return self

    def __next__(self) -> Any:
        if self._left:
            raise failure(
                TranslationError,
                f"a {self.stands_for.__name__} was left by a loop that tensors may have ended, and is used again{quoted()}",
                "a list and an index, or loop over it once",
            )
        return next(self._iterator)

    def leave(self) -> None:
        """Nobody knows which items it has still."""
        self._left = True
        for source in self._sources:
            if type(source) is PlainIterator:
                source.leave()

    def __held__(self) -> Any:
        return None, [self._iterator]

    def __repr__(self) -> str:
        return f"<{self.stands_for.__name__} object at {id(self):#x}>"


def is_plain(iterable: Any) -> bool:
    """Whether taking items of it is seen by nobody: a container of Python's, or a `PlainIterator`."""
    kind = type(iterable)
    if kind is PlainIterator:
        return True
    ours = isinstance(iterable, Tensor) or hasattr(kind, "stands_for")
    users = is_users(kind) and type(getattr(kind, "__iter__", None)) is FunctionType
    return not (ours or users or hasattr(kind, "__next__")) and goes_plainly(iter(iterable), iterable)


def goes_plainly(iterator: Any, iterable: Any) -> bool:
    """The same, of what ``iter(iterable)`` gave."""
    if type(iterable) is PlainIterator or isinstance(iterable, np.ndarray):
        return True
    return iterator is not iterable and type(iterator) in _PLAIN


def plainly(iterator: Any, *sources: Any) -> Any:
    """``iterator``, which takes its items of ``sources``, as a `PlainIterator` where it is one."""
    return PlainIterator(iterator, sources) if mode.building() and all(map(is_plain, sources)) else iterator
