"""`StaticFunction`: a Python function that runs as static Programs, one per kind of call."""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
import pkgutil
import sys
import types
from typing import Any

from to_static.compiler.frontend.function import bailout, bound_methods, fast_path
from to_static.compiler.frontend.function import signature as signatures
from to_static.compiler.frontend.function.alike.instances import Shared
from to_static.compiler.frontend.function.alike.seats import Seats
from to_static.compiler.frontend.function.any_size import AnySize
from to_static.compiler.frontend.function.attribute_forwarding import AttributeForwarding
from to_static.compiler.frontend.function.callee_compilation import CalleeCache, SplitCalls
from to_static.compiler.frontend.function.dynamic_shapes import AutomaticDynamic
from to_static.compiler.frontend.function.export_trace import ExportTrace
from to_static.compiler.frontend.function.graph_breaks import MayBreak, RecordedBreak, RecordedBreaks
from to_static.compiler.frontend.function.input_spec_binding import declared
from to_static.compiler.frontend.function.inspection import Inspection
from to_static.compiler.frontend.function.program.buffer_slots import BufferSlots
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram, RequiresGradChanged
from to_static.compiler.frontend.function.program.conditions import GuardedStateMoved, leave_to_python, several_names
from to_static.compiler.frontend.function.program.specialized_entry import no_entry
from to_static.compiler.frontend.function.program.trace_result import TraceResult
from to_static.compiler.frontend.function.program.tracer import trace
from to_static.compiler.frontend.function.program_cache import ProgramCache
from to_static.compiler.frontend.function.settings import Settings
from to_static.compiler.frontend.function.states import StateReader, States
from to_static.compiler.frontend.function.varying import Varying
from to_static.compiler.frontend.jst import operators
from to_static.compiler.frontend.jst.control.raising import of_stand_in
from to_static.compiler.frontend.tracing import number_places
from to_static.compiler.frontend.tracing.guards import Guards
from to_static.compiler.frontend.tracing.name_usage import names_read, reads_buffer, state_of
from to_static.compiler.frontend.tracing.number_places import INPUT, NUMBERS, fits
from to_static.compiler.frontend.transpile import transpile_function
from to_static.compiler.ir import mode
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.program import reseat
from to_static.compiler.runtime.failure import StaleProgramError
from to_static.core import source_location, tracebacks
from to_static.core.compile_lock import COMPILE_LOCK, with_compile_lock
from to_static.core.errors import ModeError, ToStaticError, TranslationError, UnboundVariableError
from to_static.core.flags import debug
from to_static.core.log import log, tell
from to_static.core.version_counter import epoch
from to_static.nn.layer import Layer
from to_static.nn.layer_tree import watch

_clock = itertools.count(1)


class StaticFunction(AnySize, MayBreak, ExportTrace, Shared, Inspection, AttributeForwarding):
    """A function, or a method of one object, that runs as a static Program.

    Made by `to_static`. The first call of each kind (structure and specs of the arguments, values of Python arguments, train or
    eval) traces a Program; later ones only run it. Where there can be no Program, calls of that kind run in Python, a graph break;
    with ``full_graph`` they are refused.

    Attributes: ``code`` (translated source), ``concrete_program`` (the newest), ``main_program``, ``inputs``, ``outputs``,
    ``program_cache``, ``graph_breaks`` (how many kinds of calls run in Python), ``dygraph_function`` (the original),
    ``function_spec``.
    """

    def __init__(
        self,
        function: Any,
        input_spec: Any = None,
        instance: Any = None,
        full_graph: bool = False,
        table: CalleeCache | None = None,
    ) -> None:
        function = getattr(function, "as_method", function)  # of a saved method
        if isinstance(function, types.MethodType):
            instance, function = function.__self__, function.__func__
        elif not isinstance(function, types.FunctionType) and isinstance(
            getattr(type(function), "__call__", None),  # noqa: B004
            types.FunctionType,
        ):
            instance, function = function, type(function).__call__  # a callable object
        if isinstance(function, type):
            method = "forward" if issubclass(function, Layer) else "method"
            rewrite = f"decorate its method, `@to_static` above `def {method}(self, ...)`"
            rewrite += f", or an object of it: `net = to_static({function.__name__}(...))`" if method == "forward" else ""
            text = f"to_static expects a function, a method or a Layer object; {function.__name__!r} is a class"
            raise TypeError(source_location.report(text, None, rewrite))
        if not callable(function):
            by_name = "; of a list it is `@to_static(input_spec=[...])`" if isinstance(function, (list, tuple)) else ""
            raise TypeError(
                f"to_static expects a function, a method or a Layer, got {type(function).__name__}: {function!r}{by_name}"
            )
        self._function: Any = function
        self._instance = instance
        self._input_spec = list(input_spec) if isinstance(input_spec, tuple) else input_spec
        self._full_graph = full_graph
        self._is_part = table is not None  # made for a call of a function that runs in Python
        self._signature_object: signatures.Signature | None = None
        self._translated: Any = None
        self._states = States()
        self._calls = self._states.current
        self._breaks = RecordedBreaks()
        self._patience = self._breaks.patience
        self._parts = SplitCalls(StaticFunction, table or CalleeCache(instance))
        self._cache = ProgramCache({}, self._states, self._breaks)
        self._epoch = -1
        self._around: tuple[Any, ...] = ()  # the settings that the quick calls are for
        self._flags: tuple[Any, ...] = ()
        self._slots = BufferSlots()
        self._guards = Guards()
        self._sizes = AutomaticDynamic()
        self._varying = Varying()
        self._seats = Seats()
        self._own: frozenset[int] = frozenset()  # ids of the Layers below the instance
        self._layers: dict[int, Layer] = {}  # that some trace called, beside those below the instance
        functools.update_wrapper(self, function, updated=())
        self.__name__ = getattr(function, "__name__", type(function).__name__)
        if Settings.made is not None and not self._is_part:
            Settings.made.append(self)

    # -- binding to objects -------------------------------------------------------------------------------------------

    def __get__(self, instance: Any, owner: Any = None) -> StaticFunction:
        if instance is None:
            return self
        bound_function = bound_methods.kept(instance, self)
        if bound_function is not None:
            return bound_function  # type: ignore[no-any-return]
        bound = StaticFunction(self._function, self._input_spec, instance, self._full_graph)
        bound._translated = self._translated
        # a loop that is being traced would seem to change the object
        return bound if mode.building() else bound_methods.keep(instance, self, bound)  # type: ignore[no-any-return]

    def __copy__(self) -> StaticFunction:
        return self  # as of a function

    def __deepcopy__(self, memo: dict[int, Any]) -> StaticFunction:
        instance = self._instance
        instance = None if instance is None else copy.deepcopy(instance, memo)  # as Python's bound methods
        return StaticFunction(self._function, self._input_spec, instance, self._full_graph)

    def __reduce__(self) -> Any:
        instance: Any = self._instance
        function: Any = self._function
        if instance is None and _by_name(function) is self:
            return (pkgutil.resolve_name, (f"{function.__module__}:{function.__qualname__}",))
        owner: Any = None if instance is None else type(instance)
        method: Any = getattr(owner, function.__name__, None)
        is_method = method is function or getattr(method, "_function", None) is function
        given = function.__name__ if is_method else function  # type: ignore[union-attr]
        return (bound_methods.restored, (type(self), owner, given, self._input_spec, instance, self._full_graph))

    def rollback(self) -> Any:
        """Undo `to_static`: give the object its dynamic method back; returns it."""
        instance, name = self._instance, self._function.__name__
        if instance is None:
            return self._function
        if instance.__dict__.get(name) is self:
            del instance.__dict__[name]
        method = types.MethodType(self._function, instance)
        if isinstance(getattr(type(instance), name, None), StaticFunction):
            instance.__dict__[name] = method
        return method

    def train(self) -> None:
        """For Paddle's sake, and for functions that are no method of a Layer: it is the Layers that have a mode."""
        if isinstance(self._instance, Layer):
            raise ModeError("call train() or eval() of the Layer itself")

    eval = train

    # -- calling ------------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            if not mode.current().building and (self._epoch == epoch[0] or self._returned()) and self._guards.same():
                known: Any = self._calls.last
                start = None
                try:  # the way of nearly all calls, of a known kind; mostly of the kind of the last one
                    result = known.entry(args, kwargs)
                    if result is not fast_path.OTHER:
                        return result
                    leaves: list[Any] = []
                    known = self._calls.quick.get(fast_path.key_of(args, kwargs, leaves, self._calls.numbers))
                    if known is not None and known.choose is not None:
                        known, leaves = known.choose(leaves)
                    if known is not None:
                        start = bailout.Start() if known.acts else None
                        self._calls.last = known
                        return known.ran(leaves, args, kwargs)
                except (RequiresGradChanged, GuardedStateMoved, StaleProgramError):
                    pass
                except ToStaticError as error:
                    if known.choose is None or known.acts:
                        bailout.record_failure(error, known.found, start)
                        raise
                except (Exception, SystemExit) as error:
                    bailout.record_failure(error, known.found, start)
                    raise
            return self._slow_call(args, kwargs)
        except (Exception, SystemExit) as error:
            failed: BaseException | None = error
        try:
            assert failed is not None
            try:
                if failed.__dict__.pop("__traced__", False) and not mode.building():
                    if self.may_break():
                        return self.break_at(failed, args, kwargs)
                    unbound = isinstance(failed, UnboundVariableError)
                    if unbound or not (isinstance(failed, ToStaticError) or of_stand_in(failed)):  # Python raises it, too
                        with contextlib.suppress(*[UnboundLocalError] * unbound):  # ours says more
                            self.dygraph_function(*args, **kwargs)
                        if not unbound:
                            words = f"{type(failed).__name__} ends the trace, where Python raises nothing: {failed}"
                            rewrite = "full_graph=False, which leaves such calls to Python"
                            failed = TranslationError(source_location.report(words, source_location.of_error(failed), rewrite))
                if bailout.is_python_s(failed):
                    with bailout.rerun_in_python(failed):
                        return self.dygraph_function(*args, **kwargs)
            except (Exception, SystemExit) as error:
                failed = error
            __tracebackhide__ = True
            try:
                raise failed
            except BaseException:
                tracebacks.of_user(failed)
                if sys.version_info < (3, 11):  # a bare `raise` brings the old traceback back there
                    raise failed  # noqa: B904  (it is the same error)
                raise  # so that this frame does not come into the traceback again
        finally:
            del failed

    def _slow_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        instance = self._instance
        if not Settings.enabled or mode.building():
            function = self._translate() if mode.building() else self._function
            return function(instance, *args, **kwargs) if instance is not None else function(*args, **kwargs)
        if self._waiting and self._waits():
            return self.dygraph_function(*args, **kwargs)
        broken = self._patience.rests() if self._input_spec is None else None
        plain = broken is not None and broken.warned and not self._is_part and self.may_break()
        if plain and all(part.rests for part in self._parts.made):
            return self.dygraph_function(*args, **kwargs)
        broken = self._breaks.every if broken is None and not self._cache else broken
        if broken is not None and self.may_break():
            return self._in_python(broken, args, kwargs)
        key = fast_path.key_of(args, kwargs, [], self._calls.numbers)  # of before the run, which may change what is given
        bound = self._signature().bind(args, kwargs)
        concrete = self._known(bound) or self._made(bound, args, kwargs, key)
        if isinstance(concrete, RecordedBreak):
            return self._in_python(concrete, args, kwargs)
        self._patience.met()
        concrete.used = next(_clock)
        at = self._epoch
        known, key = self._quick_call(concrete, key, bound, args, kwargs)
        start = bailout.Start() if concrete.facts.acts else None
        try:
            try:
                try:
                    result = concrete(bound.leaves, bound.arguments)
                except GuardedStateMoved:
                    concrete = self._as_moved(concrete, bound)
                    result = concrete(bound.leaves, bound.arguments)
            except GuardedStateMoved:
                leave_to_python(several_names())
            except StaleProgramError as grown:
                log(1, f"{self.__name__}: {grown}")
                self._forget(concrete)
                with COMPILE_LOCK:
                    concrete = self._concrete_for(bound, *self._key_of(bound))
                result = concrete(bound.leaves, bound.arguments)
            except ToStaticError as error:
                if concrete.traced.inputs and not concrete.facts.acts:
                    result, concrete = self._of_these_numbers(concrete, bound)
                elif concrete.relaxed:
                    result, concrete = self._of_one_size(concrete, bound, error)
                else:
                    raise
        except (Exception, SystemExit) as error:
            bailout.record_failure(error, concrete, start)
            raise
        if key is not None and known is not None and known.found is concrete and at == self._epoch == epoch[0]:
            self._calls.add(key, known)
        return result

    @property
    def rests(self) -> bool:
        """Whether the next call runs in Python without a look."""
        return self._patience.left > 0

    def _as_moved(self, concrete: ConcreteProgram, bound: signatures.Bound) -> ConcreteProgram:
        """The Program of a call in which other buffers are one tensor than this one was traced with."""
        with COMPILE_LOCK:
            self._epoch = -1
            moved = self._concrete_for(bound, *self._key_of(bound))
        if moved is concrete:  # it is no buffer that is the same tensor
            leave_to_python(several_names())
        return moved

    def _forget(self, concrete: ConcreteProgram) -> None:
        self._cache = self._cache.without(lambda program: program is concrete)
        self._states.clear()

    def _watched_of(self, layer: Layer, names: frozenset[str]) -> frozenset[str]:
        """The attributes of a Layer on which Programs depend."""
        inputs = {name for key, name in self._guards.inputs if key == id(layer)}
        names = names - inputs if inputs else names
        return names.union(layer._buffers).difference(name for name in layer._buffers if self._is_slot(layer, name, names))

    def _is_slot(self, layer: Layer, name: str, names: frozenset[str]) -> bool:
        """Whether Programs run with any tensor of a kind in this buffer."""
        key = id(layer), name
        return key in self._slots.keys or key in self._slots.unread or not reads_buffer(name, names)

    def _returned(self) -> bool:
        """Whether the Layers are now as they were before, in a state that is known: then that is gone on with."""
        if self._patience.left > 0:  # nobody looks
            return False
        now = epoch[0]
        if self._seats:
            with self._seats.lock:
                others = self._seats.moves(self._guards, id(self))
                if others is None:
                    return False
                self._reseat(others)
        state = self._states.find()
        if state is None:
            return False
        self._guards.collected, self._flags, self._around = state.guards, state.flags, state.around
        self._calls = self._states.current = state.calls
        self._epoch = now
        return True

    def _known(self, bound: signatures.Bound) -> Any:
        """What runs a call that was made before, found without a lock; None where anything has to be looked at."""
        if self._epoch != epoch[0] or not self._guards.same():
            return None
        key = self._key(bound, self._declared_specs(bound))
        concrete = self._cache.get(key) or self._calls.dynamic.get(key)
        return None if concrete is None or concrete.thawed else concrete

    @with_compile_lock
    def _made(self, bound: signatures.Bound, args: tuple[Any, ...], kwargs: dict[str, Any], quick_key: Any) -> Any:
        """What runs a call: its Program, traced if need be, or a graph break."""
        for i, leaf in enumerate(bound.leaves):
            if type(leaf) in NUMBERS:
                self._varying.note(bound.paths[i], leaf, bool(self._cache))
        key, specs = self._key_of(bound)
        broken = self._breaks.every
        if (self._breaks or broken is not None) and key not in self._cache and self.may_break():
            broken = self._breaks.get(key, broken)
            if broken is not None:
                if broken.warned and quick_key is not None:
                    self._calls.add(quick_key, fast_path.CachedCall(broken))
                self._patience.missed(broken)
                return broken
        if self._is_part:
            return self._part_for(bound, key, specs)
        return self._concrete_for(bound, key, specs, in_call=True)

    def _quick_call(
        self, concrete: ConcreteProgram, key: Any, bound: signatures.Bound, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[fast_path.CachedCall | None, Any]:
        """How the quick way makes such calls, if it can, and their key; where runs decide what gradients they want, it can't."""
        if key is None or concrete.traced.opened or concrete.traced.stops:
            return None, key
        known = self._calls.quick.get(key)
        if known is not None and known.found is concrete:
            return known, key
        if bound.inputs != concrete.traced.inputs:
            return None, key
        reads = [number_places.reader(place) for place in self._guards.inputs.values()]
        tree, answers = None, ()
        if bound.inputs:
            *own, answers = self._key(bound, self._declared_specs(bound))
            tree = self._varying.tree(tuple(own))
        known = fast_path.of_program(concrete, self._signature(), args, kwargs, reads, tree, answers)
        if known is None:
            return None, key
        self._calls.numbers |= known.numbers
        if not self._calls.numbers:
            return known, key
        leaves: list[Any] = []
        key = fast_path.key_of(args, kwargs, leaves, self._calls.numbers)
        taken = {i for i, leaf in enumerate(leaves) if type(leaf) in NUMBERS and i in self._calls.numbers}
        return known if taken == known.numbers else None, key

    def _key_of(self, bound: signatures.Bound) -> tuple[Any, dict[int, InputSpec]]:
        """The key of a call, and the declared specs of its arguments."""
        specs = self._declared_specs(bound)
        self._mode_flags()
        return self._key(bound, specs), specs

    def _concrete_for(
        self, bound: signatures.Bound, key: Any, specs: dict[int, InputSpec], vary: bool = True, in_call: bool = False
    ) -> Any:
        """The Program for a key, traced where there is none; a graph break for a call (``in_call``) for which that does not pay."""
        dynamic: dict[int, InputSpec] = {}
        fixed, concrete = key, self._cache.get(key)
        if concrete is None and not specs:
            dynamic = specs = self._sizes.specs(key, self._cache, bound) if vary else {}
            key = self._key(bound, specs)
            concrete = self._cache.get(key)
        if concrete is not None and concrete.thawed and mode.grad_enabled():
            variant = concrete.variant(lambda: self._traced(bound, specs))
            if variant.traced.questions <= concrete.traced.questions:
                return variant
            self._build_in(bound, bound.inputs)  # a trace with other gradients asked something else
            return self._concrete_for(bound, *self._key_of(bound), vary, in_call)
        if concrete is None and in_call and not specs:
            concrete = self._adopted(bound, key)
        if concrete is None:
            broken = self._not_worth(key, bound.paths) if in_call else None
            if broken is not None:
                self._patience.missed(broken)
                self._epoch = -1  # the next call is looked at, too
                return broken
            if debug.value >= 1:
                log(1, "\n".join(self._outcome(key, self._known_keys(), bound.paths)))
            concrete = self._traced_dynamic(bound, dynamic, fixed) if dynamic else self._traced(bound, specs)
            if dynamic and not concrete.relaxed:
                dynamic = specs = {}
            self._guards.collect(frozenset(id(holder) for holder in concrete.parameters))
            concrete.call.outside = self._guards.values()
            concrete.pin()
            self._layers.update((id(layer), layer) for layer in concrete.traced.layers if id(layer) not in self._own)
            self._epoch = -1
            key = self._key(bound, specs)  # now with what this trace was the first to meet
            if bound.inputs != concrete.traced.inputs:  # another thread has changed something meanwhile
                return concrete
            if bound.inputs or isinstance(self._instance, Layer):
                concrete.call.arguments = bound.recipe, bound.specs()
            if bound.inputs:
                self._varying.add(key[:-1], concrete.traced.asked, bound.leaves)
                key = self._key(bound, specs)
            concrete = self._left(bound, key, concrete)
            self._cache = self._cache.taking(key, concrete, self)
        if dynamic:
            self._calls.dynamic[fixed] = concrete
        return concrete

    def _traced(self, bound: signatures.Bound, specs: dict[int, InputSpec]) -> ConcreteProgram:
        """A new Program."""
        try:
            try:
                trace_result = self._trace(bound, specs)
            except (Exception, SystemExit) as error:
                trace_result = self._traced_for_numbers(bound, specs, error)
            concrete = ConcreteProgram(trace_result)
            if debug.value >= 3:
                log(3, f"traced {self.__name__}:\n{concrete.main_program}")
            return concrete
        except (Exception, SystemExit) as error:
            error.__dict__["__traced__"] = True
            raise

    def _traced_for_numbers(self, bound: signatures.Bound, specs: dict[int, InputSpec], error: BaseException) -> TraceResult:
        """The Program with the numbers of this call built in, where one in which they are inputs can't be traced."""
        inputs, bound.inputs = bound.inputs, []
        if not inputs:
            raise error
        try:
            trace_result = self._trace(bound, specs)
        except (Exception, SystemExit):
            bound.inputs = inputs
            raise
        self._build_in(bound, inputs)
        return trace_result

    def _build_in(self, bound: signatures.Bound, inputs: list[int]) -> None:
        """Have these numbers as inputs no more."""
        count = len(bound.leaves) - bound.more
        for i in inputs:
            if i < count:
                self._varying.build_in(bound.paths[i], bound.leaves[i])
        self._guards.build_in()
        self._epoch = -1

    def _key(self, bound: signatures.Bound, specs: dict[int, InputSpec]) -> Any:
        flags = self._mode_flags()
        self._add_numbers(bound)
        count = len(bound.leaves) - bound.more
        keys = tuple(
            (specs[i].tensor_spec, leaf.stop_gradient)
            if i in specs
            else (type(leaf), INPUT)
            if i in bound.inputs
            else self._leaf_key(leaf)
            for i, leaf in enumerate(bound.leaves)
            if i < count or i not in bound.inputs
        )
        alias = signatures.aliases([bound.leaves[i] for i in bound.tensors])
        key = (bound.recipe, keys, (alias, bound.shared), flags, signatures.environment_key())
        return (*key, self._varying.answers(key, bound.leaves) if bound.inputs else ())

    def _add_numbers(self, bound: signatures.Bound) -> None:
        """Find the numbers that are inputs, among the arguments and from outside."""
        places = self._guards.inputs
        if bound.more != len(places):
            bound.add_from_outside([number_places.value_of(p) for p in places.values()], [p.label for p in places.values()])
        count = len(bound.leaves) - bound.more
        bound.inputs = [
            i
            for i, leaf in enumerate(bound.leaves)
            if type(leaf) in NUMBERS and (fits(leaf) if i >= count else self._varying.is_input(bound.paths[i], leaf))
        ]

    def _leaf_key(self, leaf: Any) -> Any:
        key, read = signatures.leaf_key(leaf), self._guards.read_of(leaf)
        return (key, read) if read else key

    def _mode_flags(self) -> tuple[Any, ...]:
        """What the Program takes from Layers (`mentions.state_of`); again only after an attribute of a Layer changed."""
        now = epoch[0]
        if now != self._epoch or not self._guards.same():
            layers = self._look()
            self._slots.note(layers.values())
            outside, slots, seats = self._guards.tensors(), {*self._slots.keys, *self._slots.unread}, self._seats
            if seats:
                seats.settle(layers.values(), self._guards, slots)
                self._guards.seated = seats.inside
                self._reseat(seats.all_moves())
                layers = {key: layer for key, layer in layers.items() if key not in seats.inside}
                for layer in seats.layers():
                    watch(layer, id(self), self._guards.names_of(type(layer)).union(layer._buffers))
            read, kept, unread = self._guards.read, self._slots.keys, self._slots.unread
            state = state_of(layers.values(), read, kept, unread, self._guards.inputs, outside, seats.kind_of)
            flags = (self._guards.key(), *state)
            around = signatures.environment_key()
            if flags != self._flags or around != self._around or self._calls is not self._states.current:
                self._flags, self._around = flags, around
                self._calls = self._states.current = self._states.calls_of(flags, around)
            names = self._guards.read.union(*(names_read(kind, self._guards.read) for kind in set[Any](map(type, layers.values()))))
            watched = {key: self._watched_of(layer, names) for key, layer in layers.items()}
            for key, layer in layers.items():
                watch(layer, id(self), watched[key])
            self._states.add(StateReader(layers.values(), watched, slots, seats), flags, around, self._guards.collected)
            self._epoch = now
        return self._flags

    def _look(self) -> dict[int, Layer]:
        """Take the values of now; gives the Layers that Programs depend on, those below the instance first."""
        for _ in range(2):
            gone = self._seats.gone() if self._seats else []
            self._guards.forget(gone)
            for layer in gone:
                self._layers.pop(id(layer), None)
            self._guards.collect()
            layers: dict[int, Layer] = {}
            if isinstance(self._instance, Layer):
                layers.update((id(layer), layer) for layer in self._instance.sublayers(include_self=True))
            self._own = frozenset(layers)
            layers |= {**self._guards.layers(), **self._layers}
            if not self._seats.note(layers.values(), self._guards):
                break
        self._seen, self._only_own = list(layers.values()), len(layers) == len(self._own)
        return layers

    def _reseat(self, others: dict[int, Any]) -> None:
        """Have all Programs read what is in the seats now (see `seats`)."""
        if len(others) > 1:
            for program in self._cache.values():
                program.reseat(others)
            for calls in self._states.every():
                for known in calls.quick.values():
                    for one in (known, *known.choices.values()):
                        if one.entry is not no_entry:
                            reseat(one.entry.__globals__, others)  # type: ignore[attr-defined]

    def _declared_specs(self, bound: signatures.Bound) -> dict[int, InputSpec]:
        """InputSpecs by leaf position, of the actual arguments that fit them."""
        if self._input_spec is None:
            return {}
        signature = self._signature()
        specs = signature.bind_specs(self._input_spec).arguments[0][: len(self._input_spec)]
        return declared(specs, bound, [p.name for p in signature.parameters], self.__name__, self)

    # -- building -----------------------------------------------------------------------------------------------------

    def _signature(self) -> signatures.Signature:
        if self._signature_object is None or not self._signature_object.is_of_now():
            self._signature_object = signatures.Signature(self._function, self._instance is not None)
        return self._signature_object

    @with_compile_lock
    def _translate(self) -> Any:
        if self._translated is None:
            if not isinstance(self._function, types.FunctionType):  # a partial
                self._translated = operators.call(self._function)
                return self._translated
            self._translated, text = transpile_function(self._function, operators)
            if Settings.code_level > 0:
                tell(text, Settings.code_to_stdout)
        return self._translated

    def _trace(
        self, bound: signatures.Bound, specs: dict[int, InputSpec], as_called: bool = False, for_file: bool = False
    ) -> TraceResult:
        instance = self._instance
        if isinstance(self._function, types.FunctionType):
            self._guards.track_function(self._function, instance)
        elif isinstance(self._function, functools.partial):
            self._guards.track_partial(self._function)
        function = self._translate()
        forward = function if instance is None else functools.partial(function, instance)
        if as_called and isinstance(instance, Layer):
            forward = functools.partial(_called, instance, forward)
        traced = trace(forward, bound, specs, [self._function, instance], self._guards, for_file)
        if self._seats and not self._seats.fit(traced, self._guards):
            self._epoch = -1
        moved = self._slots.settle(traced)
        if moved:
            self._cache = self._cache.without(lambda program: not moved.isdisjoint(map(id, program.roots.holders)))
            self._states.clear()
        return traced


def _by_name(function: Any) -> Any:
    """What is found by the module and the name of a function: a static function, where it was decorated; None for a local one."""
    found: Any = sys.modules.get(function.__module__)
    for part in function.__qualname__.split("."):
        found = getattr(found, part, None)
    return found


def _called(layer: Layer, forward: Any, *args: Any, **kwargs: Any) -> Any:
    """A call of a Layer, in the trace of its ``forward``."""
    call = type(layer).__call__
    if call is Layer.__call__:
        return layer._call_with_hooks(args, kwargs, forward)
    return mode.current().translate(call)(layer, *args, **kwargs)
