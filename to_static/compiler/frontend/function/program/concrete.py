"""`ConcreteProgram`: one traced Program of a static function with its plans for inference and training."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from to_static.compiler.autodiff.gradient_reachability import Reach, leaves_made
from to_static.compiler.eager import tape
from to_static.compiler.eager.compiled_backward import written
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.buffer_slots import BufferSlot, programs, tensor_of
from to_static.compiler.frontend.function.program.conditions import conditions_of
from to_static.compiler.frontend.function.program.deferred import Deferred, deferred
from to_static.compiler.frontend.function.program.kept_views import KeptViews, RunViews
from to_static.compiler.frontend.function.program.plans import Plans
from to_static.compiler.frontend.function.program.returned_list import ReturnedList, weight
from to_static.compiler.frontend.function.program.row_gradients import by_rows, gradients
from to_static.compiler.frontend.function.program.trace_result import TraceResult
from to_static.compiler.frontend.function.varying import as_tensor
from to_static.compiler.frontend.jst.values.tensor import OneTensor
from to_static.compiler.frontend.tracing.gradient_writes import GradientOf
from to_static.compiler.ir import mode
from to_static.compiler.ir.program import PARAM, Moving, Program, Var, reseat
from to_static.compiler.ir.rewriter import contains, has
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops.control.py_func import PutBack
from to_static.compiler.runtime.plan import Plan
from to_static.compiler.runtime.written_rows import Lent
from to_static.core import backend as backends
from to_static.core import past
from to_static.core.atomic import Ahead, Steps, commit, setting
from to_static.core.cached_property import kept_property
from to_static.core.compile_lock import COMPILE_LOCK, with_compile_lock
from to_static.core.errors import AutogradError

_WITHOUT = "calls without gradients"
_NOTHING: list[Steps] = []
NOBODY = 0  # no object has it for its id
_array_of = operator.attrgetter("_array")
_stop_of = operator.attrgetter("stop_gradient")


class RequiresGradChanged(Exception):
    """A call wants gradients that its Program has no trace of (see `ConcreteProgram.thawed`); it did nothing yet."""


class ConcreteProgram:
    """A Program for one cache key, callable on the flattened arguments.

    Attributes (Paddle's names): ``main_program`` (as traced), ``inputs`` and ``outputs`` (Vars), ``parameters``.
    """

    def __init__(self, traced: TraceResult) -> None:
        self.traced = traced
        self._program = Moving(traced.program)
        self.template: ConcreteProgram | None = None  # whose plans it runs, on other objects
        self._places: Callable[[Any], Any] = mode.identity  # which say what those are
        self.feeds = traced.feeds
        self.numbers: list[Any] = []  # those of the last run, where some are inputs
        self.given: Any = None  # structure and leaves of the arguments then, specs in place of tensors
        self.called: Any = None  # the same of what its Layer was called with, where hooks made other arguments of that
        self.outside: list[Any] = []  # objects from outside that it was traced with
        self.runner: Any = None  # of calls without gradients, once there was one
        self.training: Training | Deferred | None = None  # what the last call with gradients used
        self._trainings: dict[tuple[bool, ...], Training | Deferred] = {}
        # where calls keep little until one is asked for its gradients: what is told then
        self.recording: Callable[[], None] | None = None
        outputs = self.main_program.outputs
        before = [i for i, v in enumerate(outputs) if type(v.holder) is GradientOf]
        self._leaves = frozenset([*leaves_made(self.main_program), *before])  # outputs that are leaves which need a gradient
        # outputs that are leaves of the caller's
        self._still = frozenset(i for i, v in enumerate(outputs) if v.op is not None and v.op.name == "as_leaf")
        # whether runs change objects of Python's before they end
        self._is_ahead = any(type(op.attrs.get("call")) is PutBack for op in self.main_program.block.walk())
        self.simple = traced.simple and not self._leaves and not self._is_ahead
        self.kind = None if self._leaves else traced.plain_kind
        # tensors among the feeds that are to hold an output, which a run may write to: numbers of both
        self.lent = {self.feeds.index(i): k for i, k in traced.changed if i in self.feeds and k not in self._still}
        self._carried = [(var.holder, k) for var, k in traced.carried]
        self._commits = bool(self.main_program.state or self.lent or self._carried)
        # outputs that tensors from outside hold after a run, and the places of such tensors among its feeds and root values, if
        # it may write parts of them in place
        self.handed = frozenset([*self.lent.values(), *(k for _, k in self._carried)])
        parts = self._commits and any(op.opdef.writes_a_part for op in self.main_program.block.walk())
        held = {id(v.holder) for v in self.main_program.state}.union(id(holder) for holder, _ in self._carried) if parts else ()
        roots = [len(self.feeds) + i for i, v in enumerate(self.main_program.params) if id(v.holder) in held]
        self.rewritten = [*self.lent, *roots] if parts else []
        self.single = type(traced.result) is OneTensor and not (traced.same or traced.choices or traced.writes or traced.views)
        self.moves = bool(traced.changed or traced.carried or self.main_program.state)
        changed = [*(i for i, _ in traced.changed), *self.main_program.state, *(var for var, _ in traced.carried)]
        self._views = KeptViews(traced.views, traced.viewed, changed) if traced.views or traced.viewed else None
        self._trains = any(v.kind == PARAM for v in self.main_program.state)  # parameters change in every run
        # whether a run leaves marks that Python, doing the call again, must not leave twice (see `failed_runs`)
        self.acts = any(has(op, "random") or op.name in ("set_seed", "print", "write") for op in self.main_program.block.walk())
        effects = self.acts or any(has(op, "effect") and op.name != "assert" for op in self.main_program.block.walk())
        programs[0] += 1
        self.changing = [v.holder for v in self.main_program.state]
        self.holders = [v.holder for v in self.main_program.params]
        self.slots = [holder for holder in self.holders if isinstance(holder, BufferSlot)]
        self.held = frozenset(id(holder) for holder in self.holders if not isinstance(holder, BufferSlot))
        self.params = [v.holder for v in self.main_program.params if v.spec.dtype.is_floating]
        self.stop_gradients = [v.stop_gradient for v in outputs]
        self.differentiable = not all(self.stop_gradients)
        # whether a function written for it does all that its runs do (`entry`), and one that fails may be done again
        beside = effects or self._leaves or self._still or self.slots or (self.differentiable and (traced.grads or traced.spent))
        self.conditions = conditions_of(self)
        asked = all(condition.derived for condition in self.conditions)
        self.plain = traced.steps and asked and not beside and all(isinstance(v.spec, TensorSpec) for v in outputs)
        self.frozen = [p for p in self.params if p.stop_gradient]
        self.asks = self.differentiable or bool(self.frozen)  # whether a run depends on what wants a gradient
        self._variants: dict[tuple[bool, ...], ConcreteProgram] = {}
        self._plans = Plans(self.main_program, backends.current())
        self.relaxed = False  # whether sizes are unknown because they varied from call to call
        self.used = 0  # when it was looked up last, in an order of all

    def pin(self) -> None:
        """Told that ``outside`` is known: a buffer of now that is there by another name, too, is read by either of them."""
        outside = {id(value) for value in self.outside}
        pinned = [(slot, slot.tensor) for slot in self.slots if id(slot.tensor) in outside]
        self.traced.twins += pinned
        self.conditions = conditions_of(self)

    def moved(self, places: Callable[[Any], Any], template: ConcreteProgram | None = None) -> ConcreteProgram:
        """The same Program for other objects: ``places`` says which takes the place of each. It has the plans of a ``template``."""
        made = copy.copy(self)
        made._program = Moving(self._program, places)
        made.template, made._places = template, places if template is not None else mode.identity
        made.traced = self.traced.moved(places)
        made.numbers, made.outside, made.given, made.called = [], [], None, None
        made.runner = made.training = made.recording = None
        made._trainings, made._variants, made._plans = {}, {}, self._plans.without()
        made.changing, made.holders = list(map(places, self.changing)), list(map(places, self.holders))
        made.slots, made.params = list(map(places, self.slots)), list(map(places, self.params))
        made.frozen = list(map(places, self.frozen))
        made.held = frozenset(id(holder) for holder in made.holders if not isinstance(holder, BufferSlot))
        made.conditions = conditions_of(made)
        programs[0] += 1
        return made

    def reseat(self, others: dict[int, Any]) -> None:
        """Read other tensors from now on: ``others`` says by its id which takes the place of each, and gets more of what changes.

        It keeps what is replaced, under no id, so that the ids stay theirs. Runs that are not over go on with that.
        """
        if others.keys().isdisjoint(map(id, self.holders)):
            return
        for name in ("holders", "params", "frozen"):
            old = getattr(self, name)
            others[id(old)] = new = list(map(others.get, map(id, old), old))
            others.setdefault(NOBODY, []).append(old)
            setattr(self, name, new)
        others[NOBODY].append(self.held)
        held = frozenset(map(id, self.holders)).difference(map(id, self.slots))
        others[id(self.held)], self.held = held, held
        for training in self._trainings.values():
            cast(Training, training).reseat(others)
        self._plans.reseat(others)
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
        return self._plans.nbytes + sum(variant.nbytes for variant in self._variants.values())

    def release(self) -> None:
        """Let go of all buffers that no call is using: it is used no more. (Calls would make new ones.)"""
        self._plans.release()
        for variant in self._variants.values():
            variant.release()

    @property
    def parameters(self) -> list[Any]:
        """All tensors that it reads from outside: parameters, buffers, closed-over tensors."""
        return [tensor_of(holder) for holder in self.holders]

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
                handed = self.lent, self._carried
                if self.template is not None:
                    runner = self.template.compiled
                    self.runner = self.runner or self.template._plans.onto(self._plans, runner, self._places)
                self.runner = self.runner or self._plans.runner(self.main_program, _WITHOUT, not self._trains, *handed)
        return self.runner

    @property
    def compiled(self) -> Any:
        """Of a template, which runs nothing: its plan for calls without gradients."""
        if self.runner is None:
            self.plan  # noqa: B018
            self._plans.release()
        return self.runner

    def plans(self) -> list[tuple[str, Any]]:
        """The plans there are, that for calls without gradients first (made now if need be), each with what it is for."""
        if self.runner is None:
            self.runner = self.plan
        return sorted(self._plans.made(), key=lambda item: not item[0].startswith(_WITHOUT))

    def __call__(self, leaves: Any, arguments: Any = ()) -> Any:
        """Run on the flattened ``arguments`` of a call, ``leaves``, and the numbers from outside that are inputs.

        Raises TranslationError where one of the tensors is read from outside, too, and one of them changes in place.
        """
        if self._is_ahead:
            with Ahead() as ahead:
                return self._run(leaves, arguments, [ahead.kept()])
        return self._run(leaves, arguments, [])

    def _run(self, leaves: Any, arguments: Any, last: list[Steps]) -> Any:
        """Do a run; ``last``: steps that are made with the others that end it."""
        traced = self.traced
        if traced.opened and (opened := [leaf for i in traced.opened if (leaf := leaves[i]).stop_gradient]):
            for leaf in opened:
                leaf.stop_gradient = False
            try:
                return self._run(leaves, arguments, last)
            except (Exception, SystemExit):
                for leaf in opened:
                    leaf.stop_gradient = True
                raise
        if traced.inputs:
            self.numbers = [leaves[i] for i in traced.inputs]
            tensors = [as_tensor(leaves[i]) for i in self.feeds]
        else:
            tensors = [leaves[i] for i in self.feeds]
        for condition in self.conditions:
            condition.check(tensors, leaves, arguments)
        views = None if self._views is None else self._views.before(self._source(leaves))
        if not self.differentiable:
            if self.frozen and mode.grad_enabled() and self.thawed:
                raise RequiresGradChanged
        elif mode.grad_enabled():
            stops = [*map(_stop_of, tensors), *map(_stop_of, self.params)]
            training = self.training
            if training is None or training.stops != stops:
                training = self.training = self._training_for(stops)
            if training.active:
                if self._still:
                    self._check_leaves(leaves)
                outputs, steps = training.run(tensors)
                if self.simple and not steps:
                    return outputs[0]
                return self._finish(outputs, leaves, arguments, [*steps, *last], views)
        if self._commits:
            arrays = [*map(_array_of, tensors)]
            for i in self.lent:
                arrays[i] = Lent(tensors[i])
            outputs, steps = (self.runner or self.plan)(*arrays)
            return self._finish(list(map(EagerTensor, outputs)), leaves, arguments, [*steps, *last], views)
        outputs = (self.runner or self.plan)(*map(_array_of, tensors))
        if self.simple:
            return EagerTensor(outputs[0])
        return self._finish(list(map(EagerTensor, outputs)), leaves, arguments, last, views)

    def plan_of(self, runner: Any) -> Plan | None:
        """The one plan of a runner, `runner` or one for training; None where there is none, or several."""
        return self._plans.of(runner)

    @property
    def thawed(self) -> bool:
        """True when a tensor that was frozen while this Program was traced wants a gradient now: the trace knows of none."""
        return not all(p.stop_gradient for p in self.frozen)

    @with_compile_lock
    def variant(self, make: Callable[[], ConcreteProgram]) -> ConcreteProgram:
        """The Program traced while the same tensors were frozen as are now; made when there is none yet."""
        stops = tuple(p.stop_gradient for p in self.params)
        program = self._variants.get(stops)
        if program is None:
            program = self._variants[stops] = make()
        return program

    @with_compile_lock
    def _training_for(self, stops: list[bool]) -> Training | Deferred:
        if self.thawed:
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
        found = self._trainings.get(tuple(stops))
        if found is None:
            found = self._trainings[tuple(stops)] = Training(self, stops)
            self._plans.release()
        return cast(Training, found)

    @with_compile_lock
    def record(self, stops: list[bool]) -> Training:
        """Have calls keep what backward needs, now that one was asked for its gradients."""
        if self.recording is not None:
            self._trainings = {key: known for key, known in self._trainings.items() if isinstance(known, Training)}
            told, self.recording, self.training = self.recording, None, None
            told()
        return cast(Training, self._training_for(stops))

    def wanted(self, stops: list[bool]) -> tuple[list[int], list[Var]]:
        """The feeds, by number, and the parameters whose gradients are wanted."""
        inputs = self.inputs
        feeds = [i for i, v in enumerate(inputs) if not stops[i] and v.spec.dtype.is_floating]
        chosen = [v for v in self.main_program.params if v.spec.dtype.is_floating]
        return feeds, [v for v, stop in zip(chosen, stops[len(inputs) :], strict=True) if not stop]

    def _check_leaves(self, leaves: Any) -> None:
        """Leave to Python what a Program has no place for: a computed tensor that becomes a leaf of its own."""
        for position, index in self.traced.changed:
            if index in self._still and leaves[position]._node is not None:
                raise AutogradError(
                    f"{self.traced.names[self.feeds.index(position)]!r} was computed from other tensors and is changed in place "
                    "under no_grad, which makes it a leaf: hand in a copy, `x.detach()`"
                )

    @staticmethod
    def _source(leaves: Any) -> Callable[[Any], Any]:
        """What gives the tensor of an argument leaf, or of a root value."""
        return lambda source: leaves[source] if isinstance(source, int) else tensor_of(source.holder)

    def _finish(
        self, outputs: list[Any], leaves: list[Any], arguments: Any, steps: list[Steps], views: RunViews | None
    ) -> Any:
        """Change what the function changes, all at once, and give results the structure that it returned.

        ``steps``: what the run left to do; ``views``: see `KeptViews.before`.
        """
        if self.kind is not None:
            commit(steps)
            return outputs if self.kind is list else tuple(outputs)
        traced = self.traced
        for index in self._leaves:
            outputs[index].stop_gradient = False
        for index in self._still:
            outputs[index]._node = None
        for index in traced.spent:
            outputs[index]._node, outputs[index].stop_gradient = CONSUMED_GRAPH, False
        gradients = [step for write in traced.grads for step in write.steps(outputs, leaves)]
        staged: dict[int, Any] = {}
        for var, index in traced.carried:
            steps = [*steps, *tensor_of(var.holder).becoming(outputs[index], staged)]
        result, writes = (outputs[0], traced.bind(outputs)) if self.single else traced.finish(outputs, leaves, arguments, views)
        for position, index in traced.changed:
            with mode.grad_mode(mode.grad_enabled() and index not in self._still):
                writes += leaves[position].becoming(outputs[index], staged)
        stops = [(leaves[position], "stop_gradient", stop) for position, stop in traced.stops]
        commit([*steps, *gradients, *writes, setting(*stops)])
        if views is not None:
            views.follow_changes()
        return result


CONSUMED_GRAPH = tape.Node("static function", [], 1)  # of results whose graph the function itself went through
CONSUMED_GRAPH.free()


class Training:
    """Forward and backward plans for one choice of what needs a gradient, joined by one tape node."""

    def __init__(self, concrete: ConcreteProgram, stops: list[bool]) -> None:
        self.concrete = concrete
        self.stops = stops
        self.node = ProgramNode
        self.active = not all(stops)
        if not self.active:
            return
        # which runs without gradients, as of a model in a file, do not need
        from to_static.compiler.autodiff.partition import partition_joint

        program, seen = concrete.main_program.clone_with_map()
        feeds, chosen = concrete.wanted(stops)
        wanted = [seen[v] for v in [*(concrete.inputs[i] for i in feeds), *chosen]]
        self.split = partition_joint(program, wanted, with_reach=True)
        reach = self.reach = cast(Reach, self.split.reach)
        self.residuals = slice(len(concrete.outputs), len(concrete.outputs) + self.split.residual_count)
        self.vectors = slice(self.residuals.stop, None)  # what the forward plan says about it
        self.stop_gradients = [not possible for possible in reach.possible]
        # tensors that need a gradient or not, depending on the path taken
        self.maybe = [i for i in reach.places if not reach.certain[i] and isinstance(concrete.outputs[i].spec, TensorSpec)]
        tables = [p.row_gradient and type(p._array) is np.ndarray for p in (tensor_of(v.holder) for v in chosen)]
        places = [k for k, i in enumerate(self.split.wanted_index) if i >= len(feeds) and tables[i - len(feeds)]]
        self.rows = by_rows(self.split.backward, places)
        handed = concrete.lent, concrete._carried
        self.forward = concrete._plans.runner(self.split.forward, "calls with gradients", False, *handed)
        self.commits = concrete._commits  # whether that leaves the writing of state to its caller
        self.backward = concrete._plans.runner(self.split.backward, "the gradients of these calls")
        self.count = len(concrete.outputs)
        # one tensor, whose gradient is that of all edges
        one = self.count == 1 and isinstance(concrete.outputs[0].spec, TensorSpec)
        self.direct = one and not reach.places and list(self.split.output_index) == [0]
        # where the gradients go: feeds (by position) and parameters, of those that have one
        wanted_index = self.split.wanted_index
        self.feed_edges = [feeds[i] for i in wanted_index if i < len(feeds)]
        self.param_leaves = [chosen[i - len(feeds)].holder for i in wanted_index if i >= len(feeds)]
        self.param_edges = [tape.Edge(tensor_of(p)) for p in self.param_leaves]
        self.moving = [i for i, p in enumerate(self.param_leaves) if not tensor_of(p).is_parameter]  # may get another history
        self.fixed = not (self.feed_edges or self.moving)  # whether all runs have the same edges
        self.regular = not (concrete._still or self.moving or self.maybe)  # whether runs differ by their feeds alone

    def moved(self, concrete: ConcreteProgram, places: Callable[[Any], Any]) -> Training:
        """The same for ``concrete``, whose objects are others: ``places`` says which takes the place of each."""
        made = copy.copy(self)
        made.concrete = concrete
        if not self.active:
            return made
        for name in ("step", "sharing"):
            made.__dict__.pop(name, None)
        mine, theirs = self.concrete._plans, concrete._plans
        made.forward, made.backward = mine.onto(theirs, self.forward, places), mine.onto(theirs, self.backward, places)
        made.param_leaves = list(map(places, self.param_leaves))
        made.param_edges = [tape.Edge(tensor_of(p)) for p in made.param_leaves]
        return made

    def reseat(self, others: dict[int, Any]) -> None:
        """See `ConcreteProgram.reseat`."""
        if not self.active:
            return
        leaves, edges = self.param_leaves, self.param_edges
        others[NOBODY].append(edges)
        self.param_leaves = list(map(others.get, map(id, leaves), leaves))
        self.param_edges = others[id(edges)] = [
            old if new is leaf else tape.Edge(tensor_of(new))
            for old, leaf, new in zip(edges, leaves, self.param_leaves, strict=True)
        ]
        step = self.__dict__.get("step")
        if step is not None:
            space = step.__globals__
            others[NOBODY].append(space["leaves"])
            others[id(space["leaves"])] = [others.get(id(x), x) for x in space["leaves"]]
            reseat(space, others)

    def run(self, tensors: Any) -> tuple[list[Any], list[Steps]]:
        """Run; gives the results as tensors, and what is left to do."""
        concrete = self.concrete
        arrays = list(map(_array_of, tensors))
        kept = [*arrays, *map(_array_of, concrete.holders)]
        for i in concrete.rewritten:
            kept[i] = past.kept(kept[i])
        for i in concrete.lent:
            arrays[i] = Lent(tensors[i])
        results, steps = self.forward(*arrays) if self.commits else (self.forward(*arrays), _NOTHING)
        known = results
        if concrete.handed:  # whose memory later runs may write to
            known = [tape.shaped(r.shape, r.dtype) if i in concrete.handed else r for i, r in enumerate(results)]
        node = ProgramNode(self, self._edges(tensors), known, tensors, kept)
        outputs: list[Any] = []
        for i, stop in enumerate(self.stop_gradients):
            out = EagerTensor(results[i])
            if stop or (i in self.maybe and self.untouched(i, results)):
                outputs.append(out)
            elif isinstance(results[i], list):
                needs = [not self.untouched(i, results, k) for k in range(len(results[i]))]
                outputs.append(ReturnedList(results[i], node, i, needs))
            else:
                out._node, out._index, out.stop_gradient = node, i, False
                outputs.append(out)
        return outputs, steps

    def again(self, tensors: Any, kept: Any) -> ProgramNode | None:
        """The node of a run of what another one was given; None where something that it reads is not what it was then."""
        feeds, read = kept[: len(tensors)], kept[len(tensors) :]
        results = self.forward(*feeds) if self._reads(read) else None
        return ProgramNode(self, self._edges(tensors), results, tensors, kept) if self._reads(read) else None

    def _reads(self, arrays: Any) -> bool:
        return all(holder._array is array for holder, array in zip(self.concrete.holders, arrays, strict=True))

    def untouched(self, output: int, results: Any, element: int | None = None) -> bool:
        """Whether nothing that wants a gradient entered an output, or an element of it, in this run."""
        return not self.reach.found(output, results[self.vectors], element)

    def touched(self, gouts: list[Any], results: Any) -> list[bool]:
        """Which of the edges the outputs that have a gradient depend on in this run."""
        mask, vectors = 0, results[self.vectors]
        for i, gout in enumerate(gouts):
            if gout is not None and isinstance(results[i], list):
                for k, g in enumerate(gout._array):
                    mask |= 0 if g is None else self.reach.found(i, vectors, k)
            elif gout is not None:
                mask |= self.reach.found(i, vectors)
        return [bool(mask >> i & 1) for i in self.split.wanted_index]

    @kept_property
    def step(self) -> Callable[[ProgramNode], bool] | None:
        """What does `backward` of the result, where all runs have it go to the same leaves."""
        plan, leaves = self.concrete.plan_of(self.backward), [edge.leaf for edge in self.param_edges]
        spec: Any = self.concrete.outputs[0].spec
        distinct = self.fixed and len(set(map(id, leaves))) == len(leaves) and None not in leaves
        # (one that fails is run again to say why, which must not print again)
        acts = any(contains(op, "effect") for op in self.split.backward.block.ops)
        if plan is None or self.rows or acts or not (self.direct and distinct and spec.is_static):
            return None
        return written(plan, spec, range(self.residuals.start, self.residuals.stop), leaves)

    @kept_property
    def sharing(self) -> list[list[int]]:
        """For each output: those whose gradients need the same computations."""
        from to_static.compiler.autodiff.shared_subgraph import sharing

        return sharing(self.concrete.main_program.block, self.concrete.outputs)

    def gradients(self, *given: Any) -> list[EagerTensor]:
        """What the backward plan gives for residuals and the gradients of outputs."""
        arrays = self.backward(*given)
        return gradients(arrays, len(self.split.wanted_index), self.rows) if self.rows else list(map(EagerTensor, arrays))

    def _edges(self, tensors: Any) -> list[Any]:
        """Where the gradients of one run go."""
        edges = self.param_edges
        if self.moving:
            edges = list(edges)
            for i in self.moving:
                edges[i] = tape.Edge(tensor_of(self.param_leaves[i]))
        if self.feed_edges:
            edges = [tape.Edge(tensors[i]) for i in self.feed_edges] + edges
        return edges


class ProgramNode(tape.Node):
    """A run of a static function on the tape: its backward is the backward plan."""

    __slots__ = ("freed", "kept", "results", "sent", "tensors", "training")
    name = "static function"
    makes_fresh = True

    def __init__(self, training: Training, edges: list[Any], results: Any, tensors: Any, kept: Any) -> None:
        self.edges = edges  # the fields of a Node, set here: a call of its __init__ costs as much as all of them
        self.order = next(tape.order)
        self.hooks = self.retained = None
        self.freed: frozenset[int] | None = None  # outputs from which no gradient can come any more
        self.training = training
        self.results = results
        self.tensors = tensors
        self.kept = kept  # the arrays of these, and of what was read from outside, or what knows their numbers (`Past`)

    @property
    def count(self) -> int:  # type: ignore[override]
        """The number of outputs."""
        return self.training.count

    @property
    def step(self) -> Any:
        """What does `backward` of the one result; made for the first."""
        return self.training.step

    def vjp(self, gouts: list[Any]) -> list[Any]:
        training, results, count = self.training, self.results, self.count
        if training.direct and not mode.grad_enabled():
            return training.gradients(*results[training.residuals], gouts[0]._array)
        if count > 1:
            self.sent = [i for i, gout in enumerate(gouts) if gout is not None]
            if self.freed and not self.freed.isdisjoint(self.sent):
                raise tape.was_freed(self)
        if mode.grad_enabled():
            return self.vjp_with_graph(gouts)
        split, residuals = training.split, results[training.residuals]
        given = [weight(gouts[i], results[i]) for i in split.output_index]
        grads = training.gradients(*residuals, *given)
        if not training.reach.places and all(gouts[i] is not None for i in split.output_index):
            return grads  # all of them, without a question
        touched = training.touched(gouts, results)
        return [g if here else None for g, here in zip(grads, touched, strict=True)]

    def vjp_with_graph(self, gouts: list[Any]) -> list[Any]:
        """Repeat the run op by op on the tape, then differentiate that."""
        from to_static.compiler.eager.replay import replay

        training, count, there = self.training, len(self.tensors), self.edges or ()
        program = training.concrete.main_program
        numbers = {id(v.holder): count + i for i, v in enumerate(program.params)}
        wanted = [*training.feed_edges, *(numbers[id(p)] for p in training.param_leaves)]
        edges = dict(zip(wanted, there, strict=True))  # where these came from then
        arrays = [array.numbers() if type(array) is past.Past else array for array in self.kept]
        known = [tape.rebuilt(array, edges.get(i)) for i, array in enumerate(arrays)]
        outputs = replay(program, known[:count], known[count:])
        pairs = [(out, g) for out, g in zip(outputs, gouts, strict=True) if g is not None and not out.stop_gradient]
        return tape.grad_up_to([p[0] for p in pairs], [p[1] for p in pairs], [known[i] for i in wanted])

    def free(self) -> None:
        if self.training.count > 1:  # the outputs that share nothing with those that had a gradient keep what they need
            sharing = self.training.sharing
            self.freed = (self.freed or frozenset()).union(*(sharing[i] for i in self.sent))
            if not self.freed.issuperset(self.training.split.output_index):
                return
        self.edges = None
        self.results = self.tensors = self.kept = ()
