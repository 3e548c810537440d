"""Programs that are not run: a static function is traced for declared inputs, or for arguments, and the Program is returned.

`jit.save` and Paddle's methods of `StaticFunction`, such as `get_concrete_program`, use them.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function import signature as signatures
from to_static.compiler.frontend.function.compilation import Compilation
from to_static.compiler.frontend.function.graph_breaks import RecordedBreaks
from to_static.compiler.frontend.function.program.call_failure import CallFailure
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.frontend.function.target import TargetFunction
from to_static.compiler.frontend.tracing.input_places import value_of
from to_static.compiler.ir.input_spec import InputSpec
from to_static.core import tree
from to_static.core.processes.compile_lock import COMPILE_LOCK, with_compile_lock


class Exports:
    """Returns Programs of one static function without a run. Raises the refusal if a call has no Program."""

    __slots__ = ("_breaks", "_compilation", "_target")

    def __init__(self, target: TargetFunction, compilation: Compilation, breaks: RecordedBreaks) -> None:
        self._target = target
        self._compilation = compilation
        self._breaks = breaks

    def of_arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any], as_called: bool) -> ConcreteProgram:
        """See `StaticFunction.get_concrete_program`."""
        bound = self._target.signature().bind(args, kwargs)
        if any(isinstance(leaf, InputSpec) for leaf in bound.leaves):
            return self._from_specs(bound, as_called)
        try:
            with COMPILE_LOCK:
                return self._compilation.find_or_compile(bound, *self._compilation.key_of(bound))
        except CallFailure as failure:
            error = failure.error
        raise error

    def of_specs(self, input_spec: Any, as_called: bool, for_file: bool) -> ConcreteProgram:
        """See `StaticFunction.concrete_program_specify_input_spec`."""
        target, programs = self._target, self._compilation.programs
        chosen = input_spec if input_spec is not None else target.input_spec
        if chosen is None and not programs.cache and not target.signature().parameters:
            chosen = []
        if chosen is None:
            if not programs.cache and self._breaks:
                broken = next(reversed(self._breaks.values()))
                if for_file and broken.arguments is not None:
                    args, kwargs = tree.unflatten(*broken.arguments)
                    return self._from_specs(self._bind(args, kwargs, as_called), as_called, for_file)
                raise broken.refuse()
            if not programs.cache:
                raise self._no_inputs()
            newest = next(reversed(programs.cache.values()))
            call = newest.call
            # a Program of specs may be that of a call of the Layer
            must_trace = as_called or newest.traced.inputs or call.layer_arguments is call.arguments
            return self._retrace(newest, as_called, for_file) if call.arguments is not None and must_trace else newest
        signatures.check_specs(chosen)
        specs = [InputSpec.from_tensor(s) if isinstance(s, EagerTensor) else s for s in chosen]
        return self._from_specs(target.signature().bind_specs(specs, around=as_called), as_called, for_file)

    def _no_inputs(self) -> ValueError:
        """The error for a function without declared inputs that has not been called."""
        name = self._target.function.__qualname__.rpartition("<locals>.")[2]
        specs = ", ".join(f"InputSpec(shape, 'float32', {arg.name!r})" for arg in self._target.signature().parameters)
        return ValueError(
            f"{name} has never been called and has no input_spec, so its inputs are not known: pass input_spec=[{specs}], "
            "each with its shape, None for sizes that vary, as in [None, 3]; or call it once first"
        )

    def note_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """See `StaticFunction.note_call`."""
        newest = next(reversed(self._compilation.programs.cache.values()), None)
        if newest is not None and newest.call.arguments is not None and newest.call.layer_arguments is None:
            bound = self._target.signature().bind_around(args, kwargs)
            newest.call.layer_arguments = bound.recipe, bound.specs()

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any], as_called: bool) -> signatures.Bound:
        """Bind arguments to the parameters of the function, or (``as_called``) those of a call of its Layer."""
        signature = self._target.signature()
        return signature.bind_around(args, kwargs) if as_called else signature.bind(args, kwargs)

    def _retrace(self, program: ConcreteProgram, as_called: bool, for_file: bool) -> ConcreteProgram:
        """Trace the call of a Program again, with its number inputs as constants.

        The numbers are those of the last run, and the present ones from outside.
        """
        call: Any = program.call
        recipe, leaves = call.arguments
        leaves = list(leaves)
        for i, value in zip(program.traced.inputs, call.last_numbers, strict=False):
            if i < len(leaves):
                leaves[i] = value
        if as_called and call.layer_arguments not in (None, call.arguments):
            recipe, leaves = call.layer_arguments
        elif program.has_dynamic_sizes:
            for i, var in [(i, var) for i, var in zip(program.feeds, program.inputs, strict=True) if i < len(leaves)]:
                leaves[i] = InputSpec(var.shape, var.dtype, leaves[i].name, leaves[i].stop_gradient)
        args, kwargs = tree.unflatten(recipe, leaves)
        return self._from_specs(self._bind(args, kwargs, as_called), as_called, for_file)

    @with_compile_lock
    def _from_specs(self, bound: signatures.Bound, as_called: bool, for_file: bool = False) -> ConcreteProgram:
        """Return the Program for InputSpecs among bound arguments, traced if there is none. Numbers from outside are constants."""
        compilation = self._compilation
        programs, surroundings = compilation.programs, compilation.surroundings
        leaves = tuple(leaf if isinstance(leaf, InputSpec) else signatures.leaf_key(leaf) for leaf in bound.leaves)
        flags = surroundings.current_flags()
        built_in = tuple(signatures.constant_leaf_key(value_of(source)) for source in surroundings.guards.inputs)
        key = ("specs", bound.recipe, leaves, as_called, (flags, built_in), signatures.environment_key())
        program = programs.cache.get(key)
        if program is None:
            program = ConcreteProgram(compilation.trace_target(bound, {}, as_called, for_file))
            if not program.traced.random_calls:  # (random numbers that are constants may be in one file only)
                programs.cache[key] = program
            if self._target.layer is not None:
                program.call.arguments = program.call.layer_arguments = bound.recipe, bound.leaves
        return program
