"""Functions that add noise: relaxed samples and rectifiers of random slope."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import functions
from to_static.compiler.ops.layers.softmax import softmax
from to_static.compiler.ops.pointwise.activation import leaky_relu
from to_static.compiler.ops.random.samplers import gumbel_quantile, random_slope


def gumbel_softmax(x: Any, temperature: float = 1.0, hard: bool = False, axis: int = -1, name: Any = None) -> Any:
    """Samples of the categorical distribution with logits ``x`` along ``axis``, relaxed to `softmax`.

    ``hard``: one-hot vectors, with the gradient of the relaxed ones. Raises ValueError unless ``temperature`` is positive.

    Source: Jang, Gu and Poole, "Categorical Reparameterization with Gumbel-Softmax".

    Example:
        >>> F.gumbel_softmax(paddle.zeros([2, 3]), hard=True).sum(-1).tolist()
        [1.0, 1.0]
    """
    if temperature <= 0:
        raise ValueError(f"gumbel_softmax: temperature must be positive, got {temperature}")
    noise = gumbel_quantile(functions.uniform(x.shape, x.dtype, 0.0, 1.0))
    noisy = x + noise
    soft = softmax(noisy if temperature == 1 else noisy / temperature, axis)
    if not hard:
        return soft
    one_hot = (soft == functions.max(soft, axis, keepdim=True)).astype(x.dtype)
    return (one_hot - soft).detach() + soft


def rrelu(x: Any, lower: float = 1.0 / 8.0, upper: float = 1.0 / 3.0, training: bool = True, name: Any = None) -> Any:
    """``x`` where it is not negative, else ``x`` times a random number between ``lower`` and ``upper`` (their mean when
    not ``training``). Raises ValueError unless ``0 <= lower <= upper <= 1``.

    Source: Xu et al., "Empirical Evaluation of Rectified Activations in Convolutional Network".

    Example:
        >>> F.rrelu(paddle.to_tensor([-6.0, 2.0]), training=False).tolist()
        [-1.375, 2.0]
    """
    if not 0 <= lower <= upper <= 1:
        raise ValueError(f"rrelu: expected 0 <= lower <= upper <= 1, got lower={lower}, upper={upper}")
    if not training:
        return leaky_relu(x, (lower + upper) / 2)
    return random_slope(x, lower, upper)[0]
