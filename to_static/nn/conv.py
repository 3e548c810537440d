"""Convolution layers and their transposes in 1, 2 and 3 dimensions."""

from __future__ import annotations

import math
from typing import Any

from to_static.compiler.ops import arguments
from to_static.nn import functional as F
from to_static.nn.initializer import Initializer, Normal
from to_static.nn.layer import Layer

_MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Layer):
    """Settings, the parameters ``weight`` and ``bias``, and repr of all convolutions; layers of packages are made of it, too.

    ``dims``: 1, 2 or 3; ``transposed``: whether the weight is that of a transposed convolution. The rest is as in `Conv2D`.
    """

    _dims = 0
    _function = ""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        transposed: bool,
        dims: int,
        stride: Any = 1,
        padding: Any = 0,
        padding_mode: str = "zeros",
        output_padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__()
        n, name = dims, type(self).__name__
        if weight_attr is False:
            raise ValueError(f"{name}: weight_attr must not be False, a convolution needs its weight")
        if padding_mode not in _MODES:
            raise ValueError(f"{name}: padding_mode must be one of {', '.join(_MODES)}, got {padding_mode!r}")
        if padding_mode != "zeros" and not isinstance(padding, int):
            raise TypeError(f"{name}: padding_mode={padding_mode!r} needs an int as padding, got {padding!r}")
        if in_channels % groups:
            raise ValueError(f"{name}: in_channels={in_channels} is not divisible by groups={groups}")
        self._in_channels, self._out_channels, self._groups = in_channels, out_channels, groups
        self._kernel_size = arguments.repeat_ints(kernel_size, n, f"{name}: kernel_size")
        self._stride = arguments.repeat_ints(stride, n, f"{name}: stride")
        self._dilation = arguments.repeat_ints(dilation, n, f"{name}: dilation")
        self._padding, self._padding_mode, self.output_padding = padding, padding_mode, output_padding
        self._data_format = data_format
        self._channel_dim = 1 if data_format.startswith("NC") else n + 1
        if n > 1:
            self._updated_padding, self._padding_algorithm = _explicit(padding, n)
            if padding_mode != "zeros":
                self._updated_padding = 0
                self._reversed_padding_repeated_twice = [padding] * (2 * n)
        self._param_attr, self._bias_attr = weight_attr, bias_attr
        default: Initializer | None = None
        if transposed:
            shape = [in_channels, out_channels // groups]
        else:
            shape = [out_channels, in_channels // groups]
            default = Normal(0.0, math.sqrt(2.0 / (math.prod(self._kernel_size) * in_channels)))
        self.weight = self.create_parameter([*shape, *self._kernel_size], weight_attr, default_initializer=default)
        self.bias = self.create_parameter([self._out_channels], bias_attr, is_bias=True)

    def extra_repr(self) -> str:
        ones = [1] * len(self._stride)
        settings = [f"{self._in_channels}, {self._out_channels}, kernel_size={self._kernel_size}"]
        rows = (
            ("stride", self._stride, ones),
            ("padding", self._padding, 0),
            ("padding_mode", self._padding_mode, "zeros"),
            ("output_padding", self.output_padding, 0),
            ("dilation", self._dilation, ones),
            ("groups", self._groups, 1),
        )
        settings += [f"{name}={value}" for name, value, usual in rows if value != usual]
        return ", ".join([*settings, f"data_format={self._data_format}"])


class _Forward(_ConvNd):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        padding_mode: str = "zeros",
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str | None = None,
    ) -> None:
        super().__init__(
            in_channels, out_channels, kernel_size, False, self._dims, stride, padding, padding_mode, 0, dilation, groups,
            weight_attr, bias_attr, data_format or _LAYOUTS[self._dims],
        )  # fmt: skip

    def forward(self, x: Any) -> Any:
        """``[N, in_channels, *size]`` to ``[N, out_channels, *new size]``."""
        padding = self._padding
        if self._padding_mode != "zeros":
            x = F.pad(x, [padding] * (2 * self._dims), mode=self._padding_mode, data_format=self._data_format)
            padding = 0
        return getattr(F, self._function)(
            x,
            self.weight,
            bias=self.bias,
            stride=self._stride,
            padding=padding,
            dilation=self._dilation,
            groups=self._groups,
            data_format=self._data_format,
        )


class _Transposed(_ConvNd):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str | None = None,
    ) -> None:
        super().__init__(
            in_channels, out_channels, kernel_size, True, self._dims, stride, padding, "zeros", output_padding, dilation, groups,
            weight_attr, bias_attr, data_format or _LAYOUTS[self._dims],
        )  # fmt: skip

    def forward(self, x: Any, output_size: Any = None) -> Any:
        """``[N, in_channels, *size]`` to ``[N, out_channels, *larger size]``; ``output_size`` decides between possible sizes."""
        return getattr(F, self._function)(
            x,
            self.weight,
            bias=self.bias,
            stride=self._stride,
            padding=self._padding,
            output_padding=self.output_padding if output_size is None else 0,
            dilation=self._dilation,
            groups=self._groups,
            output_size=output_size,
            data_format=self._data_format,
        )


def _explicit(padding: Any, n: int) -> tuple[Any, str]:
    """The padding of ``n`` dimensions and its kind, as subclasses find them in Paddle's layers."""
    if isinstance(padding, str):
        return [0] * n, padding.upper()
    if isinstance(padding, int):
        return [padding] * n, "EXPLICIT"
    flat = [p for side in padding for p in side] if padding and isinstance(padding[0], (list, tuple)) else list(padding)
    flat = flat[2 * (len(padding) - n) :] if len(flat) > 2 * n else flat  # without batch and channels
    per_axis = flat[::2] if len(flat) == 2 * n and flat[::2] == flat[1::2] else flat
    return per_axis, "EXPLICIT"


_LAYOUTS = {1: "NCL", 2: "NCHW", 3: "NCDHW"}
_DOC = """{title} over ``[N, C, {size}]``.

    Args:
        in_channels, out_channels: channels of input and result.
        kernel_size, stride, padding, dilation: an int or one per dimension (padding also 'SAME' or 'VALID').
        groups: channels are split into this many groups that do not see each other.
        {extra}
        weight_attr: how ``weight`` ``{weight}`` is made ({default}).
        bias_attr: how ``bias`` ``[out_channels]`` is made (default: zeros); False for none.
        data_format: ``{layout!r}`` or channels last.

    Raises ValueError when ``groups`` does not divide the channels. A call raises ShapeError for an input that does not fit.

    Example:
        >>> paddle.nn.{name}(3, 8, 3)(paddle.ones([2, 3{before}])).shape
        [2, 8{after}]
    """


def _doc(n: int, transposed: bool) -> str:
    return _DOC.format(
        title="Transposed convolution" if transposed else "Convolution",
        size=", ".join("DHW"[-n:] if n > 1 else "L"),
        extra="output_padding: added to one side of the result." if transposed
        else "padding_mode: 'zeros', 'reflect', 'replicate' or 'circular'.",
        weight="[in_channels, out_channels // groups, *kernel_size]" if transposed
        else "[out_channels, in_channels // groups, *kernel_size]",
        default="default: Xavier uniform" if transposed else "default: normal, std sqrt(2 / fan-in)",
        layout=_LAYOUTS[n],
        name=f"Conv{n}D{'Transpose' * transposed}",
        before=", 4" * n,
        after=f", {6 if transposed else 2}" * n,
    )  # fmt: skip


class Conv1D(_Forward):
    __doc__ = _doc(1, False)
    _dims, _function = 1, "conv1d"


class Conv2D(_Forward):
    __doc__ = _doc(2, False)
    _dims, _function = 2, "conv2d"


class Conv3D(_Forward):
    __doc__ = _doc(3, False)
    _dims, _function = 3, "conv3d"


class Conv2DTranspose(_Transposed):
    __doc__ = _doc(2, True)
    _dims, _function = 2, "conv2d_transpose"


class Conv3DTranspose(_Transposed):
    __doc__ = _doc(3, True)
    _dims, _function = 3, "conv3d_transpose"


class Conv1DTranspose(_Transposed):
    __doc__ = _doc(1, True)
    _dims, _function = 1, "conv1d_transpose"

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCL",
    ) -> None:
        # Paddle's order differs here from the other two: groups before dilation
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, output_padding, dilation, groups, weight_attr,
            bias_attr, data_format,
        )  # fmt: skip
