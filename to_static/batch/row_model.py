"""`RowModel`: a model that takes rows of a table; `BatchPredictor`: one that engines for data call with batches."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from to_static.core.diagnostics.printable import printable, quoted
from to_static.core.errors import ArgumentError
from to_static.inference.load_predictor import predictor_on
from to_static.serve.row_independence import BatchAxes, TensorInfo
from to_static.serve.trial import run, tensors_of, try_out

Columns = Mapping[str, Any]
Run = Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]


class RowModel:
    """A model whose inputs are columns of a table, and whose outputs are columns again.

    Args:
        run: runs the model on arrays in the order of ``inputs``.
        inputs, outputs: what the model takes and gives.
        axes: where rows stand; None where they must not run together: then each row runs by itself.
        columns: the columns of an input, by its name. An input that is not named here takes the column of its name. A single input
            else takes the only column, or all columns of numbers side by side where there are as many as it has features.
    """

    def __init__(
        self,
        run: Run,
        inputs: Sequence[TensorInfo],
        outputs: Sequence[TensorInfo],
        axes: BatchAxes | None,
        columns: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self._run = run
        self._axes = axes
        self._columns = columns or {}
        for name in self._columns:
            if name not in [info.name for info in inputs]:
                raise ArgumentError(
                    f"the model has no input {quoted(name)}; it has {_listed(info.name for info in inputs)}"
                )
        for info in inputs:
            if not info.shape or (axes is not None and axes.inputs != 0 and info.shape[0] != -1):
                raise ArgumentError(f"input {quoted(info.name)} of shape {list(info.shape)} has no dimension for rows")

    def __call__(self, columns: Columns) -> dict[str, Any]:
        """The outputs for some rows, by name: arrays with a row for each, or lists of arrays where rows have unlike shapes.

        Raises ArgumentError for a column that is missing or does not fit, naming it; whatever the model raises.
        """
        values = [self._input(info, columns) for info in self.inputs]
        counts = {len(value) for value in values}
        if len(counts) != 1:
            raise ArgumentError(f"inputs have {' and '.join(map(str, sorted(counts)))} rows")
        (count,) = counts
        names = [info.name for info in self.outputs]
        if self._axes is not None and count and all(isinstance(value, np.ndarray) for value in values):
            return dict(zip(names, self._together(values, count), strict=True))
        groups: dict[Any, list[int]] = {}
        if self._axes is None:
            groups = {row: [row] for row in range(count)}
        else:
            for row in range(count):
                groups.setdefault(tuple(value[row].shape for value in values), []).append(row)
        rows_of: list[list[Any]] = [[None] * count for _ in self.outputs]
        for rows in groups.values():
            for position, output in enumerate(self._together([_stacked(value, rows) for value in values], len(rows))):
                for row, part in zip(rows, output, strict=True):
                    rows_of[position][row] = part
        return {name: _column(rows) for name, rows in zip(names, rows_of, strict=True)}

    def _together(self, arrays: list[np.ndarray], count: int) -> list[np.ndarray]:
        """The outputs of rows of one shape, rows first."""
        axes = self._axes
        if axes is not None and axes.inputs:
            arrays = [np.moveaxis(array, 0, axes.inputs) for array in arrays]
        results = [np.asarray(result) for result in self._run(arrays)]
        if axes is not None:
            return [np.moveaxis(result, axis, 0) for result, axis in zip(results, axes.outputs, strict=True)]
        return [result if result.ndim and len(result) == count == 1 else result[None] for result in results]

    def _input(self, info: TensorInfo, columns: Columns) -> Any:
        """The values of one input, an array or a list of arrays, a row each."""
        names = list(self._columns.get(info.name, ()))
        if not names:
            names = [info.name] if info.name in columns else self._only_columns(info, columns)
        for name in names:
            if name not in columns:
                raise ArgumentError(f"there is no column {quoted(name)}; there is {_listed(columns)}")
        typed = [_typed(columns[name], info, name) for name in names]
        value = typed[0] if len(typed) == 1 else np.stack(typed, 1)  # type: ignore[arg-type]
        row_shape = tuple(size for i, size in enumerate(info.shape) if i != (self._axes.inputs if self._axes else 0))
        if isinstance(value, np.ndarray):
            if (
                value.shape[1:] != row_shape
                and all(size >= 0 for size in row_shape)
                and math.prod(row_shape) == math.prod(value.shape[1:])
            ):
                value = value.reshape(len(value), *row_shape)
            shapes = {value.shape[1:]}
        else:
            shapes = {row.shape for row in value}
        for shape in shapes:
            if len(shape) != len(row_shape) or any(d not in (-1, s) for d, s in zip(row_shape, shape, strict=True)):
                raise ArgumentError(f"input {quoted(info.name)} takes rows of shape {list(row_shape)}, got {list(shape)}")
        return value

    def _only_columns(self, info: TensorInfo, columns: Columns) -> list[str]:
        if len(self.inputs) == 1:
            if len(columns) == 1:
                return list(columns)
            flat = [
                n
                for n, value in columns.items()
                if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "biuf"
            ]
            if len(flat) == math.prod(info.shape[1:]):
                return flat
        raise ArgumentError(
            f"no column is called {quoted(info.name)}, as the input is; there is {_listed(columns)}: say which with columns="
        )


def _listed(names: Any) -> str:
    return ", ".join(map(printable, names)) or "none"


def _typed(value: Any, info: TensorInfo, name: str) -> Any:
    """A column in the dtype of an input. Raises ArgumentError where it holds something else."""
    input_dtype = np.dtype(info.dtype)
    if isinstance(value, np.ndarray) and value.dtype != object:
        if value.dtype == input_dtype:
            return value
        if value.dtype.kind == input_dtype.kind or (value.dtype.kind in "biu" and input_dtype.kind == "f"):
            typed = value.astype(input_dtype)
            if input_dtype.kind in "iu" and not np.array_equal(typed, value):
                raise ArgumentError(f"column {quoted(name)}: a number does not fit {input_dtype}")
            return typed
        raise ArgumentError(f"column {quoted(name)} is {value.dtype}, input {quoted(info.name)} is {input_dtype}")
    try:
        return [
            _typed(np.asarray(row.tolist() if isinstance(row, np.ndarray) and row.dtype == object else row), info, name)
            for row in value
        ]
    except ValueError as error:
        raise ArgumentError(f"column {quoted(name)}: a row is no array of numbers ({printable(error)})") from None


def _stacked(value: Any, rows: list[int]) -> np.ndarray:
    if isinstance(value, np.ndarray):
        return value if len(rows) == len(value) else value[rows]
    return np.stack([value[row] for row in rows])


def _column(rows: list[Any]) -> Any:
    return np.stack(rows) if len({row.shape for row in rows}) == 1 else rows


def row_model(
    model: str | os.PathLike[str], columns: Mapping[str, Sequence[str]] | None = None, device: str = "cpu"
) -> RowModel:
    """Load a saved model and find out whether its rows may run together. Raises what `create_predictor` does, ArgumentError."""
    predictor = predictor_on(model, device)
    inputs, outputs = tensors_of(predictor)
    return RowModel(lambda arrays: run(predictor, arrays), inputs, outputs, try_out(predictor).axes, columns)


class BatchPredictor:
    """A callable for ``map_batches`` of Ray Data, Dask or Spark: a batch of columns in, the batch with the model's outputs out.

    The model is loaded once in each worker, when the first batch comes.

    Args:
        model: prefix of the model's files, which every worker can read.
        columns: the columns of an input, by its name; see `RowModel`.
        keep: columns of the batch that are handed on. Default: all.

    Raises ArgumentError for columns that are missing or do not fit.

    Example:
        >>> dataset.map_batches(to_static.batch.BatchPredictor, fn_constructor_args=['model/net'], concurrency=2, batch_size=64)
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        columns: Mapping[str, Sequence[str]] | None = None,
        keep: Sequence[str] | None = None,
    ) -> None:
        self._settings = os.fspath(model), columns
        self._keep = keep
        self._model: RowModel | None = None

    def __call__(self, batch: Columns) -> dict[str, Any]:
        """The batch (a mapping of arrays, or a data frame of pandas) with a column for each output."""
        if self._model is None:
            self._model = row_model(*self._settings)
        columns = {str(name): np.asarray(batch[name]) for name in batch}
        results = self._model(columns)
        handed_on = columns if self._keep is None else {name: columns[name] for name in self._keep}
        return {**handed_on, **results}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_model": None}
