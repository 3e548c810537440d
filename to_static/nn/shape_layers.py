"""Layers that only move elements: Flatten, Unflatten, padding, pixel shuffles, windows, upsampling."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import functions, shape_rules
from to_static.core.diagnostics.printable import printable
from to_static.nn import functional as F
from to_static.nn.functional_layer import REQUIRED, declare
from to_static.nn.layer import Layer


class Flatten(Layer):
    """Joins the dimensions ``start_axis`` (default 1) to ``stop_axis`` (default the last) into one.

    ``[N, *]`` becomes ``[N, size]`` by default.

    Example:
        >>> paddle.nn.Flatten()(paddle.ones([2, 3, 4])).shape
        [2, 12]
    """

    def __init__(self, start_axis: int = 1, stop_axis: int = -1) -> None:
        super().__init__()
        self.start_axis, self.stop_axis = start_axis, stop_axis

    def forward(self, input: Any) -> Any:
        """``[N, *]`` to ``[N, size]`` by default."""
        return functions.flatten(input, self.start_axis, self.stop_axis)


class Unflatten(Layer):
    """Splits dimension ``axis`` into dimensions of the given ``shape`` (one of which may be -1).

    Example:
        >>> paddle.nn.Unflatten(1, [3, -1])(paddle.ones([2, 6])).shape
        [2, 3, 2]
    """

    def __init__(self, axis: int, shape: Any, name: str | None = None) -> None:
        super().__init__()
        self.axis, self.shape, self.name = axis, shape, name

    def forward(self, input: Any) -> Any:
        """The inverse of `Flatten`."""
        sizes = list(input.shape)
        axis = shape_rules.axis_index(self.axis, len(sizes), "Unflatten")
        return functions.reshape(input, [*sizes[:axis], *self.shape, *sizes[axis + 1 :]])

    def extra_repr(self) -> str:
        return f"axis={self.axis}, shape={self.shape}{f', name={printable(self.name)}' if self.name else ''}"


class _Padding(Layer):
    _dims = 0
    _layout = ""

    def __init__(
        self,
        padding: Any,
        mode: str = "constant",
        value: float = 0.0,
        data_format: str | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._pad = [padding] * (2 * self._dims) if isinstance(padding, int) else padding
        self._mode, self._value, self._data_format, self._name = mode, value, data_format or self._layout, name

    def forward(self, x: Any) -> Any:
        """``x`` with larger spatial dimensions."""
        return F.pad(x, self._pad, mode=self._mode, value=self._value, data_format=self._data_format)

    def extra_repr(self) -> str:
        name = f", name={printable(self._name)}" if self._name else ""
        return f"padding={self._pad}, mode={self._mode}, value={self._value}, data_format={self._data_format}{name}"


class Pad1D(_Padding):
    """Pads the last dimension of ``[N, C, L]``; see `Pad2D`.

    ``padding``: an int, or ``[left, right]``; ``mode``: 'constant' (default, with ``value``), 'reflect', 'replicate'
    or 'circular'; ``data_format``: 'NCL' (default) or 'NLC'.

    Example:
        >>> paddle.nn.Pad1D([1, 0])(paddle.ones([1, 1, 2])).tolist()
        [[[0.0, 1.0, 1.0]]]
    """

    _dims, _layout = 1, "NCL"


class Pad2D(_Padding):
    """Pads the spatial dimensions of ``[N, C, H, W]``.

    Args:
        padding: an int, or ``[left, right, top, bottom]``.
        mode: 'constant' (the default, with ``value``), 'reflect', 'replicate' or 'circular'.
        data_format: 'NCHW' (default) or 'NHWC'.

    Example:
        >>> paddle.nn.Pad2D(1)(paddle.ones([1, 1, 2, 2])).shape
        [1, 1, 4, 4]
    """

    _dims, _layout = 2, "NCHW"


class Pad3D(_Padding):
    """Pads the spatial dimensions of ``[N, C, D, H, W]``; see `Pad2D`.

    ``padding``: an int, or ``[left, right, top, bottom, front, back]``; ``mode``: 'constant' (default, with
    ``value``), 'reflect', 'replicate' or 'circular'; ``data_format``: 'NCDHW' (default) or 'NDHWC'.

    Example:
        >>> paddle.nn.Pad3D(1)(paddle.ones([1, 1, 2, 2, 2])).shape
        [1, 1, 4, 4, 4]
    """

    _dims, _layout = 3, "NCDHW"


class ZeroPad2D(_Padding):
    """Pads the spatial dimensions of ``[N, C, H, W]`` with zeros; ``padding`` as for `Pad2D`.

    ``data_format``: 'NCHW' (default) or 'NHWC'.

    Example:
        >>> paddle.nn.ZeroPad2D([1, 0, 0, 0])(paddle.ones([1, 1, 1, 1])).tolist()
        [[[[0.0, 1.0]]]]
    """

    _dims, _layout = 2, "NCHW"

    def __init__(self, padding: Any, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(padding, "constant", 0.0, data_format, name)

    def extra_repr(self) -> str:
        return f"padding={self._pad}, data_format={self._data_format}{f', name={printable(self._name)}' if self._name else ''}"


class Upsample(Layer):
    """Resizes ``[N, C, *size]`` to ``size`` or by ``scale_factor``; see `nn.functional.interpolate`.

    ``mode``, ``align_corners``, ``align_mode`` and ``data_format`` are as there.

    Example:
        >>> paddle.nn.Upsample(scale_factor=2)(paddle.ones([1, 1, 2, 2])).shape
        [1, 1, 4, 4]
    """

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool = False,
        align_mode: int = 0,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode.lower()
        self.align_corners, self.align_mode, self.data_format, self.name = align_corners, align_mode, data_format, name

    def forward(self, x: Any) -> Any:
        """``x`` with other spatial dimensions."""
        return F.interpolate(
            x,
            size=self.size,
            scale_factor=self.scale_factor,
            mode=self.mode,
            align_corners=self.align_corners,
            align_mode=self.align_mode,
            data_format=self.data_format,
        )

    def extra_repr(self) -> str:
        size = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return (
            f"{size}, mode={self.mode}, align_corners={self.align_corners}, align_mode={self.align_mode}, "
            f"data_format={self.data_format}{f', name={printable(self.name)}' if self.name else ''}"
        )


class UpsamplingNearest2D(Layer):
    """`Upsample` with the nearest element.

    ``size`` or ``scale_factor``: two numbers, or one for both; ``data_format``: 'NCHW' (default) or 'NHWC'.

    Example:
        >>> paddle.nn.UpsamplingNearest2D(size=[4, 4])(paddle.ones([1, 1, 2, 2])).shape
        [1, 1, 4, 4]
    """

    def __init__(
        self, size: Any = None, scale_factor: Any = None, data_format: str = "NCHW", name: str | None = None
    ) -> None:
        super().__init__()
        self.size, self.scale_factor, self.data_format, self.name = size, scale_factor, data_format, name

    def forward(self, x: Any) -> Any:
        """``x`` with other spatial dimensions."""
        return F.upsample(x, self.size, self.scale_factor, "nearest", data_format=self.data_format)

    def extra_repr(self) -> str:
        return _upsampling_repr(self)


class UpsamplingBilinear2D(Layer):
    """`Upsample` with bilinear interpolation between aligned corners.

    ``size`` or ``scale_factor``: two numbers, or one for both; ``data_format``: 'NCHW' (default) or 'NHWC'.

    Example:
        >>> paddle.nn.UpsamplingBilinear2D(scale_factor=2)(paddle.ones([1, 1, 2, 2])).shape
        [1, 1, 4, 4]
    """

    def __init__(
        self, size: Any = None, scale_factor: Any = None, data_format: str = "NCHW", name: str | None = None
    ) -> None:
        super().__init__()
        self.size, self.scale_factor, self.data_format, self.name = size, scale_factor, data_format, name

    def forward(self, x: Any) -> Any:
        """``x`` with other spatial dimensions."""
        return F.upsample(x, self.size, self.scale_factor, "bilinear", align_corners=True, data_format=self.data_format)

    def extra_repr(self) -> str:
        return _upsampling_repr(self)


def _upsampling_repr(layer: UpsamplingNearest2D | UpsamplingBilinear2D) -> str:
    size = f"size={layer.size}" if layer.scale_factor is None else f"scale_factor={layer.scale_factor}"
    return f"{size}, data_format={layer.data_format}{f', name={printable(layer.name)}' if layer.name else ''}"


PixelShuffle = declare(
    __name__, "PixelShuffle", "pixel_shuffle", "``[N, C * r * r, H, W]`` to ``[N, C, H * r, W * r]``, with ``r = upscale_factor``.",
    ("upscale_factor",), attributes="_{}", upscale_factor=REQUIRED, data_format="NCHW",
    example=">>> paddle.nn.PixelShuffle(2)(paddle.ones([1, 8, 2, 2])).shape\n[1, 2, 4, 4]",
)  # fmt: skip
PixelUnshuffle = declare(
    __name__, "PixelUnshuffle", "pixel_unshuffle",
    "``[N, C, H * r, W * r]`` to ``[N, C * r * r, H, W]``, with ``r = downscale_factor``: the inverse of `PixelShuffle`.",
    ("downscale_factor",), attributes="_{}", downscale_factor=REQUIRED, data_format="NCHW",
    example=">>> paddle.nn.PixelUnshuffle(2)(paddle.ones([1, 2, 4, 4])).shape\n[1, 8, 2, 2]",
)  # fmt: skip
ChannelShuffle = declare(
    __name__, "ChannelShuffle", "channel_shuffle", "Interleaves ``groups`` groups of channels.",
    ("groups",), attributes="_{}", groups=REQUIRED, data_format="NCHW",
    example=">>> paddle.nn.ChannelShuffle(2)(paddle.arange(4).reshape([1, 4, 1, 1])).flatten().tolist()\n[0, 2, 1, 3]",
)  # fmt: skip
_WINDOWS = {"kernel_size": "kernel_sizes", "dilation": "dilations", "padding": "paddings", "stride": "strides"}
Unfold = declare(
    __name__, "Unfold", "unfold", "The windows of ``[N, C, H, W]`` as columns ``[N, C * kernel, windows]``.",
    _WINDOWS, inputs="input", kernel_sizes=REQUIRED, dilations=1, paddings=0, strides=1,
    example=">>> paddle.nn.Unfold(2)(paddle.ones([1, 3, 4, 4])).shape\n[1, 12, 9]",
)  # fmt: skip
Fold = declare(
    __name__, "Fold", "fold", "The inverse of `Unfold`; windows that overlap are added.",
    _WINDOWS, inputs="input", output_sizes=REQUIRED, kernel_sizes=REQUIRED, dilations=1, paddings=0, strides=1,
    example=">>> paddle.nn.Fold([4, 4], 2)(paddle.ones([1, 12, 9])).shape\n[1, 3, 4, 4]",
)  # fmt: skip
