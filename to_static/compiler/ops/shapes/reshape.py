"""Other shapes or orders of the same elements: reshape, transpose, squeeze, unsqueeze, flatten."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from operator import methodcaller
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, FrozenAttrs, GradContext, Sample, method, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import (
    arguments,
    dimension_args,
    dynamic_axis,
    dynamic_sizes,
    operands,
    shape_rules,
    static_arguments,
    traced_values,
)
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.dimension_args import HOLE
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType, as_dtype, bool_, float64, int32, uint8
from to_static.core.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter


def _x(*shape: int) -> np.ndarray:
    return np.arange(math.prod(shape), dtype="float32").reshape(shape) / 4 - 1


# reshape ---------------------------------------------------------------------------------------------------------------


@op("reshape(X, Dims* -> Out) shape", file="reshape2", traits="integral alias view", method=True, inplace=True)
def reshape(x: Tensor, shape: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
    """The elements of ``x`` in another shape.

    ``shape`` is a list of ints and integer tensors, or a 1-D integer tensor. One ``-1`` is computed from the others, and ``0``
    keeps the dimension at its position. Raises ShapeError when the number of elements differs.

    Example:
        >>> paddle.reshape(x, [0, -1])
    """
    if type(name) is int:  # reshape(2, 3), of which the name would be ignored
        raise TypeError(f"reshape: the shape is one list, got {shape} and {name}{arguments.list_argument_hint()}")
    static_shape = dimension_args.python_ints(shape)
    if static_shape is not None and (not static_shape or min(static_shape) >= UNKNOWN):
        return reshape.call((x, []), _to_shape(static_shape))
    def copied(size: Tensor, axis: int) -> int | None:
        return 0 if axis < x.ndim and traced_values.is_dim_of(size, x, axis) else None

    sizes, tensors = dimension_args.parse_dims(shape, "reshape", copied)
    return reshape.emit(x, tensors, shape=sizes)


@functools.lru_cache(1024)
def _to_shape(sizes: tuple[int, ...]) -> FrozenAttrs:
    return FrozenAttrs(shape=sizes)


@reshape.infer
def _(x: TensorSpec, tensors: Any, shape: Any) -> TensorSpec:
    return x.with_shape(_resolved(x.shape, shape))


def _resolved(have: tuple[int, ...], shape: Sequence[int]) -> list[int]:
    """The result's dimensions, with 0 and -1 worked out; -1 where they can't be known."""
    if list(shape).count(-1) > 1 or any(d < HOLE for d in shape):
        raise ShapeError(f"reshape: {list(shape)} must have at most one -1 and otherwise no negative number")
    if 0 in have and 0 in shape and UNKNOWN not in (*have, *shape) and HOLE not in shape:
        copied_sizes = [have[i] if d == 0 and i < len(have) else d for i, d in enumerate(shape)]
        if math.prod(copied_sizes) or 0 in shape[len(have) :]:  # no elements fit only where each 0 means 0
            return list(shape)
    result = list(shape)
    copied = set()  # dimensions that stay as they are cancel out of the count
    for i, d in enumerate(shape):
        if d == 0:
            if i >= len(have):
                raise ShapeError(f"reshape: 0 at position {i} has no dimension of {show(have)} to keep")
            result[i] = have[i]
            copied.add(i)
    remaining_sizes = [d for i, d in enumerate(have) if i not in copied]
    wanted = math.prod(d for i, d in enumerate(shape) if i not in copied and d not in (-1, HOLE))
    if UNKNOWN not in remaining_sizes and HOLE not in shape:
        total = math.prod(remaining_sizes)
        empty = any(have[i] == 0 for i in copied)  # both are then, whatever the others are
        if total % wanted if -1 in shape else total != wanted and not empty:
            raise ShapeError(f"reshape: the {math.prod(have)} elements of {show(have)} do not fill {list(shape)}")
        if -1 in shape:
            result[list(shape).index(-1)] = total // wanted
    return [UNKNOWN if d == HOLE else d for d in result]


def _may_not_fill(have: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """True if unknown dimensions may hold another number of elements than ``shape`` does."""
    fixed_sizes = [d for i, d in enumerate(have) if not (i < len(shape) and shape[i] == 0)]
    wanted = math.prod(d for d in shape if d > 0)
    if -1 in shape:
        return math.prod(d for d in fixed_sizes if d != UNKNOWN) % max(wanted, 1) != 0
    return UNKNOWN in fixed_sizes


@reshape.kernel
def _(xp: ArrayModule, x: Any, tensors: Any, shape: Any) -> Any:
    if tensors or 0 in shape:
        shape = _resolved(x.shape, dimension_args.fill_holes(shape, tensors))  # as Python's numbers: 0 keeps a dimension
    return _in_shape(x, shape)


def _in_shape(x: Array, shape: Sequence[int]) -> Array:
    """The elements in a shape: a view where there is one, and not of a scalar, as in PaddlePaddle."""
    return x.reshape(shape) if x.ndim or not len(shape) else x.reshape(shape).copy()


def _as_out(out: TensorSpec, x: TensorSpec, **attrs: AttrValue) -> Any:
    """Return the kernel that gives the elements another shape."""
    return methodcaller("reshape", out.shape)


@reshape.specialize
def _(out: TensorSpec, x: TensorSpec, **attrs: AttrValue) -> Any:
    return _as_out(out, x) if x.ndim or not out.ndim else lambda x: x.reshape(out.shape).copy()


@reshape.may_raise
def _(x: Any, tensors: Any, shape: Any) -> bool:
    return bool(tensors) or (traced_values.has_unknown_size(x) and _may_not_fill(x.spec.shape, shape))


@reshape.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return reshape_as(g, ctx.inputs[0]), None


@reshape.to_file
def _(w: FileWriter, op: Op) -> None:
    shape = [int(d) for d in op.attrs["shape"]]
    w.write(
        "reshape2", {"X": op.inputs[0], "ShapeTensor": dimension_args.file_dims(w, shape, op.inputs[1])},
        {"Out": op.out, "XShape": w.unused()}, {"shape": ("ints", list(dimension_args.unknown_for_holes(shape)))},
    )  # fmt: skip


@reshape.from_file
def _(r: FileReader) -> Any:
    return reshape(r.input("X"), r.integers("shape", "Shape", "ShapeTensor"))


reshape.op.reads_no_numbers_of("X", "Out")


reshape.samples(
    lambda: [
        Sample(_x(2, 6), [], shape=(3, 4)),
        Sample(_x(2, 6), [], shape=(0, -1, 2)),
        Sample(_x(2, 6), [np.asarray(3)], shape=(HOLE, -1)),
        Sample(_x(1), [], shape=()),
        Sample(_x(0, 3), [], shape=(0, -1)),
    ]
)


@op("reshape_as(X, Like -> Out)", file=None, traits="integral alias view")
def reshape_as(x: Tensor, like: Tensor) -> Tensor:
    """The elements of ``x`` in the shape of ``like``."""
    shape = like.spec.shape
    return reshape.emit(x, [], shape=shape) if UNKNOWN not in shape and 0 not in shape else reshape_as.emit(x, like)


@reshape_as.infer
def _(x: TensorSpec, like: TensorSpec) -> TensorSpec:
    if x.is_static and like.is_static and x.size != like.size:
        raise ShapeError(f"reshape_as: {show(x.shape)} does not fill {show(like.shape)}")
    return x.with_shape(like.shape)


@reshape_as.kernel
def _(xp: ArrayModule, x: Any, like: Array) -> Any:
    return _in_shape(x, like.shape)


@reshape_as.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return reshape_as(g, ctx.inputs[0]), None


@reshape_as.to_file
def _(w: FileWriter, op: Op) -> None:
    like = op.inputs[1]
    shape = w.temp(TensorSpec((like.spec.ndim,), int32))
    w.write("shape", {"Input": like}, {"Out": shape}, {})
    w.write(
        "reshape2", {"X": op.inputs[0], "Shape": shape}, {"Out": op.out, "XShape": w.unused()},
        {"shape": ("ints", list(like.spec.shape))},
    )  # fmt: skip


reshape_as.op.reads_no_numbers_of("X", "Like", "Out")


reshape_as.samples(lambda: [Sample(_x(2, 6), _x(3, 4), grad=(0,)), Sample(_x(1), _x(), grad=(0,))])


@method()
def view_as(x: Tensor, other: Any, name: str | None = None) -> Tensor:
    """The elements of ``x`` in the shape of ``other``.

    ``x`` and ``other`` have the same number of elements. The result shares memory with ``x``.

    Example:
        >>> paddle.view_as(paddle.arange(4), paddle.ones([2, 2])).tolist()
        [[0, 1], [2, 3]]
    """
    return reshape_as(x, other)


@method()
def unflatten(x: Tensor, axis: int, shape: Any, name: str | None = None) -> Tensor:
    """Dimension ``axis`` split into several of sizes ``shape`` (ints and integer tensors, one may be -1).

    ``x``: of any shape. Raises ShapeError when the sizes do not fit.

    Example:
        >>> paddle.unflatten(paddle.ones([6, 2]), axis=0, shape=[2, -1]).shape
        [2, 3, 2]
    """
    axis = shape_rules.axis_index(axis, x.ndim, "unflatten")
    sizes = list(shape) if isinstance(shape, (list, tuple)) else shape.tolist()
    return reshape(x, [*x.shape[:axis], *sizes, *x.shape[axis + 1 :]])


@method()
def contiguous(x: Tensor) -> Tensor:
    """``x`` itself, unless it is a view whose elements lie apart or in another order, ``x.t()``: a copy of that."""
    return x if x._is_row_major() else F.clone(x)


@method()
def is_contiguous(x: Tensor) -> bool:
    """Return True if the elements lie row after row, as in all tensors but views such as ``x.t()`` and ``x[:, 0]``."""
    return x._is_row_major()  # type: ignore[no-any-return]


@method()
def view(x: Tensor, shape_or_dtype: Any, name: str | None = None) -> Tensor:
    """``x`` in another shape (see `reshape`), or its bits as numbers of another dtype, in the same memory.

    The last dimension then counts bytes: one of 3 is 6 as float16 if it was of float32. No gradient flows through bits.
    Raises ShapeError when the last dimension does not divide, DTypeError for bool and for an unknown dtype.
    ``shape_or_dtype``: a list of sizes, or a dtype.

    Example:
        >>> paddle.view(paddle.to_tensor([1.0]), 'int32').tolist()
        [1065353216]
    """
    if isinstance(shape_or_dtype, (list, tuple, Tensor, range)):
        return reshape(x, shape_or_dtype, name)
    if isinstance(shape_or_dtype, int) and not isinstance(shape_or_dtype, bool):
        what_came = f"{shape_or_dtype}{f' and {name}' if name is not None else ''}"
        raise TypeError(f"view: the shape is one list, got {what_came}{arguments.list_argument_hint()}")
    return bits(x, as_dtype(shape_or_dtype))


@op("bits(X -> Out) dtype", file=None, traits="alias nodiff check_shapes view")
def bits(x: Tensor, dtype: Any) -> Tensor:
    """The memory of ``x`` read as another dtype, see `view`."""
    return bits.emit(x, dtype=dtype)


@bits.infer
def _(x: TensorSpec, dtype: DType) -> TensorSpec:
    if dtype is not x.dtype and bool_ in (dtype, x.dtype):
        raise DTypeError(f"view: {x.dtype.name} can't be seen as {dtype.name}; x.astype('{dtype.name}') converts it")
    have, want = x.dtype.itemsize, dtype.itemsize
    if have == want or x.shape[-1:] == (UNKNOWN,):
        return x.with_dtype(dtype)
    if not x.ndim or (x.shape[-1] * have) % want:
        raise ShapeError(f"view: the last dimension of {x} does not divide into {dtype.name}")
    return x.with_dtype(dtype).with_shape((*x.shape[:-1], x.shape[-1] * have // want))


@bits.kernel
def _(xp: ArrayModule, x: Any, dtype: DType) -> Any:
    apart = x.dtype.itemsize != dtype.itemsize and x.ndim and x.strides[-1] != x.dtype.itemsize
    return (xp.ascontiguousarray(x) if apart else x).view(dtype.np)


@bits.view_inverse
def _(ctx: GradContext, value: Any, k: int) -> Any:
    return bits(value, ctx.x.dtype)


bits.samples(lambda: [Sample(_x(2, 3), dtype=int32), Sample(_x(2, 4), dtype=float64), Sample(_x(3), dtype=uint8)])


@method(inplace=True)
def flatten(x: Tensor, start_axis: int = 0, stop_axis: int = -1, name: str | None = None) -> Tensor:
    """Dimensions ``start_axis`` to ``stop_axis``, both included, merged into one. A 0-D tensor becomes 1-D.

    Raises ArgumentTypeError for what is no Tensor, or no integer.
    ``x``: of any shape. The result shares memory with it.

    Example:
        >>> paddle.flatten(paddle.ones([2, 3, 4]), start_axis=1).shape
        [2, 12]
    """
    operands.need_tensor(x, "flatten")
    if x.ndim == 0:
        return reshape(x, [1])
    start = shape_rules.axis_index(start_axis, x.ndim, "flatten")
    stop = shape_rules.axis_index(stop_axis, x.ndim, "flatten")
    if start > stop:
        raise ShapeError(f"flatten: start_axis {start_axis} comes after stop_axis {stop_axis}")
    shape = x.spec.shape
    part = shape[start : stop + 1]
    merged = -1 if UNKNOWN in part or 0 in part else math.prod(part)
    trailing_shape = shape[stop + 1 :]
    if UNKNOWN in trailing_shape and (
        merged == -1 or len(trailing_shape) != len(x.shape) - stop - 1 or list(trailing_shape).count(UNKNOWN) > 1
    ):
        return reshape(x, [*([0] * start), merged, *x.shape[stop + 1 :]])
    return reshape(x, [*([0] * start), merged, *trailing_shape])  # 0 keeps a dimension: a saved model then takes other batch sizes


# dimensions of size one ------------------------------------------------------------------------------------------------


@op("squeeze(X -> Out) axes:ints", file="squeeze2", traits="integral alias view", method=True, inplace=True)
def squeeze(x: Tensor, axis: Tensor | int | Sequence[int] | None = None, name: str | None = None) -> Tensor:
    """``x`` without its dimensions of size 1: all of them, or those among ``axis`` (others there are kept).

    A Program knows how many dimensions its tensors have: where it does not know their sizes, those among ``axis`` must be 1, and
    without an ``axis`` none may be.

    Example:
        >>> paddle.squeeze(paddle.ones([1, 2, 1])).shape
        [2]
    """
    shape = x.spec.shape
    axes = tuple(range(len(shape))) if axis is None else dynamic_sizes.axes_of(axis, len(shape), "squeeze")
    gone = tuple(i for i in axes if shape[i] == 1 or (shape[i] == UNKNOWN and axis is not None))
    for i in axes:
        if shape[i] == UNKNOWN:
            _check_one(x, i, gone)
    if axis is None and UNKNOWN in shape:
        gone = ()  # files say so: they hold no checks, who loads one makes them
    return squeeze.emit(x, axes=gone if gone or axis is None else axes)


def _check_one(x: Tensor, axis: int, gone: tuple[int, ...]) -> None:
    """Add a check to the Program: a dimension in ``gone`` must be 1, and any other must not."""
    is_gone = axis in gone
    words = f"{{}}, not 1: the Program was built without it, and `squeeze({axis})` would keep it"
    if not is_gone:
        words = "{}: the Program was built with it, and squeeze() would remove it. Say which dimensions go"
        words += f": `squeeze({list(gone)})`" if gone else ", `x.squeeze(axis)`"
    size = F.dim_size(x, axis)
    fits = (F.equal if is_gone else F.not_equal)(size, dynamic_sizes.as_tensor_size(1))
    dynamic_sizes.check(fits, "RankError", f"squeeze: dimension {axis} is {words}", size)


@squeeze.infer
def _(x: TensorSpec, axes: tuple[int, ...]) -> TensorSpec:
    gone = _gone(x.shape, axes)
    return x.with_shape(d for i, d in enumerate(x.shape) if i not in gone)


@squeeze.kernel
def _(xp: ArrayModule, x: Any, axes: tuple[int, ...]) -> Any:
    gone = _gone(x.shape, axes)
    return x.reshape([d for i, d in enumerate(x.shape) if i not in gone])


def _gone(shape: tuple[int, ...], axes: tuple[int, ...]) -> list[int]:
    """The dimensions that go: those among ``axes`` that may be 1; without ``axes`` all that are known to be, as in files."""
    if not axes:
        return [i for i, d in enumerate(shape) if d == 1]
    return [a for a in (shape_rules.axis_index(a, len(shape), "squeeze") for a in axes) if shape[a] in (1, UNKNOWN)]


squeeze.specialize(_as_out)


@squeeze.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return reshape_as(g, ctx.x)


@squeeze.from_file
def _(r: FileReader) -> Any:
    axes = r.integers("axes", "AxesTensor", "AxesTensorList")
    return squeeze(r.input("X"), None if isinstance(axes, list) and not axes else axes)


squeeze.op.reads_no_numbers_of("X", "Out")


squeeze.samples(lambda: [Sample(_x(2, 1, 3, 1), axes=(1,)), Sample(_x(1, 1), axes=(0, 1)), Sample(_x(2), axes=())])


@op("unsqueeze(X -> Out) axes:ints", file="unsqueeze2", traits="integral alias view", method=True, inplace=True)
def unsqueeze(x: Tensor, axis: Any, name: str | None = None) -> Any:
    """``x`` with new dimensions of size 1 at ``axis``, an int or several (positions in the result, inserted in order).

    The result shares memory with ``x``. Raises ShapeError for a position that is not there.

    Example:
        >>> paddle.unsqueeze(paddle.ones([3]), axis=0).shape
        [1, 3]
    """
    axes = dimension_args.python_ints(axis)
    if axes is None:
        if dynamic_axis.is_one(axis):
            return dynamic_axis.each("unsqueeze", axis, x.ndim + 1, lambda a: unsqueeze(x, a))
        if dynamic_sizes.is_dynamic(axis) and (isinstance(axis, (list, tuple)) or axis.ndim == 1):
            for one in axis:  # each refers to the shape after the ones before it
                x = unsqueeze(x, one)
            return x
        axes, tensors = dimension_args.parse_dims(axis, "unsqueeze", negative=True)
        if tensors:
            raise static_arguments.axis_must_be_static("unsqueeze")
    return unsqueeze.call((x,), _inserted(x.ndim, axes))


@functools.lru_cache(1024)
def _inserted(ndim: int, axes: tuple[int, ...]) -> FrozenAttrs:
    positions = []
    for a in axes:  # each refers to the shape after the ones before it, as in Paddle
        ndim += 1
        positions.append(shape_rules.axis_index(a, ndim, "unsqueeze"))
    return FrozenAttrs(axes=tuple(positions))


@unsqueeze.infer
def _(x: TensorSpec, axes: tuple[int, ...]) -> TensorSpec:
    shape = list(x.shape)
    for a in axes:
        shape.insert(a if a >= 0 else a + len(shape) + 1, 1)
    return x.with_shape(shape)


@unsqueeze.kernel
def _(xp: ArrayModule, x: Any, axes: tuple[int, ...]) -> Any:
    shape = list(x.shape)
    for a in axes:
        shape.insert(a if a >= 0 else a + len(shape) + 1, 1)
    return x.reshape(shape)


unsqueeze.specialize(_as_out)


@unsqueeze.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return reshape_as(g, ctx.x)


@unsqueeze.from_file
def _(r: FileReader) -> Any:
    return unsqueeze(r.input("X"), r.integers("axes", "AxesTensor", "AxesTensorList"))


unsqueeze.op.reads_no_numbers_of("X", "Out")


unsqueeze.samples(lambda: [Sample(_x(2, 3), axes=(1,)), Sample(_x(2), axes=(0, 2)), Sample(_x(), axes=(0,))])


# order -----------------------------------------------------------------------------------------------------------------


@op("transpose(X -> Out) perm=axis:ints", file="transpose2", traits="integral alias view", method=True, inplace=True)
def transpose(x: Tensor, perm: Sequence[int], name: str | None = None) -> Tensor:
    """Dimension ``i`` of the result is dimension ``perm[i]`` of ``x``. Raises ShapeError when ``perm`` is no permutation.

    Example:
        >>> paddle.transpose(x, [1, 0])
    """
    if isinstance(perm, int):
        order = list(range(x.ndim))
        if isinstance(name, int) and -x.ndim <= min(perm, name) and max(perm, name) < x.ndim:
            order[perm], order[name] = order[name], order[perm]
        raise TypeError(f"transpose: perm is a list of all dimensions in their new order, `{order}` say, got {perm}")
    static_perm = dimension_args.python_ints(perm)
    if static_perm is not None:
        return transpose.call((x,), _in_order(x.ndim, static_perm))
    return transpose.emit(x, perm=tuple(shape_rules.axis_index(p, x.ndim, "transpose") for p in perm))


@functools.lru_cache(1024)
def _in_order(ndim: int, perm: tuple[int, ...]) -> FrozenAttrs:
    return FrozenAttrs(perm=tuple([shape_rules.axis_index(p, ndim, "transpose") for p in perm]))


@transpose.infer
def _(x: TensorSpec, perm: Sequence[int]) -> TensorSpec:
    axes = [p % x.ndim for p in perm]
    if sorted(axes) != list(range(x.ndim)):
        raise ShapeError(
            f"transpose: {list(perm)} is no permutation of the {x.ndim} dimensions of {show(x.shape)}"
        )
    return x.with_shape(x.shape[p] for p in axes)


@transpose.kernel
def _(xp: ArrayModule, x: Any, perm: Sequence[int]) -> Any:
    return x.transpose(perm)


@transpose.specialize
def _(out: TensorSpec, x: TensorSpec, perm: tuple[int, ...]) -> Any:
    return methodcaller("transpose", perm)


@transpose.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return _back(ctx, g, 0)


@transpose.view_inverse
def _back(ctx: GradContext, g: Tensor, k: int) -> Tensor:
    inverse = sorted(range(len(ctx.perm)), key=lambda i: ctx.perm[i] % len(ctx.perm))
    return transpose(g, inverse)


transpose.op.reads_no_numbers_of("X", "Out")


transpose.samples(lambda: [Sample(_x(2, 3), perm=(1, 0)), Sample(_x(2, 3, 4), perm=(2, 0, 1)), Sample(_x(), perm=())])


@method(inplace=True)
def t(input: Tensor | float, name: str | None = None) -> Tensor:
    """The transpose of a matrix; tensors of fewer dimensions are returned as they are.

    ``input``: a tensor of at most 2 dimensions, or a number. Raises ShapeError for more.

    Example:
        >>> paddle.t(paddle.ones([2, 3])).shape
        [3, 2]
    """
    input = operands.tensor(input)
    if input.ndim > 2:
        raise ShapeError(f"t: expected at most 2 dimensions, got {show(input.spec.shape)}; use transpose")
    return transpose(input, [1, 0]) if input.ndim == 2 else input


@method()
def moveaxis(
    x: Tensor, source: int | Sequence[int], destination: int | Sequence[int], name: str | None = None
) -> Tensor:
    """Dimensions ``source`` moved to the positions ``destination``; the others keep their order.

    ``x``: of any shape. Raises ShapeError when ``source`` and ``destination`` differ in length or repeat a dimension.

    Example:
        >>> paddle.moveaxis(paddle.ones([2, 3, 4]), 0, -1).shape
        [3, 4, 2]
    """
    src = [shape_rules.axis_index(a, x.ndim, "moveaxis") for a in arguments.int_list(source)]
    dst = [shape_rules.axis_index(a, x.ndim, "moveaxis") for a in arguments.int_list(destination)]
    if len(src) != len(dst) or len(set(src)) != len(src) or len(set(dst)) != len(dst):
        raise ShapeError(
            f"moveaxis: source {source} and destination {destination} must name as many distinct dimensions"
        )
    order = [i for i in range(x.ndim) if i not in src]
    for to, axis in sorted(zip(dst, src, strict=True)):
        order.insert(to, axis)
    return transpose(x, order)


@method()
def swapaxes(x: Tensor, axis1: int, axis2: int, name: str | None = None) -> Tensor:
    """Two dimensions exchanged."""
    order = list(range(x.ndim))
    a, b = (shape_rules.axis_index(i, x.ndim, "swapaxes") for i in (axis1, axis2))
    order[a], order[b] = b, a
    return transpose(x, order)
