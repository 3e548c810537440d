"""Statistics: var, std, median, counts, and sums that ignore NaN."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import FrozenAttrs, GradContext, Sample, method, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dimension_args, dtype_checks, dynamic_sizes, operands, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.indexing import duplicate_indices
from to_static.compiler.ops.kernel_scalar import operand
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType, bool_, float32, float64, int64
from to_static.core.errors import ArgumentError, DTypeError, ShapeError
from to_static.core.native_index import native

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader


@method()
def var(
    x: Tensor,
    axis: int | Sequence[int] | None = None,
    unbiased: bool = True,
    keepdim: bool = False,
    name: str | None = None,
) -> Tensor:
    """The variance over ``axis`` (an int, several, or None for all); ``unbiased``: divided by n - 1 instead of n.

    ``x``: floats; ``keepdim`` keeps the dimensions with size 1.

    Example:
        >>> paddle.var(paddle.to_tensor([[1.0, 3.0], [2.0, 2.0]]), axis=1).tolist()
        [2.0, 0.0]
    """
    dtype_checks.need_float(x.spec, "var")
    axes = dynamic_sizes.axes_of(axis, x.ndim, "var")
    centred = x - F.mean(x, list(axes), True) if axes else x - x
    total = F.sum(F.square(centred), list(axes), keepdim=keepdim)
    n = shape_rules.element_count(x, axes, x.dtype)
    if not unbiased:
        return total / n
    if isinstance(n, Tensor):
        degrees_of_freedom = n - 1
        return total / F.where(degrees_of_freedom == 0, operands.constant(1, x.dtype), degrees_of_freedom)
    return total / float(n - 1 or 1)  # of one element 0, as in Paddle


@method()
def std(
    x: Tensor,
    axis: int | Sequence[int] | None = None,
    unbiased: bool = True,
    keepdim: bool = False,
    name: str | None = None,
) -> Tensor:
    """The standard deviation over ``axis`` (an int, several, or None for all); see `var`.

    ``x``: floats; ``unbiased``: divided by n - 1 instead of n; ``keepdim`` keeps the dimensions with size 1.

    Example:
        >>> paddle.std(paddle.to_tensor([1.0, 3.0]), unbiased=False).item()
        1.0
    """
    return F.sqrt(var(x, axis, unbiased, keepdim))


@method()
def nansum(x: Tensor, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The sum that counts nan as 0.

    ``x``: numbers; ``axis``: an int, several, or None for all; ``dtype``: computed as it; ``keepdim`` keeps the
    dimensions with size 1.

    Example:
        >>> paddle.nansum(paddle.to_tensor([1.0, float("nan"), 3.0])).item()
        4.0
    """
    if x.dtype.is_floating:
        x = F.where(F.isnan(x), F.zeros_like(x), x)
    return F.sum(x, axis, dtype, keepdim)


@method()
def nanmean(x: Tensor, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The mean of the elements that are not nan; of integers, rounded towards zero.

    ``x``: numbers; ``axis``: an int, several, or None for all; ``keepdim`` keeps the dimensions with size 1.

    Example:
        >>> paddle.nanmean(paddle.to_tensor([1.0, float("nan"), 3.0])).item()
        2.0
    """
    is_number = F.cast(F.logical_not(F.isnan(x)), x.dtype)
    return F.divide(nansum(x, axis, None, keepdim), F.sum(is_number, axis, None, keepdim))


@method()
def count_nonzero(x: Tensor, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The number of elements that are not 0, int64.

    ``x``: of any dtype; ``axis``: an int, several, or None for all; ``keepdim`` keeps the dimensions with size 1.

    Example:
        >>> paddle.count_nonzero(paddle.to_tensor([[0, 1], [2, 3]]), axis=1).tolist()
        [1, 2]
    """
    return F.sum(F.cast(x != 0, int64), axis, int64, keepdim)


@method()
def median(x: Tensor, axis: int | None = None, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The median along ``axis`` (None: of all elements); of an even number of elements, the mean of the middle two.

    ``x``: numbers; ``keepdim`` keeps ``axis`` with size 1. Where one is nan the median is nan; its gradient goes to the middle
    elements, nan being the greatest, and to each nan, as in Paddle.

    Example:
        >>> paddle.median(paddle.to_tensor([1.0, 9.0, 2.0, 4.0])).item()
        3.0
    """
    if x.dtype.kind != "f":
        x = F.cast(x, operands.FLOAT_OF_INTEGERS)
    ndim = x.ndim
    if axis is None or not ndim:
        axis = None if axis is None else shape_rules.axis_index(axis, ndim, "median")
        x = F.flatten(x)
        position = 0
    else:
        position = shape_rules.axis_index(axis, ndim, "median")
    n = _count(x, position, "median")
    ordered = F.sort(x, position)
    leading = (slice(None),) * position
    low, high = (*leading, (n - 1) // 2), (*leading, n // 2)
    if dynamic_sizes.is_dynamic(n):
        middle = F.where(n % 2 == 0, (ordered[low] + ordered[high]) / 2, ordered[low])
    else:
        middle = (ordered[low] + ordered[high]) / 2 if n % 2 == 0 else ordered[low]
    middle = middle + F.sum(F.where(F.isnan(x), x, F.zeros_like(x)), position)  # of nan it is nan, with its gradient
    if not keepdim:
        return middle
    return F.reshape(middle, [1] * ndim) if axis is None or not ndim else F.unsqueeze(middle, position)


@method()
def quantile(x: Any, q: Any, axis: Any = None, keepdim: bool = False) -> Any:
    """The numbers below which the fractions ``q`` of the elements lie, float64; several ``q`` make a new first dimension.

    Between two elements it is interpolated linearly; nan anywhere gives nan. ``axis``: an int, several, or None for all.
    ``x``: floats; ``keepdim`` keeps the dimensions with size 1. Raises ArgumentError for a ``q`` outside of [0, 1].

    Example:
        >>> paddle.quantile(paddle.to_tensor([0.0, 1.0, 2.0, 3.0]), 0.5).item()
        1.5
    """
    single = isinstance(q, (int, float)) or (isinstance(q, Tensor) and q.python_type is not None)
    fractions = [q] if single else [f if dynamic_sizes.is_dynamic(f) else float(f) for f in q]
    if not all(0 <= f <= 1 for f in fractions if not dynamic_sizes.is_dynamic(f)):
        raise ArgumentError(f"quantile: q must lie between 0 and 1, got {q}")
    _check_fractions(fractions, single)
    axes = dynamic_sizes.axes_of(axis, x.ndim, "quantile")
    other_axes = [i for i in range(x.ndim) if i not in axes]
    flat = F.cast(x, float64)
    if axes:
        flat = F.flatten(F.transpose(flat, [*other_axes, *axes]), len(other_axes), -1)
    else:
        flat = F.reshape(flat, [1])
    n = _count(flat, -1, "quantile")
    ordered = F.sort(flat, -1)
    poisoned = F.any(F.isnan(flat), -1)
    nan = operands.constant(np.nan, float64)
    quantiles = [F.where(poisoned, nan, _between(ordered, (n - 1) * f)) for f in fractions]
    if keepdim:
        quantiles = [F.reshape(f, [1 if i in axes else d for i, d in enumerate(x.shape)]) for f in quantiles]
    return quantiles[0] if single else F.stack(quantiles)


@op("nanmedian(X -> Out) axis:ints keepdim:bool", file=None, method=True)
def nanmedian(x: Tensor, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The median over ``axis`` (an int, several, or None for all) of the elements that are not nan; nan where there are none.

    Of an even number of elements it is the mean of the middle two; of integers it is of their dtype.
    ``x``: numbers; ``keepdim`` keeps the dimensions with size 1. Raises ArgumentError for an empty ``axis``.

    Example:
        >>> paddle.nanmedian(paddle.to_tensor([float('nan'), 2.0, 4.0])).item()
        3.0
    """
    if isinstance(axis, (list, tuple)) and not axis:
        raise ArgumentError("nanmedian: axis must not be empty")
    axes = () if axis is None else dimension_args.python_ints(axis)
    if axes is None:
        return nanmedian.emit(x, axis=tuple(sorted(dynamic_sizes.axes_of(axis, x.ndim, "nanmedian"))), keepdim=bool(keepdim))
    return nanmedian.call((x,), _attrs_of_nanmedian(x.ndim, axes, bool(keepdim)))


@functools.lru_cache(256)
def _attrs_of_nanmedian(ndim: int, axes: tuple[int, ...], keepdim: bool) -> FrozenAttrs:
    return FrozenAttrs(axis=tuple(sorted(shape_rules.axes_tuple(axes, ndim, "nanmedian"))), keepdim=keepdim)


@nanmedian.infer
def _(x: TensorSpec, axis: tuple[int, ...], keepdim: bool) -> TensorSpec:
    if x.dtype is bool_:
        raise DTypeError("nanmedian: bool tensors are not supported")
    if 0 in [x.shape[i] for i in axis]:
        raise ShapeError(f"nanmedian: there must be elements, got {show(x.shape)}")
    return dtype_checks.need_order(x, "nanmedian").with_shape(shape_rules.reduced_shape(x.shape, axis, keepdim))


@nanmedian.kernel
def _(xp: ArrayModule, x: Array, axis: tuple[int, ...], keepdim: bool) -> Array:
    other_axes = [i for i in range(x.ndim) if i not in axis]
    shape = [1 if i in axis else d for i, d in enumerate(x.shape)] if keepdim else [x.shape[i] for i in other_axes]
    rows = x.transpose([*other_axes, *axis]).reshape(*(x.shape[i] for i in other_axes), math.prod(x.shape[i] for i in axis))
    ordered = xp.sort(rows, -1)  # nan last
    last, length = ordered[..., -1], rows.shape[-1]
    if bool((last == last).all()):
        middle = ordered[..., (length - 1) // 2]
        if length % 2 == 0:
            middle = _mean_of_two(xp, middle, ordered[..., length // 2])
        return middle.reshape(shape)
    count = length - xp.isnan(ordered).sum(-1, keepdims=True)
    below, above = (xp.take_along_axis(ordered, xp.maximum((count - k) // 2, 0), -1) for k in (1, 0))
    return xp.where(count % 2 == 0, (below + above) / 2, below).reshape(shape).astype(x.dtype, copy=False)


def _mean_of_two(xp: ArrayModule, x: Array, y: Array) -> Array:
    """``(x + y) / 2``; of integers rounded towards zero."""
    if x.dtype.kind == "f":
        return (x + y) / operand(xp, 2, x.dtype)
    total = xp.add(x, y, dtype="int64")
    return (total // 2 + (total < 0) * (total % 2)).astype(x.dtype, copy=False)


@nanmedian.grad_kernel
def _(x: Array, out: Array, g: Array, axis: tuple[int, ...], keepdim: bool) -> Any:
    if not x.size:
        return None
    order = [*(i for i in range(x.ndim) if i not in axis), *axis]
    sizes = [x.shape[i] for i in order]
    rows = x.transpose(order).reshape(g.size, x.size // g.size)
    positions, length = rows.argsort(-1, kind="stable"), rows.shape[1]
    missing = np.isnan(rows)
    if np.count_nonzero(missing):
        count = length - missing.sum(-1, keepdims=True)
        positions = np.take_along_axis(positions, np.maximum((count - np.array([1, 0])) // 2, 0), -1)
    else:
        positions = positions[:, [(length - 1) // 2, length // 2]]
    positions = positions + np.arange(0, x.size, length)[:, None]
    shares = np.divide(g.reshape(-1, 1), np.full(2, 2, g.dtype))
    gradient = duplicate_indices.added_flat(tuple(sizes), native(positions.reshape(-1)), shares.reshape(-1), 2)
    return gradient.transpose([order.index(i) for i in range(x.ndim)])


@nanmedian.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, axis = ctx.x, list(ctx.axis)
    other_axes = [i for i in range(x.ndim) if i not in axis]
    rows, count = _as_rows(x, axis)
    middle = F.floor_divide(F.concat([count - 1, count], -1), 2)
    positions = F.take_along_axis(F.argsort(rows, -1), F.maximum(middle, operands.constant(0, int64)), -1)
    share = F.reshape(g, count.shape) / 2
    back = F.put_along_axis(F.zeros_like(rows), positions, F.concat([share, share], -1), -1, "add", broadcast=False)
    if not axis:
        return F.reshape(back, [])
    order = [*other_axes, *axis]
    back = F.reshape(back, [x.shape[i] for i in order])
    return F.transpose(back, sorted(range(x.ndim), key=lambda i: order[i]))


@nanmedian.composition
def _(x: Tensor, axis: tuple[int, ...], keepdim: bool) -> Tensor:
    ordered, count, shape = _known_in_order(x, list(axis), keepdim)
    pair = [_at(ordered, F.floor_divide(position, 2)) for position in (count - 1, count)]
    even = F.remainder(count, 2) == 0
    middle = F.where(even, F.divide(pair[0] + pair[1], 2), pair[0])
    return F.reshape(middle, shape)


nanmedian.may_raise(lambda x, axis, keepdim: UNKNOWN in [x.spec.shape[i] for i in axis])
nanmedian.samples(
    lambda: [
        Sample(np.asarray([[1.0, np.nan, 3.0, 2.0], [5.0, np.nan, np.nan, 1.0]], "float32"), axis=(1,), keepdim=False, grad=()),
        Sample(np.asarray([[4.0, 2.0], [3.0, 1.0]], "float32"), axis=(0, 1), keepdim=True),
        Sample(np.asarray([[4.0, 2.0, 7.0], [3.0, 1.0, 5.0]], "float32"), axis=(1,), keepdim=False),
        Sample(np.asarray(4.0, "float32"), axis=(), keepdim=False),
        Sample(np.asarray([[-3, -2, 4], [-3, 1, -4]]), axis=(0,), keepdim=False),
    ]
)


@method()
def nanquantile(x: Tensor, q: Any, axis: Any = None, keepdim: bool = False) -> Tensor:
    """`quantile` of the elements that are not nan; nan where there are none.

    ``x``, ``q``, ``axis`` and ``keepdim`` are as there. Raises ArgumentError for a ``q`` outside of [0, 1].

    Example:
        >>> paddle.nanquantile(paddle.to_tensor([float('nan'), 1.0, 3.0]), 0.5).item()
        2.0
    """
    single = isinstance(q, (int, float)) or (isinstance(q, Tensor) and (q.python_type is not None or not q.ndim))
    fractions = [q] if single else [f if dynamic_sizes.is_dynamic(f) else float(f) for f in q]
    if not all(0 <= f <= 1 for f in fractions if not dynamic_sizes.is_dynamic(f)):
        raise ArgumentError(f"nanquantile: q must lie between 0 and 1, got {q}")
    _check_fractions(fractions, single)
    axes = dynamic_sizes.axes_of(axis, x.ndim, "nanquantile")
    ordered, count, shape = _known_in_order(F.cast(x, float64), axes, keepdim)
    quantiles = []
    for fraction in fractions:
        position = (F.cast(count, float64) - 1) * fraction
        low = F.floor(position)
        pair = [_at(ordered, F.cast(t, int64)) for t in (low, F.ceil(position))]
        step = F.where(pair[0] == pair[1], F.zeros_like(low), pair[1] - pair[0])
        quantiles.append(F.reshape(pair[0] + step * (position - low), shape))
    return quantiles[0] if single else F.stack(quantiles)


def _as_rows(x: Any, axes: Sequence[int]) -> tuple[Any, Any]:
    """``x`` with ``axes`` as one last dimension, and how many numbers of each row are not nan, a column of int64."""
    other_axes = [i for i in range(x.ndim) if i not in axes]
    rows = F.flatten(F.transpose(x, [*other_axes, *axes]), len(other_axes), -1) if axes else F.reshape(x, [1])
    return rows, F.sum(F.cast(F.logical_not(F.isnan(rows)), int64), -1, keepdim=True)


def _known_in_order(x: Any, axes: Sequence[int], keepdim: bool) -> tuple[Any, Any, list[Any]]:
    """``x`` as rows in order with nan last, how many of each row are not nan, and the shape of a number for each row."""
    rows, count = _as_rows(x, axes)
    shape = [1 if i in axes else d for i, d in enumerate(x.shape) if keepdim or i not in axes]
    return F.sort(rows, -1), count, shape


def _at(ordered: Any, position: Any) -> Tensor:
    """The element at a place of each row; of a row without any the first, which is nan."""
    return F.take_along_axis(ordered, F.maximum(position, operands.constant(0, int64)), -1)


def _check_fractions(fractions: list[Any], single: bool) -> None:
    """The error of fractions that only the Program knows and that are none."""
    unsure = [F.logical_and(f >= 0, f <= 1) for f in fractions if dynamic_sizes.is_dynamic(f)]
    if unsure:
        words, holes = dynamic_sizes.spelled(fractions)
        words = words[1:-1] if single else words
        dynamic_sizes.check(
            dynamic_sizes.all_of(unsure), "ValueError", f"quantile: q must lie between 0 and 1, got {words}", *holes
        )


def _count(x: Tensor, axis: int, name: str) -> Any:
    """The number of elements along an axis: an int, or a 0-D int64 tensor. No elements are an error, perhaps at run time."""
    n = x.spec.shape[axis]
    if n == 0:
        raise ShapeError(f"{name}: there must be elements, got {show(x.spec.shape)}")
    if n != UNKNOWN:
        return n
    count = dynamic_sizes.as_tensor_size(x.shape[axis])
    shape, holes = dynamic_sizes.shape_of(x)
    dynamic_sizes.check(count >= 1, "ShapeError", f"{name}: there must be elements, got {shape}", *holes)
    return count


def _between(ordered: Tensor, position: Any) -> Any:
    if dynamic_sizes.is_dynamic(position):
        position = F.cast(F.reshape(position, []), float64)
        low = F.cast(F.floor(position), int64)
        high = F.minimum(low + 1, dynamic_sizes.as_tensor_size(ordered.shape[-1]) - 1)
        below, fraction = ordered[..., low], position - F.cast(low, float64)
        exact, nothing = fraction == 0, operands.constant(0.0, float64)
        step = [F.where(exact, nothing, x) for x in (ordered[..., high], below)]  # none from inf to inf
        return F.where(exact, below, below + (step[0] - step[1]) * fraction)
    low = math.floor(position)
    below = ordered[..., low]
    return below if position == low else below + (ordered[..., low + 1] - below) * (position - low)


@op("histogram(X -> Out) bins:long min:int max:int", traits="nodiff", method=True)
def histogram(input: Any, bins: int = 100, min: float = 0, max: float = 0, name: str | None = None) -> Tensor:
    """Count the elements in each of ``bins`` equal parts of ``[min, max]`` (both 0: the range of the elements), int64.

    ``input``: numbers of any shape; elements outside of the range do not count. Raises ArgumentError for ``bins``
    below 1 or ``min`` above ``max``.

    Example:
        >>> paddle.histogram(paddle.to_tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3).tolist()
        [0, 2, 1, 0]
    """
    if bins < 1 or max < min:
        raise ArgumentError(f"histogram: expected at least one bin and min <= max, got bins={bins}, min={min}, max={max}")
    return histogram.emit(input, bins=int(bins), min=min, max=max)


@histogram.infer
def _(x: TensorSpec, bins: int, min: int, max: int) -> TensorSpec:
    return TensorSpec((bins,), int64)


@histogram.specialize
def _(out: TensorSpec, x: TensorSpec, bins: int, min: int, max: int) -> Any:
    if not x.size or x.dtype.kind not in "iuf" or min != 0 or max != 0:
        return None
    kernel, last = histogram.op.kernel_for("numpy"), np.asarray(bins - 1)

    def histogram_run(x: Array) -> Array:
        elements = x.reshape(-1).astype("float64")
        low, high = elements[elements.argmin()], elements[elements.argmax()]
        if not low < high:  # all are equal, or one is nan
            return kernel(np, x, bins, 0, 0)  # type: ignore[no-any-return]
        np.subtract(elements, low, elements)
        np.multiply(elements, bins / (high - low), elements)
        cell = elements.astype(np.intp)
        return np.bincount(np.minimum(cell, last, out=cell), None, bins).astype(np.int64, copy=False)

    return histogram_run


@histogram.kernel
def _(xp: ArrayModule, x: Array, bins: int, min: int, max: int) -> Array:
    flat = x.reshape(-1)
    if not flat.size:
        return xp.zeros(bins, "int64")
    all_inside = min == max == 0
    low, high = (float(flat[flat.argmin()]), float(flat[flat.argmax()])) if all_inside else (float(min), float(max))
    if low == high:
        low, high = low - 1, high + 1
    inside = (flat if all_inside and low < high else flat[(flat >= low) & (flat <= high)]).astype("float64")  # nan is nowhere
    cell = xp.minimum(((inside - low) * (bins / (high - low))).astype("int64"), bins - 1)
    return xp.bincount(native(cell), minlength=bins).astype("int64", copy=False)


histogram.samples(
    lambda: [
        Sample(np.asarray([1.0, 2.0, 1.0, 4.0], "float32"), bins=4, min=0, max=4),
        Sample(np.asarray([1, 2]), bins=3, min=0, max=0),
    ]
)


@op("bincount(X, Weights? -> Out) minlength:int", traits="may_raise dynamic nodiff check_shapes", method=True)
def bincount(x: Tensor, weights: Tensor | None = None, minlength: int = 0, name: str | None = None) -> Tensor:
    """Count how often each number 0, 1, ... occurs in a 1-D integer tensor (or the sums of their ``weights``).

    The result has ``minlength`` elements or more; that may be a tensor of one integer.
    ``x``: integers that are not negative; ``weights``: of the shape of ``x``. The number of elements depends on the
    data.

    Example:
        >>> paddle.bincount(paddle.to_tensor([0, 2, 2])).tolist()
        [1, 0, 2]
    """
    if dynamic_sizes.is_dynamic(minlength):
        counts = bincount(x, weights)
        missing = F.maximum(dynamic_sizes.as_tensor_size(minlength) - F.numel(counts), dynamic_sizes.as_tensor_size(0))
        return F.concat([counts, F.full([missing], 0, counts.dtype)])
    return bincount.emit(x, weights, minlength=int(minlength))


def _sum_dtype(weights: Array | TensorSpec | None) -> DType:
    """The dtype of the sums of weights, a spec or an array: float32 of such, else float64, as in Paddle."""
    return int64 if weights is None else float32 if weights.dtype == float32 else float64


@bincount.infer
def _(x: TensorSpec, weights: TensorSpec | None, minlength: int) -> TensorSpec:
    if not x.dtype.is_integer or x.ndim != 1:
        raise DTypeError(f"bincount: expected a 1-D integer tensor, got {x}")
    if weights is not None and not shape_rules.compatible(weights.shape, x.shape):
        raise ShapeError(f"bincount: weights {show(weights.shape)} do not fit {show(x.shape)}")
    return TensorSpec((UNKNOWN,), _sum_dtype(weights))


@bincount.kernel
def _(xp: ArrayModule, x: Array, weights: Array | None, minlength: int) -> Array:
    if x.size and bool((x < 0).any()):
        raise ArgumentError("bincount: the numbers must not be negative")
    counts = xp.bincount(native(x), weights, minlength)
    return counts.astype(_sum_dtype(weights).np, copy=False)


@bincount.from_file
def _(r: FileReader) -> Tensor:
    return bincount(r.input("X"), r.input("Weights"), r.integer("minlength", 0))


bincount.samples(
    lambda: [
        Sample(np.asarray([1, 2, 1]), None, minlength=5),
        Sample(np.asarray([1, 2, 1]), np.asarray([0.5, 1.0, 2.0], "float32"), minlength=0),
    ]
)
