"""`TensorTuple`: a tuple that has as many items as tensors say, like the ``*args`` of a call with a list of the Program."""

from __future__ import annotations

from typing import Any

from to_static.core.expressions import users_frame
from to_static.core.namespace import type_of
from to_static.ir.variable import Variable
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.updates import updated, updates


class TensorTuple(TensorList):
    """A list of the Program that Python takes for a tuple: nothing changes it."""

    __slots__ = ()
    stands_for = tuple

    @classmethod
    def made_of(cls, items: TensorList) -> TensorTuple:
        """The elements of ``items`` as a tuple."""
        made = cls(items.ssa, items.builder)
        made.frame, made.holds = items.frame, items.holds
        return made

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return TensorTuple.made_of(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> TensorTuple:
        if not isinstance(other, (tuple, TensorTuple)):
            raise TypeError(f"can only concatenate tuple (not {_name(other)!r}) to tuple")
        return TensorTuple.made_of(self.elements() + _listed(other))

    def __radd__(self, other: Any) -> Any:
        if type(other) is list and updates(users_frame(), "+="):
            return updated(other, "+=", self)
        if not isinstance(other, (tuple, TensorTuple)):
            raise TypeError(f"can only concatenate {_name(other)} (not 'tuple') to {_name(other)}")
        return TensorTuple.made_of(TensorList.of(_listed(other)) + self.elements())

    def __mul__(self, times: Any) -> TensorTuple:
        return TensorTuple.made_of(self.elements() * times)

    __rmul__ = __mul__
    __hash__ = Variable.__hash__

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, (tuple, TensorTuple)):
            return False
        return self.elements() == _listed(other)

    def __setitem__(self, index: Any, item: Any) -> None:
        raise TypeError("'tuple' object does not support item assignment")

    def __delitem__(self, index: Any) -> None:
        raise TypeError("'tuple' object doesn't support item deletion")

    def __iadd__(self, items: Any) -> TensorTuple:  # type: ignore[misc, override]
        return self + items

    def __imul__(self, times: Any) -> TensorTuple:  # type: ignore[misc]
        return self * times

    def __getattribute__(self, name: str) -> Any:
        if name in _CHANGES:
            raise AttributeError(_MISSING.format(name))
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        if name in _CHANGES:
            raise AttributeError(_MISSING.format(name))
        return super().__getattr__(name)


_CHANGES = frozenset(["append", "clear", "copy", "extend", "insert", "pop", "remove", "reverse", "sort"])


_MISSING = "'tuple' object has no attribute {!r}"


def _listed(items: Any) -> Any:
    return items.elements() if isinstance(items, TensorTuple) else list(items)


def _name(value: Any) -> str:
    return getattr(type(value), "stands_for", type_of(value)).__name__
