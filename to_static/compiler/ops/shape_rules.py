"""Building blocks of shape rules: broadcasting, axes, reduced shapes, and the text of a shape in messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import static_arguments, traced_values
from to_static.core.dtypes import DType, bool_
from to_static.core.errors import ArgumentTypeError, ShapeError


def broadcast(a: tuple[int, ...], b: tuple[int, ...], name: str) -> tuple[int, ...]:
    """Return the NumPy broadcast of two shapes, -1 for unknown dimensions. Raises ShapeError, which names both shapes."""
    if a == b:
        return a
    shapes = a, b
    if len(a) < len(b):
        a = (1,) * (len(b) - len(a)) + a
    elif len(b) < len(a):
        b = (1,) * (len(a) - len(b)) + b
    result = []
    for p, q in zip(a, b, strict=True):
        if p == q or q == 1:
            result.append(p)
        elif p == 1:
            result.append(q)
        elif p == UNKNOWN or q == UNKNOWN:
            result.append(max(p, q))  # one of them is known and not 1, so the other must be equal to it or 1
        else:
            raise ShapeError(f"{name}: shapes {show(shapes[0])} and {show(shapes[1])} do not broadcast ({p} against {q})")
    return tuple(result)


def compatible(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """True when two shapes can be the same: equal in every dimension that both know."""
    return len(a) == len(b) and all(p == q or UNKNOWN in (p, q) for p, q in zip(a, b, strict=True))


def show(shape: tuple[int, ...]) -> str:
    """A shape for messages, ``[?, 4]``."""
    return f"[{', '.join('?' if d == UNKNOWN else str(d) for d in shape)}]"


def axis_index(axis: Any, ndim: int, name: str, error_name: str = "") -> int:
    """A non-negative axis; 0 and -1 name the one of a number. Raises ShapeError out of range, DTypeError for no integer.

    ``error_name``: Paddle's class of the first of these, where it is another.
    """
    if type(axis) is int and -ndim <= axis < ndim:
        return axis % ndim
    if isinstance(axis, Tensor) and (constant := traced_values.constant_int(axis)) is not None:
        axis = constant
    if isinstance(axis, (bool, np.bool_)) or not isinstance(axis, (int, np.integer)):
        if isinstance(axis, Tensor) and mode.current().building:
            raise static_arguments.axis_must_be_static(name)
        raise ArgumentTypeError(f"{name}: axis must be an integer, got {axis!r}")
    if not -max(ndim, 1) <= axis < max(ndim, 1):
        raise ShapeError(f"{name}: axis {axis} is out of range for a tensor of {ndim} dimensions{error_name and f' {error_name}'}")
    return int(axis) + max(ndim, 1) if axis < 0 else int(axis)


def dimension_index(axis: Any, ndim: int, name: str) -> int:
    """As `axis_index`, for functions that need a dimension: ShapeError for a 0-D tensor (``ndim`` 0), which has none."""
    if not ndim:
        raise ShapeError(f"{name}: expected a tensor with at least one dimension, got a 0-D tensor; x.reshape([1]) has one")
    return axis_index(axis, ndim, name)


def axes_tuple(axis: float | Sequence[int] | None, ndim: int, name: str) -> tuple[int, ...]:
    """Sorted non-negative axes from None (all), an int or a sequence; of a number none. Raises ShapeError on repeats."""
    if axis is None:
        return tuple(range(ndim))
    if type(axis) is int and -ndim <= axis < ndim:
        return (axis % ndim,)
    items = list(axis) if isinstance(axis, (list, tuple, range, np.ndarray)) else [axis]
    if not items:
        return tuple(range(ndim))
    axes = sorted(axis_index(a, ndim, name) for a in items)
    if len(set(axes)) != len(axes):
        raise ShapeError(f"{name}: axis {list(items)} names a dimension twice")
    return tuple(axes) if ndim else ()


def reduced_shape(shape: tuple[int, ...], axes: tuple[int, ...], keepdim: bool) -> tuple[int, ...]:
    """Shape after reducing over ``axes``."""
    if keepdim:
        return tuple(1 if i in axes else d for i, d in enumerate(shape))
    return tuple(d for i, d in enumerate(shape) if i not in axes)


def comparison_spec(x: TensorSpec, y: TensorSpec, name: str) -> TensorSpec:
    """Shape rule of comparisons."""
    return TensorSpec(broadcast(x.shape, y.shape, name), bool_)


def unbroadcast(grad: Tensor, x: Tensor) -> Tensor:
    """Sum a gradient over the dimensions along which ``x`` was broadcast."""
    want, have = x.spec.shape, grad.spec.shape
    if want == have and UNKNOWN not in want:
        return grad
    return F.sum_to(grad, x)


def element_count(x: Tensor, axes: tuple[int, ...], dtype: DType) -> Tensor | int:
    """Number of elements along ``axes``: an int, or a 0-D tensor of ``dtype`` when it is known only at run time."""
    total: Any = 1
    for axis in axes:
        dim = x.spec.shape[axis]
        total = total * (F.dim_size(x, axis) if dim == UNKNOWN else dim)
    return F.cast(total, dtype) if isinstance(total, Tensor) else total
