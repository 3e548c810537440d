"""The pointwise operators whose precision is measured: of what operator a case is, and the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import to_static as paddle
import to_static.nn.functional as F

_PLAIN = (
    "exp expm1 log log2 log10 log1p sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh square reciprocal "
    "rad2deg deg2rad round trunc floor ceil erf lgamma digamma i0 i1 i0e i1e"
)
_ACTIVATIONS = (
    "sigmoid silu swish mish gelu softplus log_sigmoid softsign tanhshrink hardswish elu selu relu6 hardshrink softshrink"
)

CASES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    **{name: (name, getattr(paddle, name)) for name in _PLAIN.split()},
    **{name: (name, getattr(F, name)) for name in _ACTIVATIONS.split()},
    "gelu, by tanh": ("gelu", lambda x: F.gelu(x, True)),
    "softplus of 3 x": ("softplus", lambda x: F.softplus(x, 3.0)),
    "celu": ("celu", lambda x: F.celu(x, 2.0)),
    "leaky_relu": ("leaky_relu", lambda x: F.leaky_relu(x, 0.25)),
    "hardsigmoid": ("hardsigmoid", lambda x: F.hardsigmoid(x, 0.125, 0.5)),
    "stanh": ("tanh", lambda x: paddle.stanh(x, 0.75, 1.5)),
    "polygamma": ("polygamma", lambda x: paddle.polygamma(x, 1)),
    "cube": ("pow", lambda x: x**3),
    "power of 3/4": ("pow", lambda x: paddle.pow(x, 0.75)),
    "logit": ("log", paddle.logit),
    "hypot": ("sqrt", lambda x: paddle.hypot(x, x * 0.5)),
    "logaddexp": ("log1p", lambda x: paddle.logaddexp(x, paddle.zeros_like(x))),
    "atan2": ("atan2", lambda x: paddle.atan2(x, paddle.full_like(x, 3))),
}


def points(dtype: str) -> np.ndarray:
    """Numbers of every size that the dtype has, among them the smallest, the largest, and both sides of kinks."""
    info, random = np.finfo(dtype), np.random.default_rng(1)
    powers = np.concatenate([random.uniform(info.minexp - info.nmant, info.maxexp - 1e-3, 24), random.uniform(-12, 8, 40)])
    sizes = np.ldexp(1 + powers % 1, np.floor(powers).astype(int))  # exact: a power would be another number with another NumPy
    ends = [info.smallest_subnormal, info.tiny, info.max, 17, 17.5, 20, 40, 87.3, 88, 89, 100, 103, 709, 744]
    kinks = np.asarray([0.5, 1, 2, 3, 6, 20], dtype)
    around = [np.nextafter(kinks, kinks * 2), kinks, np.nextafter(kinks, kinks * 0)]
    found = np.concatenate([sizes, ends, random.uniform(0, 10, 30)]).astype(dtype)
    found = np.concatenate([found, *around, np.arange(3, 11, dtype=dtype)])
    return np.concatenate([found, -found, np.zeros(1, dtype)])
