"""`StaticFunction`: a Python function that runs as static Programs, one for each kind of arguments."""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import itertools
import pkgutil
import sys
import types
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.function import bailout, bound_methods, fast_path
from to_static.compiler.frontend.function.alike.instances import ProgramSharing
from to_static.compiler.frontend.function.attribute_forwarding import AttributeForwarding
from to_static.compiler.frontend.function.callee_compilation import CalleeCache, SplitCalls
from to_static.compiler.frontend.function.compilation import Compilation
from to_static.compiler.frontend.function.exports import Exports
from to_static.compiler.frontend.function.function_spec import FunctionSpec
from to_static.compiler.frontend.function.graph_breaks import PythonFallback, RecordedBreak
from to_static.compiler.frontend.function.inspection import Inspector
from to_static.compiler.frontend.function.lookup.states import States
from to_static.compiler.frontend.function.lookup.surroundings import Surroundings
from to_static.compiler.frontend.function.program.call_failure import CallFailure
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram, RequiresGradChanged
from to_static.compiler.frontend.function.program.conditions import (
    GuardedStateMoved,
    aliased_read_error,
    leave_to_python,
)
from to_static.compiler.frontend.function.program_cache import ProgramCache, Programs
from to_static.compiler.frontend.function.settings import Settings
from to_static.compiler.frontend.function.signature import Bound
from to_static.compiler.frontend.function.target import target_of
from to_static.compiler.frontend.jst.control.raising import of_stand_in
from to_static.compiler.frontend.tracing import input_places
from to_static.compiler.frontend.tracing.input_places import NUMBERS
from to_static.compiler.ir import mode
from to_static.compiler.ir.program import Program, Var
from to_static.compiler.runtime.diagnostics.failure import StaleProgramError
from to_static.core.caching.version_counter import epoch
from to_static.core.diagnostics import source_location, tracebacks
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import ModeError, ToStaticError, TranslationError, UnboundVariableError
from to_static.core.log import log
from to_static.core.processes.compile_lock import COMPILE_LOCK, with_compile_lock
from to_static.nn.layer import Layer

_clock = itertools.count(1)


class _OwnSignature:
    """The signature for `inspect.signature`: the parameters of the function, without ``self`` for a bound method."""

    def __get__(self, static: Any, owner: Any = None) -> inspect.Signature | None:
        return None if static is None else inspect.signature(static.dygraph_function)


class StaticFunction(AttributeForwarding):
    """A function, or a method of one object, that runs as a static Program.

    `to_static` creates it. The first call of each kind (structure and specs of the arguments, values of Python arguments, train or
    eval) traces a Program; later calls only run it. If the trace fails, calls of that kind run in Python: a graph break. Under
    ``full_graph`` the error is raised instead.

    Attributes: ``code`` (translated source), ``concrete_program`` (the newest), ``main_program``, ``inputs``, ``outputs``,
    ``program_cache``, ``graph_breaks`` (how many kinds of calls run in Python), ``dygraph_function`` (the original),
    ``function_spec``.

    Raises TypeError for a class, and for an object that cannot be called.
    ``input_spec``: specs of the arguments; ``instance``: the object of a method; ``table``: for use by the compiler.

    Example:
        >>> f = paddle.jit.to_static(lambda x: x + 1)
        >>> isinstance(f, paddle.jit.StaticFunction)
        True
    """

    __signature__ = _OwnSignature()
    is_property = False  # made with ``to_static(property=True)``

    def __init__(
        self,
        function: Any,
        input_spec: Any = None,
        instance: Any = None,
        full_graph: bool = False,
        table: CalleeCache | None = None,
    ) -> None:
        target = self._target = target_of(function, instance, input_spec, full_graph, is_part=table is not None)
        self._function, self._instance = target.function, target.instance
        states = States()
        fallback = self._fallback = PythonFallback(target, SplitCalls(StaticFunction, table or CalleeCache(target.instance)))
        self._patience = fallback.patience
        programs = self._programs = Programs(states, fallback.breaks)
        surroundings = self._surroundings = Surroundings(target.layer, programs.reseat, states)
        self._sharing = ProgramSharing(target, surroundings, programs)
        self._compilation = Compilation(target, surroundings, programs, fallback, self._sharing)
        self._exports = Exports(target, self._compilation, fallback.breaks)
        self._inspector = Inspector(target, self._compilation, fallback)
        functools.update_wrapper(self, target.function, updated=())
        self.__name__ = target.name
        if Settings.created is not None and not target.is_part:
            Settings.created.append(self)

    # -- binding to objects -------------------------------------------------------------------------------------------

    def __get__(self, instance: Any, owner: Any = None) -> StaticFunction:
        if instance is None:
            return self
        bound_function = bound_methods.cached_method(instance, self)
        if bound_function is not None:
            return bound_function  # type: ignore[no-any-return]
        target = self._target
        bound = StaticFunction(target.function, target.input_spec, instance, target.full_graph)
        bound._target.translated = target.translated
        # a loop that is being traced would seem to change the object
        return bound if mode.building() else bound_methods.keep(instance, self, bound)  # type: ignore[no-any-return]

    def __copy__(self) -> StaticFunction:
        return self  # as of a function

    def __deepcopy__(self, memo: dict[int, Any]) -> StaticFunction:
        target = self._target
        instance = None if target.instance is None else copy.deepcopy(target.instance, memo)  # as Python's bound methods
        return StaticFunction(target.function, target.input_spec, instance, target.full_graph)

    def __reduce__(self) -> Any:
        target = self._target
        function, instance = target.function, target.instance
        if instance is None and _by_name(function) is self:
            return (pkgutil.resolve_name, (f"{function.__module__}:{function.__qualname__}",))
        owner: Any = None if instance is None else type(instance)
        method: Any = getattr(owner, function.__name__, None)
        is_method = method is function or getattr(method, "_function", None) is function
        name_or_function = function.__name__ if is_method else function
        return (bound_methods.restored, (type(self), owner, name_or_function, target.input_spec, instance, target.full_graph))

    def rollback(self) -> Any:
        """Undo `to_static`: store the dynamic method in the object, and return it."""
        instance, name = self._target.instance, self._target.function.__name__
        if instance is None:
            return self._target.function
        if instance.__dict__.get(name) is self:
            del instance.__dict__[name]
        method = types.MethodType(self._target.function, instance)
        if isinstance(getattr(type(instance), name, None), StaticFunction):
            instance.__dict__[name] = method
        return method

    def train(self) -> None:
        """Do nothing (Paddle has this method). Raises ModeError for a method of a Layer, because the Layer has the mode."""
        if self._target.layer is not None:
            raise ModeError("call train() or eval() of the Layer itself")

    eval = train

    # -- calling ------------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run a call by the first of these ways that applies.

        1. The generated entry of the last call, if the guards hold and the arguments are like those of the last call.
        2. A cached call with the same quick key (`fast_path.py`). If numbers are inputs, `CachedCall.choose` selects among
           the Programs of this key by the tests that their traces made on the numbers (`varying.py`).
        3. `_slow_call`: binds the arguments, looks the Program up by its complete key, traces if there is none.

        The part after the first ``try`` handles failures: a refused trace is a graph break or an error, and Python repeats a
        failed run if `bailout.must_rerun_in_python` is true.
        """
        failure: CallFailure | None = None
        try:
            surroundings = self._surroundings
            # Only a call outside of a trace may use the cached calls, and only while the guards hold. `checked_epoch` equals the
            # global counter if no Layer, device or setting has changed since the last check. Otherwise `is_valid` looks for a
            # former state that is equal to the present one, except while calls run in Python without a lookup (`Patience`).
            if (
                not mode.current().building
                and (
                    (surroundings.checked_epoch == epoch[0] and surroundings.guards.is_unchanged())
                    or surroundings.is_valid(self._patience.skipped_left <= 0)
                )
            ):
                calls = surroundings.calls
                cached: Any = calls.last
                start = None
                try:
                    result = cached.entry(args, kwargs)  # 1: nearly all calls end here
                    if result is not fast_path.OTHER:
                        return result
                    leaves: list[Any] = []  # 2: the arguments are not like those of the last call
                    cached = calls.quick.get(fast_path.key_of(args, kwargs, leaves, calls.number_positions))
                    if cached is not None and cached.choose is not None:
                        cached, leaves = cached.choose(leaves)
                    if cached is not None:
                        start = bailout.Start() if cached.prints_or_draws else None
                        calls.last = cached
                        return cached.run(leaves, args, kwargs)
                except (RequiresGradChanged, GuardedStateMoved, StaleProgramError):
                    pass  # nothing has run; the slow call selects or traces another Program
                except CallFailure as ended:
                    failure = ended.in_run(cached.outcome, start)
                except ToStaticError as error:
                    # (with number inputs the slow call tries a Program with these numbers built in)
                    if cached.choose is None or cached.prints_or_draws:
                        failure = bailout.failure_of(error, cached.outcome, start)
                except (Exception, SystemExit) as error:
                    failure = bailout.failure_of(error, cached.outcome, start)
            if failure is None:
                return self._slow_call(args, kwargs)  # 3
        except CallFailure as ended:
            failure = ended
        except (Exception, SystemExit) as error:
            failure = CallFailure(error)
        try:
            assert failure is not None
            try:
                if failure.is_refusal and not mode.building():
                    if self._target.may_break:
                        return self._break_at(failure.error, args, kwargs)
                    failure = self._refused(failure, args, kwargs)
                if bailout.must_rerun_in_python(failure):
                    input_places.wait_for_values()
                    with bailout.rerun_in_python(failure.start):
                        return self.dygraph_function(*args, **kwargs)
            except (Exception, SystemExit) as error:
                failure = CallFailure(error)
            failed = failure.error
            __tracebackhide__ = True
            try:
                raise failed
            except BaseException:
                tracebacks.of_user(failed)
                if sys.version_info < (3, 11):  # a bare `raise` brings the old traceback back there
                    raise failed  # noqa: B904  (it is the same error)
                raise  # so that this frame does not come into the traceback again
        finally:
            failure = failed = None  # type: ignore[assignment]

    def _refused(self, failure: CallFailure, args: tuple[Any, ...], kwargs: dict[str, Any]) -> CallFailure:
        """Return the failure of a call that has no Program under ``full_graph``: the error of Python's run, if that raises one."""
        error = failure.error
        unbound = isinstance(error, UnboundVariableError)
        if unbound or not (isinstance(error, ToStaticError) or of_stand_in(error)):
            with contextlib.suppress(*[UnboundLocalError] * unbound):  # (the trace's error says more)
                self.dygraph_function(*args, **kwargs)
            if not unbound:
                words = f"{type(error).__name__} ends the trace, where Python raises nothing: {error}"
                rewrite = "full_graph=False, which leaves such calls to Python"
                return CallFailure(TranslationError(source_location.report(words, source_location.of_error(error), rewrite)))
        return failure

    def _break_at(self, refusal: BaseException, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Record a graph break for calls with this key, and run this call in Python.

        `__call__` uses this if a trace was refused. The trace has already undone its writes.
        """
        fallback, surroundings = self._fallback, self._surroundings
        with COMPILE_LOCK:
            surroundings.guards.collect()
            surroundings.expire()
            bound = self._target.signature().bind(args, kwargs)
            graph_break = fallback.new_break(refusal, bound)
            key, _ = self._compilation.key_of(bound)
            fallback.breaks.add(key, graph_break, len(self._programs.cache))
        log(1, f"{self._target.name}: graph break: {graph_break.line()}")
        return fallback.run_new(graph_break, key, args, kwargs)

    def _slow_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a call that the cached calls cannot run, by the first of these ways that applies.

        1. In a trace, or while static functions are switched off: the function is called in place.
        2. The first calls of a late instance of a class run in Python (`ProgramSharing.takes_python_call`).
        3. Calls that `Patience` lets run in Python without a lookup.
        4. All calls run in Python after too many kinds of graph breaks (`RecordedBreaks.every`).
        5. The Program under the complete key, found without the lock.
        6. `_find_program`, under the lock: looks everything up again, and traces if there is no Program; or a graph break.

        After 5 or 6 the call is added to the cached calls, so that the next one takes the fast path.
        """
        target, fallback, surroundings = self._target, self._fallback, self._surroundings
        if not Settings.enabled or mode.building():
            return target.call_translated(args, kwargs, translated=mode.building())
        if self._sharing.python_calls_left and self._sharing.takes_python_call():
            input_places.wait_for_values()
            return target.python(*args, **kwargs)
        broken = fallback.break_without_lookup()
        if fallback.may_run_original(broken):
            if surroundings.checked_epoch == epoch[0] and not surroundings.guards.same():
                surroundings.expire()  # so that the next skipped calls do not check the guards (of a growing list, say) again
            input_places.wait_for_values()
            return target.python(*args, **kwargs)
        broken = fallback.breaks.every if broken is None and not self._programs.cache else broken
        if broken is not None and target.may_break:
            return fallback.run(broken, args, kwargs)
        # these keys are taken before the run, which may change the arguments and what the guards watch
        key = fast_path.key_of(args, kwargs, [], surroundings.calls.number_positions)
        bound = target.signature().bind(args, kwargs)
        program = self._compilation.cached_program(bound) or self._find_program(bound, key)
        if isinstance(program, RecordedBreak):
            return fallback.run(program, args, kwargs)
        self._patience.count_program_call()
        program.last_used = next(_clock)
        calls, state_key = surroundings.calls, bound.state_key
        cached, key = self._quick_call(program, calls, key, bound, args, kwargs)
        result, ran = self._run(program, bound)
        # (meanwhile another thread may have changed to another state)
        if key is not None and cached is not None and cached.outcome is ran and calls.state_key == state_key:
            calls.add(key, cached)
        return result

    def _run(self, program: ConcreteProgram, bound: Bound) -> tuple[Any, ConcreteProgram]:
        """Run a Program; return the result and the Program that computed it.

        Another Program runs if this one does not fit the call: buffers are other objects than at the trace
        (`GuardedStateMoved`), the call has outgrown it (`StaleProgramError`), or it fails with number inputs or dynamic sizes,
        which are constants of the other one.
        """
        compilation = self._compilation
        start = bailout.Start() if program.facts.prints_or_draws else None
        try:
            try:
                try:
                    return program.run(bound.leaves, bound.arguments), program
                except GuardedStateMoved:
                    program = compilation.find_for_moved_buffers(program, bound)
                    return program.run(bound.leaves, bound.arguments), program
            except GuardedStateMoved:
                leave_to_python(aliased_read_error())
            except StaleProgramError as grown:
                log(1, f"{self._target.name}: {grown}")
                program = compilation.recompile_outgrown(program, bound)
                return program.run(bound.leaves, bound.arguments), program
            except ToStaticError as error:
                if program.traced.inputs and not program.facts.prints_or_draws:
                    return compilation.run_with_numbers_built_in(program, bound)
                if program.has_dynamic_sizes:
                    return compilation.run_with_sizes_built_in(program, bound, error)
                raise
        except CallFailure as failure:
            raise failure.in_run(program, start) from None
        except (Exception, SystemExit) as error:
            raise bailout.failure_of(error, program, start) from None

    @property
    def skips_lookup(self) -> bool:
        """True if the next call runs in Python without a lookup (see `Patience`)."""
        return self._patience.skipped_left > 0

    @with_compile_lock
    def _find_program(self, bound: Bound, quick_key: Any) -> ConcreteProgram | RecordedBreak:
        """Return the Program of a call, traced if necessary, or the graph break by which it runs in Python.

        `_slow_call` uses this if the lookup without the lock has no Program.
        """
        compilation, cache = self._compilation, self._programs.cache
        if self._surroundings.is_outdated:
            self._surroundings.expire()
        compilation.keys.record_numbers(bound, bool(cache))
        key, specs = compilation.key_of(bound)
        breaks = self._fallback.breaks
        if (breaks or breaks.every is not None) and key not in cache and self._target.may_break:
            broken = breaks.get(key, breaks.every)
            if broken is not None:
                # (the key has ids of Layers, which a break does not keep alive)
                if broken.warned and quick_key is not None and not any(isinstance(leaf, Layer) for leaf in bound.leaves):
                    self._surroundings.calls.add(quick_key, fast_path.CachedCall(broken))
                self._patience.count_python_call(broken)
                return broken
        return compilation.find_or_compile_for_call(bound, key, specs)

    def _quick_call(
        self,
        program: ConcreteProgram,
        calls: fast_path.CallCache,
        key: Any,
        bound: Bound,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> tuple[fast_path.CachedCall | None, Any]:
        """Return the `CachedCall` for calls like this one, and its quick key; None in its place if there can be none.

        There is none if the arguments have no quick key, or if a run decides which tensors require gradients.
        """
        if key is None or program.traced.inputs_requiring_grad or program.traced.stop_gradient_sets:
            return None, key
        cached = calls.quick.get(key)
        if cached is not None and cached.outcome is program:
            return cached, key
        outside = [source.label for source in self._surroundings.guards.inputs]
        if bound.inputs != program.traced.inputs or bound.paths[len(bound.paths) - bound.outside_count :] != outside:
            return None, key
        reads = [input_places.reader(source) for source in self._surroundings.guards.inputs]
        tree, answers = None, ()
        if bound.inputs:
            leaf_state = bound.leaf_state
            tree, answers = self._compilation.keys.choice_of(bound, self._target.declared_specs(bound))
            if bound.paths != leaf_state[1]:  # other inputs from now on
                bound.leaf_state = leaf_state
                return None, key
        watches = self._surroundings.guards.watches
        cached = fast_path.cached_call_for(program, self._target.signature(), args, kwargs, reads, tree, answers, watches)
        if cached is None:
            return None, key
        calls.number_positions |= cached.number_positions
        if not calls.number_positions:
            return cached, key
        leaves: list[Any] = []
        key = fast_path.key_of(args, kwargs, leaves, calls.number_positions)
        number_leaves = {i for i, leaf in enumerate(leaves) if type(leaf) in NUMBERS and i in calls.number_positions}
        return cached if number_leaves == cached.number_positions else None, key

    # -- inspection ---------------------------------------------------------------------------------------------------

    @property
    def dygraph_function(self) -> Callable[..., Any]:
        """The original function; for a method, bound to its object."""
        return self._target.python

    @property
    def function_spec(self) -> FunctionSpec:
        """The parameters of the function: names, declared inputs."""
        target = self._target
        return FunctionSpec(target.function, target.signature().signature, target.input_spec)

    @property
    def code(self) -> str:
        """The translated source. Raises TranslationError for a function that is not written in Python."""
        return self._inspector.code()

    @property
    def program_cache(self) -> ProgramCache:
        """The Programs that were traced so far, by key."""
        return self._programs.cache

    @property
    def concrete_program(self) -> ConcreteProgram:
        """The newest Program; traced from the input_spec if there was no call yet."""
        return self.concrete_program_specify_input_spec()

    @property
    def main_program(self) -> Program:
        """The newest Program, as it was traced."""
        return self.concrete_program.main_program

    program = main_program

    @property
    def optimized_program(self) -> Program:
        """The newest Program after the passes, as its plan for calls without gradients runs it."""
        return self.concrete_program.plans()[0][1].program  # type: ignore[no-any-return]

    @property
    def plan(self) -> str:
        """The Python source of the plan of the newest Program for calls without gradients.

        If sizes are unknown, there is one plan for each combination of sizes so far; this is the first. `explain` with
        ``plan=True`` returns all of them, and those for gradients.

        Example:
            >>> print(f.plan)
            def make(b0):
                def run(x0):
                    ...
        """
        return self.concrete_program.plans()[0][1].source  # type: ignore[no-any-return]

    @property
    def inputs(self) -> list[Var]:
        """Input Vars of the newest Program."""
        return self.concrete_program.inputs

    @property
    def outputs(self) -> list[Var]:
        """Output Vars of the newest Program."""
        return self.concrete_program.outputs

    @property
    def graph_breaks(self) -> int:
        """The number of kinds of calls that have no Program, and run in Python; `explain` says why."""
        return len(self._fallback.breaks)

    def explain(self, *args: Any, plan: bool = False, **kwargs: Any) -> str:
        """Return a text that says what a call with these arguments does, and why: run a Program, trace a new one, or fail.

        Without arguments, the text describes all Programs. It also lists Python values from outside that are constants of the
        Programs. With ``plan=True`` it contains the source of the plans. Nothing is run or traced.

        Example:
            >>> print(f.explain(paddle.ones([3, 2])))
            f: this call makes a new Program (1 in the cache); the closest is Program 1:
              x: f32[3, 2] here, f32[2, 2] there
              ...
        """
        return self._inspector.explain(args, kwargs, plan)

    def get_traced_count(self) -> int:
        """Return how many Programs were traced."""
        return len(self._programs.cache)

    def __repr__(self) -> str:
        return f"<StaticFunction {printable(self.__name__)}, {len(self._programs.cache)} Programs>"

    # -- Programs that are not run ------------------------------------------------------------------------------------

    def get_concrete_program(self, *args: Any, as_called: bool = False, **kwargs: Any) -> tuple[ConcreteProgram, Any]:
        """Return the Program for a call with these arguments (tensors or InputSpecs), and None; nothing is run."""
        return self._exports.of_arguments(args, kwargs, as_called), None

    def concrete_program_specify_input_spec(
        self, input_spec: Any = None, as_called: bool = False, for_file: bool = False
    ) -> ConcreteProgram:
        """Return the Program for ``input_spec``, by default that of `to_static`, else for the newest call. `save` uses it.

        ``as_called``: of a call of the Layer whose ``forward`` this is: with its hooks, or by the ``__call__`` of its class.
        ``for_file``: random numbers of Python and NumPy are constants; without a spec, the newest call may have run in Python.
        Raises ValueError if there is neither a spec nor an earlier call.
        """
        return self._exports.of_specs(input_spec, as_called, for_file)

    def note_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Store the arguments of a call of the Layer, whose hooks may have changed them, in the Program that the call made."""
        self._exports.note_call(args, kwargs)


def _by_name(function: Any) -> Any:
    """Return the object under a function's module and name: a static function, if decorated; None for a local function."""
    named: Any = sys.modules.get(function.__module__)
    for part in function.__qualname__.split("."):
        named = getattr(named, part, None)
    return named
