"""The pass `fold_linears`: two consecutive linear layers become one, if the product of their weights is not larger than both."""

from __future__ import annotations

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import constant_vars, insert_before, remove_dead_ops, replace_all
from to_static.compiler.ir.uses import Uses
from to_static.compiler.passes.pattern import Pattern

_TWO = Pattern("add(outer:matmul(add(inner:matmul(_, _), first), _), last)")


def fold_linears(program: Program) -> int:
    """Join linear layers of the root block whose weights no run changes; returns the number of layers that are removed."""
    return _join(program.block, constant_vars(program))


def _join(block: Block, fixed: set[Var]) -> int:
    uses = Uses(block)
    mapping: dict[Var, Var] = {}
    for op in list(block.ops):
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        match = _TWO.at(op, uses)
        if match is not None and _pays(match["inner"], match["outer"], match["first"], match["last"], fixed):
            product_var = _joined(block, op, fixed, **match)
            uses.added(product_var.op.inputs[0].op, product_var.op)  # type: ignore[union-attr,arg-type]
            uses.replaced(op.out, product_var)
            mapping[op.out] = product_var
    replace_all(block, mapping)
    if mapping:
        remove_dead_ops(block)
    return len(mapping)


def _pays(inner: Op, outer: Op, first: Var, last: Var, fixed: set[Var]) -> bool:
    (x, w), (_, v) = inner.inputs, outer.inputs
    if not fixed.issuperset((w, v, first, last)) or any(a for op in (inner, outer) for a in op.attrs.values()):
        return False
    specs = [u.spec for u in (w, v, first, last)]
    if not all(s.is_static for s in specs) or [s.ndim for s in specs] != [2, 2, 1, 1] or x.spec.ndim < 2:
        return False
    (k, h), m = w.spec.shape, v.spec.shape[1]
    return first.spec.shape == (h,) and last.spec.shape == (m,) and k * m <= k * h + h * m


def _joined(block: Block, op: Op, fixed: set[Var], inner: Op, outer: Op, first: Var, last: Var) -> Var:
    x, w = inner.inputs
    v = outer.inputs[1]
    row = insert_before(block, op, get("reshape"), (first, ()), {"shape": [1, -1]}, (w.spec.with_shape((1, first.spec.size)),))
    weight = insert_before(block, op, inner.opdef, (w, v), inner.attrs, (w.spec.with_shape((w.spec.shape[0], v.spec.shape[1])),))
    moved_op = insert_before(block, op, inner.opdef, (row.out, v), inner.attrs, (w.spec.with_shape((1, v.spec.shape[1])),))
    flat = insert_before(block, op, get("reshape"), (moved_op.out, ()), {"shape": [-1]}, (last.spec,))
    bias = insert_before(block, op, op.opdef, (flat.out, last), {}, (last.spec,))
    product = insert_before(block, op, inner.opdef, (x, weight.out), inner.attrs, (outer.out.spec,))
    total = insert_before(block, op, op.opdef, (product.out, bias.out), {}, (op.out.spec,))
    fixed.update(o.out for o in (row, weight, moved_op, flat, bias))
    total.out.name, total.out.stop_gradient = op.out.name, op.out.stop_gradient
    return total.out
