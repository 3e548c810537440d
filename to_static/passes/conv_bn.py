"""Batch norm with fixed statistics after a convolution becomes part of the convolution's weight, and a bias.

It reads weights by value, so it is only for Programs whose weights never change again.
"""

from __future__ import annotations

from typing import Any

from to_static.ir.edit import insert_before, remove_dead_ops, remove_unused_params, replace_all, users
from to_static.ir.program import PARAM, Op, Program, Stored, Var
from to_static.ir.registry import get
from to_static.ir.spec import spec_of
from to_static.ops.norm import channel_axis

CONVOLUTIONS = frozenset(("conv1d", "conv2d", "conv3d"))


def run(program: Program) -> int:
    """Fold every batch norm whose input is only a convolution's result (with or without a bias)."""
    count = 0
    for op in list(program.block.ops):
        if op.name == "batch_norm" and _fixed(op):
            count += _fold(program, op)
    remove_unused_params(program)
    return count


def _fixed(op: Op) -> bool:
    attrs = op.attrs
    return attrs["use_global_stats"] or (attrs["is_test"] and not attrs["trainable_statistics"])


def _fold(program: Program, norm: Op) -> int:
    block = program.block
    readers = users(block)
    alone = {v for v, ops in readers.items() if len(ops) == 1} - set(block.results)
    found = _convolution(norm.inputs[0], alone)
    if found is None or any(v in readers or v in block.results for v in norm.outputs[1:]):
        return 0
    conv, bias = found
    ndim = norm.out.spec.ndim
    channel = channel_axis(ndim, norm.attrs["data_format"])
    if channel != (ndim - 1 if conv.attrs["data_format"][-1] == "C" else 1):
        return 0
    roots = [conv.inputs[1], *norm.inputs[1:], *([] if bias is None else [bias])]
    if any(v not in program.params or v in program.state for v in roots):
        return 0
    weight, gamma, beta, mean, variance = (v.holder._array for v in roots[:5])
    wide = "float64"  # so that folding costs no accuracy
    rate = gamma.astype(wide) * (variance.astype(wide) + norm.attrs["epsilon"]) ** -0.5
    shift = mean.astype(wide) if bias is None else mean.astype(wide) - bias.holder._array.reshape(-1)
    folded_weight = weight * rate.reshape(-1, *[1] * (weight.ndim - 1))
    folded_bias = (beta - shift * rate).reshape([-1 if i == channel else 1 for i in range(ndim)])
    new_weight = _param(program, roots[0], folded_weight.astype(weight.dtype))
    new_bias = _param(program, roots[2], folded_bias.astype(weight.dtype))
    product = insert_before(block, norm, conv.opdef, (conv.inputs[0], new_weight), conv.attrs, (conv.out.spec,))
    total = insert_before(block, norm, get("add"), (product.out, new_bias), {}, (norm.out.spec,))
    product.site = conv.site
    total.out.name = norm.out.name
    product.out.stop_gradient = total.out.stop_gradient = norm.out.stop_gradient
    replace_all(block, {norm.out: total.out})
    remove_dead_ops(block)
    return 1


def _convolution(x: Var, alone: set[Var]) -> tuple[Op, Var | None] | None:
    """The convolution that ``x`` comes from, and its bias; None when anything else looks at what is between."""
    op, bias = x.op, None
    if op is not None and op.name == "add" and x in alone:
        x, bias = op.inputs  # type: ignore[assignment]
        op = x.op
        if bias.op is not None and bias.op.name == "reshape":
            bias = bias.op.inputs[0]  # type: ignore[assignment]
    if op is None or op.name not in CONVOLUTIONS or x not in alone:
        return None
    return op, bias


def _param(program: Program, old: Var, array: Any) -> Var:
    name = f"{old.name}.folded" if old.name else None
    taken = {v.name for v in program.params}
    while name in taken and name is not None:
        name += "_"
    return program.add_param(spec_of(array), PARAM, Stored(array, name), name)
