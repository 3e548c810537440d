"""Parameters of distributions as Tensors: PaddlePaddle's rules of kinds, dtypes and broadcasting."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np

from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.shapes.create import full, full_like, ones_like, to_tensor
from to_static.compiler.ops.shapes.expand import broadcast_tensors
from to_static.core.dtypes import float32
from to_static.core.errors import ArgumentTypeError

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def as_tensors(**parameters: Any) -> list[Any]:
    """Tensors, given as Tensors or all as numbers, lists, tuples or arrays, which are broadcast to one shape.

    The dtype is float32, or that of the first float32 or float64 array.

    Raises:
        ValueError: some are Tensors and some are not.
        ArgumentTypeError: one is something else.
    """
    values = list(parameters.values())
    are_tensors = [isinstance(value, Tensor) for value in values]
    if all(are_tensors):
        return values
    if any(are_tensors):
        raise ValueError(
            f"{' and '.join(parameters)}: if one argument is Tensor, all arguments should be Tensor; write paddle.to_tensor(...)"
        )
    arrays = []
    for name, value in parameters.items():
        if not isinstance(value, (Real, list, tuple, np.ndarray)):
            raise ArgumentTypeError(
                f"{name} should be a number, a list, a tuple, a numpy.ndarray or a Tensor, but received type {type(value)}"
            )
        array = np.asarray(value)
        if array.dtype not in _FLOATS and not isinstance(value, Real):
            warnings.warn(
                f"{name}: data type of argument only support float32 and float64, {array.dtype} is converted to float32",
                stacklevel=4,
            )
        arrays.append(array.astype(np.float32) if array.dtype != np.float64 else array)
    chosen = next((v.dtype for v in values if isinstance(v, np.ndarray) and v.dtype in _FLOATS), np.dtype(np.float32))
    return [to_tensor(np.array(array, chosen)) for array in np.broadcast_arrays(*arrays)]


def as_broadcast(owner: str, **parameters: Any) -> list[Any]:
    """Tensors of one shape, each given as a real number (float32) or as a Tensor.

    Raises:
        ArgumentTypeError: one is neither.
    """
    for name, value in parameters.items():
        if not isinstance(value, (Real, Tensor)):
            raise ArgumentTypeError(f"{owner}: {name} should be a real number or a Tensor, but got {type(value)}")
    tensors = [value if isinstance(value, Tensor) else full([], float(value), float32) for value in parameters.values()]
    if all(list(tensor.shape) == list(tensors[0].shape) for tensor in tensors):
        return tensors
    return broadcast_tensors(tensors)


def as_value(owner: str, value: Any, dtype: Any) -> Any:
    """The values that a density is asked of, in the dtype of the parameters; a floating one of another dtype is cast, with a word.

    Raises:
        ArgumentTypeError: it is not a Tensor.
    """
    if not isinstance(value, Tensor):
        raise ArgumentTypeError(
            f"{owner}: the value should be a Tensor, but got {type(value)}; write paddle.to_tensor(...)"
        )
    if value.dtype != dtype and value.dtype in ("float32", "float64"):
        warnings.warn(
            f"{owner}: dtype of input 'value' ({value.dtype.name}) needs to be the same as parameters of distribution class; "
            "dtype of 'value' will be converted",
            stacklevel=4,
        )
        return value.astype(dtype)
    return value


def sizes(shape: Any) -> list[Any]:
    """The sample shape as a list.

    Raises:
        ArgumentTypeError: it is a single number.
    """
    if not isinstance(shape, Iterable):
        raise ArgumentTypeError(f"sample shape must be Iterable object, for example [3], but got {shape!r}")
    return shape.tolist() if isinstance(shape, np.ndarray) else list(shape)


def sum_rightmost(value: Any, rank: int) -> Any:
    """The sum over the last ``rank`` axes."""
    return value.sum(list(range(-rank, 0))) if rank > 0 else value


def log_of_share(share: Any) -> Any:
    """The logarithm of numbers from 0 on, minus infinity where they are 0: what is meant there, so NumPy gives no warning."""
    nothing = share == 0
    return where(nothing, full_like(share, -math.inf), where(nothing, ones_like(share), share).log())
