"""`SelectedRows`: the gradient of a table that was looked up with ``sparse=True``, stored as the rows that are not zero.

It is a tensor of the table's shape, whose dense array is made on first use. SGD and lazy `Adam` read the rows instead, so an update
takes time proportional to the rows that were looked up. (Paddle's SelectedRows do not have the table's shape, and may contain a row
several times.) `backward_rows` makes these gradients.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops.indexing.embedding import row_sums
from to_static.core.dtypes import as_dtype

if TYPE_CHECKING:
    from to_static.core.array_types import Array


class SelectedRows(EagerTensor):
    """A tensor that is zero except for some rows. `from_rows` makes it; the constructor makes one with a dense array."""

    __slots__ = ("_dense", "_merged")
    _merged: tuple[np.ndarray, np.ndarray] | None
    _dense: Any

    @classmethod
    def from_rows(cls, shape: tuple[int, ...], entries: tuple[np.ndarray, np.ndarray]) -> SelectedRows:
        """Return the gradient whose rows ``entries[0]`` (unique, ascending) have the values ``entries[1]``; the others are 0."""
        gradient = cls(None)
        gradient._merged, gradient._spec = entries, TensorSpec(shape, as_dtype(entries[1].dtype))
        return gradient

    @property
    def by_rows(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The indices of rows and their gradients; None once the dense array was changed."""
        return self._merged

    @property
    def _array(self) -> Any:  # type: ignore[override]
        dense = self._dense
        if dense is None:
            assert self._merged is not None and self._spec is not None
            rows, values = self._merged
            dense = np.zeros(self._spec.shape, values.dtype)
            dense[rows] = values
            self._dense = dense
        return dense

    @_array.setter
    def _array(self, array: Array) -> None:
        self._dense, self._merged = array, None

    shape = property(lambda self: list(self.spec.shape))  # type: ignore[assignment]
    ndim = property(lambda self: self.spec.ndim)  # type: ignore[assignment]
    size = property(lambda self: self.spec.size)  # type: ignore[assignment]

    def detach(self) -> EagerTensor:
        """The same numbers, without a gradient graph."""
        if self._dense is not None or self._merged is None:
            return super().detach()
        return SelectedRows.from_rows(self.spec.shape, self._merged)

    def like(self, values: EagerTensor) -> SelectedRows:
        """One with the same rows, whose gradients are ``values``."""
        assert self._merged is not None
        return SelectedRows.from_rows(self.spec.shape, (self._merged[0], values._array))

    def _plus(self, gradient: Any) -> Any:
        if not isinstance(gradient, SelectedRows) or self._merged is None or gradient._merged is None:
            return super()._plus(gradient)
        (rows, values), (added_rows, added_values) = self._merged, gradient._merged
        return SelectedRows.from_rows(self.spec.shape, row_sums(np, [rows, added_rows], [values, added_values], self.spec.shape[1]))


def of_lookups(ids: list[Any], table: EagerTensor, gradients: list[Any], padding_idx: int) -> SelectedRows:
    """Return the gradient of an embedding table: ``ids`` are the rows looked up, ``gradients`` those of the results."""
    shape = table._array.shape
    rows, values = [i._array for i in ids], [g._array for g in gradients]
    return SelectedRows.from_rows(shape, row_sums(np, rows, values, shape[1], padding_idx))
