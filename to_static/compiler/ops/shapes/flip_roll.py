"""Elements in reversed, shifted or rotated order: flip, roll, rot90."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.dynamic_sizes import is_dynamic
from to_static.compiler.ops.dynamic_sizes import roll as dynamic_roll
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader


@op("flip(X -> Out) axis:ints", traits="integral alias", method=True)
def flip(x: Tensor, axis: int | Sequence[int], name: str | None = None) -> Tensor:
    """``x`` with the order of elements reversed along ``axis`` (an int or several).

    Example:
        >>> paddle.flip(paddle.to_tensor([[1, 2], [3, 4]]), axis=0).tolist()
        [[3, 4], [1, 2]]
    """
    return flip.emit(x, axis=tuple(shape_rules.dimension_index(a, x.ndim, "flip") for a in arguments.int_list(axis)))


@flip.infer
def _(x: TensorSpec, axis: Sequence[int]) -> TensorSpec:
    for a in axis:
        shape_rules.dimension_index(a, x.ndim, "flip")
    return x


@flip.kernel
def _(xp: ArrayModule, x: Array, axis: Sequence[int]) -> Array:
    return xp.flip(x, tuple(axis)) if len(axis) else x


@flip.specialize
def _(out: TensorSpec, x: TensorSpec, axis: tuple[int, ...]) -> Any:
    flipped_axes = {a % x.ndim for a in axis}
    return operator.itemgetter(tuple(slice(None, None, -1 if i in flipped_axes else None) for i in range(x.ndim))) if axis else None


@flip.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return flip.emit(g, axis=ctx.axis)


flip.samples(lambda: [Sample(f32(2, 3), axis=(0,)), Sample(f32(2, 3), axis=(0, 1))])
reverse = flip


@op("roll(X -> Out) shifts:longs! axis:longs", method=True, traits="integral")
def roll(
    x: Tensor,
    shifts: Tensor | int | Sequence[int],
    axis: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """``x`` with elements moved ``shifts`` places along ``axis``, those falling off coming in again at the start.

    Without ``axis`` the flattened tensor is rolled.
    Raises ShapeError when ``shifts`` and ``axis`` differ in length.

    Example:
        >>> paddle.roll(paddle.to_tensor([1, 2, 3]), 1).tolist()
        [3, 1, 2]
    """
    if type(shifts) is int and axis is None:
        return roll.emit(x, shifts=(shifts,), axis=())
    counts: Any = [shifts] if isinstance(shifts, Tensor) and not shifts.ndim else shifts
    moves = tuple(counts) if is_dynamic(counts) else tuple(arguments.int_list(counts))
    axes = () if axis is None else tuple(shape_rules.axis_index(a, x.ndim, "roll") for a in arguments.int_list(axis))
    if axis is not None and len(axes) != len(moves):
        raise ShapeError(f"roll: shifts {shifts} and axis {axis} must have the same length")
    if is_dynamic(moves):
        return dynamic_roll(x, list(moves), axes)
    return roll.emit(x, shifts=moves, axis=axes)


@roll.from_file
def _(r: FileReader) -> Tensor:
    return roll(r.input("X"), r.integers("shifts", "ShiftsTensor"), r.attr("axis", []) or None)


@roll.infer
def _(x: TensorSpec, shifts: tuple[int, ...], axis: tuple[int, ...]) -> TensorSpec:
    return x


@roll.kernel
def _(xp: ArrayModule, x: Array, shifts: tuple[int, ...], axis: tuple[int, ...]) -> Array:
    if xp is not np or not x.size:
        return xp.roll(x, tuple(shifts), tuple(axis)) if len(axis) else xp.roll(x, int(np.sum(shifts)))
    if not len(axis):
        return _rolled(x.reshape(-1), sum(shifts), 0).reshape(x.shape)
    for shift, along in zip(shifts, axis, strict=True):
        x = _rolled(x, shift, along)
    return x


def _rolled(x: np.ndarray, shift: int, axis: int) -> np.ndarray:
    """``np.roll`` by hand, which is several times quicker for few numbers."""
    shift %= x.shape[axis]
    if not shift:
        return x.copy()
    leading = (slice(None),) * axis
    end, start = (*leading, slice(-shift, None)), (*leading, slice(None, -shift))
    return np.concatenate((x[end], x[start]), axis)


@roll.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return roll.emit(g, shifts=tuple(-s for s in ctx.shifts), axis=ctx.axis)


roll.samples(
    lambda: [
        Sample(f32(2, 3), shifts=(1,), axis=(1,)),
        Sample(f32(2, 3), shifts=(1, -1), axis=(0, 1)),
        Sample(f32(2, 3), shifts=(2,), axis=()),
    ]
)


@method()
def rot90(x: Tensor, k: int = 1, axes: Any = (0, 1), name: str | None = None) -> Tensor:
    """``x`` turned by ``k`` quarter turns in the plane of two dimensions, from the first towards the second.

    ``axes``: the plane, two dimensions (default the first two). Raises ShapeError when they are the same.

    Example:
        >>> paddle.rot90(paddle.to_tensor([[1, 2], [3, 4]])).tolist()
        [[2, 4], [1, 3]]
    """
    a, b = (shape_rules.axis_index(i, x.ndim, "rot90") for i in axes)
    if a == b:
        raise ShapeError(f"rot90: axes {list(axes)} must be two different dimensions")
    k %= 4
    if k == 0:
        return x
    if k == 2:
        return flip(x, [a, b])
    return F.swapaxes(flip(x, b), a, b) if k == 1 else flip(F.swapaxes(x, a, b), b)
