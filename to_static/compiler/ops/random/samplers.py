"""Samples whose parameters are tensors (poisson, rrelu's slopes), and in-place sampling: exponential_, cauchy_, geometric_."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, operands
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.kernel_scalar import operand
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.random.random import generator, uniform
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError


@op("poisson(X -> Out)", traits="random")
def poisson(x: Tensor, name: str | None = None) -> Tensor:
    """Counts drawn from the Poisson distributions whose rates are the elements of ``x``, in its dtype.

    The gradient is 0. Raises ValueError for a negative rate.

    Example:
        >>> paddle.poisson(paddle.to_tensor([0.0, 3.0]))
    """
    return poisson.emit(x)


@poisson.infer
def _(x: TensorSpec) -> TensorSpec:
    return dtype_checks.need_float(x, "poisson")


@poisson.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    if bool((x < 0).any()):
        raise ArgumentError("poisson: the rates must not be negative")
    return generator(xp).poisson(x)


@poisson.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return F.zeros_like(g)


poisson.samples(lambda: [Sample(f32(2, 3, low=0, high=3), grad=())])


@op("rrelu(X -> Out, Noise?) lower:float upper:float is_test:bool", traits="random")
def random_slope(x: Tensor, lower: float, upper: float, is_test: bool = False) -> tuple[Tensor, ...]:
    """``x``, negative numbers times a slope drawn from ``[lower, upper)`` (the mean of these where ``is_test``), and the slopes."""
    return random_slope.emit(x, lower=float(lower), upper=float(upper), is_test=bool(is_test))


@random_slope.infer
def _(x: TensorSpec, lower: float, upper: float, is_test: bool) -> tuple[TensorSpec, ...]:
    dtype_checks.need_float(x, "rrelu")
    return x, x


@random_slope.kernel
def _(xp: ArrayModule, x: Array, lower: float, upper: float, is_test: bool) -> tuple[Array, ...]:
    slopes, below = xp.ones_like(x), x < 0
    if is_test:
        slopes[below] = (lower + upper) / 2
    else:  # numbers are drawn for negative ones only
        slopes[below] = generator(xp).uniform((int(below.sum()),), np.float32, lower, upper).astype(x.dtype)
    return x * slopes, slopes


@random_slope.grad
def _(ctx: GradContext, g: Tensor, unused: Any) -> Any:
    return g * ctx.outputs[1]


random_slope.samples(
    lambda: [
        Sample(f32(2, 3), lower=0.25, upper=0.25, is_test=False),
        Sample(f32(2, 3), lower=0.1, upper=0.3, is_test=True),
        Sample(f32(2, 3), lower=0.1, upper=0.3, is_test=False, grad=()),
    ]
)


def _open(x: Any) -> Tensor:
    """Numbers drawn evenly from (0, 1), shaped as ``x``."""
    return uniform(x.shape, x.dtype, float(np.finfo(x.dtype.np).tiny), 1.0)


@method()
def exponential_(x: Tensor, lam: float = 1.0, name: str | None = None) -> Tensor:
    """Fill ``x`` with numbers drawn from the exponential distribution of rate ``lam``; it may be a leaf, whose gradient is 0."""
    rate = float(np.float32(lam))  # as Paddle's kernel gets it
    drawn = F.log(1 - uniform(x.shape, x.dtype, 0.0, 1.0)) * (-1 / rate)
    if not x.stop_gradient and mode.grad_enabled():
        drawn = F.where(F.zeros_like(x) != 0, x, drawn)
    return x._take(drawn)


@method()
def cauchy_(x: Tensor, loc: Any = 0, scale: Any = 1, name: str | None = None) -> Any:
    """Fill ``x`` with numbers drawn from the Cauchy distribution of centre ``loc`` and width ``scale``.

    ``x``: floats. Returns ``x``.

    Example:
        >>> paddle.cauchy_(paddle.zeros([2, 3])).shape
        [2, 3]
    """
    return x._become(F.tan((_open(x) - 0.5) * math.pi) * scale + loc)


@method()
def geometric_(x: Tensor, probs: Any, name: str | None = None) -> Any:
    """Fill ``x`` with ``log(u) / log(1 - probs)`` for u drawn evenly: the geometric distribution, not rounded, as in Paddle.

    ``x``: floats. Returns ``x``.

    Example:
        >>> paddle.geometric_(paddle.zeros([2, 3]), 0.5).shape
        [2, 3]
    """
    rate = F.log1p(-F.cast(operands.tensor(probs, x), x.dtype))
    return x._become(F.log(_open(x)) / rate)


@op("gumbel_quantile(X -> Out)", file=None, traits="elementwise nodiff")
def gumbel_quantile(x: Tensor) -> Tensor:
    """Numbers of the standard Gumbel distribution from numbers drawn evenly from [0, 1), of which Paddle uses 1e-5 and above."""
    return gumbel_quantile.emit(x)


@gumbel_quantile.infer
def _(x: TensorSpec) -> TensorSpec:
    return dtype_checks.need_float(x, "gumbel_quantile")


@gumbel_quantile.kernel
def _(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    rate, low, high = _gumbel_limits(xp, x.dtype)
    return _gumbel(xp, x, rate, low, high, out)


def _below_one(dtype: np.dtype) -> float:
    """The largest number below 1, which a sum may not exceed by rounding."""
    return float(1 - np.finfo(dtype).epsneg)


def _gumbel_limits(xp: ArrayModule, dtype: np.dtype) -> list[Any]:
    return [operand(xp, v, dtype) for v in (1 - 1e-5, 1e-5, _below_one(dtype))]


def _gumbel(xp: ArrayModule, x: Array, rate: Array, low: Array, high: Array, out: Array | None = None) -> Array:
    y = xp.asarray(xp.multiply(x, rate, out))
    xp.add(y, low, y)
    xp.minimum(y, high, out=y)
    for _ in range(2):
        xp.log(y, y)
        xp.negative(y, y)
    return y


@gumbel_quantile.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    rate, low, high = _gumbel_limits(np, x.dtype.np)
    return lambda x: _gumbel(np, x, rate, low, high)


@gumbel_quantile.composition
def _(x: Tensor) -> Tensor:
    return -F.log(-F.log(F.clip(x * (1 - 1e-5) + 1e-5, max=_below_one(x.dtype.np))))


gumbel_quantile.samples(lambda: [Sample(f32(2, 3, low=0, high=1), grad=())])
