"""Indices in the integer type of the machine: NumPy's ``take`` and ``bincount`` refuse wider ones.

Paddle's indices are 64 bits wide. In WebAssembly those of the machine have 32 bits.
"""

from __future__ import annotations

import numpy as np

from to_static.core.array_types import Array

_NARROW = np.dtype(np.intp).itemsize < 8


def native(indices: Array) -> Array:
    """Return integers that are known to be valid indices as ``take`` and ``bincount`` accept them; on 64 bits, as they are.

    Example:
        >>> native(np.array([0, 2]))
        array([0, 2])
    """
    return indices.astype(np.intp, copy=False) if _NARROW else indices
