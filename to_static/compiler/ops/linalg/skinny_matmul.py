"""Products of a few rows with a large matrix, computed a block of columns at a time.

On processors with AVX-512 OpenBLAS has kernels for small matrices that read both operands in place. Larger operands are packed
first, which takes longer than the product of a few rows: 4 rows times a 768 x 3072 matrix take 810 µs in one call and 280 µs in
blocks. A transposed matrix, ``[columns, inner]`` as in gradients, is read in place for at most `TRANSPOSED_SIZE` results: 890 µs in
one call and 120 µs in blocks.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.core.array_types import Array, ArrayModule

SIZE = 10**6  # multiplications; above it OpenBLAS packs the matrices
TRANSPOSED_SIZE = 1 << 10  # results; above it OpenBLAS packs a transposed matrix
ROWS, ROW_MAJOR_ROWS = 32, 16  # with more rows one call is as fast; the second for a matrix that is not transposed
MIN_CALL_SIZE = 60_000  # multiplications that are worth a call
COLUMN_MULTIPLE = 64  # the columns of a block are a multiple of it if the matrix is not transposed
_CODE = ("", "skylakex", "cooperlake", "sapphirerapids")


@functools.lru_cache(maxsize=1)
def has_small_products() -> bool:
    """Return whether NumPy's BLAS has kernels for small matrices: OpenBLAS on a processor with AVX-512."""
    if os.environ.get("OPENBLAS_CORETYPE", "").lower() not in _CODE:
        return False
    try:
        library = np.__config__.CONFIG["Build Dependencies"]["blas"]["name"]  # type: ignore[attr-defined]
        features = np._core._multiarray_umath.__cpu_features__  # type: ignore[attr-defined]
    except (AttributeError, KeyError):  # NumPy 1
        return False
    return "openblas" in library and bool(features.get("AVX512_SKX"))


@functools.lru_cache(maxsize=1024)
def blocks(rows: int, inner: int, columns: int, transposed: bool) -> tuple[slice, ...]:
    """Return the blocks of columns of a float32 product; () if a single call is as fast.

    ``transposed``: the matrix is ``[columns, inner]``.
    """
    if not 1 < rows <= (ROWS if transposed else ROW_MAJOR_ROWS) or not inner or not has_small_products():
        return ()
    width = SIZE // (rows * inner)
    if transposed:
        width = min(width, TRANSPOSED_SIZE // rows)
    width -= width % (16 if transposed else COLUMN_MULTIPLE)
    if columns <= width or not width or rows * width * inner < MIN_CALL_SIZE:
        return ()
    return tuple(slice(i, min(i + width, columns)) for i in range(0, columns, width))


def product(rows: int, inner: int, columns: int, transposed: bool) -> Callable[..., Any]:
    """Return a function ``(x, y, out=None)`` that multiplies float32 matrices of these sizes in `blocks`."""
    cuts, matmul, empty, shape = blocks(rows, inner, columns, transposed), np.matmul, np.empty, (rows, columns)

    def row_major_product(x: Array, y: Array, out: Array | None = None) -> Array:
        result = empty(shape, x.dtype) if out is None else out
        for cut in cuts:
            matmul(x, y[:, cut], result[:, cut])
        return result

    def transposed_product(x: Array, y: Array, out: Any = None) -> Array:
        result = empty(shape, x.dtype) if out is None else out
        for cut in cuts:
            matmul(x, y[cut].T, result[:, cut])
        return result

    return transposed_product if transposed else row_major_product


def repeated(xp: ArrayModule, w: Array, rows: int) -> Callable[..., Any]:
    """Return a function ``(x, out=None)`` that multiplies matrices of ``rows`` rows with ``w``, which is in row-major order."""
    inner, columns = w.shape
    if xp is np and w.dtype == np.float32 and blocks(rows, inner, columns, False):
        by_blocks = product(rows, inner, columns, False)
        return lambda x, out=None: by_blocks(x, w, out)
    return lambda x, out=None: xp.matmul(x, w, out=out)
