"""Slices by lists of axes and bounds: Paddle's functions slice and strided_slice."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dynamic_sizes, shape_rules, static_arguments
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.shapes.slice import LAST, backwards_end
from to_static.core.errors import ArgumentError, ShapeError


def _bounds(value: Any, n: int, name: str) -> list[Any]:
    items = list(F.unbind(value)) if isinstance(value, Tensor) else list(value)
    if len(items) != n:
        raise ShapeError(f"{name}: axes has {n} entries, starts, ends and strides must have as many, got {len(items)}")
    return items


def strided_slice(x: Tensor, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None) -> Any:
    """``x`` cut along ``axes`` to ``starts[i]:ends[i]:strides[i]`` (ints or integer tensors; negative ones count from the end).

    As in Paddle, an end of -1 of a negative stride is no end: the first element belongs to the slice.

    Example:
        >>> paddle.strided_slice(x, [0, 1], [0, 1], [10, 4], [2, 1])
    """
    key = [builtins.slice(None)] * x.ndim
    n = len(axes)
    parts = (_bounds(starts, n, "slice"), _bounds(ends, n, "slice"), _bounds(strides, n, "slice"))
    for axis, start, end, step in zip(axes, *parts, strict=True):
        if isinstance(step, int) and step < 0 and isinstance(end, int) and end < 0:
            end = backwards_end(end, x.spec.shape[axis], "strided_slice")  # -1 is no stop at all, for Paddle
            end = None if end == LAST else end
        key[shape_rules.axis_index(axis, x.ndim, "slice")] = builtins.slice(start, end, step)
    return F.getitem(x, tuple(key))


def slice(input: Any, axes: Any, starts: Any, ends: Any) -> Any:
    """``input`` cut along ``axes`` to ``starts[i]:ends[i]`` (ints or integer tensors; negative ones count from the end).

    The result shares memory with ``input``.

    Example:
        >>> paddle.slice(paddle.arange(6).reshape([2, 3]), axes=[1], starts=[1], ends=[3]).tolist()
        [[1, 2], [4, 5]]
    """
    return strided_slice(input, axes, starts, ends, [1] * len(axes))


def crop(x: Tensor, shape: Any = None, offsets: Any = None, name: str | None = None) -> Any:
    """A copy of the part of ``x`` of that ``shape`` which begins at ``offsets`` (ints, integer tensors, or one tensor of them).

    A size of -1 reaches to the end; ``shape`` None: to the end everywhere; ``offsets`` None: from the start.
    Raises ShapeError when there are not as many as dimensions.

    Example:
        >>> paddle.crop(paddle.ones([3, 3]), [2, -1], [1, 0]).shape
        [2, 3]
    """
    n = x.ndim
    begins = [0] * n if offsets is None else _bounds(offsets, n, "crop")
    sizes = [-1] * n if shape is None else _bounds(shape, n, "crop")
    ends: list[Any] = []
    for axis, (begin, size) in enumerate(zip(begins, sizes, strict=True)):
        dim = x.spec.shape[axis]
        static_bounds = all(isinstance(v, int) for v in (begin, size)) and dim != UNKNOWN
        if static_bounds and not 0 <= begin <= begin + (dim - begin if size == -1 else size) <= dim:
            raise ShapeError(f"crop: a part of size {size} from {begin} on is not in a dimension of size {dim}")
        ends.append(LAST if isinstance(size, int) and size == -1 else begin + size)
    return F.assign(slice(x, list(range(n)), begins, ends))


FUNCTIONS["crop"] = crop


def diff(
    x: Tensor, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None, name: str | None = None
) -> Any:
    """Differences of neighbours along ``axis``, taken ``n`` times, after joining ``prepend`` and ``append``.

    ``x``: at least 1-D. Raises ArgumentError for an ``n`` below 1.

    Example:
        >>> paddle.diff(paddle.to_tensor([1, 4, 9])).tolist()
        [3, 5]
    """
    if n < 1:
        raise ArgumentError(f"diff: n must be at least 1, got {n}")
    axis = shape_rules.axis_index(axis, x.ndim, "diff")
    parts = [t for t in (prepend, x, append) if t is not None]
    x = F.concat(parts, axis) if len(parts) > 1 else x
    lead = (builtins.slice(None),) * axis
    for _ in range(n):
        upper, lower = (*lead, builtins.slice(1, None)), (*lead, builtins.slice(None, -1))
        x = F.logical_xor(x[upper], x[lower]) if x.dtype.kind == "b" else x[upper] - x[lower]
    return x


def _dimension_lists(axes: Any) -> tuple[list[int], list[int]]:
    """The dimensions of either tensor from what a user wrote: one flat list, or up to two lists (or tensors)."""

    def ints(value: Any) -> Any:
        if isinstance(value, Tensor):
            if dynamic_sizes.is_dynamic(value):
                raise static_arguments.axis_must_be_static("tensordot")
            return value.tolist()
        return value

    lists = [ints(a) for a in (ints(axes))]
    if not any(isinstance(a, (list, tuple)) for a in lists):
        return lists, []
    return list(lists[0]), list(lists[1]) if len(lists) > 1 else []


def tensordot(x: Tensor, y: Any, axes: Any = 2, name: str | None = None) -> Any:
    """The sum of products over pairs of dimensions.

    ``axes``: a number n (the last n dimensions of ``x`` with the first n of ``y``), one list for both (``[0, 1]`` or ``[[0, 1]]``),
    or two lists, of which the shorter one goes on as the longer one does. Lists may be integer tensors.
    Raises ShapeError for a dimension that a tensor does not have, or sizes that differ (1 fits all).

    Example:
        >>> paddle.tensordot(paddle.ones([2, 3]), paddle.ones([3, 4]), axes=1).shape
        [2, 4]
    """
    if isinstance(axes, (int, np.integer)):
        left, right = list(range(x.ndim - axes, x.ndim)), list(range(axes))
    else:
        left, right = _dimension_lists(axes)
    left += right[len(left) :]
    right += left[len(right) :]
    left = [shape_rules.axis_index(a, x.ndim, "tensordot") for a in left]
    right = [shape_rules.axis_index(a, y.ndim, "tensordot") for a in right]
    a = [chr(97 + i) for i in range(x.ndim)]
    b = [a[left[right.index(i)]] if i in right else chr(97 + x.ndim + i) for i in range(y.ndim)]
    result_labels = [c for i, c in enumerate(a) if i not in left] + [c for i, c in enumerate(b) if i not in right]
    return F.einsum(f"{''.join(a)},{''.join(b)}->{''.join(result_labels)}", x, y)


for _function in (strided_slice, diff, tensordot):
    FUNCTIONS[_function.__name__] = _function
