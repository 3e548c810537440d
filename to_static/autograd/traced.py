"""A PyLayer in a Program: its forward as it is, and its backward as a closed block that `custom_gradient` keeps."""

from __future__ import annotations

from typing import Any

from to_static.autograd.context import PyLayerContext, gradients_of
from to_static.core.expressions import quoted
from to_static.ir import mode
from to_static.ir.variable import Variable
from to_static.ops.custom_gradient import custom_gradient
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
        return gradients_of(layer.__name__, backward(ctx, *gradients), specs, needs)

    record = None if builder.session is None else builder.session.effects
    if record is not None:
        record.begin()
    written: Any = {}
    values = [builder.var(x) for x in outputs]
    stops = [var.stop_gradient for var in values]
    try:
        for var, flow in zip(values, flows, strict=True):  # as backward sees those that it kept
            var.stop_gradient = not flow
        with mode.grad_mode(True):
            traced = builder.trace_block(body, [x.spec for x in outputs], stop_gradients=[not flow for flow in flows])
    finally:
        if record is not None:
            written = record.end((layer.backward,))
        for var, stop in zip(values, stops, strict=True):
            var.stop_gradient = stop
    if written or traced.rebound:
        raise broken(
            f"the backward of {layer.__name__} changes something outside{quoted()}, which a Program would do once",
            "return what it computes, and keep the rest in `ctx`",
        )
    wanted = tuple(i for i, g in enumerate(traced.value) if g is not None)
    results = [traced.value[i] for i in wanted]
    with builder.resume(traced):
        results = [g if g.dtype is s.dtype else g.astype(s.dtype) for g, s in zip(results, (specs[i] for i in wanted), strict=True)]
        traced.block.results = [builder.result_of(traced, g) for g in results]
    kept = [Variable(var, builder) for var in builder.close([traced], len(outputs))]
    made = custom_gradient(outputs, inputs, kept, backward=traced.block, wanted=wanted)
    news = []
    for x, new, flow in zip(outputs, made, flows, strict=True):
        if flow:
            if isinstance(x, Variable) and id(x) not in given:
                x.ssa = new.ssa  # the very tensor that forward returned, which it may have kept
            news.append(new)
        else:
            news.append(x.detach() if id(x) in given else x)
    return news
