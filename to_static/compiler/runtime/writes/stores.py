"""Stores of a Program's new state, to tensors and other holders, as steps. `core.atomic` does the writing."""

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
    """The holders of a Program's state. ``last``: operators that overwrite their arrays, and so run at the end.

    While no tensor shares its memory, `objects` get attributes of these `names`: the values of the state, then one more than the
    version that each of ``changing`` had, then None. ``plain``: whether that is all; ``over``: whether something is written over.
    """

    def __init__(self, program: Program, last: Collection[Op], over: bool = False) -> None:
        written = {var for op in last for var in op.outputs}
        self.over = over
        self.tensors, self.others, self.changing, unknown = [], [], [], []
        self._at: list[int] = []
        for i, (var, value) in enumerate(zip(program.state, program.state_values, strict=True)):
            holder: Any = var.holder
            if not hasattr(holder, "holding"):  # no tensor
                self.others.append((holder, i))
                continue
            self.tensors.append(holder)
            self._at.append(i)
            if value not in written or var.kind == PARAM:
                self.changing.append(holder)
            if value.spec != var.spec or not (isinstance(var.spec, TensorSpec) and var.spec.is_static):
                unknown.append(holder)
        self.plain = not self.others
        self.unknown = len(unknown)
        self.objects = (*self.tensors, *self.changing, *unknown)
        self.names = ("_array",) * len(self.tensors) + ("_version",) * len(self.changing) + ("_spec",) * len(unknown)

    def with_holders(self, replacement: Callable[[Any], Any]) -> Stores:
        """Return a copy for other holders: ``replacement`` maps each holder to the one that takes its place."""
        copied = copy.copy(self)
        copied.tensors, copied.changing = list(map(replacement, self.tensors)), list(map(replacement, self.changing))
        copied.others = [(replacement(holder), i) for holder, i in self.others]
        copied.objects = tuple(map(replacement, self.objects))
        return copied

    def steps(self, values: Sequence[Any]) -> list[Steps]:
        """The steps that write new values."""
        mine = values if self.plain else [values[i] for i in self._at]
        if any(map(_memory_of, self.tensors)):
            staged: dict[int, Any] = {}
            pairs = zip(self.tensors, mine, strict=True)
            all_steps: list[Steps] = [step for tensor, value in pairs for step in tensor.holding(value, staged)]
        else:
            versions = [version + 1 for version in map(_version_of, self.changing)]
            all_steps = [map(setattr, self.objects, self.names, (*mine, *versions, *[None] * self.unknown))]
        for holder, i in self.others:
            all_steps += holder.writes(values[i]) if hasattr(holder, "writes") else [setting((holder, "_array", values[i]))]
        return all_steps
