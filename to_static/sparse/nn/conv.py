"""Convolutions of points as layers."""

from __future__ import annotations

import math
from typing import Any

from to_static.compiler.ops import arguments
from to_static.nn.initializer import Normal
from to_static.nn.layer import Layer
from to_static.sparse.nn.functional.conv import LAYOUTS, convolved

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
        for what, argument, wanted in (
            ("groups", groups, 1), ("padding_mode", padding_mode, "zeros"), ("data_format", data_format, LAYOUTS[n]),
        ):  # fmt: skip
            if argument != wanted:
                raise ValueError(f"{name}: expected {what}={wanted!r}, got {argument!r}")
        if weight_attr is False:
            raise ValueError(f"{name}: weight_attr must not be False, a convolution needs its weight")
        self._in_channels, self._out_channels, self._groups = in_channels, out_channels, groups
        self._kernel_size = arguments.repeat_ints(kernel_size, n, f"{name}: kernel_size")
        self._stride = arguments.repeat_ints(stride, n, f"{name}: stride")
        self._dilation = arguments.repeat_ints(dilation, n, f"{name}: dilation")
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
        settings = [f"{self._in_channels}, {self._out_channels}, kernel_size={self._kernel_size}"]
        settings += [f"{name}={value}" for name, value, usual in rows if value != usual]
        return ", ".join([*settings, f"data_format={self._data_format}"])


def _described(layer: Any, n: int, subm: bool) -> Any:
    """The public class of that many dimensions: its name and documents."""
    layer._dims, layer._subm = n, subm
    layer.__name__ = layer.__qualname__ = f"{'Subm' if subm else ''}Conv{n}D"
    layer.__init__.__qualname__ = f"{layer.__name__}.__init__"
    layer.__doc__ = _DOC.format(
        title="Submanifold convolution" if subm else "Convolution", n=n, size=", ".join("DHW"[-n:]),
        function=("subm_" if subm else "") + f"conv{n}d", layout=LAYOUTS[n], name=layer.__name__,
        key="\n        key: not used; there for compatibility." if subm else "", sizes=", 4" * n, sparse=n + 1,
    )  # fmt: skip
    return layer


def _free(n: int) -> Any:
    class Conv(_Convolution):
        def __init__(
            self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
            groups: int = 1, padding_mode: str = "zeros", weight_attr: Any = None, bias_attr: Any = None,
            data_format: str = LAYOUTS[n],
        ) -> None:  # fmt: skip
            super().__init__()
            self._setup(
                in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode, weight_attr, bias_attr,
                data_format,
            )  # fmt: skip

    return _described(Conv, n, False)


def _submanifold(n: int) -> Any:
    class Conv(_Convolution):
        def __init__(
            self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
            groups: int = 1, padding_mode: str = "zeros", key: Any = None, weight_attr: Any = None, bias_attr: Any = None,
            data_format: str = LAYOUTS[n],
        ) -> None:  # fmt: skip
            super().__init__()
            self._setup(
                in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode, weight_attr, bias_attr,
                data_format,
            )  # fmt: skip

    return _described(Conv, n, True)


Conv2D, Conv3D = _free(2), _free(3)
SubmConv2D, SubmConv3D = _submanifold(2), _submanifold(3)
