"""Quanters: layers that make numbers as they would be with few bits, while the network is trained."""

from __future__ import annotations

from typing import Any

from to_static.autograd.py_layer import PyLayer
from to_static.core import unique_name
from to_static.nn.initializer import Constant
from to_static.nn.parameter import ParamAttr
from to_static.quantization.factory import BaseQuanter, QuanterFactory

__all__ = ["FakeQuanterWithAbsMaxObserver"]


class _Rounded(PyLayer):
    """The nearest multiple of ``scale / most``, at most ``scale``; gradients go through as if nothing were done."""

    @staticmethod
    def forward(ctx: Any, x: Any, scale: Any, max_level: int) -> Any:
        clipped = x.minimum(scale).maximum(-scale)
        return (clipped * (max_level / scale)).round() * scale / max_level

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient, None


class FakeQuanterWithAbsMaxObserverLayer(BaseQuanter):
    """Rounds by a scale that follows the greatest magnitude of what comes in while it is trained."""

    def __init__(
        self, layer: Any, name: str | None = None, moving_rate: float = 0.9, bit_length: int = 8, dtype: str = "float32"
    ) -> None:
        super().__init__()
        self._moving_rate, self._bit_length = moving_rate, bit_length
        for state_name, value in (("scale", 0.001), ("state", 1.0), ("accum", 1.0)):
            attr = ParamAttr(
                name=unique_name.generate(f"{name or 'quant_dequant'}.{state_name}"), initializer=Constant(value), trainable=False
            )
            parameter = self.create_parameter(shape=[1], attr=attr, dtype=dtype)
            parameter.stop_gradient = True
            setattr(self, f"_{state_name}", parameter)

    def forward(self, input: Any) -> Any:
        if self.training:
            self._state.set_value(self._state * self._moving_rate + 1)
            self._accum.set_value(self._accum * self._moving_rate + input.detach().abs().max())
            self._scale.set_value(self._accum / self._state)
        return _Rounded.apply(input, self._scale, (1 << (self._bit_length - 1)) - 1)

    def bit_length(self) -> int:
        return self._bit_length

    def quant_axis(self) -> int:
        return -1

    def scales(self) -> Any:
        return self._scale

    def zero_points(self) -> None:
        return None


class FakeQuanterWithAbsMaxObserver(QuanterFactory):
    """Numbers of ``bit_length`` bits, whose scale is a moving average (``moving_rate``) of the greatest magnitudes.

    Example:
        >>> quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
        >>> config = paddle.quantization.QuantConfig(activation=quanter, weight=quanter)

    Source: Jacob et al., "Quantization and Training of Neural Networks", CVPR 2018, in the form of PaddlePaddle 2.6.
    """

    def __init__(
        self, moving_rate: float = 0.9, bit_length: int = 8, dtype: str = "float32", name: str | None = None
    ) -> None:
        super().__init__(name=name, moving_rate=moving_rate, bit_length=bit_length, dtype=dtype)

    def _get_class(self) -> Any:
        return FakeQuanterWithAbsMaxObserverLayer
