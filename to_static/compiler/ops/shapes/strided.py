"""Elements of a tensor by strides over its memory (as_strided), and windows along a dimension (unfold)."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import method
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor, declare_method
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import operands, shape_rules
from to_static.compiler.ops.shape_rules import show
from to_static.core.dtypes import int64
from to_static.core.errors import ShapeError


@method()
def as_strided(x: Any, shape: Any, stride: Any, offset: int = 0, name: str | None = None) -> Tensor:
    """Elements of ``x``, counted row by row: at ``[i, j, ...]`` is number ``offset + i * stride[0] + j * stride[1] + ...``.

    An element that comes more than once gets the sum of the gradients. Raises ShapeError when ``shape`` and ``stride`` differ in
    length or reach beyond ``x``. (In Paddle the result shares its memory with ``x``; here it is a copy.)

    Example:
        >>> paddle.as_strided(paddle.arange(6.0), [2, 2], [3, 1]).tolist()
        [[0.0, 1.0], [3.0, 4.0]]
    """
    if len(shape) != len(stride):
        raise ShapeError(f"as_strided: shape {list(shape)} and stride {list(stride)} must have the same length")
    if any(d < 0 for d in shape):
        raise ShapeError(f"as_strided: the shape {list(shape)} has a negative dimension")
    positions = np.asarray(offset, "int64")
    for size, step in zip(shape, stride, strict=True):
        positions = positions[..., None] + np.arange(size) * step
    total = x.spec.size
    if positions.size and (positions.min() < 0 or (total != UNKNOWN and positions.max() >= total)):
        raise ShapeError(f"as_strided: shape {list(shape)} by {list(stride)} from {offset} leaves the {total} elements of x")
    return _gather_positions(F.flatten(x), positions, 0)


def _gather_positions(x: Any, positions: np.ndarray, axis: int) -> Tensor:
    """Gather slices of ``x`` along an axis; the dimensions of ``positions`` replace the axis."""
    elements = F.gather(x, operands.constant(positions.reshape(-1), int64), axis)
    leading, trailing = [0] * axis, list(x.shape[axis + 1 :])
    return F.reshape(elements, [*leading, *positions.shape, *trailing])


def unfold(x: Tensor, axis: int, size: int, step: int, name: str | None = None) -> Tensor:
    """Windows of ``size`` elements along ``axis``, one every ``step``: they count there, and lie in a new last dimension.

    Raises ShapeError when a window is longer than the dimension, or ``step`` is not positive. (In Paddle the result shares its
    memory with ``x``; here it is a copy.)

    Example:
        >>> paddle.unfold(paddle.arange(9.0), 0, 2, 4).tolist()
        [[0.0, 1.0], [4.0, 5.0]]
    """
    axis = shape_rules.dimension_index(axis, x.ndim, "unfold")
    n = x.spec.shape[axis]
    if n == UNKNOWN:
        raise ShapeError(f"unfold: dimension {axis} must be known when the Program is built, got {show(x.spec.shape)}")
    if not 0 <= size <= n or step < 1:
        raise ShapeError(f"unfold: expected 0 <= size <= {n} (dimension {axis}) and a positive step, got {size} and {step}")
    positions = np.arange(0, n - size + 1, step)[:, None] + np.arange(size)
    return F.moveaxis(_gather_positions(x, positions, axis), axis + 1, -1)


declare_method("unfold", unfold, __name__)  # not of FUNCTIONS, where the unfolding of images has this name
