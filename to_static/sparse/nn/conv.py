"""Convolutions of points as layers."""

from __future__ import annotations

import math
from typing import Any

from to_static.nn.initializer import Normal
from to_static.nn.layer import Layer
from to_static.ops import rules
from to_static.sparse.nn.functional.conv import convolved

_LAYOUTS = {2: "NHWC", 3: "NDHWC"}
_DOC = """{title} of points in {n} dimensions, sparse Tensors ``[N, {size}, C]``; see `functional.{function}`.

    Args:
        in_channels, out_channels: channels of input and result.
        kernel_size, stride, padding, dilation: an int or one per dimension (padding also 'SAME' or 'VALID').
        groups: 1, there for compatibility.
        padding_mode: 'zeros', there for compatibility.{key}
        weight_attr: how ``weight``, [*kernel_size, in_channels, out_channels], is made (default: normal, std sqrt(2 / fan-in)).
        bias_attr: how ``bias``, [out_channels], is made (default: zeros); False for none.
        data_format: {layout!r}, there for compatibility.

    Raises:
        ValueError: ``groups``, ``padding_mode`` or ``data_format`` is another, or ``weight_attr`` is False.

    Example:
        >>> conv = paddle.sparse.nn.{name}(2, 5, 3, padding=1)
        >>> conv(paddle.randn([1{sizes}, 2]).to_sparse_coo({sparse})).shape
        [1{sizes}, 5]
    """


class _Convolution(Layer):
    _dims, _subm = 0, False

    def _setup(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any, groups: int,
        padding_mode: str, weight_attr: Any, bias_attr: Any, data_format: str,
    ) -> None:  # fmt: skip
        n, name = self._dims, type(self).__name__
        for what, given, wanted in (
            ("groups", groups, 1), ("padding_mode", padding_mode, "zeros"), ("data_format", data_format, _LAYOUTS[n]),
        ):  # fmt: skip
            if given != wanted:
                raise ValueError(f"{name}: expected {what}={wanted!r}, got {given!r}")
        if weight_attr is False:
            raise ValueError(f"{name}: weight_attr must not be False, a convolution needs its weight")
        self._in_channels, self._out_channels, self._groups = in_channels, out_channels, groups
        self._kernel_size = rules.pair(kernel_size, n, f"{name}: kernel_size")
        self._stride = rules.pair(stride, n, f"{name}: stride")
        self._dilation = rules.pair(dilation, n, f"{name}: dilation")
        self._padding, self._padding_mode, self._data_format = padding, padding_mode, data_format
        self._param_attr, self._bias_attr = weight_attr, bias_attr
        std = math.sqrt(2.0 / (math.prod(self._kernel_size) * in_channels))
        shape = [*self._kernel_size, in_channels, out_channels]
        self.weight = self.create_parameter(shape, weight_attr, default_initializer=Normal(0.0, std))
        self.bias = self.create_parameter([out_channels], bias_attr, is_bias=True)

    def forward(self, x: Any) -> Any:
        """A sparse tensor ``[N, *new size, out_channels]``."""
        return convolved(
            type(self).__name__, self._dims, self._subm, x, self.weight, self.bias, self._stride, self._padding,
            self._dilation, self._groups, self._data_format,
        )  # fmt: skip

    def extra_repr(self) -> str:
        ones = [1] * self._dims
        rows = (("stride", self._stride, ones), ("padding", self._padding, 0), ("dilation", self._dilation, ones))
        shown = [f"{self._in_channels}, {self._out_channels}, kernel_size={self._kernel_size}"]
        shown += [f"{name}={value}" for name, value, usual in rows if value != usual]
        return ", ".join([*shown, f"data_format={self._data_format}"])


class Conv2D(_Convolution):
    _dims = 2

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, padding_mode: str = "zeros", weight_attr: Any = None, bias_attr: Any = None, data_format: str = "NHWC",
    ) -> None:  # fmt: skip
        super().__init__()
        self._setup(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode, weight_attr, bias_attr,
            data_format,
        )  # fmt: skip


class Conv3D(_Convolution):
    _dims = 3

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, padding_mode: str = "zeros", weight_attr: Any = None, bias_attr: Any = None, data_format: str = "NDHWC",
    ) -> None:  # fmt: skip
        super().__init__()
        self._setup(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode, weight_attr, bias_attr,
            data_format,
        )  # fmt: skip


class SubmConv2D(_Convolution):
    _dims, _subm = 2, True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, padding_mode: str = "zeros", key: Any = None, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NHWC",
    ) -> None:  # fmt: skip
        super().__init__()
        self._setup(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode, weight_attr, bias_attr,
            data_format,
        )  # fmt: skip


class SubmConv3D(_Convolution):
    _dims, _subm = 3, True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, padding_mode: str = "zeros", key: Any = None, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NDHWC",
    ) -> None:  # fmt: skip
        super().__init__()
        self._setup(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode, weight_attr, bias_attr,
            data_format,
        )  # fmt: skip


for _class in (Conv2D, Conv3D, SubmConv2D, SubmConv3D):
    _class.__doc__ = _DOC.format(
        title="Submanifold convolution" if _class._subm else "Convolution", n=_class._dims, size=", ".join("DHW"[-_class._dims :]),
        function=("subm_" if _class._subm else "") + f"conv{_class._dims}d", layout=_LAYOUTS[_class._dims], name=_class.__name__,
        key="\n        key: not used; there for compatibility." if _class._subm else "", sizes=", 4" * _class._dims,
        sparse=_class._dims + 1,
    )  # fmt: skip
