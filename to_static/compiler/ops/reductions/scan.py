"""Cumulative functions: cumsum, cumprod, cummax, cummin; and the product over dimensions."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir import mode as modes
from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import blocked_sum, dynamic_axis, dynamic_sizes, operands, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.indexing.along_axis import added_along
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.reductions import reduce
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType, as_dtype, int64
from to_static.core.errors import OUT_OF_RANGE, DTypeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader


@op(
    "cumsum(X -> Out) axis:int exclusive:bool reverse:bool",
    file_attrs={"flatten": ("bool", False)},
    method=True,
    inplace=True, traits="integral",
)
def cumsum(x: Tensor, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Any:
    """Sums of the elements up to each position along ``axis`` (None: of the flattened tensor), as ``dtype`` if given.

    ``x``: numbers; the result has its shape.

    Example:
        >>> paddle.cumsum(paddle.to_tensor([[1, 2], [3, 4]]), axis=1).tolist()
        [[1, 3], [3, 7]]
    """
    if dtype is not None:
        x = F.cast(x, as_dtype(dtype))
    if axis is None:
        x, axis = F.flatten(x), 0
    if x.ndim == 0:
        return F.assign(x)
    if type(axis) is not int and dynamic_axis.is_late(axis):
        return dynamic_axis.each("cumsum", axis, x.ndim, lambda a: cumsum(x, a))
    return cumsum.emit(x, axis=shape_rules.axis_index(axis, x.ndim, "cumsum", OUT_OF_RANGE), exclusive=False, reverse=False)


@cumsum.infer
def _(x: TensorSpec, axis: int, exclusive: bool, reverse: bool) -> TensorSpec:
    shape_rules.axis_index(axis, x.ndim, "cumsum", OUT_OF_RANGE)
    if x.dtype.kind == "b":
        raise DTypeError("cumsum: bool tensors are not supported; convert with astype('int64'), or give dtype")
    return x


_WIDE = 128  # numbers in a row from which on rows are added one at a time
_BLOCK = 16  # numbers that may be added one after the other in single precision
_PART = 1 << 14  # numbers that are added up at a time in double precision
_BROAD, _MANY = 32, 1 << 16  # numbers in a row, and in all of one row after the other, from which on blocks are quicker


def _rows_summed(x: Array, axis: int) -> Array:
    """``x.cumsum(axis)``, for which NumPy goes along that axis, whichever way the numbers lie."""
    total = x.copy()
    rows = np.moveaxis(total, axis, 0)
    for previous, row in itertools.pairwise(rows):
        np.add(previous, row, row)
    return total


def _in_blocks(x: Any, axis: int) -> Any:
    """``x.cumsum(axis)``: within blocks in the precision of ``x``, what is before each block in double precision."""
    if x.dtype.char == "e":
        return _in_blocks(x.astype("float32"), axis).astype("float16")
    total = np.array(x, order="C")
    count = x.shape[axis]
    rows = total.reshape(math.prod(x.shape[:axis]), count, math.prod(x.shape[axis + 1 :]))
    block_count = count // _BLOCK
    blocks, tail = rows[:, : block_count * _BLOCK].reshape(len(rows), block_count, _BLOCK, -1), rows[:, block_count * _BLOCK :]
    for i in range(1, _BLOCK):
        np.add(blocks[:, :, i - 1], blocks[:, :, i], blocks[:, :, i])
    for i in range(1, tail.shape[1]):
        np.add(tail[:, i - 1], tail[:, i], tail[:, i])
    ends = blocks[:, :, -1].astype(_precise(x)).cumsum(1)
    first = ends.astype(x.dtype)
    for part in ((ends - first).astype(x.dtype), first):  # what the first digits leave, and these
        blocks[:, 1:] += part[:, :-1, None]
        tail += part[:, -1:]
    return total


def _in_parts(x: Any, axis: int) -> Any:
    """``x.cumsum(axis)`` in double precision, some rows at a time: all of them would need new memory, twice that of ``x``."""
    total = np.empty(x.shape, x.dtype)
    rows, target, carried_sum = np.moveaxis(x, axis, 0), np.moveaxis(total, axis, 0), np.zeros((), _precise(x))
    step = _PART * len(rows) // x.size
    for i in range(0, len(rows), step):
        part = np.add.accumulate(rows[i : i + step], 0, carried_sum.dtype)
        part += carried_sum
        target[i : i + step] = part
        carried_sum = part[-1]
    return total


def _long_sums(x: Array, axis: int) -> Array:
    """``x.cumsum(axis)`` where it is long: the quickest way to have it precise."""
    width = math.prod(x.shape[axis + 1 :])
    if width >= _BROAD or (width == 1 and x.size >= _MANY):
        return _in_blocks(x, axis)
    if x.size >= _MANY and _PART * x.shape[axis] >= _BLOCK * x.size:
        return _in_parts(x, axis)
    return _accumulated(np, "cumsum", x, axis)


def _long(x: Array, axis: int) -> bool:
    """True if rounding errors of each step along an axis would add up to something."""
    return x.dtype.char in "efF" and x.shape[axis] >= blocked_sum.DEEP


def _precise(x: Array) -> str:
    return "complex128" if x.dtype.char == "F" else "float64"


_FEW, _SHORT = 1 << 12, 64  # numbers, and numbers along the axis, of which a product is quicker than NumPy's accumulation
_SEVERAL = 1 << 16  # numbers of which products of blocks are quicker
_SIDES = (10, 8, 9, 12, 16, 11, 7, 13, 14, 15, 6, 5)  # of blocks, the quickest first


def _by_product(x: Any, axis: int, reverse: bool = False) -> Any:
    """Compute ``x.cumsum(axis)`` of few elements as a product with a triangle of ones; None if that is not possible or slower.

    ``reverse``: the sums start at the end.
    """
    size, count = x.size, x.shape[axis]
    if x.dtype.char not in "fd" or not 0 < size <= _SEVERAL:
        return None
    single = size <= _FEW and count <= _SHORT and x.ndim <= 2
    if not single and (reverse or not (_SHORT // 2 < count < blocked_sum.DEEP and _side(count))):
        return None
    flat = x.ravel()
    if not flat.dot(flat) < math.inf:  # infinity times 0 would be nan
        return None
    if not single:
        return _by_blocks(x, axis, _side(count))
    ones = _triangle(count, x.dtype.char)
    ones = ones.T if reverse else ones
    return ones.dot(x) if axis % x.ndim == 0 else x.dot(ones.T)


def _by_blocks(x: Any, axis: int, side: int) -> Any:
    """Compute ``x.cumsum(axis)`` in blocks of ``side`` elements: one product within blocks, one over the sums of blocks."""
    count, char = x.shape[axis], x.dtype.char
    outer, inner = math.prod(x.shape[:axis]), math.prod(x.shape[axis % x.ndim + 1 :])
    ones, strict_triangle = _triangle(side, char), _triangle(count // side, char, -1)
    if inner == 1:
        blocks = x.reshape(-1, side).dot(ones.T).reshape(outer, -1, side)
        blocks += blocks[:, :, -1].dot(strict_triangle.T)[:, :, None]
    else:
        blocks = np.matmul(ones, x.reshape(outer, -1, side, inner))
        blocks += np.matmul(strict_triangle, blocks[:, :, -1])[:, :, None]
    return blocks.reshape(x.shape)


@functools.lru_cache(maxsize=256)
def _side(count: int) -> int:
    return next((side for side in _SIDES if count % side == 0 and count > side), 0)


@functools.lru_cache(maxsize=4 * _SHORT)
def _triangle(size: int, char: str, diagonal: int = 0) -> Any:
    return np.tri(size, k=diagonal, dtype=char)


def _accumulated(xp: ArrayModule, ufunc: str, x: Array, axis: int) -> Array:
    """``cumsum`` or ``cumprod``, in double precision where it is long."""
    if _long(x, axis):
        return getattr(xp, ufunc)(x, axis, dtype=_precise(x)).astype(x.dtype)
    return getattr(xp, ufunc)(x, axis, dtype=x.dtype)


@cumsum.specialize
def _(out: TensorSpec, x: TensorSpec, axis: int, exclusive: bool, reverse: bool) -> Any:
    if not x.ndim or exclusive or reverse or x.shape[axis] >= blocked_sum.DEEP:
        return None
    dtype, accumulate, kernel = x.dtype.np, np.add.accumulate, cumsum.op.kernel_for("numpy")
    if dtype.char not in "fd" or x.size > _SEVERAL:
        return None if x.size >= _WIDE * x.shape[axis] else lambda x: accumulate(x, axis, dtype)

    def cumsum_run(x: Array) -> Array:
        total = _by_product(x, axis)
        return kernel(np, x, axis, exclusive, reverse) if total is None else total

    return cumsum_run


@cumsum.kernel
def _(xp: Any, x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    if x.ndim == 0:  # array modules make these 1-D
        return x - x if exclusive else x.copy()
    source, axis = xp.flip(x, axis) if reverse else x, axis % x.ndim
    apart = xp is np and x.shape[axis] and axis != x.ndim - 1 and x.size // x.shape[axis] >= _WIDE
    if xp is np and x.size and _long(x, axis):
        total = _long_sums(source, axis)
    elif xp is not np or (total := _by_product(source, axis)) is None:
        total = _rows_summed(source, axis) if apart else _accumulated(xp, "cumsum", source, axis)
    if exclusive:
        total = total - source
    return xp.flip(total, axis) if reverse else total


@cumsum.grad_kernel
def _(x: Array, out: Array, g: Array, axis: int, exclusive: bool, reverse: bool) -> Any:
    total = _by_product(g, axis, not reverse) if x.ndim and not exclusive else None
    return cumsum.op.kernel_for("numpy")(np, g, axis, exclusive, not reverse) if total is None else total


@cumsum.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return cumsum.emit(g, axis=ctx.axis, exclusive=ctx.exclusive, reverse=not ctx.reverse)


@cumsum.from_file
def _(r: FileReader) -> Any:
    x, axis = r.input("X"), r.integer("axis", -1)
    exclusive, reverse = r.attr("exclusive", False), r.attr("reverse", False)
    if r.attr("flatten", False):
        x, axis = F.flatten(x), 0
    if dynamic_axis.is_late(axis):
        return dynamic_axis.each("cumsum", axis, x.ndim, lambda a: cumsum.emit(x, axis=a, exclusive=exclusive, reverse=reverse))
    return cumsum.emit(x, axis=axis, exclusive=exclusive, reverse=reverse)


cumsum.samples(
    lambda: [
        Sample(f32(2, 3), axis=1, exclusive=False, reverse=False),
        Sample(f32(2, 3), axis=0, exclusive=True, reverse=True),
        Sample(np.asarray([1, 2, 3], "int32"), axis=-1, exclusive=False, reverse=True),
    ]
)


@op(
    "logcumsumexp(X -> Out) axis:int reverse:bool",
    file_attrs={"flatten": ("bool", False), "exclusive": ("bool", False)},
    method=True,
)
def logcumsumexp(x: Tensor, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """Logarithms of the sums of the exponentials up to each position along ``axis`` (None: of the flattened tensor).

    ``dtype``: that of the result. Raises DTypeError for anything but floats.
    ``x``: floats; the result has its shape.

    Example:
        >>> paddle.logcumsumexp(paddle.to_tensor([0.0, 0.0])).tolist()          # log(1), log(2)
    """
    if dtype is not None:
        x = F.cast(x, as_dtype(dtype))
    if axis is None:
        x, axis = F.flatten(x), 0
    if x.ndim == 0:
        return F.assign(x)
    return logcumsumexp.emit(x, axis=shape_rules.axis_index(axis, x.ndim, "logcumsumexp"), reverse=False)


@logcumsumexp.infer
def _(x: TensorSpec, axis: int, reverse: bool) -> TensorSpec:
    shape_rules.axis_index(axis, x.ndim, "logcumsumexp")
    if x.dtype.kind != "f":
        raise DTypeError(f"logcumsumexp: expected floating-point numbers, got {x.dtype.name}")
    return x


@logcumsumexp.kernel
def _(xp: Any, x: Any, axis: int, reverse: bool) -> Any:
    if xp is np:
        source = xp.flip(x, axis) if reverse else x
        scanned = np.logaddexp.accumulate(source, axis, "float64" if _long(x, axis) else x.dtype).astype(x.dtype, copy=False)
        return xp.ascontiguousarray(xp.flip(scanned, axis) if reverse else scanned)
    line = xp.moveaxis(x, axis, 0)
    total = line.copy()
    order = range(line.shape[0])
    previous = None
    for k in reversed(order) if reverse else order:
        if previous is not None:
            total[k] = xp.logaddexp(total[previous], line[k])
        previous = k
    return xp.moveaxis(total, 0, axis).copy()


@logcumsumexp.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    # dx[i] is the sum of g[j] * exp(x[i] - out[j]) from i on: sums of exponentials again, of each sign by itself
    x, out = ctx.x, ctx.out
    where, zeros = F.where, F.zeros_like(g)
    low = float(np.finfo(x.dtype.np).min) / 8

    def of_sign(part: Tensor) -> Tensor:
        some = part > 0
        logs = where(some, F.log(where(some, part, zeros + 1)) - out, zeros + low)
        blocked_sum = logcumsumexp.emit(logs, axis=ctx.axis, reverse=not ctx.reverse)
        return F.exp(x + blocked_sum)

    return of_sign(g) - of_sign(-g)


@logcumsumexp.from_file
def _(r: FileReader) -> Any:
    x, axis = r.input("X"), r.attr("axis", -1)
    if r.attr("exclusive", False):
        r.refuse("sums without the element itself are not supported")
    if r.attr("flatten", False):
        x, axis = F.flatten(x), 0
    return logcumsumexp.emit(x, axis=axis, reverse=r.attr("reverse", False))


logcumsumexp.samples(
    lambda: [
        Sample(f32(2, 5), axis=1, reverse=False),
        Sample(f32(3, 2) * 100, axis=0, reverse=True, grad=()),
        Sample(f32(3), axis=-1, reverse=True),
    ]
)


def _extremes(x: Array, axis: int, ufunc: str, dtype: DType) -> tuple[Array, ...]:
    """Running extremes and their positions: of equal elements the later one is named, and nan stays from the first one on."""
    best = getattr(np, ufunc).accumulate(x, axis)
    named = np.equal(x, best)
    if x.dtype.kind == "f":
        missing = np.isnan(best)
        if np.count_nonzero(missing):
            line, lines = np.moveaxis(named, axis, 0), np.moveaxis(missing, axis, 0)
            line[0] |= lines[0]
            line[1:] |= lines[1:] & ~lines[:-1]
    count = x.shape[axis]
    index = np.arange(count, dtype=dtype.np).reshape((count,) + (1,) * (x.ndim - 1 - axis % x.ndim))
    position = np.multiply(named, index)
    return best, np.maximum.accumulate(position, axis, out=position)


def _declare_extreme(name: str, ufunc: str, doc: str) -> Any:
    def front_function(
        x: Any, axis: int | None = None, dtype: Any = "int64", name: str | None = None
    ) -> tuple[Tensor, ...]:
        if axis is None:
            x, axis = F.flatten(x), 0
        if not x.ndim and axis in (0, -1):
            return tuple(F.squeeze(part, 0) for part in front_function(F.unsqueeze(x, 0), 0, dtype))
        return front.emit(x, axis=shape_rules.axis_index(axis, x.ndim, front.__name__), dtype=as_dtype(dtype))

    front_function.__name__ = front_function.__qualname__ = name
    front_function.__doc__ = f"""{doc} up to each position along ``axis`` (None: of the flattened tensor), and its position.

    ``x``: numbers; both results have its shape. ``dtype``: of the positions, 'int64' or 'int32'.
    Raises DTypeError for booleans and complex numbers.

    Example:
        >>> values, positions = paddle.{name}(paddle.to_tensor([2, 3, 1]))
        >>> values.tolist(), positions.tolist()
        {([2, 3, 3], [0, 1, 1]) if name == "cummax" else ([2, 2, 1], [0, 0, 2])}
    """
    front: Any = op(f"{name}(x -> out, indices) axis:int dtype:dtype", method=True)(front_function)

    @front.infer
    def infer(x: TensorSpec, axis: int, dtype: DType) -> tuple[TensorSpec, ...]:
        if x.dtype.kind not in "iuf":
            raise DTypeError(f"{name}: expected a tensor of numbers, got {x}")
        return x, x.with_dtype(dtype)

    @front.kernel
    def kernel(xp: ArrayModule, x: Array, axis: int, dtype: DType) -> tuple[Array, ...]:
        if xp is np and x.size:
            return _extremes(x, axis, "maximum" if ufunc == "greater_equal" else "minimum", dtype)
        line = xp.moveaxis(x, axis, 0)
        best, position = line.copy(), xp.empty(line.shape, dtype.np)
        position[:1] = 0
        for k in range(1, line.shape[0]):
            # the later of equal elements is named; nan wins and stays
            wins = getattr(xp, ufunc)(line[k], best[k - 1]) | ((line[k] != line[k]) & (best[k - 1] == best[k - 1]))
            best[k] = xp.where(wins, line[k], best[k - 1])
            position[k] = xp.where(wins, xp.asarray(k, dtype.np), position[k - 1])
        return xp.moveaxis(best, 0, axis), xp.moveaxis(position, 0, axis)

    @front.grad_kernel
    def grad_kernel(x: Array, out: Array, indices: Array, g: Array, axis: int, dtype: DType) -> Any:
        return added_along(x.shape, indices, g, axis)

    @front.grad
    def grad(ctx: GradContext, g: Tensor, _places: Tensor) -> Any:
        put = F.put_along_axis
        return put(F.zeros_like(ctx.x), ctx.outputs[1], g, ctx.axis, "add", broadcast=False)

    front.samples(
        lambda: [Sample(f32(2, 5), axis=1, dtype=int64), Sample(np.asarray([[3, 1], [3, 2]]), axis=0, dtype=int64)]
    )
    return front


cummax = _declare_extreme("cummax", "greater_equal", "The maximum")
cummin = _declare_extreme("cummin", "less_equal", "The minimum")


@op("cumprod(X -> Out) axis=dim:int", method=True, inplace=True)
def cumprod(x: Tensor, dim: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """Products of the elements up to each position along ``dim`` (None: of the flattened tensor), as ``dtype`` if given.

    ``x``: numbers; the result has its shape.

    Example:
        >>> paddle.cumprod(paddle.to_tensor([1, 2, 3]), dim=0).tolist()
        [1, 2, 6]
    """
    if dtype is not None:
        x = F.cast(x, as_dtype(dtype))
    if dim is None:
        x, dim = F.flatten(x), 0
    return F.assign(x) if x.ndim == 0 else cumprod.emit(x, axis=shape_rules.axis_index(dim, x.ndim, "cumprod"))


@cumprod.infer
def _(x: TensorSpec, axis: int) -> TensorSpec:
    shape_rules.axis_index(axis, x.ndim, "cumprod")
    return x


@cumprod.specialize
def _(out: TensorSpec, x: TensorSpec, axis: int) -> Any:
    by_columns = x.ndim and x.shape[axis] < blocked_sum.DEEP
    dtype, accumulate = x.dtype.np, np.multiply.accumulate
    return (lambda x: accumulate(x, axis, dtype)) if by_columns else None


@cumprod.kernel
def _(xp: Any, x: Any, axis: int) -> Any:
    return _accumulated(xp, "cumprod", x, axis).reshape(x.shape)


def _shift(x: Tensor, axis: int, by: int, fill: float) -> Tensor:
    """``x`` moved ``by`` places towards the end of ``axis`` (towards its start when negative), with ``fill`` coming in."""
    n = x.spec.shape[axis]
    leading = (slice(None),) * axis
    remaining = (*leading, slice(0, n - by) if by > 0 else slice(-by, n))
    lost = (*leading, slice(n - by, n) if by > 0 else slice(0, -by))
    new = F.full_like(x[lost], fill)
    return F.concat([new, x[remaining]] if by > 0 else [x[remaining], new], axis)


def _cumprod_grad(x: Tensor, g: Tensor, axis: int) -> Tensor:
    """The exact gradient also at zeros, from products and sums alone (so that it can be differentiated again).

    dx[i] = left[i] * s[i] with left the product before i and s[i] = g[i] + x[i+1] * s[i+1]; both recurrences by doubling.
    """
    n = x.spec.shape[axis]
    if n == UNKNOWN:
        return _dynamic_cumprod_grad(x, g, axis)
    factors_before = _shift(x, axis, 1, 1.0) if n > 1 else F.ones_like(x)
    factor = _shift(x, axis, -1, 0.0) if n > 1 else F.zeros_like(x)
    total = g
    step = 1
    while step < n:
        factors_before = factors_before * _shift(factors_before, axis, step, 1.0)
        total = total + factor * _shift(total, axis, -step, 0.0)
        factor = factor * _shift(factor, axis, -step, 0.0)
        step *= 2
    return factors_before * total


def _dynamic_cumprod_grad(x: Tensor, g: Tensor, axis: int) -> Tensor:
    """`_cumprod_grad` in a loop of the Program, which knows how often to double."""
    n = F.dim_size(x, axis)

    def shifted(x: Tensor, by: Tensor, fill: float) -> Tensor:
        position = F.arange(n) - by
        inside = F.logical_and(position >= 0, position < n)
        source = F.where(inside, position, F.zeros_like(position))
        inside = F.reshape(inside, [-1 if i == axis else 1 for i in range(x.ndim)])
        return F.where(inside, F.index_select(x, source, axis), operands.constant(fill, x.dtype))

    def double(factors_before: Tensor, factor: Tensor, total: Tensor, step: Tensor) -> list[Any]:
        total = total + factor * shifted(total, -step, 0.0)
        return [factors_before * shifted(factors_before, step, 1.0), factor * shifted(factor, -step, 0.0), total, step * 2]

    one = dynamic_sizes.as_tensor_size(1)
    first = [shifted(x, one, 1.0), shifted(x, -one, 0.0), g, one]
    factors_before, _, total, _ = modes.current().while_loop(lambda factors_before, factor, total, step: step < n, double, first)
    return factors_before * total


def _divisible(product: Array) -> bool:
    """True for products without a factor that is 0, and without overflow or lost digits: what one of them is divided by."""
    size = np.absolute(product)
    smallest = np.minimum.reduce(size, None, initial=1.0)
    return bool(smallest >= np.finfo(size.dtype).tiny and np.maximum.reduce(size, None, initial=1.0) < math.inf)  # nan is neither


@cumprod.grad_kernel
def _(x: Array, out: Array, g: Array, axis: int) -> Any:
    if not _divisible(out):
        return None
    weighted = np.flip(np.multiply(g, out, dtype=_precise(x)), axis)
    total = np.add.accumulate(weighted, axis)
    slope = np.divide(np.flip(total, axis), x).astype(x.dtype, copy=False)
    return slope if np.isfinite(total).all() else None


@cumprod.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return _cumprod_grad(ctx.x, g, ctx.axis % ctx.x.ndim)


cumprod.samples(
    lambda: [
        Sample(f32(2, 5), axis=1),
        Sample(np.asarray([2.0, 0.0, 3.0, 0.5], "float32"), axis=0),
        Sample(np.asarray([1, 2, 3]), axis=-1),
    ]
)


def _product_of_others(x: Tensor, axis: int) -> Tensor:
    """For each element the product of all others along the last dimension ``axis``: of those before it, and of those after it."""
    ones = F.ones_like(x[..., :1])

    def of_earlier(y: Tensor) -> Tensor:
        return F.concat([ones, cumprod(y, axis)[..., :-1]], axis)

    return of_earlier(x) * F.flip(of_earlier(F.flip(x, axis)), axis)


def _prod_grad(ctx: GradContext, g: Tensor) -> Tensor:
    x, axes = ctx.x, list(ctx.axis)
    if not axes:
        return g
    other_axes = [i for i in range(x.ndim) if i not in axes]
    order = other_axes + axes
    flat = F.transpose(x, order)
    shape = flat.shape
    flat = F.flatten(flat, len(other_axes), -1)
    seed = F.unsqueeze(F.squeeze(g, axes) if ctx.keepdim else g, -1)
    back = _product_of_others(flat, len(other_axes)) * seed
    inverse = sorted(range(x.ndim), key=lambda i: order[i])
    return F.transpose(F.reshape(back, shape), inverse)


def _products() -> list[Sample]:
    return [
        Sample(f32(2, 3, 2), axis=(0, 1, 2), keepdim=False),
        Sample(f32(2, 3, 2), axis=(1,), keepdim=True),
        Sample(np.asarray([[2.0, 0.0, 3.0], [0.0, 1.0, 0.0]], "float32"), axis=(1,), keepdim=False),
        Sample(np.asarray([[3, 1], [2, 2]]), axis=(1,), keepdim=False),
    ]


_product = reduce.declare("prod", "prod", "The product.", "reduce_prod", _prod_grad, "iufc", _products)


@_product.grad_kernel
def _(x: Array, out: Array, g: Array, axis: Any, keepdim: bool) -> Any:
    product = np.multiply.reduce(x, tuple(axis), _precise(x), keepdims=True)
    if not _divisible(product):
        return None
    slope = np.asarray(np.divide(product, x))
    return np.multiply(slope, g if keepdim else g.reshape(product.shape), slope).astype(x.dtype, copy=False)


@_product.kernel
def _(xp: Any, x: Any, axis: Any, keepdim: bool, out: Any = None) -> Any:
    if x.dtype.char not in "efF" or math.prod(x.shape[a] for a in axis) < blocked_sum.DEEP:
        return x.prod(tuple(axis), x.dtype, out, keepdim)
    product = xp.asarray(x.prod(tuple(axis), _precise(x), None, keepdim)).astype(x.dtype)
    if out is None:
        return product
    out[...] = product
    return out


def prod(
    x: Tensor,
    axis: int | Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """The product over ``axis`` (an int, several, or None for all), computed as ``dtype`` if given.

    ``x``: numbers; ``keepdim`` keeps the dimensions with size 1.

    Example:
        >>> paddle.prod(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), axis=1).tolist()
        [2.0, 12.0]
    """
    if dtype is not None:
        dtype = as_dtype(dtype)
        x = F.cast(x, dtype)
    return _product(x, axis, keepdim)


method()(prod)
