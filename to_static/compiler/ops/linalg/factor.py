"""Factorizations of matrices: QR and LU."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, method, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.linalg import lapack
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.dtypes import int32
from to_static.core.errors import ArgumentError, AutogradError, DTypeError, ShapeError


def _matrices(x: TensorSpec, name: str) -> tuple[int, int]:
    """Rows and columns; raises ShapeError or DTypeError unless these are matrices of float32 or float64."""
    if x.dtype.kind != "f" or x.dtype.itemsize == 2:
        raise DTypeError(f"{name}: expected float32 or float64 matrices, got {x.dtype.name}")
    if x.ndim < 2:
        raise ShapeError(f"{name}: expected matrices, got {show(x.shape)}")
    return x.shape[-2], x.shape[-1]


def _less(a: int, b: int) -> int:
    return UNKNOWN if UNKNOWN in (a, b) else min(a, b)


def _turn(x: Tensor) -> Tensor:
    return F.swapaxes(x, -1, -2)


def _times(x: Tensor, y: Tensor, tx: bool = False, ty: bool = False) -> Tensor:
    return F.matmul(x, y, tx, ty)


# QR -------------------------------------------------------------------------------------------------------------------


@op("qr(X -> Q, R) mode:str", traits="may_raise")
def qr_op(x: Tensor, mode: str = "reduced") -> tuple[Tensor, ...]:
    """The two factors, see `qr`; Q is empty in mode 'r'."""
    return qr_op.emit(x, mode=mode)


@qr_op.infer
def _(x: TensorSpec, mode: str) -> Any:
    m, n = _matrices(x, "qr")
    if mode not in ("reduced", "complete", "r"):
        raise ArgumentError(f"qr: mode must be 'reduced', 'complete' or 'r', got {mode!r}")
    k = m if mode == "complete" else _less(m, n)
    q = (0,) if mode == "r" else (*x.shape[:-1], k)
    return x.with_shape(q), x.with_shape((*x.shape[:-2], k, n))


@qr_op.kernel
def _(xp: Any, x: Any, mode: str) -> Any:
    if mode == "r":
        return xp.empty((0,), x.dtype), xp.linalg.qr(x, "r")
    return lapack.qr(xp, x) if mode == "reduced" else tuple(xp.linalg.qr(x, mode))


@qr_op.grad
def _(ctx: Any, gq: Any, gr: Any) -> Any:
    (m, n), (q, r) = ctx.x.spec.shape[-2:], ctx.outputs
    if ctx.mode != "reduced" and not (ctx.mode == "complete" and m == n):
        raise AutogradError(f"qr: there is no gradient in mode {ctx.mode!r}; take mode='reduced'")
    if UNKNOWN in (m, n):
        raise AutogradError("qr: the gradient needs a matrix whose sizes are known")
    if m >= n:
        return _of_tall(q, r, gq, gr)
    # the first m columns are factored, the others follow from Q
    further_columns, inner = ctx.x[..., m:], gr[..., m:]
    first_columns = _of_tall(q, r[..., :m], gq + _times(further_columns, inner, False, True), gr[..., :m])
    return F.concat([first_columns, _times(q, inner)], -1)


def _of_tall(q: Tensor, r: Tensor, gq: Tensor, gr: Tensor) -> Tensor:
    """Walter and Lehmann, "Algorithmic differentiation of linear algebra functions" (2010)."""
    inner = _times(r, gr, False, True) - _times(gq, q, True)
    low = F.tril(inner)
    symmetric = low + _turn(F.tril(low, -1))
    return _turn(F.triangular_solve(r, _turn(gq + _times(q, symmetric)), True))


def _full(*shape: int) -> np.ndarray:
    """Matrices whose rows or columns are far from dependent."""
    sample = f32(*shape)
    k = min(shape[-2:])
    sample[..., range(k), range(k)] += 3
    return sample


qr_op.samples(lambda: [Sample(_full(*shape), mode="reduced") for shape in ((3, 3), (2, 4, 3), (2, 4))])


@method()
def qr(x: Tensor, mode: str = "reduced", name: str | None = None) -> Any:
    """Matrices ``[*, m, n]`` as products ``Q @ R`` of one with orthogonal columns and an upper triangular one.

    ``mode``: 'reduced' (``Q`` has ``min(m, n)`` columns, the default), 'complete' (``m``), or 'r': only ``R`` is returned.
    ``x``: floats.

    Example:
        >>> q, r = paddle.linalg.qr(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]))
    """
    q, r = qr_op(x, mode)
    return r if mode == "r" else (q, r)


# LU -------------------------------------------------------------------------------------------------------------------


@op("lu(X -> Out, Pivots, Infos) pivots:bool", traits="check_shapes")
def lu_op(x: Tensor, pivots: bool = True) -> tuple[Tensor, ...]:
    """Both factors in one matrix, the exchanged rows (from 1), and 0 or the place (from 1) of the first zero pivot."""
    return lu_op.emit(x, pivots=bool(pivots))


@lu_op.infer
def _(x: TensorSpec, pivots: bool) -> Any:
    k = _less(*_matrices(x, "lu"))
    return x, TensorSpec((*x.shape[:-2], k), int32), TensorSpec(x.shape[:-2] or (1,), int32)


@lu_op.kernel
def _(xp: Any, x: Any, pivots: bool) -> Any:
    m, n = x.shape[-2:]
    k, lead = min(m, n), x.shape[:-2]
    packed = x.reshape((prod(lead), m, n)).copy()
    rows = xp.arange(packed.shape[0])
    swaps = xp.tile(xp.arange(1, k + 1, dtype="int32"), (packed.shape[0], 1))
    infos = xp.zeros(packed.shape[0], "int32")
    for j in range(k):
        if pivots:
            best = j + xp.abs(packed[:, j:, j]).argmax(1)
            upper, lower = packed[rows, j].copy(), packed[rows, best].copy()
            packed[rows, j], packed[rows, best] = lower, upper
            swaps[:, j] = best + 1
        head = packed[:, j, j]
        zero = head == 0
        infos = xp.where(zero & (infos == 0), j + 1, infos).astype("int32")
        packed[:, j + 1 :, j] /= xp.where(zero, 1, head).astype(x.dtype)[:, None]
        packed[:, j + 1 :, j + 1 :] -= packed[:, j + 1 :, j : j + 1] * packed[:, j : j + 1, j + 1 :]
    return packed.reshape(x.shape), swaps.reshape((*lead, k)), infos.reshape(lead or (1,))


@lu_op.grad
def _(ctx: Any, g: Any, gp: Any, gi: Any) -> Any:
    out, swaps = ctx.out, ctx.outputs[1]
    if out.spec.shape[-1] != out.spec.shape[-2]:
        raise AutogradError(f"lu: there is a gradient of square matrices only, not of {show(out.spec.shape)}")
    rows, low, up = lu_unpack(out, swaps)
    inner = F.tril(_times(low, g, True), -1) + F.triu(_times(g, up, False, True))
    right = _turn(F.triangular_solve(up, _turn(inner), True))
    return _times(rows, F.triangular_solve(low, right, False, True, True))


lu_op.samples(lambda: [Sample(_full(3, 3), pivots=True), Sample(_full(2, 2, 2)[:, ::-1].copy(), pivots=True, rtol=1e-4)])


@method()
def lu(x: Tensor, pivot: bool = True, get_infos: bool = False, name: str | None = None) -> tuple[Tensor, ...]:
    """Matrices ``[*, m, n]`` as ``P @ L @ U``, with ``L`` (without its ones) and ``U`` in one matrix.

    Returns that, the row that each row was exchanged with, counted from 1 (int32 ``[*, min(m, n)]``), and with ``get_infos``
    0 or the place, from 1, of the first pivot that is zero (int32 ``[*]``, or ``[1]`` of one matrix). `lu_unpack` gives the
    three factors. ``pivot=False``: rows stay.
    ``x``: the matrices, floats.

    Example:
        >>> both, pivots = paddle.linalg.lu(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]))
    """
    factors = lu_op(x, pivot)
    return tuple(factors) if get_infos else tuple(factors[:2])


@op("lu_permutation(X, Pivots -> Pmat)", file="lu_unpack", traits="nodiff")
def permutation(x: Tensor, pivots: Tensor) -> Tensor:
    """The matrices that exchange rows back, of the dtype of ``x``."""
    return permutation.emit(x, pivots)


@permutation.infer
def _(x: TensorSpec, pivots: TensorSpec) -> TensorSpec:
    if not pivots.dtype.is_integer:
        raise DTypeError(f"lu_unpack: the pivots must be integers, got {pivots.dtype.name}")
    return x.with_shape((*x.shape[:-1], x.shape[-2]))


@permutation.kernel
def _(xp: Any, x: Any, pivots: Any) -> Any:
    m, swaps = x.shape[-2], pivots.reshape((prod(pivots.shape[:-1]), pivots.shape[-1]))
    order = xp.tile(xp.arange(m), (swaps.shape[0], 1))
    rows = xp.arange(swaps.shape[0])
    for j in range(swaps.shape[1]):
        swapped_row = swaps[:, j] - 1
        order[:, j], order[rows, swapped_row] = order[rows, swapped_row].copy(), order[:, j].copy()
    matrix = xp.zeros((swaps.shape[0], m, m), x.dtype)
    matrix[rows[:, None], order, xp.arange(m)] = 1
    return matrix.reshape((*x.shape[:-1], m))


@permutation.to_file
def _(w: Any, op: Any) -> None:
    attrs = {"unpack_ludata": ("bool", False), "unpack_pivots": ("bool", True)}
    x, pivots = op.inputs
    w.write("lu_unpack", {"X": x, "Pivots": pivots}, {"Pmat": op.out, "L": w.unused(), "U": w.unused()}, attrs)


@permutation.from_file
def _(r: Any) -> Any:
    flags = r.attr("unpack_ludata", True), r.attr("unpack_pivots", True)
    factors = zip(("Pmat", "L", "U"), lu_unpack(r.input("X"), r.input("Pivots"), *flags), strict=True)
    return {slot: value for slot, value in factors if value is not None}


permutation.samples(lambda: [Sample(_full(2, 2), np.asarray([2, 2], "int32"), grad=())])


@method()
def lu_unpack(
    x: Tensor, y: Tensor, unpack_ludata: bool = True, unpack_pivots: bool = True, name: str | None = None
) -> tuple[Any, ...]:
    """The factors ``P``, ``L`` and ``U`` of what `lu` returned: ``x``, and the pivots ``y``.

    Factors that the flags leave out are None.
    ``unpack_pivots`` is the flag for ``P``, ``unpack_ludata`` that for ``L`` and ``U``. Raises ShapeError for
    matrices of an unknown size.

    Example:
        >>> lu, pivots = paddle.linalg.lu(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]))
        >>> p, l, u = paddle.linalg.lu_unpack(lu, pivots)
        >>> (p @ l @ u).tolist()
        [[1.0, 2.0], [3.0, 4.0]]
    """
    m, n = _matrices(x.spec, "lu_unpack")
    permuted = permutation(x, y) if unpack_pivots else None
    if not unpack_ludata:
        return permuted, None, None
    k = _less(m, n)
    if k == UNKNOWN:
        raise ShapeError(f"lu_unpack: the sizes of the matrices must be known, got {show(x.spec.shape)}")
    low = F.tril(x[..., :, :k], -1) + F.eye(m, k, dtype=x.dtype)
    return permuted, low, F.triu(x[..., :k, :])
