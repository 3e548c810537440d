"""Reads losses with labels."""

from __future__ import annotations

from typing import Any

from to_static.compiler.formats.onnx.node_view import NodeView, reads
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F


def _loss(n: NodeView, likely: Tensor, label: Tensor, weight: Tensor | None) -> Any:
    ignore = n.attr("ignore_index")
    label = F.cast(label, "int64")
    ignored = None if ignore is None else F.equal(label, F.full_like(label, ignore, label.dtype))
    safe = label if ignored is None else F.where(ignored, F.zeros_like(label), label)
    loss = -F.squeeze(F.take_along_axis(likely, F.unsqueeze(safe, 1), 1), 1)
    shares = None
    if weight is not None:
        shares = F.reshape(F.gather(weight, F.reshape(safe, [-1])), list(safe.shape))
    if ignored is not None:
        shares = F.cast(F.logical_not(ignored), likely.dtype) if shares is None else F.where(ignored, F.zeros_like(shares), shares)
    loss = loss if shares is None else loss * shares
    reduction = n.text("reduction", "mean")
    if reduction == "none":
        return loss
    if reduction == "sum":
        return F.sum(loss)
    return F.mean(loss) if shares is None else F.sum(loss) / F.sum(shares)


@reads("NegativeLogLikelihoodLoss")
def _(n: NodeView) -> Any:
    return _loss(n, n.x(0), n.x(1), n.optional(2))


@reads("SoftmaxCrossEntropyLoss")
def _(n: NodeView) -> Any:
    likely = F.log_softmax(n.x(0), 1)
    return [_loss(n, likely, n.x(1), n.optional(2)), likely]
