"""`Rows`: the undo log of a run's writes to parts of arrays, so that a run that raises changes nothing.

A run writes into the arrays. When it ends, in any way, the old numbers are put back. If it succeeded, the new numbers are then
written together with its other changes (`core.atomic`). Generated plans use this module.
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

SHARE = 0.25  # a loop may log this part of an array's bytes; beyond it the array is copied
SMALL = 1 << 14  # an array of at most so many bytes is copied at once, which costs less than logging a loop's writes
_ENTRY = 200  # approximate bytes that Python needs for one log entry
_END: Any = object()
put_back: Any = deque(maxlen=0).extend  # makes all calls of an iterator in C, where Python handles no signals


class Rows:
    """The undo log of one run: triples of array, index and the old numbers, in the order of the writes.

    ``undo``: an iterator whose items restore the old numbers, from the last write to the first; for `put_back`.
    """

    __slots__ = ("_log", "_mine", "_room", "undo")

    def __init__(self) -> None:
        self._log: list[Any] = [_END]
        self._mine: dict[int, Any] = {}  # copies that only the run has, whose writes need no log
        self._room = inf  # bytes that may still be logged
        self.undo: Any = starmap(np.ndarray.__setitem__, iter(self._log.pop, _END))

    def take(self, holder: Any, many: bool = False) -> Any:
        """Return an array that the run may overwrite and return: that of the tensor, or a copy if something else refers to it.

        ``many``: True if a loop writes to it. A small array is then copied, too, since logging the writes would cost more.
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
        """Log a write to ``array`` at ``index``; returns the array to write to: ``array``, or a copy once too much is logged."""
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

    def deferred_writes(self) -> list[Steps]:
        """Return the steps that write the new numbers after the run."""
        entries = self._log[1:]
        steps = [putting(*[(array, index, array[index].copy()) for array, index, _ in entries])]
        for array in {id(array): array for array, _, _ in entries}.values():
            past = latest(array)
            if past is not None:
                steps += past.giving_way([(index, old) for logged_array, index, old in entries if logged_array is array])
        return steps


def _lasting(index: Any) -> Any:
    """Return a copy of an index: the run may overwrite arrays in it."""
    if type(index) is tuple:
        return tuple([_lasting(item) for item in index]) if any(type(item) is np.ndarray for item in index) else index
    return index.copy() if type(index) is np.ndarray else index


def may_be_taken(holder: Holder) -> bool:
    """True if the holder of a root value is a tensor, a seat of one, or a `Stored`, so that a run may write to its array."""
    return hasattr(holder, "_version") or hasattr(holder, "is_there") or type(holder) is Stored


class DonatedFeed:
    """A feed whose tensor holds a result after the run, so that the run may write to its array."""

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
