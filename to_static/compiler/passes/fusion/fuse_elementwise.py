"""The pass `fuse_elementwise`: elementwise operators on large arrays become one `chain`, computed in parts that fit the cache."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import has_side_effects, insert_before, remove_dead_ops, replace_all
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.uses import Uses
from to_static.compiler.ops.fused.elementwise_chain import Step, division
from to_static.compiler.passes.manager import every_block
from to_static.compiler.passes.pipeline import LARGE

MOST = 24  # the maximal number of steps of a chain
HEAVY = frozenset((  # operators with many array operations: a chain of one of them pays
    "gelu", "erf", "erfinv", "mish", "softplus", "sigmoid", "silu", "swish", "log_sigmoid", "hardswish",
    "hypot", "logit", "gumbel_quantile",
))  # fmt: skip
LEFT_OUT = frozenset(("assign", "cast", "relu_grad", "pow"))


def fuse_elementwise(program: Program) -> int:
    """Make chains in every block; returns the number of operators in them."""
    return sum(_chain(block) for block in every_block(program))


def _chain(block: Block) -> int:
    uses = Uses(block)
    inside: dict[Op, Op] = {}  # operators -> the last one of their chain
    members: dict[Op, list[Op]] = {}
    for op in reversed(block.ops):
        if not _is_chainable(op):
            continue
        last = _joined(op, uses, inside)
        if last is None or len(members[last]) >= MOST or not _fits([*members[last], op]):
            last = op
            members[last] = []
        inside[op] = last
        members[last].append(op)
    mapping: dict[Var, Var] = {}
    for last, ops in members.items():
        if len(ops) > 1 or last.name in HEAVY:
            mapping[last.out] = _emit(block, last, ops[::-1])
    replace_all(block, mapping)
    remove_dead_ops(block)
    return sum(len(ops) for last, ops in members.items() if last.out in mapping)


def _is_chainable(op: Op) -> bool:
    """True if each part of the result depends only on the same part of the operands, and the result is large."""
    traits = op.opdef.traits
    if "elementwise" not in traits or "alias" in traits or op.opdef.multi or op.name in LEFT_OUT or has_side_effects(op):
        return False
    if any(not isinstance(v, Var) for v in op.inputs) or not op.inputs:
        return False
    specs: list[Any] = [v.spec for v in (*op.inputs, op.out)]
    if not all(isinstance(s, TensorSpec) and s.is_static for s in specs):
        return False
    out = specs[-1]
    has_simple_attrs = all(isinstance(v, (bool, int, float, str)) for v in op.attrs.values())
    return out.size >= LARGE and has_simple_attrs and division(out.shape, [s.shape for s in specs[:-1]]) is not None


def _joined(op: Op, uses: Uses, inside: dict[Op, Op]) -> Op | None:
    """Return the last operator of the chain that is the only reader of the result; None if there are other readers."""
    users = uses.users(op.out)
    chains = {inside.get(user) for user in users}
    if len(chains) != 1 or None in chains or op.out in uses.results:
        return None
    (last,) = chains
    return last if last is not None and last.out.spec.shape == op.out.spec.shape else None


def _fits(ops: list[Op]) -> bool:
    produced = {op.out for op in ops}
    outside: list[Any] = [v.spec.shape for op in ops for v in op.inputs if v not in produced]
    return division(ops[0].out.spec.shape, outside) is not None


def _emit(block: Block, last: Op, ops: list[Op]) -> Var:
    inputs: list[Var] = []
    slots: dict[Var, int] = {}
    steps: list[Step] = []
    for op in ops:
        operands = []
        for var in op.inputs:
            if var not in slots:
                slots[var] = len(inputs)
                inputs.append(var)  # type: ignore[arg-type]
            operands.append(slots[var])
        steps.append((op.name, tuple(op.attrs.items()), tuple(operands)))
        slots[op.out] = -len(steps)
    new_op = insert_before(block, last, get("chain"), (tuple(inputs),), {"steps": tuple(steps)}, (last.out.spec,))
    new_op.out.name, new_op.out.stop_gradient = last.out.name, last.out.stop_gradient
    return new_op.out
