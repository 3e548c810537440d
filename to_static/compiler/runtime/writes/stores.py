"""`Stores`: turns the new state of a Program into steps that write it to tensors and other holders.

`Plan.attempt` and generated entries call it; `core.atomic` executes the steps.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Collection, Sequence
from typing import Any

from to_static.compiler.ir.program import Op, Program
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.var_kinds import PARAM
from to_static.core.atomic import Steps, setting

_memory_of = operator.attrgetter("_memory")
_version_of = operator.attrgetter("_version")


class Stores:
    """The holders of a Program's state.

    ``last``: the operators that overwrite arrays of the state, and so run at the end; ``overwrites``: True if a run writes into
    arrays, by them or by in-place writes.

    If no tensor shares its memory with another one, a store sets one attribute of each of `objects`: the attribute `names[i]` of
    `objects[i]`. First come the arrays of all tensors, then the versions of ``changing`` (increased by 1), then None as the spec of
    tensors whose spec may change. ``tensors_only``: True if all holders are tensors.
    """

    def __init__(self, program: Program, last: Collection[Op], overwrites: bool = False) -> None:
        written = {var for op in last for var in op.outputs}
        self.overwrites = overwrites
        self.tensors, self.other_holders, self.changing, unknown = [], [], [], []
        self._at: list[int] = []
        for i, (var, value) in enumerate(zip(program.state, program.state_values, strict=True)):
            holder: Any = var.holder
            if not hasattr(holder, "holding"):  # no tensor
                self.other_holders.append((holder, i))
                continue
            self.tensors.append(holder)
            self._at.append(i)
            if value not in written or var.kind == PARAM:
                self.changing.append(holder)
            if value.spec != var.spec or not (isinstance(var.spec, TensorSpec) and var.spec.is_static):
                unknown.append(holder)
        self.tensors_only = not self.other_holders
        self.unknown = len(unknown)
        self.objects = (*self.tensors, *self.changing, *unknown)
        self.names = ("_array",) * len(self.tensors) + ("_version",) * len(self.changing) + ("_spec",) * len(unknown)

    def with_holders(self, replacement: Callable[[Any], Any]) -> Stores:
        """Return a copy for other holders: ``replacement`` maps each holder to the one that takes its place."""
        copied = copy.copy(self)
        copied.tensors, copied.changing = list(map(replacement, self.tensors)), list(map(replacement, self.changing))
        copied.other_holders = [(replacement(holder), i) for holder, i in self.other_holders]
        copied.objects = tuple(map(replacement, self.objects))
        return copied

    def steps(self, values: Sequence[Any]) -> list[Steps]:
        """Return the steps that write ``values``, the new values of the state in order."""
        tensor_values = values if self.tensors_only else [values[i] for i in self._at]
        if any(map(_memory_of, self.tensors)):
            staged: dict[int, Any] = {}
            pairs = zip(self.tensors, tensor_values, strict=True)
            all_steps: list[Steps] = [step for tensor, value in pairs for step in tensor.holding(value, staged)]
        else:
            versions = [version + 1 for version in map(_version_of, self.changing)]
            all_steps = [map(setattr, self.objects, self.names, (*tensor_values, *versions, *[None] * self.unknown))]
        for holder, i in self.other_holders:
            all_steps += holder.writes(values[i]) if hasattr(holder, "writes") else [setting((holder, "_array", values[i]))]
        return all_steps
