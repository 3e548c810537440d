"""Gathers and scatters along one axis, with an index of the tensor's rank: take_along_axis, put_along_axis."""

from __future__ import annotations

import functools
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, in_place, operands, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.in_place import Donation
from to_static.compiler.ops.indexing import duplicate_indices
from to_static.compiler.ops.indexing.gather import check_range, need_integer
from to_static.compiler.ops.indexing.index import add_at
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError, DTypeError, ShapeError
from to_static.core.native_index import native

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader


def along(x: Array, i: Array, axis: int, xp: ArrayModule) -> tuple[Any, ...]:
    """The full index that pairs each position of ``i`` with its own coordinates beside ``axis``."""
    index_before, index_after = (_beside if xp is np else _beside.__wrapped__)(
        xp, i.shape, axis
    )  # other arrays may be on several devices
    return (*index_before, i, *index_after)


@functools.lru_cache(32)
def _beside(xp: ArrayModule, shape: tuple[int, ...], axis: int) -> tuple[list[Any], list[Any]]:
    """Positions in the dimensions before and after ``axis``, not to be written to."""
    every = [xp.arange(size).reshape((-1,) + (1,) * (len(shape) - 1 - k)) for k, size in enumerate(shape)]
    return every[:axis], every[axis + 1 :]


def added_along(shape: tuple[int, ...], i: Array, g: Array, axis: int) -> Any:
    """Zeros of a shape to which the numbers of ``g`` are added where `along` leads for NumPy's ``i``: a gradient, a new array.

    None where indices are negative, or those beside ``axis`` are not all there.
    """
    axis %= len(shape)
    if i.shape[:axis] != shape[:axis] or i.shape[axis + 1 :] != shape[axis + 1 :] or not i.size or i.min() < 0:
        return None
    outer, count, inner = prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])
    if inner == 1:
        positions = i.reshape(outer, -1) + np.arange(0, outer * count, count)[:, None]
    else:
        positions = i.reshape(outer, -1, inner) * np.array(inner, np.int64)
        positions += np.arange(inner)
        positions += np.arange(0, outer * count * inner, count * inner)[:, None, None]
    return duplicate_indices.added_flat(shape, native(positions.reshape(-1)), g.reshape(-1), i.shape[axis])


def _match(x: Tensor, i: Tensor, axis: int, name: str) -> Tensor:
    """The index broadcast beside ``axis`` to the shape of ``x`` (Paddle's rule)."""
    if i.ndim != x.ndim:
        raise ShapeError(
            f"{name}: index {show(i.spec.shape)} and tensor {show(x.spec.shape)} must have the same rank"
        )
    have, want = i.spec.shape, x.spec.shape
    if have[:axis] == want[:axis] and have[axis + 1 :] == want[axis + 1 :] and UNKNOWN not in have:
        return i
    if all(a == b != UNKNOWN for k, (a, b) in enumerate(zip(have, want, strict=True)) if k != axis):
        return i
    return F.expand(i, [-1 if k == axis else d for k, d in enumerate(x.shape)])


@op("take_along_axis(Input, Index -> Result) axis=Axis:int", traits="integral may_raise", method=True)
def take_along_axis(arr: Tensor, indices: Tensor, axis: int, broadcast: bool = True) -> Tensor:
    """Elements of ``arr`` along ``axis`` at ``indices``, which has the rank of ``arr`` and broadcasts beside ``axis``.

    ``broadcast``: False leaves the sizes of ``indices`` beside ``axis`` as they are. The result has the shape of ``indices``
    and the dtype of ``arr``.

    Example:
        >>> x = paddle.to_tensor([[10, 30, 20], [60, 40, 50]])
        >>> paddle.take_along_axis(x, paddle.argmax(x, axis=1, keepdim=True), 1).tolist()
        [[30], [60]]
    """
    axis = shape_rules.axis_index(axis, arr.ndim, "take_along_axis")
    return take_along_axis.emit(arr, _match(arr, indices, axis, "take_along_axis") if broadcast else indices, axis=axis)


@take_along_axis.infer
def _(x: TensorSpec, i: TensorSpec, axis: int) -> TensorSpec:
    need_integer(i, "take_along_axis")
    if i.ndim != x.ndim:
        raise ShapeError(
            f"take_along_axis: index {show(i.shape)} and tensor {show(x.shape)} must have the same rank"
        )
    return x.with_shape(i.shape)


@take_along_axis.kernel
def _(xp: ArrayModule, x: Array, i: Array, axis: int) -> Array:
    axis %= x.ndim
    if not isinstance(x, np.ndarray):
        check_range(i, x.shape[axis], "take_along_axis")
    return x[along(x, i, axis, xp)]


@take_along_axis.grad_kernel
def _(x: Array, i: Array, out: Array, g: Array, axis: int) -> Any:
    return added_along(x.shape, i, g, axis)


@take_along_axis.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, i = ctx.inputs
    zeros = F.zeros_like(x)
    return put_along_axis.emit(zeros, i, g, axis=ctx.axis, reduce="add", include_self=True), None


take_along_axis.samples(
    lambda: [
        Sample(f32(3, 4), np.asarray([[0, 3], [1, 1], [2, 0]]), axis=1),
        Sample(f32(3, 2), np.asarray([[2, 0]]), axis=0),
    ]
)


REDUCE = ("assign", "add", "mul", "mean", "amax", "amin")


@op("put_along_axis(Input, Index, Value -> Result) axis=Axis:int reduce=Reduce:str include_self=Include_self:bool",
    method=True, inplace=True, traits="may_raise")  # fmt: skip
def put_along_axis(
    arr: Tensor,
    indices: Tensor,
    values: Tensor | float,
    axis: int,
    reduce: str = "assign",
    include_self: bool = True,
    broadcast: bool = True,
) -> Tensor:
    """A copy of ``arr`` in which ``values`` stand in the elements that `take_along_axis` would read.

    ``reduce``: ``'assign'`` (the last one of those for one element), or the sum (``'add'``), product (``'mul'`` or
    ``'multiply'``), ``'mean'``, largest (``'amax'``) or smallest (``'amin'``) of the values for an element and, with
    ``include_self``, of what was there. A mean of integers is cut. With ``broadcast`` the ``values`` are expanded to the
    index; without, they have its rank, and those beyond it are not used.
    Raises ShapeError when the shapes do not fit, IndexError (when it runs) for an index out of range.
    ``indices``: integers, of the rank of ``arr``; ``axis``: the dimension that they count along.

    Example:
        >>> x, i = paddle.ones([1, 2]), paddle.to_tensor([[0, 0]])
        >>> paddle.put_along_axis(x, i, paddle.to_tensor([[3.0, 5.0]]), 1, 'mean').tolist()
        [[3.0, 1.0]]
    """
    return put(arr, indices, values, axis, reduce, include_self or reduce == "assign", broadcast)


def put(
    arr: Tensor, indices: Tensor, values: Tensor | float, axis: int, reduce: str, include_self: bool, broadcast: bool
) -> Tensor:
    """`put_along_axis`; ``'assign'`` without ``include_self`` gives each value its element's gradient, also those written over."""
    axis = shape_rules.axis_index(axis, arr.ndim, "put_along_axis")
    i = _match(arr, indices, axis, "put_along_axis") if broadcast else indices
    dtype_checks.need_one_dtype("put_along_axis", arr, values)
    values = F.cast(operands.tensor(values, arr), arr.dtype)
    if values.spec.shape != i.spec.shape or UNKNOWN in i.spec.shape:
        values = F.expand_as(values, i) if broadcast or values.spec.size == 1 else _within(values, i)
    reduce = {"multiply": "mul"}.get(reduce, reduce)
    return put_along_axis.emit(arr, i, values, axis=axis, reduce=reduce, include_self=bool(include_self))


def _within(values: Tensor, i: Tensor) -> Tensor:
    """The part of ``values`` that lies in the shape of ``i``."""
    value_shape, index_shape = values.spec.shape, i.spec.shape
    if len(value_shape) != len(index_shape) or any(
        UNKNOWN not in (a, b) and a < b for a, b in zip(value_shape, index_shape, strict=False)
    ):
        raise ShapeError(f"put_along_axis: index {show(index_shape)} needs as many values, got {show(value_shape)}")
    return values[tuple(slice(n) for n in i.shape)]


@put_along_axis.infer
def _(x: TensorSpec, i: TensorSpec, values: TensorSpec, axis: int, reduce: str, include_self: bool) -> TensorSpec:
    need_integer(i, "put_along_axis")
    if reduce not in REDUCE:
        raise ArgumentError(f"put_along_axis: reduce must be one of {', '.join(REDUCE)}, got {reduce!r}")
    if reduce != "assign" and x.dtype.kind == "b":
        raise DTypeError(f"put_along_axis: reduce={reduce!r} needs numbers, got bool; x.astype('int32') makes them")
    if i.ndim != x.ndim or values.ndim != i.ndim:
        raise ShapeError(
            f"put_along_axis: shapes {show(x.shape)}, {show(i.shape)} and {show(values.shape)} differ in rank"
        )
    if any(UNKNOWN not in (a, b) and a > b for k, (a, b) in enumerate(zip(i.shape, x.shape, strict=True)) if k != axis):
        raise ShapeError(f"put_along_axis: index {show(i.shape)} is larger than the tensor {show(x.shape)}")
    return x


@put_along_axis.kernel
def _(
    xp: ArrayModule, x: Array, i: Array, values: Array, axis: int, reduce: str, include_self: bool, donated: Donation = False
) -> Array:
    axis %= x.ndim
    check_range(i, x.shape[axis], "put_along_axis")
    position = along(x, i, axis, xp)
    out = in_place.writable(x, donated, position)
    if reduce == "assign":
        out[position] = values
    elif reduce in ("add", "mean"):
        if not include_self:
            out[position] = 0
        add_at(xp, out, position, values)
    else:
        if not include_self:
            out[position] = 1 if reduce == "mul" else values
        join = {"mul": xp.multiply, "amax": xp.maximum, "amin": xp.minimum}[reduce]
        for k in range(i.shape[axis]):  # positions repeat only along the axis; CuPy has no ufunc.at of these
            column = (slice(None),) * axis + (slice(k, k + 1),)
            position = along(x, i[column], axis, xp)
            out[position] = join(out[position], values[column])
    if reduce == "mean":
        mean = _divided(xp, out, _count(xp, x, i, axis, include_self))
        if donated is False:
            return mean
        out[position] = mean[position]
    return out


def _count(xp: ArrayModule, x: Array, i: Array, axis: int, include_self: bool) -> Array:
    """Count the numbers for each element of ``x``."""
    count = xp.ones(x.shape, "int64")
    position = along(x, i, axis, xp)
    if not include_self:
        count[position] = 0
    add_at(xp, count, position, xp.ones(i.shape, "int64"))
    return count


def _divided(xp: ArrayModule, sums: Array, count: Array) -> Array:
    """Of integers what C++ gives: cut to the side of 0."""
    if sums.dtype.kind == "f":
        return (sums / count).astype(sums.dtype)
    return (xp.sign(sums) * (xp.abs(sums) // count)).astype(sums.dtype)


@put_along_axis.from_file
def _(r: FileReader) -> Tensor:
    x, i, values = (r.input(slot) for slot in ("Input", "Index", "Value"))
    return put(x, i, values, r.attr("Axis", 0), r.attr("Reduce", "assign"), r.attr("Include_self", True), False)


@put_along_axis.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    """Of equal extremes each gets its share; of values that are assigned to one element the last one has all (but see `put`)."""
    x, i, values = ctx.inputs
    value_gradient, base_gradient = F.zeros_like(values), F.ones_like(values)

    def put(is_result: Tensor, what: Tensor, reduce: str = "assign", include_self: bool = True) -> Tensor:
        return put_along_axis.emit(is_result, i, what, axis=ctx.axis, reduce=reduce, include_self=include_self)

    def take(is_result: Tensor) -> Tensor:
        return take_along_axis.emit(is_result, i, axis=ctx.axis)

    of_self = g if ctx.include_self and ctx.reduce != "assign" else put(g, value_gradient)
    if ctx.reduce == "assign" and not ctx.include_self:
        return of_self, None, take(g)
    if ctx.reduce == "assign":
        turn = F.cumsum(base_gradient, ctx.axis)  # 1, 2, ... along the axis
        last = F.equal(take(put(F.zeros_like(g), turn)), turn)
        return of_self, None, F.where(last, take(g), value_gradient)
    if ctx.reduce == "add":
        return of_self, None, take(g)
    if ctx.reduce == "mul":  # the product of the other factors is the result divided by one
        of_self = put(g, values, "mul") if ctx.include_self else of_self
        return of_self, None, take(g * ctx.out) / values
    if ctx.reduce == "mean":
        share = g / put(F.ones_like(g), base_gradient, "add", ctx.include_self)
        return share if ctx.include_self else put(share, value_gradient), None, take(share)
    chosen = F.cast(F.equal(take(ctx.out), values), g.dtype)
    is_result = F.cast(F.equal(ctx.out, x), g.dtype)
    is_result = is_result if ctx.include_self else put(is_result, value_gradient)
    share = g / put(is_result, chosen, "add")
    of_self = share * is_result if ctx.include_self else of_self
    return of_self, None, take(share) * chosen


put_along_axis.op.reads_no_numbers_of("Input", "Value", "Result", where=lambda attrs: attrs["reduce"] in ("assign", "add"))
put_along_axis.samples(
    lambda: [
        Sample(f32(3, 4), np.asarray(index), f32(3, 2, seed=1), axis=1, reduce=reduce, include_self=include)
        for index, reduce, include in (
            ([[0, 3], [1, 2], [2, 0]], "assign", True),
            ([[0, 0], [1, 1], [2, 0]], "assign", True),
            ([[0, 3], [1, 2], [2, 0]], "assign", False),
            ([[0, 0], [1, 1], [2, 0]], "add", True),
            ([[0, 3], [1, 1], [2, 0]], "add", False),
            ([[0, 3], [1, 2], [2, 0]], "mul", True),
            ([[0, 3], [1, 1], [2, 0]], "mul", False),
            ([[0, 3], [1, 1], [2, 0]], "mean", True),
            ([[0, 3], [1, 1], [2, 0]], "mean", False),
            ([[0, 3], [1, 1], [2, 0]], "amax", True),
            ([[0, 3], [1, 1], [2, 0]], "amin", False),
        )
    ]
)


@method()
def index_sample(x: Tensor, index: Any) -> Tensor:
    """From each row of a matrix the elements at that row of ``index``.

    ``x``: ``[n, m]``; ``index``: ``[n, k]``, integers. The result is ``[n, k]``, of the dtype of ``x``.

    Example:
        >>> paddle.index_sample(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), paddle.to_tensor([[1, 0], [1, 1]])).tolist()
        [[2.0, 1.0], [4.0, 4.0]]
    """
    return take_along_axis(x, index, 1)
