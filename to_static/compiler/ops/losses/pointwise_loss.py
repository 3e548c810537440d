"""Losses computed element by element: binary cross entropy, Kullback-Leibler divergence, Huber and log loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import blocked_sum, dtype_checks, shape_rules
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.kernel_scalar import operand
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError, DTypeError, ShapeError


def _same(name: str, x: TensorSpec, label: TensorSpec) -> TensorSpec:
    """The input's spec; raises ShapeError or DTypeError when the label's differs."""
    dtype_checks.need_float(x, name)
    if label.dtype is not x.dtype:
        raise DTypeError(f"{name}: the input is {x.dtype.name} and the label {label.dtype.name}; cast one of them")
    if not shape_rules.compatible(x.shape, label.shape):
        raise ShapeError(f"{name}: input {show(x.shape)} and label {show(label.shape)} must have one shape")
    return x


@op("bce_loss(X, Label! -> Out)", traits="check_shapes")
def bce_loss(x: Tensor, label: Tensor) -> Tensor:
    """``-label * log(x) - (1 - label) * log(1 - x)`` for probabilities ``x``; logarithms are cut at -100.

    Raises ValueError (when it runs) on an ``x`` outside ``[0, 1]``.
    """
    return bce_loss.emit(x, label)


@bce_loss.infer
def _(x: TensorSpec, label: TensorSpec) -> TensorSpec:
    return _same("binary_cross_entropy", x, label)


@bce_loss.kernel
def _(xp: ArrayModule, x: Array, label: Array) -> Array:
    if x.size and (x.min() < 0 or x.max() > 1):
        scores = "; of scores before `F.sigmoid` it is `F.binary_cross_entropy_with_logits`"
        raise ArgumentError(f"binary_cross_entropy: input must lie in [0, 1], got values from {x.min()} to {x.max()}{scores}")
    one, least = x.dtype.type(1), x.dtype.type(-100)  # beside arrays without dimensions, Python's 1 makes NumPy 1 compute in double
    with np.errstate(divide="ignore"):
        yes, no = xp.log(x), xp.log(one - x)
    return -label * xp.maximum(yes, least) - (one - label) * xp.maximum(no, least)


_BITS: dict[str, Any] = {"float32": np.uint32, "float64": np.uint64}


@bce_loss.specialize
def _(out: TensorSpec, x: TensorSpec, label: TensorSpec) -> Any:
    bits = _BITS.get(x.dtype.name)
    if bits is None or not x.shape or x.shape != label.shape:
        return None
    kernel, scalar_type = bce_loss.op.kernel_for("numpy"), x.dtype.np.type
    bounds = (np.finfo(scalar_type).tiny, np.nextafter(scalar_type(1), scalar_type(0)))
    lower_bits, upper_bits = (np.asarray(bound, scalar_type).view(bits) for bound in bounds)
    span, one = np.asarray(upper_bits - lower_bits, bits), np.asarray(1, scalar_type)
    subtract, log, multiply = np.subtract, np.log, np.multiply
    cut = scalar_type is np.float64  # the logarithm of the smallest number of 32 bits is above -100

    def bce_loss_run(x: Array, label: Array) -> Array:
        as_integers = x.view(bits)  # which are in the order of numbers
        if np.count_nonzero(np.greater(subtract(as_integers, lower_bits), span)):  # 0, 1 and what lies outside
            return kernel(np, x, label)
        yes, no = log(x), subtract(one, x)
        log(no, no)
        if cut:
            np.maximum(yes, -100, out=yes)
        multiply(yes, label, yes)
        multiply(no, subtract(label, one), no)
        return subtract(no, yes, no)

    return bce_loss_run


@bce_loss.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, label = ctx.inputs
    return g * (x - label) / F.clip(x * (1 - x), 1e-12), None


@op("sigmoid_cross_entropy_with_logits(X, Label!, pos_weight?! -> Out) ignore_index:int normalize:bool", traits="check_shapes")
def sigmoid_cross_entropy_with_logits(
    x: Tensor, label: Tensor, pos_weight: Tensor | None = None, ignore_index: int = -100, normalize: bool = False
) -> Tensor:
    """``max(x, 0) - x * label + log(1 + exp(-|x|))``, i.e. `bce_loss` of ``sigmoid(x)``, 0 where label is ``ignore_index``.

    ``pos_weight`` multiplies the last term only and the gradient is ``sigmoid(x) * pos_weight - label``, as Paddle 2.6 computes
    them, though one is not the derivative of the other where ``x`` is positive. ``normalize``: divide by the number of labels
    that count.
    """
    return sigmoid_cross_entropy_with_logits.emit(
        x, label, pos_weight, ignore_index=int(ignore_index), normalize=bool(normalize)
    )


_sigmoid_ce = sigmoid_cross_entropy_with_logits


@_sigmoid_ce.infer
def _(x: TensorSpec, label: TensorSpec, pos_weight: TensorSpec | None, **attrs: AttrValue) -> TensorSpec:
    _same("binary_cross_entropy_with_logits", x, label)
    if pos_weight is not None:
        both = shape_rules.broadcast(x.shape, pos_weight.shape, "binary_cross_entropy_with_logits")
        if len(both) > x.ndim or any(b not in (a, UNKNOWN) for a, b in zip(x.shape, both, strict=True) if a != UNKNOWN):
            raise ShapeError(
                f"binary_cross_entropy_with_logits: pos_weight {show(pos_weight.shape)} does not broadcast to the "
                f"logits {show(x.shape)}"
            )
    return x


@_sigmoid_ce.kernel
def _(xp: ArrayModule, x: Array, label: Array, pos_weight: Array | None, ignore_index: int, normalize: bool) -> Array:
    tail = xp.log1p(xp.exp(-xp.absolute(x)))
    loss = xp.maximum(x, x.dtype.type(0)) - x * label + (tail if pos_weight is None else tail * pos_weight)
    counts = label != ignore_index
    loss = xp.asarray(loss * counts)
    return loss / xp.maximum(xp.count_nonzero(counts), 1).astype(x.dtype) if normalize else loss


@_sigmoid_ce.specialize
def _(
    out: TensorSpec, x: TensorSpec, label: TensorSpec, pos_weight: TensorSpec | None, ignore_index: int, normalize: bool
) -> Any:
    if not x.shape or pos_weight is not None or normalize or x.shape != label.shape:
        return None
    zero, ignored, size = np.asarray(0, x.dtype.np), np.asarray(ignore_index, x.dtype.np), x.size

    def _sigmoid_ce_run(x: Array, label: Array, pos_weight: Any) -> Array:
        tail = np.absolute(x)
        np.negative(tail, tail)
        np.exp(tail, tail)
        np.log1p(tail, tail)
        loss = np.maximum(x, zero)
        np.subtract(loss, np.multiply(x, label), loss)
        np.add(loss, tail, loss)
        counts = np.not_equal(label, ignored)
        return loss if np.count_nonzero(counts) == size else np.multiply(loss, counts, loss)

    return _sigmoid_ce_run


@_sigmoid_ce.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, label, pos_weight = ctx.inputs
    counts = (label != ctx.ignore_index).astype(g.dtype)
    if ctx.normalize:
        g = g / F.clip(counts.sum(), 1.0)
    g = g * counts
    s = F.sigmoid(x)
    return g * ((s if pos_weight is None else s * pos_weight) - label), None, None  # the second as Paddle has it


@op("kldiv_loss(X, Target! -> Loss) reduction:str", traits="check_shapes")
def kldiv_loss(x: Tensor, target: Tensor, reduction: str = "none") -> Tensor:
    """``target * (log(target) - x)`` where target is positive, else 0, for log-probabilities ``x``; perhaps reduced.

    ``reduction``: 'none', 'sum', 'mean' or 'batchmean' (the sum divided by the first dimension).
    """
    if reduction not in ("none", "sum", "mean", "batchmean"):
        raise ArgumentError(f"kl_div: reduction must be 'none', 'sum', 'mean' or 'batchmean', got {reduction!r}")
    return kldiv_loss.emit(x, target, reduction=reduction)


@kldiv_loss.infer
def _(x: TensorSpec, target: TensorSpec, reduction: str) -> TensorSpec:
    _same("kl_div", x, target)
    return x if reduction == "none" else x.with_shape(())


@kldiv_loss.kernel
def _(xp: ArrayModule, x: Array, target: Array, reduction: str) -> Array:
    positive = target > 0
    loss = target * (xp.log(xp.where(positive, target, xp.ones((), x.dtype))) - x) * positive
    if reduction == "none":
        return loss
    if reduction == "mean":
        return blocked_sum.mean(loss)
    total = blocked_sum.total(loss)
    return total / x.dtype.type(x.shape[0]) if reduction == "batchmean" and x.ndim else total


@kldiv_loss.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, target = ctx.inputs
    if ctx.reduction == "mean":
        g = g / F.ones_like(x).sum()
    elif ctx.reduction == "batchmean" and x.ndim:
        g = g / shape_rules.element_count(x, (0,), g.dtype)
    positive = (target > 0).astype(x.dtype)
    return -target * positive * g, None


@op("huber_loss(X, Y -> Out, Residual?) delta:float", traits="check_shapes")
def huber_loss(x: Tensor, label: Tensor, delta: float = 1.0) -> tuple[Tensor, ...]:
    """``r² / 2`` where ``|r| <= delta``, else ``delta * (|r| - delta / 2)``, and the residual ``r = label - x``."""
    return huber_loss.emit(x, label, delta=float(delta))


@huber_loss.infer
def _(x: TensorSpec, label: TensorSpec, delta: float) -> tuple[TensorSpec, ...]:
    _same("smooth_l1_loss", x, label)
    return x, x


@huber_loss.kernel
def _(xp: ArrayModule, x: Array, label: Array, delta: float) -> tuple[Array, ...]:
    residual = xp.asarray(label - x)
    size = xp.absolute(residual)
    near = xp.minimum(size, x.dtype.type(delta))
    return near * (size - x.dtype.type(0.5) * near), residual


@huber_loss.specialize
def _(out: tuple[TensorSpec, ...], x: TensorSpec, label: TensorSpec) -> Any:
    if not x.shape or x.shape != label.shape:
        return None
    dtype, one_half = x.dtype.np, operand(np, 0.5, x.dtype.np)

    def huber_loss_run(x: Array, label: Array, delta: float) -> tuple[Array, ...]:
        residual = np.subtract(label, x)
        size = np.absolute(residual)
        near = np.minimum(size, np.array(delta, dtype))
        np.subtract(size, np.multiply(near, one_half), size)
        return np.multiply(near, size, size), residual

    return huber_loss_run


@huber_loss.grad
def _(ctx: GradContext, g: Tensor, unused: Any) -> Any:
    x, label = ctx.inputs
    slope = g * F.clip(x - label, -ctx.delta, ctx.delta)
    return slope, -slope


@op("log_loss(Predicted, Labels! -> Loss) epsilon:float", traits="check_shapes")
def log_loss(input: Tensor, label: Tensor, epsilon: float = 1e-4, name: str | None = None) -> Tensor:
    """``-label * log(input + epsilon) - (1 - label) * log(1 - input + epsilon)`` for probabilities ``[N, 1]``.

    Example:
        >>> F.log_loss(paddle.to_tensor([[0.5]]), paddle.to_tensor([[1.0]])).tolist()
        [[0.6929471492767334]]
    """
    return log_loss.emit(input, label, epsilon=float(epsilon))


@log_loss.infer
def _(x: TensorSpec, label: TensorSpec, epsilon: float) -> TensorSpec:
    return _same("log_loss", x, label)


@log_loss.kernel
def _(xp: ArrayModule, x: Array, label: Array, epsilon: float) -> Array:
    one, small = operand(xp, 1, x.dtype), operand(xp, epsilon, x.dtype)
    return -label * xp.log(x + small) - (one - label) * xp.log(one - x + small)


@log_loss.specialize
def _(out: TensorSpec, x: TensorSpec, label: TensorSpec) -> Any:
    if not x.shape or x.shape != label.shape or x.dtype.kind != "f":
        return None
    dtype, one = x.dtype.np, operand(np, 1, x.dtype.np)

    def log_loss_run(x: Array, label: Array, epsilon: float) -> Array:
        small = np.array(epsilon, dtype)
        yes = np.add(x, small)
        np.log(yes, yes)
        no = np.subtract(one, x)
        np.add(no, small, no)
        np.log(no, no)
        np.multiply(yes, label, yes)
        np.multiply(no, np.subtract(label, one), no)
        return np.subtract(no, yes, no)

    return log_loss_run


@log_loss.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, label = ctx.inputs
    return g * ((1 - label) / (1 - x + ctx.epsilon) - label / (x + ctx.epsilon)), None


@op("label_smooth(X, PriorDist?! -> Out) epsilon:float", traits="check_shapes")
def label_smooth(
    label: Tensor, prior_dist: Tensor | None = None, epsilon: float = 0.1, name: str | None = None
) -> Tensor:
    """``(1 - epsilon) * label + epsilon * prior``, where the prior is uniform over the last dimension unless given.

    Raises ValueError on an ``epsilon`` outside ``[0, 1]``.

    Source: Szegedy et al., "Rethinking the Inception Architecture for Computer Vision".
    ``prior_dist``: ``[1, classes]``, or None.

    Example:
        >>> F.label_smooth(paddle.to_tensor([[0.0, 1.0]])).tolist()
        [[0.05000000074505806, 0.949999988079071]]
    """
    if not 0 <= epsilon <= 1:
        raise ArgumentError(f"label_smooth: epsilon must lie between 0 and 1, got {epsilon}")
    return label_smooth.emit(label, prior_dist, epsilon=float(epsilon))


@label_smooth.infer
def _(label: TensorSpec, prior: TensorSpec | None, epsilon: float) -> TensorSpec:
    dtype_checks.need_one_dtype("label_smooth", dtype_checks.need_float(label, "label_smooth"), prior)
    last = label.shape[-1] if label.ndim else 1
    if prior is not None and UNKNOWN not in (prior.size, last) and prior.size != last:
        raise ShapeError(f"label_smooth: prior_dist must have {last} elements, got {show(prior.shape)}")
    return label


@label_smooth.kernel
def _(xp: ArrayModule, label: Array, prior: Array | None, epsilon: float) -> Array:
    if prior is None:
        share = epsilon / max(label.shape[-1], 1) if label.ndim else 0  # nothing to a number, as Paddle
        smoothed = xp.multiply(label, operand(xp, 1 - epsilon, label.dtype), xp.empty_like(label))
        return xp.add(smoothed, operand(xp, share, label.dtype), smoothed)
    kept_share, share = operand(xp, 1 - epsilon, label.dtype), operand(xp, epsilon, label.dtype)
    return kept_share * label + share * prior.reshape(-1 if label.ndim else ())


@label_smooth.specialize
def _(out: TensorSpec, label: TensorSpec, prior: TensorSpec | None) -> Any:
    if prior is not None or not label.shape:
        return None
    dtype, classes = label.dtype.np, max(label.shape[-1], 1)

    def label_smooth_run(label: Array, prior: Any, epsilon: float) -> Array:
        smoothed = np.multiply(label, np.array(1 - epsilon, dtype))
        return np.add(smoothed, np.array(epsilon / classes, dtype), smoothed)

    return label_smooth_run


@label_smooth.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return g * (1 - ctx.epsilon), None


def _f(*shape: int, seed: int = 0, low: float = -2.0, high: float = 2.0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(low, high, shape).astype("float32")


def _p(*shape: int, seed: int = 0) -> np.ndarray:
    return _f(*shape, seed=seed, low=0.1, high=0.9)


bce_loss.samples(
    lambda: [
        Sample(_p(3, 4), _p(3, 4, seed=1)),
        Sample(np.asarray([0, 1, 0, 1], "float32"), np.asarray([0, 1, 1, 0], "float32"), grad=()),
        Sample(np.asarray(0.25, "float32"), np.asarray(0.5, "float32")),
    ]
)
_PLAIN: dict[str, Any] = {"ignore_index": -100, "normalize": False}
_sigmoid_ce.samples(
    lambda: [
        Sample(_f(3, 4), _p(3, 4, seed=1), None, **_PLAIN),
        Sample(_f(3, 4), _p(3, 4, seed=1), _p(4, seed=2), **_PLAIN, grad=()),
        Sample(_f(4), np.asarray([1, 0, -1, 1], "float32"), None, ignore_index=-1, normalize=True, grad=(0,)),
    ]
)
kldiv_loss.samples(
    lambda: [
        *(Sample(_f(3, 4), _p(3, 4, seed=1), reduction=r) for r in ("none", "sum", "mean", "batchmean")),
        Sample(_f(4), np.asarray([0.5, 0, -0.1, 0.3], "float32"), reduction="none", grad=(0,)),
    ]
)
huber_loss.samples(lambda: [Sample(_f(3, 4), _f(3, 4, seed=1), delta=d) for d in (1.0, 0.3)])
log_loss.samples(
    lambda: [Sample(_p(4, 1), _p(4, 1, seed=1), epsilon=1e-4), Sample(_p(1)[0], _p(1, seed=1)[0], epsilon=1e-4)]
)
label_smooth.samples(
    lambda: [
        Sample(_p(3, 4), None, epsilon=0.1),
        Sample(_p(2, 3, 4), _p(1, 4, seed=1), epsilon=0.3),
        Sample(_p(1)[0], _p(1, seed=1), epsilon=0.3),
    ]
)
