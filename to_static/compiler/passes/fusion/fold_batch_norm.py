"""The pass `fold_batch_norm`: a batch norm with fixed statistics becomes a scale and a shift.

After a convolution, the scale is multiplied into its weight, and the shift becomes a bias. The pass inserts operators on weights,
which a plan computes before its first run. It reads no values of weights, so these may change.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.program import Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import RewriteCursor, constant_vars, remove_dead_ops, replace_all
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.uses import Uses
from to_static.compiler.ops.layers.norm import channel_axis

CONVOLUTIONS = frozenset(("conv1d", "conv2d", "conv3d"))


def fold_batch_norm(program: Program) -> int:
    """Rewrite every batch norm whose statistics and weights no run changes; returns the number of norms."""
    norms = {op for op in program.block.ops if op.name == "batch_norm" and _is_fixed(op)}
    if not norms:
        return 0
    fixed, uses = constant_vars(program), Uses(program.block)
    mapping: dict[Var, Var] = {}
    cursor = RewriteCursor(program.block)
    for op in cursor:
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        if op in norms and all(v in fixed for v in op.inputs[1:]):
            new_var = _rewritten(cursor, op, fixed, uses)
            if new_var is not None:
                mapping[op.out] = new_var
                uses.replaced(op.out, new_var)
    replace_all(program.block, mapping)
    remove_dead_ops(program.block)
    return len(mapping)


def _is_fixed(op: Op) -> bool:
    attrs = op.attrs
    return attrs["use_global_stats"] or (attrs["is_test"] and not attrs["trainable_statistics"])


def _rewritten(cursor: RewriteCursor, norm: Op, fixed: set[Var], uses: Uses) -> Var | None:
    """Return the value that replaces the norm's result; None if its statistics are used."""
    x = norm.inputs[0]
    if any(v in uses for v in norm.outputs[1:]) or not isinstance(x.spec, TensorSpec):
        return None
    if not norm.inputs[1].spec.is_static:
        return None
    ndim, channel = x.spec.ndim, channel_axis(x.spec.ndim, norm.attrs["data_format"])
    count = norm.inputs[1].spec.size
    conv, bias = _convolution(x, uses, channel, fixed)
    shape = tuple(count if i == channel else 1 for i in range(ndim))
    rates = shape if conv is None else (count,) + (1,) * (conv.inputs[1].spec.ndim - 1)
    attrs = {"epsilon": norm.attrs["epsilon"], "rates": rates, "shifts": shape, "dtype": x.spec.dtype}
    folded = _insert(cursor, "fold_norm", (*norm.inputs[1:], bias), attrs)
    rate, shift = folded.outputs
    if conv is None:
        product = _insert(cursor, "multiply", (x, rate), {})
    else:
        weight = _insert(cursor, "multiply", (conv.inputs[1], rate), {}).out
        weight.name = conv.inputs[1].name
        product = cursor.insert(conv.opdef, (conv.inputs[0], weight), conv.attrs, (conv.out.spec,))
        product.site, product.out.stop_gradient = conv.site, norm.out.stop_gradient
    total = _insert(cursor, "add", (product.out, shift), {}).out
    total.name, total.stop_gradient = norm.out.name, norm.out.stop_gradient
    return total


def _insert(cursor: RewriteCursor, name: str, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Op:
    opdef = get(name)
    return cursor.insert(opdef, inputs, attrs, opdef.infer_specs(tuple(None if v is None else v.spec for v in inputs), attrs))


def _convolution(x: Var, uses: Uses, channel: int, fixed: set[Var]) -> tuple[Op | None, Var | None]:
    """Return the convolution that computes ``x``, and its bias; None if a value between them has another reader."""
    op, bias = x.op, None
    if op is not None and op.name == "add" and uses.has_one_use(x):
        x, bias = op.inputs  # type: ignore[assignment]
        op = x.op
        if bias.op is not None and bias.op.name == "reshape":
            bias = bias.op.inputs[0]  # type: ignore[assignment]
    if op is None or op.name not in CONVOLUTIONS or not uses.has_one_use(x) or op.inputs[1] not in fixed:
        return None, None
    if bias is not None and (bias not in fixed or bias.spec.size != op.inputs[1].spec.shape[0]):
        return None, None
    if channel != (x.spec.ndim - 1 if op.attrs["data_format"][-1] == "C" else 1):
        return None, None
    return op, bias
