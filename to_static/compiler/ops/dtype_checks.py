"""Checks of operands' dtypes, which raise DTypeError; shape rules call them. `gradient_traits`: traits that follow from dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.core.dtypes import DType, default_dtype
from to_static.core.errors import DTypeError


def gradient_traits(grad: Callable[..., Any] | None, dtype_kinds: str) -> str:
    """Return the traits about gradients: "nodiff" without a gradient rule, "integral" if integers have gradients."""
    return "nodiff" if grad is None else "integral" if "i" in dtype_kinds else ""


def two_dtypes(name: str, a: DType, b: DType) -> DTypeError:
    """Return the error for tensors of two dtypes. It says to convert one to the default dtype, or else to the wider float."""
    wanted = b if (b is default_dtype(), b.kind in "fc", b.itemsize) > (a is default_dtype(), a.kind in "fc", a.itemsize) else a
    which = "the first" if wanted is b else "the second"
    return DTypeError(
        f"{name}: expected two tensors of one dtype, such as inputs and weights, got {a.name} and {b.name}; convert {which}: "
        f"`.astype({wanted.name!r})`"
    )


def need_one_dtype(
    name: str, x: Tensor | TensorSpec, *operands: Tensor | TensorSpec | float | None, promotable_kinds: str = ""
) -> None:
    """Raise DTypeError if a tensor of ``operands`` has another dtype than ``x``: Paddle's kernels refuse it.

    ``promotable_kinds``: the kinds of dtypes that may differ, because the result has the wider one: 'fc' (floating and complex), or
    'c' (one of the two is complex). Python numbers and None fit any dtype; a spec stands for its tensor.
    """
    if not isinstance(x, (Tensor, TensorSpec)) or getattr(x, "python_type", None) is not None:
        return
    for operand in operands:
        if not isinstance(operand, (Tensor, TensorSpec)) or operand.dtype is x.dtype:
            continue
        a, b = x.dtype, operand.dtype
        widens = a.kind in "fc" and b.kind in "fc" and bool({a.kind, b.kind} & {*promotable_kinds})
        if getattr(operand, "python_type", None) is None and not widens:
            raise two_dtypes(name, a, b)


def need_integer(x: Tensor | TensorSpec, what: str) -> None:
    """Raise DTypeError if the tensor ``x``, called ``what`` in the message, is not of an integer dtype."""
    if not x.dtype.is_integer:
        raise DTypeError(f"{what} must be integers, `.astype('int64')`, got {x.dtype.name}")


def need_order(x: TensorSpec, name: str) -> TensorSpec:
    """Return the spec itself; raises DTypeError for complex dtypes, which have no order."""
    if x.dtype.kind == "c":
        raise DTypeError(f"{name}: complex numbers have no order; take x.real(), x.imag() or x.abs()")
    return x


def need_float(x: TensorSpec, name: str) -> TensorSpec:
    """Return the spec itself; raises DTypeError if its dtype is not floating or complex."""
    if not x.dtype.is_floating:
        raise DTypeError(
            f"{name}: expected a floating-point tensor, got {x.dtype.name}; convert it with x.astype('float32')"
        )
    return x
