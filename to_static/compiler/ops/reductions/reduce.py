"""Reductions over some or all dimensions: sum, mean, max, min, prod, all, any, logsumexp."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, FrozenAttrs, GradContext, Sample, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import (
    blocked_sum,
    dimension_args,
    dtype_checks,
    dynamic_axis,
    dynamic_sizes,
    operands,
    shape_rules,
)
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.kernel_scalar import operand
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType, as_dtype, bool_, int64
from to_static.core.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter

_AXIS_DOC = """

    ``axis``: an int, several, or None for all; ``keepdim``: keep the reduced dimensions with size 1.
    Raises ShapeError for an axis out of range or named twice, DTypeError for dtypes that have no such operation.

    Example:
        >>> paddle.{name}(x, axis=1, keepdim=True)
    """


_UFUNCS = {"sum": np.add, "mean": np.add, "max": np.maximum, "min": np.minimum, "prod": np.multiply}
_SMALL = 1 << 12  # numbers of which the place of the extreme is found sooner than the extreme
FEW = 2**24  # numbers that float32 counts exactly


def fixed_reduction(function: str) -> Any:
    """A reduction without the wrapper that NumPy's array methods call (see `OpDef.specialize_rule`)."""
    ufunc = _UFUNCS.get(function)

    def fixed(out: TensorSpec, x: TensorSpec, axis: tuple[int, ...], keepdim: bool, dtype: DType | None = None) -> Any:
        if function in ("all", "any") and x.size and len(axis) == len(x.shape) and not keepdim:
            size, count = x.size, np.count_nonzero
            return (lambda x: np.array(count(x) == size)) if function == "all" else lambda x: np.array(count(x) > 0)
        axes = tuple(axis)
        if x.dtype.kind in "iu" and x.size and ufunc is not None and dtype is None:
            return _of_integers(function, ufunc, x, out, axes, keepdim)
        if ufunc is None or dtype is not None or x.dtype.kind != "f":
            return None
        if ufunc in (np.maximum, np.minimum) and 0 < x.size <= _SMALL and not out.shape and axes:
            arg_method = operator.methodcaller("argmax" if ufunc is np.maximum else "argmin")
            return lambda x: x.reshape(-1)[arg_method(x)]
        reduce = functools.partial(ufunc.reduce, axis=axes, keepdims=keepdim)
        count = math.prod(x.shape[a] for a in axes)
        if ufunc is np.multiply and not out.shape and axes:
            multiply, dtype_np = np.multiply.reduce, x.dtype.np
            precise = np.float64 if x.dtype.itemsize < 8 and count >= blocked_sum.DEEP else dtype_np
            return lambda x: np.array(multiply(x.ravel(), 0, precise), dtype_np)
        if ufunc is np.multiply and count >= blocked_sum.DEEP:
            return None
        if ufunc is np.add:
            reduce = blocked_sum.adder(x.shape, x.dtype.np.char, axes, keepdim)
        if function != "mean":
            return reduce
        if x.dtype.name not in ("float32", "float64") or not 0 < count < FEW:
            return None
        divisor = x.dtype.np.type(count)
        if not out.shape:
            return lambda x: reduce(x) / divisor  # of NumPy's scalars, which Python's operators are quick with
        each = np.asarray(divisor)
        return lambda x: np.true_divide(reduce(x), each)

    return fixed


def _of_integers(
    function: str, ufunc: Any, x: TensorSpec, out: TensorSpec, axes: tuple[int, ...], keepdim: bool
) -> Any:
    """The same of integers: extremes, and sums that are of the dtype itself, for short ones are added up as longer ones."""
    if function in ("max", "min"):
        if x.size <= _SMALL and not out.shape and axes:
            position = operator.methodcaller("arg" + function)
            return lambda x: x.reshape(-1)[position(x)]
        return functools.partial(ufunc.reduce, axis=axes, keepdims=keepdim)
    if x.dtype is not int64:
        return None
    if function == "mean":
        add: Any = np.add.reduce
        element_count = float(math.prod(x.shape[a] for a in axes))
        if not out.shape and x.size <= _SMALL:
            ones = np.ones(x.size)
            return lambda x: np.array(x.astype(np.float64).ravel().dot(ones) / element_count, np.int64)
        count = np.asarray(element_count)
        return lambda x: np.true_divide(add(x, axes, np.float64, keepdims=keepdim), count).astype(np.int64)
    return functools.partial(ufunc.reduce, axis=axes, keepdims=keepdim)


def mean_over(xp: ArrayModule, x: Array, axes: tuple[int, ...]) -> Array:
    """The mean over some axes, which are kept: NumPy's method of arrays, without the steps around its two ufuncs."""
    if xp is not np or x.dtype.char not in "fd" or not 0 < x.size < FEW:
        return xp.asarray(x.mean(axis=axes, keepdims=True))
    total = blocked_sum.adder(x.shape, x.dtype.char, axes, True)(x)
    return np.true_divide(total, operand(np, x.size // total.size, x.dtype), total)


def declare(
    name: str,
    function: str,
    doc: str,
    file: str,
    grad: Callable[..., Any] | None,
    dtype_kinds: str,
    samples: Callable[..., Any] | None = None,
    dtype: DType | None = None,
) -> Any:
    """Declare a reduction that is one method of arrays; ``dtype``: that of the result (as the input's if None)."""

    def front_function(x: Tensor, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
        if not isinstance(x, Tensor) or x.python_type is not None:
            x = operands.tensor(operands.first_of_tuple(x))
        static_axes = () if axis is None else dimension_args.python_ints(axis)
        if static_axes is not None:
            return call((x,), frozen(x.ndim, static_axes, bool(keepdim)))
        if axis is not None and dynamic_axis.is_one(axis):
            return dynamic_axis.each(front.__name__, axis, x.ndim, lambda a: front(x, a, keepdim))
        return emit(x, axis=dynamic_sizes.axes_of(axis, x.ndim, front.__name__), keepdim=bool(keepdim))

    front_function.__name__ = front_function.__qualname__ = name
    front_function.__doc__ = doc + _AXIS_DOC.format(name=name)
    traits = dtype_checks.gradient_traits(grad, dtype_kinds)
    front: Any = op(f"{name}(X -> Out) axis keepdim", file=file, traits=traits, method=True)(front_function)
    emit, call = front.emit, front.call

    @functools.lru_cache(1024)
    def frozen(ndim: int, axes: tuple[int, ...], keepdim: bool) -> FrozenAttrs:
        return FrozenAttrs(axis=shape_rules.axes_tuple(axes, ndim, name), keepdim=keepdim)

    if function in ("max", "min"):
        front.may_raise(lambda x, axis, keepdim: UNKNOWN in [x.spec.shape[a] for a in axis])

    @front.infer
    def infer(x: TensorSpec, axis: tuple[int, ...], keepdim: bool) -> TensorSpec:
        if x.dtype.kind not in dtype_kinds:
            raise DTypeError(f"{name}: {x.dtype.name} tensors are not supported")
        if function in ("max", "min") and 0 in [x.shape[a] for a in axis]:
            raise ShapeError(f"{name}: {show(x.shape)} has no elements to choose from")
        return TensorSpec(shape_rules.reduced_shape(x.shape, axis, keepdim), dtype or x.dtype)

    @front.kernel
    def kernel(xp: ArrayModule, x: Array, axis: tuple[int, ...], keepdim: bool, out: Array | None = None) -> Array:
        return getattr(x, function)(tuple(axis), out=out, keepdims=keepdim)

    front.specialize(fixed_reduction(function))

    attach_files(front, file)
    if grad is not None:
        front.grad(grad)
    front.samples(
        samples
        or (
            lambda: [
                Sample(f32(2, 3, 2), axis=(0, 1, 2), keepdim=False),
                Sample(f32(2, 3, 2), axis=(1,), keepdim=True),
                Sample(f32(2, 3, 2), axis=(0, 2), keepdim=False),
                Sample(f32(), axis=(), keepdim=False),
            ]
        )
    )
    return front


LONG_AXES = ("reduce_all", "reduce_any", "reduce_amax", "reduce_amin")  # the newer ones: their axes may be a tensor, too


def attach_files(front: Any, file: str, **more: AttrValue) -> None:
    """The file form that all reductions share: ``dim``, ``keep_dim``, ``reduce_all``."""

    @front.to_file
    def to_file(w: FileWriter, op: Op) -> None:
        axis = op.attrs["axis"]
        every = len(axis) == op.inputs[0].spec.ndim
        dtype = op.attrs.get("dtype")
        same = ("int", -1)
        codes = {
            "in_dtype": same if dtype is None else ("dtype", op.inputs[0].spec.dtype),
            "out_dtype": same if dtype is None else ("dtype", dtype),
        }
        attrs = {
            "dim": ("longs" if file in LONG_AXES else "ints", [] if every else list(axis)),
            "keep_dim": ("bool", op.attrs["keepdim"]), "reduce_all": ("bool", every),
        }  # fmt: skip
        w.write(file, {"X": op.inputs[0]}, {"Out": op.out}, {**attrs, **codes})

    @front.from_file
    def from_file(r: FileReader) -> Tensor:
        axis = None if r.attr("reduce_all", False) else r.integers("dim", "AxisTensor", "AxisTensorList")
        if isinstance(axis, list) and len(axis) == 1:
            (axis,) = axis  # of which one may be a tensor
        x = r.input("X")
        if r.attr("out_dtype", -1) != -1 and front.__name__ == "sum":
            return front(x, axis, r.dtype("out_dtype"), r.attr("keep_dim", False))
        return front(x, axis, keepdim=r.attr("keep_dim", False))


def spread(ctx: GradContext, g: Tensor) -> Tensor:
    """A reduced gradient (or result) expanded back over the reduced dimensions of the input."""
    if not ctx.keepdim and ctx.axis and g.ndim:  # a 0-D one broadcasts as it is
        g = F.unsqueeze(g, list(ctx.axis))
    return F.expand_as(g, ctx.x)


def widened(g: Array, x: Array, axis: tuple[int, ...], keepdim: bool) -> Array:
    """A reduced array in the rank of ``x``, of size 1 where it was reduced; a 0-D one as it is."""
    if keepdim or not g.ndim or not axis:
        return g
    return g.reshape([1 if i in axis else d for i, d in enumerate(x.shape)])


def _spread_array(g: Array, x: Array, axis: tuple[int, ...], keepdim: bool) -> Array:
    """As `spread`, for arrays: a reduced gradient for all elements of ``x``, in the dtype of ``x``, as a new array."""
    spread_gradient = np.empty(x.shape, x.dtype)
    spread_gradient[...] = widened(g, x, axis, keepdim)
    return spread_gradient


# sum and mean ----------------------------------------------------------------------------------------------------------


@op("sum(X -> Out) axis dtype keepdim", file="reduce_sum", method=True, traits="integral")
def sum(
    x: Tensor, axis: Any = None, dtype: DType | str | None = None, keepdim: bool = False, name: str | None = None
) -> Any:
    """The sum over ``axis`` (an int, several, or None for all). Booleans and int32 are summed as int64 unless ``dtype`` says.

    Example:
        >>> paddle.sum(x, axis=1, keepdim=True)
    """
    if not isinstance(x, Tensor) or x.python_type is not None:
        x = operands.tensor(operands.first_of_tuple(x))
    if dtype is not None:
        dtype = as_dtype(dtype)
    elif x.dtype.name in ("bool", "int32"):
        dtype = int64
    static_axes = () if axis is None else dimension_args.python_ints(axis)
    if static_axes is not None:
        return sum.call((x,), _of_sum(x.ndim, static_axes, dtype, bool(keepdim)))
    if axis is not None and dynamic_axis.is_one(axis):
        return dynamic_axis.each("sum", axis, x.ndim, lambda a: sum(x, a, dtype, keepdim))
    return sum.emit(x, axis=dynamic_sizes.axes_of(axis, x.ndim, "sum"), dtype=dtype, keepdim=bool(keepdim))


@functools.lru_cache(1024)
def _of_sum(ndim: int, axes: tuple[int, ...], dtype: DType | None, keepdim: bool) -> FrozenAttrs:
    return FrozenAttrs(axis=shape_rules.axes_tuple(axes, ndim, "sum"), dtype=dtype, keepdim=keepdim)


sum.specialize(fixed_reduction("sum"))


@sum.infer
def _(x: TensorSpec, axis: Any, dtype: DType | None, keepdim: bool) -> TensorSpec:
    return TensorSpec(shape_rules.reduced_shape(x.shape, axis, keepdim), dtype or x.dtype)


@sum.kernel
def _(xp: ArrayModule, x: Any, axis: Any, dtype: DType | None, keepdim: bool, out: Any = None) -> Any:
    if dtype is not None and dtype.np != x.dtype:
        if dtype.kind != "f":
            return x.sum(tuple(axis), dtype.np, out, keepdim)
        x = x.astype(dtype.np)
    return blocked_sum.total(x, tuple(axis), keepdim, out)


@sum.grad_kernel
def _(x: Array, out: Array, g: Array, axis: Any, dtype: DType | None, keepdim: bool) -> Any:
    if x.dtype.kind != "f":
        return None
    return _spread_array(g, x, axis, keepdim)


@sum.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return F.cast(spread(ctx, g), ctx.x.dtype)


attach_files(sum, "reduce_sum")
sum.samples(
    lambda: [
        Sample(f32(2, 3, 2), axis=(0, 1, 2), dtype=None, keepdim=False),
        Sample(f32(2, 3, 2), axis=(1,), dtype=None, keepdim=True),
        Sample(f32(2, 3, 2), axis=(0, 2), dtype=as_dtype("float64"), keepdim=False),
        Sample(f32(), axis=(), dtype=None, keepdim=False),
        Sample(np.asarray([True, True]), axis=(0,), dtype=int64, keepdim=False),
    ]
)


def _mean_grad(ctx: GradContext, g: Tensor) -> Tensor:
    return operands.as_dtype_of(spread(ctx, g / shape_rules.element_count(ctx.x, ctx.axis, g.dtype)), ctx.x)


mean = declare("mean", "mean", "The mean; of integers, rounded towards zero.", "reduce_mean", _mean_grad, "biufc")


@mean.grad_kernel
def _(x: Array, out: Array, g: Array, axis: Any, keepdim: bool) -> Any:
    count = np.array(math.prod([x.shape[i] for i in axis]), g.dtype)
    return _spread_array(np.asarray(g / count), x, axis, keepdim)


@mean.kernel
def _(xp: ArrayModule, x: Any, axis: Any, keepdim: bool, out: Any = None) -> Any:
    if x.dtype.kind in "fc":
        return blocked_sum.mean(x, tuple(axis), keepdim, out)
    averaged = x.mean(tuple(axis), None, None, keepdim).astype(x.dtype)
    if out is None:
        return averaged
    out[...] = averaged
    return out


# extremes, products, truth ---------------------------------------------------------------------------------------------


def _extreme_grad(ctx: GradContext, g: Tensor) -> Tensor:
    # every element that equals the extreme gets the gradient, as in Paddle
    hit = F.equal(ctx.x, spread(ctx, ctx.out))
    return spread(ctx, g) * F.cast(hit, g.dtype)


def _even_grad(ctx: GradContext, g: Tensor) -> Tensor:
    hit = F.cast(F.equal(ctx.x, spread(ctx, ctx.out)), g.dtype)
    ties = sum(hit, list(ctx.axis), keepdim=True) if ctx.axis else hit
    return operands.as_dtype_of(spread(ctx, g) * hit / ties, ctx.x)


def _extreme_grad_kernel(x: Array, out: Array, g: Array, axis: Any, keepdim: bool) -> Any:
    hit = np.equal(x, widened(out, x, axis, keepdim))
    return np.multiply(widened(g, x, axis, keepdim), hit)


def _orders() -> list[Sample]:
    return [
        Sample(f32(2, 3, 2), axis=(0, 1, 2), keepdim=False),
        Sample(f32(2, 3, 2), axis=(1,), keepdim=True),
        Sample(np.asarray([[3, 1], [2, 2]]), axis=(1,), keepdim=False),
    ]


max = declare(
    "max", "max", "The maximum; all elements equal to it get its gradient.", "reduce_max", _extreme_grad, "iuf", _orders
)
min = declare(
    "min", "min", "The minimum; all elements equal to it get its gradient.", "reduce_min", _extreme_grad, "iuf", _orders
)
max.grad_kernel(_extreme_grad_kernel)
min.grad_kernel(_extreme_grad_kernel)
amax = declare(
    "amax", "max", "The maximum; elements equal to it share its gradient.", "reduce_amax", _even_grad, "iuf", _orders
)
amin = declare(
    "amin", "min", "The minimum; elements equal to it share its gradient.", "reduce_amin", _even_grad, "iuf", _orders
)


def _truths() -> list[Sample]:
    return [
        Sample(np.asarray([[True, False], [True, True]]), axis=(1,), keepdim=False),
        Sample(np.asarray([[1, 0], [2, 2]]), axis=(0, 1), keepdim=True),
    ]


all = declare("all", "all", "Whether all elements are true (not zero).", "reduce_all", None, "biufc", _truths, bool_)
any = declare("any", "any", "Whether any element is true (not zero).", "reduce_any", None, "biufc", _truths, bool_)


@op("logsumexp(X -> Out) axis keepdim", method=True)
def logsumexp(x: Tensor, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """``log(sum(exp(x)))`` over ``axis`` (an int, several, or None for all), without overflow.

    ``x``: floats; ``keepdim`` keeps the dimensions with size 1.

    Example:
        >>> paddle.logsumexp(paddle.to_tensor([[100.0, 100.0]]), axis=1).tolist()
        [100.69314575195312]
    """
    x = operands.tensor(operands.first_of_tuple(x))
    static_axes = () if axis is None else dimension_args.python_ints(axis)
    if static_axes is not None:
        return logsumexp.call((x,), _of_logsumexp(x.ndim, static_axes, bool(keepdim)))
    if dynamic_axis.is_one(axis):
        return dynamic_axis.each("logsumexp", axis, x.ndim, lambda a: logsumexp(x, a, keepdim))
    return logsumexp.emit(x, axis=dynamic_sizes.axes_of(axis, x.ndim, "logsumexp"), keepdim=bool(keepdim))


@functools.lru_cache(1024)
def _of_logsumexp(ndim: int, axes: tuple[int, ...], keepdim: bool) -> FrozenAttrs:
    return FrozenAttrs(axis=shape_rules.axes_tuple(axes, ndim, "logsumexp"), keepdim=keepdim)


@logsumexp.infer
def _(x: TensorSpec, axis: Any, keepdim: bool) -> TensorSpec:
    dtype_checks.need_float(x, "logsumexp")
    return x.with_shape(shape_rules.reduced_shape(x.shape, axis, keepdim))


@logsumexp.kernel
def _(xp: ArrayModule, x: Any, axis: Any, keepdim: bool) -> Any:
    axis = tuple(axis)
    top = x.max(axis, keepdims=True, initial=-xp.inf)
    top = xp.where(xp.isfinite(top), top, x.dtype.type(0))
    total = xp.log(blocked_sum.total(xp.exp(x - top), axis, True)) + top
    return total if keepdim else total.reshape([d for i, d in enumerate(x.shape) if i not in axis])


@logsumexp.specialize
def _(out: TensorSpec, x: TensorSpec, axis: Any, keepdim: bool) -> Any:
    axes, shape = tuple(axis), out.shape
    if x.dtype.kind != "f" or not x.size or not axes:
        return None
    top: Any = functools.partial(np.maximum.reduce, axis=axes, keepdims=True)
    total, zero = blocked_sum.adder(x.shape, x.dtype.np.char, axes, True), np.zeros((), x.dtype.np)

    def logsumexp_of_all(x: Array) -> Array:
        maximum = np.maximum.reduce(x, axes)
        if not math.isfinite(maximum):
            maximum = zero[()]
        return np.log(total(np.exp(np.subtract(x, np.asarray(maximum)))).reshape(shape)) + maximum

    if len(axes) == len(x.shape) and not keepdim:
        return logsumexp_of_all

    def logsumexp_run(x: Array) -> Array:
        maximum = top(x)
        if np.count_nonzero(np.isfinite(maximum)) < maximum.size:
            maximum = np.where(np.isfinite(maximum), maximum, zero)
        logsum = np.log(total(np.exp(np.subtract(x, maximum))))
        return np.add(logsum, maximum, logsum).reshape(shape)

    return logsumexp_run


@logsumexp.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return spread(ctx, g) * F.exp(ctx.x - spread(ctx, ctx.out))


@logsumexp.to_file
def _(w: FileWriter, op: Op) -> None:
    axis = op.attrs["axis"]
    every = len(axis) == op.inputs[0].spec.ndim
    attrs = {"axis": ("ints", list(axis)), "keepdim": ("bool", op.attrs["keepdim"]), "reduce_all": ("bool", every)}
    w.write("logsumexp", {"X": op.inputs[0]}, {"Out": op.out}, attrs)


@logsumexp.from_file
def _(r: FileReader) -> Any:
    axis = None if r.attr("reduce_all", False) else r.attr("axis", [])
    return logsumexp(r.input("X"), axis, r.attr("keepdim", False))


logsumexp.samples(
    lambda: [
        Sample(f32(2, 3), axis=(0, 1), keepdim=False),
        Sample(f32(2, 3), axis=(1,), keepdim=True),
        Sample(f32(3), axis=(0,), keepdim=False),
    ]
)
