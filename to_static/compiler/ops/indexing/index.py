"""Integer arrays as indices: `index` reads ``x[:, i, j]``, `index_put` writes it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import blocked_sum, dtype_checks, in_place, operands, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.in_place import Donation
from to_static.compiler.ops.indexing import duplicate_indices
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import bool_, int64
from to_static.core.errors import DTypeError, ShapeError
from to_static.core.native_index import native

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter


def _x(*shape: int) -> np.ndarray:
    return np.arange(math.prod(shape), dtype="float32").reshape(shape) / 4 - 1


# integer-array indices -------------------------------------------------------------------------------------------------


@op("index(X, Indices* -> Out) axes", file=None, traits="integral may_raise")
def index(x: Tensor, indices: Any, axes: Any) -> Tensor:
    """``x[:, i, j]``: integer tensors, broadcast together, index the dimensions ``axes`` (increasing).

    The index dimensions stand in place of ``axes`` when those are neighbours, else in front (NumPy's rule).
    """
    return index.emit(x, list(indices), axes=tuple(axes))


def _joined(indices: list[TensorSpec]) -> tuple[int, ...]:
    shape: tuple[int, ...] = ()
    for i in indices:
        if not i.dtype.is_integer:
            raise DTypeError(f"index: expected integer or boolean tensors, got {i.dtype.name}")
        shape = shape_rules.broadcast(shape, i.shape, "index")
    return shape


def _place(axes: Sequence[int]) -> int:
    """Position of the index dimensions in the result."""
    return axes[0] if list(axes) == list(range(axes[0], axes[0] + len(axes))) else 0


@index.infer
def _(x: TensorSpec, indices: list[TensorSpec], axes: tuple[int, ...]) -> TensorSpec:
    other_sizes = [d for i, d in enumerate(x.shape) if i not in axes]
    at = _place(axes)
    return x.with_shape((*other_sizes[:at], *_joined(indices), *other_sizes[at:]))


def _key(x: Array, indices: list[Array], axes: tuple[int, ...]) -> tuple[Any, ...]:
    full_key: list[Any] = [slice(None)] * (max(axes) + 1)
    for axis, i in zip(axes, indices, strict=True):
        full_key[axis] = i
    return tuple(full_key)


def _check(x: Array, indices: list[Array], axes: tuple[int, ...]) -> None:
    # CuPy wraps an index that is out of bounds instead of refusing it; NumPy raises IndexError by itself.
    if not isinstance(x, np.ndarray):
        for axis, i in zip(axes, indices, strict=True):
            if i.size and bool(((i < -x.shape[axis]) | (i >= x.shape[axis])).any()):
                raise IndexError(f"an index is out of bounds for dimension {axis} of size {x.shape[axis]}")


_WIDE = 256  # numbers in a row from which on rows are added one at a time


def add_at(xp: Any, out: Any, position: Any, values: Any) -> None:
    """``out[place] += values`` where repeated positions add up, for any dtype (CuPy's add.at knows int32, uint64 and floats)."""
    if xp is np and duplicate_indices.add(out, position, values):
        return
    rows = position[0] if type(position) is tuple and len(position) == 1 else position
    by_rows = xp is np and out.ndim > 1 and out[:1].size >= _WIDE and isinstance(rows, np.ndarray) and rows.dtype.kind == "i"
    if by_rows and rows.ndim == 1 and values.shape == (len(rows), *out.shape[1:]):
        for i, row in zip(rows.tolist(), values, strict=True):
            out[i] += row
        return
    if out.dtype.kind in "fc" or out.dtype == np.int32:
        xp.add.at(out, position, values)
    elif out.dtype.itemsize == 8:  # sums of integers are the same bits with or without a sign
        xp.add.at(out.view("uint64"), position, values.view("uint64"))
    else:
        by_rows = out.astype("int32")
        xp.add.at(by_rows, position, values.astype("int32"))
        out[...] = by_rows.astype(out.dtype)


def sums_at_few(x: TensorSpec, count: int, row_size: int, key_of: Callable[[Any], Any]) -> Any:
    """``(x, index, values)``: `add_at` on a copy of an array of NumPy's, at ``count`` places ``key_of(index)``, each a row.

    None where there are so many places, or such long rows, that `add_at` has quicker or more precise ways.
    """
    if count >= blocked_sum.DEEP or row_size >= _WIDE or x.dtype.kind != "f":
        return None
    add = np.add.at

    def sums_at_few_run(x: Array, index: Any, values: Array) -> Array:
        y = x.copy()
        add(y, key_of(index), values)
        return y

    return sums_at_few_run


@index.kernel
def _(xp: ArrayModule, x: Array, indices: list[Array], axes: tuple[int, ...]) -> Array:
    if xp is np and tuple(axes) == (0,):
        return x[indices[0]]
    _check(x, indices, axes)
    try:
        return x[_key(x, indices, axes)]
    except IndexError:
        np.broadcast_shapes(*(i.shape for i in indices))  # raises ValueError, as the shape rule does
        raise


@index.grad_kernel
def gradient_of_rows(x: Array, indices: list[Array], out: Array, g: Array, axes: tuple[int, ...]) -> Any:
    """Zeros like ``x`` to which ``g`` is added where `index` reads."""
    if axes == (0,):
        rows = added_to_rows(x, indices[0], g)
        if rows is not None:
            return rows
    total = np.zeros(x.shape, x.dtype)
    add_at(np, total, _key(x, indices, axes), g)
    return total


_FEW = 1 << 12  # numbers that are added one by one sooner than row by row


def added_to_rows(x: Array, i: Array, g: Array) -> Any:
    """Zeros like ``x`` to which the rows of ``g`` are added at NumPy's ``i``; None where that is not the quickest way."""
    width = math.prod(x.shape[1:])
    if width >= _WIDE or not 0 < g.size <= _FEW or i.min() < 0:
        return None
    positions = i.reshape(-1, 1) * np.array(width, np.int64) + np.arange(width)
    return duplicate_indices.added_flat(x.shape, native(positions.reshape(-1)), g.reshape(-1), i.size)


@index.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, indices = ctx.inputs
    return index_put.emit(F.zeros_like(x), indices, g, axes=ctx.axes, accumulate=True), None


def from_start(w: FileWriter, x: Var, axis: int, i: Var) -> Var | str:
    """An index as int64 that counts from the start: Paddle's gather_nd knows no negative ones."""
    if i.op is not None and i.op.name == "constant" and (i.op.attrs["value"] >= 0).all():
        return w.cast(i, i.spec, int64) if i.spec.dtype is not int64 else i
    int64_index = w.cast(i, i.spec, int64)
    size = w.size(x, axis)
    negative, shifted, out = (
        w.temp(i.spec.with_dtype(bool_)),
        w.temp(i.spec.with_dtype(int64)),
        w.temp(i.spec.with_dtype(int64)),
    )
    zero = w.constant(np.zeros([1] * i.spec.ndim, "int64"))
    w.write(
        "less_than", {"X": int64_index, "Y": zero}, {"Out": negative}, {"axis": ("int", -1), "force_cpu": ("bool", False)}
    )
    w.write("elementwise_add", {"X": int64_index, "Y": size}, {"Out": shifted}, {"axis": ("int", -1)})
    w.write("where", {"Condition": negative, "X": shifted, "Y": int64_index}, {"Out": out}, {})
    return out


def _gather_form(w: FileWriter, x: Var, indices: tuple[Var, ...], axes: list[int]) -> tuple[Any, Any, int]:
    """For files: ``x`` with the indexed dimensions in front, the indices as one [..., k] tensor, and their rank."""
    other_axes = [i for i in range(x.spec.ndim) if i not in axes]
    order = [*axes, *other_axes]
    front = x
    if order != list(range(len(order))):
        front = w.temp(x.spec.with_shape(x.spec.shape[i] for i in order))
        w.write("transpose2", {"X": x}, {"Out": front, "XShape": w.unused()}, {"axis": ("ints", order)})
    shape = _joined([i.spec for i in indices])
    same = [from_start(w, x, axis, i) for axis, i in zip(axes, indices, strict=True)]
    if len(indices) > 1:
        broadcast_indices = [w.temp(TensorSpec(shape, int64)) for _ in indices]
        w.write("broadcast_tensors", {"X": same}, {"Out": broadcast_indices}, {})
        same = broadcast_indices
    stacked = w.temp(TensorSpec((*shape, len(indices)), int64))
    w.write("stack", {"X": same}, {"Y": stacked}, {"axis": ("int", len(shape))})
    return front, stacked, len(shape)


@index.to_file
def _(w: FileWriter, op: Op) -> None:
    x, indices = op.inputs
    axes = list(op.attrs["axes"])
    front, stacked, n = _gather_form(w, x, indices, axes)
    at, rest_ndim = _place(axes), x.spec.ndim - len(axes)
    if at == 0:
        w.write("gather_nd", {"X": front, "Index": stacked}, {"Out": op.out}, {})
        return
    order = [*range(n, n + at), *range(n), *range(n + at, n + rest_ndim)]
    shape = op.out.spec.shape
    gathered = w.temp(op.out.spec.with_shape(shape[order.index(i)] for i in range(len(shape))))
    w.write("gather_nd", {"X": front, "Index": stacked}, {"Out": gathered}, {})
    w.write("transpose2", {"X": gathered}, {"Out": op.out, "XShape": w.unused()}, {"axis": ("ints", order)})


index.op.reads_no_numbers_of("X", "Out")


index.samples(
    lambda: [
        Sample(_x(4, 3), [np.asarray([0, 2, 2])], axes=(0,)),
        Sample(_x(2, 4, 3), [np.asarray([[1], [-1]]), np.asarray([0, 2])], axes=(1, 2)),
        Sample(_x(2, 4, 3), [np.asarray([0, 1]), np.asarray([2, 0])], axes=(0, 2)),
    ]
)


@op("index_put(X, Indices*, Value -> Out) axes accumulate", traits="integral may_raise", method=True, inplace=True)
def index_put(
    x: Tensor, indices: Sequence[Tensor], value: Tensor, accumulate: bool = False, name: str | None = None
) -> Tensor:
    """A copy of ``x`` with ``x[indices]`` (integer tensors, or masks, for its first dimensions) replaced by ``value``.

    A boolean mask stands for the positions where it is true, in as many dimensions as it has. With ``accumulate`` the value is
    added, also where indices repeat.

    Example:
        >>> paddle.index_put(x, (x > 0,), paddle.to_tensor([0.0]))
    """
    dtype_checks.need_one_dtype("index_put", x, value)
    value = operands.tensor(value)
    masks = [i for i in indices if i.dtype.kind == "b"]
    if len(masks) == len(indices) == 1 and value.spec.size == 1:  # keeps the shapes known
        new = F.reshape(F.cast(value, x.dtype), [])
        mask = F.unsqueeze(masks[0], list(range(masks[0].ndim, x.ndim))) if masks[0].ndim < x.ndim else masks[0]
        return F.where(mask, x + new if accumulate else new, x)
    if masks:
        positions: list[Any] = []
        for i in indices:
            positions += F.unbind(F.nonzero(i), 1) if i.dtype.kind == "b" else [i]
        indices = positions
    axes = tuple(range(len(indices)))
    return index_put.emit(
        x, list(indices), F.cast(operands.tensor(value), x.dtype), axes=axes, accumulate=accumulate
    )


@index_put.infer
def _(
    x: TensorSpec, indices: list[TensorSpec], value: TensorSpec, axes: tuple[int, ...], accumulate: bool
) -> TensorSpec:
    other_sizes = [d for i, d in enumerate(x.shape) if i not in axes]
    at = _place(axes)
    room = (*other_sizes[:at], *_joined(indices), *other_sizes[at:])
    if UNKNOWN not in room and shape_rules.broadcast(value.shape, room, "setitem") != room and value.is_static:
        raise ShapeError(f"setitem: a value of shape {show(value.shape)} does not fit {show(room)}")
    return x


@index_put.specialize
def _(
    out: TensorSpec, x: TensorSpec, indices: list[TensorSpec], value: TensorSpec, axes: tuple[int, ...], accumulate: bool
) -> Any:
    if len(axes) != 1 or indices[0].size >= blocked_sum.DEEP or indices[0].dtype.kind != "i" or not x.ndim:
        return None
    leading = (slice(None),) * axes[0]
    if accumulate:
        return sums_at_few(x, indices[0].size, x.size // (x.shape[axes[0]] or 1), lambda indices: (*leading, indices[0]))

    def index_put_run(x: Array, indices: list[Array], value: Array) -> Array:
        y = x.copy()
        key: Any = (*leading, indices[0])
        y[key] = value
        return y

    return index_put_run


@index_put.kernel
def _(
    xp: ArrayModule,
    x: Array,
    indices: list[Array],
    value: Array,
    axes: tuple[int, ...],
    accumulate: bool,
    out: Array | None = None,
    donated: Donation = False,
) -> Array:
    _check(x, indices, axes)
    position = _key(x, indices, axes)
    if out is None:
        out = in_place.writable(x, donated, position)
    elif out is not x:
        out[...] = x
    if accumulate:
        add_at(xp, out, position, value)
    else:
        out[position] = value
    return out


@index_put.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    indices, value = ctx.inputs[1:]
    gx = g
    if not ctx.accumulate and ctx.needs[0]:
        gx = index_put.emit(g, indices, operands.constant(0, g.dtype), axes=ctx.axes, accumulate=False)
    return gx, None, shape_rules.unbroadcast(index.emit(g, indices, axes=ctx.axes), value) if ctx.needs[2] else None


index_put.op.reads_no_numbers_of("X", "Value", "Out")


@index_put.to_file
def _(w: FileWriter, op: Op) -> None:
    x, indices, value = op.inputs
    if list(op.attrs["axes"]) != list(range(len(indices))):
        w.refuse(
            "assignment through an integer index that does not start at the first dimension; transpose the tensor first"
        )
    same = [from_start(w, x, axis, i) for axis, i in enumerate(indices)]
    attrs = {"accumulate": ("bool", op.attrs["accumulate"])}
    # Paddle's kernel copies x only into a result that is new: in a second run it would start from the first one's
    w.write("assign", {"X": x}, {"Out": op.out}, {})
    w.write("index_put", {"x": op.out, "indices": same, "value": value}, {"out": w.name(op.out)}, attrs)


@index_put.from_file
def _(r: FileReader) -> Any:
    return {"out": index_put(r.input("x"), r.inputs("indices"), r.input("value"), r.attr("accumulate", False))}


def _distinct() -> list[Any]:
    return [np.asarray([0, 2])]


index_put.samples(
    lambda: [
        Sample(_x(4, 3), _distinct(), _x(2, 3) * 2, axes=(0,), accumulate=False),
        Sample(_x(4, 3), _distinct(), _x(), axes=(1,), accumulate=False, file=False),
        Sample(_x(4), [np.asarray([1, 1, 3])], _x(3), axes=(0,), accumulate=True),
    ]
)
