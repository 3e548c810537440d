"""Linear algebra composed of other operators: chains of products, covariances, condition numbers, pseudo-inverses."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, method, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import shape_rules
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32
from to_static.core.errors import ArgumentError, DTypeError, ShapeError


@method()
def multi_dot(x: Sequence[Tensor], name: str | None = None) -> Tensor:
    """The product of matrices (the first and the last may be vectors), in the order that takes the fewest multiplications.

    Raises ShapeError when they do not fit.
    ``x``: the list of matrices, of one dtype.

    Example:
        >>> paddle.linalg.multi_dot([paddle.ones([2, 3]), paddle.ones([3, 9]), paddle.ones([9, 1])]).shape
        [2, 1]
    """
    items = list(x)
    if len(items) < 2:
        raise ShapeError(f"multi_dot: expected at least two tensors, got {len(items)}")
    ranks = [t.ndim for t in items]
    if any(r != 2 for r in ranks[1:-1]) or any(r not in (1, 2) for r in (ranks[0], ranks[-1])):
        shapes = ", ".join(show(t.spec.shape) for t in items)
        raise ShapeError(f"multi_dot: expected matrices, between vectors or matrices, got {shapes}")
    first, last = ranks[0] == 1, ranks[-1] == 1
    if first:
        items[0] = F.unsqueeze(items[0], 0)
    if last:
        items[-1] = F.unsqueeze(items[-1], 1)
    result = _chain(items, _splits((items[0].spec.shape[0], *[t.spec.shape[1] for t in items])), 0, len(items) - 1)
    result = F.squeeze(result, 0) if first else result
    return F.squeeze(result, -1) if last else result


@functools.lru_cache
def _splits(shapes: tuple[int, ...]) -> dict[tuple[int, int], int]:
    """The order of products that takes the fewest multiplications; unknown sizes count as 1.

    Source: Cormen et al., "Introduction to Algorithms".
    """
    sizes = [max(s, 1) for s in shapes]
    n = len(sizes) - 1
    cost = {(i, i): 0 for i in range(n)}
    split: dict[tuple[int, int], int] = {}
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            ways = [(cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)]
            cost[i, j], split[i, j] = min(ways)
    return split


def _chain(items: list[Any], split: dict[tuple[int, int], int], i: int, j: int) -> Tensor:
    if i == j:
        return items[i]
    k = split[i, j]
    return F.matmul(_chain(items, split, i, k), _chain(items, split, k + 1, j))


@method()
def cov(
    x: Tensor,
    rowvar: bool = True,
    ddof: bool = True,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """Covariances of the rows (or columns) of ``x``, which has one or two dimensions.

    ``ddof``: divide by one less than the number of observations; ``fweights``: how often each was made (integers), ``aweights``:
    how much each counts. Raises ShapeError for more dimensions, or weights that do not fit.
    ``rowvar``: True for rows, False for columns.

    Example:
        >>> paddle.linalg.cov(paddle.to_tensor([[1.0, 2.0], [3.0, 5.0]])).numpy()
        array([[0.5, 1. ],
               [1. , 2. ]], dtype=float32)
    """
    if x.ndim not in (1, 2):
        raise ShapeError(f"cov: expected 1 or 2 dimensions, got {show(x.spec.shape)}")
    rows = F.unsqueeze(x, 0) if x.ndim == 1 else x if rowvar or x.spec.shape[0] == 1 else F.transpose(x, [1, 0])
    weights: Any = None
    for weight_part, what in ((fweights, "fweights"), (aweights, "aweights")):
        if weight_part is not None:
            if weight_part.ndim != 1 or not shape_rules.compatible(weight_part.spec.shape, rows.spec.shape[1:]):
                raise ShapeError(f"cov: {what} {show(weight_part.spec.shape)} do not fit {show(x.spec.shape)}")
            weight_part = F.cast(weight_part, x.dtype)
            weights = weight_part if weights is None else weights * weight_part
    if weights is None:
        total: Any = rows.shape[1]
        centred = rows - F.mean(rows, 1, keepdim=True)
        scaled, degrees_of_freedom = centred, total - int(ddof)
    else:
        total = F.sum(weights)
        centred = rows - F.sum(rows * weights, 1, keepdim=True) / total
        scaled = centred * weights
        again = F.sum(weights * F.cast(aweights, x.dtype)) / total if aweights is not None else 1
        degrees_of_freedom = total - again * int(ddof)
    covariance = F.matmul(scaled, centred, transpose_y=True) / degrees_of_freedom
    return F.squeeze(covariance)


@method()
def corrcoef(x: Tensor, rowvar: bool = True, name: str | None = None) -> Tensor:
    """Correlations of the rows (or columns) of ``x``: `cov`, divided by both standard deviations, cut to [-1, 1].

    ``x``: ``[n, observations]``; ``rowvar``: True for rows, False for columns.

    Example:
        >>> paddle.linalg.corrcoef(paddle.to_tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]])).tolist()
        [[1.0, 1.0], [1.0, 1.0]]
    """
    correlation = cov(x, rowvar)
    if correlation.ndim == 0:
        return correlation / correlation
    deviation = F.sqrt(F.diagonal(correlation))
    correlation = correlation / F.unsqueeze(deviation, 1) / F.unsqueeze(deviation, 0)
    return F.clip(correlation, -1.0, 1.0)


@method()
def cond(x: Tensor, p: float | str | None = None, name: str | None = None) -> Tensor:
    """The condition number of the matrices ``x``: the norm times the norm of the inverse.

    ``p``: the norm, 2 (the default), -2, 'fro', 'nuc', 1, -1, inf or -inf. Raises ValueError for another.
    ``x``: ``[..., m, n]`` for p = 2 and -2, else square; the result is ``[...]``.

    Example:
        >>> paddle.linalg.cond(paddle.to_tensor([[1.0, 0.0], [0.0, 4.0]])).item()
        4.0
    """
    if p in (None, 2, -2):
        values = _singular(x)
        large, small = F.max(values, -1), F.min(values, -1)
        return small / large if p == -2 else large / small
    if p not in ("fro", "nuc", 1, -1, np.inf, -np.inf):
        raise ArgumentError(f"cond: p must be None, 2, -2, 'fro', 'nuc', 1, -1, inf or -inf, got {p!r}")
    return _matrix_norm(x, p) * _matrix_norm(F.inverse(x), p)


def _singular(x: Tensor) -> Tensor:
    return F.svd(x)[1]


def _matrix_norm(x: Any, p: Any) -> Any:
    """Return the norm of each matrix of ``x``: 'fro', 'nuc', or ``p`` of 1, -1 (column sums) and inf, -inf (row sums)."""
    if p == "fro":
        return F.sqrt(F.sum(x * x, [-2, -1]))
    if p == "nuc":
        return F.sum(_singular(x), -1)
    sums = F.sum(F.abs(x), -2 if abs(p) == 1 else -1)
    return (F.max if p > 0 else F.min)(sums, -1)


@method()
def cholesky_solve(x: Tensor, y: Tensor, upper: bool = False, name: str | None = None) -> Tensor:
    """The solution of ``A @ out = x``, where ``y`` is the lower (or upper) factor that `cholesky` gives of ``A``.

    ``x``: ``[..., n, m]``, ``y``: ``[..., n, n]``; the result is ``[..., n, m]``.

    Example:
        >>> factor = paddle.linalg.cholesky(paddle.to_tensor([[4.0, 0.0], [0.0, 9.0]]))
        >>> paddle.linalg.cholesky_solve(paddle.to_tensor([[4.0], [18.0]]), factor).tolist()
        [[1.0], [2.0]]
    """
    solve = F.triangular_solve
    return solve(y, solve(y, x, upper, upper), upper, not upper)


@method()
def pinv(x: Tensor, rcond: float = 1e-15, hermitian: bool = False, name: str | None = None) -> Tensor:
    """Pseudo-inverses: of the singular values those above ``rcond`` times the largest are inverted, the others count as zero.

    ``hermitian``: the matrices are symmetric, and eigenvalues are taken in place of singular ones.
    ``x``: ``[..., m, n]``; the result is ``[..., n, m]``.

    Example:
        >>> paddle.linalg.pinv(paddle.to_tensor([[2.0], [0.0]])).tolist()
        [[0.5, 0.0]]
    """
    if hermitian:
        values, right_vectors = F.eigh(x)
        left_vectors, magnitudes = right_vectors, F.abs(values)
    else:
        left_vectors, values, right_transposed = F.svd(x, False)
        right_vectors, magnitudes = F.swapaxes(right_transposed, -1, -2), values
        right_vectors = F.conj(right_vectors) if x.dtype.kind == "c" else right_vectors
    if isinstance(rcond, Tensor) and rcond.ndim:
        rcond = F.unsqueeze(rcond, -1)
    is_large = magnitudes > F.max(magnitudes, -1, keepdim=True) * rcond
    inverted = F.where(is_large, 1 / F.where(is_large, values, F.ones_like(values)), F.zeros_like(values))
    left_vectors = F.conj(left_vectors) if x.dtype.kind == "c" else left_vectors
    weighted = right_vectors * F.cast(F.unsqueeze(inverted, -2), x.dtype)
    return F.matmul(weighted, left_vectors, transpose_y=True)


@op("matrix_rank(X, TolTensor? -> Out) hermitian:bool tol:float use_default_tol:bool", traits="nodiff")
def rank_op(x: Tensor, tol_tensor: Tensor | None, hermitian: bool, tol: float, use_default_tol: bool) -> Tensor:
    """Numbers of singular values above a tolerance, see `matrix_rank`."""
    return rank_op.emit(x, tol_tensor, hermitian=hermitian, tol=tol, use_default_tol=use_default_tol)


@rank_op.infer
def _(x: TensorSpec, tol_tensor: TensorSpec | None, hermitian: bool, tol: float, use_default_tol: bool) -> TensorSpec:
    if x.dtype.kind != "f" or x.dtype.itemsize == 2:
        raise DTypeError(f"matrix_rank: expected float32 or float64 matrices, got {x.dtype.name}")
    if x.ndim < 2 or (hermitian and not shape_rules.compatible(x.shape[-1:], x.shape[-2:-1])):
        raise ShapeError(f"matrix_rank: expected {'square ' if hermitian else ''}matrices, got {show(x.shape)}")
    lead = x.shape[:-2] if tol_tensor is None else shape_rules.broadcast(x.shape[:-2], tol_tensor.shape, "matrix_rank")
    return TensorSpec(lead, int32)


@rank_op.kernel
def _(xp: ArrayModule, x: Array, tol_tensor: Array | None, hermitian: bool, tol: float, use_default_tol: bool) -> Array:
    sizes = xp.abs(xp.linalg.eigvalsh(x)) if hermitian else xp.linalg.svd(x, compute_uv=False)
    if tol_tensor is not None:
        limit = tol_tensor[..., None]
    elif use_default_tol:
        limit = sizes.max(-1, keepdims=True) * max(x.shape[-2:]) * np.finfo(x.dtype).eps
    else:
        limit = tol
    return (sizes > limit).sum(-1).astype("int32")


rank_op.samples(
    lambda: [
        Sample(f32(2, 3, 2), None, hermitian=False, tol=0.0, use_default_tol=True, grad=()),
        Sample(np.diag(np.asarray([1, 0.1, -2], "float32")), np.asarray([0.5, 0.01], "float32"),
               hermitian=True, tol=0.0, use_default_tol=False, grad=()),
    ]
)  # fmt: skip


@method()
def matrix_rank(
    x: Tensor, tol: Tensor | float | None = None, hermitian: bool = False, name: str | None = None
) -> Tensor:
    """The rank of the matrices: the number of singular values above ``tol``, int32.

    ``tol``: a number or a tensor; by default the largest one times the larger size times the dtype's precision.
    ``hermitian``: the matrices are symmetric, and absolute eigenvalues are counted.
    ``x``: ``[..., m, n]``; the result is ``[...]``.

    Example:
        >>> paddle.linalg.matrix_rank(paddle.ones([3, 3])).item()
        1
    """
    if isinstance(tol, Tensor):
        return rank_op(x, F.cast(tol, x.dtype), bool(hermitian), 0.0, False)
    return rank_op(x, None, bool(hermitian), 0.0 if tol is None else float(tol), tol is None)
