"""`sharing`: which results of a Program share differentiable ops. `backward` from one of them frees what the others need.

In dynamic mode, results have a common part of the graph only if they share ops. The tape node of a static function uses this module
to free the same parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from to_static.compiler.ir.program import Block, Op, Var


def sharing(block: Block, results: Sequence[Var]) -> list[list[int]]:
    """Return for each of ``results`` (of the root block) the indices of the results with which it shares a differentiable op."""
    behind = _Ancestors(block)
    masks = [behind.ancestors(var) for var in results]
    return [[j for j, mask_j in enumerate(masks) if i == j or mask_i & mask_j] for i, mask_i in enumerate(masks)]


class _Ancestors:
    """The differentiable ops on which each value depends, as bit sets. For a ``cond`` these are the ops of its branches."""

    def __init__(self, block: Block) -> None:
        self._masks: dict[Var, int] = {}
        self._bits: dict[Op, int] = {}
        self._walk(block)

    def ancestors(self, var: Var) -> int:
        return self._masks.get(var, 0)

    def _bit(self, op: Op) -> int:
        return 1 << self._bits.setdefault(op, len(self._bits))

    def _set(self, var: Var, mask: int) -> None:
        if not var.stop_gradient:
            self._masks[var] = mask

    def _walk(self, block: Block) -> None:
        for op in block.ops:
            if op.name == "cond":
                entering = [self.ancestors(v) for v in op.inputs[1]]
                true, false = (self._enter(inner, entering) for inner in op.blocks)
                for var, a, b in zip(op.outputs, true, false, strict=True):
                    self._set(var, a | b)
                continue
            mask = self._bit(op)
            for var in op.operands():
                mask |= self.ancestors(var)
            for var in op.outputs:
                self._set(var, mask)

    def _enter(self, block: Block, masks: list[int]) -> list[int]:
        for arg, mask in zip(block.args, masks, strict=True):
            self._set(arg, mask)
        self._walk(block)
        return [self.ancestors(v) for v in block.results]
