"""`QuantConfig`: which layers of a network get which quanters."""

from __future__ import annotations

from typing import Any

from to_static import nn
from to_static.nn.layer import Layer
from to_static.nn.quant.qat import QuantedConv2D, QuantedLinear
from to_static.nn.quant.stub import QuanterStub, Stub

DEFAULT_QAT_LAYER_MAPPINGS: dict[Any, Any] = {Stub: QuanterStub, nn.Linear: QuantedLinear, nn.Conv2D: QuantedConv2D}
DEFAULT_LEAVES = (nn.ReLU, nn.AvgPool2D)


class SingleLayerConfig:
    """The quanters of a layer: of what comes in, and of its weight; None: none.

    ``activation``, ``weight``: factories of quanters.

    Example:
        >>> config = paddle.quantization.SingleLayerConfig(None, None)
    """

    def __init__(self, activation: Any, weight: Any) -> None:
        self.activation, self.weight = activation, weight

    def __str__(self) -> str:
        return f"activation: {self.activation}\nweight: {self.weight}"

    __repr__ = __str__


class QuantConfig:
    """The layers to quantize, and the quanters for them.

    Args:
        activation: factory of quanters (or observers) of what comes into layers, for all layers; None: none.
        weight: the same of weights.

    A name counts more than a type, a type more than the rest.

    Example:
        >>> config = paddle.quantization.QuantConfig(activation=None, weight=None)
        >>> config.add_type_config(paddle.nn.Linear, activation=quanter, weight=quanter)

    Source: PaddlePaddle 2.6, ``paddle.quantization.QuantConfig``.
    """

    def __init__(self, activation: Any, weight: Any) -> None:
        self._global = None if activation is None and weight is None else SingleLayerConfig(activation, weight)
        self._of_layer: dict[Layer, SingleLayerConfig] = {}
        self._of_name: dict[str, SingleLayerConfig] = {}
        self._of_type: dict[Any, SingleLayerConfig] = {}
        self._mapping = dict(DEFAULT_QAT_LAYER_MAPPINGS)
        self._leaves: list[Any] = []
        self._model: Layer | None = None

    def add_layer_config(self, layer: Any, activation: Any = None, weight: Any = None) -> None:
        """For a layer, or a list of layers; they are found again by their full names."""
        for one in layer if isinstance(layer, list) else [layer]:
            self.add_name_config(one.full_name(), activation, weight)

    def add_name_config(self, layer_name: Any, activation: Any = None, weight: Any = None) -> None:
        """For layers of a full name, or of a list of names."""
        for name in layer_name if isinstance(layer_name, list) else [layer_name]:
            self._of_name[name] = SingleLayerConfig(activation, weight)

    def add_type_config(self, layer_type: Any, activation: Any = None, weight: Any = None) -> None:
        """For layers of a class, or of a list of classes."""
        for layer_class in layer_type if isinstance(layer_type, list) else [layer_type]:
            if isinstance(layer_class, type) and issubclass(layer_class, Layer):
                self._of_type[layer_class] = SingleLayerConfig(activation, weight)

    def add_qat_layer_mapping(self, source: Any, target: Any) -> None:
        """Put a ``target(layer, config)`` in the place of layers of class ``source``. Raises AssertionError for no classes."""
        if not (isinstance(source, type) and issubclass(source, Layer)):
            raise AssertionError("The source layer to be placed should be a subclass of paddle.nn.Layer")
        if not isinstance(target, type):
            raise AssertionError("The target layer should be a class")
        self._mapping[source] = target

    def add_customized_leaf(self, layer_type: Any) -> None:
        """Layers of this class are observed as a whole, whatever is in them."""
        self._leaves.append(layer_type)

    @property
    def customized_leaves(self) -> list[Any]:
        """The classes of `add_customized_leaf`."""
        return self._leaves

    @property
    def qat_layer_mappings(self) -> dict[Any, Any]:
        """The classes of quantized layers by the classes that they replace."""
        return self._mapping

    @property
    def default_qat_layer_mapping(self) -> dict[Any, Any]:
        """The same before anything was added."""
        return DEFAULT_QAT_LAYER_MAPPINGS

    @property
    def global_config(self) -> SingleLayerConfig | None:
        """The quanters of all layers that nothing else is said of."""
        return self._global

    def _specify(self, model: Layer) -> None:
        """Look up the quanters of every layer of a network."""
        self._model = model
        todo = [model]
        while todo:
            parent = todo.pop()
            for child in parent.children():
                config = self._of_layer.get(parent, self._global)
                config = self._of_name.get(child.full_name(), self._of_type.get(type(child), config))
                if config is not None:
                    self._of_layer[child] = config
                todo.append(child)

    def _replacement(self, layer: Layer) -> Any:
        """The layer that computes with quanters in the place of this one; None: there is none."""
        config, target = self._of_layer.get(layer), self._mapping.get(type(layer))
        return None if config is None or target is None else target(layer, config)

    def _observer(self, layer: Layer) -> Any:
        """The observer that is put before a layer; None: there is none."""
        config = self._of_layer.get(layer)
        is_leaf = type(layer) in DEFAULT_LEAVES or not layer._sub_layers or type(layer) in self._leaves
        return config.activation._instance(layer) if is_leaf and config is not None and config.activation is not None else None

    def details(self) -> str:
        """The network with the quanters of its layers, after it was quantized."""
        return str(self) if self._model is None else self._layer_text(self._model)

    def _layer_text(self, layer: Layer) -> str:
        lines = [
            f"({name}): {_indented(self._layer_text(child))}, {self._of_layer[child]}"
            for name, child in layer.named_children()
            if child in self._of_layer
        ]
        return type(layer).__name__ + "(" + ("\n  " + "\n  ".join(lines) + "\n" if lines else "") + ")"

    def __str__(self) -> str:
        text = f"Global config:\n{self._global}\n"
        if self._of_type:
            text += f"Layer type config:\n{self._of_type}\n"
        if self._of_name:
            text += f"Layer prefix config: \n{self._of_name}\n"
        return text


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")
