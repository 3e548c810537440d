"""Types of arrays: those of NumPy or CuPy, the module that computes with them, and buffers of the standard library."""

from __future__ import annotations

import array
import ctypes
from types import ModuleType
from typing import TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray  # also a CuPy array, which has the same methods
ArrayModule: TypeAlias = ModuleType  # ``numpy`` or ``cupy``: what kernels get as ``xp``
# objects whose memory several can share and change
BUFFERS = (bytearray, array.array, memoryview, ctypes._SimpleCData, ctypes.Structure, ctypes.Array)
