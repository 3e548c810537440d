"""Triangles and diagonals of matrices: tril, triu, diag, diagonal, trace."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import FrozenAttrs, GradContext, Sample, method, op
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import blocked_sum, dtype_checks, dynamic_sizes, operands, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import as_dtype, bool_, int64
from to_static.core.errors import ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader


@op("tril_triu(X -> Out) diagonal:int! lower:bool", traits="integral")
def tril_triu(x: Tensor, diagonal: int, lower: bool) -> Any:
    """The part of the last two dimensions on one side of a diagonal; the rest is 0."""
    if dynamic_sizes.is_dynamic(diagonal) and x.ndim > 1:
        rows, columns = (F.arange(x.shape[axis]) for axis in (-2, -1))
        away, diagonal = columns - rows.unsqueeze(-1), dynamic_sizes.as_tensor_size(diagonal)
        return F.where(away <= diagonal if lower else away >= diagonal, x, F.zeros_like(x))
    return tril_triu.emit(x, diagonal=int(diagonal), lower=lower)


@tril_triu.infer
def _(x: TensorSpec, diagonal: int, lower: bool) -> TensorSpec:
    if x.ndim < 2:
        raise ShapeError(f"{'tril' if lower else 'triu'}: expected at least 2 dimensions, got {show(x.shape)}")
    return x


@tril_triu.kernel
def _(xp: ArrayModule, x: Array, diagonal: int, lower: bool) -> Any:
    return xp.tril(x, diagonal) if lower else xp.triu(x, diagonal)


@tril_triu.specialize
def _(out: TensorSpec, x: TensorSpec, lower: bool) -> Any:
    rows, columns = x.shape[-2:]
    zero = np.zeros((), x.dtype.np)

    @functools.lru_cache(maxsize=16)
    def below(diagonal: int) -> Any:
        return np.tri(rows, columns, diagonal if lower else diagonal - 1, dtype=bool)

    if lower:
        return lambda x, diagonal: np.where(below(diagonal), x, zero)
    return lambda x, diagonal: np.where(below(diagonal), zero, x)


@tril_triu.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return tril_triu.emit(g, diagonal=ctx.diagonal, lower=ctx.lower)


tril_triu.samples(
    lambda: [
        Sample(f32(3, 4), diagonal=0, lower=True),
        Sample(f32(2, 3, 3), diagonal=1, lower=False),
        Sample(np.arange(9).reshape(3, 3), diagonal=-1, lower=True),
    ]
)


@method(inplace=True)
def tril(x: Tensor, diagonal: int = 0, name: str | None = None) -> Any:
    """The lower triangles of the matrices in the last two dimensions, up to a ``diagonal`` (above 0: above the main one).

    ``x``: ``[..., n, m]``; elements above the diagonal become 0. The result has its shape and dtype.

    Example:
        >>> paddle.tril(paddle.to_tensor([[1, 2], [3, 4]])).tolist()
        [[1, 0], [3, 4]]
    """
    return tril_triu(x, diagonal, True)


@method(inplace=True)
def triu(x: Tensor, diagonal: int = 0, name: str | None = None) -> Any:
    """The upper triangles of the matrices in the last two dimensions, from a ``diagonal`` (above 0: above the main one).

    ``x``: ``[..., n, m]``; elements below the diagonal become 0. The result has its shape and dtype.

    Example:
        >>> paddle.triu(paddle.to_tensor([[1, 2], [3, 4]])).tolist()
        [[1, 2], [0, 4]]
    """
    return tril_triu(x, diagonal, False)


def tril_indices(row: int, col: int, offset: int = 0, dtype: Any = "int64") -> Any:
    """Row and column numbers of the lower triangle of a matrix, [2, n].

    The matrix is ``[row, col]``; ``offset``: up to which diagonal, above 0: above the main one; ``dtype``: 'int64'
    (default) or 'int32'.

    Example:
        >>> paddle.tril_indices(2, 2).tolist()
        [[0, 1, 1], [0, 0, 1]]
    """
    return F.to_tensor(np.stack(np.tril_indices(row, offset, col)).astype(as_dtype(dtype).np))


def triu_indices(row: int, col: int | None = None, offset: int = 0, dtype: Any = "int64") -> Any:
    """Row and column numbers of the upper triangle of a matrix, [2, n].

    The matrix is ``[row, col]`` (``col`` None: ``row``); ``offset``: from which diagonal, above 0: above the main
    one; ``dtype``: 'int64' (default) or 'int32'.

    Example:
        >>> paddle.triu_indices(2).tolist()
        [[0, 0, 1], [0, 1, 1]]
    """
    return F.to_tensor(np.stack(np.triu_indices(row, offset, col)).astype(as_dtype(dtype).np))


def _axes(ndim: int, axis1: int, axis2: int, name: str) -> tuple[int, int]:
    a, b = shape_rules.axis_index(axis1, ndim, name), shape_rules.axis_index(axis2, ndim, name)
    if a == b:
        raise ShapeError(f"{name}: axis1 and axis2 are both dimension {a}")
    return a, b


def _length(rows: int, columns: int, offset: int) -> int:
    if UNKNOWN in (rows, columns):
        return UNKNOWN
    return max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)


@op("diagonal(Input -> Out) offset:int axis1:int axis2:int", traits="integral alias view", method=True)
def diagonal(x: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Any:
    """The diagonals of the matrices in two dimensions, as a new last dimension; ``offset`` above 0 is above the main one.

    They share memory with ``x``.
    ``axis1``, ``axis2``: the two dimensions.

    Example:
        >>> paddle.diagonal(paddle.to_tensor([[1, 2], [3, 4]])).tolist()
        [1, 4]
    """
    if type(offset) is type(axis1) is type(axis2) is int:
        return diagonal.call((x,), _attrs_of_diagonal(x.ndim, offset, axis1, axis2))
    a, b = _axes(x.ndim, axis1, axis2, "diagonal")
    return diagonal.emit(x, offset=int(offset), axis1=a, axis2=b)


@functools.lru_cache(maxsize=256)
def _attrs_of_diagonal(ndim: int, offset: int, axis1: int, axis2: int) -> FrozenAttrs:
    a, b = _axes(ndim, axis1, axis2, "diagonal")
    return FrozenAttrs(offset=offset, axis1=a, axis2=b)


@diagonal.infer
def _(x: TensorSpec, offset: int, axis1: int, axis2: int) -> TensorSpec:
    a, b = _axes(x.ndim, axis1, axis2, "diagonal")
    other_sizes = [d for i, d in enumerate(x.shape) if i not in (a, b)]
    return x.with_shape((*other_sizes, _length(x.shape[a], x.shape[b], offset)))


@diagonal.kernel
def _(xp: ArrayModule, x: Array, offset: int, axis1: int, axis2: int) -> Any:
    values = xp.diagonal(x, offset, axis1, axis2)
    if isinstance(values, np.ndarray):
        values.flags.writeable = x.flags.writeable  # NumPy gives a view that can't be written
    return values


@diagonal.specialize
def _(out: TensorSpec, x: TensorSpec, offset: int, axis1: int, axis2: int) -> Any:
    def diagonal_run(x: Array) -> Array:
        values = x.diagonal(offset, axis1, axis2)
        values.flags.writeable = x.flags.writeable
        return values

    return diagonal_run


def _positions(x: Tensor, a: int, b: int, offset: int) -> tuple[Any, ...]:
    """Row and column numbers of a diagonal."""
    n: Any = _length(x.spec.shape[a], x.spec.shape[b], offset)
    if n == UNKNOWN:
        rows, columns = F.dim_size(x, a) + min(offset, 0), F.dim_size(x, b) - max(offset, 0)
        n = F.maximum(F.minimum(rows, columns), dynamic_sizes.as_tensor_size(0))
    steps = F.arange(n)
    return (steps, steps + offset) if offset >= 0 else (steps - offset, steps)


def _wrapped(x: Any, offset: int) -> tuple[Any, ...]:
    """Row and column numbers of the diagonal that begins again one row below its end, all the way down a matrix."""
    height, width = x.spec.shape
    if UNKNOWN in (height, width):
        raise ShapeError("fill_diagonal_: with wrap=True the matrix dimensions must be known when the Program is built")
    start = offset if offset >= 0 else -offset * width
    at = np.arange(start, height * width if height > width else min(width, height) * width, width + 1)
    return tuple(F.to_tensor(part) for part in (at // width, at % width))


@diagonal.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return _with_diagonal(ctx, F.zeros_like(ctx.x), g)


@diagonal.view_inverse
def _(ctx: GradContext, value: Any, k: int) -> Any:
    return _with_diagonal(ctx, ctx.x, value)


def _with_diagonal(ctx: GradContext, x: Tensor, value: Tensor) -> Any:
    """``x`` with other diagonals."""
    a, b = _axes(x.ndim, ctx.axis1, ctx.axis2, "diagonal")
    positions = list(_positions(x, a, b, ctx.offset))
    if (a, b) == (0, 1):
        return F.index_put(x, positions, F.moveaxis(value, -1, 0))
    order = [a, b, *[i for i in range(x.ndim) if i not in (a, b)]]
    put = F.index_put(F.transpose(x, order), positions, F.moveaxis(value, -1, 0))
    return F.transpose(put, sorted(range(x.ndim), key=lambda i: order[i]))


diagonal.samples(
    lambda: [
        Sample(f32(3, 4), offset=0, axis1=0, axis2=1),
        Sample(f32(3, 4), offset=1, axis1=0, axis2=1),
        Sample(f32(2, 3, 4), offset=-1, axis1=2, axis2=1),
    ]
)


@op("trace(Input -> Out) offset:int axis1:int axis2:int", file=None, traits="integral", method=True)
def trace(x: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Any:
    """The sum of the diagonal of each matrix in two dimensions.

    ``x``: at least 2-D; ``axis1``, ``axis2``: the two dimensions; ``offset``: which diagonal, above 0: above the main
    one. The order of the two dimensions does not matter, as in PaddlePaddle: the smaller one counts the rows.

    Example:
        >>> paddle.trace(paddle.to_tensor([[1, 2], [3, 4]])).item()
        5
    """
    if type(offset) is type(axis1) is type(axis2) is int:
        return trace.call((x,), _attrs_of_trace(x.ndim, offset, axis1, axis2))
    rows, columns = sorted(_axes(x.ndim, axis1, axis2, "trace"))
    return trace.emit(x, offset=int(offset), axis1=rows, axis2=columns)


@functools.lru_cache(maxsize=256)
def _attrs_of_trace(ndim: int, offset: int, axis1: int, axis2: int) -> FrozenAttrs:
    rows, columns = sorted(_axes(ndim, axis1, axis2, "trace"))
    return FrozenAttrs(offset=offset, axis1=rows, axis2=columns)


@trace.infer
def _(x: TensorSpec, offset: int, axis1: int, axis2: int) -> TensorSpec:
    sizes = tuple([d for i, d in enumerate(x.shape) if i not in (axis1, axis2)])
    return TensorSpec(sizes, int64 if x.dtype is bool_ else x.dtype)


@trace.kernel
def _(xp: ArrayModule, x: Array, offset: int, axis1: int, axis2: int) -> Array:
    values = x.diagonal(offset, axis1, axis2)
    return values.sum(-1, np.int64) if x.dtype.kind == "b" else blocked_sum.total(values, -1)


@trace.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return _with_diagonal(ctx, F.zeros_like(ctx.x), F.unsqueeze(g, -1))


@trace.composition
def _(x: Tensor, offset: int, axis1: int, axis2: int) -> Any:
    values = diagonal(x, offset, axis1, axis2)
    return F.sum(values, -1) if values.dtype.kind in "bf" else F.sum(values, -1, values.dtype)


trace.op.reads_no_numbers_of("Input", "Out")
trace.samples(
    lambda: [
        Sample(f32(3, 4), offset=0, axis1=0, axis2=1),
        Sample(f32(3, 4), offset=-1, axis1=0, axis2=1),
        Sample(f32(2, 3, 4), offset=1, axis1=0, axis2=2),
        Sample(np.arange(6, dtype="int32").reshape(2, 3), offset=0, axis1=0, axis2=1),
        Sample(np.eye(3, dtype=bool), offset=0, axis1=0, axis2=1),
    ]
)


@op("diag_v2(X -> Out) offset:int padding_value:float", traits="integral")
def diag_op(x: Tensor, offset: int = 0, padding_value: float = 0.0) -> Any:
    """A square matrix with a vector on a diagonal and ``padding_value`` elsewhere."""
    return diag_op.emit(x, offset=int(offset), padding_value=float(padding_value))


@diag_op.infer
def _(x: TensorSpec, offset: int, padding_value: float) -> TensorSpec:
    if x.ndim != 1:
        raise ShapeError(f"diag: expected a vector, got {show(x.shape)}")
    n = UNKNOWN if x.shape[0] == UNKNOWN else x.shape[0] + abs(offset)
    return x.with_shape((n, n))


@diag_op.kernel
def _(xp: ArrayModule, x: Array, offset: int, padding_value: float) -> Any:
    matrix = xp.diag(x, offset)
    if padding_value:
        matrix = xp.where(xp.diag(xp.ones(x.shape, "bool"), offset), matrix, x.dtype.type(padding_value))
    return matrix


@diag_op.specialize
def _(out: TensorSpec, x: TensorSpec, offset: int) -> Any:
    if not x.size:
        return None
    shape, dtype, size, kernel = out.shape, x.dtype.np, out.shape[0], diag_op.op.kernel_for("numpy")
    start = offset if offset >= 0 else -offset * size
    positions = slice(start, start + (x.shape[0] - 1) * (size + 1) + 1, size + 1)

    def diag_op_run(x: Array, padding_value: float) -> Any:
        if padding_value:
            return kernel(np, x, offset, padding_value)
        matrix = np.zeros(shape, dtype)
        matrix.reshape(-1)[positions] = x
        return matrix

    return diag_op_run


@diag_op.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return diagonal(g, ctx.offset)


@diag_op.from_file
def _(r: FileReader) -> Any:
    return diag(r.input("X"), r.attr("offset", 0), r.attr("padding_value", 0.0))


diag_op.samples(
    lambda: [Sample(f32(3), offset=0, padding_value=0.0), Sample(f32(3), offset=-1, padding_value=2.0)],
)


@method()
def diag(x: Tensor, offset: int = 0, padding_value: float = 0.0, name: str | None = None) -> Any:
    """A matrix with the vector ``x`` on a diagonal (``padding_value`` elsewhere), or the diagonal of a matrix.

    ``offset``: which diagonal, above 0: above the main one. Raises ShapeError for other than one or two dimensions.

    Example:
        >>> paddle.diag(paddle.to_tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]
    """
    if x.ndim == 2:
        return F.clone(diagonal(x, offset))
    return diag_op(x if x.ndim else F.unsqueeze(x, 0), offset, padding_value)


@method()
def diagflat(x: Tensor, offset: int = 0, name: str | None = None) -> Any:
    """A matrix with the flattened ``x`` on a diagonal and 0 elsewhere.

    ``offset``: which diagonal, above 0: above the main one.

    Example:
        >>> paddle.diagflat(paddle.to_tensor([1, 2]), offset=1).tolist()
        [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
    """
    return diag_op(x if x.ndim == 1 else F.flatten(x), offset)


def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Matrices, in the dimensions ``dim1`` and ``dim2`` of the result, with the last dimension of ``input`` on a diagonal.

    No gradient flows through it, as in Paddle 2.6.
    ``offset``: which diagonal, above 0: above the main one.

    Example:
        >>> paddle.diag_embed(paddle.to_tensor([1.0, 2.0])).tolist()
        [[1.0, 0.0], [0.0, 2.0]]
    """
    input = input.detach()
    n = input.shape[-1] + abs(offset)
    a, b = _axes(input.ndim + 1, dim1, dim2, "diag_embed")
    steps = F.arange(input.shape[-1])
    rows, columns = (steps, steps + offset) if offset >= 0 else (steps - offset, steps)
    front = F.moveaxis(input, -1, 0)
    zeros = F.full([n, n, *front.shape[1:]], 0, input.dtype)
    return F.moveaxis(F.index_put(zeros, [rows, columns], front), [0, 1], [a, b])


FUNCTIONS["diag_embed"] = diag_embed


@method("fill_diagonal_")
def fill_diagonal_in_place(
    x: Tensor, value: float, offset: int = 0, wrap: bool = False, name: str | None = None
) -> Any:
    """Set the elements of a diagonal of the matrix ``x`` to a number, in place.

    ``wrap``: in a matrix with more rows than columns the diagonal begins again one row below its end. With more dimensions, which
    must be of one size, the elements whose places in all of them are equal, and ``offset`` further on in the last.
    Raises ShapeError for other shapes.
    """
    sizes = x.spec.shape
    if x.ndim < 2 or (x.ndim > 2 and (len(set(sizes)) > 1 or UNKNOWN in sizes)):
        raise ShapeError(f"fill_diagonal_: expected a matrix, or dimensions that are all of one size, got {show(sizes)}")
    rows, columns = _wrapped(x, offset) if wrap and x.ndim == 2 else _positions(x, 0, 1, offset)
    return x._become(F.index_put(x, [rows] * (x.ndim - 1) + [columns], operands.constant(value, x.dtype)))


@method()
def fill_diagonal_tensor(
    x: Tensor, y: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1, name: str | None = None
) -> Any:
    """``x`` with the diagonal of ``dim1`` and ``dim2`` replaced by ``y``, whose last dimension runs along it.

    Raises ShapeError unless ``y`` has the shape of `diagonal`.

    Example:
        >>> paddle.zeros([2, 2]).fill_diagonal_tensor(paddle.ones([2])).numpy()
        array([[1., 0.],
               [0., 1.]], dtype=float32)
    """
    if x.ndim < 2:
        raise ShapeError(f"fill_diagonal_tensor: expected at least 2 dimensions, got {show(x.spec.shape)}")
    if "c" in (x.dtype.kind, y.dtype.kind):
        dtype_checks.need_one_dtype("fill_diagonal_tensor", x, y)
    a, b = _axes(x.ndim, dim1, dim2, "fill_diagonal_tensor")
    rows, columns = _positions(x, a, b, offset)
    front = F.moveaxis(x, [a, b], [0, 1])
    filled = F.index_put(front, [rows, columns], F.moveaxis(F.cast(y, x.dtype), -1, 0))
    return F.moveaxis(filled, [0, 1], [a, b])


@method()
def fill_diagonal_tensor_(
    x: Tensor, y: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1, name: str | None = None
) -> Any:
    """`fill_diagonal_tensor` in place; returns ``x``."""
    return x._become(fill_diagonal_tensor(x, y, offset, dim1, dim2))
