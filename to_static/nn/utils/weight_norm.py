"""Weight normalisation: a weight as its length times its direction (Salimans and Kingma, 2016)."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ops import functions
from to_static.core.errors import ShapeError


def _length(v: Any, dim: int | None) -> Any:
    """The norm of ``v`` over all dimensions but ``dim``, shaped to divide ``v``."""
    axes = [i for i in range(v.ndim) if i != dim]
    return (v * v).sum(axes, keepdim=True).sqrt() if axes else v.abs()


class _WeightNorm:
    """The descriptor of the attribute ``name`` of a layer: each lookup computes it from its parts."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = dim

    def __call__(self, layer: Any) -> Any:
        g, v = getattr(layer, f"{self.name}_g"), getattr(layer, f"{self.name}_v")
        length = _length(v, self.dim)
        return v * (functions.reshape(g, list(length.shape)) / length)


def weight_norm(layer: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """Replace the parameter ``name`` of ``layer`` by its length ``name_g`` along ``dim`` and its direction ``name_v``.

    ``dim=None``: one length for the whole weight. Returns the layer. Raises ShapeError for a ``dim`` out of range,
    ValueError when it is done already.

    Example:
        >>> conv = paddle.nn.utils.weight_norm(paddle.nn.Conv2D(3, 5, 3))
        >>> [name for name, _ in conv.named_parameters()]
        ['bias', 'weight_v', 'weight_g']
    """
    derived = layer.__dict__.setdefault("_derived", {})
    if name in derived:
        raise ValueError(f"weight_norm: {name!r} of this {type(layer).__name__} is normalised already")
    weight = layer._parameters[name]
    if dim is not None and not -weight.ndim <= dim < weight.ndim:
        raise ShapeError(f"weight_norm: dim={dim} is out of range for a weight of {weight.ndim} dimensions")
    rule = _WeightNorm(name, None if dim in (None, -1) else dim % weight.ndim)
    with mode.default_mode(), mode.grad_mode(False):
        length = functions.reshape(_length(weight, rule.dim), [] if rule.dim is None else [-1])
        for part, value in (("v", weight), ("g", length)):
            factor = layer.create_parameter(list(value.shape), dtype=weight.dtype)
            factor.set_value(value)
            layer.add_parameter(f"{name}_{part}", factor)
    del layer._parameters[name]
    derived[name] = rule
    return layer


def remove_weight_norm(layer: Any, name: str = "weight") -> Any:
    """Undo `weight_norm`: the weight becomes one parameter again. Returns the layer.

    ``layer``: one that `weight_norm` has changed; ``name``: of the weight. Raises ValueError for another layer.

    Example:
        >>> layer = paddle.nn.utils.weight_norm(paddle.nn.Linear(2, 3))
        >>> paddle.nn.utils.remove_weight_norm(layer).weight.shape
        [2, 3]
    """
    rule = layer.__dict__.get("_derived", {}).pop(name, None)
    if rule is None:
        raise ValueError(f"remove_weight_norm: {name!r} of this {type(layer).__name__} is not normalised")
    with mode.default_mode(), mode.grad_mode(False):
        value = rule(layer)
        for part in ("g", "v"):
            delattr(layer, f"{name}_{part}")
        weight = layer.create_parameter(list(value.shape), dtype=value.dtype)
        weight.set_value(value)
    layer.add_parameter(name, weight)
    return layer
