"""`Compilation`: finds the Program of a call, and traces one where there is none."""

from __future__ import annotations

import functools
import types
from typing import Any

from to_static.compiler.frontend.function import explain as explanation
from to_static.compiler.frontend.function.alike.instances import ProgramSharing
from to_static.compiler.frontend.function.dynamic_shapes import AutomaticDynamic
from to_static.compiler.frontend.function.graph_breaks import PythonFallback, RecordedBreak
from to_static.compiler.frontend.function.lookup.call_keys import CallKeys, Specs
from to_static.compiler.frontend.function.lookup.surroundings import Surroundings
from to_static.compiler.frontend.function.program.call_failure import CallFailure
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.frontend.function.program.conditions import leave_to_python, several_names
from to_static.compiler.frontend.function.program.trace_result import TraceResult
from to_static.compiler.frontend.function.program.tracer import trace
from to_static.compiler.frontend.function.program_cache import Programs
from to_static.compiler.frontend.function.signature import Bound
from to_static.compiler.frontend.function.target import TargetFunction, called
from to_static.compiler.ir import mode
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.spec import UNKNOWN
from to_static.core.flags import debug
from to_static.core.log import Log, log
from to_static.core.processes.compile_lock import COMPILE_LOCK
from to_static.nn.layer import Layer


class Compilation:
    """Traces the Programs of one static function and keeps them.

    Where a Program can't be made for what varies (numbers, sizes), one is made for what a call has.
    """

    __slots__ = ("_fallback", "_sharing", "_sizes", "_target", "keys", "programs", "surroundings")

    def __init__(
        self,
        target: TargetFunction,
        surroundings: Surroundings,
        programs: Programs,
        fallback: PythonFallback,
        sharing: ProgramSharing,
    ) -> None:
        self._target = target
        self.surroundings = surroundings
        self.programs = programs
        self.keys = CallKeys(surroundings)
        self._fallback = fallback
        self._sharing = sharing
        self._sizes = AutomaticDynamic()

    def cached_program(self, bound: Bound) -> ConcreteProgram | None:
        """The Program of a call that was made before, found without a lock; None where anything has to be looked at."""
        surroundings = self.surroundings
        if not surroundings.is_current:
            return None
        key = self.keys.of(bound, self._target.declared_specs(bound))
        program = self.programs.cache.get(key) or surroundings.calls.dynamic.get(key)
        return None if program is None or program.requires_grad_changed else program

    def key_of(self, bound: Bound) -> tuple[Any, Specs]:
        """The key of a call, and the declared specs of its arguments."""
        specs = self._target.declared_specs(bound)
        return self.keys.of(bound, specs), specs

    def of_call(self, bound: Bound, key: tuple[Any, ...], specs: Specs) -> ConcreteProgram | RecordedBreak:
        """The Program for a call, traced where there is none; a graph break where that does not pay."""
        if self._target.is_part:
            return self._of_part(bound, key, specs)
        return self.program_for(bound, key, specs, in_call=True)

    def _of_part(self, bound: Bound, key: tuple[Any, ...], specs: Specs) -> ConcreteProgram:
        """The Program for a call of which the user did not say that it is to have one: only while that pays."""
        before, Log.quiet = Log.quiet, True
        try:
            program = self.traced_for(bound, key, specs)
        finally:
            Log.quiet = before
        self._fallback.end_tracing_of_part(len(self.programs.cache))
        return program

    def traced_for(self, bound: Bound, key: tuple[Any, ...], specs: Specs, vary: bool = True) -> ConcreteProgram:
        """The Program for a key, traced where there is none; ``vary``: perhaps for all sizes."""
        program = self.program_for(bound, key, specs, vary)
        assert isinstance(program, ConcreteProgram)
        return program

    def program_for(
        self, bound: Bound, key: tuple[Any, ...], specs: Specs, vary: bool = True, in_call: bool = False
    ) -> ConcreteProgram | RecordedBreak:
        """As `traced_for`; for a call (``in_call``) a graph break where a trace does not pay.

        Raises CallFailure with the refusal of the trace.
        """
        dynamic: Specs = {}
        fixed, cache = key, self.programs.cache
        program = cache.get(key)
        if program is None and not specs:
            dynamic = specs = self._sizes.specs(key, cache, bound) if vary else {}
            key = self.keys.of(bound, specs)
            program = cache.get(key)
        if program is not None and program.requires_grad_changed and mode.grad_enabled():
            variant = program.variant(lambda: self._traced(bound, specs))
            if variant.traced.questions <= program.traced.questions:
                return variant
            self.keys.build_in(bound, bound.inputs)  # a trace with other gradients asked something else
            return self.program_for(bound, *self.key_of(bound), vary, in_call)
        if program is None and in_call and not specs:
            program = self._sharing.adopted(bound, key)
        if program is None:
            graph_break = self._not_worth(key, bound) if in_call else None
            if graph_break is not None:
                return graph_break
            program, is_dynamic = self._new(bound, key, specs, dynamic, fixed)
            dynamic = dynamic if is_dynamic else {}
        if dynamic:
            self.surroundings.calls.dynamic[fixed] = program
        return program

    def _not_worth(self, key: tuple[Any, ...], bound: Bound) -> RecordedBreak | None:
        """The graph break of a call for which a trace does not pay."""
        graph_break = self._fallback.not_worth(key, self.programs.keys_of_calls(), bound.paths, self.surroundings.guards)
        if graph_break is not None:
            self._fallback.patience.missed(graph_break)
            self.surroundings.expire()  # the next call is looked at, too
        return graph_break

    def _new(
        self, bound: Bound, key: tuple[Any, ...], specs: Specs, dynamic: Specs, fixed: tuple[Any, ...]
    ) -> tuple[ConcreteProgram, bool]:
        """A new Program, kept by its key, and whether it is for all sizes."""
        if debug.value >= 1:
            others, guards = self.programs.keys_of_calls(), self.surroundings.guards
            log(1, "\n".join(explanation.new_program(self._target.name, key, others, bound.paths, guards)))
        program = self._traced_dynamic(bound, dynamic, fixed) if dynamic else self._traced(bound, specs)
        leaf_state = bound.leaf_state
        if dynamic and not program.relaxed:
            specs = {}
        surroundings, traced = self.surroundings, program.traced
        for leaf in bound.leaves:
            if isinstance(leaf, Layer):
                surroundings.guards.track_object(leaf)  # so that a call with it is known by it alone
        surroundings.guards.depend_on(traced.objects())
        surroundings.guards.collect(frozenset(id(holder) for holder in program.parameters))
        program.call.outside, program.call.paths = surroundings.guards.values(), bound.paths
        program.pin()
        surroundings.add_called(traced.layers)
        surroundings.expire()
        key = self.keys.of(bound, specs)  # now with what this trace was the first to meet
        if bound.inputs != traced.inputs or bound.paths != leaf_state[1]:  # other inputs from now on; this run takes the old
            bound.leaf_state = leaf_state
            return program, False
        if bound.inputs or self._target.layer is not None:
            program.call.arguments = bound.recipe, bound.specs()
        if bound.inputs:
            self.keys.varying.add(key[:-1], traced.asked, bound.leaves)
            key = self.keys.of(bound, specs)
        program = self._sharing.left(bound, key, program)
        self.programs.add(key, program, self._target)
        return program, program.relaxed

    def moved(self, program: ConcreteProgram, bound: Bound) -> ConcreteProgram:
        """The Program of a call in which other buffers are one tensor than ``program`` was traced with."""
        with COMPILE_LOCK:
            self.surroundings.expire()
            moved = self.traced_for(bound, *self.key_of(bound))
        if moved is program:  # it is no buffer that is the same tensor
            leave_to_python(several_names())
        return moved

    def anew(self, program: ConcreteProgram, bound: Bound) -> ConcreteProgram:
        """Another Program for a call that has outgrown this one."""
        self.forget(program)
        with COMPILE_LOCK:
            return self.traced_for(bound, *self.key_of(bound))

    def forget(self, program: ConcreteProgram) -> None:
        """Remove this Program from the cache."""
        self.programs.forget(lambda other: other is program)

    def run_with_numbers_built_in(self, program: ConcreteProgram, bound: Bound) -> tuple[Any, ConcreteProgram]:
        """The result of a call for which a Program failed whose numbers are inputs, and the Program with its numbers built in."""
        with COMPILE_LOCK:
            inputs, guards = bound.inputs, self.surroundings.guards
            outside = list(guards.inputs)
            count = len(bound.leaves) - bound.more
            self.keys.build_in(bound, inputs)
            fixed = self.traced_for(bound, *self.key_of(bound))
            try:
                result = fixed.run(bound.leaves, bound.arguments)
            except (Exception, SystemExit):  # it is not for the inputs that it failed
                for i in [i for i in inputs if i < count]:
                    self.keys.varying.let_be_input(bound.paths[i], bound.leaves[i])
                guards.let_be_inputs(outside)
                self.surroundings.expire()
                raise
            self.forget(program)
        return result, fixed

    def run_of_one_size(self, dynamic: ConcreteProgram, bound: Bound, error: Exception) -> tuple[Any, ConcreteProgram]:
        """The result of a call for which a Program for all sizes failed, and the Program for the sizes of this one."""
        with COMPILE_LOCK:
            key, specs = self.key_of(bound)
            program = self.traced_for(bound, key, specs, vary=False)
        result = program.run(bound.leaves, bound.arguments)
        feeds = zip(dynamic.feeds, dynamic.inputs, strict=True)
        specs = {i: InputSpec(v.shape, v.dtype, v.name) for i, v in feeds if UNKNOWN in v.shape}
        self._sizes.refuse(key, specs, error, self._target.name)
        self.forget(dynamic)
        return result, program

    def _traced_dynamic(self, bound: Bound, dynamic: Specs, fixed: tuple[Any, ...]) -> ConcreteProgram:
        """A new Program for calls of all sizes, or where that can't be made, for those of this call (its key is ``fixed``)."""
        try:
            program = self._traced(bound, dynamic)
            program.relaxed = True
            return program
        except CallFailure as failure:
            refusal = failure.error
        program = self._traced(bound, {})
        self._sizes.refuse(fixed, dynamic, refusal, self._target.name)
        return program

    def _traced(self, bound: Bound, specs: Specs) -> ConcreteProgram:
        """A new Program."""
        try:
            try:
                trace_result = self.trace(bound, specs)
            except (Exception, SystemExit) as error:
                trace_result = self._traced_for_numbers(bound, specs, error)
            program = ConcreteProgram(trace_result)
            if debug.value >= 3:
                log(3, f"traced {self._target.name}:\n{program.main_program}")
            return program
        except (Exception, SystemExit) as error:
            raise CallFailure(error, is_refusal=True) from None

    def _traced_for_numbers(self, bound: Bound, specs: Specs, error: BaseException) -> TraceResult:
        """The Program with all values of this call built in, where one with inputs for some of them can't be traced."""
        inputs, bound.inputs = bound.inputs, []
        if not inputs and not bound.more:
            raise error
        outside = bound.leaves[len(bound.leaves) - bound.more :], bound.paths[len(bound.paths) - bound.more :]
        bound.add_from_outside([], [])
        try:
            trace_result = self.trace(bound, specs)
        except (Exception, SystemExit):
            bound.inputs = inputs
            bound.add_from_outside(*outside)
            raise
        self.keys.build_in(bound, inputs)
        return trace_result

    def trace(self, bound: Bound, specs: Specs, as_called: bool = False, for_file: bool = False) -> TraceResult:
        """Trace the function; ``as_called``, ``for_file``: see `Exports._from_specs`."""
        target, surroundings = self._target, self.surroundings
        instance, function = target.instance, target.function
        if isinstance(function, types.FunctionType):
            surroundings.guards.track_function(function, instance)
        elif isinstance(function, functools.partial):
            surroundings.guards.track_partial(function)
        translated = target.translate()
        forward = translated if instance is None else functools.partial(translated, instance)
        if as_called and isinstance(instance, Layer):
            forward = called(instance, forward)
        guards = surroundings.guards
        with guards.rewritten.observing():
            traced = trace(forward, bound, specs, [function, instance], guards, for_file)
        if guards.rewritten.update_keys(traced.attributes_written()):
            surroundings.expire()
        if not surroundings.seats.fit(traced, surroundings.guards):
            surroundings.expire()
        moved = surroundings.slots.install(traced)
        if moved:
            self.programs.forget(lambda program: not moved.isdisjoint(map(id, program.roots.holders)))
        return traced
