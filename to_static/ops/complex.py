"""Complex tensors: made of real ones, and taken apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.core.dtypes import as_dtype, complex64, complex128, float32, float64
from to_static.core.errors import DTypeError, ShapeError
from to_static.ir.opdef import Sample, method, op
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN, TensorSpec
from to_static.ops import rules
from to_static.ops.elementwise import f32

_WIDE = {float32: complex64, float64: complex128}
_NARROW = {wide: narrow for narrow, wide in _WIDE.items()}


def _need(x: TensorSpec, kinds: Any, name: str) -> Any:
    """The dtype that belongs to that of ``x``; raises DTypeError."""
    if x.dtype not in kinds:
        raise DTypeError(f"{name}: expected {' or '.join(d.name for d in kinds)}, got {x.dtype.name}")
    return kinds[x.dtype]


@op("as_complex(X -> Out)", method=True, traits="strict")
def as_complex(x: Any, name: Any = None) -> Any:
    """Pairs in the last dimension, ``[..., 2]``, as complex numbers ``[...]``. Raises ShapeError, or DTypeError for no floats.

    Example:
        >>> paddle.as_complex(paddle.to_tensor([[1.0, 2.0]]))          # 1 + 2j
    """
    return as_complex.emit(x)


@as_complex.infer
def _(x: TensorSpec) -> TensorSpec:
    dtype = _need(x, _WIDE, "as_complex")
    if not x.ndim or x.shape[-1] not in (2, UNKNOWN):
        raise ShapeError(f"as_complex: the last dimension must be 2, got {rules.show(x.shape)}")
    return TensorSpec(x.shape[:-1], dtype)


@as_complex.kernel
def _(xp: Any, x: Any) -> Any:
    return (x[..., 0] + 1j * x[..., 1]).astype(_WIDE[as_dtype(x.dtype)].np, copy=False)


@as_complex.grad
def _(ctx: Any, g: Any) -> Any:
    return as_real(g)


@op("as_real(X -> Out)", method=True)
def as_real(x: Any, name: Any = None) -> Any:
    """Complex numbers ``[...]`` as pairs ``[..., 2]``. Raises DTypeError for tensors that are not complex."""
    return as_real.emit(x)


@as_real.infer
def _(x: TensorSpec) -> TensorSpec:
    return TensorSpec((*x.shape, 2), _need(x, _NARROW, "as_real"))


@as_real.kernel
def _(xp: Any, x: Any) -> Any:
    return xp.stack([x.real, x.imag], -1)


@as_real.grad
def _(ctx: Any, g: Any) -> Any:
    return as_complex(g)


@op("complex(X, Y -> Out)", file="complex", traits="elementwise")
def complex(real: Any, imag: Any, name: Any = None) -> Any:
    """Complex numbers of real and imaginary parts, which broadcast. Raises DTypeError unless both are floats of one dtype."""
    return complex.emit(rules.tensor(real), rules.tensor(imag))


@complex.infer
def _(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    dtype = _need(x, _WIDE, "complex")
    if y.dtype is not x.dtype:
        raise DTypeError(f"complex: expected parts of one dtype, got {x.dtype.name} and {y.dtype.name}")
    return TensorSpec(rules.broadcast(x.shape, y.shape, "complex"), dtype)


@complex.kernel
def _(xp: Any, x: Any, y: Any) -> Any:
    return xp.asarray(x + 1j * y).astype(_WIDE[as_dtype(x.dtype)].np, copy=False)


@complex.fails
def _(x: Any, y: Any) -> bool:
    return rules.may_differ(x, y)


@complex.grad
def _(ctx: Any, g: Any) -> Any:
    x, y = ctx.inputs
    return rules.unbroadcast(real(g), x), rules.unbroadcast(imag(g), y)


def _part(name: str, doc: str, take: Any, back: Any) -> Any:
    def front_function(x: Any, name: Any = None) -> Any:
        return front.emit(x)

    front_function.__name__ = front_function.__qualname__ = name
    front_function.__doc__ = f"{doc} Raises DTypeError for tensors that are not complex."
    front: Any = op(f"{name}(X -> Out)", traits="elementwise", method=True)(front_function)

    @front.infer
    def infer(x: TensorSpec) -> TensorSpec:
        return x.with_dtype(_need(x, _NARROW, name))

    @front.kernel
    def kernel(xp: Any, x: Any) -> Any:
        return take(xp, x)

    @front.grad
    def grad(ctx: Any, g: Any) -> Any:
        return back(ctx, g)

    front.samples(lambda: [Sample((f32(2, 3) + 1j * f32(2, 3, seed=1)).astype("complex64"))])
    return front


def _zeros(g: Any) -> Any:
    return FUNCTIONS["zeros_like"](g)


real = _part("real", "The real parts.", lambda xp, x: x.real.copy(), lambda ctx, g: complex(g, _zeros(g)))
imag = _part("imag", "The imaginary parts.", lambda xp, x: x.imag.copy(), lambda ctx, g: complex(_zeros(g), g))


@op("conj(X -> Out)", traits="elementwise", method=True)
def conj(x: Any, name: Any = None) -> Any:
    """The complex conjugates; real tensors as they are."""
    return conj.emit(x)


@conj.infer
def _(x: TensorSpec) -> TensorSpec:
    return x


@conj.kernel
def _(xp: Any, x: Any) -> Any:
    return xp.conj(x) if x.dtype.kind == "c" else x.copy()


@conj.grad
def _(ctx: Any, g: Any) -> Any:
    return conj(g)


@method()
def angle(x: Any, name: Any = None) -> Any:
    """The angles of complex numbers, between -pi and pi; of real ones 0 or pi.

    Example:
        >>> paddle.angle(paddle.to_tensor([1j]))          # pi / 2
    """
    if x.dtype.kind == "c":
        return FUNCTIONS["atan2"](imag(x), real(x))
    return FUNCTIONS["where"](x < 0, FUNCTIONS["full_like"](x, np.pi), _zeros(x))


as_complex.samples(lambda: [Sample(f32(3, 2)), Sample(f32(2))])
as_real.samples(lambda: [Sample((f32(2, 3) + 1j * f32(2, 3, seed=1)).astype("complex64"))])
complex.samples(lambda: [Sample(f32(2, 3), f32(2, 3, seed=1)), Sample(f32(2, 3), f32(3, seed=1))])
conj.samples(lambda: [Sample((f32(2, 3) + 1j * f32(2, 3, seed=1)).astype("complex64")), Sample(f32(3))])
