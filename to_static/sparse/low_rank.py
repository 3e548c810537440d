"""Principal components of a sparse matrix."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops.linalg.decompose import svd
from to_static.compiler.ops.linalg.factor import qr
from to_static.compiler.ops.linalg.matmul import matmul as dense_matmul
from to_static.compiler.ops.random.random import randn
from to_static.compiler.ops.reductions.reduce import sum as dense_sum
from to_static.compiler.ops.shapes.reshape import transpose as dense_transpose
from to_static.sparse.creation import need_sparse
from to_static.sparse.places import sum as sparse_sum
from to_static.sparse.places import transpose
from to_static.sparse.products import matmul


def pca_lowrank(x: Any, q: int | None = None, center: bool = True, niter: int = 2, name: Any = None) -> tuple[Any, Any, Any]:
    """The ``q`` largest singular values of a sparse matrix [m, n] with their vectors: [m, q], [q] and [n, q], approximately.

    The matrix is only multiplied with, never made dense; `paddle.linalg.pca_lowrank` is the same for dense ones.

    Args:
        x: a sparse Tensor.
        q: how many (default None: 6, or m or n if that is less).
        center: whether the mean of each column is taken away first (default True).
        niter: rounds of the power iteration (default 2).
        name: not used; there for compatibility.

    Raises:
        ValueError: ``q`` or ``niter`` is out of range, or ``x`` is no matrix.

    Example:
        >>> u, s, v = paddle.sparse.pca_lowrank(paddle.randn([5, 3]).to_sparse_csr())

    Source: Halko, Martinsson and Tropp, "Finding structure with randomness", 2011.
    """
    if len(need_sparse("pca_lowrank", x).shape) != 2:
        raise ValueError(f"pca_lowrank: expected a matrix, got shape {x.shape}")
    m, n = x.shape
    q = min(6, m, n) if q is None else q
    if not 0 <= q <= min(m, n) or niter < 0:
        raise ValueError(f"pca_lowrank: q must be from 0 to {min(m, n)} and niter not negative, got {q} and {niter}")
    transposed = transpose(x, [1, 0])
    mean = sparse_sum(x.to_sparse_coo(2), 0).to_dense().unsqueeze(0) / m if center else None

    def times(v: Any) -> Any:
        return matmul(x, v) if mean is None else matmul(x, v) - dense_matmul(mean, v)

    def back(u: Any) -> Any:
        return matmul(transposed, u) if mean is None else matmul(transposed, u) - _outer(mean, u)

    forward, adjoint = (times, back) if m >= n else (back, times)
    basis = qr(forward(randn([min(m, n), q], x.dtype)))[0]
    for _ in range(niter):
        basis = qr(forward(qr(adjoint(basis))[0]))[0]
    u, s, vh = svd(dense_transpose(adjoint(basis), [1, 0]))
    u, v = dense_matmul(basis, u), dense_transpose(vh, [1, 0])
    return (u, s, v) if m >= n else (v, s, u)


def _outer(mean: Any, u: Any) -> Any:
    return dense_matmul(dense_transpose(mean, [1, 0]), dense_sum(u, 0, keepdim=True))
