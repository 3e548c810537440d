"""Discrete Fourier transforms over several axes: complex to complex (c2c), real to complex (r2c) and complex to real (c2r).

Each function of ``paddle.fft`` calls one of these three, see `to_static.fft`. ``forward``: the sign of the exponent is negative.
``normalization``: 'backward' divides inverse transforms by the number of elements, 'forward' the forward ones, and 'ortho' divides
all by its root.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import operands
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import dimension_index, show
from to_static.compiler.ops.shapes.create import zeros
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType, as_dtype, complex64, complex128, float32, float64
from to_static.core.errors import ArgumentError, DTypeError, ShapeError

WIDE = {float32: complex64, float64: complex128}
NARROW = {complex_dtype: real_dtype for real_dtype, complex_dtype in WIDE.items()}
_OTHER = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def _check(x: TensorSpec, dtypes: Any, axes: Sequence[int], normalization: str, name: str) -> DType:
    """The dtype of the result; raises DTypeError, ShapeError or ValueError."""
    if x.dtype not in dtypes:
        raise DTypeError(f"{name}: expected {' or '.join(d.name for d in dtypes)}, got {x.dtype.name}")
    if normalization not in _OTHER:
        raise ArgumentError(f"{name}: norm must be 'forward', 'backward' or 'ortho', got {normalization!r}")
    if not axes:
        raise ShapeError(f"{name}: axes must name a dimension")
    if 0 in (x.shape[dimension_index(axis, x.ndim, name)] for axis in axes):
        raise ShapeError(f"{name}: there is no transform of no elements, the shape is {show(x.shape)}")
    return dtypes[x.dtype]


def _onesided_size(n: int) -> int:
    """Return the size of the one-sided transform of ``n`` real samples."""
    return UNKNOWN if n == UNKNOWN else n // 2 + 1


def _with(shape: tuple[int, ...], axis: int, n: int) -> tuple[int, ...]:
    return (*shape[:axis], n, *shape[axis + 1 :])


@op("fft_c2c(X -> Out) axes:longs normalization:str forward:bool", traits="complex_gradient")
def c2c(x: Tensor, axes: Any, normalization: str, forward: bool) -> Tensor:
    """Complex numbers to complex ones."""
    return c2c.emit(x, axes=tuple(axes), normalization=normalization, forward=bool(forward))


@c2c.infer
def _(x: TensorSpec, axes: tuple[int, ...], normalization: str, forward: bool) -> TensorSpec:
    _check(x, NARROW, axes, normalization, "fft")
    return x


@c2c.kernel
def _(xp: ArrayModule, x: Array, axes: tuple[int, ...], normalization: str, forward: bool) -> Any:
    transform = xp.fft.fftn if forward else xp.fft.ifftn
    return transform(x, axes=tuple(axes), norm=normalization).astype(x.dtype, copy=False)


@c2c.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return c2c(g, ctx.axes, _OTHER[ctx.normalization], not ctx.forward)


@op("fft_r2c(X -> Out) axes:longs normalization:str forward:bool onesided:bool", traits="complex_gradient")
def r2c(x: Tensor, axes: Any, normalization: str, forward: bool, onesided: bool) -> Tensor:
    """Real numbers to complex ones; ``onesided``: of the last axis the first half, from which the others follow."""
    attrs = {"normalization": normalization, "forward": bool(forward), "onesided": bool(onesided)}
    return r2c.emit(x, axes=tuple(axes), **attrs)


@r2c.infer
def _(x: TensorSpec, axes: Sequence[int], normalization: str, forward: bool, onesided: bool) -> TensorSpec:
    dtype = _check(x, WIDE, axes, normalization, "rfft")
    last = axes[-1]
    return TensorSpec(_with(x.shape, last, _onesided_size(x.shape[last])) if onesided else x.shape, dtype)


@r2c.kernel
def _(xp: ArrayModule, x: Array, axes: Sequence[int], normalization: str, forward: bool, onesided: bool) -> Any:
    dtype = WIDE[as_dtype(x.dtype)].np
    if not onesided:
        transform = xp.fft.fftn if forward else xp.fft.ifftn
        return transform(x, axes=tuple(axes), norm=normalization).astype(dtype, copy=False)
    if forward:
        return xp.fft.rfftn(x, axes=tuple(axes), norm=normalization).astype(dtype, copy=False)
    # of real numbers the transform with the other sign is the conjugate
    return xp.conj(xp.fft.rfftn(x, axes=tuple(axes), norm=_OTHER[normalization])).astype(dtype, copy=False)


@r2c.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    if ctx.onesided:  # the half that is not there has no gradient
        last = ctx.axes[-1]
        n = ctx.x.spec.shape[last]
        missing_count = (F.dim_size(ctx.x, last) if n == UNKNOWN else n) - g.shape[last]
        missing = zeros(list(_with(g.shape, last, missing_count)), g.dtype)
        g = F.concat([g, missing], last)
    return F.real(c2c(g, ctx.axes, _OTHER[ctx.normalization], not ctx.forward))


@op("fft_c2r(X -> Out) axes:longs normalization:str forward:bool last_dim_size:long", traits="complex_gradient check_shapes")
def c2r(x: Tensor, axes: Any, normalization: str, forward: bool, last_dim_size: int) -> Tensor:
    """Complex numbers, of the last axis the first half, to real ones; ``last_dim_size``: how many, 0 for an even number."""
    attrs = {"normalization": normalization, "forward": bool(forward), "last_dim_size": int(last_dim_size)}
    return c2r.emit(x, axes=tuple(axes), **attrs)


@c2r.infer
def _(x: TensorSpec, axes: tuple[int, ...], normalization: str, forward: bool, last_dim_size: int) -> TensorSpec:
    dtype = _check(x, NARROW, axes, normalization, "irfft")
    have = x.shape[axes[-1]]
    n = last_dim_size or (UNKNOWN if have == UNKNOWN else 2 * (have - 1))
    if n < 1 and n != UNKNOWN:
        raise ShapeError(f"irfft: one element gives none; give n, the shape is {show(x.shape)}")
    if have not in (UNKNOWN, n // 2 + 1) and n != UNKNOWN:
        raise ShapeError(f"irfft: {n} numbers come of {n // 2 + 1}, dimension {axes[-1]} of {show(x.shape)} has {have}")
    return TensorSpec(_with(x.shape, axes[-1], n), dtype)


@c2r.kernel
def _(xp: ArrayModule, x: Array, axes: tuple[int, ...], normalization: str, forward: bool, last_dim_size: int) -> Any:
    sizes = [x.shape[axis] for axis in axes]
    sizes[-1] = last_dim_size or 2 * (sizes[-1] - 1)
    x, normalization = (xp.conj(x), _OTHER[normalization]) if forward else (x, normalization)
    signal = xp.fft.irfftn(x, s=sizes, axes=tuple(axes), norm=normalization)
    return signal.astype(NARROW[as_dtype(x.dtype)].np, copy=False)


@c2r.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    last, n = ctx.axes[-1], ctx.out.spec.shape[ctx.axes[-1]]
    if n == UNKNOWN:
        raise ShapeError(f"irfft: the gradient needs dimension {last} to be known when the Program is built")
    gx = r2c(g, ctx.axes, _OTHER[ctx.normalization], not ctx.forward, True)
    times = np.full(n // 2 + 1, 2.0)  # each element but these stands for two
    times[0] = 1
    if n % 2 == 0:
        times[-1] = 1
    shape = [-1 if i == last else 1 for i in range(g.ndim)]
    return gx * F.cast(F.reshape(operands.constant(times, float64), shape), gx.dtype)


def _complex(*shape: int) -> np.ndarray:
    return (f32(*shape) + 1j * f32(*shape, seed=1)).astype("complex64")


c2c.samples(
    lambda: [
        Sample(_complex(5), axes=(0,), normalization="backward", forward=True, rtol=1e-4),
        Sample(_complex(2, 3, 4), axes=(0, 2), normalization="ortho", forward=False, rtol=1e-4),
    ]
)
r2c.samples(
    lambda: [
        Sample(f32(5), axes=(0,), normalization="backward", forward=True, onesided=True, rtol=1e-4),
        Sample(f32(2, 4), axes=(0, 1), normalization="forward", forward=False, onesided=True, rtol=1e-4),
        Sample(f32(2, 4), axes=(1,), normalization="ortho", forward=True, onesided=False, rtol=1e-4),
    ]
)
c2r.samples(
    lambda: [
        Sample(_complex(3), axes=(0,), normalization="backward", forward=False, last_dim_size=0, rtol=1e-4),
        Sample(_complex(2, 3), axes=(0, 1), normalization="ortho", forward=True, last_dim_size=5, rtol=1e-4),
    ]
)
