"""`PTQRegistry`: the layers that `ImperativePTQ` observes, and what their slots are called in files."""

from __future__ import annotations

from typing import Any

from to_static import nn
from to_static.nn.quant import functional_layers, quant_layers


class LayerInfo:
    """A class of layers, and the slots of its operator: inputs, weights, results."""

    def __init__(self, layer: Any, input_names: list[str], weight_names: list[str], output_names: list[str]) -> None:
        self.layer, self.input_names, self.weight_names, self.output_names = layer, input_names, weight_names, output_names


_PLAIN = (
    nn.AdaptiveMaxPool2D, nn.AdaptiveAvgPool2D, nn.AvgPool2D, nn.MaxPool2D, nn.ReLU, nn.ReLU6, nn.Hardswish, nn.Swish, nn.Sigmoid,
    nn.Softmax, nn.Tanh,
)  # fmt: skip
PTQ_LAYERS_INFO = [
    LayerInfo(nn.Conv2D, ["Input"], ["Filter"], ["Output"]),
    LayerInfo(nn.Linear, ["X"], ["Y"], ["Out"]),
    LayerInfo(nn.BatchNorm2D, ["X"], [], ["Y"]),
    *(LayerInfo(layer_class, ["X"], [], ["Out"]) for layer_class in _PLAIN),
    LayerInfo(functional_layers.add, ["X", "Y"], [], ["Out"]),
]
QUANT_LAYERS_INFO = [
    LayerInfo(quant_layers.QuantizedConv2D, ["Input"], ["Filter"], ["Output"]),
    LayerInfo(quant_layers.QuantizedLinear, ["X"], ["Y"], ["Out"]),
]
SIMULATED_LAYERS: list[Any] = [nn.Conv2D, nn.Linear]


class PTQRegistry:
    """Answers of layers, or classes of layers, whether they are observed.

    Example:
        >>> paddle.quantization.PTQRegistry.is_supported_layer(paddle.nn.ReLU)
        True
    """

    supported_layers_map: dict[Any, LayerInfo] = {info.layer: info for info in PTQ_LAYERS_INFO}
    registered_layers_map: dict[Any, LayerInfo] = {info.layer: info for info in [*PTQ_LAYERS_INFO, *QUANT_LAYERS_INFO]}

    @classmethod
    def is_supported_layer(cls, layer: Any) -> bool:
        """Return whether a layer is observed."""
        return _among(layer, cls.supported_layers_map)

    @classmethod
    def is_registered_layer(cls, layer: Any) -> bool:
        """Return whether its slots are in the registry."""
        return _among(layer, cls.registered_layers_map)

    @classmethod
    def is_simulated_quant_layer(cls, layer: Any) -> bool:
        """Return whether its weight is quantized, too."""
        return _among(layer, SIMULATED_LAYERS)

    @classmethod
    def layer_info(cls, layer: Any) -> LayerInfo:
        """Its slots. Raises AssertionError for a layer that is not known."""
        for layer_class, info in cls.registered_layers_map.items():
            if layer is layer_class or isinstance(layer, layer_class):
                return info
        raise AssertionError("The input layer is not register.")


def _among(layer: Any, classes: Any) -> bool:
    return isinstance(layer, tuple(classes)) or any(layer is cls for cls in classes)
