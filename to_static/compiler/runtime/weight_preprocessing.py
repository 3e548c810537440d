"""Weight preprocessing: values that depend only on weights are computed once, and again after a weight has changed.

A tensor that changes gets another array, so a weight has changed if its holder has another array than before. The check takes about
30 ns per weight in each call. Plans with ``weights_frozen`` have a `Prologue`.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.rewriter import constant_vars, needed_ops
from to_static.compiler.runtime.diagnostics.failure import StaleProgramError
from to_static.compiler.runtime.interpret import run_block
from to_static.compiler.runtime.memory_plan.buffer_reuse import aligned
from to_static.core.backend import Backend
from to_static.core.processes.compile_lock import COMPILE_LOCK

if TYPE_CHECKING:
    from to_static.core.array_types import Array

_NEVER = object()
_array_of = operator.attrgetter("_array")


class Prologue:
    """The part of a Program that depends only on weights: its ``ops``, and the ``values`` of these that the other ops read.

    ``now``: the arrays of ``values`` (None before they are computed), followed by the arrays that the ``holders`` of the weights
    had at that time. It is one attribute, so that threads see values and weights that belong together.
    """

    def __init__(self, program: Program, backend: Backend) -> None:
        self.backend = backend
        self.ops, self.values = _split(program)
        self._block = Block()
        constants = [op for op in program.block.ops if op.name == "constant"]
        chosen = [op for op in program.block.ops if op in self.ops]
        self._block.ops = needed_ops([*constants, *chosen], self.values)
        self._block.results = self.values
        last = {v: op for op in self._block.ops for v in op.operands()}
        self._params = [v for v in program.params if v in last]
        self._spent: dict[Op, list[Var]] = {}  # values that are read last by this op, and by no plan
        for var in last.keys() - set(self.values):
            self._spent.setdefault(last[var], []).append(var)
        self.holders = [v.holder for v in self._params]
        self.now: tuple[Any, ...] = ()
        self.release()

    def with_holders(self, replacement: Callable[[Any], Any]) -> Prologue:
        """Return a copy for other holders: ``replacement`` maps each holder to the one that takes its place."""
        copied = copy.copy(self)
        copied.holders = list(map(replacement, self.holders))
        copied.release()
        return copied

    @property
    def nbytes(self) -> int:
        """The bytes of the computed values; 0 if they are not computed."""
        return sum(getattr(a, "nbytes", 0) for a in self.now[: len(self.values)])

    def __call__(self) -> tuple[Any, ...]:
        """Return the arrays of ``values`` for the present weights, which are computed again if a weight has changed."""
        now, count = self.now, len(self.values)
        if now[0] is not None and all(map(operator.is_, map(_array_of, self.holders), now[count:])):
            return now[:count]
        return self._compute()

    def _compute(self) -> tuple[Any, ...]:
        with COMPILE_LOCK:
            arrays = list(map(_array_of, self.holders))
            for var, array in zip(self._params, arrays, strict=True):
                must_fit(var, array)
            env: dict[Var, Any] = dict(zip(self._params, arrays, strict=True))
            results = run_block(self._block, [], self.backend, env, spent=self._spent)
            values = tuple(map(aligned, results))
            self.now = *values, *arrays
            return values

    def release(self) -> None:
        """Free the values; the next call computes them again."""
        self.now = (*[None] * len(self.values), *[_NEVER] * len(self.holders))


def must_fit(var: Var, array: Array) -> None:
    """Raise `StaleProgramError` if a tensor from outside has another shape or dtype than the Program was built for."""
    spec: Any = var.spec
    if array.dtype == spec.dtype.np and (not spec.is_static or array.shape == spec.shape):
        return
    raise StaleProgramError(
        f"{var.name or 'a tensor from outside'} is {array.dtype}{list(array.shape)} now, but this Program was built when it was "
        f"{var.spec}: build it again, or keep shape and dtype"
    )


def _split(program: Program) -> tuple[set[Op], list[Var]]:
    """Return the ops that depend only on constants and on weights that no run changes, and their values that other ops read.

    Ops that compute results of the Program are not among them: each run must return new memory.
    """
    fixed, results = constant_vars(program), set(program.block.results)
    per_run: set[Var] = set()  # values that stay although they depend on weights alone
    chosen: set[Op] = set()
    for op in program.block.ops:
        if op.name == "constant" or not op.outputs or op.outputs[0] not in fixed:
            continue
        if results.isdisjoint(op.outputs) and per_run.isdisjoint(op.operands()):
            chosen.add(op)
        else:
            per_run.update(op.outputs)
    read = [v for op in program.block.ops if op not in chosen for v in op.operands()]
    return chosen, [v for v in dict.fromkeys(read) if v.op in chosen]
