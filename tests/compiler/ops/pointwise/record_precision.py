"""Records exact values of pointwise operators, with mpmath: python -m tests.compiler.ops.pointwise.record_precision

Values for float64 are a double, and how much of its last place is to be added; infinities are those that the exact function
has, or that no number of the dtype reaches.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath as m
import numpy as np

from tests.compiler.ops.pointwise.precision_cases import CASES, points

m.mp.dps = 400  # so that small differences of large numbers are there
F = m.mpf
_FAR = 1e4


def _sigmoid(x: Any) -> Any:
    return m.exp(x) if x < -_FAR else 1 / (1 + m.exp(-x))


def _softplus(x: Any) -> Any:
    return x if x > _FAR else m.exp(x) if x < -_FAR else m.log1p(m.exp(x))


def _normal(x: Any) -> Any:
    return F(x > 0) if abs(x) > 100 else m.erfc(-x / m.sqrt(2)) / 2


def _by_tanh(x: Any) -> Any:
    return max(x, F(0)) if abs(x) > _FAR else x * _sigmoid(2 * m.sqrt(2 / m.pi) * (x + F("0.044715") * x**3))


def _pole(x: Any) -> bool:
    return bool(x <= 0 and x == m.floor(x))


def _lgamma(x: Any) -> Any:
    if _pole(x):
        return m.inf
    return m.loggamma(x).real if x > 0 else m.log(m.pi / abs(m.sinpi(x))) - m.loggamma(1 - x).real


def _digamma(x: Any) -> Any:
    if _pole(x):
        return m.nan
    return m.digamma(x) if x > 0 else m.digamma(1 - x) - m.pi * m.cospi(x) / m.sinpi(x)


def _trigamma(x: Any) -> Any:
    if _pole(x):
        return m.inf
    if x < 0:
        return (m.pi / m.sinpi(x)) ** 2 - _trigamma(1 - x)
    return m.zeta(2, x) if x < 1e6 else 1 / x + 1 / (2 * x**2) + 1 / (6 * x**3) - 1 / (30 * x**5)


def _bessel(order: int, scaled: bool) -> Callable[[Any], Any]:
    def exact(x: Any) -> Any:
        size = abs(x)
        if size < 1000:
            return m.besseli(order, x) * (m.exp(-size) if scaled else 1)
        if not scaled:
            return m.sign(x) ** order * m.inf
        term = total = F(1)
        for k in range(1, 15):
            term *= ((2 * k - 1) ** 2 - 4 * order**2) / (8 * k * size)
            total += term
        return m.sign(x) ** order * total / m.sqrt(2 * m.pi * size)

    return exact


def _log(x: Any, base: Any = m.e) -> Any:
    return m.nan if x < 0 else -m.inf if x == 0 else m.log(x) / m.log(base)


_ALPHA, _SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
EXACT: dict[str, Callable[[Any], Any]] = {
    **{name: getattr(m, name) for name in "exp expm1 log1p sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh".split()},
    "atanh": m.atanh,
    "log": _log, "log2": lambda x: _log(x, 2), "log10": lambda x: _log(x, 10),
    "rsqrt": lambda x: 1 / m.sqrt(x) if x else m.inf, "reciprocal": lambda x: 1 / x if x else m.inf,
    "square": lambda x: x * x, "rad2deg": lambda x: x * 180 / m.pi, "deg2rad": lambda x: x * m.pi / 180,
    "round": lambda x: m.sign(x) * m.floor(abs(x) + 0.5), "trunc": lambda x: m.sign(x) * m.floor(abs(x)), "floor": m.floor,
    "ceil": m.ceil, "erf": m.erf, "lgamma": _lgamma, "digamma": _digamma, "polygamma": _trigamma,
    "i0": _bessel(0, False), "i1": _bessel(1, False), "i0e": _bessel(0, True), "i1e": _bessel(1, True),
    "logit": lambda x: m.log(x / (1 - x)) if 0 < x < 1 else -m.inf if x == 0 else m.inf if x == 1 else m.nan,
    "sigmoid": _sigmoid, "silu": lambda x: x * _sigmoid(x), "swish": lambda x: x * _sigmoid(x),
    "mish": lambda x: x * m.tanh(_softplus(x)), "gelu": lambda x: x * _normal(x), "gelu, by tanh": _by_tanh,
    "softplus": lambda x: x if x > 20 else _softplus(x), "softplus of 3 x": lambda x: x if 3 * x > 20 else _softplus(3 * x) / 3,
    "log_sigmoid": lambda x: -_softplus(-x), "softsign": lambda x: x / (1 + abs(x)), "tanhshrink": lambda x: x - m.tanh(x),
    "hardswish": lambda x: x * min(max(x + 3, F(0)), F(6)) / 6, "hardsigmoid": lambda x: min(max(x / 8 + 0.5, F(0)), F(1)),
    "elu": lambda x: x if x > 0 else m.expm1(x), "celu": lambda x: x if x > 0 else 2 * m.expm1(x / 2),
    "selu": lambda x: _SCALE * (x if x > 0 else _ALPHA * m.expm1(x)), "relu6": lambda x: min(max(x, F(0)), F(6)),
    "leaky_relu": lambda x: x if x > 0 else x / 4, "hardshrink": lambda x: x if abs(x) > 0.5 else F(0),
    "softshrink": lambda x: x - 0.5 if x > 0.5 else x + 0.5 if x < -0.5 else F(0), "stanh": lambda x: 1.5 * m.tanh(0.75 * x),
    "cube": lambda x: x**3, "power of 3/4": lambda x: m.power(x, F(0.75)) if x >= 0 else m.nan,
    "hypot": lambda x: abs(x) * m.sqrt(F(1.25)), "logaddexp": _softplus, "atan2": lambda x: m.atan2(x, 3),
}  # fmt: skip


def _of(name: str, x: float) -> Any:
    try:
        y = EXACT[name](F(x))
    except (ZeroDivisionError, ValueError):
        return m.nan
    return (y.real if y.imag == 0 else m.nan) if isinstance(y, m.mpc) else F(y)


def _rest(y: Any, high: float) -> float:
    largest = float(np.nextafter(np.finfo("float64").max, 0))  # NumPy has no spacing of the largest number
    return float((y - F(high)) / F(float(np.spacing(min(abs(high), largest))))) if m.isfinite(y) else 0.0


def main() -> None:
    """Write precision.npz."""
    arrays = {}
    for dtype in ("float32", "float64"):
        overflow_bound = F(float(np.finfo(dtype).max)) * (1 + F(2) ** -(np.finfo(dtype).nmant + 2))
        for name in CASES:
            exact = [_of(name, x) for x in points(dtype).tolist()]
            exact = [y if m.isnan(y) or abs(y) <= overflow_bound else m.sign(y) * m.inf for y in exact]
            high = np.asarray([float(y) for y in exact])
            arrays[f"{name} {dtype}"] = high
            if dtype == "float64":
                low_parts = [_rest(y, h) for y, h in zip(exact, high.tolist(), strict=True)]
                arrays[f"{name} {dtype} rest"] = np.asarray(low_parts, "float16")
    np.savez_compressed(Path(__file__).with_name("precision.npz"), **arrays)


if __name__ == "__main__":
    main()
