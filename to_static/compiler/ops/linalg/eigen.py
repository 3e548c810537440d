"""Eigenvalues and eigenvectors of general square matrices: eig, eigvals. The results are complex."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.linalg.decompose import COMPLEX, adjoint
from to_static.compiler.ops.linalg.solve import solve
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import DTypeError, ShapeError


def _check(x: TensorSpec, name: str) -> TensorSpec:
    """The spec of complex matrices like ``x``; raises DTypeError or ShapeError."""
    if not x.dtype.is_floating or x.dtype.itemsize == 2:
        raise DTypeError(f"{name}: expected float32, float64 or complex matrices, got {x.dtype.name}")
    if x.ndim < 2 or (x.shape[-1] != x.shape[-2] and UNKNOWN not in x.shape[-2:]):
        raise ShapeError(f"{name}: expected square matrices, got {show(x.shape)}")
    return x.with_dtype(COMPLEX.get(x.dtype, x.dtype))


@op("eig(X -> Eigenvalues, Eigenvectors)", traits="may_raise complex_gradient", method=True)
def eig(x: Tensor, name: str | None = None) -> tuple[Tensor, ...]:
    """Eigenvalues and eigenvectors (columns of length 1) of square matrices: [..., n, n] to complex [..., n] and [..., n, n].

    In the order of LAPACK. The gradient needs distinct eigenvalues, and must not depend on the phases of the vectors.
    Raises DTypeError, ShapeError.
    ``x``: floats or complex numbers.

    Example:
        >>> values, vectors = paddle.linalg.eig(paddle.to_tensor([[2.0, 1.0], [0.0, 3.0]]))
    """
    return eig.emit(x)


@eig.infer
def _(x: TensorSpec) -> tuple[TensorSpec, ...]:
    complex_dtype = _check(x, "eig")
    return complex_dtype.with_shape(complex_dtype.shape[:-1]), complex_dtype


def _complex_type(x: Array) -> str:
    return "complex128" if x.dtype.name in ("float64", "complex128") else "complex64"


@eig.kernel
def _(xp: ArrayModule, x: Array) -> tuple[Array, ...]:
    values, vectors = xp.linalg.eig(x)
    return values.astype(_complex_type(x)), vectors.astype(_complex_type(x))


@eig.grad
def _(ctx: GradContext, gw: Tensor, gv: Tensor) -> Any:
    """Boeddeker et al., "On the computation of complex-valued gradients" (2017), of vectors of length 1."""
    w, v = ctx.outputs
    eye = F.cast(F.eye(w.shape[-1]), w.dtype)
    inner = F.unsqueeze(gw, -1) * eye
    adjoint_vectors = adjoint(v)
    along = F.matmul(adjoint_vectors, gv)
    length = F.cast(F.real(F.sum(along * eye, -2, keepdim=True)), w.dtype)
    gaps = F.conj(F.unsqueeze(w, -2) - F.unsqueeze(w, -1))
    inner = inner + (along - F.matmul(adjoint_vectors, v) * length) * (1 - eye) / (gaps + eye)
    return _back(ctx.x, adjoint_vectors, inner)


def _back(x: Any, adjoint_vectors: Any, inner: Any) -> Any:
    dx = solve(adjoint_vectors, F.matmul(inner, adjoint_vectors))
    return dx if x.dtype.kind == "c" else F.real(dx)


@op("eigvals(X -> Out)", traits="may_raise complex_gradient", method=True)
def eigvals(x: Tensor, name: str | None = None) -> Tensor:
    """The eigenvalues of square matrices: [..., n, n] to complex [..., n]; see `eig`.

    ``x``: floats or complex numbers.

    Example:
        >>> paddle.linalg.eigvals(paddle.to_tensor([[2.0, 1.0], [0.0, 3.0]]))          # 2 + 0j, 3 + 0j
    """
    return eigvals.emit(x)


@eigvals.infer
def _(x: TensorSpec) -> TensorSpec:
    complex_dtype = _check(x, "eigvals")
    return complex_dtype.with_shape(complex_dtype.shape[:-1])


@eigvals.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    return xp.linalg.eigvals(x).astype(_complex_type(x))


@eigvals.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    v = eig(ctx.x)[1]
    eye = F.cast(F.eye(g.shape[-1]), g.dtype)
    return _back(ctx.x, adjoint(v), F.unsqueeze(g, -1) * eye)


def _apart(*lead: int) -> np.ndarray:
    """Matrices of distinct real eigenvalues."""
    return f32(*lead, 3, 3) / 4 + np.diag(np.asarray([1.0, 3.0, 6.0], "float32"))


eig.samples(lambda: [Sample(_apart(), rtol=1e-4, grad=()), Sample(_apart(2), rtol=1e-4, grad=())])
eigvals.samples(lambda: [Sample(_apart(), rtol=1e-4), Sample(_apart(2), rtol=1e-4)])
