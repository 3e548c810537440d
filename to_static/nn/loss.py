"""Losses as layers: called with a prediction and what it should be. ``reduction`` is 'mean', 'sum' or 'none'."""

from __future__ import annotations

from typing import Any

from to_static.nn.function_layer import declare


def _row(name: str, function: str, doc: str, **settings: Any) -> Any:
    return declare(__name__, name, function, doc, (), **{"inputs": "input label", **settings})


CrossEntropyLoss = _row(
    "CrossEntropyLoss",
    "cross_entropy",
    """Softmax and negative log likelihood of logits ``[*, C]`` and class numbers (or probabilities, ``soft_label``).

    ``weight``: of each class; ``ignore_index``: a label that does not count; ``use_softmax=False``: the input is
    probabilities; ``label_smoothing``: mix each label with the uniform distribution.

    Example:
        >>> loss = paddle.nn.CrossEntropyLoss()(logits, labels)
    """,
    weight=None, ignore_index=-100, reduction="mean", soft_label=False, axis=-1, use_softmax=True, label_smoothing=0.0,
)  # fmt: skip
MSELoss = _row("MSELoss", "mse_loss", "The squared difference.", reduction="mean", named=False)
L1Loss = _row("L1Loss", "l1_loss", "The absolute difference.", reduction="mean")
SmoothL1Loss = _row(
    "SmoothL1Loss", "smooth_l1_loss", "Squared below ``delta``, linear above.", reduction="mean", delta=1.0
)
BCELoss = _row(
    "BCELoss", "binary_cross_entropy", "Binary cross entropy of probabilities.", weight=None, reduction="mean"
)
BCEWithLogitsLoss = _row(
    "BCEWithLogitsLoss", "binary_cross_entropy_with_logits", "Binary cross entropy of logits; ``pos_weight`` of label 1.",
    weight=None, reduction="mean", pos_weight=None, inputs="logit label",
)  # fmt: skip
NLLLoss = _row(
    "NLLLoss", "nll_loss", "Negative log likelihood of log-probabilities ``[N, C, *]`` and class numbers.",
    weight=None, ignore_index=-100, reduction="mean", attributes="_{}",
)  # fmt: skip
KLDivLoss = _row(
    "KLDivLoss", "kl_div", "``label * (log(label) - input)``; the input is log-probabilities; also 'batchmean'.",
    reduction="mean", named=False,
)  # fmt: skip
MarginRankingLoss = _row(
    "MarginRankingLoss", "margin_ranking_loss", "``max(0, -label * (input - other) + margin)``.",
    margin=0.0, reduction="mean", inputs="input other label",
)  # fmt: skip
HingeEmbeddingLoss = _row(
    "HingeEmbeddingLoss", "hinge_embedding_loss", "``input`` where label is 1, ``max(0, margin - input)`` where -1.",
    margin=1.0, reduction="mean",
)  # fmt: skip
CosineEmbeddingLoss = _row(
    "CosineEmbeddingLoss", "cosine_embedding_loss", "``1 - cos`` where label is 1, ``max(0, cos - margin)`` where -1.",
    margin=0, reduction="mean", inputs="input1 input2 label",
)  # fmt: skip
TripletMarginLoss = _row(
    "TripletMarginLoss", "triplet_margin_loss", "``max(0, d(input, positive) - d(input, negative) + margin)``.",
    margin=1.0, p=2.0, epsilon=1e-6, swap=False, reduction="mean", inputs="input positive negative",
)  # fmt: skip
SoftMarginLoss = _row("SoftMarginLoss", "soft_margin_loss", "``log(1 + exp(-label * input))``.", reduction="mean")
MultiLabelSoftMarginLoss = _row(
    "MultiLabelSoftMarginLoss", "multi_label_soft_margin_loss", "Mean binary cross entropy over classes.",
    weight=None, reduction="mean",
)  # fmt: skip
TripletMarginWithDistanceLoss = _row(
    "TripletMarginWithDistanceLoss", "triplet_margin_with_distance_loss", "`TripletMarginLoss` with a distance of one's own.",
    distance_function=None, margin=1.0, swap=False, reduction="mean", inputs="input positive negative",
)  # fmt: skip
MultiMarginLoss = _row(
    "MultiMarginLoss", "multi_margin_loss", "``max(0, margin - score of the class + other score) ** p``, over the others.",
    p=1, margin=1.0, weight=None, reduction="mean",
)  # fmt: skip
PoissonNLLLoss = _row(
    "PoissonNLLLoss", "poisson_nll_loss", "Negative log likelihood of counts; the input is a rate or its logarithm.",
    log_input=True, full=False, epsilon=1e-8, reduction="mean", attributes="_{}",
)  # fmt: skip
GaussianNLLLoss = _row(
    "GaussianNLLLoss", "gaussian_nll_loss", "Negative log likelihood under a mean and a variance, the third input.",
    full=False, epsilon=1e-6, reduction="mean", inputs="input label variance",
)  # fmt: skip
