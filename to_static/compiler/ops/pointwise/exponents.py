"""Mantissas and exponents of floating-point numbers: frexp, ldexp, nextafter."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, method, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, operands, shape_rules, traced_values
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import default_dtype, float64
from to_static.core.errors import DTypeError


@method()
def frexp(x: Tensor, name: str | None = None) -> tuple[Tensor, ...]:
    """``x`` as ``mantissa * 2 ** exponent`` with ``0.5 <= |mantissa| < 1``; of 0 both are 0.

    Both have the dtype of ``x``. Raises DTypeError unless that is float32 or float64.

    Example:
        >>> mantissa, exponent = paddle.tensor.math.frexp(paddle.to_tensor([12.0]))          # 0.75, 4
    """
    if x.dtype.name not in ("float32", "float64"):
        raise DTypeError(f"frexp: expected float32 or float64, got {x.dtype.name}")
    exponent = frexp_exponent.emit(x)
    # in two steps, so that the power of neither overflows
    half_exponent = F.floor(exponent / 2)
    return x / _power(half_exponent) / _power(exponent - half_exponent), exponent


def _power(exponent: Any) -> Tensor:
    return F.pow(F.full_like(exponent, 2), exponent)


@op("frexp_exponent(X -> Out)", file=None, traits="elementwise nodiff")
def frexp_exponent(x: Tensor) -> Any:
    """The exponents of `frexp`, in the dtype of ``x``."""
    return frexp_exponent.emit(x)


@frexp_exponent.infer
def _(x: TensorSpec) -> TensorSpec:
    return dtype_checks.need_float(x, "frexp")


@frexp_exponent.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    return xp.frexp(x)[1].astype(x.dtype)


frexp_exponent.samples(lambda: [Sample(f32(2, 3)), Sample(np.asarray([0.0, 12.0, -0.25], "float32"))])


@method(inplace=True)
def ldexp(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """``x * 2 ** y``, elementwise with broadcasting: float64 when either is, else the default float.

    Example:
        >>> paddle.ldexp(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3, 4])).tolist()
        [8.0, 32.0]
    """
    dtype = float64 if float64 in (x.dtype, y.dtype) else default_dtype()
    return F.cast(x, dtype) * _power(F.cast(y, dtype))


@op("nextafter(x, y -> out)", traits="elementwise nodiff", method=True)
def nextafter(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """The floating-point numbers next to ``x`` on the way to ``y``, elementwise with broadcasting.

    Example:
        >>> paddle.nextafter(paddle.to_tensor([1.0]), paddle.to_tensor([2.0]))          # 1.00000012
    """
    x, y = operands.binary_operands(x, y, "nextafter")
    return nextafter.emit(x, y)


@nextafter.infer
def _(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    if x.dtype.kind != "f":
        raise DTypeError(f"nextafter: expected a floating-point tensor, got {x.dtype.name}")
    return x.with_shape(shape_rules.broadcast(x.shape, y.shape, "nextafter"))


@nextafter.kernel
def _(xp: ArrayModule, x: Array, y: Array, out: Array | None = None) -> Array:
    return xp.nextafter(x, y, out)


@nextafter.may_raise
def _(x: Any, y: Any) -> bool:
    return traced_values.may_not_broadcast(x, y)


nextafter.samples(lambda: [Sample(f32(2, 3), f32(3, seed=1))])
