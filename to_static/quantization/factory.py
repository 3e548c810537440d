"""Quanters and observers, and the factories of them that a configuration names."""

from __future__ import annotations

import abc
import sys
from collections.abc import Callable
from typing import Any

from to_static.nn.layer import Layer


class BaseQuanter(Layer, metaclass=abc.ABCMeta):
    """A layer that gives its input as numbers of few bits would be, and knows the scale. To be derived from.

    ``name_scope``, ``dtype``: as for `Layer`.

    Example:
        >>> issubclass(paddle.quantization.BaseQuanter, nn.Layer)
        True
    """

    @abc.abstractmethod
    def forward(self, input: Any) -> Any:
        """The input, quantized and back."""

    @abc.abstractmethod
    def scales(self) -> Any:
        """The scale: what the greatest integer stands for."""

    @abc.abstractmethod
    def zero_points(self) -> Any:
        """Return the zero points; None: 0."""

    @abc.abstractmethod
    def quant_axis(self) -> Any:
        """The axis along which there are several scales; -1: none."""

    @abc.abstractmethod
    def bit_length(self) -> Any:
        """Return the number of bits."""


class BaseObserver(BaseQuanter, metaclass=abc.ABCMeta):
    """A layer that gives its input as it is, and keeps what it has to know for a scale. To be derived from.

    ``name_scope``, ``dtype``: as for `Layer`.

    Example:
        >>> issubclass(paddle.quantization.BaseObserver, nn.Layer)
        True
    """

    @abc.abstractmethod
    def cal_thresholds(self) -> None:
        """Compute the scale of what was seen."""


class QuanterFactory(metaclass=abc.ABCMeta):
    """Arguments for a quanter, of which one is made for each layer.

    Example:
        >>> issubclass(paddle.quantization.ObserverFactory, object)
        True
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args, self.kwargs = args, kwargs

    @abc.abstractmethod
    def _get_class(self) -> Any:
        """The class of the quanters."""

    def _instance(self, layer: Layer) -> Any:
        return self._get_class()(layer, *self.args, **self.kwargs)

    def __str__(self) -> str:
        arguments = [*map(str, self.args), *(f"{name}={value}" for name, value in self.kwargs.items())]
        return f"{type(self).__name__}({','.join(arguments)})"

    __repr__ = __str__


ObserverFactory = QuanterFactory


def quanter(class_name: str) -> Callable[[Any], Any]:
    """For a quanter class of the user's: makes a factory of that name in the module where the class stands.

    ``class_name``: the name of the factory.

    Example:
        >>> @paddle.quantization.quanter('CustomizedQuanter')
        ... class CustomizedQuanterLayer(paddle.quantization.BaseQuanter):
        ...     def __init__(self, layer, bits=8): ...
        >>> config = paddle.quantization.QuantConfig(activation=CustomizedQuanter(bits=4), weight=None)
    """
    space = sys._getframe(1).f_globals

    def partial_layer(target: Any) -> Any:
        def _get_class(self: Any) -> Any:
            return target

        space[class_name] = type(class_name, (QuanterFactory,), {"_get_class": _get_class, "__module__": space.get("__name__")})
        if "__all__" in space:
            space["__all__"].append(class_name)
        return target

    return partial_layer
