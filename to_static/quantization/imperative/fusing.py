"""Layers of which one computes what two did: a convolution or linear layer, and the normalization behind it.

Source: PaddlePaddle 2.6, ``paddle.quantization.imperative.fusing``.
"""

from __future__ import annotations

import copy
from typing import Any

from to_static import nn
from to_static.nn.layer import Layer
from to_static.nn.linear import Identity
from to_static.nn.parameter import create_parameter
from to_static.quantization.imperative.layers import find_parent_layer_and_sub_name


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
        pairs = [find_parent_layer_and_sub_name(model, name) for name in names]
        for (parent, name), layer in zip(pairs, _fused([getattr(*pair) for pair in pairs]), strict=True):
            setattr(parent, name, layer)
    return model


def _fused(layers: list[Any]) -> list[Any]:
    first, last = layers[0], layers[-1]
    across = _ACROSS.get(tuple(type(layer) for layer in layers))
    if across is None:
        raise TypeError(f"no way to make one layer of {', '.join(type(layer).__name__ for layer in layers)}")
    if first.training or last.training:
        raise AssertionError("Fusion only for eval!")
    fused = _folded(first, last, across)
    for key, hook in list(first._forward_pre_hooks.items()):
        fused.register_forward_pre_hook(hook)
        del first._forward_pre_hooks[key]
    for key, hook in list(last._forward_post_hooks.items()):
        fused.register_forward_post_hook(hook)
        del last._forward_post_hooks[key]
    identities = [Identity() for _ in layers[1:]]
    for layer in identities:
        layer.training = first.training
    return [fused, *identities]


def _folded(layer: Any, norm: Any, across: list[int]) -> Any:
    """A layer that does what the normalization behind it does, too; ``across``: the shape of its rates beside the weight."""
    fused = copy.deepcopy(layer)
    rate = (norm._variance + norm._epsilon).rsqrt() * (1.0 if norm.weight is None else norm.weight)
    old = 0.0 if fused.bias is None else fused.bias
    bias = (old - norm._mean) * rate + (0.0 if norm.bias is None else norm.bias)
    fused.weight.set_value((fused.weight * rate.reshape(across)).detach())
    if fused.bias is None:
        fused.bias = create_parameter([bias.shape[0]], bias.dtype, is_bias=True)
    fused.bias.set_value(bias.detach())
    return fused


_ACROSS: dict[Any, list[int]] = {(nn.Conv2D, nn.BatchNorm2D): [-1, 1, 1, 1], (nn.Linear, nn.BatchNorm1D): [-1]}
