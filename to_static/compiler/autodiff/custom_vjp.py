"""Gradients that the user wrote: a backward function (of `PyLayer`) or a hook is traced into the block of a `custom_gradient`.

The reverse of this op runs the block in place of a gradient rule. `autograd.traced` and `Variable.register_hook` call this module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from to_static.compiler.autodiff.rematerialization import Saved, replay
from to_static.compiler.autodiff.reverse import CONTROL_RULES
from to_static.compiler.autodiff.vjp import zeros_for
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops.control.custom_gradient import custom_gradient
from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.errors import ModeError

if TYPE_CHECKING:
    from to_static.compiler.ir.tensor import Tensor


def with_gradient(
    builder: Builder, body: Callable[..., list[Any]], outputs: list[Any], flows: list[bool], inputs: list[Any], function: Any
) -> list[Any] | None:
    """Attach a gradient rule to ``outputs``: trace ``body`` and return new tensors whose gradients flow through it to ``inputs``.

    ``body`` calls the user's ``function`` and returns the gradients of ``inputs``, None for an input without one.
    ``flows``: for each output, whether a gradient flows through it.
    Returns None if ``body`` does more than compute gradients: if it writes to objects or rebinds tensors.
    """
    record = None if builder.session is None else builder.session.effects
    if record is not None:
        record.begin()
    written: Any = {}
    values = [builder.var(x) for x in outputs]
    stops = [var.stop_gradient for var in values]
    try:
        for var, flow in zip(values, flows, strict=True):  # the stop_gradient that backward sees for saved outputs
            var.stop_gradient = not flow
        with mode.grad_mode(True):
            traced = builder.trace_block(body, [x.spec for x in outputs], stop_gradients=[not flow for flow in flows])
    finally:
        if record is not None:
            written = record.end((function,))
        for var, stop in zip(values, stops, strict=True):
            var.stop_gradient = stop
    if written or traced.rebound:
        return None
    wanted = tuple(i for i, g in enumerate(traced.value) if g is not None)
    pairs = [(traced.value[i], inputs[i].spec.dtype) for i in wanted]
    with builder.resume(traced):
        results = [g if g.dtype is dtype else g.astype(dtype) for g, dtype in pairs]
        traced.block.results = [builder.result_of(traced, g) for g in results]
    captured = [Variable(var, builder) for var in builder.close([traced], len(outputs))]
    return custom_gradient(outputs, inputs, captured, backward=traced.block, wanted=wanted)  # type: ignore[no-any-return]


def hook(x: Variable, function: Callable[..., Any]) -> Hooked:
    """Make the gradient of ``x`` go through a function of the user from here on; returns the hook's handle.

    Raises ModeError if the function has side effects, or if a part of the gradient would not go through it.
    """
    builder = x.builder
    call = builder.translate(function)

    def body(gradient: Tensor) -> list[Any]:
        replacement = call(gradient)
        return [gradient if replacement is None else replacement]

    ops, made_by = builder.frame.block.ops, x.ssa.op
    if made_by is None or made_by not in ops or any(x.ssa in op.operands() for op in ops[ops.index(made_by) :]):
        raise _refusal("is called on a tensor that is not made there, or used already", "call it where the tensor is made")
    if made_by.name == "custom_gradient" and made_by.inputs[0] == made_by.inputs[1]:  # the last hook would run first
        raise _refusal("is called a second time on a tensor", "one function that does both")
    results = with_gradient(builder, body, [x], [not x.stop_gradient], [x], function)
    if results is None:
        raise _refusal("gets a function that changes something outside", "return what it computes")
    x.ssa = results[0].ssa
    return Hooked()


class Hooked:
    """The handle that `hook` returns. The Program has the hook built in."""

    def remove(self) -> bool:
        """Raises ModeError."""
        raise _refusal("is taken back with remove()", "call it where the gradient shall be changed, and only there")


def _refusal(what: str, rewrite: str) -> ModeError:
    return ModeError(
        source_location.report(
            f"register_hook(){in_expression()} {what} in a static function", source_location.capture(), rewrite
        )
    )


def _rule(builder: Builder, op: Op, gouts: list[Any], needs: list[bool]) -> list[Any]:
    values, inputs, captured = op.inputs
    weights = [
        zeros_for(Variable(v, builder)) if g is None else g for v, g in zip(op.outputs, gouts, strict=True)
    ]
    block = op.attrs["backward"]
    results = dict(zip(values, op.outputs, strict=True))  # type: ignore[arg-type]  # higher orders differentiate these
    entering = [*map(builder.var, weights), *(results.get(v, v) for v in captured)]  # type: ignore[union-attr]
    var_map: dict[Var, Var] = dict(zip(block.args, entering, strict=True))
    replay(block.ops, builder.frame.block, var_map, Saved(), silent=False)
    grads: list[Any] = [None] * len(inputs)  # type: ignore[arg-type]
    for index, result in zip(op.attrs["wanted"], block.results, strict=True):
        grads[index] = Variable(var_map[result], builder)
    return [*(None for _ in values), *grads, *(None for _ in captured)]  # type: ignore[union-attr]


CONTROL_RULES["custom_gradient"] = _rule
