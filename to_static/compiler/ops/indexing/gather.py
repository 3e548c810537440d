"""Gathers and scatters of slices by index tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, dynamic_axis, in_place, operands, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.in_place import Donation
from to_static.compiler.ops.indexing.index import add_at, from_start, gradient_of_rows, index_put, sums_at_few
from to_static.compiler.ops.indexing.index import index as index_arrays
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import OUT_OF_RANGE, ArgumentError, ArgumentTypeError, DTypeError, IdError, ShapeError
from to_static.core.native_index import native

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter
    from to_static.compiler.ir.program import Op


def need_integer(i: TensorSpec, name: str) -> None:
    """Raise ArgumentTypeError when an index is not of an integer dtype."""
    if not i.dtype.is_integer:
        raise ArgumentTypeError(f"{name}: the index must be an integer tensor, got {i.dtype.name}")


def _flat(i: Any, name: str) -> Any:
    if type(i) is tuple and len(i) == 1:  # of `nonzero(as_tuple=True)`: Paddle takes the first item of any tuple
        (i,) = i
    if i.ndim == 2 and i.spec.shape[1] == 1:
        return F.squeeze(i, 1)
    if i.ndim > 1:
        raise ShapeError(f"{name}: the index must be 1-D (or [n, 1]), got {show(i.spec.shape)}")
    return i


@op("gather(X, Index -> Out) axis:int", traits="integral may_raise", method=True)
def gather(x: Tensor, index: Tensor, axis: Tensor | int | None = None, name: str | None = None) -> Any:
    """The slices of ``x`` along ``axis`` (default 0) at the positions of a 0-D or 1-D integer tensor.

    ``index``: the result has its size in place of dimension ``axis`` (a 0-D ``index`` removes the dimension), and the
    dtype of ``x``.

    Example:
        >>> paddle.gather(paddle.to_tensor([10, 20, 30]), paddle.to_tensor([2, 0])).tolist()
        [30, 10]
    """
    if axis is None:
        axis = 0
    elif dynamic_axis.is_late(axis):
        return dynamic_axis.each("gather", axis, x.ndim, lambda a: gather(x, index, a))
    return gather.emit(x, _flat(index, "gather"), axis=shape_rules.axis_index(axis, x.ndim, "gather"))


def check_range(i: Array, size: int, name: str) -> None:
    """Raise IdError when an index array leaves ``-size .. size-1``."""
    if i.size and bool(((i < -size) | (i >= size)).any()):
        raise IdError(f"{name}: an index is out of bounds for a dimension of size {size}")


def _takes(front: Any) -> None:
    """Give the two spellings of this their rules."""
    name = front.op.name

    @front.infer
    def infer(x: TensorSpec, i: TensorSpec, axis: int) -> TensorSpec:
        need_integer(i, name)
        axis = shape_rules.axis_index(axis, x.ndim, name)
        return x.with_shape((*x.shape[:axis], *i.shape, *x.shape[axis + 1 :]))

    @front.kernel
    def kernel(xp: ArrayModule, x: Array, i: Array, axis: int) -> Array:
        if not isinstance(x, np.ndarray):  # NumPy checks by itself, CuPy wraps around
            check_range(i, x.shape[axis], name)
        try:
            return x.take(native(i), axis)
        except IndexError:
            check_range(i, x.shape[axis], name)  # which says it in our words
            raise

    @front.grad_kernel
    def grad_kernel(x: Array, i: Array, out: Array, g: Array, axis: int) -> Any:
        return gradient_of_rows(x, [i], out, g, (axis % x.ndim,))

    @front.grad
    def grad(ctx: GradContext, g: Tensor) -> Any:
        x, i = ctx.inputs
        return index_put.emit(F.zeros_like(x), [i], g, axes=(ctx.axis % x.ndim,), accumulate=True), None


_takes(gather)


@gather.from_file
def _(r: FileReader) -> Tensor:
    axis = r.attr("axis", 0)
    if r.has("Axis"):
        constant_axis = r.const(r.input("Axis"))
        axis = int(constant_axis.reshape(-1)[0]) if constant_axis is not None else r.input("Axis")
    return gather(r.input("X"), r.input("Index"), axis)


gather.op.reads_no_numbers_of("X", "Out")


gather.samples(
    lambda: [
        Sample(f32(4, 3), np.asarray([0, 2, 2]), axis=0),
        Sample(f32(2, 4), np.asarray([3, 0], "int32"), axis=1),
        Sample(f32(4, 3), np.asarray(1), axis=0),
    ]
)


@op("index_select(X, Index -> Out) axis=dim:int", traits="integral may_raise", method=True)
def index_select(x: Tensor, index: Tensor, axis: int = 0, name: str | None = None) -> Any:
    """The slices of ``x`` along ``axis`` at the positions of a 1-D integer tensor. Raises IdError for one that is not there.

    ``index``: ``[n]``; the result has size ``n`` along ``axis``, and the dtype of ``x``.

    Example:
        >>> x = paddle.to_tensor([[1, 2, 3], [4, 5, 6]])
        >>> paddle.index_select(x, paddle.to_tensor([2, 0]), axis=1).tolist()
        [[3, 1], [6, 4]]
    """
    operands.need_tensor(x, "index_select")
    if dynamic_axis.is_late(axis):
        return dynamic_axis.each("index_select", axis, x.ndim, lambda a: index_select(x, index, a))
    return index_select.emit(x, index, axis=shape_rules.axis_index(axis, x.ndim, "index_select", OUT_OF_RANGE))


_takes(index_select)
index_select.samples(lambda: [Sample(f32(2, 4), np.asarray([3, 0, 0], "int32"), axis=1)])


@op("gather_nd(X, Index -> Out)", traits="integral may_raise", method=True)
def gather_nd(x: Tensor, index: Tensor, name: str | None = None) -> Tensor:
    """``x`` at positions: the last dimension of ``index``, [..., k], addresses the first k dimensions of ``x``.

    The result has shape ``index.shape[:-1] + x.shape[k:]`` and the dtype of ``x``.

    Example:
        >>> x = paddle.to_tensor([[1, 2], [3, 4]])
        >>> paddle.gather_nd(x, paddle.to_tensor([[1, 0], [0, 1]])).tolist()
        [3, 2]
    """
    return gather_nd.emit(x, index)


@gather_nd.infer
def _(x: TensorSpec, i: TensorSpec) -> TensorSpec:
    need_integer(i, "gather_nd")
    k = i.shape[-1] if i.ndim else 0
    if k == UNKNOWN or k > x.ndim:
        raise ShapeError(
            f"gather_nd: the last dimension of the index {show(i.shape)} does not fit {show(x.shape)}"
        )
    return x.with_shape((*i.shape[:-1], *x.shape[k:]))


def _parts(i: Array) -> tuple[Any, ...]:
    return tuple([i[..., k] for k in range(i.shape[-1])])


@gather_nd.kernel
def _(xp: ArrayModule, x: Array, i: Array) -> Array:
    if not isinstance(x, np.ndarray):
        for k in range(i.shape[-1]):
            check_range(i[..., k], x.shape[k], "gather_nd")
    return x[_parts(i)] if i.shape[-1] else xp.broadcast_to(x, (*i.shape[:-1], *x.shape)).copy()


@gather_nd.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, i = ctx.inputs
    return scatter_nd_add(F.zeros_like(x), i, g), None


gather_nd.samples(
    lambda: [
        Sample(f32(3, 4), np.asarray([[0, 1], [2, 3], [0, 1]])),
        Sample(f32(3, 4), np.asarray([[1], [-1]]), file=False),
    ]
)


@op("scatter_nd_add(X, Index, Updates -> Out)", traits="integral may_raise check_shapes", method=True)
def scatter_nd_add(x: Tensor, index: Tensor, updates: Tensor, name: str | None = None) -> Tensor:
    """A copy of ``x`` with ``updates`` added at the positions that `gather_nd` would read; repeats add up.

    ``index``: ``[..., k]``; ``updates``: ``index.shape[:-1] + x.shape[k:]``, of the dtype of ``x``.

    Example:
        >>> paddle.scatter_nd_add(paddle.ones([3]), paddle.to_tensor([[0], [0]]), paddle.to_tensor([1.0, 2.0])).tolist()
        [4.0, 1.0, 1.0]
    """
    return scatter_nd_add.emit(x, index, updates)


@scatter_nd_add.infer
def _(x: TensorSpec, i: TensorSpec, updates: TensorSpec) -> TensorSpec:
    need_integer(i, "scatter_nd_add")
    dtype_checks.need_one_dtype("scatter_nd_add", x, updates)
    want = (*i.shape[:-1], *x.shape[i.shape[-1] :])
    fits = len(want) == updates.ndim and all(
        a == b or UNKNOWN in (a, b) for a, b in zip(want, updates.shape, strict=True)
    )
    if not fits:
        raise ShapeError(f"scatter_nd_add: updates of shape {show(updates.shape)}, expected {show(want)}")
    return x


@scatter_nd_add.specialize
def _(out: TensorSpec, x: TensorSpec, i: TensorSpec, updates: TensorSpec) -> Any:
    depth = i.shape[-1] if i.ndim else 0
    if not depth or depth != x.ndim:
        return None
    return sums_at_few(x, i.size, 1, (lambda i: (i[..., 0],)) if depth == 1 else _parts)


@scatter_nd_add.kernel
def _(xp: ArrayModule, x: Array, i: Array, updates: Array, donated: Donation = False) -> Array:
    position = _parts(i)
    out = in_place.writable(x, donated, position)
    add_at(xp, out, position, updates)
    return out


@scatter_nd_add.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g, None, gather_nd(g, ctx.inputs[1])


scatter_nd_add.samples(lambda: [Sample(f32(4), np.asarray([[1], [1], [3]]), f32(3))])


def scatter_nd(index: Tensor, updates: Tensor, shape: Tensor | Sequence[int], name: str | None = None) -> Tensor:
    """Zeros of ``shape`` with ``updates`` added at the positions ``index``.

    ``index``: ``[..., k]``; ``updates``: ``index.shape[:-1] + shape[k:]``. Repeated positions add up.

    Example:
        >>> paddle.scatter_nd(paddle.to_tensor([[1], [1], [3]]), paddle.to_tensor([1.0, 2.0, 5.0]), [4]).tolist()
        [0.0, 3.0, 0.0, 5.0]
    """
    return scatter_nd_add(F.full(shape, 0, updates.dtype), index, updates)


@op("scatter(X, Ids, Updates -> Out) overwrite:bool", traits="integral may_raise", method=True, inplace=True)
def scatter(x: Tensor, index: Tensor, updates: Tensor, overwrite: bool = True, name: str | None = None) -> Tensor:
    """A copy of ``x`` whose rows ``index`` are those of ``updates``; with ``overwrite=False`` the sum of them.

    With ``overwrite`` the last of repeated rows stays.
    ``index``: ``[n]``, integers; ``updates``: ``[n, *x.shape[1:]]``, of the dtype of ``x``.

    Example:
        >>> paddle.scatter(paddle.zeros([3, 1]), paddle.to_tensor([2, 0]), paddle.to_tensor([[1.0], [2.0]])).tolist()
        [[2.0], [0.0], [1.0]]
    """
    return scatter.emit(x, _flat(index, "scatter"), updates, overwrite=bool(overwrite))


@scatter.infer
def _(x: TensorSpec, i: TensorSpec, updates: TensorSpec, overwrite: bool) -> TensorSpec:
    need_integer(i, "scatter")
    if updates.dtype is not x.dtype:
        raise DTypeError(f"scatter: dtypes {x.dtype.name} and {updates.dtype.name} differ; convert one with astype()")
    if updates.ndim != x.ndim - 1 + i.ndim:
        raise ShapeError(
            f"scatter: updates of shape {show(updates.shape)} do not fit the rows of {show(x.shape)}"
        )
    return x


@scatter.kernel
def _(xp: ArrayModule, x: Array, i: Array, updates: Array, overwrite: bool, donated: Donation = False) -> Array:
    if overwrite and xp is np and donated is False:
        out = x.copy()
        try:
            out[i] = updates
        except IndexError:
            check_range(i, x.shape[0], "scatter")  # which says it in our words
            raise
        return out
    check_range(i, x.shape[0], "scatter")
    out = in_place.writable(x, donated, i)
    if overwrite:
        out[i] = updates
        return out
    out[i] = xp.zeros((), x.dtype)
    add_at(xp, out, i, updates)
    return out


@scatter.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    i, updates = ctx.inputs[1:]
    zeros = F.zeros_like(updates)
    return scatter.emit(g, i, zeros, overwrite=True), None, gather(g, i)


scatter.op.reads_no_numbers_of("X", "Updates", "Out")
scatter_nd_add.op.reads_no_numbers_of("X", "Updates", "Out")


scatter.samples(
    lambda: [
        Sample(f32(4, 2), np.asarray([3, 1]), f32(2, 2), overwrite=True),
        Sample(f32(4, 2), np.asarray([3, 1, 1]), f32(3, 2), overwrite=False),
    ]
)


@op("index_add(X, Index, AddValue -> Out) axis:int", traits="integral may_raise check_shapes", method=True, inplace=True)
def index_add(x: Tensor, index: Tensor, axis: int, value: Tensor, name: str | None = None) -> Tensor:
    """A copy of ``x`` with the slices of ``value`` added to those along ``axis`` at the positions ``index``.

    ``value``: of the shape of ``x``, but with the size of ``index`` along ``axis``. Repeated positions add up.
    Raises ShapeError for a 0-D ``x``, and for a value that does not broadcast to that shape.

    Example:
        >>> paddle.index_add(paddle.zeros([3, 2]), paddle.to_tensor([0, 2]), 0, paddle.ones([2, 2])).tolist()
        [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]
    """
    axis = shape_rules.dimension_index(axis, x.ndim, "index_add")
    if index.ndim != 1:
        return index_put.emit(x, [index], value, axes=(axis,), accumulate=True)
    have, shape = value.spec.shape, x.spec.shape
    want = (*shape[:axis], *index.spec.shape, *shape[axis + 1 :])
    if have != want and not shape_rules.compatible(have, want):
        need_integer(index.spec, "index_add")
        shape_rules.broadcast(have, want, "index_add")  # raises ShapeError
        value = F.expand(value, [*x.shape[:axis], index.shape[0], *x.shape[axis + 1 :]])
    return index_add.emit(x, index, value, axis=axis)


@index_add.infer
def _(x: TensorSpec, index: TensorSpec, value: TensorSpec, axis: int) -> TensorSpec:
    need_integer(index, "index_add")
    dtype_checks.need_one_dtype("index_add", x, value)
    want = (*x.shape[:axis], *index.shape, *x.shape[axis + 1 :])
    if index.ndim != 1 or not shape_rules.compatible(value.shape, want):
        raise ShapeError(f"index_add: a value of shape {show(value.shape)} does not fit {show(want)}")
    return x


@index_add.specialize
def _(out: TensorSpec, x: TensorSpec, index: TensorSpec, value: TensorSpec, axis: int) -> Any:
    leading = (slice(None),) * axis
    return sums_at_few(x, index.size, x.size // (x.shape[axis] or 1), lambda index: (*leading, index))


@index_add.kernel
def _(xp: ArrayModule, x: Array, index: Array, value: Array, axis: int, donated: Donation = False) -> Array:
    if not isinstance(x, np.ndarray):
        check_range(index, x.shape[axis], "index_add")
    position = (slice(None),) * axis + (index,)
    out = in_place.writable(x, donated, position)
    add_at(xp, out, position, value)
    return out


@index_add.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g, None, F.index_select(g, ctx.inputs[1], ctx.axis) if ctx.needs[2] else None


@index_add.to_file
def _(w: FileWriter, op: Op) -> None:
    x, index, _ = op.inputs
    w.default(op, inputs={"Index": from_start(w, x, op.attrs["axis"], index)})


@index_add.composition
def _(x: Tensor, index: Tensor, value: Tensor, axis: int) -> Any:
    return index_put.emit(x, [index], value, axes=(axis,), accumulate=True)


index_add.op.reads_no_numbers_of("X", "AddValue", "Out")
index_add.samples(
    lambda: [
        Sample(f32(4, 2), np.asarray([3, 1, 1]), f32(3, 2, seed=1), axis=0),
        Sample(f32(2, 3), np.asarray([2, 0]), f32(2, 2, seed=1), axis=1),
        Sample(f32(2, 3), np.asarray([-1, 0], "int32"), f32(2, 2, seed=1), axis=1),
    ]
)


@method()
def take(x: Tensor, index: Any, mode: str = "raise", name: str | None = None) -> Tensor:
    """Elements of the flattened ``x`` at ``index``; ``mode``: 'raise', 'wrap' or 'clip' what is out of bounds.

    The result has the shape of ``index`` and the dtype of ``x``.

    Example:
        >>> paddle.take(paddle.to_tensor([[1, 2], [3, 4]]), paddle.to_tensor([0, 3, -1])).tolist()
        [1, 4, 4]
    """
    flat = F.flatten(x)
    size = F.numel(x)
    if mode == "wrap":
        index = F.remainder(index, F.cast(size, index.dtype))
    elif mode == "clip":
        index = F.clip(index, 0, size - 1)
    elif mode != "raise":
        raise ArgumentError(f"take: mode must be 'raise', 'wrap' or 'clip', got {mode!r}")
    return index_arrays.emit(flat, [index], axes=(0,))
