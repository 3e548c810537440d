"""`BlockScope`, a block under construction, and `TracedBlock`, a finished one: which outer values they lift and rebind."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.program import Block, Var
from to_static.compiler.ir.symbolic.variable import Variable


class BlockScope:
    """A block under construction: the outer values that it lifts to arguments, and the outer handles that it rebinds."""

    __slots__ = ("block", "lifted", "parent", "rebound")

    def __init__(self, block: Block, parent: BlockScope | None) -> None:
        self.block = block
        self.parent = parent
        self.lifted: dict[Var, Var] = {}  # Var of the parent block -> argument of this one
        self.rebound: dict[Variable, Var] = {}  # handle -> the value it held when the block began


class TracedBlock:
    """A finished sub-block: the result of the traced function, and the final values of the outer handles that it rebound."""

    __slots__ = ("block", "frame", "rebound", "value")

    def __init__(self, frame: BlockScope, value: object, rebound: dict[Variable, Var]) -> None:
        self.frame = frame
        self.block = frame.block
        self.value: Any = value
        self.rebound = rebound

    def has(self, handle: Variable) -> bool:
        """True if the block rebound ``handle`` to a value that outer code sees.

        Python numbers keep the value that they had before.
        """
        return not handle.data_dependent and handle.python_type is None and handle in self.rebound
