"""The most frequent elements (mode)."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import shape_rules, traced_values
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int64
from to_static.core.errors import DTypeError, ShapeError


@op("mode(X -> Out, Indices) axis:int keepdim:bool", method=True)
def mode(x: Tensor, axis: int = -1, keepdim: bool = False, name: str | None = None) -> tuple[Tensor, ...]:
    """The most frequent elements along ``axis`` (of equally frequent ones the smallest), and the last positions of these.

    Raises DTypeError for anything but numbers, ShapeError for an axis that is not there or is empty.
    ``x``: numbers; ``keepdim`` keeps ``axis`` with size 1.

    Example:
        >>> values, places = paddle.mode(paddle.to_tensor([2.0, 1.0, 2.0]))
    """
    return mode.emit(x, axis=shape_rules.axis_index(axis, x.ndim, "mode") if x.ndim else 0, keepdim=bool(keepdim))


@mode.infer
def _(x: TensorSpec, axis: int, keepdim: bool) -> tuple[TensorSpec, ...]:
    if x.dtype.kind not in "iuf":
        raise DTypeError(f"mode: expected a tensor of numbers, got {x.dtype.name}")
    if not x.ndim:
        return x, x.with_dtype(int64)
    axis = shape_rules.axis_index(axis, x.ndim, "mode")
    if x.shape[axis] == 0:
        raise ShapeError(f"mode: {show(x.shape)} has no elements along the axis")
    out = x.with_shape(shape_rules.reduced_shape(x.shape, (axis,), keepdim))
    return out, out.with_dtype(int64)


@mode.kernel
def _(xp: ArrayModule, x: Array, axis: int, keepdim: bool) -> tuple[Array, ...]:
    if not x.ndim:
        return x.copy(), xp.zeros((), "int64")
    if xp is np:
        return _of_lines(x, axis % x.ndim, keepdim)
    order = xp.moveaxis(xp.argsort(x, axis, kind="stable"), axis, 0)
    line = xp.take_along_axis(xp.moveaxis(x, axis, 0), order, 0)
    best, position = line[0].copy(), order[0].astype("int64")
    run = longest = xp.ones(best.shape, "int64")
    for k in range(1, line.shape[0]):
        run = xp.where(line[k] == line[k - 1], run + 1, 1)
        wins = run > longest
        more = wins | ((run == longest) & (line[k] == best))  # the first one of a run of one is the best so far
        best, position = xp.where(more, line[k], best), xp.where(more, order[k], position)
        longest = xp.maximum(run, longest)
    if keepdim:
        best, position = xp.expand_dims(best, axis), xp.expand_dims(position, axis)
    return xp.ascontiguousarray(best).reshape(best.shape), position


def _of_lines(x: Array, axis: int, keepdim: bool) -> tuple[Array, ...]:
    """The same with NumPy: at the end of each run of equal numbers stands how long it is, and the first of the longest wins."""
    lines = x if axis == x.ndim - 1 else np.moveaxis(x, axis, -1)
    order = lines.argsort(-1, kind="stable")
    length, count = order.shape[-1], order.size
    shape = x.shape[:axis] + (1,) * keepdim + x.shape[axis + 1 :]
    rows = order.reshape(-1, length)
    begins = np.arange(0, count, length)
    ranked = lines.reshape(-1).take((rows + begins[:, None]).reshape(-1))
    starts = np.empty(count, bool)
    starts[:1] = True
    np.not_equal(ranked[1:], ranked[:-1], starts[1:])
    starts[::length] = True
    if np.count_nonzero(starts) == count:  # no two are equal: the smallest one
        best = begins
    else:
        positions = np.arange(count)
        begun = np.maximum.accumulate(np.where(starts, positions, 0))
        best = (positions - begun).reshape(-1, length).argmax(-1) + begins
    return ranked[best].reshape(shape), rows.reshape(-1)[best].reshape(shape).astype(np.int64, copy=False)


@mode.may_raise
def _(x: Any, axis: int, keepdim: bool) -> bool:
    return traced_values.has_unknown_size(x)


@mode.grad
def _(ctx: GradContext, g: Tensor, _places: Tensor) -> Any:
    if not ctx.x.ndim:
        return g
    position = ctx.outputs[1]
    if not ctx.keepdim:
        g, position = F.unsqueeze(g, ctx.axis), F.unsqueeze(position, ctx.axis)
    return F.put_along_axis(F.zeros_like(ctx.x), position, g, ctx.axis, "add", broadcast=False)


mode.samples(
    lambda: [
        Sample(f32(3, 4), axis=1, keepdim=False),
        Sample(np.asarray([[1, 2, 2], [3, 1, 3]]), axis=1, keepdim=True),
        Sample(np.asarray([[1, 2, 1], [3, 2, 3]]), axis=0, keepdim=False),
    ]
)
