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


def need_sparse(name: str, x: Any, cls: type[SparseTensor] = SparseTensor) -> Any:
    """``x``; raises TypeError unless it is a sparse tensor, of this kind."""
    if isinstance(x, cls):
        return x
    expected = {SparseTensor: "sparse", SparseCooTensor: "sparse COO", SparseCsrTensor: "sparse CSR"}[cls]
    description = "a dense one" if isinstance(x, Tensor) else f"a {type(x).__name__}"
    conversion = "x.to_sparse_csr()" if cls is SparseCsrTensor else "x.to_sparse_coo(sparse_dim)"
    raise TypeError(f"{name}: expected a {expected} tensor, got {description}; make one with {conversion}")


def _places(name: str, what: str, value: Any, place: Any) -> Any:
    indices = value if isinstance(value, Tensor) else to_tensor(value, place=place)
    if indices.dtype.name not in _INDICES:
        raise DTypeError(f"{name}: {what} should be integers ({', '.join(_INDICES)}), got {indices.dtype.name}")
    return indices.detach() if place is None else indices.detach().to(place)


def _host_values(argument: Any, tensor: Any) -> np.ndarray | None:
    """The numbers of integers that are known before a Program runs."""
    if isinstance(argument, Tensor):
        return None if not isinstance(tensor, EagerTensor) or building() else tensor.numpy()
    return np.asarray(argument)


def _values_tensor(values: Any, dtype: Any, place: Any, stop_gradient: bool) -> Any:
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
    coords = _places(name, "indices", indices, place)
    if coords.ndim != 2:
        raise ShapeError(f"{name}: 'indices' must be 2-D, [sparse dimensions, n], got shape {coords.shape}")
    value_tensor = _values_tensor(values, dtype, place, stop_gradient)
    if value_tensor.ndim == 0 or coords.shape[1] != value_tensor.shape[0]:
        raise ShapeError(
            f"{name}: the indices and values must have same number of non-zero, got shapes {coords.shape} and {value_tensor.shape}"
        )
    dense = tuple(value_tensor.shape[1:])
    constant = _host_values(indices, coords)
    if shape is None and constant is None:
        raise must_be_static(name, "indices", "give the shape: `paddle.sparse.sparse_coo_tensor(indices, values, shape)`")
    if constant is not None and constant.size and constant.min() < 0:
        raise ShapeError(f"{name}: indices must not be negative, got {constant.min()}")
    least = (*([0] * coords.shape[0] if constant is None or not constant.size else (constant.max(1) + 1).tolist()), *dense)
    full_shape = least if shape is None else tuple(int(n) for n in shape)
    if len(full_shape) != len(least):
        raise ShapeError(
            f"{name}: the number of dimensions must be sparse_dim({coords.shape[0]}) + dense_dim({len(dense)}), "
            f"got {list(full_shape)}"
        )
    sizes = coords.shape[0]
    if any(have < need for have, need in zip(full_shape, least, strict=True)) or full_shape[sizes:] != dense:
        raise ShapeError(f"{name}: the minimum shape required is {list(least)}, got {list(full_shape)}")
    tensor = SparseCooTensor(coords, value_tensor.clone() if not stop_gradient else value_tensor.detach().clone(), full_shape)
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
    rows, columns = (_places(name, what, value, place) for what, value in (("crows", crows), ("cols", cols)))
    value_tensor = _values_tensor(values, dtype, place, stop_gradient)
    full_shape = tuple(int(n) for n in shape)
    if len(full_shape) not in (2, 3):
        raise ShapeError(f"{name}: expected a shape of 2 or 3 dimensions, got {list(full_shape)}")
    if rows.ndim != 1 or columns.ndim != 1 or value_tensor.ndim != 1:
        raise ShapeError(f"{name}: crows, cols and values must be 1-D, got {rows.shape}, {columns.shape} and {value_tensor.shape}")
    if columns.shape[0] != value_tensor.shape[0]:
        raise ShapeError(f"{name}: expected as many cols as values, got {columns.shape[0]} and {value_tensor.shape[0]}")
    batch = full_shape[0] if len(full_shape) == 3 else 1
    if rows.shape[0] != batch * (full_shape[-2] + 1):
        raise ShapeError(f"{name}: crows must have rows + 1 = {full_shape[-2] + 1} numbers for each matrix, got {rows.shape[0]}")
    static_tables = _host_values(crows, rows), _host_values(cols, columns)
    if static_tables[0] is not None and static_tables[1] is not None:
        _check_rows(name, static_tables[0].reshape(batch, -1), static_tables[1], full_shape)
    tensor = SparseCsrTensor(rows, columns, value_tensor.detach().clone(), full_shape)
    tensor.stop_gradient = stop_gradient
    return tensor


def _check_rows(name: str, rows: Any, columns: Any, shape: tuple[int, ...]) -> None:
    if rows[:, 0].any() or (rows[:, 1:] < rows[:, :-1]).any():
        raise ShapeError(f"{name}: the 0th value of crows must be 0, and they must not fall")
    if rows[:, -1].sum() != len(columns):
        raise ShapeError(f"{name}: the last value of crows must be the number of non-zero, {len(columns)}, got {rows[:, -1].sum()}")
    if len(columns) and not 0 <= columns.min() <= columns.max() < shape[-1]:
        raise ShapeError(f"{name}: cols must be in [0, {shape[-1]}), got {columns.min()} to {columns.max()}")
