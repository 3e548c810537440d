"""Sums, differences, products and quotients of two sparse tensors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.eager.sparse_tensor import (
    SparseCooTensor,
    SparseCsrTensor,
    added,
    coo_of,
    coordinates,
    of_shape,
)
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.indexing.sort import unique
from to_static.compiler.ops.pointwise import elementwise
from to_static.compiler.ops.shapes.concat_split import concat
from to_static.compiler.ops.shapes.create import ones_like
from to_static.core.errors import ShapeError
from to_static.sparse.creation import need_sparse
from to_static.sparse.valuewise import cast


def _same_places(x: SparseCooTensor, y: SparseCooTensor) -> bool:
    a, b = x.indices(), y.indices()
    if a is b:
        return True
    both_dynamic = isinstance(a, EagerTensor) and isinstance(b, EagerTensor)
    return both_dynamic and a.shape == b.shape and bool(np.array_equal(a.numpy(), b.numpy()))


def _at_places_of_both(x: SparseCooTensor, y: SparseCooTensor, function: Callable[[Any, Any], Any]) -> SparseCooTensor:
    """``function`` of the numbers at each place that one of both has; the other's is 0 there."""
    if _same_places(x, y):
        return x.with_values(function(x.values(), y.values()))
    distinct, inverse = unique(concat([x.flat_indices(), y.flat_indices()]), return_inverse=True)
    count, first = distinct.shape[0], x.nnz()
    values = function(added(count, inverse[:first], x.values()), added(count, inverse[first:], y.values()))
    return SparseCooTensor(coordinates(distinct, x.sparse_sizes, x.indices().dtype), values, tuple(x.shape))


def _at_every_place(x: SparseCooTensor, y: SparseCooTensor, function: Callable[[Any, Any], Any]) -> SparseCooTensor:
    values = function(x.to_dense(), y.to_dense())
    sizes = x.sparse_sizes
    indices = coo_of(ones_like(values.detach()), len(sizes)).indices()
    rows = of_shape(values, [math.prod(sizes), *values.shape[len(sizes) :]])
    return SparseCooTensor(indices.astype(x.indices().dtype), rows, tuple(x.shape))


def _both(name: str, x: Any, y: Any, function: Callable[[Any, Any], Any], join: Callable[..., SparseCooTensor]) -> Any:
    need_sparse(name, x)
    need_sparse(name, y, type(x))
    if x.shape != y.shape:
        raise ShapeError(f"{name}: expected two tensors of one shape, got {x.shape} and {y.shape}")
    if y.dtype != x.dtype:
        y = cast(y, None, x.dtype)
    if isinstance(x, SparseCsrTensor):
        sizes = len(x.shape)
        return join(x.to_sparse_coo(sizes), y.to_sparse_coo(sizes), function).to_sparse_csr()
    if x.indices().shape[0] != y.indices().shape[0]:
        raise ShapeError(f"{name}: expected as many sparse dimensions, got {x.indices().shape[0]} and {y.indices().shape[0]}")
    return join(x, y, function)


def add(x: Any, y: Any, name: Any = None) -> Any:
    """The sum of two sparse tensors, of one kind and shape.

    Args:
        x: a sparse Tensor.
        y: a sparse Tensor, taken to the dtype of ``x``; or, beside coordinates, a dense one that is added to the dense dimensions.
        name: not used; there for compatibility.

    Returns:
        A sparse Tensor with the places of both.

    Raises:
        TypeError: they are not of one kind.
        ShapeError: they are not of one shape.

    Example:
        >>> x = paddle.to_tensor([[0.0, 1.0], [2.0, 0.0]]).to_sparse_csr()
        >>> y = paddle.to_tensor([[1.0, 1.0], [0.0, 0.0]]).to_sparse_csr()
        >>> paddle.sparse.add(x, y).to_dense().tolist()
        [[1.0, 2.0], [2.0, 0.0]]
    """
    if isinstance(x, SparseCooTensor) and isinstance(y, Tensor):
        dense = x.shape[x.indices().shape[0] :]
        if list(y.shape) != dense[len(dense) - y.ndim :] or not dense:  # type: ignore[attr-defined]
            raise ShapeError(f"add: expected a dense tensor of the dense dimensions, {dense}, got {list(y.shape)}")  # type: ignore[attr-defined]
        return x.with_values(elementwise.add(x.values(), y))
    return _both("add", x, y, elementwise.add, _at_places_of_both)


def subtract(x: Any, y: Any, name: Any = None) -> Any:
    """The difference of two sparse tensors, of one kind and shape; see `add`.

    ``x``, ``y``: the tensors.

    Example:
        >>> x = paddle.to_tensor([0.0, 1.0]).to_sparse_coo(1)
        >>> paddle.sparse.subtract(x, paddle.to_tensor([3.0, 1.0]).to_sparse_coo(1)).values().tolist()
        [-3.0, 0.0]
    """
    return _both("subtract", x, y, elementwise.subtract, _at_places_of_both)


def multiply(x: Any, y: Any, name: Any = None) -> Any:
    """The product of two sparse tensors of one kind and shape, number by number, or of one and a Python number; see `add`.

    The result has the places of both: zeros where only one has a number.
    ``x``, ``y``: the tensors.

    Example:
        >>> x = paddle.to_tensor([0.0, 2.0]).to_sparse_coo(1)
        >>> paddle.sparse.multiply(x, 3).values().tolist()
        [6.0]
    """
    if isinstance(y, (int, float)):
        return need_sparse("multiply", x).with_values(x.values() * float(y))
    return _both("multiply", x, y, elementwise.multiply, _at_places_of_both)


def divide(x: Any, y: Any, name: Any = None) -> Any:
    """The quotient of two sparse tensors of one kind and shape, number by number, or of one and a Python number; see `add`.

    Integers are divided as float32. The result of two has every place: 0 by 0 is NaN.
    ``x``, ``y``: the tensors.

    Example:
        >>> x = paddle.to_tensor([0.0, 2.0]).to_sparse_coo(1)
        >>> paddle.sparse.divide(x, 4).values().tolist()
        [0.5]
    """
    if need_sparse("divide", x).dtype.kind in "iub":
        x = cast(x, None, "float32")
    if isinstance(y, (int, float)):
        return x.with_values(x.values() / float(y))
    return _both("divide", x, y, elementwise.divide, _at_every_place)


def is_same_shape(x: Any, y: Any) -> bool:
    """Return whether two tensors, dense or sparse, have the same shape.

    ``x``, ``y``: the tensors.

    Example:
        >>> paddle.sparse.is_same_shape(paddle.ones([2, 3]), paddle.ones([2, 3]).to_sparse_csr())
        True
    """
    return x.is_same_shape(y)  # type: ignore[no-any-return]
