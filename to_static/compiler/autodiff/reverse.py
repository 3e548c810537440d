"""Reverse mode over the ops of one block: from the gradients of its results to those of its inputs.

Gradient rules build ordinary ops, which are appended to the builder's current block. Blocks are closed, so a sweep handles one
block; control ops have rules that sweep over their blocks (`autodiff.control`). `backward` and `control` call this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from to_static.compiler.autodiff.vjp import accumulate, call_vjp
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.opdef import GradContext
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.spec import ListSpec
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops.tensor_list.lists import list_add

if TYPE_CHECKING:
    from to_static.compiler.ir.tensor import Tensor

# control op -> rule(builder, op, gradients of outputs, whether each operand wants one) -> gradients of the operands, flat
CONTROL_RULES: dict[str, Callable[[Builder, Op, list[Any], list[bool]], list[Any]]] = {}


def active_vars(ops: Iterable[Op], wanted: Iterable[Var], blocked: Iterable[Var] = ()) -> set[Var]:
    """Return the Vars through which a gradient reaches one of ``wanted``: they depend on it, and do not stop gradients.

    ``blocked``: further Vars that stop gradients.
    """
    stopped = set(blocked)
    active = {v for v in wanted if not v.stop_gradient and v not in stopped}
    for op in ops:
        if any(differentiable and v in active for v, differentiable in zip(op.operands(), op.differentiable_flags(), strict=True)):
            active.update(v for v in op.outputs if not v.stop_gradient and v not in stopped)
    return active


def reverse(
    builder: Builder,
    ops: list[Op],
    gradients: dict[Var, Any],
    active: set[Var],
    on_reversed: Callable[[Op], None] | None = None,
) -> dict[Var, Any]:
    """Append the backward ops of ``ops``, last op first. Returns the gradient of every active Var that has one.

    ``gradients``: the gradients of the targets. ``on_reversed(op)`` is called once the backward ops of ``op`` are appended.
    """
    by_var = {var: g for var, g in gradients.items() if var in active}
    block = builder.frame.block
    for op in reversed(ops):
        gouts = [by_var.get(v) for v in op.outputs]
        operands = list(op.operands())  # a copy, since the rule of a loop adds operands
        needs = [differentiable and v in active for v, differentiable in zip(operands, op.differentiable_flags(), strict=True)]
        if all(g is None for g in gouts) or not any(needs):
            continue
        last = block.ops[-1]
        rule = CONTROL_RULES.get(op.name)
        outer_site, builder.site = builder.site, op.site  # an error in a backward op names the line of the forward op
        try:
            grads = rule(builder, op, gouts, needs) if rule is not None else _call(builder, op, gouts, needs)
        finally:
            builder.site = outer_site
        for var, need, gradient in zip(operands, needs, grads, strict=True):
            if need and gradient is not None:
                by_var[var] = add_gradients(by_var.get(var), gradient)
        for new in reversed(block.ops):
            if new is last:
                break
            new.site = op.site
        if on_reversed is not None:
            on_reversed(op)
    return by_var


def add_gradients(total: Tensor | None, gradient: Tensor | None) -> Any:
    """Return the sum of two gradients (of a tensor, or of a list element by element), each of which may be None."""
    if total is not None and gradient is not None and isinstance(total.spec, ListSpec):
        return list_add(total, gradient)
    return accumulate(total, gradient)


def _call(builder: Builder, op: Op, gouts: list[Any], needs: list[bool]) -> list[Any]:
    flags = iter(needs)
    inputs: list[Any] = []
    wants: list[Any] = []
    for item in op.inputs:
        if item is None:
            inputs.append(None)
            wants.append(False)
        elif isinstance(item, tuple):
            inputs.append([Variable(v, builder) for v in item])
            wants.append([next(flags) for _ in item])
        else:
            inputs.append(Variable(item, builder))
            wants.append(next(flags))
    outputs = tuple(Variable(v, builder) for v in op.outputs)
    return call_vjp(op.opdef, GradContext(tuple(inputs), outputs, op.attrs, tuple(wants)), gouts)
