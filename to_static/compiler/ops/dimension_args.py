"""Dimensions as arguments: ints, integer tensors, or lists of both. In attributes, a `HOLE` marks a dimension that is a tensor."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.program import Var
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.dtypes import int32
from to_static.core.errors import ArgumentTypeError, DTypeError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileWriter

HOLE = -2  # in a list of dimensions: the number comes from a tensor, known when the Program runs
_INT = {int}


def python_ints(value: Any) -> tuple[int, ...] | None:
    """An int of Python's, or a list or tuple of these, as a tuple; None for anything else."""
    cls = type(value)
    if cls is list or cls is tuple:
        for item in value:
            if type(item) is not int:
                return None
        return tuple(value)
    return (value,) if cls is int else None


def parse_dims(
    value: Any, name: str, copies: Callable[[Any, int], int | None] | None = None, negative: bool = False
) -> tuple[tuple[int, ...], list[Any]]:
    """Split dimensions, given as an int, a sequence of ints and integer tensors, or a 1-D tensor, into ints and the tensors of
    `HOLE`s.

    Eager tensors are read at once. ``copies(tensor, position)`` may return an int that is used in place of a tensor.
    Raises DTypeError for anything that is not an integer, ShapeError for one below -1 unless they may be ``negative``, as axes may.
    """
    if type(value) in (list, tuple) and {*map(type, value)} == _INT and (negative or min(value) >= UNKNOWN):
        return tuple(value), []
    if isinstance(value, Tensor):
        spec = value.spec
        if spec.ndim > 1 or UNKNOWN in spec.shape:
            raise ShapeError(f"{name}: a shape must be a 1-D integer tensor of known length, got {spec}")
        items: Any = [value] if spec.ndim == 0 else [value[i] for i in range(spec.shape[0])]
    elif isinstance(value, (int, np.integer)):
        items = [value]
    else:
        items = value
    sizes: list[int] = []
    tensors: list[Any] = []
    building = mode.current().building
    for i, item in enumerate(items):
        if type(item) is int:
            sizes.append(item)
        elif isinstance(item, Tensor):
            open_length = item.spec.shape == (UNKNOWN,)  # a file's or a user's spec may leave the one element's dimension open
            if not item.spec.dtype.is_integer or (item.spec.size != 1 and not open_length):
                advice = "; `a // b` divides integers" if item.spec.dtype.kind == "f" else ""
                raise DTypeError(
                    f"{name}: a dimension must be an integer or an integer tensor of one element, got {item.spec}{advice}"
                )
            constant = None if copies is None else copies(item, i)
            if not building:
                sizes.append(int(item))  # type: ignore[call-overload]
            elif constant is not None:
                sizes.append(constant)
            else:
                sizes.append(HOLE)
                tensors.append(F.reshape(item, []) if item.spec.ndim else item)
        elif isinstance(item, np.floating) and item.is_integer():  # as `np.prod` of an empty list of dimensions gives one
            sizes.append(int(item))
        else:
            try:
                sizes.append(operator.index(item))
            except TypeError:
                raise ArgumentTypeError(f"{name}: a dimension must be an integer, got {item!r}") from None
    if sizes and min(sizes) < UNKNOWN and not negative and sum(d < UNKNOWN for d in sizes) > len(tensors):
        raise ShapeError(f"{name}: a dimension must not be negative, except -1 where one is computed, got {sizes}")
    return tuple(sizes), tensors


def fill_holes(shape: Sequence[int], tensors: list[Any]) -> list[int]:
    """The dimensions with numbers from arrays in place of the holes (for kernels)."""
    values = iter(tensors)
    return [int(next(values)) if d == HOLE else d for d in shape]


def unknown_for_holes(shape: Sequence[int]) -> tuple[int, ...]:
    """The dimensions with -1 in place of the holes (for shape rules)."""
    return tuple(UNKNOWN if d == HOLE else d for d in shape)


def file_dims(w: FileWriter, shape: Sequence[int], tensors: list[Any]) -> list[Any]:
    """The values of a file's ``...TensorList`` slot: a [1]-shaped int32 variable per dimension; empty without holes."""
    if not tensors:
        return []
    values = iter(tensors)
    return [file_int(w, next(values)) if d == HOLE else w.constant(np.asarray([d], "int32")) for d in shape]


def file_int(w: FileWriter, var: Var) -> str:
    """A one-element integer as the int32 variable of shape [1] that files use where we use a 0-D tensor."""
    name = w.temp(TensorSpec((1,), var.spec.dtype))
    w.write("reshape2", {"X": var}, {"Out": name, "XShape": w.unused()}, {"shape": ("ints", [1])})
    return w.cast(name, TensorSpec((1,), var.spec.dtype), int32)
