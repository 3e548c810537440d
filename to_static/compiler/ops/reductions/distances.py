"""Distances between the rows of matrices (cdist), and limits of the norms of slices (renorm)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import blocked_sum, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.kernel_scalar import operand
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.reductions.norms import p_norm
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError, DTypeError, ShapeError

_MODES = {"use_mm_for_euclid_dist_if_necessary": 25, "use_mm_for_euclid_dist": 0, "donot_use_mm_for_euclid_dist": math.inf}


@method()
def cdist(
    x: Tensor,
    y: Any,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
    name: str | None = None,
) -> Tensor:
    """The ``p``-norms of the differences of each row of ``x`` [*, P, M] and each of ``y`` [*, R, M]: [*, P, R].

    ``compute_mode``: whether Euclidean distances are computed by a matrix product: 'use_mm_for_euclid_dist_if_necessary' (the
    default: of more than 25 rows), 'use_mm_for_euclid_dist' or 'donot_use_mm_for_euclid_dist'.
    Raises ShapeError unless the rows are of one length, ValueError for a negative ``p`` or another mode.

    Example:
        >>> paddle.cdist(paddle.to_tensor([[0.0, 0.0]]), paddle.to_tensor([[3.0, 4.0]])).tolist()
        [[5.0]]
    """
    if compute_mode not in _MODES:
        raise ArgumentError(f"cdist: compute_mode must be one of {', '.join(map(repr, _MODES))}, got {compute_mode!r}")
    if p < 0:
        raise ArgumentError(f"cdist: p must not be negative, got {p}")
    if x.ndim < 2 or y.ndim < 2 or not shape_rules.compatible(x.spec.shape[-1:], y.spec.shape[-1:]):
        shapes = f"{show(x.spec.shape)} and {show(y.spec.shape)}"
        raise ShapeError(f"cdist: expected [*, P, M] and [*, R, M], got {shapes}")
    if p == 2 and max(x.spec.shape[-2], y.spec.shape[-2]) > _MODES[compute_mode]:
        return _by_product(x, y)
    return p_norm(F.unsqueeze(x, -2) - F.unsqueeze(y, -3), p, -1, False)


def _by_product(x: Any, y: Any) -> Tensor:
    squares = [F.sum(t * t, -1, keepdim=True) for t in (x, y)]
    total = squares[0] + F.swapaxes(squares[1], -1, -2) - 2 * F.matmul(x, y, False, True)
    return F.sqrt(F.clip(total, 0.0))


@op("renorm(X -> Out) p:float axis:int max_norm:float", method=True, inplace=True)
def renorm(x: Tensor, p: float, axis: int, max_norm: float) -> Tensor:
    """The slices of ``x`` along ``axis``, those scaled down of which the ``p``-norm is more than ``max_norm``.

    Raises ShapeError for fewer than 2 dimensions, ValueError unless ``p`` and ``max_norm`` are positive.

    Example:
        >>> paddle.renorm(paddle.to_tensor([[3.0, 4.0], [0.3, 0.4]]), 2.0, 0, 1.0)          # [[0.6, 0.8], [0.3, 0.4]]
    """
    if p <= 0 or max_norm < 0:
        raise ArgumentError(f"renorm: p must be positive and max_norm not negative, got {p} and {max_norm}")
    return renorm.emit(x, p=float(p), axis=shape_rules.axis_index(axis, x.ndim, "renorm"), max_norm=float(max_norm))


@renorm.infer
def _(x: TensorSpec, p: float, axis: int, max_norm: float) -> TensorSpec:
    if x.dtype.kind != "f":
        raise DTypeError(f"renorm: expected a floating-point tensor, got {x.dtype.name}")
    if x.ndim < 2:
        raise ShapeError(f"renorm: expected at least 2 dimensions, got {show(x.shape)}")
    return x


_NOT_ZERO = 1e-7  # added to a norm before a division by it, as Paddle does


@renorm.kernel
def _(xp: ArrayModule, x: Array, p: float, axis: int, max_norm: float) -> Array:
    other_axes = tuple(i for i in range(x.ndim) if i != axis)
    return _shrunk(xp, x, p, max_norm, lambda powers: blocked_sum.total(powers, other_axes, True))


@renorm.specialize
def _(out: TensorSpec, x: TensorSpec, axis: int) -> Any:
    total = blocked_sum.adder(x.shape, x.dtype.np.char, tuple(i for i in range(x.ndim) if i != axis), True)
    return lambda x, p, max_norm: _shrunk(np, x, p, max_norm, total)


def _shrunk(xp: ArrayModule, x: Array, p: float, max_norm: float, total: Callable[[Any], Any]) -> Array:
    """`renorm`, whose sums ``total`` computes."""
    size = xp.sqrt(total(x * x)) if p == 2 else total(xp.abs(x) ** x.dtype.type(p)) ** x.dtype.type(1 / p)
    limit = operand(xp, max_norm, x.dtype)
    scale = limit / (size + operand(xp, _NOT_ZERO, x.dtype))
    scale[xp.logical_not(size > limit)] = 1
    return x * scale


@renorm.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, p = ctx.x, ctx.p
    other_axes = [i for i in range(x.ndim) if i != ctx.axis]
    size = F.abs(x)
    total = F.sum(F.pow(size, p), other_axes, keepdim=True)
    length = F.pow(total, 1 / p)
    long = length > ctx.max_norm
    scale = ctx.max_norm / (length + _NOT_ZERO)
    inner = F.sum(g * x, other_axes, keepdim=True)
    ones = F.ones_like(total)
    slope = F.sign(x) * F.pow(size, p - 1)
    slope = slope * F.pow(F.where(long, total, ones), 1 / p - 1)
    shrunk = g * scale - inner * scale / (length + _NOT_ZERO) * slope
    return F.where(F.expand_as(long, x), shrunk, g)


renorm.samples(
    lambda: [Sample(f32(2, 3), p=2.0, axis=0, max_norm=1.0), Sample(f32(2, 3, 2), p=3.0, axis=1, max_norm=20.0)]
)
