"""Spectral normalisation: a weight divided by its largest singular value (Miyato et al., 2018)."""

from __future__ import annotations

import math
from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ops.control.control import assign
from to_static.compiler.ops.random.random import gaussian
from to_static.core.errors import ShapeError
from to_static.nn import functional as F
from to_static.nn.conv import Conv1DTranspose, Conv2DTranspose, Conv3DTranspose
from to_static.nn.functional.norm import as_matrix
from to_static.nn.linear import Linear


class SpectralNormHook:
    """Before each call of a layer: one more step of power iteration (while training), and the weight from its parts."""

    def __init__(self, name: str, n_power_iterations: int, dim: int, eps: float) -> None:
        self.name, self.n_power_iterations, self.dim, self.eps = name, n_power_iterations, dim, eps

    def __call__(self, layer: Any, inputs: Any) -> None:
        """Set the attribute ``name`` of the layer."""
        setattr(layer, self.name, self.compute_weight(layer, layer.training))

    def compute_weight(self, layer: Any, do_power_iteration: bool) -> Any:
        """The weight divided by its largest singular value, which ``u`` and ``v`` approach from call to call."""
        weight, u, v = (getattr(layer, self.name + part) for part in ("_orig", "_u", "_v"))
        matrix = as_matrix(weight, self.dim)
        if do_power_iteration:
            with mode.grad_mode(False):
                for _ in range(self.n_power_iterations):
                    assign(F.normalize(matrix.t().matmul(u), axis=0, epsilon=self.eps), v)
                    assign(F.normalize(matrix.matmul(v), axis=0, epsilon=self.eps), u)
            u, v = (
                u.clone(),
                v.clone(),
            )  # the next call changes the buffers, the gradient of this one needs what they are now
        return weight / u.dot(matrix.matmul(v))


def _drawn(layer: Any, size: int, dtype: Any) -> Any:
    """Normal numbers: those that Paddle draws after a seed, whose layer makes a parameter first and draws its numbers anew."""
    layer.create_parameter([size])
    return gaussian([size], dtype=dtype)


def spectral_norm(
    layer: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """Divide the parameter ``name`` of ``layer`` by its largest singular value, in every call.

    Args:
        layer: a Layer; it gets a parameter ``name_orig`` and buffers ``name_u`` and ``name_v``.
        name: the parameter (default ``'weight'``).
        n_power_iterations: steps of power iteration in a call while training (default 1).
        eps: added to norms (default 1e-12).
        dim: the dimension of outputs (default None: 1 for `Linear` and transposed convolutions, else 0).

    Returns:
        The layer.

    Raises:
        ValueError: ``n_power_iterations`` is not positive.
        RuntimeError: it is done already.
        ShapeError: ``dim`` is out of range.

    Example:
        >>> conv = paddle.nn.utils.spectral_norm(paddle.nn.Conv2D(3, 5, 3))
        >>> [name for name, _ in conv.named_parameters()]
        ['bias', 'weight_orig']
    """
    if n_power_iterations <= 0:
        raise ValueError(f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}")
    if any(isinstance(hook, SpectralNormHook) and hook.name == name for hook in layer._forward_pre_hooks.values()):
        raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
    weight = layer._parameters[name]
    if dim is None:
        dim = 1 if isinstance(layer, (Linear, Conv1DTranspose, Conv2DTranspose, Conv3DTranspose)) else 0
    if not -weight.ndim <= dim < weight.ndim:
        raise ShapeError(f"spectral_norm: dim={dim} is out of range for a weight of {weight.ndim} dimensions")
    hook = SpectralNormHook(name, n_power_iterations, dim % weight.ndim, eps)
    height = weight.shape[hook.dim]
    with mode.default_mode(), mode.grad_mode(False):
        sizes = (height, math.prod(weight.shape) // height)
        u, v = (F.normalize(_drawn(layer, size, weight.dtype), axis=0, epsilon=eps) for size in sizes)
    del layer._parameters[name]
    layer.add_parameter(f"{name}_orig", weight)
    setattr(layer, name, weight * 1.0)
    layer.register_buffer(f"{name}_u", u)
    layer.register_buffer(f"{name}_v", v)
    layer.register_forward_pre_hook(hook)
    return layer
