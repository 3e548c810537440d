"""Losses of margins, distances and distributions, composed of other operators."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from to_static.compiler.ops import dtype_checks, dynamic_sizes, functions, shape_rules
from to_static.compiler.ops.indexing import embedding
from to_static.compiler.ops.pointwise import activation, sigmoidal
from to_static.compiler.ops.shape_rules import show
from to_static.core.errors import ShapeError
from to_static.nn.functional.distance import pairwise_distance
from to_static.nn.functional.loss import reduced, softmax_with_cross_entropy


def soft_margin_loss(input: Any, label: Any, reduction: str = "mean", name: Any = None) -> Any:
    """``log(1 + exp(-label * input))`` for labels 1 and -1, reduced.

    ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> float(F.soft_margin_loss(paddle.to_tensor([0.0]), paddle.to_tensor([1.0])))
        0.6931471824645996
    """
    products = -functions.cast(label, input.dtype) * input
    if products.dtype.is_integer:
        products = functions.cast(products, "float32")
    return reduced(sigmoidal.softplus(products), reduction, "soft_margin_loss")


def _unlike(input: str, label: str) -> str:
    return f"multi_label_soft_margin_loss: input {input} and label {label} must have one shape"


def multi_label_soft_margin_loss(
    input: Any, label: Any, weight: Any = None, reduction: str = "mean", name: Any = None
) -> Any:
    """Mean over the last dimension of the binary cross entropy of ``sigmoid(input)``, times ``weight``, reduced.

    ``label``: 0 or 1, of the shape of ``input``; ``reduction``: 'mean' (default), 'sum' or 'none'. Raises ShapeError
    when the shapes differ.

    Example:
        >>> float(F.multi_label_soft_margin_loss(paddle.to_tensor([[0.0, 2.0]]), paddle.to_tensor([[1.0, 0.0]])))
        1.410037636756897
    """
    if not shape_rules.compatible(input.spec.shape, label.spec.shape):
        raise ShapeError(_unlike(show(input.spec.shape), show(label.spec.shape)))
    dynamic_sizes.check_alike(input, label, "ShapeError", _unlike)
    log_sigmoid = sigmoidal.log_sigmoid
    value = -(label * log_sigmoid(input) + (1 - label) * log_sigmoid(-input))
    return reduced((value if weight is None else value * weight).mean(-1), reduction, "multi_label_soft_margin_loss")


def multi_margin_loss(
    input: Any,
    label: Any,
    p: int = 1,
    margin: float = 1.0,
    weight: Any = None,
    reduction: str = "mean",
    name: Any = None,
) -> Any:
    """Mean over classes j other than the label y of ``max(margin - input[y] + input[j], 0) ** p``, reduced.

    ``input``: ``[N, C]``, ``label``: ``[N]``, ``weight``: ``[C]`` (a factor inside the power) or None.
    ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> float(F.multi_margin_loss(paddle.to_tensor([[1.0, 0.5, 0.0]]), paddle.to_tensor([0])))
        0.1666666716337204
    """
    classes = input.shape[1]
    hit = embedding.one_hot(label, classes).astype(input.dtype)
    label_score = (input * hit).sum(1, keepdim=True)
    value = activation.relu(input - label_score + margin)
    if weight is not None:
        value = value * (hit * weight).sum(1, keepdim=True)
    value = (value if p == 1 else value**p) * (1 - hit)
    return reduced(value.sum(1) / classes, reduction, "multi_margin_loss")


def triplet_margin_loss(
    input: Any,
    positive: Any,
    negative: Any,
    margin: float = 1.0,
    p: float = 2,
    epsilon: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
    name: Any = None,
) -> Any:
    """``max(|input - positive| - |input - negative| + margin, 0)`` with p-norms, reduced.

    ``swap``: use the smaller of the distances from input and from positive to negative.
    ``epsilon``: added to the differences; ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> a, b, c = paddle.zeros([1, 2]), paddle.to_tensor([[3.0, 4.0]]), paddle.to_tensor([[0.0, 1.0]])
        >>> float(F.triplet_margin_loss(a, b, c))
        4.999999523162842
    """

    def distance(a: Any, b: Any) -> Any:
        return pairwise_distance(a, b, p, epsilon)

    return triplet_margin_with_distance_loss(input, positive, negative, distance, margin, swap, reduction)


def triplet_margin_with_distance_loss(
    input: Any,
    positive: Any,
    negative: Any,
    distance_function: Callable[[Any, Any], Any] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
    name: Any = None,
) -> Any:
    """`triplet_margin_loss` with any distance between two tensors (default: the 2-norm). Raises ValueError on margin <= 0.

    ``input``, ``positive``, ``negative``: of one shape; ``distance_function``: takes two of them; ``swap``: use the
    smaller of the distances from input and from positive to negative; ``reduction``: 'mean' (default), 'sum' or
    'none'.

    Example:
        >>> a, b, c = paddle.zeros([1, 2]), paddle.to_tensor([[3.0, 4.0]]), paddle.to_tensor([[0.0, 1.0]])
        >>> float(F.triplet_margin_with_distance_loss(a, b, c))
        4.999999523162842
    """
    if margin <= 0:
        raise ValueError(f"triplet_margin_with_distance_loss: margin must be positive, got {margin}")
    dtype_checks.need_one_dtype("triplet_margin_with_distance_loss", input, positive, negative, promotable_kinds="fc")
    distance = distance_function or pairwise_distance
    positive_distance, negative_distance = distance(input, positive), distance(input, negative)
    if swap:
        negative_distance = functions.minimum(negative_distance, distance(positive, negative))
    return reduced(activation.relu(positive_distance - negative_distance + margin), reduction, "triplet_margin_with_distance_loss")


def dice_loss(input: Any, label: Any, epsilon: float = 0.00001, name: Any = None) -> Any:
    """``1 - 2 * overlap / (total + epsilon)``, averaged over the batch.

    ``input``: probabilities ``[N, *, C]``, ``label``: classes ``[N, *, 1]``.

    Example:
        >>> float(F.dice_loss(paddle.to_tensor([[[0.0, 1.0]]]), paddle.to_tensor([[[1]]])))
        5.0067901611328125e-06
    """
    dtype_checks.need_float(input.spec, "dice_loss")
    label = embedding.one_hot(functions.squeeze(label, -1), input.shape[-1]).astype(input.dtype)
    axes = list(range(1, input.ndim))
    overlap = (input * label).sum(axes)
    return (1 - overlap * 2 / (input.sum(axes) + label.sum(axes) + epsilon)).mean()


def poisson_nll_loss(
    input: Any,
    label: Any,
    log_input: bool = True,
    full: bool = False,
    epsilon: float = 1e-8,
    reduction: str = "mean",
    name: Any = None,
) -> Any:
    """``exp(input) - label * input`` (or ``input - label * log(input + epsilon)`` without ``log_input``), reduced.

    ``full`` adds Stirling's approximation of ``log(label!)`` where label is greater than 1.
    ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> float(F.poisson_nll_loss(paddle.to_tensor([0.0]), paddle.to_tensor([1.0])))
        1.0
    """
    log, label = functions.log, functions.cast(label, input.dtype)
    value = functions.exp(input) - label * input if log_input else input - label * log(input + epsilon)
    if full:
        safe = functions.clip(label, min=1.0)
        stirling = safe * log(safe) - safe + 0.5 * log(safe * (2 * math.pi))
        value = value + stirling * (label > 1).astype(input.dtype)
    return reduced(value, reduction, "poisson_nll_loss")


def gaussian_nll_loss(
    input: Any,
    label: Any,
    variance: Any,
    full: bool = False,
    epsilon: float = 1e-6,
    reduction: str = "mean",
    name: Any = None,
) -> Any:
    """``(log(v) + (input - label) ** 2 / v) / 2`` with ``v = max(variance, epsilon)``, reduced.

    ``variance``: shaped as ``input``, or with 1 as the last dimension, or without it; no gradient flows into it.
    ``full`` adds ``log(2 * pi) / 2``.
    ``reduction``: 'mean' (default), 'sum' or 'none'.

    Example:
        >>> float(F.gaussian_nll_loss(paddle.to_tensor([1.0]), paddle.to_tensor([3.0]), paddle.to_tensor([1.0])))
        2.0
    """
    spec = dtype_checks.need_float(input.spec, "gaussian_nll_loss")
    dtype_checks.need_one_dtype("gaussian_nll_loss", spec, label, variance, promotable_kinds="fc")
    if variance.ndim == input.ndim - 1 and shape_rules.compatible(variance.spec.shape, input.spec.shape[:-1]):
        variance = functions.unsqueeze(variance, -1)
    bounded = functions.clip(variance.detach(), min=epsilon)
    value = (functions.log(bounded) + (input - label) ** 2 / bounded) * 0.5
    return reduced(value + 0.5 * math.log(2 * math.pi) if full else value, reduction, "gaussian_nll_loss")


def npair_loss(anchor: Any, positive: Any, labels: Any, l2_reg: float = 0.002) -> Any:
    """Cross entropy of the similarities ``anchor @ positive.T`` with labels' agreement, plus a penalty of the lengths.

    Source: Sohn, "Improved Deep Metric Learning with Multi-class N-pair Loss Objective".
    ``anchor``, ``positive``: ``[N, D]``; ``labels``: ``[N]``; ``l2_reg``: the factor of the penalty.

    Example:
        >>> float(F.npair_loss(paddle.ones([2, 3]), paddle.ones([2, 3]), paddle.to_tensor([0.0, 1.0])))
        0.6961472034454346
    """
    column = functions.reshape(labels, [-1, 1])
    same = (column == functions.transpose(column, [1, 0])).astype(anchor.dtype)
    target = same / same.sum(1, keepdim=True)
    penalty = ((anchor * anchor).sum(1).mean() + (positive * positive).sum(1).mean()) * (0.25 * l2_reg)
    similar = functions.matmul(anchor, positive, transpose_y=True)
    value = softmax_with_cross_entropy(similar, target, soft_label=True)
    return (target * value).sum(0).mean() + penalty
