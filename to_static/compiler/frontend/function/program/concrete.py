"""`ConcreteProgram`: one traced Program of a static function with its plans for inference and training.

A run has four steps: the conditions are checked, the plan runs on the arrays of the inputs, the completions make results and
collect writes, and `core.atomic.commit` does all writes at once. So a run that raises has changed nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.aliasing.kept_views import KeptViews, RunViews
from to_static.compiler.frontend.function.program.buffer_slots import programs, tensor_of
from to_static.compiler.frontend.function.program.call_failure import CallFailure
from to_static.compiler.frontend.function.program.completion import CompletedRun, Completion, Result, completions_of
from to_static.compiler.frontend.function.program.conditions import Condition, conditions_of
from to_static.compiler.frontend.function.program.deferred import Deferred, deferred
from to_static.compiler.frontend.function.program.facts import ProgramFacts, facts_of
from to_static.compiler.frontend.function.program.plans import Plans
from to_static.compiler.frontend.function.program.root_values import RootValues
from to_static.compiler.frontend.function.program.trace_result import TraceResult
from to_static.compiler.frontend.function.program.training import Training
from to_static.compiler.frontend.function.varying import as_tensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.program import LazyClone, Program, Var
from to_static.compiler.runtime.plan import Plan
from to_static.compiler.runtime.writes.written_rows import DonatedFeed
from to_static.core import backend as backends
from to_static.core.atomic import Ahead, Steps, commit
from to_static.core.processes.compile_lock import COMPILE_LOCK, with_compile_lock

_WITHOUT = "calls without gradients"  # the purpose of a plan
_array_of = operator.attrgetter("_array")
_stop_of = operator.attrgetter("stop_gradient")


class RequiresGradChanged(Exception):
    """A tensor requires a gradient that did not at the trace (see `RootValues.requires_grad_changed`); nothing has run yet."""


@dataclass
class TracedCall:
    """The call that a Program was traced for.

    Attributes:
        arguments: the structure of the arguments and their leaves, specs in place of tensors.
        layer_arguments: the same of the call of its Layer, if hooks changed the arguments.
        outside: the objects from outside that the trace read.
        last_numbers: the number inputs of the last run.
        paths: names of the leaves.
    """

    arguments: tuple[Any, list[Any]] | None = None
    layer_arguments: tuple[Any, list[Any]] | None = None
    outside: list[Any] = field(default_factory=list)
    last_numbers: list[Any] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


class ConcreteProgram:
    """A Program for one cache key, callable on the flattened arguments.

    Attributes (the first four have Paddle's names):
        main_program: the Program as traced.
        inputs, outputs: its Vars.
        parameters: the tensors that it reads from outside.
        traced: the `TraceResult`. facts: properties that do not depend on objects. roots: the objects that it reads or changes.
        call: the call that it was traced for.
        feeds: the leaves that are inputs, by position.
        carried: root values that hold an output after each run, through which gradients flow, with the output's number.
        conditions: what must hold before the plan runs. completions: what follows the plan.
        plan_set: the plans. runner: calls the plan without gradients, None before the first such call.
        training: what ran the last call with gradients, None before.
        template: the Program of a `Template` whose plans this one runs on other objects, else None.
        has_dynamic_sizes: whether sizes are unknown because they varied between calls.
        last_used: a number that grows with each lookup, to drop the Programs that were used least recently.
        runs_in_entry: whether a specialized entry can do everything that a run does, and a failed run may be repeated.
        depends_on_requires_grad: whether a run depends on which tensors require a gradient.
        on_first_gradient: called when a gradient of a call is needed for the first time; None if calls save the residuals
            of the backward pass from the start. Set for loaded models (`deferred.py`).
    """

    def __init__(self, traced: TraceResult) -> None:
        program = traced.program
        self._set(traced, facts_of(traced), RootValues.of_program(program), LazyClone(program), Plans(program, backends.current()))

    def _set(self, traced: TraceResult, facts: ProgramFacts, roots: RootValues, program: LazyClone, plans: Plans) -> None:
        """Store the parts; nothing has run yet."""
        self.traced = traced
        self.facts = facts
        self.roots = roots
        self.plan_set = plans
        self._program = program
        self.template: ConcreteProgram | None = None
        self._replacement: Callable[[Any], Any] = mode.identity  # from objects of the template to those of this one
        self._variants: dict[tuple[bool, ...], ConcreteProgram] = {}  # by which tensors require no gradient
        self.has_dynamic_sizes = False
        self.last_used = 0
        self.call = TracedCall()
        self._forget_runs()
        self._describe()
        programs[0] += 1

    def _forget_runs(self) -> None:
        """Drop the runners: the next call makes new ones."""
        self.runner: Any = None
        self.training: Training | Deferred | None = None
        self._trainings: dict[tuple[bool, ...], Training | Deferred] = {}  # by which tensors require no gradient
        self.on_first_gradient: Callable[[], None] | None = None

    def _describe(self) -> None:
        """Derive conditions, completions and the other attributes that describe a run from the parts."""
        traced, facts = self.traced, self.facts
        self.feeds = traced.feeds
        self.carried = [(var.holder, k) for var, k in traced.carried]
        self.conditions: list[Condition] = conditions_of(self)
        self.completions: list[Completion] = completions_of(self)
        changed_sources = [*(i for i, _ in traced.changed_arguments), *traced.program.state, *(var for var, _ in traced.carried)]
        self._views = KeptViews(traced.views, traced.viewed, changed_sources) if traced.views or traced.viewed else None
        only = self.completions[0] if len(self.completions) == 1 and not traced.inputs_requiring_grad else None
        only_result = isinstance(only, Result) and facts.gives_tensors and not facts.is_ahead
        self._gives_one = only_result and cast(Result, only).is_one  # the result is one tensor, and a run has no other effect
        have_texts = all(c.derived for c in self.conditions) and all(c.derived for c in self.completions)
        needs_slow_path = self.roots.slots or traced.inputs_requiring_grad
        self.runs_in_entry = have_texts and facts.can_rerun and facts.gives_tensors and not needs_slow_path
        self.depends_on_requires_grad = facts.differentiable or bool(self.roots.frozen)

    def add_buffer_aliases(self) -> None:
        """Require that a buffer which the trace also read by another name from outside is the same tensor in later calls.

        Called once ``call.outside`` is set. The pairs go to ``traced.twins``, which the condition `SameBuffers` checks.
        """
        outside = {id(value) for value in self.call.outside}
        pinned = [(slot, slot.tensor) for slot in self.roots.slots if id(slot.tensor) in outside]
        self.traced.twins += pinned
        self.conditions = conditions_of(self)

    def copy_for(self, replacement: Callable[[Any], Any], template: ConcreteProgram | None = None) -> ConcreteProgram:
        """Return a copy for other objects: ``replacement`` returns the new object for each old one.

        With a ``template`` the copy runs the plans of that one on its objects; else it has no plans yet.
        """
        copied = ConcreteProgram.__new__(ConcreteProgram)
        program = LazyClone(self._program, replacement)
        traced, roots = self.traced.copy_for(replacement), self.roots.copy_for(replacement)
        copied._set(traced, self.facts, roots, program, self.plan_set.empty_copy())
        copied.has_dynamic_sizes, copied.last_used = self.has_dynamic_sizes, self.last_used
        if template is not None:
            copied.template, copied._replacement = template, replacement
        return copied

    def reseat(self, replacements: dict[int, Any]) -> None:
        """Read other tensors in later runs; runs in progress continue with the old ones.

        ``replacements``: the id of each old object -> the new one. This method adds the lists and edges that it replaces, for the
        generated functions of plans and entries that refer to them. The key `NOBODY` keeps the old ones alive, so that ids stay
        unique.
        """
        if not self.roots.reseat(replacements):
            return
        for training in self._trainings.values():
            cast(Training, training).reseat(replacements)
        self.plan_set.reseat(replacements)
        self._program.reseat(replacements)
        if self.template is not None:
            self._replacement.reseat(replacements)  # type: ignore[attr-defined]
        for variant in self._variants.values():
            variant.reseat(replacements)

    @property
    def main_program(self) -> Program:
        """The Program as it was traced."""
        return self._program()

    @property
    def nbytes(self) -> int:
        """The bytes of its constants and of the buffers of its plans."""
        return self.plan_set.nbytes + sum(variant.nbytes for variant in self._variants.values())

    def release(self) -> None:
        """Free all buffers that no call is using, when the Program leaves the cache. (Later calls would allocate new ones.)"""
        self.plan_set.release()
        for variant in self._variants.values():
            variant.release()

    @property
    def parameters(self) -> list[Any]:
        """All tensors that it reads from outside: parameters, buffers, closed-over tensors."""
        return self.roots.tensors

    @property
    def inputs(self) -> list[Var]:
        """The input Vars."""
        return (self.template or self).main_program.feeds

    @property
    def outputs(self) -> list[Var]:
        """The output Vars."""
        return (self.template or self).main_program.outputs

    @property
    def plan(self) -> Any:
        """The runner (see `Plans`) for calls without gradients; compiled at the first use."""
        if self.runner is None:
            with COMPILE_LOCK:
                facts = self.facts
                if self.template is not None:
                    runner = self.template.compiled
                    self.runner = self.runner or self.template.plan_set.add_copy(self.plan_set, runner, self._replacement)
                self.runner = self.runner or self.plan_set.make_runner(
                    self.main_program, _WITHOUT, not facts.trains, facts.donated_feeds, self.carried
                )
        return self.runner

    @property
    def compiled(self) -> Any:
        """The runner for calls without gradients of a template, which runs no calls itself, so its buffers are freed."""
        if self.runner is None:
            self.plan  # noqa: B018
            self.plan_set.release()
        return self.runner

    def plans(self) -> list[tuple[str, Any]]:
        """The compiled plans, each with its purpose; first that for calls without gradients, compiled now if necessary."""
        if self.runner is None:
            self.runner = self.plan
        return sorted(self.plan_set.compiled_plans(), key=lambda item: not item[0].startswith(_WITHOUT))

    def __call__(self, leaves: Sequence[Any], arguments: object = ()) -> Any:
        """Run on ``leaves``, the flattened ``arguments`` of a call followed by the inputs from outside.

        Raises TranslationError if an argument is also read from outside and changes in place under one of the names.
        """
        try:
            return self.run(leaves, arguments)
        except CallFailure as failure:
            raise failure.error from None

    def run(self, leaves: Sequence[Any], arguments: object = ()) -> Any:
        """As `__call__`, but raises CallFailure if Python may do the call; nothing has changed then. Static functions use this."""
        if self.facts.is_ahead:
            with Ahead() as ahead:
                return self._run(leaves, arguments, [ahead.commit_step()])
        return self._run(leaves, arguments, [])

    def _run(self, leaves: Sequence[Any], arguments: object, last: list[Steps]) -> Any:
        """Do a run; ``last``: steps (postponed writes) to commit after those of the run."""
        traced, facts, roots = self.traced, self.facts, self.roots
        if traced.inputs_requiring_grad and (
            frozen_leaves := [leaf for i in traced.inputs_requiring_grad if (leaf := leaves[i]).stop_gradient]
        ):
            return self._run_requiring_grad(frozen_leaves, leaves, arguments, last)
        if traced.inputs:
            self.call.last_numbers = [leaves[i] for i in traced.inputs]
            tensors = [as_tensor(leaves[i]) for i in self.feeds]
        else:
            tensors = [leaves[i] for i in self.feeds]
        for condition in self.conditions:
            condition.check(tensors, leaves, arguments)
        views = None if self._views is None else self._views.views_of_run(self._source(leaves))
        if not facts.differentiable:
            if roots.frozen and mode.grad_enabled() and roots.requires_grad_changed:
                raise RequiresGradChanged
        elif mode.grad_enabled():
            stops = [*map(_stop_of, tensors), *map(_stop_of, roots.params)]
            training = self.training
            if training is None or training.stops != stops:
                training = self.training = self._training_for(stops)
            if training.active:
                outputs, steps = training.run(tensors)
                if self._gives_one and not steps:
                    return outputs[0]
                return self._complete(outputs, leaves, arguments, [*steps, *last], views)
        if facts.commits:
            arrays = [*map(_array_of, tensors)]
            for i in facts.donated_feeds:
                arrays[i] = DonatedFeed(tensors[i])
            outputs, steps = (self.runner or self.plan)(*arrays)
            return self._complete(list(map(EagerTensor, outputs)), leaves, arguments, [*steps, *last], views)
        outputs = (self.runner or self.plan)(*map(_array_of, tensors))
        if self._gives_one:
            return EagerTensor(outputs[0])
        return self._complete(list(map(EagerTensor, outputs)), leaves, arguments, last, views)

    def _run_requiring_grad(self, frozen_leaves: list[Any], leaves: Sequence[Any], arguments: object, last: list[Steps]) -> Any:
        """Do a run of a function that sets ``stop_gradient = False`` on arguments (``frozen_leaves``); undo that if it fails."""
        for leaf in frozen_leaves:
            leaf.stop_gradient = False
        try:
            return self._run(leaves, arguments, last)
        except (Exception, SystemExit):
            for leaf in frozen_leaves:
                leaf.stop_gradient = True
            raise

    def _complete(
        self, outputs: list[Any], leaves: Sequence[Any], arguments: object, steps: list[Steps], views: RunViews | None
    ) -> Any:
        """Do what follows the plan: give the results their structure, and commit all writes at once.

        ``steps``: the writes that the plan postponed; ``views``: see `KeptViews.views_of_run`.
        """
        run = CompletedRun(outputs, leaves, arguments, steps, views)
        for part in self.completions:
            part.do(run)
        commit(run.steps)
        if views is not None:
            views.follow_changes()
        return run.result

    def plan_of(self, runner: Callable[..., Any] | None) -> Plan | None:
        """Return the one plan that a runner calls, ``runner`` or one for training; None if it has none or several."""
        return self.plan_set.plan_of(runner)

    @property
    def requires_grad_changed(self) -> bool:
        """See `RootValues.requires_grad_changed`."""
        return self.roots.requires_grad_changed

    @with_compile_lock
    def variant(self, make: Callable[[], ConcreteProgram]) -> ConcreteProgram:
        """Return the variant of this Program for which the same tensors require gradients as now; ``make`` traces it if needed."""
        stops = tuple(p.stop_gradient for p in self.roots.params)
        program = self._variants.get(stops)
        if program is None:
            program = self._variants[stops] = make()
        return program

    @with_compile_lock
    def _training_for(self, stops: list[bool]) -> Training | Deferred:
        """Return what runs calls in which the same tensors require gradients; compile it at the first such call.

        ``stops``: ``stop_gradient`` of each input, then of each root value that may have a gradient. It is a `Deferred` if
        calls do not save residuals before a gradient is needed. Raises RequiresGradChanged if the trace does not fit.
        """
        if self.roots.requires_grad_changed:
            raise RequiresGradChanged
        training = self._trainings.get(tuple(stops))
        if training is None and self.template is not None:
            training = self._trainings[tuple(stops)] = self.template.compiled_training(stops).copy_for(self, self._replacement)
        if training is None:
            deferred_training = deferred(self, stops) if self.on_first_gradient is not None else None
            training = self._trainings[tuple(stops)] = deferred_training or Training(self, stops)
        return training

    def compiled_training(self, stops: list[bool]) -> Training:
        """The `Training` of a template, which runs no calls itself, for these ``stop_gradient`` values (see `_training_for`)."""
        training = self._trainings.get(tuple(stops))
        if training is None:
            training = self._trainings[tuple(stops)] = Training(self, stops)
            self.plan_set.release()
        return cast(Training, training)

    @with_compile_lock
    def record(self, stops: list[bool]) -> Training:
        """Make all calls save the residuals of the backward pass from now on, because a gradient of one was needed.

        Drops every `Deferred`, calls ``on_first_gradient``, and returns the `Training` for ``stops``.
        """
        if self.on_first_gradient is not None:
            self._trainings = {key: training for key, training in self._trainings.items() if isinstance(training, Training)}
            notify, self.on_first_gradient, self.training = self.on_first_gradient, None, None
            notify()
        return cast(Training, self._training_for(stops))

    def gradient_targets(self, stops: list[bool]) -> tuple[list[int], list[Var]]:
        """Return the inputs (by number) and the parameters that require a gradient, for the ``stops`` of `_training_for`."""
        inputs = self.inputs
        feeds = [i for i, v in enumerate(inputs) if not stops[i] and v.spec.dtype.is_floating]
        params = [v for v in self.main_program.params if v.spec.dtype.is_floating]
        return feeds, [v for v, stop in zip(params, stops[len(inputs) :], strict=True) if not stop]

    @staticmethod
    def _source(leaves: Sequence[Any]) -> Callable[[Any], Any]:
        """Return a function that returns the tensor of an argument leaf (an int), or of a root value."""
        return lambda source: leaves[source] if isinstance(source, int) else tensor_of(source.holder)
