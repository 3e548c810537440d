"""Activations in place: the tensor holds the result afterwards, and is returned."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import functions
from to_static.compiler.ops.layers import softmax as softmaxes
from to_static.compiler.ops.pointwise import activation


def relu_(x: Any, name: Any = None) -> Any:
    """In-place form of `relu`, with the same arguments and errors: ``x`` holds the result and is returned."""
    return x._become(activation.relu(x))


def elu_(x: Any, alpha: float = 1.0, name: Any = None) -> Any:
    """In-place form of `elu`, with the same arguments and errors: ``x`` holds the result and is returned."""
    return x._become(activation.elu(x, alpha))


def leaky_relu_(x: Any, negative_slope: float = 0.01, name: Any = None) -> Any:
    """In-place form of `leaky_relu`, with the same arguments and errors: ``x`` holds the result and is returned."""
    return x._become(activation.leaky_relu(x, negative_slope))


def hardtanh_(x: Any, min: float = -1.0, max: float = 1.0, name: Any = None) -> Any:
    """In-place form of `hardtanh`, with the same arguments and errors: ``x`` holds the result and is returned."""
    return x._become(activation.hardtanh(x, min, max))


def thresholded_relu_(x: Any, threshold: float = 1.0, name: Any = None) -> Any:
    """In-place form of `thresholded_relu`, with the same arguments and errors: ``x`` holds the result and is returned."""
    return x._become(activation.thresholded_relu(x, threshold))


def softmax_(x: Any, axis: int = -1, dtype: Any = None, name: Any = None) -> Any:
    """In-place form of `softmax`, with the same arguments and errors: ``x`` holds the result and is returned."""
    return x._become(softmaxes.softmax(x, axis, dtype))


def tanh_(x: Any, name: Any = None) -> Any:
    """In-place form of `tanh`, with the same arguments and errors: ``x`` holds the result and is returned."""
    return x._become(functions.tanh(x))
