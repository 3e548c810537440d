"""`Stub`: a place in a network where `quantization` puts an observer."""

from __future__ import annotations

from typing import Any

from to_static.nn.layer import Layer


class Stub(Layer):
    """Gives its input. `quantization.QAT` and `PTQ` put a quanter in its place.

    Args:
        observer: what is put there; default: that of the configuration.

    Example:
        >>> self.quant = paddle.nn.quant.Stub()
        >>> y = paddle.nn.functional.relu(self.quant(x))
    """

    def __init__(self, observer: Any = None) -> None:
        super().__init__()
        self._observer = observer

    def forward(self, input: Any) -> Any:
        return input


class QuanterStub(Layer):
    """The layer that takes the place of a `Stub`."""

    def __init__(self, layer: Stub, q_config: Any) -> None:
        super().__init__()
        chosen = layer._observer if layer._observer is not None else q_config.activation
        self._observer = None if chosen is None else chosen._instance(layer)

    def forward(self, input: Any) -> Any:
        return input if self._observer is None else self._observer(input)
