"""`Plans`: the plans of one Program, for inference and for training. Runs the passes and compiles the plans.

A *runner* is the function by which a plan is called: `Plan.call`, `Plan.attempt` if the plan leaves writes to its caller, or a
`PlanExecutor` (or its ``attempt``), which has a plan for each combination of shapes.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from to_static.compiler.ir.program import Program
from to_static.compiler.ir.spec import ListSpec, TensorSpec
from to_static.compiler.passes.pipeline import inference_passes, optimize, training_passes
from to_static.compiler.passes.simplify.specialize_shapes import optimize_for
from to_static.compiler.runtime.executor import PlanExecutor
from to_static.compiler.runtime.plan import Plan, compile_plan


class Plans:
    """The plans of one traced Program, for ``backend``, each with its purpose as text."""

    def __init__(self, program: Program, backend: Any) -> None:
        self._backend = backend
        self._plans: list[tuple[str, Plan | PlanExecutor]] = []
        self._constants = sum(op.attrs["value"].nbytes for op in program.block.walk() if op.name == "constant")

    def make_runner(
        self,
        program: Program,
        purpose: str,
        weights_frozen: bool = False,
        donated_feeds: dict[int, int] | None = None,
        carried: Sequence[Any] = (),
    ) -> Any:
        """Compile a program and return its runner: for one plan if all shapes are known, else for a `PlanExecutor`.

        If the program changes state, the runner does not write it, but also returns the steps that do, as `Plan.attempt` does.
        ``purpose``: the calls that it is for, as text. ``weights_frozen``: weights change seldom between its calls, as without
        gradients; then the inference passes fold them. ``donated_feeds``, ``carried``: see `Program`; the runner takes these
        feeds as `written_rows.DonatedFeed`.
        """
        if donated_feeds or carried:
            program = program.clone()
            program.donated_feeds, program.carried = donated_feeds or {}, list(carried)
        passes = inference_passes(self._backend.name) if weights_frozen else training_passes(self._backend.name)
        specs = [v.spec for v in program.feeds]
        if all(isinstance(s, TensorSpec) and s.is_static for s in specs) or any(isinstance(s, ListSpec) for s in specs):
            plan = compile_plan(optimize(program.clone(), passes), self._backend, weights_frozen=weights_frozen)
            self._plans.append((purpose, plan))
            return plan.attempt if program.writes_outside else plan.call
        executor = PlanExecutor(
            program, self._backend, lambda p, shapes: optimize_for(p, shapes, passes), weights_frozen=weights_frozen
        )
        self._plans.append((purpose, executor))
        return executor.attempt if program.writes_outside else executor

    def empty_copy(self) -> Plans:
        """Return a copy without plans, for the same Program on other objects."""
        empty = copy.copy(self)
        empty._plans = []
        return empty

    def reseat(self, replacements: dict[int, Any]) -> None:
        """Make all plans read other tensors (see `Plan.reseat`)."""
        for _, plan in self._plans:
            plan.reseat(replacements)

    def add_copy(self, target: Plans, runner: Any, replacement: Callable[[Any], Any]) -> Any:
        """Copy the plan of ``runner`` to ``target``, and return the new runner.

        ``replacement`` returns the new holder for each old one.
        """
        for purpose, plan in self._plans:
            if runner is plan or runner in (plan.attempt, getattr(plan, "call", None)):
                new = plan.with_holders(replacement)
                target._plans.append((purpose, new))
                return new if runner is plan else new.attempt if runner == plan.attempt else getattr(new, "call")  # noqa: B009
        raise LookupError("the runner belongs to other plans")

    def plan_of(self, runner: Any) -> Plan | None:
        """Return the one plan that a runner calls; None if it has several."""
        return next((plan for _, plan in self._plans if isinstance(plan, Plan) and runner in (plan.call, plan.attempt)), None)

    def compiled_plans(self) -> Iterator[tuple[str, Plan]]:
        """Yield the plans, each with its purpose; for unknown shapes one for each combination so far, and at least one."""
        for purpose, runner in self._plans:
            if isinstance(runner, Plan):
                yield purpose, runner
                continue
            for plan in runner.plans():
                shapes = ", ".join(str(feed.spec) for feed in plan.program.feeds)
                yield f"{purpose}, of ({shapes})", plan

    @property
    def nbytes(self) -> int:
        """The bytes of the Program's constants and of the buffers of its plans."""
        return self._constants + sum(plan.nbytes for _, plan in self._plans)

    def release(self) -> None:
        """Free all buffers that no call is using; later calls allocate new ones."""
        for _, plan in self._plans:
            plan.release()
