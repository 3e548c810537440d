"""The logistic function, ``1 / (1 + exp(-x))``, precise in both tails."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ops import clamp
from to_static.compiler.ops.kernel_scalar import operand
from to_static.core.array_types import Array, ArrayModule

LIMIT = {"e": 9.0, "f": 20.0, "d": 40.0}  # by the dtype's letter: where the function is 1, to the last digit
_LARGEST = {"e": 11.0, "f": 88.0, "d": 709.0}  # exp of more overflows
_PART = 1 << 15  # numbers that are computed at a time, with memory for as many


def into(xp: ArrayModule, x: Array, y: Array, work: Any = None) -> Array:
    """Write the logistic function of ``x`` into ``y`` (which may be ``x``); ``work``: scratch memory of the same size.

    It is ``e / (1 + e)`` with ``e = exp(x)``. That stays precise far below 0, where ``tanh(x / 2) / 2 + 1 / 2`` loses all
    digits. Above `LIMIT` the result is 1, so larger elements are clipped first, if there are any.
    """
    if work is None and x.size > _PART and xp is np and x.flags.c_contiguous and y.flags.c_contiguous:
        flat, target, work = x.reshape(-1), y.reshape(-1), np.empty(_PART, x.dtype)
        for i in range(0, x.size, _PART):
            part = target[i : i + _PART]
            into(np, flat[i : i + _PART], part, work[: part.size])
        return y
    char = x.dtype.char
    if x.size < clamp.WORTH or xp is not np or not np.maximum.reduce(x, None) <= _LARGEST[char]:
        x = clamp.at_most(xp, x, LIMIT[char], y)
    xp.exp(x, y)
    return xp.divide(y, xp.add(y, operand(xp, 1, y.dtype), work), y)


def specialized_kernel(dtype: np.dtype, shape: tuple[int, ...]) -> Callable[[Any], Any] | None:
    """`into`, of NumPy's arrays of a real dtype and a shape of few numbers, into a new array; None for others."""
    if not shape or prod(shape) >= clamp.WORTH or dtype.char not in LIMIT:
        return None
    limit, one = operand(np, LIMIT[dtype.char], dtype), operand(np, 1, dtype)
    minimum, exp, add, divide = np.minimum, np.exp, np.add, np.divide

    def specialized_kernel_run(x: Array) -> Array:
        y = minimum(x, limit)
        exp(y, y)
        return divide(y, add(y, one), y)

    return specialized_kernel_run
