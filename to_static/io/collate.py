"""Collates a list of samples into one batch of NumPy arrays, and converts arrays into Tensors."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.tensor import Tensor
from to_static.core import backend as backends
from to_static.core.dtypes import as_dtype
from to_static.core.errors import ShapeError
from to_static.core.tree import map_tree


def default_collate_fn(batch: Sequence[Any]) -> Any:
    """Stack samples, field by field, along a new first axis.

    Args:
        batch: samples of one structure: arrays, Tensors, numbers, strings, and dicts, lists and tuples of those.

    Returns:
        The same structure (tuples become lists): an array for numbers and arrays, a Tensor for Tensors, a list for
        strings.

    Raises:
        ShapeError: the samples' arrays differ in shape, or their lists in length.
        TypeError: a sample holds something else.

    Example:
        >>> default_collate_fn([{"x": np.ones(3), "y": 1}, {"x": np.zeros(3), "y": 2}])
        {'x': array([[1., 1., 1.], [0., 0., 0.]]), 'y': array([1, 2])}
    """
    return _collate(batch, "sample")


def _collate(batch: Sequence[Any], path: str) -> Any:
    first = batch[0]
    if isinstance(first, np.ndarray):
        shapes = {np.shape(item) for item in batch}
        if len(shapes) > 1:
            raise ShapeError(
                f"cannot stack {path}: the arrays of this batch have shapes {sorted(shapes)}. "
                "Bring them to one shape in the dataset, or give the DataLoader a collate_fn"
            )
        return np.stack(batch)
    if isinstance(first, Tensor):
        return EagerTensor(backends.current().asarray(_collate([item.numpy() for item in batch], path)))
    if isinstance(first, (numbers.Number, np.generic)):
        return np.array(batch)
    if isinstance(first, (str, bytes)):
        return list(batch)
    if isinstance(first, Mapping):
        return {key: _collate([item[key] for item in batch], f"{path}[{key!r}]") for key in first}
    if isinstance(first, Sequence):
        lengths = {len(item) for item in batch}
        if len(lengths) > 1:
            raise ShapeError(f"cannot stack {path}: the samples of this batch have {sorted(lengths)} fields")
        return [_collate(field, f"{path}[{i}]") for i, field in enumerate(zip(*batch, strict=True))]
    if first is None:
        raise TypeError(f"cannot stack {path}: it is None; does `__getitem__` of the dataset end without `return`?")
    raise TypeError(
        f"cannot stack {path}: expected arrays, Tensors, numbers, strings, dicts, lists or tuples, "
        f"got {type(first).__name__}. Give the DataLoader a collate_fn that knows it"
    )


def default_convert_fn(sample: Any) -> Any:
    """Return a sample unchanged: the DataLoader calls this when it does not batch.

    Example:
        >>> paddle.io.default_convert_fn([1, 2])
        [1, 2]
    """
    return sample


def to_arrays(batch: Any) -> Any:
    """The batch with every Tensor as an array on the host (to cross a process border)."""
    return map_tree(lambda leaf: leaf.numpy() if isinstance(leaf, EagerTensor) else leaf, batch)


def to_tensors(batch: Any, backend: backends.Backend, copy: bool) -> Any:
    """The batch with every array as a Tensor on ``backend``; anything else stays as it is.

    ``copy`` is for arrays that somebody else may still write to.
    """

    def convert(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "biufc":
            as_dtype(leaf.dtype)  # refuses what no Tensor can hold, such as uint16
            return EagerTensor(backend.asarray(leaf.copy() if copy else leaf))
        return leaf

    return map_tree(convert, batch)
