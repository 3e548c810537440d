"""Elementwise kernels of float16 and float32 that compute in float64, where that takes fewer steps than exact ones of their own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from to_static.core.array_types import Array, ArrayModule

_BLOCK = 1 << 13  # numbers that stay in the cache as float64


def in_float64(
    xp: ArrayModule, function: Callable[..., Array], arrays: tuple[Array, ...], out: Array | None = None
) -> Array:
    """``function`` of ``arrays``, which broadcast, as float64; the result in the dtype of the first one, into ``out`` if given.

    ``function`` may write over its arguments.
    """
    if out is None:
        shapes = {a.shape for a in arrays}
        out = xp.empty(shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes), arrays[0].dtype)
    if out.size <= _BLOCK or not all(a.shape == out.shape and a.flags.c_contiguous for a in (*arrays, out)):
        out[...] = function(*[a.astype("float64") for a in arrays])
        return out
    result, flat = out.reshape(-1), [a.reshape(-1) for a in arrays]
    for start in range(0, out.size, _BLOCK):
        part = slice(start, start + _BLOCK)
        result[part] = function(*[a[part].astype("float64") for a in flat])
    return out
