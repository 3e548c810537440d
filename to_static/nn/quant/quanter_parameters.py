"""The numbers that quanters keep: scales, offsets, moving averages."""

from __future__ import annotations

from typing import Any

from to_static.core import unique_name
from to_static.nn.initializer import Constant
from to_static.nn.layer import Layer
from to_static.nn.parameter import ParamAttr


def quanter_parameter(layer: Layer, name: str, value: float, shape: list[int], dtype: Any, trainable: bool) -> Any:
    """A parameter called ``NAME_0`` (or the next number) that is ``value`` at first; optimizers leave it unless ``trainable``."""
    attr = ParamAttr(name=unique_name.generate(name), initializer=Constant(value), trainable=trainable)
    parameter = layer.create_parameter(shape=shape, attr=attr, dtype=dtype)
    parameter.stop_gradient = not trainable
    return parameter
