"""Copies of a tensor with a replaced part: index_fill, select_scatter, diagonal_scatter."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.opdef import method
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import operands, shape_rules
from to_static.compiler.ops.shape_rules import show
from to_static.core.errors import ArgumentError, ShapeError


@method(inplace=True)
def index_fill(x: Tensor, index: Any, axis: int, value: Any, name: str | None = None) -> Tensor:
    """``x`` with ``value`` (a number or a 0-D tensor) at the positions ``index`` (a 1-D integer tensor) along ``axis``.

    Raises ArgumentError for an index that is no integer tensor, or a value of several elements, ShapeError for a 0-D ``x``.

    Example:
        >>> paddle.index_fill(paddle.zeros([3]), paddle.to_tensor([0, 2]), 0, 1.0).tolist()
        [1.0, 0.0, 1.0]
    """
    if not isinstance(index, Tensor):
        raise ArgumentError(f"index_fill: index must be an integer tensor, got {type(index).__name__}")
    axis = shape_rules.dimension_index(axis, x.ndim, "index_fill")
    value = F.cast(operands.tensor(value, x), x.dtype)
    if value.ndim:
        raise ArgumentError(f"index_fill: value must be a number or a 0-D tensor, got {show(value.spec.shape)}")
    if axis:
        order = list(range(x.ndim))
        order[0], order[axis] = axis, 0
        return F.transpose(F.index_put(F.transpose(x, order), [index], value), order)
    return F.index_put(x, [index], value)


@method()
def select_scatter(x: Tensor, values: Any, axis: int, index: int, name: str | None = None) -> Tensor:
    """``x`` with ``values`` at position ``index`` of ``axis``; they have the shape of ``x`` without that dimension.

    Raises ShapeError for another shape.

    Example:
        >>> paddle.select_scatter(paddle.zeros([2, 2]), paddle.ones([2]), 1, 0).tolist()
        [[1.0, 0.0], [1.0, 0.0]]
    """
    axis = shape_rules.axis_index(axis, x.ndim, "select_scatter")
    want = (*x.spec.shape[:axis], *x.spec.shape[axis + 1 :])
    if not shape_rules.compatible(values.spec.shape, want):
        have = show(values.spec.shape)
        raise ShapeError(f"select_scatter: expected values {show(want)}, the shape of a slice of x, got {have}")
    position = (*[slice(None)] * axis, index)
    return F.setitem(x, position, F.cast(values, x.dtype))


@method()
def diagonal_scatter(
    x: Tensor, y: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None
) -> Tensor:
    """``x`` with the diagonal of two dimensions replaced by ``y``; see `Tensor.fill_diagonal_tensor`.

    ``axis1``, ``axis2``: the dimensions; ``offset``: which diagonal, above 0: above the main one.

    Example:
        >>> paddle.diagonal_scatter(paddle.zeros([2, 2]), paddle.ones([2])).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    return F.fill_diagonal_tensor(x, y, offset, axis1, axis2)
