"""Losses of sequences whose alignment with the labels is not known."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops.losses import sequence_loss


def _reduced(name: str, loss: Any, reduction: str, mean: Any) -> Any:
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{name}: reduction should be 'mean', 'sum' or 'none', got {reduction!r}")
    return loss if reduction == "none" else loss.sum() if reduction == "sum" else mean(loss)


def ctc_loss(
    log_probs: Any, labels: Any, input_lengths: Any, label_lengths: Any, blank: int = 0, reduction: str = "mean",
    norm_by_times: bool = False,
) -> Any:  # fmt: skip
    """Connectionist temporal classification: minus the logarithm of the chance of the labels over all alignments.

    Args:
        log_probs: floating Tensor [time, batch, classes] of *unscaled* scores: the softmax is part of the loss.
        labels: integer Tensor [batch, longest label], padded with anything.
        input_lengths: integer Tensor [batch], the steps of time of each sequence.
        label_lengths: integer Tensor [batch], the labels of each sequence.
        blank: the class that stands for no label (default 0).
        reduction: ``'mean'`` (the mean of the losses divided by their label lengths, the default), ``'sum'`` or ``'none'``.
        norm_by_times: whether gradients are divided by the input lengths (default False).

    Returns:
        Tensor [batch] for ``'none'``, else a scalar. Labels that do not fit into the steps of time give 0, and no gradient.

    Raises:
        ShapeError: shapes do not fit, or a label or a length is out of range.
        DTypeError: a dtype is not floating, or not integers.

    Example:
        >>> scores = paddle.zeros([2, 1, 3])
        >>> float(F.ctc_loss(scores, paddle.to_tensor([[1]]), paddle.to_tensor([2]), paddle.to_tensor([1])))
        1.0986123...

    Source: Graves et al., "Connectionist temporal classification", ICML 2006.
    """
    loss = sequence_loss.warpctc(log_probs, labels, input_lengths, label_lengths, blank, norm_by_times)[0].reshape([-1])
    return _reduced("ctc_loss", loss, reduction, lambda loss: (loss / label_lengths.astype(loss.dtype)).mean())


def rnnt_loss(
    input: Any, label: Any, input_lengths: Any, label_lengths: Any, blank: int = 0, fastemit_lambda: float = 0.001,
    reduction: str = "mean", name: Any = None,
) -> Any:  # fmt: skip
    """The loss of a recurrent neural network transducer: minus the logarithm of the chance of the labels over all alignments.

    Args:
        input: floating Tensor [batch, time, longest label + 1, classes] of log-probabilities (of `log_softmax`; on a CPU Paddle
            takes them as they are).
        label: integer Tensor [batch, longest label], padded with anything.
        input_lengths: integer Tensor [batch], the steps of time of each sequence, at least 1.
        label_lengths: integer Tensor [batch], the labels of each sequence.
        blank: the class that waits for the next step of time (default 0).
        fastemit_lambda: how much more weight labels get in the gradient (default 0.001); the loss is the same.
        reduction: ``'mean'`` (the sum divided by the batch, the default), ``'sum'`` or ``'none'``.

    Returns:
        Tensor [batch] for ``'none'``, else a scalar.

    Raises:
        ShapeError: shapes do not fit, or a label or a length is out of range.
        DTypeError: a dtype is not floating, or not integers.

    Source: Graves, "Sequence transduction with recurrent neural networks", 2012; Yu et al., "FastEmit", ICASSP 2021.

    Example:
        >>> labels, counts = paddle.to_tensor([[1]], "int32"), paddle.to_tensor([1], "int32")
        >>> float(F.rnnt_loss(F.log_softmax(paddle.zeros([1, 1, 2, 3])), labels, counts, counts))
        2.1972246170043945
    """
    loss = sequence_loss.warprnnt(input, label, input_lengths, label_lengths, blank, fastemit_lambda)[0]
    return _reduced("rnnt_loss", loss, reduction, lambda loss: loss.sum() / input.shape[0])
