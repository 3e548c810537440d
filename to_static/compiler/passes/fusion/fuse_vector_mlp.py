"""The pass `fuse_vector_mlp`: consecutive linear layers on one row, with activations, become one operator.

The time of such layers is call overhead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import constant_vars, insert_before, remove_dead_ops, replace_all
from to_static.compiler.ir.uses import Uses
from to_static.compiler.passes.manager import every_block
from to_static.compiler.passes.pattern import Pattern

LARGEST = 1 << 18  # elements of a weight that is copied; beside the product with a larger one, adding a bias takes no time
LARGEST_IN_LOOP = 1 << 13  # the same in loops, which may copy it in each call and have few iterations
_LAYERS = (Pattern("add(product:matmul(x, w), b)"), Pattern("act:relu|tanh(add(product:matmul(x, w), b))"))


def fuse_vector_mlp(program: Program) -> int:
    """Join linear layers whose weights no run, or no iteration of a loop, changes; returns the number of new operators."""
    count = _join(program.block, constant_vars(program), [], LARGEST)
    for block in every_block(program):
        for loop in (op for op in block.ops if op.name == "while_loop"):
            body, n = loop.blocks[1], loop.attrs["carried"]
            constants = [op.out for op in body.ops if op.name == "constant"]
            count += _join(body, {*body.args[n:], *constants}, body.args[:n], LARGEST_IN_LOOP)
    return count


def _join(block: Block, fixed: set[Var], carried: Sequence[Var], largest: int) -> int:
    """Join the layers of a block; returns the number of new operators.

    A single layer is rewritten if a loop carries its row (see `runtime/bias_padding.py`).
    """
    uses = Uses(block)
    mapping: dict[Var, Var] = {}
    inside: set[Var] = set()  # results of layers that are in a chain already
    for op in reversed(list(block.ops)):
        chain: list[dict[str, Any]] = []
        start = op if not inside.intersection(op.outputs) else None
        produced: list[Var] = []
        while start is not None:
            layer = _layer(start, uses, fixed, largest)
            if layer is None:
                break
            produced += start.outputs
            chain.insert(0, layer)
            x = layer["product"].inputs[0]
            start = x.op if uses.has_one_use(x) else None
        if len(chain) > 1 or (chain and "act" not in chain[0] and x in carried):
            inside.update(produced)
            mapping[op.out] = _joined(block, op, chain)
    replace_all(block, mapping)
    if mapping:
        remove_dead_ops(block)
    return len(mapping)


def _layer(op: Op, uses: Uses, fixed: set[Var], largest: int) -> dict[str, Any] | None:
    """Return the parts of a layer whose result ``op`` computes, by name; None if it is no layer that can be joined."""
    match = next((parts for pattern in _LAYERS if (parts := pattern.at(op, uses)) is not None), None)
    if match is None or any(match["product"].attrs.values()) or not fixed.issuperset((match["w"], match["b"])):
        return None
    x, w, b = (match["product"].inputs[0].spec, match["w"].spec, match["b"].spec)
    if not (x.is_static and w.is_static and b.is_static) or (x.ndim, w.ndim) != (2, 2) or x.shape[0] != 1 or w.size > largest:
        return None
    return match if b.shape in ((w.shape[1],), (1, w.shape[1])) and x.dtype == w.dtype == b.dtype and x.dtype.is_floating else None


def _joined(block: Block, op: Op, chain: list[dict[str, Any]]) -> Var:
    weights, activations = [], []
    for layer in chain:
        w, b = layer["w"], layer["b"]
        k, n = w.spec.shape
        row = insert_before(block, op, get("reshape"), (b, ()), {"shape": [1, n]}, (w.spec.with_shape((1, n)),))
        both = insert_before(block, op, get("concat"), ((w, row.out),), {"axis": 0}, (w.spec.with_shape((k + 1, n)),))
        weights.append(both.out)
        activations.append(layer["act"].name if "act" in layer else "")
    x = chain[0]["product"].inputs[0]
    new_op = insert_before(block, op, get("packed_rows"), (x, tuple(weights)), {"activations": activations}, (op.out.spec,))
    new_op.out.name, new_op.out.stop_gradient = op.out.name, op.out.stop_gradient
    return new_op.out
