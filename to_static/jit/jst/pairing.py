"""Which objects of two branches become one: an object that has two names must meet one object under both of them.

Lists and objects that the branches made, or that nobody sees afterwards, are joined by value: a new one takes the place of both.
Others must stay what they are, one of two (`Choice`). `Pairing` tells them apart.
"""

from __future__ import annotations

from typing import Any

from to_static.ir.variable import Variable
from to_static.jit.jst.alternatives import settled
from to_static.jit.jst.attributes import MISSING
from to_static.jit.jst.blocks import Raised
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.objects import can_be_shared, is_object
from to_static.jit.jst.owners import has_other_names
from to_static.jit.jst.tables import Table
from to_static.jit.jst.trees import parts, shape_of
from to_static.jit.jst.unbound import Maybe, Unbound

_ALONE = 0  # the partner of an object that the other branch has no counterpart of


class Pairing:
    """The objects among the results of two traced ``blocks`` with their ``copies``."""

    def __init__(self, blocks: tuple[Any, Any], copies: tuple[Any, Any]) -> None:
        self.blocks = blocks
        self.copies = copies
        self._results: list[tuple[Any, Any]] = []
        self._partners: tuple[dict[int, set[int]], dict[int, set[int]]] | None = None
        self._named: dict[int, bool] = {}

    def begin(self, results: list[tuple[Any, Any]]) -> None:
        """These are what the branches leave, in pairs."""
        self._results = results

    def from_before(self, value: Any, side: int) -> Any:
        """The object from before the branch that ``value`` is (a copy of), or None."""
        original = self.copies[side].original(value)
        if original is not None:
            return original
        if isinstance(value, Variable):
            frame = value.frame
            while frame is not None and frame is not self.blocks[side].frame:
                frame = frame.parent
            return value if frame is None else None
        return value if any(self._is_around(value, c.around, self.blocks[side].frame) for c in self.copies) else None

    @staticmethod
    def _is_around(value: Any, around: Any, frame: Any) -> bool:
        return around.has(value) and (not around.late(value) or settled(value, frame))

    def fields(self, value: Any, side: int) -> dict[str, Any]:
        """An object's attributes at the end of the branch."""
        own = dict(vars(value))
        for (owner, name), after in self.copies[side].attributes.after.items():
            if owner == id(value) and after is MISSING:
                own.pop(name, None)
            elif owner == id(value):
                own[name] = after
        return own

    def apart(self, a: Any, b: Any) -> bool:
        """Whether the results ``a`` and ``b`` must stay two objects, because somebody could tell."""
        known = [self.from_before(a, 0), self.from_before(b, 1)]
        if known[0] is not None and known[0] is known[1]:
            return False
        if any(x is not None and self._has_names(x) for x in known):
            return True
        if self._partners is None:
            self._partners = ({}, {})
            self._pair_up()
        return any(len(self._partners[side].get(self._key(x, side), ())) > 1 for side, x in enumerate((a, b)))

    def _has_names(self, value: Any) -> bool:
        if id(value) not in self._named:
            blocks = [c.attributes for c in self.copies]
            more = [x for block in blocks for x in block.after.values()]
            self._named[id(value)] = has_other_names(
                value, more, lambda owner, name: any((id(owner), name) in block.before for block in blocks), once=True
            )
        return self._named[id(value)]

    def _key(self, value: Any, side: int) -> int:
        known = self.from_before(value, side)
        return id(value if known is None else known)

    def _pair_up(self) -> None:
        todo = list(self._results)
        seen: set[tuple[int, int]] = set()
        while todo:
            a, b = (x.value if type(x) is Maybe else x for x in todo.pop())
            if (id(a), id(b)) in seen or type(a) in (Unbound, Raised) or type(b) in (Unbound, Raised):
                continue
            seen.add((id(a), id(b)))
            for side, value, other in ((0, a, b), (1, b, a)):
                if can_be_shared(value):
                    partner = self._key(other, 1 - side) if can_be_shared(other) or type(other) is Choice else _ALONE
                    self._partners[side].setdefault(self._key(value, side), set()).add(partner)  # type: ignore[index]
            inside = self._parts(a, 0), self._parts(b, 1)
            if self._shape(a, 0) == self._shape(b, 1):
                todo += zip(*inside, strict=True)
            else:
                for side in (0, 1):
                    todo += [(x, None) if side == 0 else (None, x) for x in inside[side]]

    def _parts(self, value: Any, side: int) -> list[Any]:
        if type(value) is Choice:
            return value.options
        if isinstance(value, Table):
            return value.objects()
        return list(self.fields(value, side).values()) if is_object(value) else parts(value)

    def _shape(self, value: Any, side: int) -> Any:
        if type(value) is Choice:
            return id(value)  # which of its options meets which of another's is not known
        if isinstance(value, Table):
            return tuple(value.fixed)
        return (type(value), tuple(self.fields(value, side))) if is_object(value) else shape_of(value)
