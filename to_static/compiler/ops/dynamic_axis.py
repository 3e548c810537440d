"""An axis that a tensor gives at run time: the operator is built for each dimension, and a branch runs one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dynamic_sizes, traced_values
from to_static.compiler.ops import functions as F
from to_static.core.errors import DTypeError


def is_late(axis: Tensor | float | None) -> bool:
    """True if this is a tensor of one integer that is known only when the Program runs.

    A `SymNumber` is not one: an operator with it is traced for each value.
    """
    if not isinstance(axis, Tensor) or axis.python_type is not None or not mode.current().building:
        return False
    return traced_values.constant_int(axis) is None


def is_number(axis: int) -> bool:
    """True if this is any number that only the Program knows, for operators whose results have one shape for all axes."""
    return isinstance(axis, Tensor) and mode.current().building and traced_values.constant_int(axis) is None


def is_one(axis: Any) -> bool:
    """`is_late`, where a tensor of several numbers would be several axes."""
    return is_late(axis) and axis.spec.size == 1


def each(name: str, axis: Any, ndim: int, function: Callable[[int], Any]) -> Any:
    """Return ``function(axis)``, a tensor or a list of tensors, for an axis that a tensor gives at run time (of ``ndim``
    dimensions).

    Raises DTypeError unless it is one integer, and ShapeError at run time when it is out of range.
    """
    if not axis.spec.dtype.is_integer or axis.spec.size != 1:
        raise DTypeError(f"{name}: axis must be an integer, got {axis.spec}")
    axis_tensor = dynamic_sizes.as_tensor_size(axis)
    fits = F.logical_and(axis_tensor >= -ndim, axis_tensor < ndim)
    dynamic_sizes.check(fits, "ShapeError", f"{name}: axis {{}} is out of range for a tensor of {ndim} dimensions", axis_tensor)
    position = F.where(axis_tensor < 0, axis_tensor + ndim, axis_tensor)
    single = True

    def results(i: int) -> list[Any]:
        nonlocal single
        value = function(i)
        single = not isinstance(value, (list, tuple))
        return [value] if single else list(value)

    def choose(i: int) -> list[Any]:
        if i == ndim - 1:
            return results(i)
        chosen: list[Any] = mode.current().cond(F.equal(position, i), lambda: results(i), lambda: choose(i + 1))
        return chosen

    values = choose(0)
    return values[0] if single else values
