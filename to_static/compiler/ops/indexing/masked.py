"""Selecting and filling elements by a boolean mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import operands, shape_rules, traced_values
from to_static.compiler.ops.indexing.index import index_put
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentTypeError, ShapeError

_SMALL = 1 << 10  # numbers of which NumPy finds the true ones of a mask in less time than the calls for their places take


@op("masked_select(X, Mask -> Y)", traits="integral dynamic", method=True)
def masked_select(x: Tensor, mask: Tensor, name: str | None = None) -> Tensor:
    """The elements of ``x`` where the boolean ``mask`` (broadcast to ``x``) is true, 1-D. Raises ArgumentTypeError for no mask.

    Example:
        >>> x = paddle.to_tensor([3.0, -1.0, 2.0])
        >>> paddle.masked_select(x, x > 0).tolist()
        [3.0, 2.0]
    """
    operands.need_tensor(x, "masked_select")
    operands.need_tensor(mask, "masked_select")
    fits = mask.spec.shape == x.spec.shape and (UNKNOWN not in x.spec.shape or traced_values.same_traced_sizes(mask, x))
    if not fits:
        static_shapes = UNKNOWN not in (*x.spec.shape, *mask.spec.shape)
        if not static_shapes or shape_rules.broadcast(x.spec.shape, mask.spec.shape, "masked_select") != tuple(x.spec.shape):
            x = F.where(mask, x, x)  # in the shape of both
        mask = F.expand_as(mask, x)
    return masked_select.emit(x, mask)


@masked_select.infer
def _(x: TensorSpec, mask: TensorSpec) -> TensorSpec:
    if mask.dtype.kind != "b":
        raise ArgumentTypeError(f"masked_select: the mask must be boolean, got {mask.dtype.name}")
    return x.with_shape((UNKNOWN,))


@masked_select.kernel
def _(xp: ArrayModule, x: Array, mask: Array) -> Array:
    if x.size < _SMALL and x.ndim:
        return x[mask]
    return x.reshape(-1).take(mask.reshape(-1).nonzero()[0])


@masked_select.may_raise
def _(x: Any, mask: Any) -> bool:
    return traced_values.has_unknown_size(x, mask)


@masked_select.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return masked_select_grad.emit(g, ctx.inputs[1]), None


masked_select.samples(lambda: [Sample(f32(2, 3), np.asarray([[True, False, True], [False, True, True]]))])


@op("masked_select_grad(G, Mask -> DX)", file=None, traits="integral may_raise check_shapes")
def masked_select_grad(x: Tensor, mask: Tensor) -> Tensor:
    """The 1-D ``x`` at the true elements of ``mask``, in order, and zeros elsewhere: the gradient of `masked_select`."""
    return masked_select_grad.emit(x, mask)


@masked_select_grad.infer
def _(x: TensorSpec, mask: TensorSpec) -> TensorSpec:
    if mask.dtype.kind != "b":
        raise ArgumentTypeError(f"masked_select_grad: the mask must be boolean, got {mask.dtype.name}")
    if x.ndim != 1:
        raise ShapeError(f"masked_select_grad: expected a 1-D tensor, got {show(x.shape)}")
    return x.with_shape(mask.shape)


@masked_select_grad.kernel
def _(xp: ArrayModule, x: Array, mask: Array) -> Array:
    (positions,) = mask.reshape(-1).nonzero()
    if positions.size != x.size:
        raise ShapeError(f"masked_select_grad: {x.size} elements for {positions.size} true ones of the mask")
    y = xp.zeros(mask.size, x.dtype)
    y[positions] = x
    return y.reshape(mask.shape)


@masked_select_grad.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return masked_select(g, ctx.inputs[1]), None


@masked_select_grad.composition
def _(x: Tensor, mask: Tensor) -> Tensor:
    nothing = F.zeros_like(mask, x.dtype)
    if not mask.ndim:
        return F.where(mask, F.sum(x), nothing)
    columns = [F.squeeze(c, 1) for c in F.split(F.nonzero(mask), mask.ndim, 1)]
    return index_put.emit(nothing, columns, x, axes=tuple(range(mask.ndim)), accumulate=False)


masked_select_grad.samples(lambda: [Sample(f32(3), np.asarray([[True, False, True], [False, True, False]]))])


@method(inplace=True)
def masked_fill(x: Tensor, mask: Tensor, value: Tensor | float, name: str | None = None) -> Tensor:
    """``x`` with ``value`` (a number or 0-D tensor) where the boolean ``mask`` is true.

    ``mask`` broadcasts to ``x``. The result has the dtype of ``x``.

    Example:
        >>> paddle.masked_fill(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([True, False]), 0.0).tolist()
        [0.0, 2.0]
    """
    value = operands.scalar_operand(value, x)
    return F.where(mask, value if value.dtype is x.dtype else F.cast(value, x.dtype), x)
