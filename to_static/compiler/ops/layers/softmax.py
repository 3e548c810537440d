"""Functions along an axis: softmax, its logarithm, maxout and gated linear units."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Prepared, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import blocked_sum, dtype_checks, dynamic_axis, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType
from to_static.core.errors import ArgumentError, ShapeError

_PART = 1 << 15  # numbers that go through all steps at a time


@op("softmax(X -> Out) axis:int", method=True)
def softmax(x: Tensor, axis: int = -1, dtype: DType | str | None = None, name: str | None = None) -> Any:
    """``exp(x) / sum(exp(x))`` along ``axis``: non-negative weights that sum to one.

    ``dtype``: convert ``x`` to it first. The result has the shape of ``x``. Raises ShapeError when ``axis`` is out of
    range, DTypeError when ``x`` is not floating.

    Example:
        >>> F.softmax(paddle.to_tensor([[0.0, 0.0]])).numpy()
        array([[0.5, 0.5]], dtype=float32)
    """
    if dtype is not None:
        x = F.cast(x, dtype)
    if dynamic_axis.is_number(axis):
        return dynamic_axis.each("softmax", axis, x.ndim, lambda a: softmax(x, a))
    return softmax.emit(x, axis=int(axis))


@softmax.infer
def _(x: TensorSpec, axis: int) -> TensorSpec:
    shape_rules.axis_index(axis, max(x.ndim, 1), "softmax")
    return dtype_checks.need_order(dtype_checks.need_float(x, "softmax"), "softmax")


def _shifted(xp: ArrayModule, x: Array, axis: int, out: Array | None) -> Array:
    """``x`` minus its maximum along ``axis``, so that no exponential overflows."""
    out = xp.empty_like(x) if out is None else out
    if x.size == 0:
        return out
    return xp.subtract(x, x.max(axis=axis, keepdims=True) if x.ndim else x, out)


def _total(x: Array, axis: int) -> Array:
    """The sum along ``axis``, kept."""
    return blocked_sum.total(x, axis, True) if x.ndim else x


@softmax.kernel
def _(xp: ArrayModule, x: Array, axis: int, out: Array | None = None) -> Array:
    out = _shifted(xp, x, axis, out)
    xp.exp(out, out)
    return xp.divide(out, _total(out, axis), out)


@softmax.specialize
def _(out: TensorSpec, x: TensorSpec, axis: int) -> Any:
    if not _few(x, axis):
        return None
    if _rows(x, axis):
        top, total = _spread_top(x), _spread_total(x)

        def softmax_run_rows(x: Array) -> Array:
            y = top(x)
            np.subtract(x, y, y)
            np.exp(y, y)
            return np.divide(y, total(y), y)

        return softmax_run_rows
    total = blocked_sum.adder(x.shape, x.dtype.np.char, (axis % x.ndim,), True)

    def softmax_run(x: Array) -> Array:
        y = np.subtract(x, _top(x, axis, None, None, True))
        np.exp(y, y)
        return np.divide(y, total(y), y)

    return softmax_run


def _rows(x: TensorSpec, axis: int) -> bool:
    """True if there are few numbers, and ``axis`` is the last: then NumPy's reductions would take most of the time."""
    return axis % x.ndim == x.ndim - 1 and x.size <= _SMALL and x.dtype.itemsize >= 4


def _spread_top(x: TensorSpec) -> Any:
    """A function that gives the maxima of rows, each as many times as the row is long: nothing is left to broadcast."""
    shape, length = x.shape, x.shape[-1]
    first = np.arange(0, x.size, length).reshape(shape[:-1])

    def spread_top_run(x: Array) -> Array:
        return x.take(np.add(x.argmax(-1), first)).repeat(length).reshape(shape)

    return spread_top_run


def _spread_total(x: TensorSpec) -> Any:
    """The same with the sums of rows."""
    shape, length = x.shape, x.shape[-1]
    ones = np.ones(length, x.dtype.np)
    if x.ndim == 2:
        return lambda x: x.dot(ones).repeat(length).reshape(shape)
    return lambda x: x.reshape(-1, length).dot(ones).repeat(length).reshape(shape)


_SMALL = 1 << 12  # numbers of which the steps take less time than a call of NumPy's
_top: Any = np.maximum.reduce


def _few(x: TensorSpec, axis: int) -> bool:
    """True if NumPy's own reductions are what is needed along an axis."""
    return bool(x.shape) and x.size > 0 and x.dtype.kind == "f" and x.shape[axis] < blocked_sum.DEEP


@softmax.prepare
def _(specs: tuple[TensorSpec, ...], axis: int) -> Prepared | None:
    """Along the last axis, some rows at a time: maxima and sums are written into the same memory at every run."""
    (x,) = specs
    if x.ndim == 0 or axis % x.ndim != x.ndim - 1 or x.size == 0 or x.dtype.name not in ("float32", "float64"):
        return None
    length = x.shape[-1]
    rows = x.size // length
    height = max(1, _PART // length)

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        (column,) = work
        parts = [(slice(i, min(i + height, rows)), column[: min(height, rows - i)]) for i in range(0, rows, height)]
        top: Any = np.maximum.reduce
        total: Any = np.add.reduce
        subtract, exp, divide = np.subtract, np.exp, np.divide

        def softmax_run(x: Array) -> Array:
            result = empty(x.shape, x.dtype) if out is None else out
            source, target = x.reshape(rows, length), result.reshape(rows, length)
            for part, one in parts:
                y = target[part]
                top(source[part], 1, None, one, True)
                subtract(source[part], one, y)
                exp(y, y)
                total(y, 1, None, one, True)
                divide(y, one, y)
            return result

        return softmax_run

    return Prepared([x.with_shape((min(height, rows), 1))], [], bind)


@softmax.grad_kernel
def _(x: Array, out: Array, g: Array, axis: int) -> Any:
    return softmax_grad.op.kernel_for("numpy")(np, out, g, axis)


@softmax.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return softmax_grad(ctx.out, g, ctx.axis)


@op("softmax_grad(Out, G -> DX) axis:int", file=None)
def softmax_grad(result: Tensor, g: Tensor, axis: int) -> Tensor:
    """``result * (g - sum(result * g))`` along ``axis``: the gradient of a softmax, from its ``result``."""
    return softmax_grad.emit(result, g, axis=axis)


@softmax_grad.infer
def _(result: TensorSpec, g: TensorSpec, axis: int) -> TensorSpec:
    return result


@softmax_grad.kernel
def _(xp: ArrayModule, result: Array, g: Array, axis: int) -> Array:
    work = xp.multiply(result, g, xp.empty_like(result))
    total = _total(work, axis) if work.ndim else work.copy()
    xp.subtract(g, total, work)
    return xp.multiply(work, result, work)


@softmax_grad.grad
def _(ctx: GradContext, gg: Tensor) -> Any:
    out, g = ctx.inputs
    axis = ctx.axis if out.ndim else None
    through = None
    if ctx.needs[0]:
        through = gg * (g - (out * g).sum(axis, keepdim=True)) - g * (gg * out).sum(axis, keepdim=True)
    return through, softmax_grad(out, gg, ctx.axis) if ctx.needs[1] else None


@op("log_softmax(X -> Out) axis:int")
def log_softmax(x: Tensor, axis: int = -1, dtype: DType | str | None = None, name: str | None = None) -> Any:
    """``log(softmax(x))`` along ``axis``, computed without taking the logarithm of a rounded 0. Errors as `softmax`.

    ``dtype``: convert ``x`` to it first.

    Example:
        >>> F.log_softmax(paddle.to_tensor([[0.0, 0.0]])).tolist()
        [[-0.6931471824645996, -0.6931471824645996]]
    """
    if dtype is not None:
        x = F.cast(x, dtype)
    if dynamic_axis.is_number(axis):
        return dynamic_axis.each("log_softmax", axis, x.ndim, lambda a: log_softmax(x, a))
    return log_softmax.emit(x, axis=int(axis))


@log_softmax.infer
def _(x: TensorSpec, axis: int) -> TensorSpec:
    shape_rules.axis_index(axis, max(x.ndim, 1), "log_softmax")
    return dtype_checks.need_order(dtype_checks.need_float(x, "log_softmax"), "log_softmax")


@log_softmax.kernel
def _(xp: ArrayModule, x: Array, axis: int, out: Array | None = None) -> Array:
    out = _shifted(xp, x, axis, out)
    if x.size == 0:
        return out
    work = xp.exp(out)
    return xp.subtract(out, xp.log(_total(work, axis)), out)


@log_softmax.specialize
def _(out: TensorSpec, x: TensorSpec, axis: int) -> Any:
    if not _few(x, axis):
        return None
    if _rows(x, axis):
        top, shape, length, ones, is_matrix = _spread_top(x), x.shape, x.shape[-1], np.ones(x.shape[-1], x.dtype.np), x.ndim == 2

        def log_softmax_run_rows(x: Array) -> Array:
            y = top(x)
            np.subtract(x, y, y)
            row_sums = np.exp(y).dot(ones) if is_matrix else np.exp(y).reshape(-1, length).dot(ones)
            return np.subtract(y, np.log(row_sums, row_sums).repeat(length).reshape(shape), y)

        return log_softmax_run_rows
    total = blocked_sum.adder(x.shape, x.dtype.np.char, (axis % x.ndim,), True)

    def log_softmax_run(x: Array) -> Array:
        y = np.subtract(x, _top(x, axis, None, None, True))
        return np.subtract(y, np.log(total(np.exp(y))), y)

    return log_softmax_run


@log_softmax.grad_kernel
def _(x: Array, out: Array, g: Array, axis: int) -> Any:
    share = np.exp(out)
    return np.subtract(g, np.multiply(share, _total(g, axis)))


@log_softmax.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g - F.exp(ctx.out) * g.sum(ctx.axis if g.ndim else None, keepdim=True)


@op("maxout(X -> Out) groups:int axis:int")
def maxout(x: Tensor, groups: int, axis: int = 1, name: str | None = None) -> Tensor:
    """The maximum over each group of ``groups`` neighbouring channels: dimension ``axis`` shrinks by that factor.

    Raises ShapeError when the dimension is not divisible by ``groups``, ArgumentError for groups of less than 2.

    Source: Goodfellow et al., "Maxout Networks".
    ``x``: ``[N, C, *]``.

    Example:
        >>> F.maxout(paddle.to_tensor([[1.0, 3.0, 7.0, 5.0]]), 2).tolist()
        [[3.0, 7.0]]
    """
    if groups < 2:
        raise ArgumentError(f"maxout: groups must be at least 2, got {groups}: of one channel there is no maximum to take")
    return maxout.emit(x, groups=int(groups), axis=int(axis))


@maxout.infer
def _(x: TensorSpec, groups: int, axis: int) -> TensorSpec:
    dtype_checks.need_order(dtype_checks.need_float(x, "maxout"), "maxout")
    k = shape_rules.axis_index(axis, x.ndim, "maxout")
    size = x.shape[k]
    if size != UNKNOWN and size % groups:
        raise ShapeError(f"maxout: dimension {axis} of {show(x.shape)} is not divisible into groups of {groups}")
    return x.with_shape((*x.shape[:k], size if size == UNKNOWN else size // groups, *x.shape[k + 1 :]))


@maxout.kernel
def _(xp: ArrayModule, x: Array, groups: int, axis: int) -> Array:
    k = axis % x.ndim
    return x.reshape(*x.shape[:k], x.shape[k] // groups, groups, *x.shape[k + 1 :]).max(axis=k + 1)


@maxout.specialize
def _(out: TensorSpec, x: TensorSpec, groups: int, axis: int) -> Any:
    k = axis % x.ndim
    shape, largest = (*out.shape[: k + 1], groups, *x.shape[k + 1 :]), np.maximum.reduce
    return (lambda x: largest(x.reshape(shape), k + 1)) if out.size else None


@maxout.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, k = ctx.x, ctx.axis % ctx.x.ndim
    shape = [*x.shape[:k], -1, ctx.groups, *x.shape[k + 1 :]]
    hit = (x.reshape(shape) == ctx.out.unsqueeze(k + 1)).astype(x.dtype)
    return (hit * g.unsqueeze(k + 1)).reshape(x.shape)


def glu(x: Tensor, axis: int = -1, name: str | None = None) -> Tensor:
    """``a * sigmoid(b)`` where ``a`` and ``b`` are the halves of ``x`` along ``axis``.

    Raises ShapeError when that dimension is not even.

    Source: Dauphin et al., "Language Modeling with Gated Convolutional Networks".

    Example:
        >>> F.glu(paddle.to_tensor([[3.0, 0.0]])).tolist()
        [[1.5]]
    """
    size = x.spec.shape[shape_rules.dimension_index(axis, x.ndim, "glu")]
    if size != UNKNOWN and size % 2:
        raise ShapeError(f"glu: dimension {axis} of {show(x.spec.shape)} must be even")
    a, b = F.chunk(x, 2, axis)
    return a * F.sigmoid(b)


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-2, 2, shape).astype("float32")


_AXES: tuple[Any, ...] = (((3, 4), -1), ((2, 3, 4), 1), ((2, 3), 0), ((2, 0), 1), ((), -1))
softmax.samples(
    lambda: [*(Sample(_f(*s), axis=a) for s, a in _AXES), Sample(np.asarray([[-1e4, 1, 3]], "float32"), axis=-1)]
)
log_softmax.samples(
    lambda: [*(Sample(_f(*s), axis=a) for s, a in _AXES), Sample(np.asarray([[-1e4, 1, 3]], "float32"), axis=-1)]
)
softmax_grad.samples(lambda: [Sample(_f(*s), _f(*s, seed=1), axis=a) for s, a in _AXES])
maxout.samples(lambda: [Sample(_f(2, 6, 3), groups=2, axis=1), Sample(_f(2, 6), groups=3, axis=-1)])
