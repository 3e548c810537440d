"""Winograd's minimal filtering: 3x3 windows with stride 1 in tiles of ``m x m`` results, with fewer multiplications.

``output = A' [(G w G') * (B' x B)] A`` for each tile ``x`` of ``m + 2`` rows. Source: Lavin and Gray, "Fast Algorithms for
Convolutional Neural Networks", 2015. The order of sums differs from that of a usual convolution: for m = 4, about one more decimal
digit is lost.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from to_static.core.array_types import Array, ArrayModule

_INPUT: dict[int, Any] = {  # B'
    2: [[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]],
    4: [
        [4, 0, -5, 0, 1, 0], [0, -4, -4, 1, 1, 0], [0, 4, -4, -1, 1, 0],
        [0, -2, -1, 2, 1, 0], [0, 2, -1, -2, 1, 0], [0, 4, 0, -5, 0, 1],
    ],
}  # fmt: skip
_FILTER: dict[int, Any] = {  # G
    2: [[1, 0, 0], [1 / 2, 1 / 2, 1 / 2], [1 / 2, -1 / 2, 1 / 2], [0, 0, 1]],
    4: [
        [1 / 4, 0, 0], [-1 / 6, -1 / 6, -1 / 6], [-1 / 6, 1 / 6, -1 / 6],
        [1 / 24, 1 / 12, 1 / 6], [1 / 24, -1 / 12, 1 / 6], [0, 0, 1],
    ],
}  # fmt: skip
_OUTPUT: dict[int, Any] = {  # A'
    2: [[1, 1, 1, 0], [0, 1, -1, -1]],
    4: [[1, 1, 1, 1, 1, 0], [0, 1, -1, 2, -2, 0], [0, 1, 1, 4, 4, 0], [0, 1, -1, 8, -8, 1]],
}  # fmt: skip


@functools.cache
def transforms(m: int, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Matrices that turn flattened tiles ``((m + 2)**2, ...)`` into frequencies, and products of frequencies into ``(m**2, ...)``
    results.
    """
    into, back = (np.asarray(table[m], "float64") for table in (_INPUT, _OUTPUT))
    return np.kron(into, into).astype(dtype), np.kron(back, back).astype(dtype)


_TOGETHER = 16  # filters whose numbers are moved at once: on their way to where they are apart they share cache lines


def filters_last(xp: ArrayModule, w: Array, rate: Array | None = None) -> Array:
    """Weights ``(M, C, kh, kw)``, times ``rate`` of each filter, as a new array ``(kh, kw, C, M)``."""
    transposed = w.transpose(2, 3, 1, 0)
    rates = None if rate is None else rate.reshape(-1)
    if xp is not np:
        return transposed.copy() if rates is None else transposed * rates
    filters = np.empty(transposed.shape, w.dtype)
    for start in range(0, len(w), _TOGETHER):
        some = np.s_[..., start : start + _TOGETHER]
        if rates is None:
            filters[some] = transposed[some]
        else:
            np.multiply(transposed[some], rates[some], out=filters[some])
    return filters


def pack(xp: ArrayModule, w: Array, m: int, rate: Array | None = None) -> Array:
    """Weights ``(M, C, 3, 3)``, times ``rate`` of each filter, as frequencies ``((m + 2)**2, C, M)``."""
    count, channels = w.shape[:2]
    turn = np.kron(_FILTER[m], _FILTER[m]).astype(w.dtype)  # ((m + 2)**2, 9)
    flat = filters_last(xp, w, rate).reshape(9, channels * count)
    return xp.matmul(xp.asarray(turn), flat).reshape(len(turn), channels, count)


def unpack(xp: ArrayModule, packed: Array, m: int) -> Array:
    """The inverse of `pack`, up to rounding."""
    back = np.linalg.pinv(np.kron(_FILTER[m], _FILTER[m]))  # (9, (m + 2)**2)
    _, channels, count = packed.shape
    flat = packed.transpose(2, 1, 0).reshape(count * channels, -1).astype("float64")
    return xp.matmul(flat, xp.asarray(back.T)).reshape(count, channels, 3, 3).astype(packed.dtype)
