"""`RootValues`: the objects that existed before the call and that a Program reads or changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.function.program.buffer_slots import BufferSlot, tensor_of
from to_static.compiler.ir.program import Program

NOBODY = 0  # the key for objects to keep alive, in tables by ids: no object has this id


class RootValues:
    """The holders of a Program's root values, for one instance.

    A holder is a tensor, or the `BufferSlot` of a buffer that the function assigns.

    Attributes:
        holders: all of them, in order.
        slots: those that are buffer slots.
        ids: the ids of the others.
        params: the floating ones, which may have a gradient.
        frozen: those of ``params`` that required no gradient at the trace.
        changing: those that the Program writes.
    """

    __slots__ = ("changing", "frozen", "holders", "ids", "params", "slots")

    def __init__(self, holders: list[Any], changing: list[Any], params: list[Any], frozen: list[Any]) -> None:
        self.holders = holders
        self.changing = changing
        self.params = params
        self.frozen = frozen
        self.slots = [holder for holder in holders if isinstance(holder, BufferSlot)]
        self.ids = self._ids()

    @classmethod
    def of_program(cls, program: Program) -> RootValues:
        """Return the root values of a Program as it was traced."""
        params = [v.holder for v in program.params if v.spec.dtype.is_floating]
        frozen = [p for p in params if p.stop_gradient]
        return cls([v.holder for v in program.params], [v.holder for v in program.state], params, frozen)

    def _ids(self) -> frozenset[int]:
        return frozenset(map(id, self.holders)).difference(map(id, self.slots))

    @property
    def tensors(self) -> list[Any]:
        """The present tensor of each holder."""
        return [tensor_of(holder) for holder in self.holders]

    @property
    def requires_grad_changed(self) -> bool:
        """True if a tensor that required no gradient at the trace requires one now, which the trace has not recorded."""
        return not all(p.stop_gradient for p in self.frozen)

    def copy_for(self, replacement: Callable[[Any], Any]) -> RootValues:
        """Return a copy for another instance: ``replacement`` returns the new object for each old one."""
        lists = (self.holders, self.changing, self.params, self.frozen)
        return RootValues(*[list(map(replacement, objects)) for objects in lists])

    def reseat(self, replacements: dict[int, Any]) -> bool:
        """Replace some tensors by others (see `ConcreteProgram.reseat`). Returns False if none of them is a root."""
        if replacements.keys().isdisjoint(map(id, self.holders)):
            return False
        for name in ("holders", "params", "frozen"):
            old = getattr(self, name)
            replacements[id(old)] = new = list(map(replacements.get, map(id, old), old))
            replacements.setdefault(NOBODY, []).append(old)
            setattr(self, name, new)
        replacements[NOBODY].append(self.ids)
        ids = self._ids()
        replacements[id(self.ids)], self.ids = ids, ids
        return True
