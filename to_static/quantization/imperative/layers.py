"""The layers that are quantized, and their positions in a network."""

from __future__ import annotations

from typing import Any

from to_static import nn
from to_static.distributed.fleet import meta_parallel
from to_static.nn.layer import Layer
from to_static.nn.quant import functional_layers as functions
from to_static.nn.quant import quant_layers

_NAMES = (
    "Conv2DTranspose Conv2D Linear AdaptiveAvgPool2D AdaptiveMaxPool2D AvgPool2D MaxPool2D Hardswish LeakyReLU PReLU ReLU ReLU6 "
    "Sigmoid Softmax Swish Tanh BatchNorm GroupNorm LayerNorm"
)
layer_name_map: dict[str, Any] = {name: getattr(nn, name) for name in _NAMES.split()}
fake_quant_input_layers: list[Any] = [nn.Conv2D, nn.Linear, nn.Conv2DTranspose]
fake_quant_output_layers = (functions.add, functions.subtract, functions.multiply, functions.divide, functions.matmul)
fake_quant_leaf_layers = (
    quant_layers.FakeQuantAbsMax,
    quant_layers.FakeQuantChannelWiseAbsMax,
    quant_layers.FakeQuantMovingAverageAbsMax,
    quant_layers.MovingAverageAbsMaxScale,
)
fake_quant_wrap_layers = (
    quant_layers.QuantizedConv2D,
    quant_layers.QuantizedLinear,
    quant_layers.QuantizedConv2DTranspose,
    quant_layers.QuantizedColumnParallelLinear,
    quant_layers.QuantizedRowParallelLinear,
)
spec_channel_axis_layers: tuple[Any, ...] = (nn.Conv2DTranspose, nn.Linear)  # channels are the second dimension of their weights


def with_parallel_layers() -> tuple[dict[str, Any], list[Any]]:
    """The tables of all layers by name and of those with weights, `fleet`'s among them."""
    parallel = {name: getattr(meta_parallel, name) for name in ("ColumnParallelLinear", "RowParallelLinear")}
    return {**layer_name_map, **parallel}, [*fake_quant_input_layers, *parallel.values()]


def find_parent_layer_and_sub_name(model: Layer, name: str) -> tuple[Any, str]:
    """The layer in which the one called ``name`` (``block.conv``) is, and what it is called there."""
    parent: Any = model
    outer_parts = name.split(".")
    last = outer_parts.pop()
    parents: list[str] = []
    for part in outer_parts:  # a name of a layer may have dots itself
        parents.append(part)
        sub_layer = getattr(parent, ".".join(parents), None)
        if sub_layer is not None:
            parent, parents = sub_layer, []
    return parent, ".".join([*parents, last])


def need_layer(model: Any) -> None:
    """Raise AssertionError for what is no Layer."""
    if not isinstance(model, Layer):
        raise AssertionError(f"The model must be the instance of paddle.nn.Layer, got {type(model).__name__}")


def is_leaf_layer(layer: Any) -> bool:
    """Return whether a layer has no sublayers."""
    return isinstance(layer, Layer) and not layer.sublayers()


def quantized(layer: Any, names: dict[str, Any], **settings: Any) -> Any:
    """The layer that computes with quantizers in the place of this one. Raises AssertionError when there is none."""
    for name, class_name in names.items():
        if isinstance(layer, class_name):
            return getattr(quant_layers, f"Quantized{name}")(layer, **settings)
    raise AssertionError(f"The layer {layer.full_name()} is unsupported to be quantized.")
