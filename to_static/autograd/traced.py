"""A PyLayer in a Program: its forward as it is, and its backward as a closed block that `custom_gradient` keeps."""

from __future__ import annotations

from typing import Any

from to_static.autograd.context import PyLayerContext, gradients_of
from to_static.compiler.autodiff.custom_vjp import with_gradient
from to_static.compiler.frontend.jst.control.raising import BlockRaisesError
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.ir import mode
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops import functions
from to_static.core.diagnostics.source_expressions import in_expression


def with_backward(
    layer: Any, ctx: PyLayerContext, inputs: list[Any], outputs: list[Any], flows: list[bool], input_ids: set[int]
) -> list[Any]:
    """The outputs of a forward that ran, such that gradients take the way through the backward of ``layer``.

    Raises GraphBreak where that does more than compute gradients.
    """
    builder = mode.current()
    if not ctx.materialize_grads and len(outputs) > 1:
        raise broken(
            f"set_materialize_grads(False) of a PyLayer with several outputs{in_expression()}: which of them have a gradient is "
            "not known",
            "take zeros as they come, without that call",
        )
    backward = builder.translate(layer.backward)
    specs, needs = [x.spec for x in inputs], [not x.stop_gradient for x in inputs]

    def body(*gradients: Any) -> list[Any]:
        try:
            grads = backward(ctx, *gradients)
        except BlockRaisesError:  # the Program raises when it comes here, before anything reads these
            return [functions.zeros_like(x) if need else None for x, need in zip(inputs, needs, strict=True)]
        return gradients_of(layer.__name__, grads, specs, needs)

    results = with_gradient(builder, body, outputs, flows, inputs, layer.backward)
    if results is None:
        raise broken(
            f"the backward of {layer.__name__} changes something outside{in_expression()}, which a Program would do once",
            "return what it computes, and keep the rest in `ctx`",
        )
    news = []
    for x, new, flow in zip(outputs, results, flows, strict=True):
        if flow:
            if isinstance(x, Variable) and id(x) not in input_ids:
                x.ssa = new.ssa  # the very tensor that forward returned, which it may have kept
            news.append(new)
        else:
            news.append(x.detach() if id(x) in input_ids else x)
    return news
