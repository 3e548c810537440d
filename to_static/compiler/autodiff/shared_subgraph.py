"""Groups of results that share computations: `backward` from one of them frees what another would need.

Of a function that runs dynamically, the gradient of each result has a graph of its own, as far as no computation led to both.
"""

from __future__ import annotations

from collections.abc import Sequence

from to_static.compiler.ir.program import Block, Op, Var


def sharing(block: Block, results: Sequence[Var]) -> list[list[int]]:
    """For each of ``results`` (of the root block): the positions of those with which it shares an operator that has a gradient."""
    behind = _Behind(block)
    masks = [behind.of(var) for var in results]
    return [[j for j, other in enumerate(masks) if i == j or mask & other] for i, mask in enumerate(masks)]


class _Behind:
    """The operators behind each value, as bit sets. A condition is none of them, but what its branches do."""

    def __init__(self, block: Block) -> None:
        self._masks: dict[Var, int] = {}
        self._bits: dict[Op, int] = {}
        self._walk(block)

    def of(self, var: Var) -> int:
        return self._masks.get(var, 0)

    def _bit(self, op: Op) -> int:
        return 1 << self._bits.setdefault(op, len(self._bits))

    def _set(self, var: Var, mask: int) -> None:
        if not var.stop_gradient:
            self._masks[var] = mask

    def _walk(self, block: Block) -> None:
        for op in block.ops:
            if op.name == "cond":
                entering = [self.of(v) for v in op.inputs[1]]
                true, false = (self._enter(inner, entering) for inner in op.blocks)
                for var, a, b in zip(op.outputs, true, false, strict=True):
                    self._set(var, a | b)
                continue
            mask = self._bit(op)
            for var in op.operands():
                mask |= self.of(var)
            for var in op.outputs:
                self._set(var, mask)

    def _enter(self, block: Block, masks: list[int]) -> list[int]:
        for arg, mask in zip(block.args, masks, strict=True):
            self._set(arg, mask)
        self._walk(block)
        return [self.of(v) for v in block.results]
