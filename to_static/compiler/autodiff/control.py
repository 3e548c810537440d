"""Gradients of ``cond`` and ``while_loop``.

The backward ``cond`` replays the branch that ran and appends its reverse. The backward ``while_loop`` iterates from the last
iteration to the first: each replays the body on the values that entered it, then appends its reverse. A replay recomputes cheap
ops, and reads the results of costly or random ops from the first run (`autodiff.rematerialization`). These are further results of
the forward op: lists of one value per iteration, of which those that the reverse does not read are removed. So the reverse of a
block is a usual reverse sweep, and nested control flow, lists and higher orders need no rules. The forward op is changed in place.
`reverse` calls the rules of this module through `CONTROL_RULES`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.autodiff.rematerialization import Saved, SavedOp, replay, save
from to_static.compiler.autodiff.reverse import CONTROL_RULES, active_vars, add_gradients, reverse
from to_static.compiler.autodiff.vjp import zeros_for
from to_static.compiler.ir.building.block_scope import BlockScope
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.program import Block, Op, Var
from to_static.compiler.ir.rewriter import needed_ops, prune_control
from to_static.compiler.ir.spec import ListSpec, TensorSpec
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics import source_location
from to_static.core.errors import AutogradError

if TYPE_CHECKING:
    from to_static.compiler.ir.symbolic.sym_number import SymNumber
    from to_static.compiler.ir.tensor import Tensor


def _reverse_block(
    builder: Builder,
    block: Block,
    saved: Saved,
    entering: Callable[[int], Var],
    values: dict[Var, Var],
    weights: dict[int, Any],
    wanted: list[int],
) -> dict[int, Any]:
    """Replay ``block`` in the current frame, then append its reverse; returns gradients by the indices of arguments.

    ``saved``: what the first run saved; ``entering(i)``: the value of argument ``i``; ``values``: values of the block -> their
    saved values; ``weights``: index of a result -> its gradient; ``wanted``: indices of the arguments that want a gradient.
    """
    results = [block.results[i] for i in weights]
    ops = needed_ops(block.ops, results, effects=())
    read = {v for op in ops for v in op.operands()} | set(results)
    var_map = dict(values)
    var_map.update((arg, entering(i)) for i, arg in enumerate(block.args) if arg in read)
    replayed = replay(ops, builder.frame.block, var_map, saved)
    args = {i: var_map[block.args[i]] for i in wanted if block.args[i] in var_map}
    active = active_vars(replayed, args.values())
    start: dict[Var, Any] = {}
    for i, weight in weights.items():
        var = var_map[block.results[i]]
        if var in active:
            start[var] = add_gradients(start.get(var), weight)
    by_var = reverse(builder, replayed, start, active)
    grads: dict[int, Any] = {}
    for i, var in args.items():  # an operand that stands for two arguments has one gradient, and it counts once
        if var in by_var:
            grads[i] = by_var.pop(var)
    return grads


def _cond(builder: Builder, op: Op, gouts: list[Any], needs: list[bool]) -> list[Any]:
    forward_op = _ForwardOp(builder, op)
    saved = forward_op.save()
    pred, *operands = op.operands()
    handles = [Variable(v, builder) for v in operands]
    wanted = [i for i, need in enumerate(needs[1:]) if need]
    weights = {i: g for i, g in enumerate(gouts) if g is not None}

    def branch(side: int) -> Callable[[], dict[int, Any]]:
        def run() -> dict[int, Any]:
            first = builder.constant(_INDEX_0)
            values = {
                var: builder.var(history) if isinstance(var.spec, ListSpec) else _saved_value(history, first, var)
                for var, k in saved.values[side].items()
                for history in [Variable(op.outputs[k], builder)]
            }
            return _reverse_block(
                builder, op.blocks[side], saved, lambda i: builder.var(handles[i]), values, weights, wanted
            )

        return run

    true, false = builder.trace_block(branch(0)), builder.trace_block(branch(1))
    shared_grads = [i for i in wanted if i in true.value or i in false.value]
    grads: list[Any] = [None] * len(needs)
    if shared_grads:
        results = []
        for traced in (true, false):
            with builder.resume(traced):
                results.append([traced.value[i] if i in traced.value else zeros_for(handles[i]) for i in shared_grads])
        replayed_grads = builder.emit_cond(Variable(pred, builder), true, false, *results)
        prune_control(builder.frame.block.ops[-1], {g.ssa for g in replayed_grads}, acting=builder.side_effects)
        for i, gradient in zip(shared_grads, replayed_grads, strict=True):
            grads[i + 1] = gradient
    forward_op.clean()
    return grads


def _while(builder: Builder, op: Op, gouts: list[Any], needs: list[bool]) -> list[Any]:
    grads: list[Any] = [None] * len(needs)
    carried, wanted = _differentiable(op, gouts, needs)
    if not carried:
        return grads
    operands, n, body = list(op.operands()), op.attrs["carried"], op.blocks[1]
    args, outputs = list(body.args), list(op.outputs)
    forward_op = _ForwardOp(builder, op)
    saved = forward_op.save()
    lists = {var: Variable(op.outputs[k], builder) for var, k in saved.values[1].items()}
    outside = {args[j]: Variable(operands[j], builder) for j in range(n, len(operands))}
    totals = [_gradient(zeros_for(outside[args[j]])) for j in wanted]
    start = [gouts[i] if gouts[i] is not None else _gradient(zeros_for(Variable(outputs[i], builder))) for i in carried]

    def has_iterations(k: SymNumber, *state: Tensor) -> Any:
        return F.greater_than(k, 0)

    def reverse_iteration(k: SymNumber, *carried_and_sums: Tensor) -> list[Any]:
        k = k - 1
        gradient_of = dict(zip(carried, carried_and_sums, strict=False))
        sums = dict(zip(wanted, carried_and_sums[len(carried) :], strict=True))

        def entering(i: int) -> Var:
            arg = body.args[i]
            return builder.var(outside[arg]) if arg in outside else _saved_value(lists[arg], k, arg)

        values = {var: _saved_value(history, k, var) for var, history in lists.items() if var not in args}
        argument_index = {arg: i for i, arg in enumerate(body.args)}  # `save` has moved the arguments apart
        weights = {i: gradient_of[i] for i in carried}
        by_var = _reverse_block(
            builder, body, saved, entering, values, weights, [argument_index[args[i]] for i in [*carried, *wanted]]
        )
        result = [k]
        for i in carried:
            gradient = by_var.get(argument_index[args[i]])
            if gradient is None:
                spec = args[i].spec
                fixed = isinstance(spec, TensorSpec) and spec.is_static
                gradient = zeros_for(gradient_of[i] if fixed else Variable(_saved_value(lists[args[i]], k, args[i]), builder))
            result.append(gradient)
        return result + [add_gradients(sums[j], by_var.get(argument_index[args[j]])) for j in wanted]

    iterations = Variable(op.outputs[saved.iterations], builder)
    body_grads = builder.while_loop(has_iterations, reverse_iteration, [iterations, *start, *totals])[1:]
    prune_control(builder.frame.block.ops[-1], {g.ssa for g in body_grads}, acting=builder.side_effects)
    for i, gradient in zip([*carried, *wanted], body_grads, strict=True):
        grads[i] = gradient if needs[i] else None
    forward_op.clean()
    return grads


def _differentiable(op: Op, gouts: list[Any], needs: list[bool]) -> tuple[list[int], list[int]]:
    """Return the indices of the carried values that take part in the reverse, and of the other operands that get a gradient.

    A carried value takes part if a gradient reaches it from the results, and flows from it to an operand that wants one.
    """
    n, body = op.attrs["carried"], op.blocks[1]
    moving = {i for i in range(len(needs)) if needs[i]}
    while True:
        active = active_vars(body.ops, [body.args[i] for i in moving])
        more = {i for i in range(n) if body.results[i] in active and not body.args[i].stop_gradient} - moving
        if not more:
            break
        moving |= more
    differentiable = {i for i in moving if i < n and gouts[i] is not None}
    while True:
        live = {body.results[i] for i in differentiable}
        for inner in reversed(body.ops):
            if any(v in live for v in inner.outputs):
                live.update(v for v in inner.operands() if v in active)
        more = {i for i in moving if i < n and body.args[i] in live} - differentiable
        if not more:
            return sorted(differentiable), [j for j in range(n, len(needs)) if needs[j] and body.args[j] in live]
        differentiable |= more


def _saved_value(history: Any, k: Any, var: Var) -> Var:
    """Return the value of ``var`` in iteration ``k``, from the list that the forward loop saved."""
    value = F.list_get(history, k, sure=True).ssa
    value.stop_gradient = var.stop_gradient
    return value


def _gradient(zeros: Any) -> Any:
    zeros.ssa.stop_gradient = False  # gradients are added to it, so a loop that carries it must treat it as differentiable
    return zeros


class _ForwardOp:
    """A control op of the forward pass: `save` extends it by saved values, `clean` removes those that no backward op reads."""

    def __init__(self, builder: Builder, op: Op) -> None:
        self.block = builder.frame.block
        self.op = op
        self.ops = set(self.block.ops)
        self.outputs = list(op.outputs)

    def save(self) -> Saved:
        if isinstance(self.op, SavedOp):
            return self.op.saved  # type: ignore[return-value]
        return save(self.op, self.block)

    def clean(self) -> None:
        op, block = self.op, self.block
        if isinstance(op, SavedOp) or len(op.outputs) == len(self.outputs):
            return
        read = {v for reader in block.ops for v in reader.operands()}
        prune_control(op, read | set(self.outputs))
        read = {v for reader in block.ops for v in reader.operands()}
        position = block.ops.index(op)
        block.ops[:position] = [
            new for new in block.ops[:position] if new in self.ops or any(v in read for v in new.outputs)
        ]


def check_closed(frame: BlockScope, targets: list[Var], wanted: list[Var]) -> None:
    """Refuse a gradient inside a branch or loop body that also flows through ops outside of it.

    Raises AutogradError if one of ``targets`` depends on one of ``wanted`` through values from outside, or from an earlier
    iteration.
    """
    if frame.parent is None:
        return
    outer = {inner: var for var, inner in frame.lifted.items() if var.block is frame.parent.block}
    roots = [outer[v] for v in wanted if v in outer]
    if not roots:
        return
    read = {v for op in needed_ops(frame.block.ops, targets, effects=()) for v in op.operands()} | set(targets)
    entering = [v for v in frame.block.args if v in read and not v.stop_gradient and v not in wanted]
    beyond = [outer[v] for v in entering if v in outer]
    reached = active_vars(frame.parent.block.ops, roots)
    if len(beyond) < len(entering) or any(v in reached for v in beyond):
        from to_static.core.diagnostics.source_expressions import (
            in_expression,  # only for errors: it costs start-up time
        )

        text = (
            f"gradients{in_expression()} inside a branch or loop body can't follow values from outside of it, or of an earlier "
            "trip"
        )
        rewrite = "compute what is differentiated and its gradient in the same branch or loop body, or both outside of it"
        raise AutogradError(source_location.report(text, source_location.capture(), rewrite))
    check_closed(frame.parent, beyond, roots)


CONTROL_RULES["cond"] = _cond
CONTROL_RULES["while_loop"] = _while
_INDEX_0 = np.asarray(0, "int64")
