"""Tensors from nothing or from the shape of another: to_tensor, full, zeros, ones, arange and friends; cast."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.core.dtypes import as_dtype
from to_static.ir.opdef import Sample, method, op
from to_static.ir.spec import TensorSpec


@op("cast(X -> Out) dtype=out_dtype:dtype", traits="elementwise", method=True)
def cast(x: Any, dtype: Any) -> Any:
    """``x`` converted to ``dtype``; gradients flow between floating types.

    Example:
        >>> paddle.cast(x, 'int64')
    """
    dtype = as_dtype(dtype)
    return x if x.dtype is dtype else cast.emit(x, dtype=dtype)


@cast.infer
def _(x: TensorSpec, dtype: Any) -> TensorSpec:
    return x.with_dtype(dtype)


@cast.kernel
def _(xp: Any, x: Any, dtype: Any) -> Any:
    return x.astype(dtype.np)


@cast.grad
def _(ctx: Any, g: Any) -> Any:
    return cast(g, ctx.x.dtype)


cast.samples(lambda: [Sample(np.asarray([1.5, -2.0], "float32"), dtype=as_dtype("int64"))])
method("astype")(cast)


@op("full_like(X -> Out) value:float dtype:dtype", file="fill_any_like", traits="nodiff")
def full_like(x: Any, fill_value: Any, dtype: Any = None, name: Any = None) -> Any:
    """A tensor shaped as ``x`` filled with a number; dtype of ``x`` unless given."""
    return full_like.emit(x, value=fill_value, dtype=x.dtype if dtype is None else as_dtype(dtype))


@full_like.infer
def _(x: TensorSpec, value: Any, dtype: Any) -> TensorSpec:
    return x.with_dtype(dtype)


@full_like.kernel
def _(xp: Any, x: Any, value: Any, dtype: Any, out: Any = None) -> Any:
    if out is None:
        return xp.full(x.shape, value, dtype.np)
    out[...] = value
    return out


full_like.samples(lambda: [Sample(np.ones((2, 3), "float32"), value=1.5, dtype=as_dtype("float32"))])


def zeros_like(x: Any, dtype: Any = None, name: Any = None) -> Any:
    """Zeros shaped as ``x``."""
    return full_like(x, 0, dtype)


def ones_like(x: Any, dtype: Any = None, name: Any = None) -> Any:
    """Ones shaped as ``x``."""
    return full_like(x, 1, dtype)


method()(zeros_like)
method()(ones_like)
