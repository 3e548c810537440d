"""Products of few rows with a large matrix, some columns at a time.

OpenBLAS has code for small matrices on processors with AVX-512 that reads both as they are. Beyond a size it copies them
first, which takes longer than a product of few rows itself: 4 rows with 768 x 3072 numbers take 810 µs at once and 280 by
columns. With the matrix on its side, ``[columns, inner]``, as in gradients, it reads them as they are for at most `TURNED_SIZE`
results: 890 µs at once and 120.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.core.array_types import Array, ArrayModule

SIZE = 10**6  # products of two numbers: from more on the matrices are copied
TURNED_SIZE = 1 << 10  # results: from more on a matrix on its side is
ROWS, PLAIN_ROWS = 32, 16  # of more rows one product is as quick; the second where the matrix is not on its side
LEAST = 60_000  # products of two numbers that are worth a call
NARROWEST = 64  # columns at a time are a multiple of it where the matrix is not on its side
_CODE = ("", "skylakex", "cooperlake", "sapphirerapids")


@functools.lru_cache(maxsize=1)
def has_small_products() -> bool:
    """True if NumPy's products have code of their own for small matrices (OpenBLAS with its AVX-512 code)."""
    if os.environ.get("OPENBLAS_CORETYPE", "").lower() not in _CODE:
        return False
    try:
        library = np.__config__.CONFIG["Build Dependencies"]["blas"]["name"]  # type: ignore[attr-defined]
        features = np._core._multiarray_umath.__cpu_features__  # type: ignore[attr-defined]
    except (AttributeError, KeyError):  # NumPy 1
        return False
    return "openblas" in library and bool(features.get("AVX512_SKX"))


@functools.lru_cache(maxsize=1024)
def blocks(rows: int, inner: int, columns: int, turned: bool) -> tuple[slice, ...]:
    """The columns that float32 products take at a time; () where one product of all is as quick.

    ``turned``: the matrix is on its side.
    """
    if not 1 < rows <= (ROWS if turned else PLAIN_ROWS) or not inner or not has_small_products():
        return ()
    most = SIZE // (rows * inner)
    if turned:
        most = min(most, TURNED_SIZE // rows)
    most -= most % (16 if turned else NARROWEST)
    if columns <= most or not most or rows * most * inner < LEAST:
        return ()
    return tuple(slice(i, min(i + most, columns)) for i in range(0, columns, most))


def product(rows: int, inner: int, columns: int, turned: bool) -> Callable[..., Any]:
    """A function ``(x, y, out=None)`` of float32 matrices of these sizes: the product, by `blocks`."""
    cuts, matmul, empty, shape = blocks(rows, inner, columns, turned), np.matmul, np.empty, (rows, columns)

    def plain(x: Array, y: Array, out: Array | None = None) -> Array:
        result = empty(shape, x.dtype) if out is None else out
        for cut in cuts:
            matmul(x, y[:, cut], result[:, cut])
        return result

    def on_its_side(x: Array, y: Array, out: Any = None) -> Array:
        result = empty(shape, x.dtype) if out is None else out
        for cut in cuts:
            matmul(x, y[cut].T, result[:, cut])
        return result

    return on_its_side if turned else plain


def repeated(xp: ArrayModule, w: Array, rows: int) -> Callable[..., Any]:
    """A function ``(x, out=None)``: the product of matrices of so many rows with ``w``, which is there row by row."""
    inner, columns = w.shape
    if xp is np and w.dtype == np.float32 and blocks(rows, inner, columns, False):
        by_blocks = product(rows, inner, columns, False)
        return lambda x, out=None: by_blocks(x, w, out)
    return lambda x, out=None: xp.matmul(x, w, out=out)
