"""A PyLayer in a Program: its forward as it is, and its backward as a closed block that `custom_gradient` keeps."""

from __future__ import annotations

from typing import Any

from to_static.autodiff.custom import with_gradient
from to_static.autograd.context import PyLayerContext, gradients_of
from to_static.core.expressions import quoted
from to_static.ir import mode
from to_static.ir.registry import FUNCTIONS
from to_static.ir.variable import Variable
from to_static.lower.control.raising import BlockRaises
from to_static.tracing.graph_break import broken


def with_backward(
    layer: Any, ctx: PyLayerContext, inputs: list[Any], outputs: list[Any], flows: list[bool], given: set[int]
) -> list[Any]:
    """The outputs of a forward that ran, such that gradients take the way through the backward of ``layer``.

    Raises GraphBreak where that does more than compute gradients.
    """
    builder = mode.current()
    if not ctx.materialize_grads and len(outputs) > 1:
        raise broken(
            f"set_materialize_grads(False) of a PyLayer with several outputs{quoted()}: which of them have a gradient is not known",
            "take zeros as they come, without that call",
        )
    backward = builder.translate(layer.backward)
    specs, needs = [x.spec for x in inputs], [not x.stop_gradient for x in inputs]

    def body(*gradients: Any) -> list[Any]:
        try:
            found = backward(ctx, *gradients)
        except BlockRaises:  # the Program raises when it comes here, before anything reads these
            return [FUNCTIONS["zeros_like"](x) if need else None for x, need in zip(inputs, needs, strict=True)]
        return gradients_of(layer.__name__, found, specs, needs)

    made = with_gradient(builder, body, outputs, flows, inputs, layer.backward)
    if made is None:
        raise broken(
            f"the backward of {layer.__name__} changes something outside{quoted()}, which a Program would do once",
            "return what it computes, and keep the rest in `ctx`",
        )
    news = []
    for x, new, flow in zip(outputs, made, flows, strict=True):
        if flow:
            if isinstance(x, Variable) and id(x) not in given:
                x.ssa = new.ssa  # the very tensor that forward returned, which it may have kept
            news.append(new)
        else:
            news.append(x.detach() if id(x) in given else x)
    return news
