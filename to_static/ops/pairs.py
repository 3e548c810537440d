"""Rarer functions of two tensors, elementwise with broadcasting: heaviside, hypot, logaddexp, gcd, lcm."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.ir.opdef import Sample, method
from to_static.ir.registry import FUNCTIONS
from to_static.ops import rules
from to_static.ops.elementwise import declare, maximum


@method()
def heaviside(x: Any, y: Any, name: Any = None) -> Any:
    """0 where ``x`` is negative, 1 where it is positive, ``y`` where it is 0."""
    x, y = rules.operands(x, y, "heaviside")
    step = FUNCTIONS["maximum"](FUNCTIONS["sign"](x), rules.constant(0, x.dtype))  # a step of x: its gradient is zeros
    return FUNCTIONS["where"](x == 0, y, step)


@method(inplace=True)
def hypot(x: Any, y: Any, name: Any = None) -> Any:
    """``sqrt(x * x + y * y)``."""
    return FUNCTIONS["sqrt"](x * x + y * y)


@method()
def logaddexp(x: Any, y: Any, name: Any = None) -> Any:
    """``log(exp(x) + exp(y))`` without overflow."""
    x, y = rules.operands(x, y, "logaddexp")
    top = maximum(x, y).detach()  # only shifts: its gradient cancels out
    finite = FUNCTIONS["where"](FUNCTIONS["isfinite"](top), top, FUNCTIONS["zeros_like"](top))
    return FUNCTIONS["log"](FUNCTIONS["exp"](x - finite) + FUNCTIONS["exp"](y - finite)) + finite


def _common(name: str, doc: str) -> Any:
    return declare(name, None, name, doc, None, pairs_of_integers, True, widen=False, kinds="iu", file_axis=False)


def pairs_of_integers() -> list[Sample]:
    """Samples for functions of integers."""
    return [Sample(np.asarray([12, 0, -8]), np.asarray([[18], [5]]))]


gcd = _common("gcd", "The greatest common divisor of integers, elementwise with broadcasting.")
lcm = _common("lcm", "The least common multiple of integers, elementwise with broadcasting.")
