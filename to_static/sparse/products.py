"""Products of matrices of which one is sparse: numbers are gathered where they meet, and added where they go."""

from __future__ import annotations

import math
from typing import Any

from to_static.compiler.eager.sparse_tensor import (
    SparseCooTensor,
    SparseCsrTensor,
    SparseTensor,
    added,
    coordinates,
    numbered,
    of_shape,
)
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.indexing.gather import gather
from to_static.compiler.ops.indexing.sort import argsort
from to_static.compiler.ops.reductions.reduce import sum as dense_sum
from to_static.compiler.ops.reductions.scan import cumsum
from to_static.compiler.ops.shapes.concat_split import concat
from to_static.compiler.ops.shapes.create import cast, ones_like
from to_static.compiler.ops.shapes.expand import repeat_interleave
from to_static.compiler.ops.shapes.reshape import reshape, transpose
from to_static.compiler.ops.shapes.sequence import arange
from to_static.core.errors import ShapeError
from to_static.sparse.arithmetic import add, multiply
from to_static.sparse.creation import need_sparse


def _matrices(name: str, x: Any) -> SparseCooTensor:
    """A sparse tensor by the coordinates of all its dimensions, two at least."""
    need_sparse(name, x)
    if len(x.shape) < 2:
        raise ShapeError(f"{name}: expected matrices, [..., M, K], got shape {x.shape}")
    return x.to_sparse_coo(len(x.shape))  # type: ignore[no-any-return]


def _fit(name: str, x: Any, y: Any) -> None:
    if len(x.shape) != len(y.shape) or x.shape[:-2] != list(y.shape[:-2]) or x.shape[-1] != y.shape[-2]:
        raise ShapeError(f"{name}: expected [..., M, K] and [..., K, N], got {x.shape} and {list(y.shape)}")


def _rows(coo: SparseCooTensor) -> Any:
    """The row of each number among the rows of all matrices."""
    return numbered(coo.indices(), coo.shape[:-1])


def _partners(coo: SparseCooTensor) -> Any:
    """Return, for each stored value, the row of the other factor that it is multiplied with, among the rows of all matrices."""
    indices, rank = coo.indices(), len(coo.shape)
    if rank == 2:
        return cast(indices[1], "int64")
    return numbered(concat([indices[: rank - 2], indices[rank - 1 :]]), [*coo.shape[:-2], coo.shape[-1]])


def _by_dense(x: SparseCooTensor, y: Any) -> Any:
    columns = y.shape[-1]
    factors = gather(of_shape(y, [math.prod(y.shape[:-1]), columns]), _partners(x))
    products = added(math.prod(x.shape[:-1]), _rows(x), x.values().unsqueeze(-1) * factors)
    return of_shape(products, [*x.shape[:-1], columns])


def _by_sparse(x: SparseCooTensor, y: SparseCooTensor) -> SparseCooTensor:
    count = math.prod(y.shape[:-1])
    order = argsort(_rows(y))
    length = added(count, _rows(y), ones_like(_rows(y)))
    begin = cumsum(length, 0) - length
    partner = _partners(x)
    times = gather(length, partner)
    left_indices = repeat_interleave(arange(x.nnz()), times)
    within = arange(left_indices.shape[0]) - gather(cumsum(times, 0) - times, left_indices)
    right_indices = gather(order, gather(gather(begin, partner), left_indices) + within)
    shape = (*x.shape[:-1], y.shape[-1])
    flat_indices = gather(_rows(x), left_indices) * shape[-1] + cast(gather(y.indices()[-1], right_indices), "int64")
    values = gather(x.values(), left_indices) * gather(y.values(), right_indices)
    return SparseCooTensor(coordinates(flat_indices, shape, x.indices().dtype), values, shape).coalesce()


def matmul(x: Any, y: Any, name: Any = None) -> Any:
    """The product of a sparse matrix and a dense or sparse one, or of batches of them.

    Args:
        x: a sparse Tensor [..., M, K].
        y: a Tensor [..., K, N], dense or sparse as ``x``; leading dimensions are the same.
        name: not used; there for compatibility.

    Returns:
        Tensor [..., M, N]: dense beside a dense ``y``, else sparse as ``x``, with a place wherever numbers met.

    Raises:
        ShapeError: the shapes do not fit.
        TypeError: ``x`` is not sparse, or both are sparse in different ways.

    Example:
        >>> x = paddle.sparse.sparse_csr_tensor([0, 1, 2], [1, 0], [2.0, 3.0], [2, 2])
        >>> paddle.sparse.matmul(x, paddle.to_tensor([[1.0], [10.0]])).tolist()
        [[20.0], [3.0]]
    """
    coo = _matrices("matmul", x)
    if isinstance(y, Tensor):
        _fit("matmul", x, y)
        return _by_dense(coo, y)
    _fit("matmul", x, need_sparse("matmul", y, type(x)))
    product = _by_sparse(coo, _matrices("matmul", y))
    return product.to_sparse_csr() if isinstance(x, SparseCsrTensor) else product


def masked_matmul(x: Any, y: Any, mask: Any, name: Any = None) -> Any:
    """The product of two dense matrices, computed where a sparse tensor has numbers.

    Args:
        x: Tensor [..., M, K].
        y: Tensor [..., K, N].
        mask: a sparse Tensor [..., M, N]; its numbers do not count.
        name: not used; there for compatibility.

    Returns:
        A sparse Tensor [..., M, N] with the places of ``mask``.

    Raises:
        ShapeError: the shapes do not fit.

    Example:
        >>> mask = paddle.to_tensor([[1.0, 0.0], [0.0, 1.0]]).to_sparse_csr()
        >>> paddle.sparse.masked_matmul(paddle.ones([2, 3]), paddle.ones([3, 2]), mask).values().tolist()
        [3.0, 3.0]
    """
    coo = _matrices("masked_matmul", mask)
    _fit("masked_matmul", x, y)
    if mask.shape != [*x.shape[:-1], y.shape[-1]]:
        raise ShapeError(f"masked_matmul: expected a mask of shape {[*x.shape[:-1], y.shape[-1]]}, got {mask.shape}")
    rank, inner = len(mask.shape), x.shape[-1]
    transposed = transpose(y, [*range(rank - 2), rank - 1, rank - 2])
    left = gather(of_shape(x, [math.prod(x.shape[:-1]), inner]), _rows(coo))
    right = gather(of_shape(transposed, [math.prod(transposed.shape[:-1]), inner]), _partners(coo))
    return mask.with_values(dense_sum(left * right, -1))


def mv(x: Any, vec: Any, name: Any = None) -> Any:
    """The product of a sparse matrix [M, N] and a dense vector [N]: a dense Tensor [M].

    Raises ShapeError when they do not fit.
    ``x``, ``vec``: the matrix and the vector.

    Example:
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1], [1, 0]], [2.0, 3.0], [2, 2])
        >>> paddle.sparse.mv(x, paddle.to_tensor([1.0, 10.0])).tolist()
        [20.0, 3.0]
    """
    coo = _matrices("mv", x)
    if len(x.shape) != 2 or list(vec.shape) != x.shape[1:]:
        raise ShapeError(f"mv: expected [M, N] and [N], got {x.shape} and {list(vec.shape)}")
    return reshape(_by_dense(coo, vec.unsqueeze(-1)), [x.shape[0]])


def addmm(input: Any, x: Any, y: Any, beta: float = 1.0, alpha: float = 1.0, name: Any = None) -> Any:
    """``beta * input + alpha * x @ y``, with a sparse ``x``.

    Args:
        input: Tensor [..., M, N], dense where ``y`` is, else sparse as ``x``.
        x: a sparse Tensor [..., M, K].
        y: Tensor [..., K, N], dense or sparse as ``x``.
        beta, alpha: numbers (default 1).
        name: not used; there for compatibility.

    Raises:
        ShapeError: the shapes do not fit.

    Example:
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1], [1, 0]], [2.0, 3.0], [2, 2])
        >>> paddle.sparse.addmm(paddle.ones([2, 1]), x, paddle.ones([2, 1]), 3.0, 2.0).tolist()
        [[7.0], [9.0]]
    """
    product = matmul(x, y)
    if list(input.shape) != list(product.shape):
        raise ShapeError(f"addmm: expected an input of shape {list(product.shape)}, got {list(input.shape)}")
    if isinstance(product, SparseTensor):
        return add(multiply(need_sparse("addmm", input), beta), multiply(product, alpha))
    if isinstance(input, SparseTensor):
        raise TypeError("addmm: expected a dense input beside a dense y, got a sparse one; call input.to_dense()")
    return input * beta + product * alpha
