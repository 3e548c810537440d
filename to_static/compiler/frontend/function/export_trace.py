"""Programs of a static function for declared inputs, or for arguments that it is not run on: what `save` writes."""

from __future__ import annotations

from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function import signature as signatures
from to_static.compiler.frontend.function.attribute_forwarding import AttributeForwarding
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.ir.input_spec import InputSpec
from to_static.core import tree
from to_static.core.compile_lock import COMPILE_LOCK, with_compile_lock
from to_static.nn.layer import Layer


class ExportTrace(AttributeForwarding):
    """The part of `StaticFunction` that makes Programs and runs none; what has none is refused."""

    def get_concrete_program(self, *args: Any, as_called: bool = False, **kwargs: Any) -> tuple[ConcreteProgram, Any]:
        """The Program for a call with these arguments (tensors or InputSpecs), without running it."""
        bound = self._signature().bind(args, kwargs)
        if any(isinstance(leaf, InputSpec) for leaf in bound.leaves):
            return self._from_specs(bound, as_called), None
        with COMPILE_LOCK:
            concrete = self._concrete_for(bound, *self._key_of(bound))
        return concrete, None

    def concrete_program_specify_input_spec(
        self, input_spec: Any = None, as_called: bool = False, for_file: bool = False
    ) -> ConcreteProgram:
        """The Program for ``input_spec`` (or the spec given to `to_static`, or the newest call). Used by `save`.

        ``as_called``: of a call of the Layer whose ``forward`` this is: with its hooks, or by the ``__call__`` of its class.
        ``for_file``: with what Python and NumPy draw built in; without a spec of the newest call, also if that ran in Python.
        Raises ValueError when there is neither a spec nor an earlier call.
        """
        chosen = input_spec if input_spec is not None else self._input_spec
        if chosen is None and not self._cache and not self._signature().parameters:
            chosen = []
        if chosen is None:
            if not self._cache and self._breaks:
                broken = next(reversed(self._breaks.values()))
                if for_file and broken.given is not None:
                    args, kwargs = tree.unflatten(*broken.given)
                    return self._from_specs(self._bind(args, kwargs, as_called), as_called, for_file)
                raise broken.refuse()
            if not self._cache:
                name = self._function.__qualname__.rpartition("<locals>.")[2]
                specs = ", ".join(f"InputSpec(shape, 'float32', {arg.name!r})" for arg in self._signature().parameters)
                raise ValueError(
                    f"{name} has never been called and has no input_spec, so its inputs are not known: pass input_spec=[{specs}], "
                    "each with its shape, None for sizes that vary, as in [None, 3]; or call it once first"
                )
            newest = next(reversed(self._cache.values()))
            # one that was made of specs may be that of a call of the Layer
            again = as_called or newest.traced.inputs or newest.call.layer_arguments is newest.call.arguments
            return self._again(newest, as_called, for_file) if newest.call.arguments is not None and again else newest
        signatures.check_specs(chosen)
        specs = [InputSpec.from_tensor(s) if isinstance(s, EagerTensor) else s for s in chosen]
        return self._from_specs(self._signature().bind_specs(specs, around=as_called), as_called, for_file)

    def note_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Remember, if this call made a new Program, what the Layer was called with whose hooks made other arguments of it."""
        newest = next(reversed(self._cache.values()), None)
        if newest is not None and newest.call.arguments is not None and newest.call.layer_arguments is None:
            bound = self._signature().bind_around(args, kwargs)
            newest.call.layer_arguments = bound.recipe, bound.specs()

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any], as_called: bool) -> signatures.Bound:
        return self._signature().bind_around(args, kwargs) if as_called else self._signature().bind(args, kwargs)

    def _again(self, program: ConcreteProgram, as_called: bool, for_file: bool) -> ConcreteProgram:
        """The Program with the numbers built in that are its inputs: those of its last run, and what there is outside now."""
        call: Any = program.call
        recipe, leaves = call.arguments
        leaves = list(leaves)
        for i, number in zip(program.traced.inputs, call.numbers, strict=False):
            if i < len(leaves):
                leaves[i] = number
        if as_called and call.layer_arguments not in (None, call.arguments):
            recipe, leaves = call.layer_arguments
        elif program.relaxed:
            for i, var in zip(program.feeds, program.inputs, strict=True):
                leaves[i] = InputSpec(var.shape, var.dtype, leaves[i].name, leaves[i].stop_gradient)
        args, kwargs = tree.unflatten(recipe, leaves)
        return self._from_specs(self._bind(args, kwargs, as_called), as_called, for_file)

    @with_compile_lock
    def _from_specs(self, bound: signatures.Bound, as_called: bool, for_file: bool = False) -> ConcreteProgram:
        keys = tuple(leaf if isinstance(leaf, InputSpec) else signatures.leaf_key(leaf) for leaf in bound.leaves)
        key = ("specs", bound.recipe, keys, as_called, self._mode_flags(), signatures.environment_key())
        concrete = self._cache.get(key)
        if concrete is None:
            concrete = ConcreteProgram(self._trace(bound, {}, as_called, for_file))
            if not concrete.traced.drawn:  # which would be the numbers of every later file
                self._cache[key] = concrete
            if isinstance(self._instance, Layer):
                concrete.call.arguments = concrete.call.layer_arguments = bound.recipe, bound.leaves
        return concrete
