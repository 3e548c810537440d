"""Losses with Paddle's options: weights, ignored labels, smoothing and reductions."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import dtype_checks, dynamic_sizes, functions, shape_rules
from to_static.compiler.ops.indexing import embedding
from to_static.compiler.ops.layers.softmax import softmax
from to_static.compiler.ops.losses import cross_entropy as cross_entropy_module
from to_static.compiler.ops.losses import pointwise_loss
from to_static.compiler.ops.losses.nll_loss import nll_loss_op
from to_static.compiler.ops.pointwise import activation
from to_static.compiler.ops.shape_rules import show
from to_static.core.dtypes import float64
from to_static.core.errors import ShapeError
from to_static.core.importing.paddle_module_aliases import names_around


def reduced(value: Any, reduction: str, name: str) -> Any:
    """Mean, sum or the value itself. Raises ValueError on an unknown reduction."""
    if reduction not in ("sum", "mean", "none"):
        raise ValueError(f"{name}: reduction must be 'sum', 'mean' or 'none', got {reduction!r}")
    if reduction == "none":
        return value
    return value.mean() if reduction == "mean" else value.sum()


def _with_class_axis(input: Any, label: Any, axis: int, name: str) -> Any:
    """Labels with a dimension at ``axis``, inserted when it is missing."""
    if input.ndim == 0:
        raise ShapeError(f"{name}: the input must have at least one dimension")
    if label.ndim == input.ndim - 1:
        return functions.unsqueeze(label, axis)
    if label.ndim != input.ndim:
        raise ShapeError(
            f"{name}: labels must have as many dimensions as the input or one less, got input "
            f"{show(input.spec.shape)} and label {show(label.spec.shape)}"
        )
    return label


def cross_entropy(
    input: Any,
    label: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    soft_label: bool = False,
    axis: int = -1,
    use_softmax: bool = True,
    label_smoothing: float = 0.0,
    name: Any = None,
) -> Any:
    """``-log(softmax(input)[label])`` along ``axis``: the loss of a classifier.

    Args:
        input: logits ``[N, *, C]`` (classes at ``axis``), or probabilities with ``use_softmax=False``.
        label: class numbers ``[N, *]`` or ``[N, *, 1]``, or weights shaped as ``input`` with ``soft_label=True``.
        weight: ``[C]``, factors of the classes, or None.
        ignore_index: label that counts nothing.
        reduction: 'mean' (divided by the number, or the total weight, of labels that count), 'sum' or 'none'
            (shaped as the labels).
        label_smoothing: mix labels with this share of the uniform distribution.

    Raises ShapeError, DTypeError or ValueError when arguments do not fit, and IndexError (when it runs) on labels outside
    ``[0, C)``.

    Example:
        >>> round(F.cross_entropy(paddle.to_tensor([[2.0, 1.0]]), paddle.to_tensor([0])).item(), 4)
        0.3133
    """
    if reduction not in ("sum", "mean", "none"):
        raise ValueError(f"cross_entropy: reduction must be 'sum', 'mean' or 'none', got {reduction!r}")
    dtype_checks.need_one_dtype("cross_entropy", input, weight, promotable_kinds="fc")
    if ignore_index > 0 and soft_label:
        raise ValueError(f"cross_entropy: ignore_index can't be used with soft labels, got {ignore_index}")
    flat = label.ndim == input.ndim - 1
    label = _with_class_axis(input, label, axis, "cross_entropy")
    if label_smoothing > 0.0:
        if not label.dtype.is_floating:
            label = _one_hot_at(label, input.shape[axis], axis)
        label = _smoothed(label.astype(input.dtype), axis, label_smoothing)
        soft_label = True
    value = cross_entropy_module.cross_entropy_op(input, label, soft_label, ignore_index, use_softmax, axis)
    factor = None
    if weight is not None:
        factor = _label_weight(input, label, weight, ignore_index, soft_label, axis)
        value = value * factor
    if reduction == "none":
        return functions.squeeze(value, axis) if flat else value
    if reduction == "sum":
        return value.sum()
    if factor is not None:
        total = factor.sum()
        return value.sum() / (total + (total == 0).astype(total.dtype))
    return value.mean() if soft_label else value.sum() / cross_entropy_module.count_labels(label, ignore_index, value.dtype)


def _one_hot_at(label: Any, classes: Any, axis: int) -> Any:
    """One-hot vectors along ``axis``, where integer labels have size 1."""
    vectors = embedding.one_hot(functions.squeeze(label, axis), classes)
    return vectors if axis in (-1, label.ndim - 1) else functions.moveaxis(vectors, -1, axis)


def _smoothed(label: Any, axis: int, epsilon: float) -> Any:
    if axis in (-1, label.ndim - 1):
        return pointwise_loss.label_smooth(label, epsilon=epsilon)
    return label * (1 - epsilon) + epsilon / label.shape[axis]


def _unlike(weight: str, classes: str) -> str:
    return f"cross_entropy: weight must have shape {classes}, got {weight}"


def _label_weight(input: Any, label: Any, weight: Any, ignore_index: int, soft_label: bool, axis: int) -> Any:
    """The class weight of each label, 0 for ignored ones, with size 1 at ``axis``."""
    axis %= input.ndim
    if weight.ndim != 1:
        raise ShapeError(_unlike(show(weight.spec.shape), show(input.spec.shape[axis : axis + 1])))
    dynamic_sizes.need_alike(weight, input, _unlike, axis)
    if soft_label:
        shape = [1] * input.ndim
        shape[axis] = -1
        return (label.astype(weight.dtype) * weight.reshape(shape)).sum(axis, keepdim=True)
    valid = label != ignore_index
    picked = embedding.embedding(label * valid.astype(label.dtype), weight.reshape([-1, 1]))
    return functions.squeeze(picked, -1) * valid.astype(weight.dtype)


def softmax_with_cross_entropy(
    logits: Any,
    label: Any,
    soft_label: bool = False,
    ignore_index: int = -100,
    numeric_stable_mode: bool = True,
    return_softmax: bool = False,
    axis: int = -1,
) -> Any:
    """`cross_entropy` without reduction: size 1 at ``axis``; with ``return_softmax`` also ``softmax(logits)``.

    ``label``: class numbers with size 1 at ``axis``, or probabilities with ``soft_label``; ``ignore_index``: a label
    that does not count; ``numeric_stable_mode`` changes nothing.

    Example:
        >>> F.softmax_with_cross_entropy(paddle.to_tensor([[0.0, 0.0]]), paddle.to_tensor([[1]])).tolist()
        [[0.6931471824645996]]
    """
    label = _with_class_axis(logits, label, axis, "softmax_with_cross_entropy")
    value = cross_entropy_module.cross_entropy_op(logits, label, soft_label, ignore_index, True, axis)
    return (value, softmax(logits, axis)) if return_softmax else value


def nll_loss(
    input: Any, label: Any, weight: Any = None, ignore_index: int = -100, reduction: str = "mean", name: Any = None
) -> Any:
    """``-weight[label] * input[label]`` over dimension 1 of log-probabilities ``[N, C, *]``; ``label``: ``[N, *]``.

    Labels ``[N, 1]`` of an input ``[N, C]`` are taken for ``[N]``, as Paddle takes them. 'mean' divides by the total weight of the
    labels that are not ``ignore_index``. Raises ShapeError, DTypeError or ValueError when arguments do not fit.
    ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> float(F.nll_loss(paddle.to_tensor([[-0.5, -1.0]]), paddle.to_tensor([1])))
        1.0
    """
    if reduction not in ("sum", "mean", "none"):
        raise ValueError(f"nll_loss: reduction must be 'sum', 'mean' or 'none', got {reduction!r}")
    if label.ndim == 2 and input.ndim == 2 and label.shape[1] == 1:
        label = label.squeeze(1)
    return nll_loss_op(input, label, weight, ignore_index, reduction)[0]


def binary_cross_entropy(
    input: Any, label: Any, weight: Any = None, reduction: str = "mean", name: Any = None
) -> Any:
    """``-label * log(input) - (1 - label) * log(1 - input)`` for probabilities, times ``weight``, reduced.

    ``input``, ``label``: floats of one shape; ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> float(F.binary_cross_entropy(paddle.to_tensor([0.5]), paddle.to_tensor([1.0])))
        0.6931471824645996
    """
    value = pointwise_loss.bce_loss(input, label)
    dtype_checks.need_one_dtype("binary_cross_entropy", input, weight, promotable_kinds="fc")
    return reduced(value if weight is None else value * weight, reduction, "binary_cross_entropy")


def binary_cross_entropy_with_logits(
    logit: Any, label: Any, weight: Any = None, reduction: str = "mean", pos_weight: Any = None, name: Any = None
) -> Any:
    """`binary_cross_entropy` of ``sigmoid(logit)``, without its rounding, times ``weight``, reduced.

    ``pos_weight``: factors of positive labels, which broadcast to them. As Paddle 2.6 computes it, the loss is then
    ``max(logit, 0) - logit * label + w * log(1 + exp(-|logit|))`` with ``w = label * (pos_weight - 1) + 1``, which for negative
    logits is not ``-pos_weight * label * log(sigmoid(logit)) - (1 - label) * log(1 - sigmoid(logit))``, and its gradient is
    ``w * sigmoid(logit) - label``. None flows into ``label`` and ``pos_weight``.
    ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> float(F.binary_cross_entropy_with_logits(paddle.to_tensor([0.0]), paddle.to_tensor([1.0])))
        0.6931471824645996
    """
    dtype_checks.need_one_dtype("binary_cross_entropy_with_logits", logit, weight, promotable_kinds="fc")
    scale = None
    if pos_weight is not None:
        dtype_checks.need_float(pos_weight.spec, "binary_cross_entropy_with_logits: pos_weight")
        scale = label * (pos_weight - 1.0) + 1.0
        dtype_checks.need_one_dtype("binary_cross_entropy_with_logits", logit, scale)
    value = pointwise_loss.sigmoid_cross_entropy_with_logits(logit, label, scale)
    return reduced(value if weight is None else value * weight, reduction, "binary_cross_entropy_with_logits")


def square_error_cost(input: Any, label: Any) -> Any:
    """``(input - label) ** 2``. Raises DTypeError for a label of another dtype, unless both are floating-point ones.

    Example:
        >>> F.square_error_cost(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([1.0, 4.0])).tolist()
        [0.0, 4.0]
    """
    dtype_checks.need_one_dtype("square_error_cost", input, label, promotable_kinds="fc")
    return functions.square(input - label)


def mse_loss(input: Any, label: Any, reduction: str = "mean", name: Any = None) -> Any:
    """``(input - label) ** 2``, reduced. Raises DTypeError for a label of another dtype, unless both are floating-point ones.

    ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> F.mse_loss(paddle.to_tensor([1.0, 3.0]), paddle.to_tensor([1.0, 1.0])).item()
        2.0
    """
    dtype_checks.need_one_dtype("mse_loss", input, label, promotable_kinds="fc")
    return reduced(square_error_cost(input, label), reduction, "mse_loss")


def l1_loss(input: Any, label: Any, reduction: str = "mean", name: Any = None) -> Any:
    """``|input - label|``, reduced. Raises DTypeError for a label of another dtype, unless both are floating-point ones.

    ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> float(F.l1_loss(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([1.0, 4.0])))
        1.0
    """
    dtype_checks.need_one_dtype("l1_loss", input, label, promotable_kinds="fc")
    return reduced(functions.abs(input - label), reduction, "l1_loss")


def smooth_l1_loss(input: Any, label: Any, reduction: str = "mean", delta: float = 1.0, name: Any = None) -> Any:
    """``d² / 2`` where ``d = |input - label|`` is at most ``delta``, else ``delta * (d - delta / 2)``, reduced.

    ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> float(F.smooth_l1_loss(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([1.0, 4.0])))
        0.75
    """
    return reduced(pointwise_loss.huber_loss(input, label, delta)[0], reduction, "smooth_l1_loss")


def kl_div(input: Any, label: Any, reduction: str = "mean", name: Any = None) -> Any:
    """``label * (log(label) - input)`` for log-probabilities ``input``, 0 where label is not positive.

    ``reduction``: 'mean', 'sum', 'none' or 'batchmean' (the sum divided by the first dimension).

    Example:
        >>> float(F.kl_div(paddle.to_tensor([-0.5, -1.0]), paddle.to_tensor([0.5, 0.5])))
        0.028426408767700195
    """
    if input.dtype is not label.dtype and float64 in (input.dtype, label.dtype):
        input, label = input.astype(float64), label.astype(float64)
    return pointwise_loss.kldiv_loss(input, label, reduction)


def margin_ranking_loss(
    input: Any, other: Any, label: Any, margin: float = 0.0, reduction: str = "mean", name: Any = None
) -> Any:
    """``max(-label * (input - other) + margin, 0)``, reduced; label 1: input should be the larger one, -1: other.

    ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> float(F.margin_ranking_loss(paddle.to_tensor([1.0]), paddle.to_tensor([3.0]), paddle.to_tensor([1.0])))
        2.0
    """
    dtype_checks.need_one_dtype("margin_ranking_loss", input, other, label, promotable_kinds="fc")
    value = (other - input) * label
    return reduced(activation.relu(value + margin if margin else value), reduction, "margin_ranking_loss")


def hinge_embedding_loss(
    input: Any, label: Any, margin: float = 1.0, reduction: str = "mean", name: Any = None
) -> Any:
    """``input`` where label is 1, ``max(margin - input, 0)`` where it is -1, reduced.

    ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> float(F.hinge_embedding_loss(paddle.to_tensor([0.5, 0.25]), paddle.to_tensor([1.0, -1.0])))
        0.625
    """
    dtype_checks.need_float(input.spec, "hinge_embedding_loss")
    is_similar, is_dissimilar = ((label == side).astype(input.dtype) for side in (1.0, -1.0))
    return reduced(input * is_similar + activation.relu(margin - input) * is_dissimilar, reduction, "hinge_embedding_loss")


_COSINE = "cosine_embedding_loss: expected two inputs [N, D] or [D] of one shape and 1-D labels"


def cosine_embedding_loss(
    input1: Any, input2: Any, label: Any, margin: float = 0, reduction: str = "mean", name: Any = None
) -> Any:
    """``1 - cos`` where label is 1 and ``max(cos - margin, 0)`` where it is -1, for vectors ``[N, D]`` or ``[D]``, reduced.

    Raises ShapeError when labels are not 1-D or the inputs' shapes differ.
    ``input1``, ``input2``: the vectors, floats; ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> a, b = paddle.to_tensor([[1.0, 0.0]]), paddle.to_tensor([[0.0, 1.0]])
        >>> float(F.cosine_embedding_loss(a, b, paddle.to_tensor([1])))
        1.0
    """
    if label.ndim != 1 or not shape_rules.compatible(input1.spec.shape, input2.spec.shape) or input1.ndim > 2:
        raise ShapeError(_COSINE)
    dtype_checks.need_float(input1.spec, "cosine_embedding_loss")
    dynamic_sizes.check_alike(input1, input2, "ShapeError", lambda *shapes: _COSINE)
    squares = ((input1 * input1).sum(-1) + 1e-11) * ((input2 * input2).sum(-1) + 1e-11)
    cosine = (input1 * input2).sum(-1) / functions.sqrt(squares)
    is_similar, is_dissimilar = ((label == side).astype(input1.dtype) for side in (1, -1))
    return reduced((1 - cosine) * is_similar + activation.relu(cosine - margin) * is_dissimilar, reduction, "cosine_embedding_loss")


def sigmoid_focal_loss(
    logit: Any,
    label: Any,
    normalizer: Any = None,
    alpha: float = 0.25,
    gamma: float = 2.0,
    reduction: str = "sum",
    name: Any = None,
) -> Any:
    """`binary_cross_entropy_with_logits`, weighted by ``alpha_t * (1 - p_t) ** gamma`` and divided by ``normalizer``.

    Source: Lin et al., "Focal Loss for Dense Object Detection".
    ``logit``, ``label``: floats of one shape, labels 0 or 1; ``alpha``: the weight of label 1; ``reduction``: 'sum'
    (default), 'mean' or 'none'.

    Example:
        >>> float(F.sigmoid_focal_loss(paddle.to_tensor([0.0]), paddle.to_tensor([1.0])))
        0.043321698904037476
    """
    dtype_checks.need_one_dtype("sigmoid_focal_loss", logit, normalizer, promotable_kinds="c")
    value = pointwise_loss.sigmoid_cross_entropy_with_logits(logit, label)
    p = functions.sigmoid(logit)
    miss = p * (1 - label) + (1 - p) * label
    value = value * (label * alpha + (1 - label) * (1 - alpha)) * miss**gamma
    return reduced(value if normalizer is None else value / normalizer, reduction, "sigmoid_focal_loss")


__getattr__ = names_around(__name__)
