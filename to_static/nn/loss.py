"""Losses as layers: called with a prediction and what it should be. ``reduction`` is 'mean', 'sum' or 'none'."""

from __future__ import annotations

import re
from typing import Any

from to_static.nn import functional as F
from to_static.nn.functional_layer import declare
from to_static.nn.layer import Layer


def _row(name: str, function: str, doc: str, call: str = "", example: str = "", **settings: Any) -> Any:
    """A loss; ``call``: arguments of a call and its value, of which the example of the docstring is made."""
    inputs, _, value = call.partition(" -> ")
    tensors = ", ".join(f"paddle.to_tensor({part})" for part in re.findall(r"\[+[^\]]*\]+", inputs))
    example = f">>> float(paddle.nn.{name}()({tensors}))\n{value}" if call else example
    return declare(__name__, name, function, doc, (), example=example, **{"inputs": "input label", **settings})


CrossEntropyLoss = _row(
    "CrossEntropyLoss",
    "cross_entropy",
    """Softmax and negative log likelihood of logits ``[*, C]`` and class numbers (or probabilities, ``soft_label``).

    ``weight``: of each class; ``ignore_index``: a label that does not count; ``axis``: the dimension of the classes;
    ``use_softmax=False``: the input is probabilities; ``label_smoothing``: mix each label with the uniform distribution.

    Example:
        >>> float(paddle.nn.CrossEntropyLoss()(paddle.to_tensor([[0.0, 0.0]]), paddle.to_tensor([1])))
        0.6931
    """,
    weight=None, ignore_index=-100, reduction="mean", soft_label=False, axis=-1, use_softmax=True, label_smoothing=0.0,
)  # fmt: skip
MSELoss = _row("MSELoss", "mse_loss", "The squared difference.", "[1.0, 2.0], [1.0, 4.0] -> 2.0", reduction="mean", named=False)
L1Loss = _row("L1Loss", "l1_loss", "The absolute difference.", "[1.0, 2.0], [1.0, 4.0] -> 1.0", reduction="mean")
SmoothL1Loss = _row(
    "SmoothL1Loss", "smooth_l1_loss", "Half the squared difference below ``delta``, linear above.",
    "[1.0, 2.0], [1.0, 4.0] -> 0.75", reduction="mean", delta=1.0,
)  # fmt: skip
BCELoss = _row(
    "BCELoss", "binary_cross_entropy", "Binary cross entropy of probabilities.", "[0.5, 0.9], [1.0, 1.0] -> 0.3993",
    weight=None, reduction="mean",
)
BCEWithLogitsLoss = _row(
    "BCEWithLogitsLoss", "binary_cross_entropy_with_logits", "Binary cross entropy of logits; ``pos_weight`` of label 1.",
    "[0.0, 2.0], [1.0, 1.0] -> 0.41",
    weight=None, reduction="mean", pos_weight=None, inputs="logit label",
)  # fmt: skip
NLLLoss = _row(
    "NLLLoss", "nll_loss", "Negative log likelihood of log-probabilities ``[N, C, *]`` and class numbers.",
    "[[-0.5, -1.0]], [1] -> 1.0",
    weight=None, ignore_index=-100, reduction="mean", attributes="_{}",
)  # fmt: skip
KLDivLoss = _row(
    "KLDivLoss", "kl_div",
    "``label * (log(label) - input)``; the input is log-probabilities. ``reduction``: 'mean', 'sum', 'none' or 'batchmean'.",
    "[-0.5, -1.0], [0.5, 0.5] -> 0.0284",
    reduction="mean", named=False,
)  # fmt: skip
MarginRankingLoss = _row(
    "MarginRankingLoss", "margin_ranking_loss", "``max(0, -label * (input - other) + margin)``.",
    "[1.0, 2.0], [3.0, 1.0], [1.0, 1.0] -> 1.0",
    margin=0.0, reduction="mean", inputs="input other label",
)  # fmt: skip
HingeEmbeddingLoss = _row(
    "HingeEmbeddingLoss", "hinge_embedding_loss", "``input`` where label is 1, ``max(0, margin - input)`` where -1.",
    "[0.5, 0.25], [1.0, -1.0] -> 0.625",
    margin=1.0, reduction="mean",
)  # fmt: skip
CosineEmbeddingLoss = _row(
    "CosineEmbeddingLoss", "cosine_embedding_loss", "``1 - cos`` where label is 1, ``max(0, cos - margin)`` where -1.",
    "[[1.0, 0.0]], [[0.0, 1.0]], [1] -> 1.0",
    margin=0, reduction="mean", inputs="input1 input2 label",
)  # fmt: skip
TripletMarginLoss = _row(
    "TripletMarginLoss", "triplet_margin_loss",
    "``max(0, d(input, positive) - d(input, negative) + margin)``, with ``p``-norms ``d``.",
    "[[0.0, 0.0]], [[3.0, 4.0]], [[0.0, 1.0]] -> 5.0",
    margin=1.0, p=2.0, epsilon=1e-6, swap=False, reduction="mean", inputs="input positive negative",
)  # fmt: skip
SoftMarginLoss = _row(
    "SoftMarginLoss", "soft_margin_loss", "``log(1 + exp(-label * input))``.", "[0.0, 2.0], [1, -1] -> 1.41", reduction="mean"
)
MultiLabelSoftMarginLoss = _row(
    "MultiLabelSoftMarginLoss", "multi_label_soft_margin_loss", "Mean binary cross entropy over classes.",
    "[[0.0, 2.0]], [[1.0, 0.0]] -> 1.41",
    weight=None, reduction="mean",
)  # fmt: skip
TripletMarginWithDistanceLoss = _row(
    "TripletMarginWithDistanceLoss", "triplet_margin_with_distance_loss",
    "`TripletMarginLoss` with the function ``distance_function`` (None: the L2 norm).",
    "[[0.0, 0.0]], [[3.0, 4.0]], [[0.0, 1.0]] -> 5.0",
    distance_function=None, margin=1.0, swap=False, reduction="mean", inputs="input positive negative",
)  # fmt: skip
MultiMarginLoss = _row(
    "MultiMarginLoss", "multi_margin_loss", "``max(0, margin - score of the class + other score) ** p``, over the others.",
    "[[1.0, 0.5, 0.0]], [0] -> 0.1667",
    p=1, margin=1.0, weight=None, reduction="mean",
)  # fmt: skip
PoissonNLLLoss = _row(
    "PoissonNLLLoss", "poisson_nll_loss",
    "Negative log likelihood of counts; the input is a rate, or its logarithm if ``log_input``.",
    "[0.0, 1.0], [1.0, 2.0] -> 0.8591",
    log_input=True, full=False, epsilon=1e-8, reduction="mean", attributes="_{}",
)  # fmt: skip
GaussianNLLLoss = _row(
    "GaussianNLLLoss", "gaussian_nll_loss", "Negative log likelihood under a mean and a variance, the third input.",
    "[1.0, 2.0], [1.0, 3.0], [1.0, 1.0] -> 0.25",
    full=False, epsilon=1e-6, reduction="mean", inputs="input label variance",
)  # fmt: skip
RNNTLoss = _row(
    "RNNTLoss", "rnnt_loss",
    "The loss of a recurrent neural network transducer, with ``blank`` and ``fastemit_lambda`` of `F.rnnt_loss`.",
    example=(
        ">>> labels, counts = paddle.to_tensor([[1]], 'int32'), paddle.to_tensor([1], 'int32')\n"
        ">>> float(paddle.nn.RNNTLoss()(F.log_softmax(paddle.zeros([1, 1, 2, 3])), labels, counts, counts))\n2.1972"
    ),
    blank=0, fastemit_lambda=0.001, reduction="mean", inputs="input label input_lengths label_lengths",
)  # fmt: skip


class CTCLoss(Layer):
    """Connectionist temporal classification: minus the logarithm of the chance of the labels over all alignments.

    Args:
        blank: the class that stands for no label (default 0).
        reduction: ``'mean'`` (the mean of the losses divided by their label lengths, the default), ``'sum'`` or ``'none'``.

    Example:
        >>> scores, labels = paddle.zeros([2, 1, 3]), paddle.to_tensor([[1]])
        >>> float(paddle.nn.CTCLoss()(scores, labels, paddle.to_tensor([2]), paddle.to_tensor([1])))
        1.0986123...
    """

    def __init__(self, blank: int = 0, reduction: str = "mean") -> None:
        super().__init__()
        self.blank, self.reduction = blank, reduction

    def forward(
        self, log_probs: Any, labels: Any, input_lengths: Any, label_lengths: Any, norm_by_times: bool = False
    ) -> Any:
        """The loss; see `F.ctc_loss`."""
        return F.ctc_loss(log_probs, labels, input_lengths, label_lengths, self.blank, self.reduction, norm_by_times)


class HSigmoidLoss(Layer):
    """Hierarchical sigmoid: the loss of a walk down a binary tree of classes, which costs the logarithm of their number.

    Args:
        feature_size: the size of the features.
        num_classes: the number of classes, at least 2; with ``is_custom``, the number of inner nodes.
        weight_attr, bias_attr: how ``weight`` [nodes, feature_size] and ``bias`` [nodes, 1] are made; False for no bias.
        is_custom: whether calls give the tree (default False: the complete binary tree).
        is_sparse: not used; there for compatibility.

    Raises ValueError for fewer than 2 classes.

    Example:
        >>> loss = paddle.nn.HSigmoidLoss(3, 5)(paddle.rand([4, 3]), paddle.to_tensor([[0], [1], [2], [4]]))
        >>> loss.shape
        [4, 1]
    """

    def __init__(
        self, feature_size: int, num_classes: int, weight_attr: Any = None, bias_attr: Any = None, is_custom: bool = False,
        is_sparse: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if num_classes < 2 and not is_custom:
            raise ValueError("num_classes must not be less than 2 with default tree")
        self._feature_size, self._num_classes, self._is_custom, self._is_sparse = (
            feature_size,
            num_classes,
            is_custom,
            is_sparse,
        )
        self._weight_attr, self._bias_attr, self._name = weight_attr, bias_attr, name
        nodes = num_classes if is_custom else num_classes - 1
        self.weight = self.create_parameter([nodes, feature_size], weight_attr)
        self.bias = self.create_parameter([nodes, 1], bias_attr, is_bias=True)

    def forward(self, input: Any, label: Any, path_table: Any = None, path_code: Any = None) -> Any:
        """The loss [batch, 1] of features [batch, feature_size] and labels [batch, 1]; see `F.hsigmoid_loss`."""
        return F.hsigmoid_loss(
            input, label, self._num_classes, self.weight, self.bias, path_table, path_code, self._is_sparse
        )
