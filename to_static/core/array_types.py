"""Types for annotations: arrays of NumPy or CuPy, and the module that computes with them."""

from __future__ import annotations

from types import ModuleType
from typing import TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray  # also a CuPy array, which has the same methods
ArrayModule: TypeAlias = ModuleType  # ``numpy`` or ``cupy``: what kernels get as ``xp``
