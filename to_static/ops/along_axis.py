"""Reading and writing along one axis with an index of the tensor's rank: take_along_axis, put_along_axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.core.errors import ShapeError
from to_static.ir.opdef import Sample, method, op
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN, TensorSpec
from to_static.ops import rules
from to_static.ops.elementwise import f32
from to_static.ops.gather import check_range, need_integer
from to_static.ops.index import add_at


def _along(x: Any, i: Any, axis: int, xp: Any) -> tuple[Any, ...]:
    """The full index that pairs each position of ``i`` with its own coordinates beside ``axis``."""
    key = []
    for k in range(x.ndim):
        shape = [1] * x.ndim
        shape[k] = -1
        key.append(i if k == axis else xp.arange(i.shape[k]).reshape(shape))
    return tuple(key)


def _match(x: Any, i: Any, axis: int, name: str) -> Any:
    """The index broadcast beside ``axis`` to the shape of ``x`` (Paddle's rule)."""
    if i.ndim != x.ndim:
        raise ShapeError(
            f"{name}: index {rules.show(i.spec.shape)} and tensor {rules.show(x.spec.shape)} must have the same rank"
        )
    if all(a == b != UNKNOWN for k, (a, b) in enumerate(zip(i.spec.shape, x.spec.shape, strict=True)) if k != axis):
        return i
    return FUNCTIONS["expand"](i, [-1 if k == axis else d for k, d in enumerate(x.shape)])


@op("take_along_axis(Input, Index -> Result) axis=Axis:int", traits="fails", method=True)
def take_along_axis(arr: Any, indices: Any, axis: int, broadcast: bool = True) -> Any:
    """Elements of ``arr`` along ``axis`` at ``indices``, which has the rank of ``arr`` and broadcasts beside ``axis``."""
    axis = rules.axis_index(axis, arr.ndim, "take_along_axis")
    return take_along_axis.emit(arr, _match(arr, indices, axis, "take_along_axis") if broadcast else indices, axis=axis)


@take_along_axis.infer
def _(x: TensorSpec, i: TensorSpec, axis: int) -> TensorSpec:
    need_integer(i, "take_along_axis")
    if i.ndim != x.ndim:
        raise ShapeError(
            f"take_along_axis: index {rules.show(i.shape)} and tensor {rules.show(x.shape)} must have the same rank"
        )
    return x.with_shape(i.shape)


@take_along_axis.kernel
def _(xp: Any, x: Any, i: Any, axis: int) -> Any:
    axis %= x.ndim
    if not isinstance(x, np.ndarray):
        check_range(i, x.shape[axis], "take_along_axis")
    return x[_along(x, i, axis, xp)]


@take_along_axis.grad
def _(ctx: Any, g: Any) -> Any:
    x, i = ctx.inputs
    return put_along_axis.emit(FUNCTIONS["zeros_like"](x), i, g, axis=ctx.axis, reduce="add"), None


take_along_axis.samples(
    lambda: [
        Sample(f32(3, 4), np.asarray([[0, 3], [1, 1], [2, 0]]), axis=1),
        Sample(f32(3, 2), np.asarray([[2, 0]]), axis=0),
    ]
)


@op("put_along_axis(Input, Index, Value -> Result) axis=Axis:int reduce=Reduce:str", method=True, inplace=True,
    traits="fails", file_attrs={"Include_self": ("bool", True)})  # fmt: skip
def put_along_axis(
    arr: Any,
    indices: Any,
    values: Any,
    axis: int,
    reduce: str = "assign",
    include_self: bool = True,
    broadcast: bool = True,
) -> Any:
    """A copy of ``arr`` with the elements that `take_along_axis` would read replaced by ``values``.

    ``reduce``: ``'assign'``, ``'add'`` or ``'multiply'`` (``'mul'``) the values to what is there.
    """
    if not include_self:
        raise ValueError("put_along_axis: include_self=False is not supported; put zeros (or ones) first")
    axis = rules.axis_index(axis, arr.ndim, "put_along_axis")
    i = _match(arr, indices, axis, "put_along_axis") if broadcast else indices
    values = FUNCTIONS["cast"](rules.tensor(values, arr), arr.dtype)
    if values.spec.shape != i.spec.shape or UNKNOWN in i.spec.shape:
        values = FUNCTIONS["expand_as"](values, i)
    return put_along_axis.emit(arr, i, values, axis=axis, reduce={"mul": "multiply"}.get(reduce, reduce))


@put_along_axis.infer
def _(x: TensorSpec, i: TensorSpec, values: TensorSpec, axis: int, reduce: str) -> TensorSpec:
    need_integer(i, "put_along_axis")
    if reduce not in ("assign", "add", "multiply", "mul"):
        raise ValueError(f"put_along_axis: reduce must be 'assign', 'add' or 'multiply', got {reduce!r}")
    if i.ndim != x.ndim or values.ndim != i.ndim:
        raise ShapeError(
            f"put_along_axis: shapes {rules.show(x.shape)}, {rules.show(i.shape)} and {rules.show(values.shape)} differ in rank"
        )
    return x


@put_along_axis.kernel
def _(xp: Any, x: Any, i: Any, values: Any, axis: int, reduce: str) -> Any:
    axis %= x.ndim
    check_range(i, x.shape[axis], "put_along_axis")
    out = x.copy()
    place = _along(x, i, axis, xp)
    if reduce == "assign":
        out[place] = values
    elif reduce == "add":
        add_at(xp, out, place, values)
    else:
        for k in range(i.shape[axis]):  # positions repeat only along the axis; CuPy has no multiply.at
            column = (slice(None),) * axis + (slice(k, k + 1),)
            place = _along(x, i[column], axis, xp)
            out[place] = out[place] * values[column]
    return out


@put_along_axis.grad
def _(ctx: Any, g: Any) -> Any:
    _, i, values = ctx.inputs
    at = {"axis": ctx.axis}
    if ctx.reduce == "add":
        return g, None, take_along_axis.emit(g, i, **at)
    if ctx.reduce == "assign":
        return (
            put_along_axis.emit(g, i, FUNCTIONS["zeros_like"](values), reduce="assign", **at),
            None,
            take_along_axis.emit(g, i, **at),
        )
    # a position may be named several times: the product of the other factors is the result divided by one
    return put_along_axis.emit(g, i, values, reduce="multiply", **at), None, take_along_axis.emit(g * ctx.out, i, **at) / values


put_along_axis.samples(
    lambda: [
        Sample(f32(3, 4), np.asarray([[0, 3], [1, 2], [2, 0]]), f32(3, 2), axis=1, reduce="assign"),
        Sample(f32(3, 4), np.asarray([[0, 0], [1, 1], [2, 0]]), f32(3, 2), axis=1, reduce="add"),
        Sample(f32(3, 4), np.asarray([[0, 3], [1, 2], [2, 0]]), f32(3, 2), axis=1, reduce="multiply", file=False),
    ]
)


@method()
def index_sample(x: Any, index: Any) -> Any:
    """From each row of a matrix the elements at that row of ``index``."""
    return take_along_axis(x, index, 1)
