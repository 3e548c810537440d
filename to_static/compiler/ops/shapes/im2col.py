"""Operators that move elements of images: windows to columns and back, channels to pixels and back."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments
from to_static.compiler.ops.layers import conv_arrays, windows
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader

_UNFOLD = "kernel_sizes:ints strides:ints paddings:ints dilations:ints"


def _window_attrs(
    name: str,
    kernel_sizes: int | Sequence[int],
    strides: int | Sequence[int],
    paddings: int | Sequence[int],
    dilations: int | Sequence[int],
) -> dict[str, Any]:
    pads = [paddings] * 4 if isinstance(paddings, (int, np.integer)) else arguments.int_list(paddings)
    if len(pads) == 2:
        pads = pads * 2  # top and left, which bottom and right repeat
    if len(pads) != 4 or min(pads) < 0:
        raise ShapeError(f"{name}: expected 1, 2 or 4 paddings (top, left, bottom, right), got {paddings!r}")
    return {
        "kernel_sizes": arguments.repeat_ints(kernel_sizes, 2, f"{name} kernel_sizes"),
        "strides": arguments.repeat_ints(strides, 2, f"{name} strides"),
        "paddings": pads,
        "dilations": arguments.repeat_ints(dilations, 2, f"{name} dilations"),
    }


def _plan(
    sizes: Sequence[int], kernel_sizes: list[int], strides: list[int], paddings: list[int], dilations: list[int]
) -> conv_arrays.ConvPlan:
    top, left, bottom, right = paddings
    pads = top, bottom, left, right
    return conv_arrays.planned(tuple(sizes), tuple(kernel_sizes), tuple(strides), pads, "EXPLICIT", tuple(dilations), 1)


def _count(name: str, sizes: Sequence[int], attrs: dict[str, Any]) -> int:
    """Count the windows of an image; raises ShapeError when there is none."""
    top, left, bottom, right = attrs["paddings"]
    kernel, strides, dilations = attrs["kernel_sizes"], attrs["strides"], attrs["dilations"]
    windows.check_window(name, (), kernel_sizes=kernel, strides=strides, dilations=dilations)
    outs = windows.output_sizes(sizes, kernel, strides, dilations, [top, bottom, left, right], "EXPLICIT")
    windows.check_window(name, outs)
    return UNKNOWN if UNKNOWN in outs else outs[0] * outs[1]


@op(f"unfold(X -> Y) {_UNFOLD}", traits="check_shapes alias")
def unfold(
    x: Tensor,
    kernel_sizes: int | Sequence[int],
    strides: int | Sequence[int] = 1,
    paddings: int | Sequence[int] = 0,
    dilations: int | Sequence[int] = 1,
    name: str | None = None,
) -> Tensor:
    """The windows of ``x`` ``[N, C, H, W]`` as columns: ``[N, C * kernel_h * kernel_w, number of windows]``.

    All arguments are an integer or two; ``paddings`` may also be four (top, left, bottom, right).
    Raises ShapeError when no window fits.
    ``kernel_sizes``, ``strides``, ``dilations``: of the windows.

    Example:
        >>> F.unfold(paddle.ones([1, 2, 3, 3]), 2).shape
        [1, 8, 4]
    """
    settings = ("unfold", kernel_sizes, strides, paddings, dilations)
    attrs = arguments.frozen_attrs(_window_attrs, *settings)
    return unfold.emit(x, **_window_attrs(*settings)) if attrs is None else unfold.call((x,), attrs)


@unfold.infer
def _(x: TensorSpec, **attrs: Any) -> TensorSpec:
    windows.need_ndim(x, 2, "unfold")
    kh, kw = attrs["kernel_sizes"]
    channels = UNKNOWN if x.shape[1] == UNKNOWN else x.shape[1] * kh * kw
    return x.with_shape((x.shape[0], channels, _count("unfold", x.shape[2:], attrs)))


@unfold.kernel
def _(xp: Any, x: Any, **attrs: Any) -> Any:
    plan = _plan(x.shape[2:], **attrs)
    return plan.columns(xp, x).reshape(x.shape[0], x.shape[1] * prod(plan.kernel), prod(plan.outs))


@unfold.grad_kernel
def _(x: Any, out: Any, g: Any, **attrs: Any) -> Any:
    return fold.op.kernel_for("numpy")(np, g, output_sizes=x.shape[2:], **attrs)


@unfold.grad
def _(ctx: Any, g: Any) -> Any:
    sizes = ctx.x.spec.shape[2:]
    if UNKNOWN in sizes:
        return unfold_grad.emit(ctx.x, g, **ctx.attrs)
    return fold.emit(g, output_sizes=list(sizes), **ctx.attrs)


@op(f"unfold_grad(Like, G -> DX) {_UNFOLD}", file=None)
def unfold_grad(like: Any, g: Any, **attrs: AttrValue) -> Any:
    """`fold` of ``g`` to the height and width of ``like``, where only the Program knows them."""
    return unfold_grad.emit(like, g, **attrs)


@unfold_grad.infer
def _(like: TensorSpec, g: TensorSpec, **attrs: Any) -> TensorSpec:
    return like


@unfold_grad.kernel
def _(xp: Any, like: Any, g: Any, **attrs: Any) -> Any:
    return fold.op.kernel_for("*")(xp, g, output_sizes=list(like.shape[2:]), **attrs)


@unfold_grad.grad
def _(ctx: Any, u: Any) -> Any:
    return None, unfold.emit(u, **ctx.attrs)


@op(f"fold(X -> Y) output_sizes:ints {_UNFOLD}")
def fold(
    x: Tensor,
    output_sizes: int | Sequence[int],
    kernel_sizes: int | Sequence[int],
    strides: int | Sequence[int] = 1,
    paddings: int | Sequence[int] = 0,
    dilations: int | Sequence[int] = 1,
    name: str | None = None,
) -> Tensor:
    """The image ``[N, C, *output_sizes]`` in which the windows of `unfold`'s columns are added where they came from.

    Raises ShapeError when ``x`` is not ``[N, C * kernel_h * kernel_w, number of windows]``.
    ``kernel_sizes``, ``strides``, ``paddings``, ``dilations``: an integer or two, as for `unfold`.

    Example:
        >>> F.fold(paddle.ones([1, 8, 4]), [3, 3], 2).numpy()[0, 0, 1]
        array([2., 4., 2.], dtype=float32)
    """
    settings = (output_sizes, kernel_sizes, strides, paddings, dilations)
    attrs = arguments.frozen_attrs(_fold_attrs, *settings)
    return fold.emit(x, **_fold_attrs(*settings)) if attrs is None else fold.call((x,), attrs)


def _fold_attrs(output_sizes: int | Sequence[int], *settings: Any) -> dict[str, Any]:
    return {"output_sizes": arguments.repeat_ints(output_sizes, 2, "fold output_sizes"), **_window_attrs("fold", *settings)}


@fold.infer
def _(x: TensorSpec, output_sizes: Any, **attrs: Any) -> TensorSpec:
    kh, kw = attrs["kernel_sizes"]
    count = _count("fold", output_sizes, attrs)
    if x.ndim != 3 or (x.shape[1] != UNKNOWN and x.shape[1] % (kh * kw)) or x.shape[2] not in (count, UNKNOWN):
        raise ShapeError(f"fold: expected [N, C * {kh * kw}, {count}], got {show(x.shape)}")
    channels = UNKNOWN if x.shape[1] == UNKNOWN else x.shape[1] // (kh * kw)
    return x.with_shape((x.shape[0], channels, *output_sizes))


@fold.specialize
def _(out: TensorSpec, x: TensorSpec, output_sizes: Any, **attrs: Any) -> Any:
    if not x.size:
        return None
    plan = _plan(output_sizes, **attrs)
    shape = (x.shape[0], x.shape[1] // prod(plan.kernel), *plan.kernel, *plan.outs)
    return lambda x: plan.added(np, x.reshape(shape))


@fold.kernel
def _(xp: Any, x: Any, output_sizes: Any, **attrs: Any) -> Any:
    plan = _plan(output_sizes, **attrs)
    parts = x.reshape(x.shape[0], x.shape[1] // prod(plan.kernel), *plan.kernel, *plan.outs)
    return plan.added(xp, parts)


@fold.grad
def _(ctx: Any, g: Any) -> Any:
    return unfold.emit(g, **{k: v for k, v in ctx.attrs.items() if k != "output_sizes"})


# channels and pixels -------------------------------------------------------------------------------------------------


def _image(name: str, x: TensorSpec, data_format: str) -> tuple[int, int, int, int, bool]:
    last = windows.channel_last(data_format, 2, name)
    windows.need_ndim(x, 2, name)
    n, h, w, c = x.shape if last else (x.shape[0], *x.shape[2:], x.shape[1])
    return n, h, w, c, last


def _times(size: int, factor: int) -> int:
    return UNKNOWN if size == UNKNOWN else size * factor


def _divided(name: str, size: int, factor: int, what: str) -> int:
    if size != UNKNOWN and (factor < 1 or size % factor):
        raise ShapeError(f"{name}: {what} {size} is not divisible by {factor}")
    return UNKNOWN if size == UNKNOWN else size // factor


@op("pixel_shuffle(X -> Out) upscale_factor:int data_format:str", traits="alias")
def pixel_shuffle(x: Tensor, upscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """Turn groups of ``r * r`` channels into blocks of pixels: ``[N, C * r * r, H, W]`` to ``[N, C, H * r, W * r]``.

    Raises ShapeError when the channels do not divide.

    Source: Shi et al., "Real-Time Single Image and Video Super-Resolution Using an Efficient Sub-Pixel CNN".
    ``x``: floats; ``upscale_factor``: the ``r``; ``data_format``: 'NCHW' (default) or 'NHWC'.

    Example:
        >>> F.pixel_shuffle(paddle.ones([1, 8, 2, 2]), 2).shape
        [1, 2, 4, 4]
    """
    return pixel_shuffle.emit(x, upscale_factor=int(upscale_factor), data_format=data_format)


@pixel_shuffle.infer
def _(x: TensorSpec, upscale_factor: int, data_format: str) -> TensorSpec:
    n, h, w, c, last = _image("pixel_shuffle", x, data_format)
    r = upscale_factor
    channels = _divided("pixel_shuffle", c, r * r, "the number of channels")
    return x.with_shape(windows.with_spatial(n, channels, [_times(h, r), _times(w, r)], last))


@pixel_shuffle.kernel
def _(xp: Any, x: Any, upscale_factor: int, data_format: str) -> Any:
    r = upscale_factor
    x = conv_arrays.first(xp, x, data_format)
    n, c, h, w = x.shape
    parts = x.reshape(n, c // (r * r), r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
    return conv_arrays.back(xp, parts.reshape(n, c // (r * r), h * r, w * r), data_format)


@pixel_shuffle.grad
def _(ctx: Any, g: Any) -> Any:
    return pixel_unshuffle(g, ctx.upscale_factor, ctx.data_format)


@op("pixel_unshuffle(X -> Out) downscale_factor:int data_format:str", traits="alias")
def pixel_unshuffle(x: Tensor, downscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """The inverse of `pixel_shuffle`: ``[N, C, H * r, W * r]`` to ``[N, C * r * r, H, W]``.

    Raises ShapeError when height or width do not divide.
    ``x``: floats; ``downscale_factor``: the ``r``; ``data_format``: 'NCHW' (default) or 'NHWC'.

    Example:
        >>> F.pixel_unshuffle(paddle.ones([1, 2, 4, 4]), 2).shape
        [1, 8, 2, 2]
    """
    return pixel_unshuffle.emit(x, downscale_factor=int(downscale_factor), data_format=data_format)


@pixel_unshuffle.infer
def _(x: TensorSpec, downscale_factor: int, data_format: str) -> TensorSpec:
    n, h, w, c, last = _image("pixel_unshuffle", x, data_format)
    r = downscale_factor
    sizes = [_divided("pixel_unshuffle", s, r, "the size") for s in (h, w)]
    return x.with_shape(windows.with_spatial(n, _times(c, r * r), sizes, last))


@pixel_unshuffle.kernel
def _(xp: Any, x: Any, downscale_factor: int, data_format: str) -> Any:
    r = downscale_factor
    x = conv_arrays.first(xp, x, data_format)
    n, c, h, w = x.shape
    parts = x.reshape(n, c, h // r, r, w // r, r).transpose(0, 1, 3, 5, 2, 4)
    return conv_arrays.back(xp, parts.reshape(n, c * r * r, h // r, w // r), data_format)


@pixel_unshuffle.grad
def _(ctx: Any, g: Any) -> Any:
    return pixel_shuffle(g, ctx.downscale_factor, ctx.data_format)


@op("channel_shuffle(X -> Out) groups:int data_format:str", traits="alias")
def channel_shuffle(x: Tensor, groups: int, data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """Interleave ``groups`` groups of channels: the first of each group, then the second of each, and so on.

    Raises ShapeError when the channels do not divide.

    Source: Zhang et al., "ShuffleNet".
    ``x``: ``[N, C, H, W]`` (or ``[N, H, W, C]`` with ``data_format='NHWC'``).

    Example:
        >>> F.channel_shuffle(paddle.arange(4).reshape([1, 4, 1, 1]), 2).flatten().tolist()
        [0, 2, 1, 3]
    """
    return channel_shuffle.emit(x, groups=int(groups), data_format=data_format)


@channel_shuffle.infer
def _(x: TensorSpec, groups: int, data_format: str) -> TensorSpec:
    _divided("channel_shuffle", _image("channel_shuffle", x, data_format)[3], groups, "the number of channels")
    return x


@channel_shuffle.kernel
def _(xp: Any, x: Any, groups: int, data_format: str) -> Any:
    if data_format[-1] == "C":
        return x.reshape(*x.shape[:3], groups, x.shape[3] // groups).swapaxes(3, 4).reshape(x.shape)
    return x.reshape(x.shape[0], groups, x.shape[1] // groups, *x.shape[2:]).swapaxes(1, 2).reshape(x.shape)


@channel_shuffle.grad
def _(ctx: Any, g: Any) -> Any:
    channels = ctx.x.shape[-1 if ctx.data_format[-1] == "C" else 1]
    return channel_shuffle(g, channels // ctx.groups, ctx.data_format)


@op("temporal_shift(X -> Out) seg_num:int shift_ratio:float data_format:str", traits="check_shapes")
def temporal_shift(
    x: Tensor, seg_num: int, shift_ratio: float = 0.25, name: str | None = None, data_format: str = "NCHW"
) -> Tensor:
    """Move a share ``shift_ratio`` of the channels one frame back and as many one frame ahead; zeros come in.

    Args:
        x: ``[N * seg_num, C, H, W]``, ``seg_num`` frames of each of N videos.
        seg_num: frames of a video.
        shift_ratio: from 0 to 0.5.
        data_format: 'NCHW', or 'NHWC' for ``[N * seg_num, H, W, C]``.

    Returns a tensor of the shape and dtype of ``x``. Raises ShapeError when the frames are no whole videos, ValueError for another
    ``data_format`` or ``shift_ratio``.

    Example:
        >>> x = paddle.to_tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).reshape([2, 4, 1, 1])
        >>> F.temporal_shift(x, 2).flatten().tolist()
        [0.0, 6.0, 3.0, 4.0, 1.0, 0.0, 7.0, 8.0]

    Source: Lin, Gan and Han, "TSM: Temporal Shift Module for Efficient Video Understanding".
    """
    if not 0 <= shift_ratio <= 0.5:
        raise ArgumentError(f"temporal_shift: shift_ratio must lie between 0 and 0.5, got {shift_ratio}")
    return temporal_shift.emit(x, seg_num=int(seg_num), shift_ratio=float(shift_ratio), data_format=data_format)


@temporal_shift.infer
def _(x: TensorSpec, seg_num: int, shift_ratio: float, data_format: str) -> TensorSpec:
    windows.channel_last(data_format, 2, "temporal_shift")
    if x.ndim != 4 or seg_num < 1 or (x.shape[0] != UNKNOWN and x.shape[0] % seg_num):
        raise ShapeError(
            f"temporal_shift: expected 4 dimensions, the first a multiple of seg_num, got {show(x.shape)} and {seg_num}"
        )
    return x


@temporal_shift.from_file
def _(r: FileReader) -> Tensor:
    layout = r.attr("data_format", "NCHW")
    return temporal_shift(r.input("X"), r.attr("seg_num", 1), r.attr("shift_ratio", 0.25), data_format=layout)


@temporal_shift.kernel
def _(xp: ArrayModule, x: Array, seg_num: int, shift_ratio: float, data_format: str) -> Array:
    return _shifted(xp, x, seg_num, shift_ratio, data_format, 1)


def _shifted(xp: ArrayModule, x: Array, seg_num: int, shift_ratio: float, data_format: str, ahead: int) -> Array:
    """Shift channels in time: the first group by ``ahead`` frames, the second group by as many in the other direction."""
    axis = 3 if data_format == "NHWC" else 1
    size = x.shape[axis]
    one, two = int(size * shift_ratio), int(size * 2 * shift_ratio)
    frames = xp.moveaxis(x, axis, 1).reshape(
        -1, seg_num, size, *(d for i, d in enumerate(x.shape) if i not in (0, axis))
    )
    y = xp.zeros_like(frames)
    for channels, step in ((slice(0, one), ahead), (slice(one, two), -ahead)):
        if step > 0:
            y[:, step:, channels] = frames[:, :-step, channels]
        else:
            y[:, :step, channels] = frames[:, -step:, channels]
    y[:, :, two:] = frames[:, :, two:]
    return xp.moveaxis(y.reshape(-1, *y.shape[2:]), 1, axis)


@temporal_shift.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return temporal_shift_grad.emit(g, seg_num=ctx.seg_num, shift_ratio=ctx.shift_ratio, data_format=ctx.data_format)


@op("temporal_shift_grad(X -> Out) seg_num:int shift_ratio:float data_format:str", file=None)
def temporal_shift_grad(x: Tensor, seg_num: int, shift_ratio: float, data_format: str) -> Tensor:
    """The gradient of `temporal_shift`: channels move the other way."""
    return temporal_shift_grad.emit(x, seg_num=seg_num, shift_ratio=shift_ratio, data_format=data_format)


@temporal_shift_grad.infer
def _(x: TensorSpec, seg_num: int, shift_ratio: float, data_format: str) -> TensorSpec:
    return x


@temporal_shift_grad.kernel
def _(xp: ArrayModule, x: Array, seg_num: int, shift_ratio: float, data_format: str) -> Array:
    return _shifted(xp, x, seg_num, shift_ratio, data_format, -1)


@temporal_shift_grad.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return temporal_shift.emit(g, seg_num=ctx.seg_num, shift_ratio=ctx.shift_ratio, data_format=ctx.data_format)


def _f(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).uniform(-1, 1, shape).astype("float32")


_WINDOWS: dict[str, Any] = {"kernel_sizes": [2, 3], "strides": [1, 2], "paddings": [1, 0, 0, 2], "dilations": [1, 1]}
unfold.samples(
    lambda: [
        Sample(_f(1, 2, 3, 4), **_WINDOWS),
        Sample(_f(2, 1, 5, 5), **(_WINDOWS | {"dilations": [2, 2]})),
        Sample(_f(2, 3, 2, 2), **(_EVEN | {"kernel_sizes": [1, 1]})),  # a view of the image
    ]
)
_EVEN: dict[str, Any] = {"kernel_sizes": [2, 2], "strides": [1, 1], "paddings": [0, 0, 0, 0], "dilations": [1, 1]}
unfold_grad.samples(lambda: [Sample(_f(1, 2, 3, 3), _f(1, 8, 4), grad=(1,), **_EVEN)])
fold.samples(
    lambda: [
        Sample(_f(1, 12, 6), output_sizes=[3, 4], file=False, **_WINDOWS),  # Paddle's fold takes even paddings only
        Sample(_f(2, 4, 6), output_sizes=[3, 4], **_EVEN),
    ]
)
pixel_shuffle.samples(
    lambda: [
        Sample(_f(1, 8, 2, 3), upscale_factor=2, data_format="NCHW"),
        Sample(_f(2, 2, 1, 9), upscale_factor=3, data_format="NHWC"),
    ]
)
pixel_unshuffle.samples(
    lambda: [
        Sample(_f(1, 2, 2, 3), downscale_factor=1, data_format="NCHW"),
        Sample(_f(1, 2, 4, 6), downscale_factor=2, data_format="NCHW"),
        Sample(_f(2, 3, 6, 2), downscale_factor=3, data_format="NHWC"),
    ]
)
channel_shuffle.samples(
    lambda: [
        Sample(_f(1, 4, 2, 3), groups=1, data_format="NCHW"),
        Sample(_f(1, 6, 2, 2), groups=2, data_format="NCHW"),
        Sample(_f(2, 2, 1, 6), groups=3, data_format="NHWC"),
    ]
)
_FRAMES: dict[str, Any] = {"seg_num": 2, "shift_ratio": 0.25, "data_format": "NCHW"}
_LAST_FRAMES: dict[str, Any] = {"seg_num": 3, "shift_ratio": 0.25, "data_format": "NHWC"}
temporal_shift.samples(lambda: [Sample(_f(4, 4, 2, 1), **_FRAMES), Sample(_f(3, 1, 2, 5), **_LAST_FRAMES)])
temporal_shift_grad.samples(lambda: [Sample(_f(4, 4, 2, 1), **_FRAMES), Sample(_f(3, 1, 2, 5), **_LAST_FRAMES)])
