"""Layers, their parameters and initializers, containers, losses and gradient clipping."""

from to_static.nn import functional, initializer
from to_static.nn.container import LayerDict, LayerList, ParameterList, Sequential
from to_static.nn.layer import Layer
from to_static.nn.linear import Identity, Linear
from to_static.nn.parameter import ParamAttr, Parameter, create_parameter

__all__ = [
    "Identity", "Layer", "LayerDict", "LayerList", "Linear", "ParamAttr", "Parameter", "ParameterList", "Sequential",
    "create_parameter", "functional", "initializer",
]  # fmt: skip
