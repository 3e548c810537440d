"""`Counted`: what is iterated over by index, because tensors decide how many items there are or what they are."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import quoted
from to_static.ir import mode
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.jit.jst.blocks import assign
from to_static.jit.jst.traced import failure


class Counted:
    """Something to iterate over whose length or items are traced: ``item(i)`` for ``i`` below ``length``.

    ``length`` and ``i`` may be Python ints; a function for ``length`` is asked whenever it counts, as lists change. With ``once``
    it stands for an iterator (of that class, where it is one), whose items are gone once they were taken: ``position`` is the
    index of the next one, None when another iterator took it over.
    """

    stands_for: Any = type(iter(()))

    def __init__(self, length: Any, item: Callable[[Any], Any], once: Any = False) -> None:
        self._length = length
        self.item = item
        self.once = bool(once)
        if isinstance(once, type):
            self.stands_for = once
        self.position: Any = 0
        self._frame = getattr(mode.state.mode, "frame", None)

    @property
    def length(self) -> Any:
        """How many items there are right now."""
        return self._length() if callable(self._length) else self._length

    @property
    def size(self) -> Any:
        """Its `len`: the length of a ``range`` that ends before it starts is below 0 here."""
        length = self.length
        return number(FUNCTIONS["maximum"](length, 0), int) if isinstance(length, Number) else length

    @property
    def is_known(self) -> bool:
        """Whether no tensor decides how many items are left."""
        return isinstance(self.length, int) and not (self.once and isinstance(self.position, Number))

    def rest(self) -> Counted:
        """The items that are left, for one who takes them over."""
        if not self.once:
            return self
        start = self.next_position()
        self.move(None)
        if isinstance(start, int) and start == 0:
            return Counted(self._length, self.item)
        return Counted(lambda: self.length - start, lambda i: self.item(i + start))

    def consumed(self, function: Callable[[Counted], Any]) -> Any:
        """``function`` of the items that are left, which takes them all."""
        result = function(self.rest())
        if self.once:
            self.move(self.length)
        return result

    def __held__(self) -> Any:
        return None, [self._length, self.item, self.position]

    def __repr__(self) -> str:
        return f"<{self.stands_for.__name__} object at {id(self):#x}>"

    def next_position(self) -> Any:
        """The index of the next item."""
        if not isinstance(self.position, (int, Number)):
            raise failure(
                TranslationError,
                f"an iterator is used again after zip(), map() or the like took it over{quoted()}",
                "a list, `items = list(...)`, and an index: `items[i]`",
            )
        return self.position

    def move(self, position: Any) -> None:
        """Go on to another item."""
        if self._frame is getattr(mode.state.mode, "frame", None):
            self.position = position
        else:
            assign(self, "position", position)

    def _taken(self) -> Iterator[Any]:
        """The items one by one: who stops leaves the others to the next who asks."""
        while (place := self.next_position()) < self.length:
            self.move(place + 1)
            yield self.item(place)

    def __iter__(self) -> Any:
        if self.is_known:
            return self._taken() if self.once else builtins.map(self.item, builtins.range(self.length))
        from to_static.jit.jst.unpacking import unpacked, wanted_by

        wanted = wanted_by(sys._getframe(1))
        if wanted is not None:
            return unpacked(self.rest(), wanted)
        raise failure(
            TranslationError,
            f"library code iterates over what depends on a tensor{quoted()}",
            "a `for` statement in a function that to_static translates: `for v in items: ...`",
        )
