"""Which tensors the variables of a loop are: beside each tensor a loop carries the number of the one that it is (see `joined`)."""

from __future__ import annotations

from typing import Any

from to_static.core.dtypes import int64
from to_static.ir import mode
from to_static.jit.jst.alternatives import alternatives
from to_static.jit.jst.in_place import expected
from to_static.jit.jst.joined import handle_of, may_be, numbers, one_tensor
from to_static.jit.jst.objects import is_object
from to_static.jit.jst.traced import constant
from to_static.jit.jst.trees import Slot, parts

Path = tuple[Any, ...]


class CarriedTensors:
    """What is known of the tensors that one loop carries, by path into the tree of its variables."""

    def __init__(self) -> None:
        self.made = numbers().of_trips(mode.state.mode.frame)  # the number of all tensors that trips make
        self.asked = expected()
        self._others: dict[Path, frozenset[int]] = {}  # numbers of tensors from around the loop that a variable may become
        self._unknown: set[Path] = set()  # where nobody kept the numbers of what a variable may become

    def name(self, slot: Slot, value: Any, path: Path, init: list[Any], which: Any) -> Slot:
        """Complete the place of a variable that is ``value`` before the loop, ``which`` among the tensors."""
        self.no_name(slot, value, path)
        if which is None:
            self._unknown.add(path)
        elif self.keeps(path):
            slot.which = len(init)
            init.append(which)
        return slot

    def no_name(self, slot: Slot, value: Any, path: Path) -> None:
        """The same for a tensor inside of ``value``, of which nobody keeps the number."""
        before = frozenset().union(*map(may_be, _leaves(value)))
        slot.may = before | self._others.get(path, frozenset()) | {self.made}

    def keeps(self, path: Path) -> bool:
        """Whether the loop carries the number of the tensor there."""
        return self.asked and path not in self._unknown

    def settle(self, old: Any, new: Any, path: Path) -> bool:
        """Look at what a trip makes of a variable; whether something new was seen."""
        if new is old:
            return False
        found = [handle_of(x) for x in _leaves(new) if one_tensor(x)]
        known = frozenset().union(self._others.get(path, ()), *map(may_be, _leaves(old)))
        frame, seen = mode.state.mode.frame, frozenset[int]()
        for handle in found:
            numbers().spread_listed(handle, self.made)
            seen |= numbers().from_before(handle, frame)
            if self.keeps(path) and numbers().which(handle) is None:
                self._unknown.add(path)
                seen |= {self.made}
        if seen <= known:
            return False
        self._others[path] = self._others.get(path, frozenset()) | seen
        return True

    def before(self, value: Any) -> Any:
        """Which tensor ``value`` is, before the loop; None where nobody asks."""
        if not self.asked:
            return None
        return numbers().which(handle_of(value)) if one_tensor(value) else constant(0, int64)

    def after(self, value: Any) -> Any:
        """Which tensor it is after a trip."""
        if not one_tensor(value):
            return constant(0, int64)
        handle, frame = handle_of(value), mode.state.mode.frame
        numbers().spread_listed(handle, self.made)
        return numbers().which_after(handle, frame)


def _leaves(value: Any) -> list[Any]:
    """All that a value may be, and what is in it."""
    found: list[Any] = []
    todo, seen = alternatives(value)[::-1], set()
    while todo:
        item = todo.pop()
        inside = list(vars(item).values()) if is_object(item) else parts(item)
        if not inside:
            found.append(item)
        elif id(item) not in seen:
            seen.add(id(item))
            todo += [x for part in reversed(inside) for x in reversed(alternatives(part))]
    return found
