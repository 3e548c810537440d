"""Layers of which one computes what two did: a convolution or linear layer, and the normalization behind it.

Source: PaddlePaddle 2.6, ``paddle.quantization.imperative.fusing``.
"""

from __future__ import annotations

import copy
from typing import Any

from to_static import nn
from to_static.nn.layer import Layer
from to_static.nn.parameter import create_parameter
from to_static.quantization.imperative.layers import find_parent_layer_and_sub_name


class Identity(Layer):
    """Gives its input: what stands where a layer was."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


def fuse_conv_bn(model: Layer) -> None:
    """Fold each 2-D normalization of a network into the convolution before it (in the order of their names)."""
    training = model.training
    if training:
        model.eval()
    pairs: list[list[str]] = []
    conv = norm = None
    for name, layer in model.named_sublayers():
        conv = name if isinstance(layer, nn.Conv2D) else conv
        norm = name if isinstance(layer, nn.BatchNorm2D) else norm
        if conv and norm:
            pairs.append([conv, norm])
            conv = norm = None
    fuse_layers(model, pairs, inplace=True)
    if training:
        model.train()


def fuse_layers(model: Layer, layers_to_fuse: list[list[str]], inplace: bool = False) -> Layer:
    """A network in which the first of each list of layers does what all of them did, and the others nothing.

    Args:
        model: the network, in evaluation mode. AssertionError otherwise.
        layers_to_fuse: names: ``[['conv1', 'bn1'], ['fc', 'norm']]``; of `nn.Conv2D` with `nn.BatchNorm2D`, or `nn.Linear` with
            `nn.BatchNorm1D`.
        inplace: change ``model`` itself.

    Raises TypeError for other layers.
    """
    if not inplace:
        model = copy.deepcopy(model)
    for names in layers_to_fuse:
        places = [find_parent_layer_and_sub_name(model, name) for name in names]
        for (parent, name), layer in zip(places, _fused([getattr(*place) for place in places]), strict=True):
            setattr(parent, name, layer)
    return model


def _fused(layers: list[Any]) -> list[Any]:
    first, last = layers[0], layers[-1]
    fuse = _WAYS.get(tuple(type(layer) for layer in layers))
    if fuse is None:
        raise TypeError(f"no way to make one layer of {', '.join(type(layer).__name__ for layer in layers)}")
    if first.training or last.training:
        raise AssertionError("Fusion only for eval!")
    fused = fuse(first, last)
    for key, hook in list(first._forward_pre_hooks.items()):
        fused.register_forward_pre_hook(hook)
        del first._forward_pre_hooks[key]
    for key, hook in list(last._forward_post_hooks.items()):
        fused.register_forward_post_hook(hook)
        del last._forward_post_hooks[key]
    rest = [Identity() for _ in layers[1:]]
    for layer in rest:
        layer.training = first.training
    return [fused, *rest]


def _conv_bn(conv: Any, bn: Any) -> Any:
    folded = copy.deepcopy(conv)
    rate = (bn._variance + bn._epsilon).rsqrt() * (1.0 if bn.weight is None else bn.weight)
    _set(folded, folded.weight * rate.reshape([-1] + [1] * (folded.weight.ndim - 1)), rate, bn)
    return folded


def _linear_bn(linear: Any, bn: Any) -> Any:
    folded = copy.deepcopy(linear)
    rate = (bn._variance + bn._epsilon).rsqrt() * (1.0 if bn.weight is None else bn.weight)
    _set(folded, folded.weight * rate, rate, bn)
    return folded


def _set(made: Any, weight: Any, rate: Any, bn: Any) -> None:
    old = 0.0 if made.bias is None else made.bias
    bias = (old - bn._mean) * rate + (0.0 if bn.bias is None else bn.bias)
    made.weight.set_value(weight.detach())
    if made.bias is None:
        made.bias = create_parameter([bias.shape[0]], bias.dtype, is_bias=True)
    made.bias.set_value(bias.detach())


_WAYS: dict[Any, Any] = {(nn.Conv2D, nn.BatchNorm2D): _conv_bn, (nn.Linear, nn.BatchNorm1D): _linear_bn}
