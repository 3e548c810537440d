"""Functions that move, join or drop the coordinates of numbers: coalesce, transpose, reshape, slice, sum."""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import Any

from to_static.compiler.eager.sparse_tensor import SparseCooTensor, SparseCsrTensor, coordinates
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.indexing.gather import gather
from to_static.compiler.ops.indexing.where import nonzero
from to_static.compiler.ops.reductions.reduce import sum as dense_sum
from to_static.compiler.ops.shape_rules import axes_tuple, axis_index
from to_static.compiler.ops.shapes import reshape as dense
from to_static.compiler.ops.shapes import slice_functions
from to_static.compiler.ops.shapes.concat_split import stack
from to_static.compiler.ops.shapes.create import cast
from to_static.core.dtypes import as_dtype, int64
from to_static.core.errors import ShapeError
from to_static.sparse.creation import need_sparse


def _by_coordinates(name: str, x: Any) -> SparseCooTensor:
    return need_sparse(name, x).to_sparse_coo(len(x.shape)) if isinstance(x, SparseCsrTensor) else need_sparse(name, x)


def _as_given(x: Any, result: SparseCooTensor) -> Any:
    return result.to_sparse_csr() if isinstance(x, SparseCsrTensor) else result


def coalesce(x: Any, name: Any = None) -> SparseCooTensor:
    """A sparse tensor with its places in order and each there once: numbers at one place are added.

    Raises TypeError unless ``x`` is by coordinates.

    Example:
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 0, 1], [1, 1, 2]], [1.0, 2.0, 3.0])
        >>> paddle.sparse.coalesce(x).values().tolist()
        [3.0, 3.0]
    """
    return need_sparse("coalesce", x, SparseCooTensor).coalesce()  # type: ignore[no-any-return]


def transpose(x: Any, perm: Sequence[int], name: Any = None) -> Any:
    """A sparse tensor with its dimensions in the order ``perm``; sparse dimensions stay before dense ones.

    Raises:
        ShapeError: ``perm`` is no order of the dimensions, or mixes sparse ones with dense ones.

    Example:
        >>> x = paddle.to_tensor([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0]]).to_sparse_csr()
        >>> paddle.sparse.transpose(x, [1, 0]).shape
        [3, 2]
    """
    coo = _by_coordinates("transpose", x)
    order = [axis_index(axis, len(coo.shape), "transpose") for axis in perm]
    sparse = coo.indices().shape[0]
    if sorted(order) != list(range(len(coo.shape))) or sorted(order[:sparse]) != list(range(sparse)):
        raise ShapeError(f"transpose: {list(perm)} is no order of {coo.shape} with its {sparse} sparse dimensions first")
    indices = stack([coo.indices()[axis] for axis in order[:sparse]])
    values = coo.values()
    if len(order) > sparse:
        values = dense.transpose(values, [0, *(axis - sparse + 1 for axis in order[sparse:])])
    return _as_given(x, SparseCooTensor(indices, values, tuple(coo.shape[axis] for axis in order)))


def reshape(x: Any, shape: Sequence[int], name: Any = None) -> Any:
    """A sparse tensor in another shape; only sparse dimensions change.

    Args:
        x: a sparse Tensor.
        shape: ints; one may be -1 (what is left), and 0 copies the size of ``x``. Two or three for a tensor in rows.
        name: not used; there for compatibility.

    Raises:
        ShapeError: the number of elements is another, or dense dimensions would change.

    Example:
        >>> x = paddle.to_tensor([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0]]).to_sparse_coo(2)
        >>> paddle.sparse.reshape(x, [-1]).indices().tolist()
        [[1, 3]]
    """
    coo = _by_coordinates("reshape", x)
    if any(n == 0 and i >= len(coo.shape) for i, n in enumerate(shape)) or list(shape).count(-1) > 1:
        raise ShapeError(f"reshape: {list(shape)} can't be the shape of a tensor of shape {coo.shape}")
    sizes = [coo.shape[i] if n == 0 else int(n) for i, n in enumerate(shape)]
    fixed_size, size = math.prod(n for n in sizes if n != -1), math.prod(coo.shape)
    if -1 in sizes and fixed_size:
        sizes[sizes.index(-1)] = size // fixed_size
    dense_shape = coo.shape[coo.indices().shape[0] :]
    front = sizes[: len(sizes) - len(dense_shape)]
    if math.prod(sizes) != size or sizes[len(front) :] != dense_shape or not front:
        raise ShapeError(f"reshape: {list(shape)} can't be the shape of a tensor of shape {coo.shape}, {dense_shape} of it dense")
    indices = coordinates(coo.flat_indices(), front, coo.indices().dtype)
    return _as_given(x, SparseCooTensor(indices, coo.values(), tuple(sizes)))


def _ints(values: Any) -> list[int]:
    return [int(v) for v in (values.tolist() if isinstance(values, Tensor) else values)]


def slice(x: Any, axes: Any, starts: Any, ends: Any, name: Any = None) -> Any:
    """The part of a sparse tensor from ``starts`` to before ``ends`` along ``axes``; negative ones count from the end.

    Raises:
        ShapeError: ``axes``, ``starts`` and ``ends`` are not as many, or an axis is not there.

    Example:
        >>> x = paddle.to_tensor([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0]]).to_sparse_coo(2)
        >>> paddle.sparse.slice(x, [1], [0], [2]).to_dense().tolist()
        [[0.0, 2.0], [1.0, 0.0]]
    """
    coo = _by_coordinates("slice", x)
    axes, starts, ends = (_ints(v) for v in (axes, starts, ends))
    if not len(axes) == len(starts) == len(ends):
        raise ShapeError(f"slice: expected as many axes, starts and ends, got {len(axes)}, {len(starts)} and {len(ends)}")
    values, sizes, sparse = coo.values(), coo.shape, coo.indices().shape[0]
    first, selected = [0] * sparse, None
    for axis, start, end in zip(axes, starts, ends, strict=True):
        axis = axis_index(axis, len(sizes), "slice")
        low, high, _ = builtins.slice(start, end).indices(sizes[axis])
        high = max(low, high)
        sizes[axis] = high - low
        if axis >= sparse:
            values = slice_functions.slice(values, [axis - sparse + 1], [low], [high])
            continue
        row, first[axis] = coo.indices()[axis], low
        inside = (row >= low).logical_and(row < high)
        selected = inside if selected is None else selected.logical_and(inside)
    indices = coo.indices()
    if selected is not None:
        chosen = nonzero(selected).squeeze(-1)
        values = gather(values, chosen)
        indices = stack([gather(indices[i], chosen) - low for i, low in enumerate(first)])
    return _as_given(x, SparseCooTensor(cast(indices, coo.indices().dtype), values, tuple(sizes)))


def sum(x: Any, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: Any = None) -> Any:
    """The sum of a sparse tensor along dimensions.

    Args:
        x: a sparse Tensor.
        axis: an int or several (default None: all).
        dtype: of the result (default None: that of ``x``; int64 for the sum of all integers). It is the sums along dimensions that
            are taken to it, but the numbers of the sum of all.
        keepdim: whether these dimensions stay, of size 1 (default False).
        name: not used; there for compatibility.

    Returns:
        A sparse Tensor, with a place where a number went in. The sum of all is of shape [1]; one in rows keeps two dimensions at
        least, [rows, 1] for the sum along -1.

    Example:
        >>> x = paddle.to_tensor([[0.0, 2.0], [1.0, 5.0]]).to_sparse_coo(2)
        >>> paddle.sparse.sum(x, axis=1).values().tolist()
        [2.0, 6.0]
    """
    coo = _by_coordinates("sum", x)
    shape, sparse = coo.shape, coo.indices().shape[0]
    axes = axes_tuple(axis, len(shape), "sum") or tuple(range(len(shape)))
    if isinstance(x, SparseCsrTensor) and len(shape) - len(axes) < 2 and not keepdim:
        keepdim, shape = True, shape if len(axes) < len(shape) else [1, 1]
        if len(axes) == len(coo.shape) == 3:
            coo, axes, sparse = reshape(coo, [coo.shape[0] * coo.shape[1], coo.shape[2]]), (0, 1), 2
    of_all = axis is None or (isinstance(axis, (list, tuple)) and not axis)
    dtype = as_dtype(dtype) if dtype is not None else int64 if of_all and coo.dtype.kind in "iub" else coo.dtype
    values = cast(coo.values(), dtype) if of_all else coo.values()
    inner = [a - sparse + 1 for a in axes if a >= sparse]
    if inner:
        values = dense_sum(values, inner, keepdim=keepdim)
    left = [i for i in range(sparse) if i not in axes]
    dense_shape = values.shape[1:]
    if keepdim:
        rows = [coo.indices()[i] * (i in left) for i in range(sparse)]
        sizes = [shape[i] if i in left else 1 for i in range(sparse)]
    else:
        rows = [coo.indices()[i] for i in left] or [coo.indices()[0] * 0]
        sizes = [shape[i] for i in left] or [1]
    result = SparseCooTensor(stack(rows), values, (*sizes, *dense_shape))
    result = result.coalesce()
    return _as_given(x, result.with_values(cast(result.values(), dtype)))
