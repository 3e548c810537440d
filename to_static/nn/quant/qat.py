"""Layers of which input and weight go through quanters."""

from __future__ import annotations

from typing import Any

from to_static.nn import functional as F
from to_static.nn.quant.format import ConvertibleQuantedLayer


class _Quanted(ConvertibleQuantedLayer):
    """The base of quantized layers: the parameters of the original layer, and quanters from the configuration."""

    def __init__(self, layer: Any, q_config: Any) -> None:
        super().__init__()
        self.weight, self.bias = layer.weight, layer.bias
        self.weight_quanter = None if q_config.weight is None else q_config.weight._instance(layer)
        self.activation_quanter = None if q_config.activation is None else q_config.activation._instance(layer)

    def forward(self, input: Any) -> Any:
        weight = self.weight if self.weight_quanter is None else self.weight_quanter(self.weight)
        return self._compute(input if self.activation_quanter is None else self.activation_quanter(input), weight)

    def _compute(self, input: Any, weight: Any) -> Any:
        raise NotImplementedError("a subclass must define this method")

    def weights_to_quanters(self) -> list[tuple[str, str]]:
        return [("weight", "weight_quanter")]

    def activation_quanters(self) -> list[str]:
        return ["activation_quanter"]


class QuantedLinear(_Quanted):
    """`nn.Linear` with quanters."""

    def _compute(self, input: Any, weight: Any) -> Any:
        return F.linear(input, weight, self.bias)


class QuantedConv2D(_Quanted):
    """`nn.Conv2D` with quanters."""

    def __init__(self, layer: Any, q_config: Any) -> None:
        super().__init__(layer, q_config)
        self._stride, self._padding, self._padding_mode = layer._stride, layer._padding, layer._padding_mode
        self._dilation, self._groups, self._data_format = layer._dilation, layer._groups, layer._data_format

    def _compute(self, input: Any, weight: Any) -> Any:
        padding = self._padding
        if self._padding_mode != "zeros":
            input = F.pad(input, [padding] * 4, mode=self._padding_mode, data_format=self._data_format)
            padding = 0
        return F.conv2d(
            input, weight, self.bias, self._stride, padding, self._dilation, self._groups, self._data_format
        )  # fmt: skip
