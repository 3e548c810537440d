"""Cross entropy."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, GradContext, Prepared, Sample, op
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import blocked_sum, dtype_checks, shape_rules, traced_values
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.fused import cross_entropy_prepared
from to_static.compiler.ops.layers.softmax import softmax, softmax_grad
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType, as_dtype, bool_
from to_static.core.errors import OUT_OF_RANGE, DTypeError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter

_CE = "soft_label:bool ignore_index:int use_softmax:bool axis:int"


@op(f"cross_entropy(Logits, Label! -> Loss) {_CE}", file="softmax_with_cross_entropy", traits="check_shapes")
def cross_entropy_op(
    logits: Tensor,
    label: Tensor,
    soft_label: bool = False,
    ignore_index: int = -100,
    use_softmax: bool = True,
    axis: int = -1,
) -> Tensor:
    """``-log(softmax(logits)[label])`` along ``axis``, whose dimension is 1 in the result.

    ``label``: integers shaped as ``logits`` with 1 at ``axis`` (loss 0 where they equal ``ignore_index``), or with
    ``soft_label`` weights shaped as ``logits``. Without ``use_softmax`` ``logits`` are probabilities already.
    """
    return cross_entropy_op.emit(
        logits, label, soft_label=bool(soft_label), ignore_index=int(ignore_index), use_softmax=bool(use_softmax),
        axis=int(axis),
    )  # fmt: skip


@cross_entropy_op.infer
def _(
    logits: TensorSpec, label: TensorSpec, soft_label: bool, ignore_index: int, use_softmax: bool, axis: int
) -> TensorSpec:
    dtype_checks.need_float(logits, "cross_entropy")
    k = shape_rules.axis_index(axis, logits.ndim, "cross_entropy")
    loss_spec = logits.with_shape((*logits.shape[:k], 1, *logits.shape[k + 1 :]))
    want = logits if soft_label else loss_spec
    if soft_label and not label.dtype.is_floating:
        raise DTypeError(f"cross_entropy: soft labels must be floating, got {label.dtype.name}")
    if soft_label:
        dtype_checks.need_one_dtype("cross_entropy", logits, label)
    if not soft_label and not label.dtype.is_integer:
        wanted = "integers, `label.astype('int64')` (or soft_label=True)"
        raise DTypeError(f"cross_entropy: labels must be {wanted}, got {label.dtype.name}")
    if not shape_rules.compatible(label.shape, want.shape):
        wanted, got = (_label_shape(spec.shape, k) for spec in (want, label))
        meant = "; one-hot labels are for soft_label=True" if label.shape == logits.shape and not soft_label else ""
        raise ShapeError(
            f"cross_entropy: for logits {show(logits.shape)} and axis {axis} labels must have shape {wanted}, "
            f"got {got}{meant}"
        )
    return loss_spec


def _label_shape(shape: tuple[int, ...], axis: int) -> str:
    """The shape of labels as their user may have given it: a dimension of one at ``axis`` is added where there is none."""
    if len(shape) <= axis or shape[axis] != 1:
        return show(shape)
    return f"{show((*shape[:axis], *shape[axis + 1 :]))} (or {show(shape)})"


def checked_labels(xp: ArrayModule, label: Array, ignore_index: int, classes: int) -> tuple[Any, Any]:
    """Labels (int64) with the ignored ones replaced by 0, and a mask of those (None: there are none).

    Raises IndexError on a label outside ``[0, classes)``.
    """
    label = label.astype(np.int64, copy=False)
    if xp is np and label.size and not 0 <= ignore_index < classes and np.maximum.reduce(label.view(np.uint64), None) < classes:
        return label, None
    ignored = label == ignore_index
    if not xp.count_nonzero(ignored):
        ignored = None
    else:
        label = xp.where(ignored, 0, label)
    if label.size and label.view("uint64").max() >= classes:  # a negative label is a huge unsigned one
        raise IndexError(
            f"labels must lie in [0, {classes}) or be {ignore_index} (ignore_index), got values from "
            f"{int(label.min())} to {int(label.max())} {OUT_OF_RANGE}"
        )
    return label, ignored


def _rows(xp: ArrayModule, x: Array, axis: int) -> Array:
    """``x`` as a matrix with the classes last."""
    last = x if axis in (-1, x.ndim - 1) else xp.moveaxis(x, axis, -1)
    return last.reshape(prod(last.shape[:-1]), last.shape[-1])


def _log_sum(xp: ArrayModule, x: Array, axis: int) -> tuple[Any, Any]:
    """``x`` minus its maximum along ``axis``, and the logarithm of the sum of its exponentials."""
    shifted = x - x.max(axis=axis, keepdims=True) if x.size else x.copy()
    return shifted, xp.log(blocked_sum.total(xp.exp(shifted), axis, True)) if x.size else x.sum(axis=axis, keepdims=True)


@cross_entropy_op.kernel
def _(
    xp: ArrayModule, logits: Array, label: Array, soft_label: bool, ignore_index: int, use_softmax: bool, axis: int
) -> Array:
    if soft_label:
        if use_softmax:
            shifted, total = _log_sum(xp, logits, axis)
            log_p = shifted - total
        else:
            log_p = xp.log(logits)
        return -blocked_sum.total(log_p * label.astype(logits.dtype), axis, True)
    rows = _rows(xp, logits, axis)
    where, ignored = checked_labels(xp, label.reshape(-1), ignore_index, rows.shape[1])
    line = xp.arange(rows.shape[0])
    if use_softmax:
        shifted, total = _log_sum(xp, rows, 1)
        loss = total[:, 0] - shifted[line, where]
    else:
        loss = -xp.log(rows[line, where])
    if ignored is not None:
        loss[ignored] = 0
    return loss.reshape(label.shape)


@cross_entropy_op.specialize
def _(
    out: TensorSpec,
    logits: TensorSpec,
    label: TensorSpec,
    soft_label: bool,
    ignore_index: int,
    use_softmax: bool,
    axis: int,
) -> Any:
    if soft_label or not use_softmax or axis not in (-1, logits.ndim - 1) or not logits.size:
        return None
    classes = logits.shape[-1]
    count = logits.size // classes
    line = np.arange(count)
    top: Any = np.maximum.reduce
    total: Any = np.add.reduce

    def cross_entropy_op_run(logits: Array, label: Array) -> Array:
        rows = logits.reshape(count, classes)
        where, ignored = checked_labels(np, label.reshape(-1), ignore_index, classes)
        shifted = rows - top(rows, axis=1, keepdims=True)
        loss = np.log(total(np.exp(shifted), axis=1)) - shifted[line, where]
        if ignored is not None:
            loss[ignored] = 0
        return loss.reshape(out.shape)

    return cross_entropy_op_run


@cross_entropy_op.prepare
def _(specs: tuple[TensorSpec, ...], **attrs: AttrValue) -> Any:
    return cross_entropy_prepared.prepared(specs, cross_entropy_op.op.kernel_for("numpy"), attrs, False)


@cross_entropy_op.may_raise
def _(logits: Var, label: Var, soft_label: bool, **attrs: AttrValue) -> bool:
    return not soft_label or traced_values.has_unknown_size(logits, label)


@cross_entropy_op.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    logits, label = ctx.inputs
    attrs = {k: ctx.attrs[k] for k in ("soft_label", "ignore_index", "axis")}
    if ctx.use_softmax:
        gx = cross_entropy_grad.emit(logits, label, g, **attrs)
    elif ctx.soft_label:
        gx = -label * g / logits
    else:  # the loss is -log(p[label]), so 1 / p[label] = exp(loss)
        gx = -_picked(logits, label, ctx) * F.exp(ctx.out) * g
    return gx, None


def _picked(logits: Tensor, label: Tensor, ctx: GradContext) -> Tensor:
    """1 at the label of each row of logits, 0 elsewhere and in ignored rows."""
    classes = F.arange(0, logits.shape[ctx.axis], 1, label.dtype)
    shape = [1] * logits.ndim
    shape[ctx.axis] = -1
    hit = (label == classes.reshape(shape)).astype(logits.dtype)
    return hit * (label != ctx.ignore_index).astype(logits.dtype)


@op("cross_entropy_grad(Logits, Label!, G -> DLogits) soft_label ignore_index axis", file=None)
def cross_entropy_grad(logits: Any, label: Any, g: Any, soft_label: bool, ignore_index: int, axis: int) -> Any:
    """Gradient of `cross_entropy_op`: ``(softmax(logits) - label) * g``, with labels as one-hot vectors.

    Soft labels count as distributions, as in Paddle: of some that do not sum to 1 this is not the derivative of the loss.
    """
    return cross_entropy_grad.emit(logits, label, g, soft_label=soft_label, ignore_index=ignore_index, axis=axis)


@cross_entropy_grad.infer
def _(logits: TensorSpec, label: TensorSpec, g: TensorSpec, **attrs: AttrValue) -> TensorSpec:
    return logits


@cross_entropy_grad.kernel
def _(xp: ArrayModule, logits: Array, label: Array, g: Array, soft_label: bool, ignore_index: int, axis: int) -> Array:
    if logits.size == 0:
        return xp.zeros_like(logits)
    if not soft_label:
        rows = _rows(xp, logits, axis)
        work = xp.exp(rows - rows.max(axis=1, keepdims=True))
        total = work.sum(axis=1)
        where, ignored = checked_labels(xp, label.reshape(-1), ignore_index, rows.shape[1])
        g = g.reshape(-1)
        if ignored is not None:
            g = g * ~ignored
        xp.multiply(work, (g / total)[:, None], work)
        work[xp.arange(work.shape[0]), where] -= g
        if axis in (-1, logits.ndim - 1):
            return work.reshape(logits.shape)
        shape = xp.moveaxis(logits, axis, -1).shape
        return xp.ascontiguousarray(xp.moveaxis(work.reshape(shape), -1, axis))
    work = xp.subtract(logits, logits.max(axis=axis, keepdims=True), xp.empty_like(logits))
    xp.exp(work, work)
    xp.divide(work, blocked_sum.total(work, axis, True), work)
    xp.subtract(work, label.astype(logits.dtype, copy=False), work)
    return xp.multiply(work, g, work)


@cross_entropy_grad.prepare
def _(specs: tuple[TensorSpec, ...], **attrs: AttrValue) -> Any:
    return cross_entropy_prepared.prepared(specs, cross_entropy_grad.op.kernel_for("numpy"), attrs, True)


@cross_entropy_grad.grad
def _(ctx: GradContext, u: Tensor) -> Any:
    logits, label, g = ctx.inputs
    ones = F.ones_like(g)
    slope = cross_entropy_grad.emit(logits, label, ones, **ctx.attrs)
    if not ctx.soft_label:
        ones = (label != ctx.ignore_index).astype(g.dtype)
    gx = softmax_grad(softmax(logits, ctx.axis), u * g * ones, ctx.axis) if ctx.needs[0] else None
    return gx, None, (u * slope).sum(ctx.axis, keepdim=True)


@cross_entropy_op.to_file
def _(w: FileWriter, op: Op) -> None:
    outputs = {"Softmax": w.unused(), "Loss": op.out}
    w.default(op, outputs=outputs, attrs={"numeric_stable_mode": ("bool", True)})


@cross_entropy_op.from_file
def _(r: FileReader) -> Any:
    logits, axis, use_softmax = r.input("Logits"), r.attr("axis", -1), r.attr("use_softmax", True)
    loss = cross_entropy_op(
        logits, r.input("Label"), r.attr("soft_label", False), r.attr("ignore_index", -100), use_softmax, axis
    )
    return {"Loss": loss, "Softmax": softmax(logits, axis) if use_softmax else logits}


@op("count_labels(Label -> Count) ignore_index dtype", file="count_labels", traits="nodiff")
def count_labels(label: Tensor, ignore_index: int, dtype: DType) -> Tensor:
    """The number of labels that are not ``ignore_index``, at least 1, as a 0-D tensor of ``dtype``."""
    return count_labels.emit(label, ignore_index=int(ignore_index), dtype=dtype)


@count_labels.infer
def _(label: TensorSpec, ignore_index: int, dtype: DType) -> TensorSpec:
    return TensorSpec((), dtype)


@count_labels.kernel
def _(xp: ArrayModule, label: Array, ignore_index: int, dtype: DType) -> Array:
    return xp.asarray(xp.maximum(xp.count_nonzero(label != ignore_index), 1), dtype.np)


@count_labels.specialize
def _(out: TensorSpec, label: TensorSpec, ignore_index: int, dtype: DType) -> Any:
    if label.dtype.name not in ("int32", "int64") or abs(ignore_index) >= 2**31:
        return None
    ignored = np.asarray(ignore_index, label.dtype.np)
    return lambda label: np.asarray(np.count_nonzero(label != ignored) or 1, dtype.np)


@count_labels.prepare
def _(specs: tuple[TensorSpec, ...], ignore_index: int, dtype: DType) -> Prepared | None:
    (label,) = specs
    if label.dtype.name not in ("int32", "int64"):
        return None

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        not_equal, count, ignored = np.not_equal, np.count_nonzero, np.asarray(ignore_index, label.dtype.np)

        def count_labels_run(label: Array) -> Array:
            y = empty((), dtype.np) if out is None else out
            y.fill(count(not_equal(label, ignored, work[0])) or 1)
            return y

        return count_labels_run

    return Prepared([TensorSpec(label.shape, bool_)], [], bind)


@count_labels.to_file
def _(w: FileWriter, op: Op) -> None:
    (label,), dtype = op.inputs, op.attrs["dtype"]
    loss_spec = w.temp(TensorSpec(label.spec.shape, bool_))
    ignored = w.constant(np.asarray([op.attrs["ignore_index"]], label.spec.dtype.np))
    w.write("not_equal", {"X": label, "Y": ignored}, {"Out": loss_spec}, {"axis": ("int", -1)})
    counted = w.cast(loss_spec, TensorSpec(label.spec.shape, bool_), dtype)
    total = w.temp(TensorSpec((), dtype))
    every = {"dim": ("ints", list(range(label.spec.ndim))), "keep_dim": ("bool", False), "reduce_all": ("bool", True)}
    w.write("reduce_sum", {"X": counted}, {"Out": total}, every)
    one = w.constant(np.asarray(1, dtype.np))
    w.write("elementwise_max", {"X": total, "Y": one}, {"Out": op.out}, {"axis": ("int", -1)})


def _soft(*shape: int, axis: int = -1) -> np.ndarray:
    """Labels that are distributions: of others the gradient is not the derivative."""
    label = _f(*shape, seed=1, low=0, high=1)
    return label / label.sum(axis, keepdims=True)


def _f(*shape: int, seed: int = 0, low: float = -2.0, high: float = 2.0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(low, high, shape).astype("float32")


_HARD: dict[str, Any] = {"soft_label": False, "ignore_index": -100, "use_softmax": True, "axis": -1}
_SOFT: dict[str, Any] = _HARD | {"soft_label": True}
cross_entropy_op.samples(
    lambda: [
        Sample(_f(3, 4), np.asarray([[1], [0], [3]]), **_HARD),
        Sample(_f(3, 4), np.asarray([[1], [2], [3]], "int32"), **(_HARD | {"ignore_index": 2})),
        Sample(_f(2, 3, 2), np.asarray([[[1, 2]], [[0, 1]]]), **(_HARD | {"axis": 1})),
        Sample(_f(3, 4, low=0.1, high=0.9), np.asarray([[1], [0], [3]]), **(_HARD | {"use_softmax": False})),
        Sample(_f(3, 4), _soft(3, 4), **_SOFT),
        Sample(_f(2, 3), _soft(2, 3, axis=0), **(_SOFT | {"axis": 0})),
        Sample(_f(3, 4, low=0.1, high=0.9), _f(3, 4, seed=1, low=0), **(_SOFT | {"use_softmax": False})),
        Sample(np.asarray([[1e4, -1e4, 0]], "float32"), np.asarray([[0]]), **_HARD, grad=()),
    ]
)
_GRAD: dict[str, Any] = {"soft_label": False, "ignore_index": 2, "axis": -1}
cross_entropy_grad.samples(
    lambda: [
        Sample(_f(3, 4), np.asarray([[1], [2], [3]]), _f(3, 1, seed=2), **_GRAD),
        Sample(_f(2, 3), np.asarray([[1, 0, 1]]), _f(1, 3, seed=2), **(_GRAD | {"axis": 0})),
        Sample(_f(3, 4), _f(3, 4, seed=1, low=0, high=1), _f(3, 1, seed=2), **(_GRAD | {"soft_label": True})),
    ]
)
count_labels.samples(
    lambda: [
        Sample(np.asarray([1, 2, 2]), ignore_index=1, dtype=as_dtype("float32")),
        Sample(np.asarray([[1], [1]], "int32"), ignore_index=1, dtype=as_dtype("float32")),
    ]
)
