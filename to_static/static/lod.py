"""Offsets of sequences (LoD) at the edge of a Program: what is fed and fetched."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ops.sequence.lod import pack, unpack
from to_static.framework.lod_tensor import LoDTensor


def fed_offsets(value: Any) -> np.ndarray:
    """Return the offsets to feed for a value; none for an array."""
    return pack(value.lod()) if isinstance(value, LoDTensor) else pack([])


def fetched(array: Any, offsets: Any) -> LoDTensor:
    """A result with its offsets; without, where it has not the rows that they are of."""
    lod_tensor = LoDTensor(array, () if offsets is None else unpack(np.asarray(offsets)))
    return lod_tensor if lod_tensor.has_valid_recursive_sequence_lengths() else LoDTensor(array)
