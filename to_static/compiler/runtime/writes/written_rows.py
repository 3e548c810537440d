"""The undo log of a run's writes to parts of arrays: a step is never half done.

While a run is under way it writes into the arrays; when it ends the old numbers are put back, whatever has happened, and the new
ones are written with all else that it changes (`core.atomic`).
"""

from __future__ import annotations

from collections import deque
from itertools import starmap
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.program import Stored
from to_static.core.arrays.array_ownership import is_sole_owner
from to_static.core.arrays.past import latest
from to_static.core.atomic import Steps, putting

if TYPE_CHECKING:
    from to_static.compiler.ir.program import Holder
    from to_static.core.array_types import Array

SHARE = 0.25  # of the bytes of an array that a loop writes to: what may be noted before a copy takes its place
SMALL = 1 << 14  # bytes of an array of which a copy costs less than to note what a loop writes over
_ENTRY = 200  # bytes that Python takes for a part that is noted, about
_END: Any = object()
put_back: Any = deque(maxlen=0).extend  # makes all calls of an iterator, in C: Python looks for no signals meanwhile


class Rows:
    """The undo log of one run: each array, index and the numbers that were there, in order.

    ``undo``: what puts them back, from the last to the first, for `put_back`.
    """

    __slots__ = ("_log", "_mine", "_room", "undo")

    def __init__(self) -> None:
        self._log: list[Any] = [_END]
        self._mine: dict[int, Any] = {}  # arrays that are the run's own, in which nothing is noted
        self._room = inf  # bytes that may still be noted
        self.undo: Any = starmap(np.ndarray.__setitem__, iter(self._log.pop, _END))

    def take(self, holder: Any, many: bool = False) -> Any:
        """Return an array that the run may overwrite and return: that of the tensor, or a copy if something else refers to it.

        ``many``: a loop writes to it. A loop that writes much works on a copy, too, since undoing its writes would cost more.
        """
        holder = holder if hasattr(holder, "_memory") else holder.tensor
        memory, more = holder._memory, latest(holder._array) is not None
        if many and holder._array.nbytes <= SMALL:
            apart = False
        elif memory is None or memory.forgotten_by(holder):
            apart = is_sole_owner(holder, more)
        else:
            apart = memory.alone(holder, more)
        if apart:
            if many:
                self._room = (0 if self._room == inf else self._room) + holder._array.nbytes * SHARE
            return holder._array
        return self._own_copy(holder._array)

    def _own_copy(self, array: Array) -> Any:
        copy = array.copy()
        self._mine[id(copy)] = copy
        return copy

    def writing(self, array: Array, index: Any) -> Any:
        """The array to write to, at ``index``, what is an array that was taken: that, or from now on a copy of it."""
        if id(array) in self._mine:
            return array
        old = array[index].copy()
        self._log.append((array, _lasting(index), old))
        self._room -= old.nbytes + _ENTRY
        if self._room >= 0:
            return array
        copy = self._own_copy(array)
        put_back(putting(*(entry for entry in self._log[:0:-1] if entry[0] is array)))
        self._log[1:] = [entry for entry in self._log[1:] if entry[0] is not array]
        return copy

    def for_later(self) -> list[Steps]:
        """The steps that write the new numbers."""
        entries = self._log[1:]
        steps = [putting(*[(array, index, array[index].copy()) for array, index, _ in entries])]
        for array in {id(array): array for array, _, _ in entries}.values():
            past = latest(array)
            if past is not None:
                steps += past.giving_way([(index, old) for other, index, old in entries if other is array])
        return steps


def _lasting(index: Any) -> Any:
    """An index, without arrays that the run may write over."""
    if type(index) is tuple:
        return tuple([_lasting(item) for item in index]) if any(type(item) is np.ndarray for item in index) else index
    return index.copy() if type(index) is np.ndarray else index


def may_be_taken(holder: Holder) -> bool:
    """True if a Program's root value is kept by a tensor, by the place of one, or by what stands for one of a file."""
    return hasattr(holder, "_version") or hasattr(holder, "is_there") or type(holder) is Stored


class DonatedFeed:
    """A tensor that is to hold a result of a run, which may write to its array."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Holder) -> None:
        self.tensor = tensor

    @property
    def array(self) -> Any:
        """The array that the tensor holds."""
        return self.tensor._array

    @property
    def shape(self) -> tuple[int, ...]:
        """Dimensions of that."""
        return self.tensor._array.shape  # type: ignore[no-any-return]

    @property
    def dtype(self) -> Any:
        """NumPy's dtype of that."""
        return self.tensor._array.dtype
