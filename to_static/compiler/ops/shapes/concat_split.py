"""Joining and splitting tensors: concat, stack, split, chunk, unbind, meshgrid."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.opdef import GradContext, Prepared, Sample, method, op
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN, ListSpec, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dynamic_axis, dynamic_sizes, operands, shape_rules, static_arguments, traced_values
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType
from to_static.core.errors import ArgumentTypeError, DTypeError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter


def _x(*shape: int) -> np.ndarray:
    return np.arange(math.prod(shape), dtype="float32").reshape(shape) / 4 - 1


def _all(x: Tensor | Sequence[Tensor], name: str) -> list[Any]:
    if isinstance(x, Tensor):
        got = f"got one Tensor of shape {show(x.spec.shape)}"
        raise ArgumentTypeError(f"{name}: x must be a list or tuple of tensors, `paddle.{name}([a, b])`, {got}")
    items = [operands.tensor(t) for t in x]
    if not items:
        raise ShapeError(f"{name}: expected at least one tensor")
    return items


def _one_dtype(xs: list[TensorSpec], name: str) -> DType:
    first = xs[0].dtype
    for x in xs[1:]:
        if x.dtype is not first:
            raise DTypeError(f"{name}: tensors of dtypes {first.name} and {x.dtype.name}; convert one with astype()")
    return first


@op("concat(X* -> Out) axis:int", traits="integral")
def concat(x: Tensor | Sequence[Tensor], axis: Any = 0, name: str | None = None) -> Any:
    """Tensors joined along an existing dimension. Raises ShapeError when the other dimensions differ, DTypeError on mixed dtypes.

    Example:
        >>> paddle.concat([x, y], axis=0)
    """
    x = mode.current().resolve_list(x)
    if isinstance(x, Tensor) and isinstance(x.spec, ListSpec):
        return F.list_concat(x, axis)
    items = _all(x, "concat")
    if dynamic_axis.is_late(axis):
        return dynamic_axis.each("concat", axis, items[0].ndim, lambda a: concat(items, a))
    return concat.emit(items, axis=shape_rules.axis_index(axis, items[0].ndim, "concat"))


@concat.infer
def _(xs: list[TensorSpec], axis: int) -> TensorSpec:
    dtype = _one_dtype(xs, "concat")
    shape = list(xs[0].shape)
    if not shape:
        raise ShapeError("concat: 0-D tensors have no dimension to join along; use stack")
    axis = shape_rules.axis_index(axis, len(shape), "concat")
    for x in xs[1:]:
        if x.ndim != len(shape):
            raise ShapeError(f"concat: {show(xs[0].shape)} and {show(x.shape)} differ in rank")
        for i, d in enumerate(x.shape):
            if i == axis:
                shape[i] = UNKNOWN if UNKNOWN in (d, shape[i]) else shape[i] + d
            elif UNKNOWN in (d, shape[i]):
                shape[i] = max(d, shape[i])
            elif d != shape[i]:
                raise ShapeError(_differing(xs[0].shape, x.shape, axis))
    return TensorSpec(tuple(shape), dtype)


def _differing(a: tuple[int, ...], b: tuple[int, ...], axis: int) -> str:
    """The error text for two shapes that differ beside ``axis``, with the axis along which they can be joined."""
    differing_axes = [i for i, (m, n) in enumerate(zip(a, b, strict=True)) if m != n]
    fits = f"; they can be joined along axis {differing_axes[0]}" if len(differing_axes) == 1 else ""
    return f"concat: {show(a)} and {show(b)} differ beside axis {axis}{fits}"


@concat.kernel
def _(xp: ArrayModule, xs: list[Array], axis: int, out: Array | None = None) -> Any:
    return xp.concatenate(xs, axis, out)


@concat.may_raise
def _(xs: tuple[Var, ...], axis: int) -> bool:
    return len(xs) > 1 and traced_values.has_unknown_size(*xs)


def _joined(specs: list[TensorSpec], shape: tuple[int, ...], indices: list[Any]) -> Prepared:
    """Copies of all parts to their places."""

    def bind(
        inputs: list[list[Array | None]],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        targets = None if out is None else [out[i] for i in indices]
        copyto = np.copyto

        def joined_run(xs: list[Array]) -> Array:
            y = empty(shape, xs[0].dtype) if out is None else out
            for target, x in zip(targets or [y[i] for i in indices], xs, strict=True):
                copyto(target, x)
            return y

        return joined_run

    return Prepared([], [], bind)


def _alike(specs: list[TensorSpec]) -> bool:
    return len({s.dtype for s in specs}) == 1


@concat.prepare
def _(specs: tuple[list[TensorSpec], ...], axis: int) -> Prepared | None:
    (parts,) = specs
    if not _alike(parts) or not parts[0].ndim:
        return None
    lead, position, indices = (slice(None),) * (axis % parts[0].ndim), 0, []
    for spec in parts:
        end = position + spec.shape[axis]
        indices.append((*lead, slice(position, end)))
        position = end
    (joined_spec,) = concat.op.infer_specs((parts,), {"axis": axis})
    return _joined(parts, joined_spec.shape, indices)


@concat.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    xs = ctx.inputs[0]
    axis = ctx.axis % xs[0].ndim
    return _pieces(g, [x.shape[axis] for x in xs], axis)


def _pieces(x: Tensor, sizes: list[Any], axis: int) -> list[Any]:
    if not any(isinstance(s, Tensor) for s in sizes):
        return list(split.emit(x, sizes=tuple(sizes), axis=axis))
    pieces, start = [], 0
    for size in sizes:
        index = (slice(None),) * axis + (slice(start, start + size),)
        pieces.append(x[index])
        start = start + size
    return pieces


@concat.from_file
def _(r: FileReader) -> Any:
    return concat(r.inputs("X"), r.integer("axis", 0, "AxisTensor"))


concat.samples(
    lambda: [
        Sample([_x(2, 3), _x(1, 3)], axis=0),
        Sample([_x(2, 3), _x(2, 1), _x(2, 2)], axis=-1),
        Sample([np.arange(3), np.arange(2)], axis=0),
    ]
)


@op("stack(X* -> Y) axis:int", traits="integral")
def stack(x: Tensor | Sequence[Tensor], axis: int = 0, name: str | None = None) -> Tensor:
    """Tensors of one shape joined along a new dimension ``axis``.

    ``x``: tensors of one shape and dtype; the result has the size ``len(x)`` along ``axis``.

    Example:
        >>> paddle.stack([paddle.ones([2]), paddle.zeros([2])], axis=1).tolist()
        [[1.0, 0.0], [1.0, 0.0]]
    """
    x = mode.current().resolve_list(x)
    if isinstance(x, Tensor) and isinstance(x.spec, ListSpec):
        return F.list_stack(x, axis)
    items = _all(x, "stack")
    return stack.emit(items, axis=shape_rules.axis_index(axis, items[0].ndim + 1, "stack"))


@stack.infer
def _(xs: list[TensorSpec], axis: int) -> TensorSpec:
    dtype = _one_dtype(xs, "stack")
    shape = list(xs[0].shape)
    for x in xs[1:]:
        if x.ndim != len(shape) or any(a != b and UNKNOWN not in (a, b) for a, b in zip(x.shape, shape, strict=True)):
            raise ShapeError(f"stack: shapes {show(xs[0].shape)} and {show(x.shape)} differ")
        shape = [max(a, b) for a, b in zip(x.shape, shape, strict=True)]
    shape.insert(shape_rules.axis_index(axis, len(shape) + 1, "stack"), len(xs))
    return TensorSpec(tuple(shape), dtype)


@stack.kernel
def _(xp: ArrayModule, xs: list[Array], axis: int, out: Array | None = None) -> Any:
    return xp.stack(xs, axis, out)


@stack.fixed_of_list
def _(out: TensorSpec, parts: list[TensorSpec], axis: int) -> Any:
    shape, join = list(parts[0].shape), np.concatenate
    if any(part.shape != parts[0].shape for part in parts):
        return None
    shape.insert(axis % (len(shape) + 1), 1)
    return lambda *xs: join([x.reshape(shape) for x in xs], axis)


@stack.may_raise
def _(xs: tuple[Var, ...], axis: int) -> bool:
    return len(xs) > 1 and traced_values.has_unknown_size(*xs)


@stack.prepare
def _(specs: tuple[list[TensorSpec], ...], axis: int) -> Prepared | None:
    (parts,) = specs
    if not _alike(parts):
        return None
    lead = (slice(None),) * (axis % (parts[0].ndim + 1))
    (joined_spec,) = stack.op.infer_specs((parts,), {"axis": axis})
    return _joined(parts, joined_spec.shape, [(*lead, i, ...) for i in range(len(parts))])


@stack.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return list(unbind(g, ctx.axis))


stack.samples(
    lambda: [Sample([_x(2, 3), _x(2, 3)], axis=0), Sample([_x(2), _x(2), _x(2)], axis=-1), Sample([_x()], axis=0)]
)


@op("split(X -> Out*) sizes=sections:ints axis:int", traits="integral")
def split(
    x: Tensor, num_or_sections: int | Sequence[Tensor | int], axis: Tensor | int = 0, name: str | None = None
) -> Any:
    """``x`` cut along ``axis`` into equal parts, or into parts of given sizes (one may be -1); a list.

    Raises ShapeError when the dimension does not divide, or the sizes do not add up.
    ``num_or_sections``: the number of parts, or their sizes.

    Example:
        >>> paddle.split(x, [2, -1], axis=1)
    """
    if dynamic_axis.is_late(axis):
        return dynamic_axis.each("split", axis, x.ndim, lambda a: split(x, num_or_sections, a))
    axis = shape_rules.dimension_index(axis, x.ndim, "split")
    dim = x.shape[axis]
    if isinstance(num_or_sections, Tensor) and num_or_sections.ndim == 0:
        if dynamic_sizes.is_dynamic(num_or_sections):
            raise static_arguments.must_be_static("split", "the number of parts", dynamic_sizes.SPLIT)
        num_or_sections = int(num_or_sections)  # type: ignore[call-overload]
    if isinstance(num_or_sections, (int, np.integer)):
        n = int(num_or_sections)
        if isinstance(dim, Tensor):
            size = dim // n
            dynamic_sizes.check_parts(x, n, axis)
            return _pieces(x, [size] * n, axis)
        if n < 1 or dim % n:
            raise ShapeError(f"split: dimension {axis} of {show(x.spec.shape)} does not divide into {n} parts")
        sizes: Any = [dim // n] * n
    else:
        sizes = [s if isinstance(s, Tensor) else int(s) for s in num_or_sections]
        sizes = dynamic_sizes.shares(sizes, dim)
        if any(isinstance(s, Tensor) for s in sizes):
            dynamic_sizes.check_shares(x, sizes, axis)
            return _pieces(x, sizes, axis)
    return list(split.emit(x, sizes=tuple(sizes), axis=axis))


@split.infer
def _(x: TensorSpec, sizes: tuple[int, ...], axis: int) -> Any:
    axis = shape_rules.dimension_index(axis, x.ndim, "split")
    dim = x.shape[axis]
    if any(s < 0 for s in sizes) or (dim != UNKNOWN and sum(sizes) != dim):
        raise ShapeError(f"split: sizes {list(sizes)} do not add up to dimension {axis} of {show(x.shape)}")
    return [x.with_shape((*x.shape[:axis], s, *x.shape[axis + 1 :])) for s in sizes]


@split.kernel
def _(xp: ArrayModule, x: Any, sizes: tuple[int, ...], axis: int) -> Any:
    if sum(sizes) != x.shape[axis]:
        raise ShapeError(f"split: sizes {list(sizes)} do not add up to dimension {axis} of {show(x.shape)}")
    return [x[position].copy() for position in _places(x.ndim, sizes, axis)]


def _places(ndim: int, sizes: tuple[int, ...], axis: int) -> list[tuple[slice, ...]]:
    lead = (slice(None),) * (axis % ndim)
    return [(*lead, slice(end - size, end)) for size, end in zip(sizes, itertools.accumulate(sizes), strict=True)]


@split.specialize
def _(out: tuple[TensorSpec, ...], x: TensorSpec, sizes: tuple[int, ...], axis: int) -> Any:
    positions = _places(x.ndim, sizes, axis)
    return lambda x: [x[position].copy() for position in positions]


@split.may_raise
def _(x: Any, sizes: tuple[int, ...], axis: int) -> bool:
    return traced_values.has_unknown_size(x)


@split.grad
def _(ctx: GradContext, *gs: Tensor) -> Any:
    return concat(list(gs), ctx.axis)


@split.to_file
def _(w: FileWriter, op: Op) -> None:
    attrs = {"sections": ("ints", list(op.attrs["sizes"])), "num": ("int", 0)}
    attrs["axis"] = ("int", op.attrs["axis"] % op.inputs[0].spec.ndim)  # Paddle's kernel is wrong for negative ones
    w.write("split", {"X": op.inputs[0]}, {"Out": list(op.outputs)}, attrs)


@split.from_file
def _(r: FileReader) -> Any:
    axis = r.integer("axis", 0, "AxisTensor")
    sizes = r.integers("sections", "", "SectionsTensorList")
    return tuple(split(r.input("X"), sizes or r.attr("num", 0), axis))


split.samples(lambda: [Sample(_x(4, 3), sizes=(2, 2), axis=0), Sample(_x(2, 6), sizes=(1, 2, 3), axis=-1)])
method()(split)


@method()
def chunk(x: Tensor, chunks: int, axis: Tensor | int = 0, name: str | None = None) -> list[Tensor]:
    """``x`` cut along ``axis`` into ``chunks`` equal parts; a list.

    Raises ShapeError when the dimension cannot be divided.

    Example:
        >>> [part.tolist() for part in paddle.chunk(paddle.arange(4), 2)]
        [[0, 1], [2, 3]]
    """
    return split(x, chunks, axis)


@method()
def vsplit(x: Tensor, num_or_sections: Any, name: str | None = None) -> list[Tensor]:
    """``x``, of at least two dimensions, cut along the first (see `split`); a list.

    ``num_or_sections``: the number of equal parts, or the positions of the cuts. Raises ShapeError for a 1-D tensor.

    Example:
        >>> [part.shape for part in paddle.vsplit(paddle.ones([4, 2]), 2)]
        [[2, 2], [2, 2]]
    """
    if x.ndim < 2:
        raise ShapeError(f"vsplit: expected at least 2 dimensions, got {show(x.spec.shape)}")
    return split(x, num_or_sections, 0)


@op("unbind(X -> Out*) axis:int", traits="integral alias view", method=True)
def unbind(input: Tensor, axis: int = 0) -> list[Tensor]:
    """The slices of ``input`` along ``axis``, without that dimension; a list. They share memory with ``input``.

    Example:
        >>> [row.tolist() for row in paddle.unbind(paddle.to_tensor([[1, 2], [3, 4]]))]
        [[1, 2], [3, 4]]
    """
    axis = shape_rules.axis_index(axis, input.ndim, "unbind")
    return list(unbind.emit(input, axis=axis))


@unbind.infer
def _(x: TensorSpec, axis: int) -> Any:
    axis = shape_rules.dimension_index(axis, x.ndim, "unbind")
    if x.shape[axis] == UNKNOWN:
        what = f"dimension {axis} of {show(x.shape)}"
        raise static_arguments.must_be_static(
            "unbind", what, "a loop over the rows, `for row in x: ...`, or a list of them, `[row for row in x]`"
        )
    return [x.with_shape((*x.shape[:axis], *x.shape[axis + 1 :]))] * x.shape[axis]


@unbind.kernel
def _(xp: ArrayModule, x: Any, axis: int) -> Any:
    axis %= x.ndim
    lead = (slice(None),) * axis
    keys = [(*lead, i, ...) for i in range(x.shape[axis])]
    return [x[key] for key in keys]


@unbind.grad
def _(ctx: GradContext, *gs: Tensor) -> Any:
    return stack(list(gs), ctx.axis)


@unbind.view_inverse
def _(ctx: GradContext, value: Any, k: int) -> Any:
    parts = unbind(ctx.x, ctx.axis)
    return stack([*parts[:k], value, *parts[k + 1 :]], ctx.axis)


unbind.samples(lambda: [Sample(_x(2, 3), axis=0), Sample(_x(2, 3), axis=-1)])


@op("unstack(X -> Y*) axis:int", file=None, traits="integral", method=True)
def unstack(x: Tensor, axis: int = 0, num: int | None = None) -> list[Tensor]:
    """Copies of the slices of ``x`` along ``axis``, without that dimension; a list. ``num``, if given, must be their number.

    Raises ShapeError for another ``num``.

    Example:
        >>> [row.tolist() for row in paddle.unstack(paddle.to_tensor([[1, 2], [3, 4]]), axis=1)]
        [[1, 3], [2, 4]]
    """
    parts = list(unstack.emit(x, axis=shape_rules.axis_index(axis, x.ndim, "unstack")))
    if num is not None and num != len(parts):
        raise ShapeError(f"unstack: num is {num}, dimension {axis} is {len(parts)}")
    return parts


@unstack.infer
def _(x: TensorSpec, axis: int) -> Any:
    return unbind.op.infer_specs((x,), {"axis": axis})


@unstack.kernel
def _(xp: ArrayModule, x: Any, axis: int) -> Any:
    return [part.copy() for part in (x if axis == 0 else xp.moveaxis(x, axis, 0))]


@unstack.grad
def _(ctx: GradContext, *gs: Tensor) -> Any:
    return stack(list(gs), ctx.axis)


@unstack.composition
def _(x: Tensor, axis: int) -> list[Tensor]:
    return unbind(F.assign(x), axis)


unstack.samples(lambda: [Sample(_x(2, 3), axis=0), Sample(_x(2, 3), axis=1)])


def meshgrid(*args: Any, name: str | None = None) -> list[Tensor]:
    """The coordinate grids of 1-D tensors ('ij' order): tensor ``i`` varies along dimension ``i``; a list.

    Raises ShapeError for tensors that are not 1-D.

    Example:
        >>> rows, columns = paddle.meshgrid(paddle.arange(2), paddle.arange(3))
        >>> rows.tolist(), columns.tolist()
        ([[0, 0, 0], [1, 1, 1]], [[0, 1, 2], [0, 1, 2]])
    """
    items = list(args[0]) if len(args) == 1 and isinstance(args[0], (list, tuple)) else list(args)
    n = len(items)
    columns = []
    for i, x in enumerate(items):
        if x.ndim > 1:
            raise ShapeError(f"meshgrid: expected 1-D tensors, tensor {i} has shape {show(x.spec.shape)}")
        columns.append(x if x.ndim and i == n - 1 else F.reshape(x, [1] * i + [-1] + [1] * (n - i - 1)))
    return F.broadcast_tensors(columns)


FUNCTIONS["meshgrid"] = meshgrid


def vstack(x: Sequence[Tensor], name: str | None = None) -> Any:
    """Tensors of at least two dimensions (1-D ones count as rows) joined along the first.

    ``x``: tensors that have the same size in every other dimension.

    Example:
        >>> paddle.row_stack([paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])]).tolist()
        [[1, 2], [3, 4]]
    """
    return concat([F.reshape(t, [1, -1]) if t.ndim < 2 else t for t in x], 0)


def hstack(x: Sequence[Tensor], name: str | None = None) -> Any:
    """Tensors joined along the second dimension (1-D ones along the first).

    ``x``: tensors that have the same size in every other dimension.

    Example:
        >>> paddle.hstack([paddle.to_tensor([1, 2]), paddle.to_tensor([3])]).tolist()
        [1, 2, 3]
    """
    items = [F.reshape(t, [-1]) if t.ndim < 1 else t for t in x]
    return concat(items, 0 if items[0].ndim == 1 else 1)


row_stack = vstack
