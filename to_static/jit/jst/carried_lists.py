"""How a loop carries a list whose length or contents change in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.ir.tensor import Tensor
from to_static.jit.jst.kinds import Leaf, layout
from to_static.jit.jst.lists import Mixed, TensorList, joined_holds
from to_static.jit.jst.rows import Rows, RowsTree, column_specs, conform
from to_static.jit.jst.trees import Slot


class ListCarry:
    """As one list of the Program, of what ``holds`` says, or as the columns of `Rows` of these ``kinds``."""

    __slots__ = ("holds", "kinds")

    def __init__(self, holds: Any = None, kinds: list[Any] | None = None) -> None:
        self.holds = holds
        self.kinds = kinds

    @staticmethod
    def joining(a: Any, b: Any, name: str) -> ListCarry:
        """For a variable that is list ``a`` before an iteration and ``b`` after it."""
        try:
            return ListCarry(joined_holds(listed(a, name), listed(b, name)))
        except Mixed as found:
            return ListCarry(kinds=found.kinds)

    def covers(self, other: ListCarry) -> bool:
        """Whether what ``other`` can carry, this can."""
        return self.holds is other.holds and len(self.kinds or ()) == len(other.kinds or ())

    def tensors(self, value: Any, name: str) -> list[Any]:
        """The lists of the Program that carry ``value``."""
        if self.kinds is None:
            return [listed(value, name)]
        return list(conform(listed(value, name), self.kinds).columns)

    @staticmethod
    def of(kinds: list[Any]) -> ListCarry:
        """For lists of items of these kinds."""
        if len(kinds) > 1 or not all(isinstance(kind, Leaf) for kind in kinds):
            return ListCarry(kinds=kinds)
        return ListCarry(kinds[0].number or Tensor if kinds else None)

    def tree(self, value: Any, name: str, slot: Callable[[Any], Slot], spec: Any, specs: dict[int, Any]) -> Any:
        """The tree of ``value``; ``specs`` gets what lists hold that are empty before the loop (``spec``: of the one list)."""
        return self.placed([slot(x) for x in self.tensors(value, name)], spec, specs)

    def placed(self, slots: list[Slot], spec: Any, specs: dict[int, Any]) -> Any:
        """The same for the slots of the tensors."""
        if self.kinds is None:
            slots[0].holds = self.holds
            if spec is not None:
                specs[slots[0].index] = spec
            return slots[0]
        held = [int, *(leaf.number for leaf in layout(self.kinds)[0])]
        for made, holds, known in zip(slots, held, column_specs(self.kinds), strict=True):
            made.holds = holds
            specs[made.index] = known
        return RowsTree(self.kinds, slots)


def listed(value: Any, name: str) -> TensorList | Rows:
    """A list as one of the Program."""
    return value if isinstance(value, TensorList) else TensorList.of(value, name)
