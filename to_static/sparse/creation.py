"""Sparse tensors made of numbers and where they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.eager.sparse_tensor import SparseCooTensor, SparseCsrTensor, SparseTensor
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.mode import building
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.shapes.create import cast, to_tensor
from to_static.compiler.ops.static_arguments import must_be_static
from to_static.core.errors import DTypeError, ShapeError

_INDICES = ("int8", "int16", "int32", "int64")


def need_sparse(name: str, x: Any, kind: type[SparseTensor] = SparseTensor) -> Any:
    """``x``; raises TypeError unless it is a sparse tensor, of this kind."""
    if isinstance(x, kind):
        return x
    wanted = {SparseTensor: "sparse", SparseCooTensor: "sparse COO", SparseCsrTensor: "sparse CSR"}[kind]
    description = "a dense one" if isinstance(x, Tensor) else f"a {type(x).__name__}"
    how = "x.to_sparse_csr()" if kind is SparseCsrTensor else "x.to_sparse_coo(sparse_dim)"
    raise TypeError(f"{name}: expected a {wanted} tensor, got {description}; make one with {how}")


def _places(name: str, what: str, value: Any, place: Any) -> Any:
    indices = value if isinstance(value, Tensor) else to_tensor(value, place=place)
    if indices.dtype.name not in _INDICES:
        raise DTypeError(f"{name}: {what} should be integers ({', '.join(_INDICES)}), got {indices.dtype.name}")
    return indices.detach() if place is None else indices.detach().to(place)


def _known(given: Any, made: Any) -> np.ndarray | None:
    """The numbers of integers that are known before a Program runs."""
    if isinstance(given, Tensor):
        return None if not isinstance(made, EagerTensor) or building() else made.numpy()
    return np.asarray(given)


def _numbers(values: Any, dtype: Any, place: Any, stop_gradient: bool) -> Any:
    if not isinstance(values, Tensor):
        return to_tensor(values, dtype, place, stop_gradient)
    values = values if place is None else values.to(place)
    return values if dtype is None else cast(values, dtype)


def sparse_coo_tensor(
    indices: Any, values: Any, shape: Sequence[int] | None = None, dtype: Any = None, place: Any = None,
    stop_gradient: bool = True,
) -> SparseCooTensor:  # fmt: skip
    """A sparse tensor of numbers and their coordinates.

    Args:
        indices: integers [sparse dimensions, n]: Tensor, array or lists.
        values: the n numbers, [n, *dense dimensions].
        shape: of the whole (default None: as small as the coordinates allow).
        dtype: of the numbers (default None: as they are; Python floats are of the default dtype).
        place: where to keep it (default None: the current device).
        stop_gradient: False for gradients to flow through it, also to ``values`` that want one (default True).

    Raises:
        ShapeError: the parts do not fit each other, or ``shape``.
        DTypeError: ``indices`` are no integers.

    Example:
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1, 2], [1, 2, 0]], [1.0, 2.0, 3.0], [3, 3])
        >>> x.to_dense().tolist()
        [[0.0, 1.0, 0.0], [0.0, 0.0, 2.0], [3.0, 0.0, 0.0]]
    """
    name = "sparse_coo_tensor"
    places = _places(name, "indices", indices, place)
    if places.ndim != 2:
        raise ShapeError(f"{name}: 'indices' must be 2-D, [sparse dimensions, n], got shape {places.shape}")
    numbers = _numbers(values, dtype, place, stop_gradient)
    if numbers.ndim == 0 or places.shape[1] != numbers.shape[0]:
        raise ShapeError(
            f"{name}: the indices and values must have same number of non-zero, got shapes {places.shape} and {numbers.shape}"
        )
    dense = tuple(numbers.shape[1:])
    known = _known(indices, places)
    if shape is None and known is None:
        raise must_be_static(name, "indices", "give the shape: `paddle.sparse.sparse_coo_tensor(indices, values, shape)`")
    if known is not None and known.size and known.min() < 0:
        raise ShapeError(f"{name}: indices must not be negative, got {known.min()}")
    least = (*([0] * places.shape[0] if known is None or not known.size else (known.max(1) + 1).tolist()), *dense)
    whole = least if shape is None else tuple(int(n) for n in shape)
    if len(whole) != len(least):
        raise ShapeError(
            f"{name}: the number of dimensions must be sparse_dim({places.shape[0]}) + dense_dim({len(dense)}), got {list(whole)}"
        )
    sizes = places.shape[0]
    if any(have < need for have, need in zip(whole, least, strict=True)) or whole[sizes:] != dense:
        raise ShapeError(f"{name}: the minimum shape required is {list(least)}, got {list(whole)}")
    tensor = SparseCooTensor(places, numbers.clone() if not stop_gradient else numbers.detach().clone(), whole)
    tensor.stop_gradient = stop_gradient
    return tensor


def sparse_csr_tensor(
    crows: Any, cols: Any, values: Any, shape: Sequence[int], dtype: Any = None, place: Any = None, stop_gradient: bool = True
) -> SparseCsrTensor:
    """A sparse matrix, or a batch of them, of numbers in compressed rows.

    Args:
        crows: integers [rows + 1], for each matrix of the batch: where each row begins among its numbers, and the last one ends.
        cols: integers [n], the column of each number.
        values: the n numbers.
        shape: of the whole, [rows, columns] or [batch, rows, columns].

    ``dtype``, ``place`` and ``stop_gradient`` are those of `sparse_coo_tensor`; gradients come to the tensor, not to ``values``.

    Raises:
        ShapeError: the parts do not fit each other.
        DTypeError: ``crows`` or ``cols`` are no integers.

    Example:
        >>> x = paddle.sparse.sparse_csr_tensor([0, 2, 3], [0, 1, 2], [1.0, 2.0, 3.0], [2, 3])
        >>> x.to_dense().tolist()
        [[1.0, 2.0, 0.0], [0.0, 0.0, 3.0]]
    """
    name = "sparse_csr_tensor"
    rows, columns = (_places(name, what, given, place) for what, given in (("crows", crows), ("cols", cols)))
    numbers = _numbers(values, dtype, place, stop_gradient)
    whole = tuple(int(n) for n in shape)
    if len(whole) not in (2, 3):
        raise ShapeError(f"{name}: expected a shape of 2 or 3 dimensions, got {list(whole)}")
    if rows.ndim != 1 or columns.ndim != 1 or numbers.ndim != 1:
        raise ShapeError(f"{name}: crows, cols and values must be 1-D, got {rows.shape}, {columns.shape} and {numbers.shape}")
    if columns.shape[0] != numbers.shape[0]:
        raise ShapeError(f"{name}: expected as many cols as values, got {columns.shape[0]} and {numbers.shape[0]}")
    batch = whole[0] if len(whole) == 3 else 1
    if rows.shape[0] != batch * (whole[-2] + 1):
        raise ShapeError(f"{name}: crows must have rows + 1 = {whole[-2] + 1} numbers for each matrix, got {rows.shape[0]}")
    known = _known(crows, rows), _known(cols, columns)
    if known[0] is not None and known[1] is not None:
        _check_rows(name, known[0].reshape(batch, -1), known[1], whole)
    tensor = SparseCsrTensor(rows, columns, numbers.detach().clone(), whole)
    tensor.stop_gradient = stop_gradient
    return tensor


def _check_rows(name: str, rows: Any, columns: Any, shape: tuple[int, ...]) -> None:
    if rows[:, 0].any() or (rows[:, 1:] < rows[:, :-1]).any():
        raise ShapeError(f"{name}: the 0th value of crows must be 0, and they must not fall")
    if rows[:, -1].sum() != len(columns):
        raise ShapeError(f"{name}: the last value of crows must be the number of non-zero, {len(columns)}, got {rows[:, -1].sum()}")
    if len(columns) and not 0 <= columns.min() <= columns.max() < shape[-1]:
        raise ShapeError(f"{name}: cols must be in [0, {shape[-1]}), got {columns.min()} to {columns.max()}")
