"""Sorting and searching: argmax, argmin, sort, argsort, topk, kthvalue, searchsorted, unique."""

from __future__ import annotations

import operator
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import (
    dimension_args,
    dtype_checks,
    dynamic_axis,
    dynamic_sizes,
    operands,
    shape_rules,
    traced_values,
)
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.indexing.along_axis import added_along, along
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType, as_dtype, int32, int64
from to_static.core.errors import ArgumentTypeError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter


def _declare_argmax_or_argmin(name: str, file: str, function: str, doc: str) -> Any:
    """Declare ``argmax`` or ``argmin``: its public function, shape rule and kernels. ``function``: the name of NumPy's function."""
    def front_function(
        x: Tensor, axis: int | None = None, keepdim: bool = False, dtype: DType | str = "int64", name: str | None = None
    ) -> Any:
        wanted = as_dtype(dtype)
        if dynamic_axis.is_late(axis):
            return dynamic_axis.each(front.__name__, axis, x.ndim, lambda a: front(x, a, keepdim, dtype))
        if axis is not None:
            axis = shape_rules.axis_index(axis, x.ndim, front.__name__)
            axis = axis if x.ndim else None
        return front.emit(x, axis=axis, keepdim=bool(keepdim), dtype=wanted)

    front_function.__name__ = front_function.__qualname__ = name
    front_function.__doc__ = f"""{doc}

    ``x``: numbers. ``axis``: None is the flattened tensor; then the result is 0-D. ``dtype``: of the result, 'int64' or 'int32'.
    ``keepdim``: keep ``axis`` with size 1. Raises ShapeError for an axis that is not there, or one without elements.

    Example:
        >>> paddle.{name}(paddle.to_tensor([[1.0, 5.0], [7.0, 2.0]]), axis=1).tolist()
        {[1, 0] if name == "argmax" else [0, 1]}
    """
    front: Any = op(f"{name}(X -> Out) axis keepdim dtype", file=file, traits="nodiff", method=True)(front_function)
    front.may_raise(lambda x, axis, keepdim, dtype: traced_values.has_unknown_size(x))

    @front.infer
    def infer(x: TensorSpec, axis: int | None, keepdim: bool, dtype: DType) -> TensorSpec:
        if dtype not in (int32, int64):
            raise ArgumentTypeError(f"{name}: dtype must be int32 or int64, got {dtype.name}")
        dtype_checks.need_order(x, name)
        axes = tuple(range(x.ndim)) if axis is None else (shape_rules.axis_index(axis, x.ndim, name),)
        if any(x.shape[a] == 0 for a in axes):
            raise ShapeError(f"{name}: {show(x.shape)} has no elements along the axis")
        return TensorSpec(shape_rules.reduced_shape(x.shape, axes, keepdim), dtype)

    @front.kernel
    def kernel(xp: ArrayModule, x: Array, axis: int | None, keepdim: bool, dtype: DType) -> Array:
        position = getattr(xp, function)(x, axis).astype(dtype.np, copy=False)
        if not keepdim:
            return position
        return position.reshape([1] * x.ndim) if axis is None else xp.expand_dims(position, axis)

    @front.specialize
    def fixed(out: TensorSpec, x: TensorSpec, axis: int | None, keepdim: bool, dtype: DType) -> Any:
        return operator.methodcaller(function, axis) if dtype is int64 and np.intp is np.int64 and not keepdim else None

    @front.to_file
    def to_file(w: FileWriter, op: Op) -> None:
        a = op.attrs
        flat = a["axis"] is None
        attrs = {
            "axis": ("long", 0 if flat else a["axis"]), "flatten": ("bool", flat), "keepdims": ("bool", a["keepdim"]),
            "dtype": ("dtype", a["dtype"]),
        }  # fmt: skip
        w.write(file, {"X": op.inputs[0]}, {"Out": op.out}, attrs)

    @front.from_file
    def from_file(r: FileReader) -> Tensor:
        axis = None if r.attr("flatten", False) else r.integer("axis", -1)
        dtype = int64 if r.attr("dtype", 3) in (-1, 3) else r.dtype("dtype")
        return front(r.input("X"), axis, r.attr("keepdims", False), dtype)

    front.samples(
        lambda: [
            Sample(f32(3, 4), axis=None, keepdim=False, dtype=int64),
            Sample(f32(3, 4), axis=1, keepdim=True, dtype=int32),
            Sample(np.asarray([[1, 3, 3], [2, 0, 0]]), axis=0, keepdim=False, dtype=int64),
        ]
    )
    return front


argmax = _declare_argmax_or_argmin("argmax", "arg_max", "argmax", "Position of the (first) maximum.")
argmin = _declare_argmax_or_argmin("argmin", "arg_min", "argmin", "Position of the (first) minimum.")


_MANY = 512  # numbers from which on NumPy's quick way is tried first
_SOME = 32  # the same for the largest ones


def _ascending(xp: ArrayModule, x: Array, axis: int) -> Array:
    if xp is not np:
        return xp.argsort(x, axis)  # CuPy's is always stable; NumPy's only when asked
    if x.dtype.char in "fd" and x.shape[axis] >= _MANY:
        rows = np.moveaxis(x, axis, -1)
        order = rows.argsort(-1)
        ranked = rows[along(rows, order, x.ndim - 1, np)]
        unsure = (ranked[..., 1:] == ranked[..., :-1]).any(-1) | np.isnan(ranked[..., -1])  # nan comes last
        if np.count_nonzero(unsure):
            order[unsure] = rows[unsure].argsort(-1, kind="stable")
        return np.moveaxis(order, -1, axis)
    return x.argsort(axis, kind="stable")


def _flip_sort(xp: ArrayModule, x: Array, axis: int, descending: bool) -> Array:
    """Positions in stable order: equal elements keep their order, also when descending."""
    if not descending:
        return _ascending(xp, x, axis)
    if x.dtype.kind in "fc" and not xp.count_nonzero(missing := xp.isnan(x)):
        return _ascending(xp, -x, axis)
    if x.dtype.kind in "fc":  # nan counts as the largest, as in Paddle; it goes last in either order of the array module
        return _ascending(xp, xp.where(missing, -xp.inf, -x), axis)
    n = x.shape[axis]
    back = _ascending(xp, xp.flip(x, axis), axis)
    return xp.flip(n - 1 - back, axis)


@op("argsort(X -> Out, Indices) axis:int descending:bool")
def sort_op(x: Tensor, axis: int, descending: bool) -> tuple[Tensor, ...]:
    """Elements sorted along ``axis`` (equal ones keep their order) and the positions they came from."""
    return sort_op.emit(x, axis=axis, descending=descending)


@sort_op.infer
def _(x: TensorSpec, axis: int, descending: bool) -> tuple[TensorSpec, ...]:
    dtype_checks.need_order(x, "sort")
    if x.ndim:
        shape_rules.axis_index(axis, x.ndim, "sort")
    return x, x.with_dtype(int64)


@sort_op.kernel
def _(xp: ArrayModule, x: Any, axis: int, descending: bool) -> tuple[Array, ...]:
    if not x.ndim:
        return x.copy(), xp.zeros((), "int64")
    order = _flip_sort(xp, x, axis, descending)
    return x[along(x, order, axis % x.ndim, xp)], order.astype("int64", copy=False)


@sort_op.grad_kernel
def _(x: Array, out: Array, indices: Array, g: Array, axis: int, descending: bool) -> Any:
    return added_along(x.shape, indices, g, axis) if x.ndim else None


@sort_op.grad
def _(ctx: GradContext, g: Tensor, _indices: Tensor) -> Any:
    if not ctx.x.ndim:
        return g
    return _place_back(ctx.x, ctx.outputs[1], g, ctx.axis)


def _place_back(x: Tensor, indices: Tensor, g: Tensor, axis: int) -> Tensor:
    put = F.put_along_axis
    return put(F.zeros_like(x), indices, g, axis, "assign", broadcast=False)


sort_op.samples(
    lambda: [
        Sample(f32(3, 4), axis=1, descending=False),
        Sample(f32(3, 4), axis=0, descending=True),
        Sample(np.asarray([3, 1, 3, 2]), axis=-1, descending=True),
    ]
)


@method()
def argsort(x: Tensor, axis: int = -1, descending: bool = False, name: str | None = None) -> Tensor:
    """The positions that sort ``x`` along ``axis``, int64; equal elements keep their order.

    ``descending``: from the largest to the smallest. The result has the shape of ``x``.

    Example:
        >>> paddle.argsort(paddle.to_tensor([3.0, 1.0, 2.0])).tolist()
        [1, 2, 0]
    """
    return sort_op(x, shape_rules.axis_index(axis, x.ndim, "argsort") if x.ndim else 0, bool(descending))[1]


@method()
def sort(x: Tensor, axis: int = -1, descending: bool = False, name: str | None = None) -> Tensor:
    """``x`` sorted along ``axis``.

    ``descending``: from the largest to the smallest. The result has the shape and dtype of ``x``; equal elements keep
    their order.

    Example:
        >>> paddle.sort(paddle.to_tensor([3.0, 1.0, 2.0]), descending=True).tolist()
        [3.0, 2.0, 1.0]
    """
    return sort_op(x, shape_rules.axis_index(axis, x.ndim, "sort") if x.ndim else 0, bool(descending))[0]


@op("topk(X -> Out, Indices) k:int axis:int largest:bool sorted:bool", file="top_k_v2", method=True)
def topk(
    x: Tensor,
    k: Tensor | int,
    axis: int | None = None,
    largest: bool = True,
    sorted: bool = True,
    name: str | None = None,
) -> tuple[Tensor, ...]:
    """The ``k`` largest (or smallest) elements along ``axis`` (default the last), in order, and their positions (int64).

    ``sorted``: the elements come in order whether it is True or False.
    ``x``: numbers; both results have its shape, but for ``k`` along ``axis``.

    Example:
        >>> values, positions = paddle.topk(paddle.to_tensor([3.0, 1.0, 2.0]), k=2)
        >>> values.tolist(), positions.tolist()
        ([3.0, 2.0], [0, 2])
    """
    if isinstance(k, Tensor):
        (k,), tensors = dimension_args.parse_dims(k, "topk")
        if tensors:
            axis = shape_rules.axis_index(-1 if axis is None else axis, x.ndim, "topk")
            return dynamic_sizes.topk(x, tensors[0], axis, sort_op(x, axis, bool(largest)))
    axis = shape_rules.axis_index(-1 if axis is None else axis, x.ndim, "topk")
    if not x.ndim:  # of one number, Paddle gives it however many are asked for
        return tuple(F.squeeze(y, 0) for y in topk(F.unsqueeze(x, 0), min(k, 1), 0, largest, sorted))
    return topk.emit(x, k=int(k), axis=axis, largest=bool(largest), sorted=bool(sorted))


@topk.infer
def _(x: TensorSpec, k: int, axis: int, largest: bool, sorted: bool) -> tuple[TensorSpec, ...]:
    axis = shape_rules.axis_index(axis, dtype_checks.need_order(x, "topk").ndim, "topk")
    if k < 1 or (x.shape[axis] != UNKNOWN and k > x.shape[axis]):
        raise _too_few(x, k, axis)
    spec = x.with_shape((*x.shape[:axis], k, *x.shape[axis + 1 :]))
    return spec, spec.with_dtype(int64)


def _too_few(x: TensorSpec, k: int, axis: int) -> ShapeError:
    return ShapeError(f"topk: k is {k}, dimension {axis} of {show(x.shape)} must hold as many elements")


def _foremost(x: Array, k: int, axis: int, largest: bool) -> Any:
    """Return the first ``k`` positions of `_flip_sort` without sorting everything; None if that is not faster.

    Also None if further elements equal the last one, or one is nan: then the order among equals decides.
    """
    size = x.shape[axis]
    if size < _SOME or 4 * k > size or x.dtype.kind not in "fiu" or x.size == 0:
        return None
    edge = size - k if largest else k - 1
    positions = np.moveaxis(x.argpartition(edge, axis), axis, -1)
    chosen = np.sort(positions[..., edge:] if largest else positions[..., :k], -1)
    chosen = np.moveaxis(chosen, -1, axis)
    values = x[along(x, chosen, axis, np)]
    last = values.min(axis, keepdims=True) if largest else values.max(axis, keepdims=True)
    if np.count_nonzero(x == last) != np.count_nonzero(values == last) or np.count_nonzero(np.isnan(last)):
        return None
    return np.ascontiguousarray(chosen[along(chosen, _flip_sort(np, values, axis, largest), axis, np)])


def _order(xp: ArrayModule, x: Any, k: int, axis: int, largest: bool) -> Array:
    """The positions of the ``k`` largest (or smallest) elements, in order."""
    if k > x.shape[axis]:
        raise _too_few(x, k, axis)
    order = _foremost(x, k, axis, largest) if xp is np else None
    if order is None:
        return xp.ascontiguousarray(_flip_sort(xp, x, axis, largest)[(slice(None),) * axis + (slice(k),)])
    return order


@topk.kernel
def _(xp: ArrayModule, x: Any, k: int, axis: int, largest: bool, sorted: bool) -> tuple[Array, ...]:
    axis %= x.ndim
    order = _order(xp, x, k, axis, largest)
    return x[along(x, order, axis, xp)], order.astype(np.int64, copy=False)


@topk.specialize
def _(out: tuple[TensorSpec, ...], x: TensorSpec, k: int, axis: int, largest: bool, sorted: bool) -> Any:
    size = x.shape[axis]
    if axis % x.ndim != x.ndim - 1 or x.dtype.kind != "f" or not x.size:
        return None
    first, kernel = _first_of_rows(x), topk.op.kernel_for("numpy")

    def topk_run(x: Array) -> tuple[Array, ...]:
        if np.count_nonzero(np.isnan(x)):
            return kernel(np, x, k, axis, largest, sorted)
        order = (np.negative(x) if largest else x).argsort(-1, kind="stable")[..., :k].copy()
        return x.reshape(-1).take(np.add(order, first)), order

    def topk_run_of_many(x: Array) -> tuple[Array, ...]:
        order = (np.negative(x) if largest else x).argsort(-1)[..., : k + 1]  # in any order of equal numbers, which is quicker
        values = x.reshape(-1).take(np.add(order, first))
        sure = np.greater(values[..., :-1], values[..., 1:]) if largest else np.less(values[..., :-1], values[..., 1:])
        if np.count_nonzero(sure) != sure.size or np.count_nonzero(np.isnan(x)):
            return kernel(np, x, k, axis, largest, sorted)
        return values[..., :k].copy(), order[..., :k].copy()

    if size < _SOME:
        return topk_run
    return topk_run_of_many if k < size < _MANY and x.dtype.itemsize >= 4 else None


def _first_of_rows(x: TensorSpec) -> Array:
    """Offset in memory of each row of the last dimension."""
    return np.arange(0, x.size, x.shape[-1]).reshape((*x.shape[:-1], 1))


@topk.grad_kernel
def _(x: Array, out: Array, indices: Array, g: Array, k: int, axis: int, largest: bool, sorted: bool) -> Any:
    return added_along(x.shape, indices, g, axis)


@topk.grad
def _(ctx: GradContext, g: Tensor, _indices: Tensor) -> Any:
    return _place_back(ctx.x, ctx.outputs[1], g, ctx.axis)


@topk.from_file
def _(r: FileReader) -> tuple[Tensor, ...]:
    return topk(r.input("X"), r.integer("k", 1, "K"), r.attr("axis", -1), r.attr("largest", True), r.attr("sorted", True))


topk.samples(
    lambda: [
        Sample(f32(3, 5), k=2, axis=1, largest=True, sorted=True),
        Sample(f32(3, 5), k=1, axis=0, largest=False, sorted=True),
        Sample(np.asarray([4, 4, 7]), k=2, axis=-1, largest=True, sorted=True),
    ]
)


@op("kthvalue(X -> Out, Indices) k:int axis:int keepdim:bool", file=None, method=True)
def kthvalue(
    x: Tensor, k: int, axis: int | None = None, keepdim: bool = False, name: str | None = None
) -> tuple[Tensor, ...]:
    """The ``k``-th smallest element along ``axis`` (default the last; k counts from 1) and its position.

    ``x``: numbers; ``keepdim`` keeps ``axis`` with size 1. The positions are int64.

    Example:
        >>> value, position = paddle.kthvalue(paddle.to_tensor([4.0, 1.0, 3.0]), k=2)
        >>> value.item(), position.item()
        (3.0, 2)
    """
    axis = shape_rules.axis_index(-1 if axis is None else axis, x.ndim, "kthvalue")
    if not x.ndim:
        return topk(x, k, 0, largest=False)
    if isinstance(k, Tensor):
        return _last_of_topk(x, k, axis, keepdim)
    return kthvalue.emit(x, k=int(k), axis=axis, keepdim=bool(keepdim))


def _last_of_topk(x: Tensor, k: Any, axis: int, keepdim: bool) -> tuple[Tensor, ...]:
    values, positions = topk(x, k, axis, largest=False)
    lead = (slice(None),) * axis
    last = (*lead, slice(k - 1, k)) if keepdim else (*lead, k - 1)
    return values[last], positions[last]


@kthvalue.infer
def _(x: TensorSpec, k: int, axis: int, keepdim: bool) -> tuple[TensorSpec, ...]:
    topk.op.infer_rule(x, k=k, axis=axis, largest=False, sorted=True)  # type: ignore[misc]  # which refuses what is wrong
    spec = x.with_shape(shape_rules.reduced_shape(x.shape, (axis % x.ndim,), keepdim))
    return spec, spec.with_dtype(int64)


@kthvalue.kernel
def _(xp: ArrayModule, x: Any, k: int, axis: int, keepdim: bool) -> tuple[Array, ...]:
    axis %= x.ndim
    last = (*(slice(None),) * axis, slice(k - 1, k))
    positions = _order(xp, x, k, axis, False)[last].astype(np.int64)
    values = x[along(x, positions, axis, xp)]
    return (values, positions) if keepdim else (values.squeeze(axis), positions.squeeze(axis))


@kthvalue.specialize
def _(out: tuple[TensorSpec, ...], x: TensorSpec, k: int, axis: int, keepdim: bool) -> Any:
    if axis % x.ndim != x.ndim - 1 or x.ndim == 1 or x.dtype.kind != "f" or x.shape[-1] >= _SOME or not x.size:
        return None
    first, last = _first_of_rows(x), slice(k - 1, k) if keepdim else k - 1
    first = first if keepdim else first[..., 0]

    def kthvalue_run(x: Array) -> tuple[Array, ...]:
        order = x.argsort(-1, kind="stable")[..., last].copy()
        return x.reshape(-1).take(np.add(order, first)), order

    return kthvalue_run


@kthvalue.grad_kernel
def _(x: Array, out: Array, indices: Array, g: Array, k: int, axis: int, keepdim: bool) -> Any:
    if not keepdim:
        g, indices = np.expand_dims(g, axis), np.expand_dims(indices, axis)
    return added_along(x.shape, indices, g, axis)


@kthvalue.grad
def _(ctx: GradContext, g: Tensor, _indices: Tensor) -> Any:
    positions = ctx.outputs[1]
    if not ctx.keepdim:
        g, positions = (F.unsqueeze(t, ctx.axis) for t in (g, positions))
    return _place_back(ctx.x, positions, g, ctx.axis)


kthvalue.composition(_last_of_topk)
kthvalue.samples(
    lambda: [
        Sample(f32(4), k=2, axis=0, keepdim=False),
        Sample(f32(3, 5), k=2, axis=1, keepdim=False),
        Sample(f32(3, 5), k=3, axis=0, keepdim=True),
    ]
)


@op("searchsorted(SortedSequence, Values -> Out) out_int32:bool right:bool", traits="nodiff")
def searchsorted(
    sorted_sequence: Tensor, values: Tensor, out_int32: bool = False, right: bool = False, name: str | None = None
) -> Tensor:
    """Positions at which ``values`` would be inserted in the sorted last dimension: before equal elements, or after (``right``).

    ``sorted_sequence``: ``[..., n]``; ``out_int32``: positions as int32 (default int64). The result has the shape of
    ``values``.

    Example:
        >>> paddle.searchsorted(paddle.to_tensor([1.0, 3.0, 5.0]), paddle.to_tensor([3.0, 6.0])).tolist()
        [1, 3]
    """
    return searchsorted.emit(
        sorted_sequence, operands.tensor(values, sorted_sequence), out_int32=bool(out_int32), right=bool(right)
    )


@searchsorted.infer
def _(s: TensorSpec, values: TensorSpec, out_int32: bool, right: bool) -> TensorSpec:
    for spec in (s, values):
        dtype_checks.need_order(spec, "searchsorted")
    shape_rules.dimension_index(-1, s.ndim, "searchsorted")
    if s.ndim != 1 and s.shape[:-1] != values.shape[:-1]:
        raise ShapeError(
            f"searchsorted: {show(s.shape)} and {show(values.shape)} differ before the last dimension"
        )
    return values.with_dtype(int32 if out_int32 else int64)


@searchsorted.kernel
def _(xp: ArrayModule, s: Array, values: Array, out_int32: bool, right: bool) -> Array:
    side = "right" if right else "left"
    index_dtype = "int32" if out_int32 else "int64"
    if s.ndim == 1:
        return _places(xp, s, values, side).astype(index_dtype)
    rows = (part.reshape(prod(part.shape[:-1]), part.shape[-1]) for part in (s, values))
    positions = [_places(xp, a, b, side) for a, b in zip(*rows, strict=True)]
    return xp.stack(positions).reshape(values.shape).astype(index_dtype) if positions else xp.empty(values.shape, index_dtype)


@searchsorted.specialize
def _(out: TensorSpec, s: TensorSpec, values: TensorSpec, out_int32: bool, right: bool) -> Any:
    if s.ndim != 1 or out_int32 or s.dtype.kind != "f" or values.dtype is not s.dtype or not s.size:
        return None
    kernel, side, steps = searchsorted.op.kernel_for("numpy"), "right" if right else "left", s.size - 1

    def searchsorted_run(s: Any, values: Any) -> Array:
        if np.count_nonzero(np.greater_equal(s[1:], s[:-1])) != steps or s[-1] != s[-1]:
            return kernel(np, s, values, out_int32=False, right=right)
        return s.searchsorted(values, side)

    return searchsorted_run


def _places(xp: ArrayModule, s: Array, values: Array, side: str) -> Array:
    """Positions of ``values`` in one row, by binary search, as in Paddle also where the row is not sorted. NaN sorts last."""
    if bool((s[1:] >= s[:-1]).all()) and not (s.size and s[-1] != s[-1]):
        return xp.searchsorted(s, values, side)
    low, high = xp.zeros(values.shape, "int64"), xp.full(values.shape, s.size, "int64")
    for _ in range(int(s.size).bit_length()):
        middle = (low + high) // 2
        middle_values = s[xp.minimum(middle, s.size - 1)]
        is_before = (low < high) & (~(values < middle_values) if side == "right" else (middle_values < values))
        low, high = xp.where(is_before, middle + 1, low), xp.where(is_before, high, xp.minimum(high, middle))
    return xp.where(values == values, low, xp.full_like(low, s.size))


searchsorted.samples(
    lambda: [
        Sample(
            np.asarray([1.0, 3.0, 5.0], "float32"),
            np.asarray([[3.0, 0.0], [6.0, 4.0]], "float32"),
            out_int32=False,
            right=True,
        ),
        Sample(np.asarray([[1, 2], [3, 4]]), np.asarray([[2], [3]]), out_int32=True, right=False),
    ]
)


@method()
def bucketize(
    x: Tensor, sorted_sequence: Tensor, out_int32: bool = False, right: bool = False, name: str | None = None
) -> Tensor:
    """The bucket of each element of ``x`` among sorted boundaries (see `searchsorted`).

    ``sorted_sequence``: ``[n]``, increasing. ``right``: an element that equals a boundary belongs to the bucket above
    it.
    ``out_int32``: positions as int32 (default int64). The result has the shape of ``x``.

    Example:
        >>> paddle.bucketize(paddle.to_tensor([0.5, 2.0, 9.0]), paddle.to_tensor([1.0, 2.0, 3.0])).tolist()
        [0, 1, 3]
    """
    return searchsorted(sorted_sequence, x, out_int32, right)


@op("unique(X -> Out, Indices, Index, Counts) axis dtype", traits="dynamic nodiff")
def unique_op(x: Tensor, axis: int | None, dtype: DType | None) -> tuple[Tensor, ...]:
    """Sorted distinct elements (or slices along ``axis``), their first positions, the inverse map, and counts."""
    return unique_op.emit(x, axis=axis, dtype=dtype)


@unique_op.infer
def _(x: TensorSpec, axis: int | None, dtype: DType) -> tuple[TensorSpec, ...]:
    shape = (UNKNOWN,) if axis is None else (*x.shape[:axis], UNKNOWN, *x.shape[axis + 1 :])
    inverse = x.size if axis is None else x.shape[axis]
    some = TensorSpec((UNKNOWN,), dtype)
    return x.with_shape(shape), some, TensorSpec((inverse,), dtype), some


@unique_op.kernel
def _(xp: ArrayModule, x: Any, axis: int | None, dtype: DType) -> tuple[Array, ...]:
    if axis is None:
        rows = x.reshape(-1)
        order = _ascending(xp, rows, 0)
    else:
        rows_first = xp.moveaxis(x, axis, 0)
        rows = rows_first.reshape(rows_first.shape[0], prod(rows_first.shape[1:]))
        order = xp.lexsort(xp.flip(rows, 1).T) if rows.shape[1] else xp.arange(rows.shape[0])
    ranked = rows.take(order, 0)
    new = xp.ones(rows.shape[0], bool)
    is_new = ranked[1:] != ranked[:-1]
    new[1:] = is_new if axis is None else is_new.any(1)
    group = new.cumsum() - 1
    inverse = xp.empty(rows.shape[0], np.int64)
    inverse[order] = group
    starts = xp.nonzero(new)[0]
    first = xp.take(order, starts)  # lexsort is stable, so this is the first of its group
    ends = xp.concatenate([starts[1:], xp.full(1, rows.shape[0], starts.dtype)])
    distinct = xp.take(x.reshape(-1) if axis is None else x, first, 0 if axis is None else axis)
    return distinct, first.astype(dtype.np), inverse.astype(dtype.np), (ends - starts).astype(dtype.np)


@unique_op.to_file
def _write_unique(w: FileWriter, op: Op) -> None:
    """All results, also those that `unique_values` and `unique_counts` have not."""
    axis, dtype = op.attrs.get("axis"), op.attrs.get("dtype", int64)
    attrs = {
        "axis": ("ints", [] if axis is None else [axis]), "dtype": ("dtype", dtype), "is_sorted": ("bool", True),
        "return_index": ("bool", True), "return_inverse": ("bool", True), "return_counts": ("bool", True),
    }  # fmt: skip
    outputs = dict(zip([slot.name for slot in op.opdef.outputs], op.outputs, strict=True))
    slots = ("Out", "Indices", "Index", "Counts")
    w.write("unique", {"X": op.inputs[0]}, {slot: outputs.get(slot) or w.unused(int64) for slot in slots}, attrs)


@unique_op.from_file
def _(r: FileReader) -> tuple[Tensor, ...]:
    axis = r.attr("axis", [])
    return unique_op(r.input("X"), axis[0] if axis else None, r.dtype("dtype"))


unique_op.samples(
    lambda: [
        Sample(np.asarray([[2, 1], [3, 2]]), axis=None, dtype=int64),
        Sample(np.asarray([[2, 1], [3, 2], [2, 1]], "float32"), axis=0, dtype=int64, grad=()),
    ]
)


@method()
def unique(
    x: Tensor, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: int | None = None, dtype: DType | str = "int64", name: str | None = None,
) -> Any:  # fmt: skip
    """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts.

    ``x``: of any shape; without ``axis`` the result is 1-D. ``return_index``, ``return_inverse`` and
    ``return_counts`` add a tensor each, of
    ``dtype`` ('int64' or 'int32'). The number of elements depends on the data: in a Program it is an unknown size.

    Example:
        >>> values, counts = paddle.unique(paddle.to_tensor([2, 1, 2]), return_counts=True)
        >>> values.tolist(), counts.tolist()
        ([1, 2], [1, 2])
    """
    axis = None if axis is None else shape_rules.axis_index(axis, x.ndim, "unique")
    dtype = as_dtype(dtype)
    if axis is None and not (return_index or return_inverse):
        return unique_counts(x, dtype) if return_counts else unique_values(x)
    out, first, inverse, counts = unique_op(x, axis, dtype)
    wanted = [t for t, flag in ((first, return_index), (inverse, return_inverse), (counts, return_counts)) if flag]
    return (out, *wanted) if wanted else out


def _in_order(x: Array) -> Array:
    """The elements of an array of NumPy's in order; of 0.0 and -0.0 the first one stays the first."""
    ranked = x.reshape(-1).copy()
    ranked.sort(kind="stable" if x.dtype.kind == "f" else None)
    return ranked


@op("unique_values(X -> Out)", file=None, traits="dynamic nodiff")
def unique_values(x: Tensor) -> Tensor:
    """Return the sorted distinct elements of ``x``, 1-D: `unique` without its further results."""
    return unique_values.emit(x)


@unique_values.infer
def _(x: TensorSpec) -> TensorSpec:
    return x.with_shape((UNKNOWN,))


@unique_values.kernel
def _(xp: ArrayModule, x: Any) -> Array:
    if x.dtype.kind == "c" or not x.size or xp is not np:
        return unique_op.op.kernel_for("cupy")(xp, x, axis=None, dtype=int64)[0]
    ranked = _in_order(x)
    new = np.empty(ranked.shape, bool)
    new[:1] = True
    np.not_equal(ranked[1:], ranked[:-1], new[1:])
    return ranked[new]


unique_values.to_file(_write_unique)
unique_values.samples(lambda: [Sample(np.asarray([[2, 1], [3, 2]])), Sample(np.asarray([2.5, 1.0, 2.5], "float32"))])


@op("unique_counts(X -> Out, Counts) dtype", file=None, traits="dynamic nodiff")
def unique_counts(x: Tensor, dtype: DType | None) -> tuple[Tensor, ...]:
    """The sorted distinct elements of ``x``, 1-D, and how often each occurs: what `unique` gives where no more is asked for."""
    return unique_counts.emit(x, dtype=dtype)


@unique_counts.infer
def _(x: TensorSpec, dtype: DType) -> tuple[TensorSpec, ...]:
    return x.with_shape((UNKNOWN,)), TensorSpec((UNKNOWN,), dtype)


@unique_counts.kernel
def _(xp: ArrayModule, x: Any, dtype: DType) -> tuple[Array, ...]:
    if x.dtype.kind == "c" or not x.size or xp is not np:
        return unique_op.op.kernel_for("cupy")(xp, x, axis=None, dtype=dtype)[::3]
    ranked = _in_order(x)
    starts = np.empty(x.size + 1, bool)  # and the end
    starts[:: x.size] = True
    np.not_equal(ranked[1:], ranked[:-1], starts[1:-1])
    (bounds,) = starts.nonzero()
    return ranked.take(bounds[:-1]), np.subtract(bounds[1:], bounds[:-1]).astype(dtype.np, copy=False)


unique_counts.to_file(_write_unique)
unique_counts.samples(
    lambda: [Sample(np.asarray([[2, 1], [3, 2]]), dtype=int64), Sample(np.asarray([2.5, 1.0, 2.5], "float32"), dtype=int64)]
)


@op("unique_consecutive(X -> Out, Index, Counts) axis dtype", traits="dynamic nodiff")
def consecutive_op(x: Tensor, axis: int | None, dtype: DType | None) -> tuple[Tensor, ...]:
    """The first of each run of equal elements (or slices along ``axis``), the run of each element, and how long they are."""
    return consecutive_op.emit(x, axis=axis, dtype=dtype)


@consecutive_op.infer
def _(x: TensorSpec, axis: int | None, dtype: DType) -> tuple[TensorSpec, ...]:
    first, _, inverse, counts = unique_op.op.infer_specs((x,), {"axis": axis, "dtype": dtype})
    return first, inverse, counts


@consecutive_op.kernel
def _(xp: ArrayModule, x: Any, axis: int | None, dtype: DType) -> tuple[Array, ...]:
    lines = x.reshape(-1) if axis is None else xp.moveaxis(x, axis, 0)
    rows = lines.reshape(lines.shape[0], prod(lines.shape[1:]))
    new = xp.ones(rows.shape[0], "bool")
    new[1:] = (rows[1:] != rows[:-1]).any(1)
    starts = xp.nonzero(new)[0]
    ends = xp.concatenate([starts[1:], xp.full(1, rows.shape[0], starts.dtype)]) if starts.size else starts
    distinct = xp.take(x.reshape(-1) if axis is None else x, starts, 0 if axis is None else axis)
    run = xp.cumsum(new.astype("int64")) - 1
    return distinct, run.astype(dtype.np), (ends - starts).astype(dtype.np)


@consecutive_op.to_file
def _(w: FileWriter, op: Op) -> None:
    axis = op.attrs["axis"]
    attrs = {
        "axis": ("ints", [] if axis is None else [axis]), "dtype": ("dtype", op.attrs["dtype"]),
        "return_inverse": ("bool", True), "return_counts": ("bool", True),
    }  # fmt: skip
    slots = ("Out", "Index", "Counts")
    w.write("unique_consecutive", {"X": op.inputs[0]}, dict(zip(slots, op.outputs, strict=True)), attrs)


@consecutive_op.from_file
def _(r: FileReader) -> tuple[Tensor, ...]:
    axis = r.attr("axis", [])
    return consecutive_op(r.input("X"), axis[0] if axis else None, r.dtype("dtype"))


consecutive_op.samples(
    lambda: [
        Sample(np.asarray([[2, 1], [1, 2]]), axis=None, dtype=int64),
        Sample(np.asarray([[2, 1], [2, 1], [3, 2]], "float32"), axis=0, dtype=int64, grad=()),
    ]
)


@method()
def unique_consecutive(
    x: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: DType | str = "int64",
    name: str | None = None,
) -> Any:
    """The first of each run of equal elements of the flattened ``x`` (or of slices along ``axis``).

    With flags also the number of the run that each element is in, and the lengths of the runs, as ``dtype``.
    The flags are ``return_inverse`` and ``return_counts``.

    Example:
        >>> paddle.unique_consecutive(paddle.to_tensor([1, 1, 2, 1])).numpy()
        array([1, 2, 1])
    """
    axis = None if axis is None else shape_rules.axis_index(axis, x.ndim, "unique_consecutive")
    out, inverse, counts = consecutive_op(x, axis, as_dtype(dtype))
    wanted = [t for t, flag in ((inverse, return_inverse), (counts, return_counts)) if flag]
    return (out, *wanted) if wanted else out
