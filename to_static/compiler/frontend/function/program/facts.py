"""`ProgramFacts`: properties of a Program that do not depend on the objects that it runs on. Instances that share a Program
share them.
"""

from __future__ import annotations

from dataclasses import dataclass

from to_static.compiler.autodiff.gradient_reachability import leaves_made
from to_static.compiler.frontend.function.program.trace_result import TraceResult
from to_static.compiler.frontend.tracing.gradient_writes import GradientOf
from to_static.compiler.ir.leaves import differentiated
from to_static.compiler.ir.program import Program
from to_static.compiler.ir.rewriter import has
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.var_kinds import PARAM
from to_static.compiler.ops.control.py_func import PutBack


@dataclass(frozen=True)
class ProgramFacts:
    """See the module.

    Attributes:
        new_leaves: outputs that are new leaves which require a gradient.
        still_leaves: outputs that tensors of the caller hold afterwards, which stay leaves.
        donated_feeds: inputs that hold an output after a run, which may write to their arrays; by number, with the output.
        outputs_held_outside: outputs that tensors from outside hold after a run.
        rewritten: inputs, and then root values, of which a run may write parts in place.
        commits: whether plans leave the writing of state to their caller.
        mutates_inputs: whether any tensor changes in place.
        trains: whether parameters change.
        prints_or_draws: whether a run prints or draws random numbers, which must not happen twice if Python repeats it.
        can_rerun: whether a failed run may be repeated.
        is_ahead: whether a run changes Python objects before it ends.
        stop_gradients: of each output.
        differentiable: whether an output has a gradient.
        gives_tensors: whether all outputs are tensors, none a list.
    """

    new_leaves: frozenset[int]
    still_leaves: frozenset[int]
    donated_feeds: dict[int, int]
    outputs_held_outside: frozenset[int]
    rewritten: list[int]
    commits: bool
    mutates_inputs: bool
    trains: bool
    prints_or_draws: bool
    can_rerun: bool
    is_ahead: bool
    stop_gradients: list[bool]
    differentiable: bool
    gives_tensors: bool


def facts_of(traced: TraceResult) -> ProgramFacts:
    """The facts of a traced Program."""
    program, feeds = traced.program, traced.feeds
    outputs = program.outputs
    gradients = [i for i, v in enumerate(outputs) if type(v.holder) is GradientOf]
    still = frozenset(i for i, v in enumerate(outputs) if v.op is not None and differentiated(v).op is None)
    donated_feeds = {feeds.index(i): k for i, k in traced.changed_arguments if i in feeds and k not in still}
    commits = bool(program.state or donated_feeds or traced.carried)
    stop_gradients = [v.stop_gradient for v in outputs]
    ops = list(program.block.walk())
    prints_or_draws = any(has(op, "random") or op.name in ("set_seed", "print", "write") for op in ops)
    return ProgramFacts(
        new_leaves=frozenset([*leaves_made(program), *gradients]),
        still_leaves=still,
        donated_feeds=donated_feeds,
        outputs_held_outside=frozenset([*donated_feeds.values(), *(k for _, k in traced.carried)]),
        rewritten=_rewritten(traced, program, donated_feeds) if commits else [],
        commits=commits,
        mutates_inputs=bool(traced.changed_arguments or traced.carried or program.state),
        trains=any(v.kind == PARAM for v in program.state),
        prints_or_draws=prints_or_draws,
        can_rerun=not prints_or_draws and not any(has(op, "effect") and op.name != "assert" for op in ops),
        is_ahead=any(type(op.attrs.get("call")) is PutBack for op in ops),
        stop_gradients=stop_gradients,
        differentiable=not all(stop_gradients),
        gives_tensors=all(isinstance(v.spec, TensorSpec) for v in outputs),
    )


def _rewritten(traced: TraceResult, program: Program, donated_feeds: dict[int, int]) -> list[int]:
    if not any(op.opdef.writes_a_part for op in program.block.walk()):
        return []
    changing = {id(v.holder) for v in program.state}.union(id(var.holder) for var, _ in traced.carried)
    return [*donated_feeds, *(len(traced.feeds) + i for i, v in enumerate(program.params) if id(v.holder) in changing)]
