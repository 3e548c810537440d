"""Decompositions of matrices: singular values (svd) and eigenvalues of symmetric matrices (eigh, eigvalsh)."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import complex64, complex128, float32, float64
from to_static.core.errors import ArgumentError, AutogradError, DTypeError, ShapeError

REAL = {complex64: float32, complex128: float64}
COMPLEX = {real_dtype: complex_dtype for complex_dtype, real_dtype in REAL.items()}


def _matrices(x: TensorSpec, name: str, square: bool = False, dtype_kinds: str = "f") -> TensorSpec:
    if x.dtype.kind not in dtype_kinds or x.dtype.itemsize == 2:
        raise DTypeError(f"{name}: expected float32 or float64 {'or complex ' * ('c' in dtype_kinds)}matrices, got {x.dtype.name}")
    if x.ndim < 2 or (square and x.shape[-1] != x.shape[-2] and UNKNOWN not in x.shape[-2:]):
        raise ShapeError(f"{name}: expected {'square ' if square else ''}matrices, got {show(x.shape)}")
    return x


def _matmul(x: Tensor, y: Tensor, tx: bool = False, ty: bool = False) -> Tensor:
    return F.matmul(x, y, tx, ty)


def adjoint(x: Tensor) -> Tensor:
    """Matrices turned, complex ones conjugated, too."""
    transposed = F.swapaxes(x, -1, -2)
    return F.conj(transposed) if x.dtype.kind == "c" else transposed


def _row(values: Tensor) -> Tensor:
    """A vector in the last dimension, to scale the columns of matrices."""
    return F.unsqueeze(values, -2)


def _gaps(values: Tensor) -> Tensor:
    """``1 / (v[j] - v[i])`` for i != j, 0 on the diagonal."""
    gaps = _row(values) - F.unsqueeze(values, -1)
    eye = F.eye(values.shape[-1], dtype=values.dtype)
    return (1 - eye) / (gaps + eye)


def _diagonal(values: Tensor) -> Tensor:
    return F.unsqueeze(values, -1) * F.eye(values.shape[-1], dtype=values.dtype)


@op("svd(X -> U, S, VH) full_matrices:bool", traits="may_raise")
def svd(x: Tensor, full_matrices: bool = False, name: str | None = None) -> tuple[Tensor, ...]:
    """``U``, ``S`` and ``VH`` with ``x = U @ diag(S) @ VH``, singular values in falling order.

    For matrices [..., m, n] and k the smaller of m and n: [..., m, k], [..., k] and [..., k, n]; with ``full_matrices`` [m, m] and
    [n, n]. The gradient needs ``full_matrices=False`` and distinct singular values. Raises DTypeError, ShapeError.

    Example:
        >>> u, s, vh = paddle.linalg.svd(x)
    """
    return svd.emit(x, full_matrices=bool(full_matrices))


@svd.infer
def _(x: TensorSpec, full_matrices: bool) -> tuple[TensorSpec, ...]:
    *lead, m, n = _matrices(x, "svd").shape
    k = UNKNOWN if UNKNOWN in (m, n) else min(m, n)
    rows, columns = (m, n) if full_matrices else (k, k)
    return x.with_shape((*lead, m, rows)), x.with_shape((*lead, k)), x.with_shape((*lead, columns, n))


@svd.kernel
def _(xp: ArrayModule, x: Array, full_matrices: bool) -> tuple[Array, ...]:
    return tuple(xp.linalg.svd(x, full_matrices=full_matrices))


@svd.grad
def _(ctx: GradContext, gu: Tensor, gs: Tensor, gv: Tensor) -> Any:
    if ctx.full_matrices:
        raise AutogradError("svd: the gradient of full matrices is not defined; use full_matrices=False")
    u, s, vh = ctx.outputs
    gaps = _gaps(s * s)
    inner = _diagonal(gs)
    u_product = _matmul(u, gu, True)
    inner = inner + (gaps * (u_product - _matmul(gu, u, True))) * _row(s)
    right = _matmul(vh, gv, False, True)
    inner = inner + F.unsqueeze(s, -1) * (gaps * (right - _matmul(gv, vh, False, True)))
    dx = _matmul(_matmul(u, inner), vh)
    m, n = ctx.x.spec.shape[-2:]
    if m == UNKNOWN or n == UNKNOWN or m > n:
        dx = dx + _matmul((gu - _matmul(u, u_product)) / _row(s), vh)
    if m == UNKNOWN or n == UNKNOWN or n > m:
        dx = dx + _matmul(u / _row(s), gv - _matmul(_matmul(gv, vh, False, True), vh))
    return dx


@op("eigh(X -> Eigenvalues, Eigenvectors) uplo=UPLO:str", traits="may_raise complex_gradient")
def eigh(x: Tensor, UPLO: str = "L", name: str | None = None) -> tuple[Tensor, ...]:
    """Eigenvalues (rising) and eigenvectors (columns) of symmetric or Hermitian matrices.

    Only their triangle ``UPLO``, 'L' or 'U', is read.

    [..., n, n] to [..., n] and [..., n, n]. The gradient is that of a symmetric matrix, as Paddle's, and needs distinct
    eigenvalues. Raises DTypeError, ShapeError, and ValueError for another ``UPLO``.

    Example:
        >>> values, vectors = paddle.linalg.eigh(x)
    """
    return eigh.emit(x, uplo=UPLO)


@eigh.infer
def _(x: TensorSpec, uplo: str) -> tuple[TensorSpec, ...]:
    if uplo not in ("L", "U"):
        raise ArgumentError(f"eigh: UPLO must be 'L' or 'U', got {uplo!r}")
    shape = _matrices(x, "eigh", True, "fc").shape
    return TensorSpec(shape[:-1], REAL.get(x.dtype, x.dtype)), x


@eigh.kernel
def _(xp: ArrayModule, x: Array, uplo: str) -> tuple[Array, ...]:
    return tuple(xp.linalg.eigh(x, uplo))


@eigh.grad
def _(ctx: GradContext, gw: Tensor, gv: Tensor) -> Any:
    w, v = ctx.outputs
    weights = [F.cast(part, v.dtype) for part in (_diagonal(gw), _gaps(w))]
    inner = weights[0] + weights[1] * _matmul(adjoint(v), gv)
    dx = _matmul(_matmul(v, inner), adjoint(v))
    return (dx + adjoint(dx)) * 0.5


def eigvalsh(x: Tensor, UPLO: str = "L", name: str | None = None) -> Tensor:
    """The eigenvalues (rising) of symmetric matrices; see `eigh`.

    ``x``: ``[..., n, n]``; ``UPLO``: 'L' (default) or 'U', the triangle that is read.

    Example:
        >>> paddle.linalg.eigvalsh(paddle.to_tensor([[2.0, 1.0], [1.0, 2.0]])).tolist()
        [1.0, 3.0]
    """
    return eigh(x, UPLO)[0]


FUNCTIONS["eigvalsh"] = eigvalsh


def _symmetric(*lead: int) -> np.ndarray:
    x = f32(*lead, 3, 3)
    return x + x.swapaxes(-1, -2)


svd.samples(
    lambda: [
        Sample(f32(4, 3), full_matrices=False, rtol=1e-4), Sample(f32(2, 3, 3), full_matrices=False, rtol=1e-4),
        Sample(f32(2, 3), full_matrices=False, rtol=1e-4),
    ]
)  # fmt: skip
# the gradient counts both triangles, of which one is read: differences don't show it
eigh.samples(
    lambda: [
        Sample(_symmetric(), uplo="L", grad=()), Sample(_symmetric(2), uplo="U", grad=()),
        Sample((_symmetric() + 1j * np.triu(np.ones((3, 3)), 1) - 1j * np.tril(np.ones((3, 3)), -1)).astype("complex64"), uplo="L",
               grad=()),
    ]
)  # fmt: skip
