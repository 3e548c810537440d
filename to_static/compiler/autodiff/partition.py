"""`partition_joint` differentiates a Program and cuts it in two: a forward Program that also returns residuals, and a backward
Program.

Static functions train this way: both Programs run as plans, and one node of the eager tape connects them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from to_static.compiler.autodiff.backward import differentiate
from to_static.compiler.autodiff.gradient_reachability import Reach
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.program import Op, Program, Var, copy_op
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import needed_ops, prune, prune_control, remove_unused_params
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.var_kinds import PARAM

# The effects that are kept in the backward part: a user's backward function may print and raise. Ops that may raise by their
# values, and random ops, have run in the forward part.
_OF_BACKWARD = ("effect",)


class Split(NamedTuple):
    """A Program divided into a forward and a backward Program.

    ``forward``: returns the outputs of the original, ``residual_count`` residuals, and the vectors of ``reach``; feeds and
    state are those of the original.
    ``backward``: its feeds are the residuals, then the gradients of the outputs with the indices ``output_index``. It returns
    the gradients of the wanted values with the indices ``wanted_index``; all others are zero.
    ``reach``: which wanted values each output depends on, if the caller asked for it.
    """

    forward: Program
    backward: Program
    residual_count: int
    output_index: list[int]
    wanted_index: list[int]
    reach: Reach | None


def partition_joint(program: Program, wanted: list[Var], with_reach: bool = False, but: Collection[int] = ()) -> Split:
    """Split the derivative of a finished ``program`` by ``wanted`` (feeds or parameters of it) into forward and backward.

    Outputs without a gradient (integers, detached values), and those with the indices ``but``, get no gradient feed.
    ``with_reach``: the forward part also computes which of ``wanted`` the outputs depend on in that run. The original is not
    changed. The backward Program can be split again, for higher orders.
    """
    joint, copy = program.clone_with_map()
    reach = Reach(joint, [copy[v] for v in wanted]) if with_reach else None
    vectors = [] if reach is None else reach.vectors
    outputs = list(joint.outputs)
    last = joint.block.ops[-1] if joint.block.ops else None
    builder = Builder(joint)
    gouts: list[tuple[Any, Any]] = []
    output_index = []
    with mode.use(builder), mode.grad_mode(True):
        for i, out in enumerate(outputs):
            if not out.stop_gradient and i not in but:
                name = f"{out.name or f'out_{i}'}@GRAD"
                is_duplicate = joint.find(name) is not None  # the same value is returned twice
                gouts.append((Variable(out, builder), builder.feed(out.spec, f"out_{i}@GRAD" if is_duplicate else name, False)))
                output_index.append(i)
        grads = differentiate(builder, gouts, [copy[v] for v in wanted], set())
    builder.end()
    seeds = [g.ssa for _, g in gouts]
    del joint.block.args[len(program.feeds) :]  # the gradients of the outputs are feeds of the backward part only
    results = [g.ssa for g in grads if g is not None]
    wanted_index = [i for i, g in enumerate(grads) if g is not None]
    cut = 0 if last is None else joint.block.ops.index(last) + 1
    constants = {v: op for op in joint.block.ops[:cut] if op.name == "constant" for v in op.outputs}
    ops = needed_ops(joint.block.ops[cut:], results, _OF_BACKWARD)
    del joint.block.ops[cut:]
    for op in ops:
        _ask_no_shapes(op)

    inner = {v for op in ops for v in op.outputs} | set(seeds)
    outside = [v for op in ops for v in op.operands()] + results
    outside = [v for v in dict.fromkeys(outside) if v not in inner]
    residuals = [v for v in outside if v not in constants]

    backward = Program()
    var_map: dict[Var, Var] = {}
    for var in residuals + seeds:
        name = var.name if var in inner or var.kind == PARAM else None
        var_map[var] = backward.block.add_arg(var.spec, name, var.stop_gradient)
    for var in outside:
        if var in constants:
            copy_op(constants[var], backward.block, var_map)
    for op in ops:
        copy_op(op, backward.block, var_map)
    backward.block.results = [var_map[v] for v in results]
    prune(backward.block, _OF_BACKWARD)

    state = joint.state_values
    joint.block.results = outputs + residuals + vectors + state
    if joint.output_names is not None:
        joint.output_names += [f"residual_{i}" for i in range(len(residuals))]
        joint.output_names += [f"reach_{i}" for i in range(len(vectors))]
    remove_unused_params(joint)
    return Split(joint, backward, len(residuals), output_index, wanted_index, reach)


def _ask_no_shapes(op: Op) -> None:
    """Replace "zeros like a value" by zeros of its known shape, so that the value need not be a residual."""
    for inner in (op, *(each for block in op.blocks for each in block.walk())):
        if inner.name == "full_like" and inner.inputs[0].spec.is_static:  # type: ignore[union-attr]
            spec: Any = inner.out.spec
            inner.opdef, inner.inputs = get("full"), ((),)
            inner.attrs = {"shape": tuple(spec.shape), "value": inner.attrs["value"], "dtype": spec.dtype}
    if op.name in ("cond", "while_loop"):
        prune_control(op, set(op.outputs), _OF_BACKWARD)
