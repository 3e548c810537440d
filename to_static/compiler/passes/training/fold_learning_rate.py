"""The pass `fold_learning_rate`: the learning rate of SGD multiplies the gradient of a layer's output, not those of its weights.

It does so if the gradient of the output has fewer elements. Rounding differs.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import insert_before, remove_dead_ops, replace_all
from to_static.compiler.ir.uses import Uses
from to_static.compiler.passes.manager import every_block


def fold_learning_rate(program: Program) -> int:
    """Move learning rates in every block; returns the number of updates that are rewritten."""
    return sum(_move(block) for block in every_block(program))


def _move(block: Block) -> int:
    uses = Uses(block)
    layers: dict[tuple[Var, Var], list[Op]] = {}  # (gradient of the output, learning rate) -> updates
    for op in block.ops:
        if op.name == "sgd" and _has_product(op, uses):
            layers.setdefault((op.inputs[1].op.inputs[1], op.inputs[2]), []).append(op)
    mapping: dict[Var, Var] = {}
    for (output_gradient, rate), updates in layers.items():
        if sum(op.inputs[1].spec.size for op in updates) > output_gradient.spec.size:
            mapping.update(_emit(block, output_gradient, rate, updates))
    replace_all(block, mapping)
    if mapping:
        remove_dead_ops(block)
    return len(mapping)


def _has_product(update: Op, uses: Uses) -> bool:
    """True if the gradient of an update is a matrix product that nothing else reads."""
    gradient, rate = update.inputs[1:]
    product: Any = gradient.op
    if product is None or product.name != "matmul" or product.attrs["trans_y"] or not uses.has_one_use(gradient):
        return False
    if rate.op is not None:  # a computed rate may come after the product
        return False
    specs = [v.spec for v in (*product.inputs, rate)]
    return all(s.is_static for s in specs) and rate.spec.shape == () and rate.spec.dtype is gradient.spec.dtype


def _emit(block: Block, output_gradient: Var, rate: Var, updates: list[Op]) -> dict[Var, Var]:
    products = [op.inputs[1].op for op in updates]
    first = min(products, key=block.ops.index)
    scaled_gradient = insert_before(block, first, get("multiply"), (output_gradient, rate), {}, (output_gradient.spec,)).out
    replaced: dict[Var, Var] = {}
    for product, update in zip(products, updates, strict=True):
        factors = (product.inputs[0], scaled_gradient)
        change = insert_before(block, product, product.opdef, factors, product.attrs, (product.out.spec,)).out
        new = insert_before(block, update, get("subtract"), (update.inputs[0], change), {}, (update.out.spec,)).out
        new.name, new.stop_gradient = update.out.name, update.out.stop_gradient
        replaced[update.out] = new
    return replaced
