"""Deformable convolution: an offset shifts each point of each window (deformable_conv)."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, Sample, op
from to_static.compiler.ir.registry import FILE_TYPES
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, blocked_sum, dtype_checks
from to_static.compiler.ops.indexing.index import add_at
from to_static.compiler.ops.layers import windows
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import AutogradError, DTypeError, ShapeError

_ATTRS = "strides:ints paddings:ints dilations:ints groups:int deformable_groups:int im2col_step:int"


@op(f"deformable_conv(Input, Offset, Filter, Mask? -> Output) {_ATTRS}", traits="check_shapes")
def deformable_conv(
    x: Tensor,
    offset: Any,
    weight: Any,
    mask: Any = None,
    strides: Any = (1, 1),
    paddings: Any = (0, 0),
    dilations: Any = (1, 1),
    groups: int = 1,
    deformable_groups: int = 1,
    im2col_step: int = 1,
) -> Tensor:
    """A convolution whose windows are read at shifted points; see `paddle.vision.ops.deform_conv2d`."""
    return deformable_conv.emit(
        x, offset, weight, mask, strides=arguments.repeat_ints(strides, 2, "deform_conv2d stride"),
        paddings=arguments.repeat_ints(paddings, 2, "deform_conv2d padding"),
        dilations=arguments.repeat_ints(dilations, 2, "deform_conv2d dilation"),
        groups=int(groups), deformable_groups=int(deformable_groups), im2col_step=int(im2col_step),
    )  # fmt: skip


def _outs(sizes: tuple[int, ...], kernel: tuple[int, ...], attrs: dict[str, Any]) -> tuple[int, ...]:
    """Height and width of the result."""
    pads = [side for pad in attrs["paddings"] for side in (pad, pad)]
    return tuple(windows.output_sizes(sizes, kernel, attrs["strides"], attrs["dilations"], pads, "EXPLICIT"))


@deformable_conv.infer
def _(x: TensorSpec, offset: TensorSpec, weight: TensorSpec, mask: TensorSpec | None, **attrs: Any) -> TensorSpec:
    name, groups, parts = "deform_conv2d", attrs["groups"], attrs["deformable_groups"]
    dtype_checks.need_float(x, name)
    further_specs = [offset, weight] if mask is None else [offset, weight, mask]
    if any(spec.ndim != 4 for spec in (x, *further_specs)):
        raise ShapeError(f"{name}: expected 4 dimensions, got {', '.join(show(s.shape) for s in (x, *further_specs))}")
    if any(spec.dtype is not x.dtype for spec in further_specs):
        raise DTypeError(f"{name}: expected {x.dtype.name}, got {', '.join(spec.dtype.name for spec in further_specs)}")
    channels, kernel = x.shape[1], weight.shape[2:]
    if groups < 1 or parts < 1 or weight.shape[0] % groups or (channels != UNKNOWN and channels % parts):
        got = f"{channels} and {weight.shape[0]} channels"
        raise ShapeError(f"{name}: {groups} groups and {parts} deformable ones do not divide {got}")
    if UNKNOWN not in (channels, weight.shape[1]) and channels != weight.shape[1] * groups:
        raise ShapeError(f"{name}: a weight {show(weight.shape)} does not fit {channels} channels in {groups} groups")
    windows.check_window(name, (), kernel=kernel, stride=attrs["strides"], dilation=attrs["dilations"])
    outs = _outs(x.shape[2:], kernel, attrs)
    windows.check_window(name, outs)
    points = prod(kernel) * parts
    for spec, per_point, what in ((offset, 2, "offset"), (mask, 1, "mask")):
        wanted = (x.shape[0], per_point * points, *outs)
        if spec is not None and any(UNKNOWN not in pair and pair[0] != pair[1] for pair in zip(spec.shape, wanted, strict=True)):
            raise ShapeError(f"{name}: expected an {what} {show(wanted)}, got {show(spec.shape)}")
    return x.with_shape((x.shape[0], weight.shape[0], *outs))


class _Points:
    """The four neighbours of each sampling point, and their weights.

    Arrays are ``[N, deformable groups, kernel points * positions]``.
    """

    def __init__(self, xp: ArrayModule, x: Array, offset: Array, weight: Array, attrs: dict[str, Any]) -> None:
        self.n, self.channels, self.height, self.width = x.shape
        self.parts, self.kernel = attrs["deformable_groups"], weight.shape[2:]
        self.outs = _outs(x.shape[2:], self.kernel, attrs)
        lines = []
        for k in range(2):
            tap = xp.arange(self.kernel[k]) * attrs["dilations"][k]
            line = (tap[:, None] + xp.arange(self.outs[k])[None, :] * attrs["strides"][k] - attrs["paddings"][k]).astype(x.dtype)
            lines.append(line[:, None, :, None] if k == 0 else line[None, :, None, :])
        shifts = offset.reshape(self.n, self.parts, *self.kernel, 2, *self.outs)
        flat = (self.n, self.parts, prod(self.kernel) * prod(self.outs))
        row = (lines[0] + shifts[:, :, :, :, 0]).reshape(flat)
        column = (lines[1] + shifts[:, :, :, :, 1]).reshape(flat)
        top, left = xp.floor(row), xp.floor(column)
        self.down, self.right = row - top, column - left
        self.top, self.left = top.astype("int64"), left.astype("int64")

    def corners(self, xp: Any) -> Any:
        """Of each neighbour: its place in the plane, whether it is inside, its weights by row and column, and their slopes."""
        for down_step, share_y in ((0, 1 - self.down), (1, self.down)):
            for right_step, share_x in ((0, 1 - self.right), (1, self.right)):
                y, x = self.top + down_step, self.left + right_step
                inside = ((y >= 0) & (y < self.height) & (x >= 0) & (x < self.width)).astype(share_y.dtype)
                position = xp.clip(y, 0, self.height - 1) * self.width + xp.clip(x, 0, self.width - 1)
                yield position, inside, share_y, share_x, 2 * down_step - 1, 2 * right_step - 1

    def planes(self, x: Array) -> Array:
        return x.reshape(self.n, self.parts, self.channels // self.parts, self.height * self.width)

    def read(self, xp: ArrayModule, planes: Array, position: Array) -> Array:
        """``[N, deformable groups, channels of a group, points]``: the elements at places."""
        group_shape = (self.n, self.parts, self.channels // self.parts, position.shape[-1])
        return xp.take_along_axis(planes, xp.broadcast_to(position[:, :, None], group_shape), -1)

    def columns(self, xp: Any, x: Array) -> Any:
        planes, total = self.planes(x), None
        for position, inside, share_y, share_x, _, _ in self.corners(xp):
            part = self.read(xp, planes, position) * (inside * share_y * share_x)[:, :, None]
            total = part if total is None else total + part
        return total

    def grouped(self, columns: Any, groups: int) -> Array:
        """As a convolution multiplies them: ``[N, groups, channels of a group * kernel points, positions]``."""
        return columns.reshape(self.n, groups, -1, prod(self.outs))


@deformable_conv.kernel
def _(xp: Any, x: Any, offset: Any, weight: Any, mask: Any, **attrs: Any) -> Any:
    points, groups = _Points(xp, x, offset, weight, attrs), attrs["groups"]
    if not points.n:
        return xp.empty((0, weight.shape[0], *points.outs), x.dtype)
    columns = points.columns(xp, x)
    if mask is not None:
        columns = columns * mask.reshape(points.n, points.parts, 1, -1)
    lines = weight.reshape(groups, weight.shape[0] // groups, -1)
    return xp.matmul(lines, points.grouped(columns, groups)).reshape(points.n, weight.shape[0], *points.outs)


@deformable_conv.grad
def _(ctx: Any, g: Any) -> Any:
    x, offset, weight, mask = ctx.inputs
    grads = deformable_conv_grad(x, offset, weight, mask, g, **ctx.attrs)
    return (*grads[:3], None if mask is None else grads[3])


@op(
    f"deformable_conv_grad(Input, Offset, Filter, Mask?, G -> DX, DOffset, DFilter, DMask) {_ATTRS}",
    file=None,
    traits="check_shapes",
)
def deformable_conv_grad(
    x: Tensor, offset: Tensor, weight: Tensor, mask: Tensor | None, g: Tensor, **attrs: AttrValue
) -> tuple[Tensor, ...]:
    """The gradients of all inputs of `deformable_conv`. It has none of its own, as in Paddle."""
    return deformable_conv_grad.emit(x, offset, weight, mask, g, **attrs)


@deformable_conv_grad.infer
def _(x: TensorSpec, offset: TensorSpec, weight: TensorSpec, mask: Any, g: TensorSpec, **attrs: Any) -> Any:
    count = offset.shape[1] if offset.shape[1] == UNKNOWN else offset.shape[1] // 2
    return x, offset, weight, offset.with_shape((offset.shape[0], count, *offset.shape[2:]))


@deformable_conv_grad.kernel
def _(xp: Any, x: Any, offset: Any, weight: Any, mask: Any, g: Any, **attrs: Any) -> Any:
    points, groups = _Points(xp, x, offset, weight, attrs), attrs["groups"]
    if not points.n:
        return x, offset, xp.zeros_like(weight), xp.empty((0, offset.shape[1] // 2, *offset.shape[2:]), x.dtype)
    planes, read = points.planes(x), points.columns(xp, x)
    shares = None if mask is None else mask.reshape(points.n, points.parts, 1, -1)
    columns = points.grouped(read if shares is None else read * shares, groups)
    lines = weight.reshape(groups, weight.shape[0] // groups, -1)
    grouped_gradient = g.reshape(points.n, groups, weight.shape[0] // groups, -1)
    d_weight = blocked_sum.total(xp.matmul(grouped_gradient, columns.swapaxes(-1, -2)), 0).reshape(weight.shape)
    d_columns = xp.matmul(lines.swapaxes(-1, -2), grouped_gradient).reshape(read.shape)
    d_mask = blocked_sum.total(d_columns * read, 2)
    if shares is not None:
        d_columns = d_columns * shares
    d_planes = xp.zeros(planes.shape, x.dtype)
    d_row, d_column = xp.zeros(points.down.shape, x.dtype), xp.zeros(points.down.shape, x.dtype)
    image = xp.arange(points.n)[:, None, None, None]
    part = xp.arange(points.parts)[None, :, None, None]
    channel = xp.arange(planes.shape[2])[None, None, :, None]
    for position, inside, share_y, share_x, slope_y, slope_x in points.corners(xp):
        add_at(xp, d_planes, (image, part, channel, position[:, :, None]), d_columns * (inside * share_y * share_x)[:, :, None])
        along = blocked_sum.total(d_columns * points.read(xp, planes, position), 2) * inside
        d_row, d_column = d_row + slope_y * along * share_x, d_column + slope_x * along * share_y
    kernel, outs = points.kernel, points.outs
    d_offset = xp.stack([d.reshape(points.n, points.parts, *kernel, *outs) for d in (d_row, d_column)], 4)
    return d_planes.reshape(x.shape), d_offset.reshape(offset.shape), d_weight, d_mask.reshape(points.n, -1, *outs)


@deformable_conv_grad.grad
def _(ctx: Any, *g: Any) -> Any:
    raise AutogradError("deform_conv2d: it has no gradients of gradients, as in Paddle")


FILE_TYPES["deformable_conv_v1"] = deformable_conv.op


@deformable_conv.to_file
def _(w: Any, op: Any) -> None:
    w.default(op, "deformable_conv" if op.inputs[3] is not None else "deformable_conv_v1")


_PLAIN: dict[str, Any] = {
    "strides": [1, 1], "paddings": [0, 0], "dilations": [1, 1], "groups": 1, "deformable_groups": 1, "im2col_step": 1,
}  # fmt: skip
_WIDE: dict[str, Any] = {**_PLAIN, "strides": [2, 1], "paddings": [1, 2], "dilations": [2, 1], "groups": 2, "deformable_groups": 2}


def _inner(*shape: int, seed: int = 0) -> np.ndarray:
    """Shifts that leave no point between two elements, where there is no gradient."""
    return (np.round(f32(*shape, seed=seed)) + np.float32(0.4)).astype("float32")


deformable_conv.samples(
    lambda: [
        Sample(f32(2, 2, 4, 5), _inner(2, 18, 2, 3), f32(3, 2, 3, 3), None, second=False, **_PLAIN),
        Sample(f32(1, 4, 5, 4), _inner(1, 24, 3, 6), f32(4, 2, 2, 3), f32(1, 12, 3, 6), second=False, **_WIDE),
    ]
)
deformable_conv_grad.samples(
    lambda: [
        Sample(f32(2, 2, 4, 5), _inner(2, 18, 2, 3), f32(3, 2, 3, 3), None, f32(2, 3, 2, 3), grad=(), **_PLAIN),
        Sample(f32(1, 4, 5, 4), _inner(1, 24, 3, 6), f32(4, 2, 2, 3), f32(1, 12, 3, 6), f32(1, 4, 3, 6), grad=(), **_WIDE),
    ]
)
