"""Numbers as kernels give them to ufuncs."""

from __future__ import annotations

from typing import Any

import numpy as np


def operand(xp: Any, value: float, dtype: Any) -> Any:
    """A number of a dtype beside an array: for NumPy a 0-D array, which its ufuncs take in half the time of a scalar."""
    return np.array(value, dtype) if xp is np else dtype.type(value)
