"""`ConcreteProgram`: one traced Program of a static function with its plans for inference and training."""

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
from to_static.compiler.ir.program import Moving, Program, Var
from to_static.compiler.runtime.plan import Plan
from to_static.compiler.runtime.writes.written_rows import DonatedFeed
from to_static.core import backend as backends
from to_static.core.atomic import Ahead, Steps, commit
from to_static.core.processes.compile_lock import COMPILE_LOCK, with_compile_lock

_WITHOUT = "calls without gradients"
_array_of = operator.attrgetter("_array")
_stop_of = operator.attrgetter("stop_gradient")


class RequiresGradChanged(Exception):
    """A call wants gradients that its Program has no trace of (see `RootValues.requires_grad_changed`); it did nothing yet."""


@dataclass
class TracedCall:
    """The call that a Program was traced for.

    ``arguments``: their structure and leaves, specs in place of tensors; ``layer_arguments``: the same of what its Layer was called
    with, where hooks made other arguments of that; ``outside``: the objects from outside that the trace met; ``numbers``: the
    numbers of the last run, where some are inputs; ``paths``: names of the leaves.
    """

    arguments: tuple[Any, list[Any]] | None = None
    layer_arguments: tuple[Any, list[Any]] | None = None
    outside: list[Any] = field(default_factory=list)
    numbers: list[Any] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


class ConcreteProgram:
    """A Program for one cache key, callable on the flattened arguments.

    Attributes (Paddle's names): ``main_program`` (as traced), ``inputs`` and ``outputs`` (Vars), ``parameters``.
    What a run does is said by ``conditions`` (before it), the plan, and ``completions`` (after it).
    """

    def __init__(self, traced: TraceResult) -> None:
        program = traced.program
        self._set(traced, facts_of(traced), RootValues.of(program), Moving(program), Plans(program, backends.current()))

    def _set(self, traced: TraceResult, facts: ProgramFacts, roots: RootValues, program: Moving, plans: Plans) -> None:
        """Store the parts; nothing has run yet."""
        self.traced = traced
        self.facts = facts
        self.roots = roots
        self.plan_cache = plans
        self._program = program
        self.template: ConcreteProgram | None = None  # whose plans it runs, on other objects
        self._places: Callable[[Any], Any] = mode.identity  # which say what those are
        self._variants: dict[tuple[bool, ...], ConcreteProgram] = {}
        self.has_dynamic_sizes = False  # whether sizes are unknown because they varied from call to call
        self.last_used = 0  # when it was looked up last, in an order of all
        self.call = TracedCall()
        self._forget_runs()
        self._describe()
        programs[0] += 1

    def _forget_runs(self) -> None:
        self.runner: Any = None  # of calls without gradients, once there was one
        self.training: Training | Deferred | None = None  # what the last call with gradients used
        self._trainings: dict[tuple[bool, ...], Training | Deferred] = {}
        # where calls keep little until one is asked for its gradients: what is told then
        self.recording: Callable[[], None] | None = None

    def _describe(self) -> None:
        """Say what calls do, of the parts that are there."""
        traced, facts = self.traced, self.facts
        self.feeds = traced.feeds
        self.carried = [(var.holder, k) for var, k in traced.carried]
        self.conditions: list[Condition] = conditions_of(self)
        self.completions: list[Completion] = completions_of(self)
        changed = [*(i for i, _ in traced.changed), *traced.program.state, *(var for var, _ in traced.carried)]
        self._views = KeptViews(traced.views, traced.viewed, changed) if traced.views or traced.viewed else None
        only = self.completions[0] if len(self.completions) == 1 and not traced.inputs_requiring_grad else None
        self._is_plain = isinstance(only, Result) and facts.gives_tensors and not facts.is_ahead
        self._gives_one = self._is_plain and cast(Result, only).is_one
        # whether a function written for it does all that its runs do (`entry`), and one that fails may be done again
        derived = all(c.derived for c in self.conditions) and all(c.derived for c in self.completions)
        self.plain = derived and facts.can_rerun and facts.gives_tensors and not (self.roots.slots or traced.inputs_requiring_grad)
        self.depends_on_requires_grad = facts.differentiable or bool(
            self.roots.frozen
        )  # whether a run depends on what wants a gradient

    def add_buffer_aliases(self) -> None:
        """Told that ``call.outside`` is known: a buffer of now that is there by another name, too, is read by either of them."""
        outside = {id(value) for value in self.call.outside}
        pinned = [(slot, slot.tensor) for slot in self.roots.slots if id(slot.tensor) in outside]
        self.traced.twins += pinned
        self.conditions = conditions_of(self)

    def moved(self, replacement: Callable[[Any], Any], template: ConcreteProgram | None = None) -> ConcreteProgram:
        """The same Program for other objects: ``replacement`` says which takes the place of each. Plans are the ``template``'s."""
        moved = ConcreteProgram.__new__(ConcreteProgram)
        program = Moving(self._program, replacement)
        moved._set(self.traced.moved(replacement), self.facts, self.roots.moved(replacement), program, self.plan_cache.without())
        moved.has_dynamic_sizes, moved.last_used = self.has_dynamic_sizes, self.last_used
        if template is not None:
            moved.template, moved._places = template, replacement
        return moved

    def reseat(self, others: dict[int, Any]) -> None:
        """Read other tensors from now on: ``others`` says by its id which takes the place of each, and gets more of what changes.

        It keeps what is replaced, under no id, so that the ids stay theirs. Runs that are not over go on with that.
        """
        if not self.roots.reseat(others):
            return
        for training in self._trainings.values():
            cast(Training, training).reseat(others)
        self.plan_cache.reseat(others)
        self._program.reseat(others)
        if self.template is not None:
            self._places.reseat(others)  # type: ignore[attr-defined]
        for variant in self._variants.values():
            variant.reseat(others)

    @property
    def main_program(self) -> Program:
        """The Program as it was traced."""
        return self._program()

    @property
    def nbytes(self) -> int:
        """Bytes of its constants and of the buffers of its plans."""
        return self.plan_cache.nbytes + sum(variant.nbytes for variant in self._variants.values())

    def release(self) -> None:
        """Let go of all buffers that no call is using: it is used no more. (Calls would make new ones.)"""
        self.plan_cache.release()
        for variant in self._variants.values():
            variant.release()

    @property
    def parameters(self) -> list[Any]:
        """All tensors that it reads from outside: parameters, buffers, closed-over tensors."""
        return self.roots.tensors

    @property
    def inputs(self) -> list[Var]:
        """Input Vars."""
        return (self.template or self).main_program.feeds

    @property
    def outputs(self) -> list[Var]:
        """Output Vars."""
        return (self.template or self).main_program.outputs

    @property
    def plan(self) -> Any:
        """The plan for calls without gradients."""
        if self.runner is None:
            with COMPILE_LOCK:
                facts = self.facts
                if self.template is not None:
                    runner = self.template.compiled
                    self.runner = self.runner or self.template.plan_cache.onto(self.plan_cache, runner, self._places)
                self.runner = self.runner or self.plan_cache.runner(
                    self.main_program, _WITHOUT, not facts.trains, facts.donated_feeds, self.carried
                )
        return self.runner

    @property
    def compiled(self) -> Any:
        """Of a template, which runs nothing: its plan for calls without gradients."""
        if self.runner is None:
            self.plan  # noqa: B018
            self.plan_cache.release()
        return self.runner

    def plans(self) -> list[tuple[str, Any]]:
        """The plans there are, that for calls without gradients first (made now if need be), each with what it is for."""
        if self.runner is None:
            self.runner = self.plan
        return sorted(self.plan_cache.compiled_plans(), key=lambda item: not item[0].startswith(_WITHOUT))

    def __call__(self, leaves: Sequence[Any], arguments: object = ()) -> Any:
        """Run on the flattened ``arguments`` of a call, ``leaves``, and the numbers from outside that are inputs.

        Raises TranslationError where one of the tensors is read from outside, too, and one of them changes in place.
        """
        try:
            return self.run(leaves, arguments)
        except CallFailure as failure:
            raise failure.error from None

    def run(self, leaves: Sequence[Any], arguments: object = ()) -> Any:
        """The same for static functions. Raises CallFailure where Python may do the call: nothing has happened then."""
        if self.facts.is_ahead:
            with Ahead() as ahead:
                return self._run(leaves, arguments, [ahead.commit_step()])
        return self._run(leaves, arguments, [])

    def _run(self, leaves: Sequence[Any], arguments: object, last: list[Steps]) -> Any:
        """Do a run; ``last``: steps that are made with the others that end it."""
        traced, facts, roots = self.traced, self.facts, self.roots
        if traced.inputs_requiring_grad and (
            opened := [leaf for i in traced.inputs_requiring_grad if (leaf := leaves[i]).stop_gradient]
        ):
            return self._run_requiring_grad(opened, leaves, arguments, last)
        if traced.inputs:
            self.call.numbers = [leaves[i] for i in traced.inputs]
            tensors = [as_tensor(leaves[i]) for i in self.feeds]
        else:
            tensors = [leaves[i] for i in self.feeds]
        for condition in self.conditions:
            condition.check(tensors, leaves, arguments)
        views = None if self._views is None else self._views.before(self._source(leaves))
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

    def _run_requiring_grad(self, opened: list[Any], leaves: Sequence[Any], arguments: object, last: list[Steps]) -> Any:
        """A run that gives gradients to leaves which wanted none."""
        for leaf in opened:
            leaf.stop_gradient = False
        try:
            return self._run(leaves, arguments, last)
        except (Exception, SystemExit):
            for leaf in opened:
                leaf.stop_gradient = True
            raise

    def _complete(
        self, outputs: list[Any], leaves: Sequence[Any], arguments: object, steps: list[Steps], views: RunViews | None
    ) -> Any:
        """Do what follows the plan: change what the function changes, all at once, and give results their structure.

        ``steps``: what the run left to do; ``views``: see `KeptViews.before`.
        """
        run = CompletedRun(outputs, leaves, arguments, steps, views)
        for part in self.completions:
            part.do(run)
        commit(run.steps)
        if views is not None:
            views.follow_changes()
        return run.result

    def plan_of(self, runner: Callable[..., Any] | None) -> Plan | None:
        """The one plan of a runner, `runner` or one for training; None where there is none, or several."""
        return self.plan_cache.of(runner)

    @property
    def requires_grad_changed(self) -> bool:
        """See `RootValues.requires_grad_changed`."""
        return self.roots.requires_grad_changed

    @with_compile_lock
    def variant(self, make: Callable[[], ConcreteProgram]) -> ConcreteProgram:
        """The Program traced while the same tensors were frozen as are now; made when there is none yet."""
        stops = tuple(p.stop_gradient for p in self.roots.params)
        program = self._variants.get(stops)
        if program is None:
            program = self._variants[stops] = make()
        return program

    @with_compile_lock
    def _training_for(self, stops: list[bool]) -> Training | Deferred:
        if self.roots.requires_grad_changed:
            raise RequiresGradChanged
        training = self._trainings.get(tuple(stops))
        if training is None and self.template is not None:
            training = self._trainings[tuple(stops)] = self.template.compiled_training(stops).moved(self, self._places)
        if training is None:
            later = deferred(self, stops) if self.recording is not None else None
            training = self._trainings[tuple(stops)] = later or Training(self, stops)
        return training

    def compiled_training(self, stops: list[bool]) -> Training:
        """Of a template: what runs calls with this choice of what needs a gradient."""
        training = self._trainings.get(tuple(stops))
        if training is None:
            training = self._trainings[tuple(stops)] = Training(self, stops)
            self.plan_cache.release()
        return cast(Training, training)

    @with_compile_lock
    def record(self, stops: list[bool]) -> Training:
        """Make calls save the residuals of the backward pass, because a gradient of one was needed."""
        if self.recording is not None:
            self._trainings = {key: training for key, training in self._trainings.items() if isinstance(training, Training)}
            was_asked, self.recording, self.training = self.recording, None, None
            was_asked()
        return cast(Training, self._training_for(stops))

    def wanted(self, stops: list[bool]) -> tuple[list[int], list[Var]]:
        """The feeds, by number, and the parameters whose gradients are wanted."""
        inputs = self.inputs
        feeds = [i for i, v in enumerate(inputs) if not stops[i] and v.spec.dtype.is_floating]
        chosen = [v for v in self.main_program.params if v.spec.dtype.is_floating]
        return feeds, [v for v, stop in zip(chosen, stops[len(inputs) :], strict=True) if not stop]

    @staticmethod
    def _source(leaves: Sequence[Any]) -> Callable[[Any], Any]:
        """A function that gives the tensor of an argument leaf, or of a root value."""
        return lambda source: leaves[source] if isinstance(source, int) else tensor_of(source.holder)
