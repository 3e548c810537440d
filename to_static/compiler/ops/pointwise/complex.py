"""Complex tensors: composed of real ones, and their real and imaginary parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import operands, shape_rules, traced_values
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType, as_dtype, complex64, complex128, float32, float64
from to_static.core.errors import DTypeError, ShapeError

_WIDE = {float32: complex64, float64: complex128}
_NARROW = {complex_dtype: real_dtype for real_dtype, complex_dtype in _WIDE.items()}


def _need(x: TensorSpec, dtype_kinds: Any, name: str) -> DType:
    """The dtype that belongs to that of ``x``; raises DTypeError."""
    if x.dtype not in dtype_kinds:
        raise DTypeError(f"{name}: expected {' or '.join(d.name for d in dtype_kinds)}, got {x.dtype.name}")
    return dtype_kinds[x.dtype]


@op("as_complex(X -> Out)", method=True, traits="alias complex_gradient check_shapes view")
def as_complex(x: Tensor, name: str | None = None) -> Tensor:
    """Pairs in the last dimension, ``[..., 2]``, as complex numbers ``[...]``. Raises ShapeError, or DTypeError for no floats.

    ``x``: float32 gives complex64, float64 gives complex128.

    Example:
        >>> paddle.as_complex(paddle.to_tensor([[1.0, 2.0]]))          # 1 + 2j
    """
    return as_complex.emit(x)


@as_complex.infer
def _(x: TensorSpec) -> TensorSpec:
    dtype = _need(x, _WIDE, "as_complex")
    if not x.ndim or x.shape[-1] not in (2, UNKNOWN):
        raise ShapeError(f"as_complex: the last dimension must be 2, got {show(x.shape)}")
    return TensorSpec(x.shape[:-1], dtype)


@as_complex.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    pairs = x if x.flags.c_contiguous else xp.ascontiguousarray(x)
    return pairs.view(_WIDE[as_dtype(x.dtype)].np)[..., 0]


@as_complex.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return as_real(g)


@as_complex.view_inverse
def _(ctx: GradContext, value: Any, k: int) -> Any:
    return as_real(value)


@op("as_real(X -> Out)", method=True, traits="alias complex_gradient view")
def as_real(x: Tensor, name: str | None = None) -> Tensor:
    """Complex numbers ``[...]`` as pairs ``[..., 2]``. Raises DTypeError for tensors that are not complex.

    ``x``: complex64 gives float32, complex128 gives float64. The result shares memory with ``x``.

    Example:
        >>> paddle.as_real(paddle.to_tensor([1 + 2j])).tolist()
        [[1.0, 2.0]]
    """
    return as_real.emit(x)


@as_real.infer
def _(x: TensorSpec) -> TensorSpec:
    return TensorSpec((*x.shape, 2), _need(x, _NARROW, "as_real"))


@as_real.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    contiguous = x if x.flags.c_contiguous else xp.ascontiguousarray(x)
    return contiguous.reshape((*x.shape, 1)).view(_NARROW[as_dtype(x.dtype)].np)


@as_real.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return as_complex(g)


@as_real.view_inverse
def _(ctx: GradContext, value: Any, k: int) -> Any:
    return as_complex(value)


@op("complex(X, Y -> Out)", file="complex", traits="elementwise complex_gradient")
def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """Complex numbers of real and imaginary parts, which broadcast. Raises DTypeError unless both are floats of one dtype.

    ``real``, ``imag``: float32 gives complex64, float64 gives complex128.

    Example:
        >>> paddle.complex(paddle.to_tensor([1.0]), paddle.to_tensor([2.0])).tolist()
        [(1+2j)]
    """
    return complex.emit(operands.tensor(real), operands.tensor(imag))


@complex.infer
def _(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    dtype = _need(x, _WIDE, "complex")
    if y.dtype is not x.dtype:
        raise DTypeError(f"complex: expected parts of one dtype, got {x.dtype.name} and {y.dtype.name}")
    return TensorSpec(shape_rules.broadcast(x.shape, y.shape, "complex"), dtype)


@complex.kernel
def _(xp: ArrayModule, x: Array, y: Array) -> Array:
    value = xp.empty(np.broadcast_shapes(x.shape, y.shape), _WIDE[as_dtype(x.dtype)].np)
    value.real[...], value.imag[...] = x, y  # x + 1j * y is nan where y is infinite
    return value


@complex.may_raise
def _(x: Any, y: Any) -> bool:
    return traced_values.may_not_broadcast(x, y)


@complex.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, y = ctx.inputs
    return shape_rules.unbroadcast(real(g), x), shape_rules.unbroadcast(imag(g), y)


def _part(name: str, doc: str, take: Callable[..., Any], combine: Callable[..., Any]) -> Any:
    """``combine`` makes complex numbers of such a part and the other one."""

    def front_function(x: Any, name: str | None = None) -> Tensor:
        return front.emit(x)

    front_function.__name__ = front_function.__qualname__ = name
    front_function.__doc__ = f"""{doc} They share memory with ``x``.

    ``x``: complex64 gives float32, complex128 gives float64. Raises DTypeError for tensors that are not complex.

    Example:
        >>> paddle.{name}(paddle.to_tensor([1 + 2j])).tolist()
        [{1.0 if name == "real" else 2.0}]
    """
    front: Any = op(f"{name}(X -> Out)", traits="alias elementwise complex_gradient view", method=True)(front_function)

    @front.infer
    def infer(x: TensorSpec) -> TensorSpec:
        return x.with_dtype(_need(x, _NARROW, name))

    @front.kernel
    def kernel(xp: ArrayModule, x: Array) -> Array:
        return take(x)

    @front.grad
    def grad(ctx: GradContext, g: Tensor) -> Any:
        return combine(g, F.zeros_like(g))

    @front.view_inverse
    def put(ctx: GradContext, value: Any, k: int) -> Any:
        return combine(value, (imag if name == "real" else real)(ctx.x))

    front.samples(lambda: [Sample((f32(2, 3) + 1j * f32(2, 3, seed=1)).astype("complex64"))])
    return front


real = _part("real", "The real parts.", lambda x: x.real, lambda part, counterpart: complex(part, counterpart))
imag = _part("imag", "The imaginary parts.", lambda x: x.imag, lambda part, counterpart: complex(counterpart, part))


@op("conj(X -> Out)", traits="elementwise complex_gradient", method=True)
def conj(x: Tensor, name: str | None = None) -> Tensor:
    """The complex conjugates; real tensors as they are.

    ``x``: of any shape and dtype; the result has both.

    Example:
        >>> paddle.conj(paddle.to_tensor([1 + 2j])).tolist()
        [(1-2j)]
    """
    return conj.emit(x)


@conj.infer
def _(x: TensorSpec) -> TensorSpec:
    return x


@conj.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    return xp.conj(x) if x.dtype.kind == "c" else x.copy()


@conj.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return conj(g)


@method()
def angle(x: Tensor, name: str | None = None) -> Tensor:
    """The angles of complex numbers, between -pi and pi; of real ones 0 or pi.

    ``x``: numbers; the result has its shape and is real.

    Example:
        >>> paddle.angle(paddle.to_tensor([1j]))          # pi / 2
    """
    if x.dtype.kind == "c":
        return F.atan2(imag(x), real(x))
    return F.where(x < 0, F.full_like(x, np.pi), F.zeros_like(x))


@method()
def sgn(x: Tensor, name: str | None = None) -> Tensor:
    """The complex numbers of length 1 with the angles of ``x`` (0 for 0); of real numbers the `sign`.

    Example:
        >>> paddle.sgn(paddle.to_tensor([3 + 4j]))          # 0.6 + 0.8j
    """
    if x.dtype.kind != "c":
        return F.sign(x)
    size = F.abs(x)
    size = F.where(size == 0, F.ones_like(size), size)
    return complex(real(x) / size, imag(x) / size)


@method()
def polar(abs: Any, angle: Any, name: str | None = None) -> Tensor:
    """The complex numbers of these lengths and angles, which broadcast.

    ``abs``, ``angle``: floats of one dtype.

    Example:
        >>> paddle.polar(paddle.to_tensor([2.0]), paddle.to_tensor([0.0]))          # 2 + 0j
    """
    return complex(abs * F.cos(angle), abs * F.sin(angle))


as_complex.samples(lambda: [Sample(f32(3, 2)), Sample(f32(2))])
as_real.samples(lambda: [Sample((f32(2, 3) + 1j * f32(2, 3, seed=1)).astype("complex64"))])
complex.samples(lambda: [Sample(f32(2, 3), f32(2, 3, seed=1)), Sample(f32(2, 3), f32(3, seed=1))])
conj.samples(lambda: [Sample((f32(2, 3) + 1j * f32(2, 3, seed=1)).astype("complex64")), Sample(f32(3))])
