"""Metrics that a static Program adds up from run to run: `auc`, `ctr_metric_bundle`."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import functions
from to_static.compiler.ops.control.control import assign
from to_static.core.errors import ShapeError
from to_static.static.inputs import create_global_var
from to_static.static.program import static_builder


def auc(
    input: Any, label: Any, curve: str = "ROC", num_thresholds: int = 2**12 - 1, topk: int = 1, slide_steps: int = 1,
    ins_tag_weight: Any = None,
) -> Any:  # fmt: skip
    """The area under the ROC curve of all runs so far, and of the last runs.

    Args:
        input: floating Tensor [batch, 2]: probabilities, of which the second one, of label 1, counts.
        label: integer Tensor [batch] or [batch, 1] of 0 and 1.
        curve: 'ROC', the only one.
        num_thresholds: into how many parts [0, 1] is cut (default 4095).
        topk: not used; there for compatibility.
        slide_steps: how many runs "the last runs" are (default 1).
        ins_tag_weight: a Tensor [batch, 1] of weights, 0 for what does not count (default None).

    Returns:
        ``(auc, batch auc, [counts of the last runs, their negatives, of all runs, their negatives])``; the areas are float64.

    Raises:
        ValueError: another ``curve``.
        ShapeError: ``input`` has another rank.
        ModeError: in dynamic mode, where `metric.Auc` does it.

    Example:
        >>> area, of_batch, states = paddle.static.auc(probabilities, label)
    """
    static_builder("auc")
    if curve != "ROC":
        raise ValueError(f"auc: curve must be 'ROC', got {curve!r}")
    if input.spec.ndim != 2:
        raise ShapeError(f"auc: the input must be [batch, 2], it is {input.spec}")
    buckets = num_thresholds + 1
    bucket = (input[:, -1] * num_thresholds).astype("int64").clip(0, num_thresholds)
    positive = (label.reshape([-1]) != 0).astype("int64")
    counted = positive * 0 + 1 if ins_tag_weight is None else (ins_tag_weight.reshape([-1]) != 0).astype("int64")
    zeros = functions.full([buckets], 0, "int64")

    def histogram(weights: Any) -> Any:
        return functions.scatter_nd_add(zeros, bucket.unsqueeze(-1), weights)

    batch_counts = [histogram(positive * counted), histogram((1 - positive) * counted)]
    totals, windows = [], []
    for counts in batch_counts:
        total = create_global_var([buckets], 0, "int64", True)
        window = create_global_var([max(slide_steps, 1), buckets], 0, "int64", True)
        assign(total + counts, total)
        assign(functions.concat([window[1:], counts.unsqueeze(0)], 0), window)
        totals.append(total)
        windows.append(window)
    recent = [window.sum(0) if slide_steps else total for window, total in zip(windows, totals, strict=True)]
    return _area(*totals), _area(*recent), [windows[0], windows[1], totals[0], totals[1]]


def _area(positives: Any, negatives: Any) -> Any:
    """The area under the curve through the shares at falling thresholds; 0 where there is only one kind."""
    above, wrong = (functions.flip(counts.astype("float64"), 0) for counts in (positives, negatives))
    true, false = above.cumsum(), wrong.cumsum()
    area = ((true + (true - above)) * wrong / 2).sum()
    pairs = true[-1] * false[-1]
    none = pairs == 0
    return functions.where(none, area * 0, area / functions.where(none, pairs + 1, pairs))


def ctr_metric_bundle(input: Any, label: Any, ins_tag_weight: Any = None) -> tuple[Any, ...]:
    """Sums over all runs for the metrics of click-through rates.

    Args:
        input: floating Tensor [batch, 1] of probabilities.
        label: Tensor [batch, 1] of 0 and 1.
        ins_tag_weight: a Tensor [batch, 1] of weights (default None: 1).

    Returns:
        Six float32 Tensors [1]: the squared errors, the absolute errors, the probabilities, their sigmoids, the positives, and the
        instances, summed.

    Raises ModeError in dynamic mode.

    Example:
        >>> sqrerr, abserr, prob, q, pos, ins = paddle.static.ctr_metric_bundle(probabilities, label)
    """
    static_builder("ctr_metric_bundle")
    weight = functions.ones_like(input) if ins_tag_weight is None else ins_tag_weight.astype(input.dtype)
    label = label.astype(input.dtype)
    error = (input - label) * weight
    parts = (error * error, error.abs(), input * weight, functions.sigmoid(input) * weight, label * weight, weight)
    sums = []
    for part in parts:
        total = create_global_var([1], 0.0, "float32", True)
        assign(total + part.sum().reshape([1]).astype("float32"), total)
        sums.append(total)
    return tuple(sums)
