"""Overlapping frames of a signal (frame), and signals composed of frames (overlap_add): each is the gradient of the other."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ShapeError


def _place(axis: int, name: str) -> None:
    if axis not in (0, -1):
        raise ShapeError(f"{name}: axis must be 0 or -1, got {axis}")


@op("frame(X -> Out) frame_length:int hop_length:int axis:int", traits="check_shapes")
def frame(x: Tensor, frame_length: int, hop_length: int, axis: int = -1, name: str | None = None) -> Tensor:
    """Frames of ``frame_length`` elements, one every ``hop_length``: [..., n] to [..., frame_length, frames].

    With ``axis=0`` [n, ...] to [frames, frame_length, ...]. Raises ShapeError.

    Example:
        >>> paddle.signal.frame(paddle.arange(4.0), 2, 1).tolist()
        [[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]]
    """
    return frame.emit(x, frame_length=int(frame_length), hop_length=int(hop_length), axis=axis)


@frame.infer
def _(x: TensorSpec, frame_length: int, hop_length: int, axis: int) -> TensorSpec:
    _place(axis, "frame")
    if not x.ndim or frame_length < 1 or hop_length < 1:
        shape = show(x.shape)
        raise ShapeError(f"frame: expected positive lengths, got {frame_length} and {hop_length}, for a signal {shape}")
    n = x.shape[axis]
    if n != UNKNOWN and n < frame_length:
        raise ShapeError(f"frame: a frame of {frame_length} elements is longer than the signal, {n}")
    count = UNKNOWN if n == UNKNOWN else (n - frame_length) // hop_length + 1
    return x.with_shape((count, frame_length, *x.shape[1:]) if axis == 0 else (*x.shape[:-1], frame_length, count))


def _places(xp: ArrayModule, count: int, frame_length: int, hop_length: int) -> Array:
    """[frames, frame_length]: where each element of each frame is in the signal."""
    return xp.arange(count)[:, None] * hop_length + xp.arange(frame_length)


@frame.kernel
def _(xp: ArrayModule, x: Array, frame_length: int, hop_length: int, axis: int) -> Array:
    count = (x.shape[axis] - frame_length) // hop_length + 1
    if count < 1:
        raise ShapeError(f"frame: a frame of {frame_length} elements is longer than the signal, {x.shape[axis]}")
    positions = _places(xp, count, frame_length, hop_length)
    return xp.take(x, positions, 0) if axis == 0 else xp.take(x, positions.T, -1)


@frame.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    n = ctx.x.spec.shape[ctx.axis]
    if n == UNKNOWN:
        raise ShapeError("frame: the gradient needs the length of the signal to be known when the Program is built")
    return frame_grad.emit(g, hop_length=ctx.hop_length, axis=ctx.axis, n=n)


@op("frame_grad(X -> Out) hop_length axis n", file=None)
def frame_grad(x: Tensor, hop_length: int, axis: int, n: int) -> Any:
    """`overlap_add` to a signal of ``n`` elements, zeros after the last frame."""
    return frame_grad.emit(x, hop_length=hop_length, axis=axis, n=n)


@frame_grad.infer
def _(x: TensorSpec, hop_length: int, axis: int, n: int) -> TensorSpec:
    return x.with_shape((n, *x.shape[2:]) if axis == 0 else (*x.shape[:-2], n))


@frame_grad.kernel
def _(xp: ArrayModule, x: Array, hop_length: int, axis: int, n: int) -> Array:
    return _added(xp, x, hop_length, axis, n)


@frame_grad.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    length = ctx.x.spec.shape[1 if ctx.axis == 0 else -2]
    return frame.emit(g, frame_length=length, hop_length=ctx.hop_length, axis=ctx.axis)


def _added(xp: ArrayModule, x: Array, hop_length: int, axis: int, n: int | None = None) -> Array:
    parts = x if axis == 0 else xp.moveaxis(x, (-1, -2), (0, 1))  # [frames, frame_length, ...]
    count, length = parts.shape[:2]
    size = (count - 1) * hop_length + length if n is None else n
    summed = xp.zeros((size, *parts.shape[2:]), x.dtype)
    for i in range(count):
        summed[i * hop_length : i * hop_length + length] += parts[i]
    return summed if axis == 0 else xp.moveaxis(summed, 0, -1).copy()


@op("overlap_add(X -> Out) hop_length:int axis:int")
def overlap_add(x: Tensor, hop_length: int, axis: int = -1, name: str | None = None) -> Tensor:
    """The sum of frames of which each begins ``hop_length`` elements after the one before: the inverse of `frame`.

    [..., frame_length, frames] to [..., n]; with ``axis=0`` [frames, frame_length, ...] to [n, ...]. Raises ShapeError.

    Example:
        >>> paddle.signal.overlap_add(paddle.ones([2, 3]), 1).tolist()
        [1.0, 2.0, 2.0, 1.0]
    """
    return overlap_add.emit(x, hop_length=int(hop_length), axis=axis)


@overlap_add.infer
def _(x: TensorSpec, hop_length: int, axis: int) -> TensorSpec:
    _place(axis, "overlap_add")
    if x.ndim < 2 or hop_length < 1:
        raise ShapeError(f"overlap_add: expected frames and a positive hop_length, got {show(x.shape)} and {hop_length}")
    count, length = (x.shape[0], x.shape[1]) if axis == 0 else (x.shape[-1], x.shape[-2])
    n = UNKNOWN if UNKNOWN in (count, length) else (count - 1) * hop_length + length
    return x.with_shape((n, *x.shape[2:]) if axis == 0 else (*x.shape[:-2], n))


@overlap_add.kernel
def _(xp: ArrayModule, x: Array, hop_length: int, axis: int) -> Array:
    return _added(xp, x, hop_length, axis)


@overlap_add.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    length = ctx.x.spec.shape[1 if ctx.axis == 0 else -2]
    return frame.emit(g, frame_length=length, hop_length=ctx.hop_length, axis=ctx.axis)


frame.samples(
    lambda: [Sample(f32(2, 8), frame_length=4, hop_length=3, axis=-1), Sample(f32(7, 2), frame_length=3, hop_length=2, axis=0)]
)
frame_grad.samples(lambda: [Sample(f32(2, 4, 2), hop_length=3, axis=-1, n=8)])
overlap_add.samples(
    lambda: [Sample(f32(2, 4, 3), hop_length=2, axis=-1), Sample(f32(3, 3, 2), hop_length=2, axis=0)]
)
