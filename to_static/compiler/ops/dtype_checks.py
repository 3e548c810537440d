"""Checks that raise DTypeError, and the traits that follow from the dtypes of an operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.core.dtypes import DType, default_dtype
from to_static.core.errors import DTypeError


def gradient_traits(grad: Callable[..., Any] | None, dtype_kinds: str) -> str:
    """Traits that say which results have a gradient: none without a rule, those of integers too where these are taken."""
    return "nodiff" if grad is None else "integral" if "i" in dtype_kinds else ""


def two_dtypes(name: str, a: DType, b: DType) -> DTypeError:
    """The error for tensors of two dtypes: it says to convert to the default dtype where one has it, else to the wider float."""
    wanted = b if (b is default_dtype(), b.kind in "fc", b.itemsize) > (a is default_dtype(), a.kind in "fc", a.itemsize) else a
    which = "the first" if wanted is b else "the second"
    return DTypeError(
        f"{name}: expected two tensors of one dtype, such as inputs and weights, got {a.name} and {b.name}; convert {which}: "
        f"`.astype({wanted.name!r})`"
    )


def need_one_dtype(
    name: str, x: Tensor | TensorSpec, *others: Tensor | TensorSpec | float | None, wide: str = ""
) -> None:
    """Raise DTypeError where tensors are not of the dtype of ``x``: Paddle's kernels refuse them, and a conversion would be silent.

    ``wide``: in which the result is of the wider one: 'fc', floating and complex ones, or 'c', only where one is complex.
    Numbers, and None, are of any dtype; specs are taken for their tensors.
    """
    if not isinstance(x, (Tensor, TensorSpec)) or getattr(x, "python_type", None) is not None:
        return
    for other in others:
        if not isinstance(other, (Tensor, TensorSpec)) or other.dtype is x.dtype:
            continue
        a, b = x.dtype, other.dtype
        widens = a.kind in "fc" and b.kind in "fc" and bool({a.kind, b.kind} & {*wide})
        if getattr(other, "python_type", None) is None and not widens:
            raise two_dtypes(name, a, b)


def need_integer(x: Tensor | TensorSpec, what: str) -> None:
    """Raise DTypeError where ``what`` is a tensor of anything but whole numbers."""
    if not x.dtype.is_integer:
        raise DTypeError(f"{what} must be integers, `.astype('int64')`, got {x.dtype.name}")


def need_order(x: TensorSpec, name: str) -> TensorSpec:
    """The spec itself; raises DTypeError for complex numbers, none of which is larger than another."""
    if x.dtype.kind == "c":
        raise DTypeError(f"{name}: complex numbers have no order; take x.real(), x.imag() or x.abs()")
    return x


def need_float(x: TensorSpec, name: str) -> TensorSpec:
    """The spec itself; raises DTypeError when its dtype is not floating or complex."""
    if not x.dtype.is_floating:
        raise DTypeError(
            f"{name}: expected a floating-point tensor, got {x.dtype.name}; convert it with x.astype('float32')"
        )
    return x
