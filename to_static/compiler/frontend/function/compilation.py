"""`Compilation`: finds the Program of a call, and traces one if there is none.

From the outside to the inside:

- `find_or_compile_for_call` serves calls. It may return a graph break if another trace does not pay.
- `find_or_compile` serves everything else (a run that failed, a file). It always returns a Program.
- Both look the Program up by its key. If there is none, `_compile_new` makes one, adds what the trace read to the guards, and
  stores the Program under its key.
- `_compile` traces and wraps the result in a `ConcreteProgram`; `_compile_with_dynamic_sizes` tries unknown sizes first.
- `trace_target` runs the translated function once and returns the `TraceResult`.
"""

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
from to_static.compiler.frontend.function.program.conditions import aliased_read_error, leave_to_python
from to_static.compiler.frontend.function.program.trace_result import TraceResult
from to_static.compiler.frontend.function.program.tracer import trace
from to_static.compiler.frontend.function.program_cache import Programs
from to_static.compiler.frontend.function.signature import Bound
from to_static.compiler.frontend.function.target import TargetFunction, with_hooks
from to_static.compiler.ir import mode
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.spec import UNKNOWN
from to_static.core.flags import debug
from to_static.core.log import Log, log
from to_static.core.processes.compile_lock import COMPILE_LOCK
from to_static.nn.layer import Layer


class Compilation:
    """Traces the Programs of one static function and keeps them.

    If a Program with number inputs or dynamic sizes cannot be made, or fails, one is made for the numbers and sizes of the call.

    Attributes: ``keys`` makes the keys of calls; ``programs`` stores the Programs; ``surroundings`` has the guards.
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
        """Return the stored Program of a call, without a lock; None if the guards must be checked, or there is none.

        `StaticFunction._slow_call` tries this before `find_or_compile_for_call`.
        """
        surroundings = self.surroundings
        if not surroundings.is_current:
            return None
        key = self.keys.complete_key(bound, self._target.declared_specs(bound))
        program = self.programs.cache.get(key) or surroundings.calls.dynamic.get(key)
        return None if program is None or program.requires_grad_changed else program

    def key_of(self, bound: Bound) -> tuple[Any, Specs]:
        """Return the key of a call, and the declared specs of its arguments."""
        specs = self._target.declared_specs(bound)
        return self.keys.complete_key(bound, specs), specs

    def find_or_compile_for_call(self, bound: Bound, key: tuple[Any, ...], specs: Specs) -> ConcreteProgram | RecordedBreak:
        """Return the Program for a call, traced if there is none, or a graph break if a trace does not pay.

        Raises CallFailure if the trace is refused. `StaticFunction._find_program` calls this.
        """
        if self._target.is_part:
            return self._find_or_compile_for_callee(bound, key, specs)
        return self._find_compile_or_break(bound, key, specs, in_call=True)

    def _find_or_compile_for_callee(self, bound: Bound, key: tuple[Any, ...], specs: Specs) -> ConcreteProgram:
        """Return the Program for a call of a function that the user did not make static (`callee_compilation.py`).

        Does not log, and ends the traces of this function after a few Programs.
        """
        was_quiet, Log.quiet = Log.quiet, True
        try:
            program = self.find_or_compile(bound, key, specs)
        finally:
            Log.quiet = was_quiet
        self._fallback.end_tracing_of_callee(len(self.programs.cache))
        return program

    def find_or_compile(self, bound: Bound, key: tuple[Any, ...], specs: Specs, may_be_dynamic: bool = True) -> ConcreteProgram:
        """Return the Program for a key, traced if there is none. ``may_be_dynamic``: whether sizes may be unknown in it."""
        program = self._find_compile_or_break(bound, key, specs, may_be_dynamic)
        assert isinstance(program, ConcreteProgram)
        return program

    def _find_compile_or_break(
        self, bound: Bound, key: tuple[Any, ...], specs: Specs, may_be_dynamic: bool = True, in_call: bool = False
    ) -> ConcreteProgram | RecordedBreak:
        """Find or compile the Program for a key; for a call (``in_call``) return a graph break if a trace does not pay.

        Tries in this order: the key itself, the key with unknown sizes, a variant of a Program for which other tensors require
        gradients, a Program of another instance, a new one. Raises CallFailure if the trace is refused.
        """
        dynamic_specs: Specs = {}
        static_key, cache = key, self.programs.cache
        program = cache.get(key)
        if program is None and not specs:
            dynamic_specs = specs = self._sizes.specs(key, cache, bound) if may_be_dynamic else {}
            key = self.keys.complete_key(bound, specs)
            program = cache.get(key)
        if program is not None and program.requires_grad_changed and mode.grad_enabled():
            variant = program.variant(lambda: self._compile(bound, specs))
            if variant.traced.questions <= program.traced.questions:
                return variant
            self.keys.build_in(bound, bound.inputs)  # the trace of the variant tested the numbers otherwise
            return self._find_compile_or_break(bound, *self.key_of(bound), may_be_dynamic, in_call)
        if program is None and in_call and not specs:
            program = self._sharing.adopt_program(bound, key)
        if program is None:
            graph_break = self._not_worth(key, bound) if in_call else None
            if graph_break is not None:
                return graph_break
            program, is_dynamic = self._compile_new(bound, key, specs, dynamic_specs, static_key)
            dynamic_specs = dynamic_specs if is_dynamic else {}
        if dynamic_specs:
            self.surroundings.calls.dynamic[static_key] = program
        return program

    def _not_worth(self, key: tuple[Any, ...], bound: Bound) -> RecordedBreak | None:
        """Return the graph break of a call for which a trace does not pay; None if it pays."""
        graph_break = self._fallback.not_worth(key, self.programs.keys_of_calls(), bound.paths, self.surroundings.guards)
        if graph_break is not None:
            self._fallback.patience.count_python_call(graph_break)
            self.surroundings.expire()  # so that the next call checks the guards, too
        return graph_break

    def _compile_new(
        self, bound: Bound, key: tuple[Any, ...], specs: Specs, dynamic_specs: Specs, static_key: tuple[Any, ...]
    ) -> tuple[ConcreteProgram, bool]:
        """Trace a new Program and store it under its key; return it, and whether its sizes are dynamic.

        ``dynamic_specs``: specs with unknown sizes, to be tried first; ``static_key``: the key with the sizes of this call.
        What the trace has read becomes part of the guards, so the key is computed again after it.
        """
        if debug.value >= 1:
            program_keys, guards = self.programs.keys_of_calls(), self.surroundings.guards
            log(1, "\n".join(explanation.new_program(self._target.name, key, program_keys, bound.paths, guards)))
        if dynamic_specs:
            program = self._compile_with_dynamic_sizes(bound, dynamic_specs, static_key)
        else:
            program = self._compile(bound, specs)
        leaf_state = bound.leaf_state
        if dynamic_specs and not program.has_dynamic_sizes:
            specs = {}
        surroundings, traced = self.surroundings, program.traced
        for leaf in bound.leaves:
            if isinstance(leaf, Layer):
                surroundings.guards.track_object(leaf)  # its attributes are guarded, so the key needs only its identity
        surroundings.guards.depend_on(traced.objects())
        surroundings.guards.collect(frozenset(id(holder) for holder in program.parameters))
        program.call.outside, program.call.paths = surroundings.guards.values(), bound.paths
        program.add_buffer_aliases()
        surroundings.add_called(traced.layers)
        surroundings.expire()
        key = self.keys.complete_key(bound, specs)  # (with the places that this trace was the first to read)
        if bound.inputs != traced.inputs or bound.paths != leaf_state[1]:
            # later calls have other inputs, but this run takes those of its trace
            bound.leaf_state = leaf_state
            return program, False
        if bound.inputs or self._target.layer is not None:
            program.call.arguments = bound.recipe, bound.specs()
        if bound.inputs:
            self.keys.varying.add(key[:-1], traced.asked, bound.leaves)
            key = self.keys.complete_key(bound, specs)
        program = self._sharing.share_program(bound, key, program)
        self.programs.add(key, program, self._target)
        return program, program.has_dynamic_sizes

    def find_for_moved_buffers(self, program: ConcreteProgram, bound: Bound) -> ConcreteProgram:
        """Return the Program of a call in which other buffers are one tensor than at the trace of ``program``.

        `StaticFunction._run` calls this after `GuardedStateMoved`. Leaves the call to Python if ``program`` is found again.
        """
        with COMPILE_LOCK:
            self.surroundings.expire()
            fitting_program = self.find_or_compile(bound, *self.key_of(bound))
        if fitting_program is program:  # the tensors that are one object are not buffers
            leave_to_python(aliased_read_error())
        return fitting_program

    def recompile_outgrown(self, program: ConcreteProgram, bound: Bound) -> ConcreteProgram:
        """Replace a Program that a call has outgrown (`StaleProgramError`) by a new one."""
        self.forget(program)
        with COMPILE_LOCK:
            return self.find_or_compile(bound, *self.key_of(bound))

    def forget(self, program: ConcreteProgram) -> None:
        """Remove this Program from the cache."""
        self.programs.forget(lambda cached: cached is program)

    def run_with_numbers_built_in(self, program: ConcreteProgram, bound: Bound) -> tuple[Any, ConcreteProgram]:
        """Repeat a call that failed with number inputs by a Program with its numbers built in; return the result and that Program.

        If this one fails, too, the numbers stay inputs and the error is raised.
        """
        with COMPILE_LOCK:
            inputs, guards = bound.inputs, self.surroundings.guards
            outside = list(guards.inputs)
            count = len(bound.leaves) - bound.outside_count
            self.keys.build_in(bound, inputs)
            built_in = self.find_or_compile(bound, *self.key_of(bound))
            try:
                result = built_in.run(bound.leaves, bound.arguments)
            except (Exception, SystemExit):  # the number inputs were not the cause
                for i in [i for i in inputs if i < count]:
                    self.keys.varying.let_be_input(bound.paths[i], bound.leaves[i])
                guards.let_be_inputs(outside)
                self.surroundings.expire()
                raise
            self.forget(program)
        return result, built_in

    def run_with_sizes_built_in(self, dynamic: ConcreteProgram, bound: Bound, error: Exception) -> tuple[Any, ConcreteProgram]:
        """Repeat a call that failed with dynamic sizes by a Program for its own sizes; return the result and that Program."""
        with COMPILE_LOCK:
            key, specs = self.key_of(bound)
            program = self.find_or_compile(bound, key, specs, may_be_dynamic=False)
        result = program.run(bound.leaves, bound.arguments)
        feeds = zip(dynamic.feeds, dynamic.inputs, strict=True)
        specs = {i: InputSpec(v.shape, v.dtype, v.name) for i, v in feeds if UNKNOWN in v.shape}
        self._sizes.refuse(key, specs, error, self._target.name)
        self.forget(dynamic)
        return result, program

    def _compile_with_dynamic_sizes(self, bound: Bound, dynamic_specs: Specs, static_key: tuple[Any, ...]) -> ConcreteProgram:
        """Compile a Program with unknown sizes; if its trace is refused, one for the sizes of this call (``static_key``)."""
        try:
            program = self._compile(bound, dynamic_specs)
            program.has_dynamic_sizes = True
            return program
        except CallFailure as failure:
            refusal = failure.error
        program = self._compile(bound, {})
        self._sizes.refuse(static_key, dynamic_specs, refusal, self._target.name)
        return program

    def _compile(self, bound: Bound, specs: Specs) -> ConcreteProgram:
        """Trace the target and wrap the result in a `ConcreteProgram`. Raises CallFailure, a refusal, if the trace fails."""
        try:
            try:
                trace_result = self.trace_target(bound, specs)
            except (Exception, SystemExit) as error:
                trace_result = self._trace_with_numbers_built_in(bound, specs, error)
            program = ConcreteProgram(trace_result)
            if debug.value >= 3:
                log(3, f"traced {self._target.name}:\n{program.main_program}")
            return program
        except (Exception, SystemExit) as error:
            raise CallFailure(error, is_refusal=True) from None

    def _trace_with_numbers_built_in(self, bound: Bound, specs: Specs, error: BaseException) -> TraceResult:
        """Trace once more with all numbers of this call built in, after the trace with number inputs failed by ``error``."""
        inputs, bound.inputs = bound.inputs, []
        if not inputs and not bound.outside_count:
            raise error
        outside = bound.leaves[len(bound.leaves) - bound.outside_count :], bound.paths[len(bound.paths) - bound.outside_count :]
        bound.add_from_outside([], [])
        try:
            trace_result = self.trace_target(bound, specs)
        except (Exception, SystemExit):
            bound.inputs = inputs
            bound.add_from_outside(*outside)
            raise
        self.keys.build_in(bound, inputs)
        return trace_result

    def trace_target(self, bound: Bound, specs: Specs, as_called: bool = False, for_file: bool = False) -> TraceResult:
        """Run the translated function on symbolic arguments, and record what it reads in the guards.

        `_compile` calls this for calls, `Exports` for files. ``as_called``, ``for_file``: see
        `StaticFunction.concrete_program_specify_input_spec`.
        """
        target, surroundings = self._target, self.surroundings
        instance, function = target.instance, target.function
        if isinstance(function, types.FunctionType):
            surroundings.guards.track_function(function, instance)
        elif isinstance(function, functools.partial):
            surroundings.guards.track_partial(function)
        translated = target.translate()
        forward = translated if instance is None else functools.partial(translated, instance)
        if as_called and isinstance(instance, Layer):
            forward = with_hooks(instance, forward)
        guards = surroundings.guards
        with guards.rewritten.observing():
            traced = trace(forward, bound, specs, [function, instance], guards, for_file)
        if guards.rewritten.update_keys(traced.attributes_written()):
            surroundings.expire()
        if not surroundings.seats.accept_program(traced, surroundings.guards):
            surroundings.expire()
        slotted_tensors = surroundings.slots.install(traced)
        if slotted_tensors:
            self.programs.forget(lambda program: not slotted_tensors.isdisjoint(map(id, program.roots.holders)))
        return traced
