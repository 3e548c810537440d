"""Scalars in the form in which kernels pass them to ufuncs."""

from __future__ import annotations

import numpy as np

from to_static.core.array_types import Array, ArrayModule


def operand(xp: ArrayModule, value: float, dtype: np.dtype) -> Array:
    """A number of a dtype beside an array: for NumPy a 0-D array, which its ufuncs take in half the time of a scalar."""
    return np.array(value, dtype) if xp is np else dtype.type(value)
