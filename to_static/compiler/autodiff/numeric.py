"""Derivatives by finite differences: slow, approximate, and independent of every gradient rule. For tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def numeric_gradient(
    function: Callable[..., Any], arrays: Sequence[Any], index: int, step: float = 1e-5
) -> np.ndarray:
    """Derivative of ``function(*arrays)``, a number, by each element of ``arrays[index]``; a float64 array of its shape.

    Central differences of the given ``step``: accurate to about ``step**2`` where the function computes in float64.

    Example:
        >>> numeric_gradient(lambda x: (x ** 2).sum(), [np.array([1.0, 2.0])], 0)
        array([2., 4.])
    """
    values = [np.array(a) for a in arrays]
    moving = values[index]
    gradient = np.zeros(moving.shape)
    for entry in np.ndindex(moving.shape):
        start = moving[entry].copy()
        moving[entry] = start + step
        above, high = float(function(*values)), moving[entry]
        moving[entry] = start - step
        below, low = float(function(*values)), moving[entry]
        moving[entry] = start
        gradient[entry] = (above - below) / (float(high) - float(low))  # the real step, after rounding
    return gradient
