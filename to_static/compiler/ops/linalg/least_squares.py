"""Least squares (lstsq), products of reflections (householder_product), and principal components (pca_lowrank)."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.opdef import Sample, method, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.linalg.decompose import adjoint, svd
from to_static.compiler.ops.linalg.factor import qr
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.random.random import randn
from to_static.compiler.ops.shape_rules import show
from to_static.compiler.ops.shapes.create import empty
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32
from to_static.core.errors import ArgumentError, DTypeError, ShapeError

_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")
_SMALL = {"float32": 1e-7, "float64": 1e-15}  # the default of rcond, for each row or column


@op("lstsq(X, Y -> Solution, Residuals, Rank, SingularValues) rcond:float driver:str", traits="may_raise nodiff check_shapes")
def lstsq_op(x: Tensor, y: Any, rcond: float, driver: str) -> tuple[Tensor, ...]:
    """The four results of `lstsq`, whatever the driver."""
    return lstsq_op.emit(x, y, rcond=float(rcond), driver=driver)


@lstsq_op.infer
def _(x: TensorSpec, y: TensorSpec, rcond: float, driver: str) -> tuple[TensorSpec, ...]:
    if x.dtype.name not in _SMALL or y.dtype is not x.dtype:
        raise DTypeError(f"lstsq: expected two tensors of float32 or of float64, got {x.dtype.name} and {y.dtype.name}")
    if x.ndim < 2 or y.ndim != x.ndim or not shape_rules.compatible(x.shape[:-1], y.shape[:-1]):
        raise ShapeError(f"lstsq: expected [*, m, n] and [*, m, k], got {show(x.shape)} and {show(y.shape)}")
    (*lead, m, n), k = x.shape, y.shape[-1]
    least = UNKNOWN if UNKNOWN in (m, n) else min(m, n)
    residuals = (UNKNOWN,) if UNKNOWN in (m, n) else (*lead, k) if m > n else (0,)
    return (
        x.with_shape((*lead, n, k)), x.with_shape(residuals), TensorSpec(tuple(lead), int32), x.with_shape((*lead, least)),
    )  # fmt: skip


@lstsq_op.kernel
def _(xp: ArrayModule, x: Array, y: Array, rcond: float, driver: str) -> tuple[Array, ...]:
    u, s, vh = xp.linalg.svd(x, full_matrices=False)
    nonzero_values = s > s.max(-1, keepdims=True, initial=0) * rcond
    share = xp.where(nonzero_values, 1 / xp.where(nonzero_values, s, 1), 0).astype(x.dtype)
    solution = vh.swapaxes(-1, -2) @ (share[..., None] * (u.swapaxes(-1, -2) @ y))
    if x.shape[-2] > x.shape[-1]:
        residuals = ((y - x @ solution) ** 2).sum(-2)
    else:
        residuals = xp.empty(0, x.dtype)
    return solution, residuals, xp.asarray(nonzero_values.sum(-1), "int32"), s


lstsq_op.samples(
    lambda: [
        Sample(f32(4, 3), f32(4, 2, seed=1), rcond=1e-6, driver="gelsd", grad=(), rtol=1e-4),
        Sample(f32(2, 2, 3), f32(2, 2, 1, seed=1), rcond=1e-6, driver="gelss", grad=(), rtol=1e-4),
    ]
)


def lstsq(x: Any, y: Any, rcond: float | None = None, driver: str | None = None, name: str | None = None) -> Any:
    """The solutions of ``x @ solution = y`` with the least squares of what is left, for [*, m, n] and [*, m, k].

    Returns the solutions [*, n, k], those squares [*, k] (empty unless m > n), the ranks of ``x`` (int32; empty for 'gels') and
    its singular values (empty for 'gels' and 'gelsy'). ``rcond``: singular values below this part of the largest count as 0
    (default 1e-7, of float64 1e-15, times the larger of m and n). ``driver``: 'gels', 'gelsy' (the default), 'gelsd' or 'gelss';
    here all are computed from the singular values. There is no gradient, as in Paddle. Raises DTypeError, ShapeError, ValueError.

    Example:
        >>> x, y = paddle.to_tensor([[1.0, 0.0], [0.0, 2.0]]), paddle.to_tensor([[1.0], [4.0]])
        >>> paddle.linalg.lstsq(x, y)[0].tolist()
        [[1.0], [2.0]]
    """
    driver = "gelsy" if driver is None else driver
    if driver not in _DRIVERS:
        raise ArgumentError(f"lstsq: driver must be one of {', '.join(map(repr, _DRIVERS))}, got {driver!r}")
    if rcond is None:
        rcond = _SMALL.get(x.dtype.name, 0.0) * max(x.spec.shape[-2:])
    solution, residuals, rank, values = lstsq_op(x, y, rcond, driver)
    rank = empty([0], "int32") if driver == "gels" else rank
    return solution, residuals, rank, empty([0], x.dtype) if driver in ("gels", "gelsy") else values


method()(lstsq)


@method()
def householder_product(x: Tensor, tau: Any, name: str | None = None) -> Tensor:
    """The first n columns of the product of k reflections: [*, m, n] and [*, k] to [*, m, n], as LAPACK's ``orgqr``.

    Reflection i is ``I - tau[i] * w @ w.T``, where w has 0 above place i, 1 there, and below it what column i of ``x`` has.
    Raises ShapeError unless m >= n >= k.

    Example:
        >>> paddle.linalg.householder_product(paddle.eye(2), paddle.zeros([2])).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    dtype_checks.need_one_dtype("householder_product", x, tau)
    shape, count = x.spec.shape, tau.spec.shape[-1] if tau.ndim else UNKNOWN
    if x.ndim < 2 or tau.ndim != x.ndim - 1 or UNKNOWN in (*shape[-2:], count) or not shape[-2] >= shape[-1] >= count:
        shapes = f"{show(shape)} and {show(tau.spec.shape)}"
        raise ShapeError(f"householder_product: expected known [*, m, n] and [*, k] with m >= n >= k, got {shapes}")
    m, n = shape[-2:]
    columns = F.tril(x, -1) + F.eye(m, n, dtype=x.dtype)
    product = F.eye(m, dtype=x.dtype)
    for i in range(count):
        w, t = columns[..., i : i + 1], tau[..., i : i + 1]
        scaled = F.matmul(F.matmul(product, w), adjoint(w))
        product = product - scaled * F.unsqueeze(t, -1)
    return product[..., :n]


@method()
def pca_lowrank(
    x: Tensor, q: int | None = None, center: bool = True, niter: int = 2, name: str | None = None
) -> tuple[Tensor, ...]:
    """The ``q`` largest singular values of [*, m, n] with their vectors: [*, m, q], [*, q] and [*, n, q], approximately.

    ``q``: by default 6, or m or n if that is less; ``center``: the mean of each column is taken away first; ``niter``: rounds of
    the power iteration. By the randomized method of Halko, Martinsson and Tropp (2011), so that results differ a little from call
    to call. Raises ValueError for a ``q`` that is no such number.
    ``x``: floats.

    Example:
        >>> u, s, v = paddle.linalg.pca_lowrank(paddle.randn([5, 3]))
    """
    m, n = x.spec.shape[-2:]
    q = min(6, m, n) if q is None else q
    if not 0 <= q <= min(m, n) or niter < 0:
        raise ArgumentError(f"pca_lowrank: q must be from 0 to {min(m, n)} and niter not negative, got {q} and {niter}")
    if center:
        x = x - F.mean(x, -2, True)
    tall = m >= n
    a = x if tall else F.swapaxes(x, -1, -2)
    back = F.swapaxes(a, -1, -2)
    basis = qr(F.matmul(a, randn([min(m, n), q], x.dtype)))[0]
    for _ in range(niter):
        basis = qr(F.matmul(a, qr(F.matmul(back, basis))[0]))[0]
    u, s, vh = svd(F.matmul(F.swapaxes(basis, -1, -2), a))
    u, v = F.matmul(basis, u), F.swapaxes(vh, -1, -2)
    return (u, s, v) if tall else (v, s, u)
