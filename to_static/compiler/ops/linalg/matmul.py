"""Products of matrices and vectors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import FrozenAttrs, GradContext, Prepared, Sample, method, op
from to_static.compiler.ir.program import Var
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import blocked_sum, dtype_checks, dynamic_sizes, operands, shape_rules, traced_values
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.linalg import skinny_matmul
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ShapeError


@op("matmul(X, Y -> Out) trans_x:bool trans_y:bool", file="matmul_v2", method=True, traits="integral")
def matmul(
    x: Tensor, y: Tensor, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None
) -> Tensor:
    """The matrix product, batched over leading dimensions, which broadcast.

    A 1-D ``x`` counts as a row and a 1-D ``y`` as a column, and that dimension is dropped from the result (as in NumPy).
    ``transpose_x``, ``transpose_y``: exchange the last two dimensions first (of 1-D operands: nothing).
    Raises ShapeError when the inner dimensions differ, DTypeError for two real dtypes (``@`` takes the left one).

    Example:
        >>> paddle.matmul(paddle.ones([2, 4]), paddle.ones([4, 3])).shape
        [2, 3]
    """
    if not (isinstance(x, Tensor) and isinstance(y, Tensor) and x.dtype is y.dtype):
        x, y = _unlike(x, y, "matmul", False)
    return matmul.call((x, y), _TURNED[bool(transpose_x), bool(transpose_y)])


_TURNED = {(x, y): FrozenAttrs(trans_x=x, trans_y=y) for x in (False, True) for y in (False, True)}
_AS_THEY_ARE = _TURNED[False, False]


def operator_matmul(x: Any, y: Any) -> Any:
    """``x @ y``: the right operand gets the left one's dtype, as that of other operators."""
    return matmul.call(operands.binary_operands(x, y, "matmul", False), _AS_THEY_ARE)


FUNCTIONS["operator_matmul"] = operator_matmul


def _unlike(x: Tensor, y: Tensor, name: str, widen: bool = True) -> tuple[Any, Any]:
    """Operands that are no tensors of one dtype: of two real tensors each stays as it is, which the shape rule refuses."""
    if isinstance(x, Tensor) and isinstance(y, Tensor) and "c" not in (x.dtype.kind, y.dtype.kind):
        return x, y
    return operands.binary_operands(x, y, name, widen)


@matmul.infer
def _(x: TensorSpec, y: TensorSpec, trans_x: bool, trans_y: bool) -> TensorSpec:
    a, b = x.shape, y.shape
    if not a or not b:
        raise ShapeError(f"matmul: operands must have at least one dimension, got {show(a)} and {show(b)}")
    if x.dtype is not y.dtype:
        raise dtype_checks.two_dtypes("matmul", x.dtype, y.dtype)
    if trans_x and len(a) > 1:
        a = (*a[:-2], a[-1], a[-2])
    if trans_y and len(b) > 1:
        b = (*b[:-2], b[-1], b[-2])
    inner = b[-2] if len(b) > 1 else b[0]
    if a[-1] != inner and a[-1] != UNKNOWN and inner != UNKNOWN:
        options = ", ".join(f"transpose_{name}=True" for name, is_so in (("x", trans_x), ("y", trans_y)) if is_so)
        raise ShapeError(
            f"matmul: the last dimension of x, {a[-1]}, must equal {'the last but one' if len(b) > 1 else 'the one'} of y, "
            f"{inner}: shapes {show(x.shape)} and {show(y.shape)}{options and f' with {options}'}"
        )
    lead = shape_rules.broadcast(a[:-2], b[:-2], "matmul") if len(a) > 2 or len(b) > 2 else ()
    rows = a[-2:-1] if len(a) > 1 else ()
    columns = b[-1:] if len(b) > 1 else ()
    return TensorSpec((*lead, *rows, *columns), x.dtype)


@matmul.kernel
def _(xp: ArrayModule, x: Array, y: Array, trans_x: bool, trans_y: bool, out: Array | None = None) -> Array:
    if xp is np and not trans_x and (product := _few_rows(x, y, trans_y)) is not None:
        return product(x, y, out)
    if trans_x and x.ndim > 1:
        x = x.swapaxes(-1, -2)
    if trans_y and y.ndim > 1:
        y = y.swapaxes(-1, -2)
    if xp is np and x.ndim == y.ndim == 2:  # as plans do: `matmul` takes ten times as long for a column and a row
        return x.dot(y, out)
    return xp.matmul(x, y, out=out)


def _few_rows(x: Array | TensorSpec, y: Array | TensorSpec, transposed: bool) -> Any:
    """A function for a product of few rows, of any dimensions, with a matrix, by blocks; None where others are as quick."""
    if y.ndim != 2 or x.ndim < 2 or x.dtype != np.float32 or not 0 < x.size <= skinny_matmul.ROWS * x.shape[-1]:
        return None
    sizes = (x.size // x.shape[-1], x.shape[-1], y.shape[0 if transposed else 1], transposed)
    if not skinny_matmul.blocks(*sizes):
        return None
    product = skinny_matmul.product(*sizes)
    if x.ndim == 2:
        return product
    rows, flat, shape = sizes[:2], sizes[::2], (*x.shape[:-1], sizes[2])

    def reshaped(x: Array, y: Array, out: Array | None = None) -> Array:
        target = out.reshape(flat) if out is not None and out.flags.c_contiguous else None
        product_out = product(x.reshape(rows), y, target).reshape(shape)
        if out is None or target is not None:
            return product_out
        out[...] = product_out
        return out

    return reshaped


@matmul.specialize
def _(out: TensorSpec, x: TensorSpec, y: TensorSpec, trans_x: bool, trans_y: bool) -> Any:
    if x.is_static and y.is_static and not trans_x and (product := _few_rows(x, y, trans_y)) is not None:
        return product
    if x.ndim == y.ndim == 2:
        if trans_x:
            return (lambda x, y: x.T.dot(y.T)) if trans_y else lambda x, y: x.T.dot(y)
        return (lambda x, y: x.dot(y.T)) if trans_y else np.ndarray.dot
    return None if trans_x or trans_y else np.matmul


@matmul.may_raise
def _(x: Var, y: Var, trans_x: bool, trans_y: bool) -> bool:
    return traced_values.has_unknown_size(x, y)


@matmul.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, y = ctx.inputs
    tx, ty = ctx.trans_x and x.ndim > 1, ctx.trans_y and y.ndim > 1
    a = F.unsqueeze(x, 0) if x.ndim == 1 else x
    b = F.unsqueeze(y, 1) if y.ndim == 1 else y
    if y.ndim == 1:
        g = F.unsqueeze(g, -1)
    if x.ndim == 1:
        g = F.unsqueeze(g, -2)
    gx = gy = None
    if ctx.needs[0]:
        gx = matmul(b, g, ty, True) if tx else matmul(g, b, False, not ty)
        gx = _back(gx, a, x)
    if ctx.needs[1]:
        gy = matmul(g, a, True, tx) if ty else matmul(a, g, not tx, False)
        gy = _back(gy, b, y)
    return gx, gy


def _back(g: Tensor, matrix: Tensor, operand: Tensor) -> Tensor:
    if g.ndim > 2:
        g = shape_rules.unbroadcast(g, matrix)
    return F.reshape_as(g, operand) if operand.ndim == 1 else g


def _mm(*args: tuple[int, ...], tx: bool = False, ty: bool = False) -> Sample:
    return Sample(f32(*args[0]), f32(*args[1], seed=1), trans_x=tx, trans_y=ty)


matmul.samples(
    lambda: [
        _mm((2, 3), (3, 4)),
        _mm((3, 2), (4, 3), tx=True, ty=True),
        _mm((2, 2, 3), (3, 2)),
        _mm((2, 1, 3, 2), (2, 3, 2), tx=True, ty=False),
        _mm((3,), (3,)),
        _mm((3,), (2, 3, 4)),
        _mm((2, 3), (3,)),
        _mm((2, 3), (4, 3), ty=True),
    ]
)


def mm(input: Tensor, mat2: Tensor, name: str | None = None) -> Tensor:
    """The matrix product (see `matmul`).

    ``input``: ``[..., n, k]``, ``mat2``: ``[..., k, m]``; the result is ``[..., n, m]``.

    Example:
        >>> paddle.mm(paddle.ones([2, 3]), paddle.ones([3, 1])).tolist()
        [[3.0], [3.0]]
    """
    return matmul(input, mat2)


method()(mm)


def _ranks(name: str, *pairs: tuple[Any, int]) -> None:
    for i, (x, ndim) in enumerate(pairs):
        if x.ndim != ndim:
            raise ShapeError(f"{name}: operand {i} must have {ndim} dimensions, got {show(x.spec.shape)}")


@method()
def bmm(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The product of two batches of matrices, [b, m, k] and [b, k, n]. Raises ShapeError for other shapes.

    ``x``, ``y``: floats of one dtype; the result is ``[b, m, n]``.

    Example:
        >>> paddle.bmm(paddle.ones([2, 1, 3]), paddle.ones([2, 3, 4])).shape
        [2, 1, 4]
    """
    _ranks("bmm", (x, 3), (y, 3))
    a, b = x.spec.shape[0], y.spec.shape[0]
    words = "bmm: batches of {} and {} matrices"
    if a != b and UNKNOWN not in (a, b):
        raise ShapeError(words.format(a, b))
    if UNKNOWN in (a, b) and not traced_values.same_traced_sizes(x, y):
        counts = dynamic_sizes.as_tensor_size(x.shape[0]), dynamic_sizes.as_tensor_size(y.shape[0])
        dynamic_sizes.check(F.equal(*counts), "ShapeError", words, *counts)
    return matmul(x, y)


@method()
def mv(x: Tensor, vec: Tensor, name: str | None = None) -> Tensor:
    """The product of a matrix and a vector.

    ``x``: ``[n, m]``, ``vec``: ``[m]``; the result is ``[n]``.

    Example:
        >>> paddle.mv(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), paddle.to_tensor([1.0, 1.0])).tolist()
        [3.0, 7.0]
    """
    _ranks("mv", (x, 2), (vec, 1))
    return matmul(x, vec)


@op("dot(X, Y -> Out)", method=True, traits="integral")
def dot(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The inner product of two vectors (0-D), or of the rows of two matrices.

    ``x``, ``y``: ``[n]`` or ``[b, n]``, of one shape and dtype.

    Example:
        >>> paddle.dot(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0, 4.0])).item()
        11.0
    """
    if not (isinstance(x, Tensor) and isinstance(y, Tensor) and x.dtype is y.dtype):
        x, y = _unlike(x, y, "dot")
    return dot.emit(x, y)


@dot.infer
def _(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    if x.ndim not in (1, 2) or x.ndim != y.ndim:
        raise ShapeError(f"dot: expected two vectors or two matrices, got {show(x.shape)} and {show(y.shape)}")
    if x.dtype is not y.dtype:
        raise dtype_checks.two_dtypes("dot", x.dtype, y.dtype)
    return x.with_shape(shape_rules.broadcast(x.shape, y.shape, "dot")[:-1])


dot.may_raise(traced_values.may_not_broadcast)


@dot.kernel
def _(xp: ArrayModule, x: Array, y: Array) -> Array:
    return blocked_sum.total(x * y, -1)


@dot.specialize
def _(out: TensorSpec, x: TensorSpec, y: TensorSpec) -> Any:
    if x.shape != y.shape or x.dtype.kind != "f":
        return None
    total = blocked_sum.adder(x.shape, x.dtype.np.char, (x.ndim - 1,), False)
    return lambda x, y: total(np.multiply(x, y))


@dot.prepare
def _(specs: tuple[TensorSpec, ...]) -> Prepared | None:
    x, y = specs
    if x.shape != y.shape or x.dtype.kind != "f":
        return None
    total = blocked_sum.adder(x.shape, x.dtype.np.char, (x.ndim - 1,), False)

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        (product,) = work

        def dot_run(x: Array, y: Array) -> Array:
            return np.asarray(total(np.multiply(x, y, product), out))

        return dot_run

    return Prepared([x], [], bind)


@dot.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, y = ctx.inputs
    g = F.unsqueeze(g, -1)
    return (
        shape_rules.unbroadcast(g * y, x) if ctx.needs[0] else None,
        shape_rules.unbroadcast(g * x, y) if ctx.needs[1] else None,
    )


dot.samples(lambda: [Sample(f32(4), f32(4, seed=1)), Sample(f32(2, 3), f32(2, 3, seed=1)), Sample(f32(2, 3), f32(1, 3, seed=1))])


@method()
def inner(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """The inner product over the last dimensions; of numbers, their product.

    ``x``: ``[..., n]``, ``y``: ``[..., n]``; the result has shape ``x.shape[:-1] + y.shape[:-1]``.

    Example:
        >>> paddle.inner(paddle.to_tensor([[1.0, 2.0]]), paddle.to_tensor([[3.0, 4.0], [5.0, 6.0]])).tolist()
        [[11.0, 17.0]]
    """
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    lead, tail = x.shape[:-1], y.shape[:-1]
    flat = matmul(F.reshape(x, [-1, x.shape[-1]]), F.reshape(y, [-1, y.shape[-1]]), False, True)
    return F.reshape(flat, [*lead, *tail])


@method()
def outer(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """The products of each element of ``x`` with each of ``y``, both flattened.

    The result is ``[x.size, y.size]``.

    Example:
        >>> paddle.outer(paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])).tolist()
        [[3, 4], [6, 8]]
    """
    dtype_checks.need_one_dtype("outer", x, y, promotable_kinds="c")
    return F.reshape(x, [-1, 1]) * F.reshape(y, [1, -1])


@method()
def addmm(
    input: Tensor, x: Tensor, y: Tensor, beta: float = 1.0, alpha: float = 1.0, name: str | None = None
) -> Tensor:
    """``beta * input + alpha * (x @ y)``, of matrices; ``input`` is broadcast. Raises ShapeError for other ranks.

    ``x``: ``[n, k]``, ``y``: ``[k, m]``, ``input``: broadcasts to ``[n, m]``.

    Example:
        >>> paddle.addmm(paddle.ones([2, 2]), paddle.ones([2, 3]), paddle.ones([3, 2]), beta=0.5, alpha=2.0).tolist()
        [[6.5, 6.5], [6.5, 6.5]]
    """
    if input.ndim > 2 or x.ndim != 2 or y.ndim != 2:
        _ranks("addmm", (x, 2), (y, 2))
        raise ShapeError(f"addmm: input must have at most 2 dimensions, got {show(input.spec.shape)}")
    product = matmul(x, y)
    if input.dtype is not product.dtype:
        raise dtype_checks.two_dtypes("addmm", input.dtype, product.dtype)
    return (input if beta == 1 else input * beta) + (product if alpha == 1 else product * alpha)


@op("kron(X, Y -> Out)", file=None, method=True)
def kron(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The Kronecker product.

    ``x``, ``y``: of any rank; each dimension of the result is the product of theirs.

    Example:
        >>> paddle.kron(paddle.to_tensor([[1, 2]]), paddle.to_tensor([[1], [10]])).tolist()
        [[1, 2], [10, 20]]
    """
    if x.dtype is not y.dtype:
        dtype_checks.need_one_dtype("kron", x, y, promotable_kinds="c")
        x, y = operands.binary_operands(x, y, "kron")
    return kron.emit(x, y)


def _of_one_rank(a: Sequence[Any], b: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Two shapes, the shorter one with ones before it."""
    n = max(len(a), len(b))
    return [1] * (n - len(a)) + [*a], [1] * (n - len(b)) + [*b]


@kron.infer
def _(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    dtype_checks.need_one_dtype("kron", x, y)
    sizes = zip(*_of_one_rank(x.shape, y.shape), strict=True)
    return x.with_shape([UNKNOWN if UNKNOWN in (a, b) and 0 not in (a, b) else a * b for a, b in sizes])


@kron.kernel
def _(xp: ArrayModule, x: Array, y: Array) -> Array:
    left, right, sizes = _apart(x.shape, y.shape)
    return xp.multiply(x.reshape(left), y.reshape(right)).reshape(sizes)


@functools.lru_cache(maxsize=256)
def _apart(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Shapes in which two arrays multiply to their Kronecker product, and its shape."""
    rows, columns = _of_one_rank(a, b)
    left = tuple([size for d in rows for size in (d, 1)])
    right = tuple([size for d in columns for size in (1, d)])
    return left, right, tuple([c * d for c, d in zip(rows, columns, strict=True)])


@kron.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, y = ctx.inputs
    if 0 in (*x.spec.shape, *y.spec.shape):  # for `reshape` 0 means to keep a size
        return F.zeros_like(x), F.zeros_like(y)
    a, b = _of_one_rank(x.shape, y.shape)
    parts = F.reshape(g, [size for pair in zip(a, b, strict=True) for size in pair])
    of_first, of_second = list(range(1, 2 * len(a), 2)), list(range(0, 2 * len(a), 2))

    def sums_with(factor: Tensor, sizes: list[Any], k: int, axes: list[int]) -> Any:
        spread = F.reshape(factor, [s for d in sizes for s in ((d, 1), (1, d))[k]])
        return F.sum(parts * spread, axes)

    return (
        F.reshape_as(sums_with(y, b, 1, of_first), x) if ctx.needs[0] else None,
        F.reshape_as(sums_with(x, a, 0, of_second), y) if ctx.needs[1] else None,
    )


@kron.composition
def _(x: Tensor, y: Tensor) -> Tensor:
    n = max(x.ndim, y.ndim)
    first, second = 2 * (n - x.ndim), 2 * (n - y.ndim)
    if n <= 3:
        left = F.unsqueeze(x, [*range(first), *range(first + 1, 2 * n, 2)])
        right = F.unsqueeze(y, [*range(second), *range(second, 2 * n, 2)])
    else:  # PaddlePaddle's `unsqueeze2` makes at most six dimensions
        left = F.reshape(x, [1] * first + [size for d in x.shape for size in (d, 1)])
        right = F.reshape(y, [1] * second + [size for d in y.shape for size in (1, d)])
    product = left * right
    for axis in range(n):
        product = F.flatten(product, axis, axis + 1)
    return product


kron.samples(
    lambda: [
        Sample(f32(2, 3), f32(3, 2, seed=1)),
        Sample(f32(4), f32(3, seed=1)),
        Sample(f32(2, 3), f32(4, seed=1)),
        Sample(f32(), f32(2, 1, seed=1)),
        Sample(np.arange(3), np.arange(4).reshape(2, 2)),
        Sample(f32(2, 1, 2, 1), f32(1, 2, 1, 2, seed=1), grad=(0,), file=False),  # oneDNN knows six dimensions
        Sample(f32(0, 2), f32(2, 1), file=False),
    ]
)
