"""Operators with a size that is known only at run time (`is_dynamic`), composed of operators that accept this size as a tensor."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dimension_args, operands, shape_rules, static_arguments, traced_values
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.shape_rules import show
from to_static.core.dtypes import DType, float64, int64
from to_static.core.errors import ShapeError


def is_dynamic(value: Any) -> bool:
    """True if a number, or one of several, is known only when the Program runs."""
    if not mode.current().building:
        return False
    if isinstance(value, (list, tuple)):
        return any(map(is_dynamic, value))
    return isinstance(value, Tensor)


def axes_of(axis: Tensor | float | Sequence[int] | None, ndim: int, name: str) -> tuple[int, ...]:
    """Return the axes for a user's argument: None (all), an int, a sequence of ints, or a tensor that is known at once."""
    if axis is None or type(axis) is int:
        return shape_rules.axes_tuple(axis, ndim, name)
    if isinstance(axis, Tensor) and (constant := traced_values.constant_int(axis)) is not None:
        axis = constant
    elif isinstance(axis, Tensor) and (several := traced_values.constant_ints(axis)) is not None:
        axis = several
    elif isinstance(axis, Tensor):
        axis, tensors = dimension_args.parse_dims(axis, name, negative=True)
        if tensors:
            raise static_arguments.axis_must_be_static(name)
    return shape_rules.axes_tuple(axis, ndim, name)


def check(condition: Tensor, error_name: str, message: str, *data: Tensor) -> None:
    """An error of the Program unless ``condition``; the numbers ``data`` fill the holes of the message."""
    F.assert_(condition, data, message.replace("{}", "{:number}"), error_name)


def shape_of(x: Tensor) -> tuple[str, list[Any]]:
    """A shape for such a message, and what fills the holes of it."""
    return spelled(list(x.shape))


def spelled(sizes: list[Any]) -> tuple[str, list[Any]]:
    """Numbers, of which the Program knows some, for such a message, and what fills the holes of it."""
    return f"[{', '.join('{}' if is_dynamic(d) else str(d) for d in sizes)}]", [d for d in sizes if is_dynamic(d)]


def check_alike(x: Any, y: Tensor, error_name: str, message: Callable[[str, str], str], axis: int = 0) -> None:
    """Add a check to the Program: ``x`` has the sizes of ``y`` from ``axis`` on, if some of them are known only in a run.

    ``message`` makes the error's text of both shapes.
    """
    have, want = _sizes(x, 0, x.ndim), _sizes(y, axis, axis + x.ndim)
    unsure = [
        F.equal(as_tensor_size(a), as_tensor_size(b)) for a, b in zip(have, want, strict=True) if is_dynamic(a) or is_dynamic(b)
    ]
    if unsure:
        (has, holes), (wants, more) = spelled(have), spelled(want)
        positions = itertools.count()  # of the numbers, which the message may have in another order
        numbered = [re.sub(r"{}", lambda _: f"{{{next(positions)}:number}}", words) for words in (has, wants)]
        check(all_of(unsure), error_name, message(*numbered), *holes, *more)


def need_alike(x: Tensor, y: Tensor, message: Callable[[str, str], str], axis: int = 0) -> None:
    """Raise ShapeError unless ``x`` has the sizes that ``y`` has from ``axis`` on: now, or where the Program runs."""
    have, want = x.spec.shape, y.spec.shape[axis : axis + x.ndim] if axis else y.spec.shape
    if not shape_rules.compatible(have, want):
        raise ShapeError(message(show(have), show(want)))
    if UNKNOWN in (*have, *want) and not (axis == 0 and traced_values.same_traced_sizes(x, y)):
        check_alike(x, y, "ShapeError", message, axis)


def _sizes(x: Tensor, first: int, last: int) -> list[Any]:
    shape = x.spec.shape if isinstance(x, Tensor) else x.shape
    return [F.dim_size(x, i) if shape[i] == UNKNOWN else shape[i] for i in range(first, last)]


def all_of(conditions: list[Any]) -> Tensor:
    """True if all are true."""
    every = conditions[0]
    for condition in conditions[1:]:
        every = F.logical_and(every, condition)
    return every


def as_tensor_size(value: Tensor | int) -> Tensor:
    """A number as a 0-D int64 tensor."""
    if not isinstance(value, Tensor):
        return operands.constant(int(value), int64)
    if not value.spec.dtype.is_integer or value.spec.size != 1:
        raise TypeError(f"expected an integer or an integer tensor of one element, got {value.spec}")
    return F.cast(F.reshape(value, []), int64)


def pair(value: Any, n: int, name: str) -> list[Any]:
    """`to_static.compiler.ops.arguments.repeat_ints` of such numbers."""
    if isinstance(value, Tensor):
        value = [value[i] for i in range(value.spec.shape[0])] if value.ndim else [value]
    if len(value) not in (1, n):
        raise ShapeError(f"{name}: expected an integer or {n} of them, got {list(value)!r}")
    return list(value) * n if len(value) == 1 else list(value)


def roll(x: Tensor, shifts: list[Any], axes: tuple[int, ...]) -> Tensor:
    """`to_static.compiler.ops.shapes.flip_roll.roll`."""
    if not axes:
        return F.reshape(roll(F.reshape(x, [-1]), [sum(map(as_tensor_size, shifts))], (0,)), x.shape)
    for shift, axis in zip(shifts, axes, strict=True):
        size = x.shape[axis]
        some = F.maximum(as_tensor_size(size), as_tensor_size(1))  # of no rows there is nothing to divide
        positions = F.remainder(F.arange(size) - as_tensor_size(shift), some)
        x = F.index_select(x, positions, axis)
    return x


def topk(x: Tensor, k: Tensor | int, axis: int, ordered: Any) -> tuple[Tensor, ...]:
    """`to_static.compiler.ops.indexing.sort.topk`; ``ordered``: all elements in order, and their positions."""
    count, size = as_tensor_size(k), x.shape[axis]
    fits = F.logical_and(count >= 1, count <= as_tensor_size(size))
    shape, holes = shape_of(x)
    check(fits, "ShapeError", f"topk: k is {{}}, dimension {axis} of {shape} must hold as many elements", count, *holes)
    first = (*[slice(None)] * axis, slice(None, count))
    return tuple(part[first] for part in ordered)


def eye(rows: Any, columns: Any, dtype: DType) -> Tensor:
    """`to_static.compiler.ops.shapes.sequence.eye`."""
    sizes = as_tensor_size(rows), as_tensor_size(columns)
    fits = F.logical_and(sizes[0] >= 0, sizes[1] >= 0)
    check(fits, "ShapeError", "eye: expected sizes of at least 0, got {} and {}", *sizes)
    down, across = (F.arange(size) for size in sizes)
    return F.cast(F.equal(F.unsqueeze(down, 1), across), dtype)


def linspace(start: Any, stop: Any, num: Any, dtype: DType) -> Tensor:
    """`to_static.compiler.ops.shapes.sequence.linspace`; in double precision, as NumPy does it."""
    count = as_tensor_size(num)
    check(count >= 1, "ShapeError", "linspace: num must be a positive integer, got {}", count)
    first, last = (F.cast(end, float64) for end in (start, stop))
    position, gaps = F.arange(count), F.cast(count - 1, float64)
    step = (last - first) / F.maximum(gaps, operands.constant(1.0, float64))
    points = F.cast(position, float64) * step + first
    is_last = F.logical_and(position == count - 1, count > 1)
    return F.cast(F.where(is_last, F.expand_as(last, points), points), dtype)


def one_hot(ids: Any, classes: Any, dtype: DType) -> Tensor:
    """`to_static.compiler.ops.indexing.embedding.one_hot`."""
    count = as_tensor_size(classes)
    check(count >= 1, "ShapeError", "one_hot: num_classes must be positive, got {}", count)
    ids = F.cast(ids, int64)
    fits = F.all(F.logical_and(ids >= 0, ids < count))
    words, ends = "one_hot: ids must lie in [0, {})", []
    if ids.spec.size > 0:
        words, ends = f"{words}, got values from {{}} to {{}}", [F.min(ids), F.max(ids)]
    check(fits, "IndexError", words, count, *ends)
    return F.cast(F.equal(F.unsqueeze(ids, -1), F.arange(count)), dtype)


def pad(x: Tensor, widths: list[Any], axes: Iterable[int], mode: str, value: float) -> Tensor:
    """Pad ``x`` by ``widths``, pairs for each of ``axes``, of which some are tensors: `to_static.compiler.ops.shapes.pad`."""
    shape, holes = shape_of(x) if len(widths) == 2 * x.ndim and mode == "constant" else ("", [])
    whole_sizes = [as_tensor_size(n) for n in widths]
    if shape:
        message = f"pad: expected {len(widths)} values that are not negative for {shape}, got [{', '.join(['{}'] * len(widths))}]"
        check(all_of([n >= 0 for n in whole_sizes]), "ShapeError", message, *holes, *whole_sizes)
    for i, axis in sorted(enumerate(axes), key=lambda item: item[1]):
        if not is_dynamic(widths[2 * i : 2 * i + 2]) and not any(widths[2 * i : 2 * i + 2]):
            continue
        pad_before, pad_after = whole_sizes[2 * i : 2 * i + 2]
        if mode != "constant":
            x = F.index_select(x, _sources(x.shape[axis], pad_before, pad_after, mode), axis)
            continue
        pad_before, inner, pad_after = _pieces(x.shape[axis], pad_before, pad_after)
        sizes = [[*x.shape[:axis], size, *x.shape[axis + 1 :]] for size in (pad_before, pad_after)]
        front, back = (F.full(size, value, x.dtype) for size in sizes)
        part = (*[slice(None)] * axis, inner)
        x = F.concat([front, x[part], back], axis)
    return x


def _pieces(size: Tensor | int, pad_before: Tensor, pad_after: Tensor) -> tuple[Any, slice, Any]:
    """Split a padded dimension: the elements added before, the slice that is kept, and the elements added after."""
    length, minimum, maximum, zero = as_tensor_size(size), F.minimum, F.maximum, as_tensor_size(0)
    total = length + pad_before + pad_after
    words = "pad: {} and {} cut more off than there is of a dimension of {}"
    check(total >= 0, "ShapeError", words, pad_before, pad_after, length)
    start = minimum(maximum(0 - pad_before, zero), length)
    stop = maximum(minimum(length + pad_after, length), start)
    front = minimum(maximum(pad_before, zero), total)
    return front, slice(start, stop), total - front - (stop - start)


def _sources(size: int, pad_before: Tensor, pad_after: Tensor, mode: str) -> Tensor:
    """Return, for each position of a padded dimension, the position that it copies."""
    length = as_tensor_size(size)
    if mode == "reflect":
        limit = length - 1
        fits = F.logical_and(pad_before <= limit, pad_after <= limit)
        words = f"pad: {{}} and {{}} are too much for mode {mode!r} and a dimension of {{}}"
        check(fits, "ShapeError", words, pad_before, pad_after, length)
    position = F.arange(0 - pad_before, length + pad_after)
    if mode == "replicate":
        return F.minimum(F.maximum(position, as_tensor_size(0)), length - 1)
    if mode == "circular":
        return F.remainder(position, length)
    position = F.abs(position)
    return F.where(position >= length, (length - 1) * 2 - position, position)


def positions(x: Tensor, axis: int, part: slice) -> Tensor:
    """The positions of a slice with a ``step`` that is a tensor."""
    size, step = as_tensor_size(x.shape[axis]), as_tensor_size(part.step)
    check(F.not_equal(step, as_tensor_size(0)), "ValueError", "slice step cannot be zero")
    choose, back = F.where, step < 0
    low, high = choose(back, as_tensor_size(-1), as_tensor_size(0)), choose(back, size - 1, size)

    def bound(limit: Any, otherwise: Any) -> Tensor:
        if limit is None:
            return otherwise
        position = as_tensor_size(limit)
        position = choose(position < 0, position + size, position)
        return F.minimum(F.maximum(position, low), high)

    start, stop = bound(part.start, choose(back, high, low)), bound(part.stop, choose(back, low, high))
    return F.arange(start, stop, step)


SPLIT = "the number of parts is a Python int, `paddle.split(x, 2)`; or a loop over them: `for row in x: ...`"


def check_shares(x: Tensor, sizes: list[Any], axis: int) -> None:
    """Insert a run-time check that ``sizes`` add up to the dimension ``axis`` of ``x``; it raises ShapeError."""
    shape, holes = shape_of(x)
    size_tensors = [as_tensor_size(s) for s in sizes]
    fits = all_of([F.equal(sum(size_tensors), as_tensor_size(x.shape[axis])), *(n >= 0 for n in size_tensors)])
    listed = ", ".join(["{}"] * len(sizes))
    check(fits, "ShapeError", f"split: sizes [{listed}] do not add up to dimension {axis} of {shape}", *size_tensors, *holes)


def check_parts(x: Tensor, count: int, axis: int) -> None:
    """Insert a run-time check that ``count`` divides the dimension ``axis`` of ``x``; it raises ShapeError."""
    shape, holes = shape_of(x)
    remainder = F.remainder(as_tensor_size(x.shape[axis]), as_tensor_size(count))
    fits, words = F.equal(remainder, as_tensor_size(0)), f"split: dimension {axis} of {shape} does not divide into {count} parts"
    check(fits, "ShapeError", words, *holes)


def shares(sizes: list[Any], size: Tensor | int) -> list[Any]:
    """Sizes of parts, of which one may be -1, that add up to ``size``."""
    unknown = [i for i, s in enumerate(sizes) if isinstance(s, (int, np.integer)) and s == -1]
    if len(unknown) != 1:
        return sizes
    remainder = size - sum(s for i, s in enumerate(sizes) if i != unknown[0])
    return [remainder if i == unknown[0] else s for i, s in enumerate(sizes)]


FUNCTIONS["need_alike"] = need_alike
