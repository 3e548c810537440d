"""Reading and writing by index tensors: gather, take_along_axis, scatter and their relatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.core.errors import DTypeError, ShapeError
from to_static.ir.opdef import Sample, method, op
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN, TensorSpec
from to_static.ir.tensor import Tensor
from to_static.ops import rules
from to_static.ops.elementwise import f32
from to_static.ops.index import index, index_put


def _integer(i: TensorSpec, name: str) -> None:
    if not i.dtype.is_integer:
        raise DTypeError(f"{name}: the index must be an integer tensor, got {i.dtype.name}")


def _flat(i: Any, name: str) -> Any:
    if i.ndim == 2 and i.spec.shape[1] == 1:
        return FUNCTIONS["squeeze"](i, 1)
    if i.ndim > 1:
        raise ShapeError(f"{name}: the index must be 1-D (or [n, 1]), got {rules.show(i.spec.shape)}")
    return i


@op("gather(X, Index -> Out) axis:int", method=True)
def gather(x: Any, index: Any, axis: Any = None, name: Any = None) -> Any:
    """The slices of ``x`` along ``axis`` (default 0) at the positions of a 0-D or 1-D integer tensor."""
    if isinstance(axis, Tensor):
        (axis,), tensors = rules.dims(axis, "gather")
        if tensors:
            raise ShapeError("gather: axis must be known when the Program is built, not a traced tensor")
    return gather.emit(x, _flat(index, "gather"), axis=rules.axis_index(axis or 0, x.ndim, "gather"))


@gather.infer
def _(x: TensorSpec, i: TensorSpec, axis: int) -> TensorSpec:
    _integer(i, "gather")
    axis = rules.axis_index(axis, x.ndim, "gather")
    return x.with_shape((*x.shape[:axis], *i.shape, *x.shape[axis + 1 :]))


def check_range(i: Any, size: int, name: str) -> None:
    """Raise IndexError when an index array leaves ``-size .. size-1``."""
    if i.size and bool(((i < -size) | (i >= size)).any()):
        raise IndexError(f"{name}: an index is out of bounds for a dimension of size {size}")


@gather.kernel
def _(xp: Any, x: Any, i: Any, axis: int) -> Any:
    if not isinstance(x, np.ndarray):  # NumPy checks by itself, CuPy wraps around
        check_range(i, x.shape[axis], "gather")
    return xp.take(x, i, axis)


@gather.grad
def _(ctx: Any, g: Any) -> Any:
    x, i = ctx.inputs
    return index_put.emit(FUNCTIONS["zeros_like"](x), [i], g, axes=(ctx.axis % x.ndim,), accumulate=True), None


@gather.from_file
def _(r: Any) -> Any:
    axis = r.attr("axis", 0)
    if r.has("Axis"):
        known = r.const(r.input("Axis"))
        axis = int(known.reshape(-1)[0]) if known is not None else r.refuse("a gather axis that is computed")
    return gather(r.input("X"), r.input("Index"), axis)


gather.samples(
    lambda: [Sample(f32(4, 3), np.asarray([0, 2, 2]), axis=0), Sample(f32(2, 4), np.asarray([3, 0], "int32"), axis=1), Sample(f32(4, 3), np.asarray(1), axis=0)]
)


@op("index_select(X, Index -> Out) axis=dim:int", method=True)
def index_select(x: Any, index: Any, axis: int = 0, name: Any = None) -> Any:
    """The slices of ``x`` along ``axis`` at the positions of a 1-D integer tensor."""
    return index_select.emit(x, index, axis=rules.axis_index(axis, x.ndim, "index_select"))


index_select.op.infer_rule = gather.op.infer_rule
index_select.op.kernels = gather.op.kernels
index_select.op.grad_rule = gather.op.grad_rule
index_select.samples(lambda: [Sample(f32(2, 4), np.asarray([3, 0, 0], "int32"), axis=1)])


@op("gather_nd(X, Index -> Out)", method=True)
def gather_nd(x: Any, index: Any, name: Any = None) -> Any:
    """``x`` at positions: the last dimension of ``index``, [..., k], addresses the first k dimensions of ``x``."""
    return gather_nd.emit(x, index)


@gather_nd.infer
def _(x: TensorSpec, i: TensorSpec) -> TensorSpec:
    _integer(i, "gather_nd")
    k = i.shape[-1] if i.ndim else 0
    if k == UNKNOWN or k > x.ndim:
        raise ShapeError(f"gather_nd: the last dimension of the index {rules.show(i.shape)} does not fit {rules.show(x.shape)}")
    return x.with_shape((*i.shape[:-1], *x.shape[k:]))


def _parts(i: Any) -> tuple[Any, ...]:
    return tuple(i[..., k] for k in range(i.shape[-1]))


@gather_nd.kernel
def _(xp: Any, x: Any, i: Any) -> Any:
    if not isinstance(x, np.ndarray):
        for k in range(i.shape[-1]):
            check_range(i[..., k], x.shape[k], "gather_nd")
    return x[_parts(i)] if i.shape[-1] else xp.broadcast_to(x, (*i.shape[:-1], *x.shape)).copy()


@gather_nd.grad
def _(ctx: Any, g: Any) -> Any:
    x, i = ctx.inputs
    return scatter_nd_add(FUNCTIONS["zeros_like"](x), i, g), None


gather_nd.samples(
    lambda: [Sample(f32(3, 4), np.asarray([[0, 1], [2, 3], [0, 1]])), Sample(f32(3, 4), np.asarray([[1], [-1]]), file=False)]
)


@op("scatter_nd_add(X, Index, Updates -> Out)", method=True)
def scatter_nd_add(x: Any, index: Any, updates: Any, name: Any = None) -> Any:
    """A copy of ``x`` with ``updates`` added at the positions that `gather_nd` would read; repeats add up."""
    return scatter_nd_add.emit(x, index, updates)


@scatter_nd_add.infer
def _(x: TensorSpec, i: TensorSpec, updates: TensorSpec) -> TensorSpec:
    _integer(i, "scatter_nd_add")
    want = (*i.shape[:-1], *x.shape[i.shape[-1] :])
    fits = len(want) == updates.ndim and all(a == b or UNKNOWN in (a, b) for a, b in zip(want, updates.shape, strict=True))
    if not fits:
        raise ShapeError(f"scatter_nd_add: updates of shape {rules.show(updates.shape)}, expected {rules.show(want)}")
    return x


@scatter_nd_add.kernel
def _(xp: Any, x: Any, i: Any, updates: Any) -> Any:
    out = x.copy()
    xp.add.at(out, _parts(i), updates)
    return out


@scatter_nd_add.grad
def _(ctx: Any, g: Any) -> Any:
    return g, None, gather_nd(g, ctx.inputs[1])


scatter_nd_add.samples(lambda: [Sample(f32(4), np.asarray([[1], [1], [3]]), f32(3))])


def scatter_nd(index: Any, updates: Any, shape: Any, name: Any = None) -> Any:
    """Zeros of ``shape`` with ``updates`` added at the positions ``index``."""
    return scatter_nd_add(FUNCTIONS["full"](shape, 0, updates.dtype), index, updates)


@op("scatter(X, Ids, Updates -> Out) overwrite:bool", method=True, inplace=True)
def scatter(x: Any, index: Any, updates: Any, overwrite: bool = True, name: Any = None) -> Any:
    """A copy of ``x`` whose rows ``index`` are those of ``updates``; with ``overwrite=False`` the sum of them.

    With ``overwrite`` the last of repeated rows stays.
    """
    return scatter.emit(x, _flat(index, "scatter"), updates, overwrite=bool(overwrite))


@scatter.infer
def _(x: TensorSpec, i: TensorSpec, updates: TensorSpec, overwrite: bool) -> TensorSpec:
    _integer(i, "scatter")
    if updates.dtype is not x.dtype:
        raise DTypeError(f"scatter: dtypes {x.dtype.name} and {updates.dtype.name} differ; convert one with astype()")
    if updates.ndim != x.ndim - 1 + i.ndim:
        raise ShapeError(f"scatter: updates of shape {rules.show(updates.shape)} do not fit the rows of {rules.show(x.shape)}")
    return x


@scatter.kernel
def _(xp: Any, x: Any, i: Any, updates: Any, overwrite: bool) -> Any:
    check_range(i, x.shape[0], "scatter")
    out = x.copy()
    if overwrite:
        out[i] = updates
        return out
    out[i] = xp.zeros((), x.dtype)
    xp.add.at(out, i, updates)
    return out


@scatter.grad
def _(ctx: Any, g: Any) -> Any:
    x, i, updates = ctx.inputs
    zeros = FUNCTIONS["zeros_like"](updates)
    return scatter.emit(g, i, zeros, overwrite=True), None, gather(g, i)


scatter.samples(
    lambda: [
        Sample(f32(4, 2), np.asarray([3, 1]), f32(2, 2), overwrite=True),
        Sample(f32(4, 2), np.asarray([3, 1, 1]), f32(3, 2), overwrite=False),
    ]
)


# along an axis ---------------------------------------------------------------------------------------------------------


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
        raise ShapeError(f"{name}: index {rules.show(i.spec.shape)} and tensor {rules.show(x.spec.shape)} must have the same rank")
    if all(a == b for k, (a, b) in enumerate(zip(i.spec.shape, x.spec.shape, strict=True)) if k != axis):
        return i
    return FUNCTIONS["expand"](i, [-1 if k == axis else d for k, d in enumerate(x.shape)])


@op("take_along_axis(Input, Index -> Result) axis=Axis:int", method=True)
def take_along_axis(arr: Any, indices: Any, axis: int, broadcast: bool = True) -> Any:
    """Elements of ``arr`` along ``axis`` at ``indices``, which has the rank of ``arr`` and broadcasts beside ``axis``."""
    axis = rules.axis_index(axis, arr.ndim, "take_along_axis")
    return take_along_axis.emit(arr, _match(arr, indices, axis, "take_along_axis") if broadcast else indices, axis=axis)


@take_along_axis.infer
def _(x: TensorSpec, i: TensorSpec, axis: int) -> TensorSpec:
    _integer(i, "take_along_axis")
    if i.ndim != x.ndim:
        raise ShapeError(f"take_along_axis: index {rules.show(i.shape)} and tensor {rules.show(x.shape)} must have the same rank")
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
    lambda: [Sample(f32(3, 4), np.asarray([[0, 3], [1, 1], [2, 0]]), axis=1), Sample(f32(3, 2), np.asarray([[2, 0]]), axis=0)]
)


@op("put_along_axis(Input, Index, Value -> Result) axis=Axis:int reduce=Reduce:str", method=True, inplace=True,
    file_attrs={"Include_self": ("bool", True)})  # fmt: skip
def put_along_axis(
    arr: Any, indices: Any, values: Any, axis: int, reduce: str = "assign", include_self: bool = True, broadcast: bool = True
) -> Any:
    """A copy of ``arr`` with the elements that `take_along_axis` would read replaced by ``values``.

    ``reduce``: ``'assign'``, ``'add'`` or ``'multiply'`` (``'mul'``) the values to what is there.
    """
    if not include_self:
        raise ValueError("put_along_axis: include_self=False is not supported; put zeros (or ones) first")
    axis = rules.axis_index(axis, arr.ndim, "put_along_axis")
    i = _match(arr, indices, axis, "put_along_axis") if broadcast else indices
    values = FUNCTIONS["cast"](rules.tensor(values, arr), arr.dtype)
    if values.spec.shape != i.spec.shape:
        values = FUNCTIONS["expand_as"](values, i)
    return put_along_axis.emit(arr, i, values, axis=axis, reduce={"mul": "multiply"}.get(reduce, reduce))


@put_along_axis.infer
def _(x: TensorSpec, i: TensorSpec, values: TensorSpec, axis: int, reduce: str) -> TensorSpec:
    _integer(i, "put_along_axis")
    if reduce not in ("assign", "add", "multiply", "mul"):
        raise ValueError(f"put_along_axis: reduce must be 'assign', 'add' or 'multiply', got {reduce!r}")
    if i.ndim != x.ndim or values.ndim != i.ndim:
        raise ShapeError(f"put_along_axis: shapes {rules.show(x.shape)}, {rules.show(i.shape)} and {rules.show(values.shape)} differ in rank")
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
        xp.add.at(out, place, values)
    else:
        xp.multiply.at(out, place, values)
    return out


@put_along_axis.grad
def _(ctx: Any, g: Any) -> Any:
    x, i, values = ctx.inputs
    at = {"axis": ctx.axis}
    if ctx.reduce == "add":
        return g, None, take_along_axis.emit(g, i, **at)
    if ctx.reduce == "assign":
        return put_along_axis.emit(g, i, FUNCTIONS["zeros_like"](values), reduce="assign", **at), None, take_along_axis.emit(g, i, **at)
    return put_along_axis.emit(g, i, values, reduce="multiply", **at), None, take_along_axis.emit(g * x, i, **at)


put_along_axis.samples(
    lambda: [
        Sample(f32(3, 4), np.asarray([[0, 3], [1, 2], [2, 0]]), f32(3, 2), axis=1, reduce="assign"),
        Sample(f32(3, 4), np.asarray([[0, 0], [1, 1], [2, 0]]), f32(3, 2), axis=1, reduce="add"),
        Sample(f32(3, 4), np.asarray([[0, 3], [1, 2], [2, 0]]), f32(3, 2), axis=1, reduce="multiply", file=False),
    ]
)


# by a mask -------------------------------------------------------------------------------------------------------------


@method()
def index_sample(x: Any, index: Any) -> Any:
    """From each row of a matrix the elements at that row of ``index``."""
    return take_along_axis(x, index, 1)


@op("masked_select(X, Mask -> Y)", traits="dynamic", method=True)
def masked_select(x: Any, mask: Any, name: Any = None) -> Any:
    """The elements of ``x`` where the boolean ``mask`` (broadcast to ``x``) is true, 1-D."""
    return masked_select.emit(x, mask if mask.spec.shape == x.spec.shape else FUNCTIONS["expand_as"](mask, x))


@masked_select.infer
def _(x: TensorSpec, mask: TensorSpec) -> TensorSpec:
    if mask.dtype.kind != "b":
        raise DTypeError(f"masked_select: the mask must be boolean, got {mask.dtype.name}")
    return x.with_shape((UNKNOWN,))


@masked_select.kernel
def _(xp: Any, x: Any, mask: Any) -> Any:
    return x[mask] if x.ndim else x.reshape(1)[mask.reshape(1)]


@masked_select.grad
def _(ctx: Any, g: Any) -> Any:
    x, mask = ctx.inputs
    places = FUNCTIONS["nonzero"](mask)
    columns = [FUNCTIONS["squeeze"](c, 1) for c in FUNCTIONS["split"](places, x.ndim, 1)] if x.ndim else []
    if not columns:
        return FUNCTIONS["where"](mask, FUNCTIONS["sum"](g), FUNCTIONS["zeros_like"](x)), None
    return index_put.emit(FUNCTIONS["zeros_like"](x), columns, g, axes=tuple(range(x.ndim)), accumulate=False), None


masked_select.samples(lambda: [Sample(f32(2, 3), np.asarray([[True, False, True], [False, True, True]]))])


@method(inplace=True)
def masked_fill(x: Any, mask: Any, value: Any, name: Any = None) -> Any:
    """``x`` with ``value`` (a number or 0-D tensor) where the boolean ``mask`` is true."""
    value = rules.tensor(value, x)
    return FUNCTIONS["where"](mask, FUNCTIONS["cast"](value, x.dtype), x)


@method(inplace=True)
def index_add(x: Any, index: Any, axis: int, value: Any, name: Any = None) -> Any:
    """A copy of ``x`` with the slices of ``value`` added to those along ``axis`` at the positions ``index``."""
    axis = rules.axis_index(axis, x.ndim, "index_add")
    return index_put.emit(x, [index], value, axes=(axis,), accumulate=True)


@method()
def take(x: Any, index: Any, mode: str = "raise", name: Any = None) -> Any:
    """Elements of the flattened ``x`` at ``index``; ``mode``: 'raise', 'wrap' or 'clip' what is out of bounds."""
    flat = FUNCTIONS["flatten"](x)
    size = FUNCTIONS["numel"](x)
    if mode == "wrap":
        index = FUNCTIONS["remainder"](index, FUNCTIONS["cast"](size, index.dtype))
    elif mode == "clip":
        index = FUNCTIONS["clip"](index, 0, size - 1)
    elif mode != "raise":
        raise ValueError(f"take: mode must be 'raise', 'wrap' or 'clip', got {mode!r}")
    return index_select_any(flat, index)


def index_select_any(flat: Any, i: Any) -> Any:
    """Elements of a 1-D tensor at an integer tensor of any shape."""
    return index.emit(flat, [i], axes=(0,))
