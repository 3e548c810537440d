"""Integrals by the trapezoidal rule: trapezoid, cumulative_trapezoid."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.opdef import method
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import shape_rules
from to_static.core.errors import ArgumentError, DTypeError


def _areas(name: str, y: Any, x: Any, dx: Any, axis: int) -> tuple[Tensor, int]:
    """The area between each two neighbours, along the axis that is returned, too."""
    if x is not None and dx is not None:
        raise ArgumentError(f"{name}: give x or dx, not both")
    for value in (y, x):
        if value is not None and value.dtype.kind != "f":
            raise DTypeError(f"{name}: expected floating-point tensors, got {value.dtype.name}")
    axis = shape_rules.axis_index(axis, y.ndim, name)
    if x is None:
        width = 1.0 if dx is None else dx
    elif x.ndim == 1:
        width = F.reshape(F.diff(x), [-1 if i == axis else 1 for i in range(y.ndim)])
    else:
        width = F.diff(x, axis=axis)
    leading = (slice(None),) * axis
    upper, earlier = (*leading, slice(1, None)), (*leading, slice(None, -1))
    return (y[upper] + y[earlier]) * width * 0.5, axis


@method()
def trapezoid(y: Any, x: Tensor | None = None, dx: Any = None, axis: int = -1, name: str | None = None) -> Tensor:
    """The integral of ``y`` along ``axis``, sampled at ``x`` (1-D, or shaped as ``y``) or every ``dx`` (default 1).

    Raises ValueError when both are given, DTypeError unless the tensors are floating.

    Example:
        >>> paddle.trapezoid(paddle.to_tensor([4.0, 5.0, 6.0])).item()
        10.0
    """
    areas, axis = _areas("trapezoid", y, x, dx, axis)
    return F.sum(areas, axis)


@method()
def cumulative_trapezoid(
    y: Any, x: Tensor | None = None, dx: Any = None, axis: int = -1, name: str | None = None
) -> Tensor:
    """The integrals of ``y`` along ``axis`` up to each of its places but the first; see `trapezoid`.

    ``x``: the positions; ``dx``: their distance (default 1).

    Example:
        >>> paddle.cumulative_trapezoid(paddle.to_tensor([4.0, 5.0, 6.0])).tolist()
        [4.5, 10.0]
    """
    areas, axis = _areas("cumulative_trapezoid", y, x, dx, axis)
    return F.cumsum(areas, axis)
