"""Negative log likelihood."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import blocked_sum, dtype_checks
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.indexing.along_axis import along
from to_static.compiler.ops.indexing.embedding import any_beyond
from to_static.compiler.ops.losses.cross_entropy import checked_labels
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import DTypeError, ShapeError
from to_static.core.native_index import native


@op("nll_loss(X, Label, Weight? -> Out, Total_weight?) ignore_index:long reduction:str", traits="may_raise check_shapes")
def nll_loss_op(
    x: Tensor, label: Tensor, weight: Tensor | None, ignore_index: int = -100, reduction: str = "mean"
) -> tuple[Tensor, ...]:
    """``-weight[label] * x[label]`` over dimension 1, reduced, and the sum of the weights used."""
    return nll_loss_op.emit(x, label, weight, ignore_index=int(ignore_index), reduction=reduction)


@nll_loss_op.infer
def _(
    x: TensorSpec, label: TensorSpec, weight: TensorSpec | None, ignore_index: int, reduction: str
) -> tuple[TensorSpec, ...]:
    dtype_checks.need_one_dtype("nll_loss", dtype_checks.need_float(x, "nll_loss"), weight)
    want = (*x.shape[:1], *x.shape[2:])
    if x.ndim < 2 or len(want) != label.ndim:
        raise ShapeError(
            f"nll_loss: the input must be [N, C, *] and the labels [N, *], got {show(x.shape)} and "
            f"{show(label.shape)}"
        )
    if not label.dtype.is_integer:
        raise DTypeError(f"nll_loss: labels must be integers, `label.astype('int64')`, got {label.dtype.name}")
    if weight is not None and UNKNOWN not in (weight.size, x.shape[1]) and weight.size != x.shape[1]:
        raise ShapeError(f"nll_loss: weight must have one element per class ({x.shape[1]}), got {show(weight.shape)}")
    return x.with_shape(label.shape if reduction == "none" else ()), x.with_shape(())


_FEW = 2**24  # numbers that float32 counts exactly


@nll_loss_op.kernel
def _(
    xp: ArrayModule, x: Array, label: Array, weight: Array | None, ignore_index: int, reduction: str
) -> tuple[Array, ...]:
    where, ignored = checked_labels(xp, label, ignore_index, x.shape[1])
    if weight is ignored is None and 0 < label.size < _FEW and x.dtype.itemsize > 2:
        loss = -x[along(x, where[:, None], 1, xp)][:, 0]
        total = xp.asarray(label.size, x.dtype)
        if reduction == "none":
            return loss, total
        added = blocked_sum.total(loss)
        return xp.asarray(added / total if reduction == "mean" else added), total
    weights = xp.ones(label.shape, x.dtype) if weight is None else weight.take(native(where))
    if ignored is not None:
        weights = xp.where(ignored, xp.zeros((), x.dtype), weights)
    where = where[:, None]
    loss = -x[along(x, where, 1, xp)][:, 0] * weights
    total = xp.asarray(weights.sum())
    if reduction != "none":
        loss = xp.asarray(loss.sum())
    if reduction == "mean":
        loss = loss / (total + (total == 0))
    return loss, total


@nll_loss_op.specialize
def _(
    out: tuple[TensorSpec, ...],
    x: TensorSpec,
    label: TensorSpec,
    weight: TensorSpec | None,
    ignore_index: int,
    reduction: str,
) -> Any:
    classes = x.shape[1]
    if x.ndim != 2 or label.dtype.name != "int64" or weight is not None or x.dtype.itemsize < 4 or 0 <= ignore_index < classes:
        return None
    if not 0 < label.size < _FEW:
        return None
    kernel = nll_loss_op.op.kernel_for("numpy")
    divisor = x.dtype.np.type(-label.size if reduction == "mean" else -1)
    first, total, beyond = np.arange(0, x.size, classes), np.array(label.size, x.dtype.np), any_beyond(label.dtype, classes)
    add = blocked_sum.adder((label.size,), x.dtype.np.char, (0,), False)

    def nll_loss_op_run(x: Array, label: Array, weight: Any) -> tuple[Array, ...]:
        if beyond(label):  # ignored ones, or wrong ones
            return kernel(np, x, label, weight, ignore_index=ignore_index, reduction=reduction)
        loss = x.reshape(-1).take(native(np.add(label, first)))
        if reduction == "none":
            return np.negative(loss, loss), total.copy()
        return np.asarray(add(loss) / divisor), total.copy()

    return nll_loss_op_run


@nll_loss_op.grad_kernel
def _(
    x: Array,
    label: Array,
    weight: Array | None,
    loss: Array,
    total: Array,
    g: Array,
    ignore_index: int,
    reduction: str,
) -> Any:
    where, ignored = checked_labels(np, label, ignore_index, x.shape[1])
    share: Any = np.negative(g)
    if reduction == "mean":
        share = share / (total + (total == 0))
    if weight is not None:
        share = share * weight.take(native(where))
    if ignored is not None:
        share = np.where(ignored, np.zeros((), x.dtype), share)
    slope = np.zeros(x.shape, x.dtype)
    slope[along(x, where[:, None], 1, np)] = share[:, None] if share.ndim else share
    return slope


@nll_loss_op.grad
def _(ctx: GradContext, g: Tensor, unused: Any) -> Any:
    x, label, weight = ctx.inputs
    shape = [1, -1, *[1] * (x.ndim - 2)]
    classes = F.arange(0, x.shape[1], 1, label.dtype).reshape(shape)
    label = label.unsqueeze(1)
    hit = (label == classes).astype(x.dtype) * (label != ctx.ignore_index).astype(x.dtype)
    if weight is not None:
        hit = hit * weight.reshape(shape)
    if ctx.reduction == "none":
        return -hit * g.unsqueeze(1), None, None
    if ctx.reduction == "mean":
        total = ctx.outputs[1]
        g = g / (total + (total == 0).astype(x.dtype))
    return -hit * g, None, None


def _f(*shape: int, seed: int = 0, low: float = -2.0, high: float = 2.0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(low, high, shape).astype("float32")


nll_loss_op.samples(
    lambda: [
        Sample(_f(3, 4), np.asarray([1, 0, 3]), None, ignore_index=-100, reduction="mean"),
        Sample(_f(3, 4), np.asarray([1, 0, 3]), _f(4, seed=1, low=0.1), ignore_index=0, reduction="mean", grad=(0,)),
        Sample(_f(2, 3, 2, 2), np.asarray([[[0, 1], [2, 0]]] * 2), None, ignore_index=1, reduction="none"),
        Sample(_f(2, 3), np.asarray([1, 1]), _f(3, seed=1, low=0.1), ignore_index=-100, reduction="sum", grad=(0,)),
        Sample(_f(2, 3), np.asarray([1, 1]), None, ignore_index=1, reduction="mean"),
    ]
)
