"""Repeating elements: expand, broadcast, tile, repeat_interleave."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, dimension_args, dtype_checks, shape_rules, traced_values
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.dimension_args import HOLE
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32
from to_static.core.errors import ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter


def _x(*shape: int) -> np.ndarray:
    return np.arange(math.prod(shape), dtype="float32").reshape(shape) / 4 - 1


@op("expand(X, Dims* -> Out) shape", file="expand_v2", method=True, traits="integral")
def expand(x: Tensor, shape: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
    """``x`` broadcast to ``shape`` (ints, integer tensors, or a 1-D tensor); ``-1`` keeps a dimension.

    Raises ShapeError when a dimension of ``x`` is neither 1 nor the wanted size.

    Example:
        >>> paddle.expand(paddle.to_tensor([[1], [2]]), [-1, 3]).tolist()
        [[1, 1, 1], [2, 2, 2]]
    """
    lead = (
        (shape.spec.shape[0] if isinstance(shape, Tensor) and shape.ndim else len(shape)) - x.ndim
        if _sized(shape)
        else 0
    )
    sizes, tensors = dimension_args.parse_dims(
        shape, "expand", lambda t, i: -1 if i >= lead and traced_values.is_dim_of(t, x, i - lead) else None
    )
    return expand.emit(x, tensors, shape=sizes)


def _sized(shape: Tensor | Sequence[Tensor | int]) -> bool:
    return isinstance(shape, (list, tuple)) or (isinstance(shape, Tensor) and shape.ndim == 1)


@expand.infer
def _(x: TensorSpec, tensors: list[TensorSpec], shape: tuple[int, ...]) -> TensorSpec:
    lead = len(shape) - x.ndim
    if lead < 0:
        advice = arguments.list_argument_hint() if len(shape) == 1 else ""
        raise ShapeError(f"expand: {show(x.shape)} has more dimensions than {list(shape)}{advice}")
    result = []
    for i, want in enumerate(shape):
        have = x.shape[i - lead] if i >= lead else 1
        if want == -1:
            if i < lead:
                raise ShapeError(
                    f"expand: -1 at position {i} of {list(shape)} has no dimension of {show(x.shape)} to keep"
                )
            want = have
        elif want == HOLE:
            want = UNKNOWN if have in (1, UNKNOWN) else have
        elif have not in (1, want, UNKNOWN):
            raise ShapeError(f"expand: {show(x.shape)} does not broadcast to {list(shape)}")
        result.append(want)
    return x.with_shape(result)


@expand.kernel
def _(xp: ArrayModule, x: Array, tensors: list[Array], shape: tuple[int, ...], out: Array | None = None) -> Array:
    lead = len(shape) - x.ndim
    sizes = [x.shape[i - lead] if d == -1 else d for i, d in enumerate(dimension_args.fill_holes(shape, tensors))]
    out = xp.empty(sizes, x.dtype) if out is None else out
    out[...] = x
    return out


@expand.specialize
def _(out: TensorSpec, x: TensorSpec, shape: tuple[int, ...]) -> Any:
    sizes, dtype = out.shape, x.dtype.np

    def expand_run(x: Array) -> Array:
        expanded = np.empty(sizes, dtype)
        expanded[...] = x
        return expanded

    return expand_run


@expand.may_raise
def _(x: Var, tensors: tuple[Var, ...], shape: tuple[int, ...]) -> bool:
    return bool(tensors) or any(
        a == UNKNOWN and b not in (-1, 1) for a, b in zip(reversed(x.spec.shape), reversed(shape), strict=False)
    )


@expand.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return shape_rules.unbroadcast(g, ctx.inputs[0]), None


@expand.to_file
def _(w: FileWriter, op: Op) -> None:
    shape = op.attrs["shape"]
    w.write(
        "expand_v2", {"X": op.inputs[0], "expand_shapes_tensor": dimension_args.file_dims(w, shape, op.inputs[1])}, {"Out": op.out},
        {"shape": ("ints", list(dimension_args.unknown_for_holes(shape)))},
    )  # fmt: skip


@expand.from_file
def _(r: FileReader) -> Tensor:
    return expand(r.input("X"), r.integers("shape", "Shape", "expand_shapes_tensor"))


expand.samples(
    lambda: [
        Sample(_x(3), [], shape=(2, 3)),
        Sample(_x(2, 1), [], shape=(4, -1, 3)),
        Sample(_x(1, 3), [np.asarray(2)], shape=(HOLE, 3)),
        Sample(_x(), [], shape=(2,)),
    ]
)


@method()
def broadcast_to(x: Tensor, shape: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
    """``x`` broadcast to ``shape`` (see `expand`).

    Example:
        >>> paddle.broadcast_to(paddle.to_tensor([1, 2]), [2, 2]).tolist()
        [[1, 2], [1, 2]]
    """
    return expand(x, shape)


@op("expand_as(X, Y? -> Out)", file="expand_as_v2", method=True, traits="integral")
def expand_as(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """``x`` broadcast to the shape of ``y``.

    Raises ShapeError when the shape of ``x`` does not broadcast to that of ``y``.

    Example:
        >>> paddle.expand_as(paddle.to_tensor([1, 2]), paddle.ones([2, 2])).tolist()
        [[1, 2], [1, 2]]
    """
    return expand_as.emit(x, y)


@expand_as.infer
def _(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    common_shape = shape_rules.broadcast(x.shape, y.shape, "expand_as")
    if y.is_static and (
        len(common_shape) != y.ndim
        or any(d not in (UNKNOWN, want) for d, want in zip(common_shape, y.shape, strict=True))
    ):
        raise ShapeError(f"expand_as: {show(x.shape)} does not broadcast to {show(y.shape)}")
    return x.with_shape(y.shape)


@expand_as.kernel
def _(xp: ArrayModule, x: Array, y: Array, out: Array | None = None) -> Array:
    out = xp.empty(y.shape, x.dtype) if out is None else out
    out[...] = x
    return out


@expand_as.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return shape_rules.unbroadcast(g, ctx.inputs[0]), None


@expand_as.to_file
def _(w: FileWriter, op: Op) -> None:
    shape = ("ints", list(op.inputs[1].spec.shape))
    w.write("expand_as_v2", {"X": op.inputs[0], "Y": op.inputs[1]}, {"Out": op.out}, {"target_shape": shape})


@expand_as.from_file
def _(r: FileReader) -> Tensor:
    return expand_as(r.input("X"), r.input("Y")) if r.has("Y") else expand(r.input("X"), r.attr("target_shape", []))


expand_as.samples(lambda: [Sample(_x(3), _x(2, 3), grad=(0,)), Sample(_x(2, 1), _x(2, 3), grad=(0,))])


@op("broadcast_tensors(X* -> Out*)", traits="integral")
def broadcast_tensors(input: Any, name: str | None = None) -> list[Tensor]:
    """The tensors, each broadcast to the shape that all of them have together; a list.

    ``input``: a list of tensors. Raises ShapeError when the shapes do not broadcast.

    Example:
        >>> [x.shape for x in paddle.broadcast_tensors([paddle.ones([2, 1]), paddle.ones([3])])]
        [[2, 3], [2, 3]]
    """
    return list(broadcast_tensors.emit(list(input)))


@broadcast_tensors.infer
def _(xs: list[TensorSpec]) -> list[TensorSpec]:
    shape: tuple[int, ...] = ()
    for x in xs:
        shape = shape_rules.broadcast(shape, x.shape, "broadcast_tensors")
    return [x.with_shape(shape) for x in xs]


@broadcast_tensors.kernel
def _(xp: ArrayModule, xs: list[Array]) -> list[Array]:
    return [a.copy() for a in xp.broadcast_arrays(*xs)]


@broadcast_tensors.fixed_of_list
def _(outs: tuple[TensorSpec, ...], xs: list[TensorSpec]) -> Any:
    shapes, dtypes, copyto = [out.shape for out in outs], [out.dtype.np for out in outs], np.copyto

    def broadcast_tensors_run(*xs: Array) -> list[Array]:
        expanded = list(map(np.empty, shapes, dtypes))
        for y, x in zip(expanded, xs, strict=True):
            copyto(y, x)
        return expanded

    return broadcast_tensors_run


@broadcast_tensors.grad
def _(ctx: GradContext, *gs: Tensor) -> Any:
    return [shape_rules.unbroadcast(g, x) for g, x in zip(gs, ctx.inputs[0], strict=True)]


broadcast_tensors.samples(lambda: [Sample([_x(3), _x(2, 1)])])


@op("tile(X, Dims* -> Out) repeats", method=True, traits="integral")
def tile(x: Tensor, repeat_times: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
    """``x`` repeated ``repeat_times[i]`` times along dimension ``i`` (ints or integer tensors).

    The shorter of the two lists is padded with ones in front.

    Example:
        >>> paddle.tile(x, [2, 1])
    """
    sizes, tensors = dimension_args.parse_dims(repeat_times, "tile")
    return tile.emit(x, tensors, repeats=sizes)


@tile.infer
def _(x: TensorSpec, tensors: list[TensorSpec], repeats: tuple[int, ...]) -> TensorSpec:
    n = max(x.ndim, len(repeats))
    shape = (1,) * (n - x.ndim) + x.shape
    times = (1,) * (n - len(repeats)) + tuple(repeats)
    if any(r < 0 and r != HOLE for r in times):
        raise ShapeError(f"tile: repeat_times {list(repeats)} has a negative number")
    return x.with_shape(
        UNKNOWN if r == HOLE or (d == UNKNOWN and r != 0) else d * r for d, r in zip(shape, times, strict=True)
    )


@tile.kernel
def _(xp: ArrayModule, x: Array, tensors: list[Array], repeats: Sequence[int]) -> Array:
    return xp.tile(x, dimension_args.fill_holes(repeats, tensors)) if len(repeats) else x.copy()


@tile.specialize
def _(out: TensorSpec, x: TensorSpec, repeats: tuple[int, ...]) -> Any:
    """Copies into the places of a larger array, whose dimensions are split for it."""
    n = out.ndim
    sizes, times = (1,) * (n - x.ndim) + x.shape, (1,) * (n - len(repeats)) + tuple(repeats)
    repeated = [i for i in range(n) if times[i] != 1]
    if len(repeated) == 1 and times[i := repeated[0]] > 1:
        count = times[i]
        if n == x.ndim:
            return lambda x: np.concatenate((x,) * count, i)
        return lambda x: np.concatenate((x.reshape(sizes),) * count, i)
    split = tuple(size for pair in zip(times, sizes, strict=True) for size in pair)
    ones = tuple(size for d in sizes for size in (1, d))
    shape, dtype = out.shape, x.dtype.np

    def tile_run(x: Array) -> Array:
        tiled = np.empty(split, dtype)
        tiled[...] = x.reshape(ones)
        return tiled.reshape(shape)

    return tile_run


@tile.may_raise
def _(x: Var, tensors: tuple[Var, ...], repeats: tuple[int, ...]) -> bool:
    return bool(tensors)


@tile.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x = ctx.inputs[0]
    n = g.ndim
    holes = iter(ctx.inputs[1])
    repeats = [next(holes) if r == HOLE else r for r in ctx.repeats]
    times = [1] * (n - len(repeats)) + repeats
    sizes = [1] * (n - x.ndim) + list(x.shape)
    split = [part for pair in zip(times, sizes, strict=True) for part in pair]
    total = F.sum(F.reshape(g, split), axis=list(range(0, 2 * n, 2))) if n else g
    return F.reshape_as(total, x), None


@tile.to_file
def _(w: FileWriter, op: Op) -> None:
    repeats = op.attrs["repeats"]
    w.write(
        "tile", {"X": op.inputs[0], "repeat_times_tensor": dimension_args.file_dims(w, repeats, op.inputs[1])}, {"Out": op.out},
        {"repeat_times": ("ints", list(dimension_args.unknown_for_holes(repeats)))},
    )  # fmt: skip


@tile.from_file
def _(r: FileReader) -> Tensor:
    return tile(r.input("X"), r.integers("repeat_times", "RepeatTimes", "repeat_times_tensor"))


tile.samples(
    lambda: [
        Sample(_x(2, 3), [], repeats=(2, 1)),
        Sample(_x(2), [], repeats=(3, 2)),
        Sample(_x(2, 3), [np.asarray(2)], repeats=(HOLE,)),
    ]
)


@op("repeat_interleave(X -> Out) repeats:int axis:int", file=None, traits="integral", method=True)
def repeat_interleave(x: Tensor, repeats: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """Each element repeated: ``repeats`` times, or as often as a 1-D integer tensor says. ``axis`` None flattens first.

    Raises ShapeError when ``repeats`` is a number below 1.
    ``x``: of any shape and dtype.

    Example:
        >>> paddle.repeat_interleave(paddle.to_tensor([1, 2]), 2).tolist()
        [1, 1, 2, 2]
    """
    if axis is None:
        x, axis = F.flatten(x), 0
    axis = shape_rules.axis_index(axis, x.ndim, "repeat_interleave")
    if isinstance(repeats, Tensor) and repeats.python_type is None:
        dtype_checks.need_integer(repeats, "repeat_interleave: repeats")
        ends = F.cumsum(repeats)
        slots = F.arange(0, F.sum(repeats), 1, int32)
        index = F.searchsorted(ends, F.cast(slots, ends.dtype), right=True)
        return F.index_select(x, index, axis)
    words = "repeat_interleave: repeats should be larger than zero, got "
    if isinstance(repeats, Tensor):
        F.assert_(F.greater_than(repeats, 0), [repeats], words + "{0:number}", "ShapeError")
        return _repeated(x, repeats, axis)
    if int(repeats) < 1:
        raise ShapeError(f"{words}{repeats}")
    return repeat_interleave.emit(x, repeats=int(repeats), axis=axis)


_SHORT = 16  # numbers of which NumPy copies a row in more time than `repeat` needs


def _repeated(x: Tensor, repeats: Any, axis: int) -> Tensor:
    """``x`` expanded along a new dimension, which is then one with that before it."""
    expanded = expand(F.unsqueeze(x, axis + 1), [-1] * (axis + 1) + [repeats] + [-1] * (x.ndim - axis - 1))
    return F.flatten(expanded, axis, axis + 1)


@repeat_interleave.infer
def _(x: TensorSpec, repeats: int, axis: int) -> TensorSpec:
    size = x.shape[shape_rules.dimension_index(axis, x.ndim, "repeat_interleave")]
    return x.with_shape((*x.shape[:axis], size if size == UNKNOWN else size * repeats, *x.shape[axis + 1 :]))


@repeat_interleave.kernel
def _(xp: ArrayModule, x: Array, repeats: int, axis: int, out: Array | None = None) -> Array:
    if out is None:
        return x.repeat(repeats, axis)
    if math.prod(x.shape[axis + 1 :]) < _SHORT:
        out[...] = x.repeat(repeats, axis)
    else:
        out.reshape((*x.shape[: axis + 1], repeats, *x.shape[axis + 1 :]))[...] = xp.expand_dims(x, axis + 1)
    return out


@repeat_interleave.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    if 0 in ctx.x.spec.shape:  # for `reshape` 0 means to keep a size
        return F.zeros_like(ctx.x)
    shape = ctx.x.shape
    return F.sum(F.reshape(g, [*shape[: ctx.axis + 1], ctx.repeats, *shape[ctx.axis + 1 :]]), ctx.axis + 1)


repeat_interleave.composition(_repeated)
repeat_interleave.op.reads_no_numbers_of("X", "Out")
repeat_interleave.samples(
    lambda: [
        Sample(_x(2, 3), repeats=2, axis=0),
        Sample(_x(2, 3), repeats=3, axis=1),
        Sample(_x(2, 0), repeats=3, axis=1, file=False),
    ]
)
