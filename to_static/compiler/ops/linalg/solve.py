"""Linear systems: inverse, solve, determinant, cholesky."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, operands, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.linalg import lapack
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import DTypeError, ShapeError


def _square(x: TensorSpec, name: str) -> TensorSpec:
    dtype_checks.need_float(x, name)
    if x.dtype.itemsize == 2:
        raise DTypeError(f"{name}: float16 matrices are not supported; convert them with astype('float32')")
    if x.ndim < 2 or (x.shape[-1] != x.shape[-2] and UNKNOWN not in x.shape[-2:]):
        raise ShapeError(f"{name}: expected square matrices, got {show(x.shape)}")
    return x


def _regular(*lead: int) -> np.ndarray:
    return f32(*lead, 3, 3) + 4 * np.eye(3, dtype="float32")


def _turn(x: Tensor) -> Tensor:
    return F.swapaxes(x, -1, -2)


def _matmul(x: Tensor, y: Tensor, tx: bool = False, ty: bool = False) -> Tensor:
    return F.matmul(x, y, tx, ty)


@op("inverse(Input -> Output)", traits="may_raise", method=True)
def inverse(x: Tensor, name: str | None = None) -> Tensor:
    """The inverses of the square matrices in the last two dimensions.

    ``x``: ``[..., n, n]``, floats; the result has its shape and dtype.

    Example:
        >>> paddle.inverse(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]])).tolist()
        [[0.5, 0.0], [0.0, 0.25]]
    """
    return inverse.emit(x)


@inverse.infer
def _(x: TensorSpec) -> TensorSpec:
    return _square(x, "inverse")


@inverse.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    return lapack.inv(xp, x)


@inverse.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return -_matmul(_matmul(ctx.out, g, True), ctx.out, False, True)


inverse.samples(lambda: [Sample(_regular()), Sample(_regular(2))])


@op("solve(X, Y -> Out)", traits="may_raise check_shapes", method=True)
def solve(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The solution of ``x @ out = y`` for square matrices ``x``; ``y`` is a vector, matrices, or a batch of one vector for each.

    ``x``: ``[..., n, n]``; ``y``: ``[..., n, m]`` or ``[..., n]``. Raises LinAlgError for a singular matrix.

    Example:
        >>> paddle.linalg.solve(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]]), paddle.to_tensor([2.0, 4.0])).tolist()
        [1.0, 1.0]
    """
    x, y = (operands.tensor(v) for v in (x, y))
    dtype_checks.need_one_dtype("solve", x, y)
    if 1 < y.ndim == x.ndim - 1 and shape_rules.compatible(y.spec.shape, x.spec.shape[:-1]):
        return F.squeeze(solve.emit(x, F.unsqueeze(y, -1)), -1)
    return solve.emit(x, y)


@solve.infer
def _(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    _square(x, "solve")
    if y.ndim == 0 or (
        (y.shape[-1] if y.ndim == 1 else y.shape[-2]) not in (x.shape[-1], UNKNOWN) and x.shape[-1] != UNKNOWN
    ):
        raise ShapeError(f"solve: {show(y.shape)} does not fit matrices {show(x.shape)}")
    if y.ndim == 1:
        return x.with_shape(x.shape[:-1])
    return x.with_shape((*shape_rules.broadcast(x.shape[:-2], y.shape[:-2], "solve"), *y.shape[-2:]))


@solve.kernel
def _(xp: ArrayModule, x: Array, y: Array) -> Array:
    if y.ndim == 1:
        return xp.linalg.solve(x, xp.broadcast_to(y, x.shape[:-1])[..., None])[..., 0]
    return lapack.solve(xp, x, y)


@solve.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, y = ctx.inputs
    out = ctx.out
    if y.ndim == 1:
        g, out = F.unsqueeze(g, -1), F.unsqueeze(out, -1)
    gy = solve(_turn(x), g)
    gx = shape_rules.unbroadcast(-_matmul(gy, out, False, True), x)
    if y.ndim == 1:
        gy = F.squeeze(gy, -1)
    return gx, shape_rules.unbroadcast(gy, y)


solve.samples(lambda: [Sample(_regular(), f32(3, 2)), Sample(_regular(), f32(3)), Sample(_regular(2), f32(2, 3, 1))])


@op("determinant(Input -> Out)")
def det(x: Tensor, name: str | None = None) -> Tensor:
    """The determinants of the square matrices in the last two dimensions.

    ``x``: ``[..., n, n]``, floats; the result is ``[...]``.

    Example:
        >>> paddle.linalg.det(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]])).item()
        8.0
    """
    return det.emit(x)


@det.infer
def _(x: TensorSpec) -> TensorSpec:
    return x.with_shape(_square(x, "det").shape[:-2])


@det.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    return lapack.det(xp, x)


@det.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return F.unsqueeze(g * ctx.out, [-1, -1]) * _turn(inverse(ctx.x))


det.samples(lambda: [Sample(_regular()), Sample(_regular(2))])


@op("cholesky(X -> Out) upper:bool", traits="may_raise", method=True)
def cholesky(x: Tensor, upper: bool = False, name: str | None = None) -> Tensor:
    """The lower (or upper) triangular factor of symmetric positive definite matrices: ``out @ out.T = x``.

    ``x``: ``[..., n, n]``, floats; the result has its shape and dtype. Raises LinAlgError when a matrix is not
    positive definite.

    Example:
        >>> paddle.cholesky(paddle.to_tensor([[4.0, 2.0], [2.0, 5.0]])).tolist()
        [[2.0, 0.0], [1.0, 2.0]]
    """
    return cholesky.emit(x, upper=bool(upper))


@cholesky.infer
def _(x: TensorSpec, upper: bool) -> TensorSpec:
    return _square(x, "cholesky")


@cholesky.kernel
def _(xp: ArrayModule, x: Array, upper: bool) -> Array:
    factor = lapack.cholesky(xp, x)
    return factor.swapaxes(-1, -2).copy() if upper else factor


@cholesky.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    # Murray, "Differentiation of the Cholesky decomposition" (2016); the gradient is made symmetric.
    low, g = (_turn(ctx.out), _turn(g)) if ctx.upper else (ctx.out, g)
    inner = F.tril(_matmul(low, g, True))
    inner = inner - F.tril(F.triu(inner)) * 0.5
    back = inverse(low)
    dx = _matmul(_matmul(back, inner, True), back)
    return (dx + _turn(dx)) * 0.5


cholesky.samples(
    lambda: [
        Sample(_regular() @ _regular().T, upper=False, grad=()),
        Sample(_regular() @ _regular().T, upper=True, grad=()),
    ]
)


@op("slogdeterminant(Input -> Out)")
def slogdet(x: Tensor, name: str | None = None) -> Tensor:
    """Signs and logarithms of the absolute values of determinants, stacked: [2, ...].

    ``x``: ``[..., n, n]``, floats.

    Example:
        >>> paddle.linalg.slogdet(paddle.to_tensor([[-1.0, 0.0], [0.0, 1.0]])).tolist()
        [-1.0, 0.0]
    """
    return slogdet.emit(x)


@slogdet.infer
def _(x: TensorSpec) -> TensorSpec:
    return x.with_shape((2, *_square(x, "slogdet").shape[:-2]))


@slogdet.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    return lapack.slogdet(xp, x)


@slogdet.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return F.unsqueeze(g[1], [-1, -1]) * _turn(inverse(ctx.x))


slogdet.samples(lambda: [Sample(_regular()), Sample(-_regular(2))])


@op("triangular_solve(X, Y -> Out) upper:bool transpose:bool unitriangular:bool", traits="check_shapes")
def triangular_solve(
    x: Tensor,
    y: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
    name: str | None = None,
) -> Tensor:
    """The solution of ``x @ out = y`` for triangular ``x``: only its upper (or lower) triangle counts.

    ``transpose``: of ``x.T @ out = y``; ``unitriangular``: the diagonal counts as ones.
    ``x``: ``[..., n, n]``; ``y``: ``[..., n, m]``; the result has the shape of ``y``.

    Example:
        >>> paddle.linalg.triangular_solve(paddle.to_tensor([[2.0, 1.0], [0.0, 4.0]]), paddle.to_tensor([[4.0], [8.0]])).tolist()
        [[1.0], [2.0]]
    """
    x, y = (operands.tensor(v) for v in (x, y))
    dtype_checks.need_one_dtype("triangular_solve", x, y)
    attrs = {"upper": bool(upper), "transpose": bool(transpose), "unitriangular": bool(unitriangular)}
    return triangular_solve.emit(x, y, **attrs)


@triangular_solve.infer
def _(x: TensorSpec, y: TensorSpec, upper: bool, transpose: bool, unitriangular: bool) -> TensorSpec:
    _square(x, "triangular_solve")
    if y.ndim < 2 or (y.shape[-2] not in (x.shape[-1], UNKNOWN) and x.shape[-1] != UNKNOWN):
        raise ShapeError(f"triangular_solve: {show(y.shape)} does not fit matrices {show(x.shape)}")
    return x.with_shape((*shape_rules.broadcast(x.shape[:-2], y.shape[:-2], "triangular_solve"), *y.shape[-2:]))


@triangular_solve.kernel
def _(xp: ArrayModule, x: Array, y: Array, upper: bool, transpose: bool, unitriangular: bool) -> Array:
    k = 1 if unitriangular else 0
    part = lapack.triangle(xp, x, upper, k)
    if unitriangular:
        part = part + xp.eye(x.shape[-1], dtype=x.dtype)
    return lapack.solve(xp, part.swapaxes(-1, -2) if transpose else part, y)


@triangular_solve.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, y = ctx.inputs
    upper, transpose, unit = ctx.upper, ctx.transpose, ctx.unitriangular
    gy = triangular_solve(x, g, upper, not transpose, unit)
    full = -_matmul(ctx.out, gy, False, True) if transpose else -_matmul(gy, ctx.out, False, True)
    k = 1 if unit else 0
    gx = F.triu(full, k) if upper else F.tril(full, -k)
    return shape_rules.unbroadcast(gx, x), shape_rules.unbroadcast(gy, y)


triangular_solve.samples(
    lambda: [
        Sample(_regular(), f32(3, 2), upper=True, transpose=False, unitriangular=False),
        Sample(_regular(2), f32(2, 3, 1), upper=False, transpose=True, unitriangular=False),
        Sample(_regular(), f32(3, 2), upper=False, transpose=False, unitriangular=True),
    ]
)


def matrix_power(x: Tensor, n: int, name: str | None = None) -> Tensor:
    """Square matrices multiplied with themselves: ``x @ x @ ...`` n times; n = 0 gives the identity, negative n inverts first.

    ``x``: ``[..., n, n]``; the result has its shape and dtype.

    Example:
        >>> paddle.linalg.matrix_power(paddle.to_tensor([[1.0, 1.0], [0.0, 1.0]]), 3).tolist()
        [[1.0, 3.0], [0.0, 1.0]]
    """
    operand = x
    if n < 0:
        x, n = inverse(x), -n
    result: Any = None
    while n:
        if n % 2:
            result = x if result is None else _matmul(result, x)
        x = _matmul(x, x) if n > 1 else x
        n //= 2
    if result is not None:
        return F.clone(result) if result is operand else result
    size = x.spec.shape[-1]
    return F.eye(size, dtype=x.dtype) + F.zeros_like(x) * x  # which has a gradient of zeros


FUNCTIONS["matrix_power"] = matrix_power
