"""Programs of a static function for declared inputs, or for arguments that it is not run on: what `save` writes."""

from __future__ import annotations

from typing import Any

from to_static.core import tree
from to_static.core.building import BUILDING, locked
from to_static.eager.tensor import EagerTensor
from to_static.function import signature as signatures
from to_static.function.as_function import AsFunction
from to_static.function.program.concrete import ConcreteProgram
from to_static.ir.input_spec import InputSpec


class FromSpecs(AsFunction):
    """The part of `StaticFunction` that makes Programs and runs none; what has none is refused."""

    def get_concrete_program(self, *args: Any, with_hooks: bool = False, **kwargs: Any) -> tuple[ConcreteProgram, Any]:
        """The Program for a call with these arguments (tensors or InputSpecs), without running it."""
        bound = self._signature().bind(args, kwargs)
        if any(isinstance(leaf, InputSpec) for leaf in bound.leaves):
            return self._from_specs(bound, with_hooks), None
        with BUILDING:
            found = self._concrete_for(bound, *self._key_of(bound))
        return found, None

    def concrete_program_specify_input_spec(self, input_spec: Any = None, with_hooks: bool = False) -> ConcreteProgram:
        """The Program for ``input_spec`` (or the spec given to `to_static`, or the newest call). Used by `save`.

        Raises ValueError when there is neither a spec nor an earlier call.
        """
        chosen = input_spec if input_spec is not None else self._input_spec
        if chosen is None and not self._cache and not self._signature().parameters:
            chosen = []
        if chosen is None:
            if not self._cache and self._breaks:
                raise next(reversed(self._breaks.values())).refuse()
            if not self._cache:
                name = self._function.__qualname__.rpartition("<locals>.")[2]
                raise ValueError(
                    f"{name} has never been called and has no input_spec, so its inputs are not known: "
                    "pass input_spec=[InputSpec([None, 784], 'float32', 'x')], or call it once first"
                )
            newest = next(reversed(self._cache.values()))
            return newest if newest.given is None else self._with_numbers(newest, with_hooks)
        specs = [InputSpec.from_tensor(s) if isinstance(s, EagerTensor) else s for s in chosen]
        return self._from_specs(self._signature().bind_specs(specs), with_hooks)

    def _with_numbers(self, program: ConcreteProgram, with_hooks: bool) -> ConcreteProgram:
        """The Program with the numbers built in that are its inputs: those of its last run, and what there is outside now."""
        recipe, leaves = program.given
        leaves = list(leaves)
        for i, number in zip(program.traced.inputs, program.numbers or (), strict=False):
            if i < len(leaves):
                leaves[i] = number
        args, kwargs = tree.unflatten(recipe, leaves)
        return self._from_specs(self._signature().bind(args, kwargs), with_hooks)

    @locked
    def _from_specs(self, bound: signatures.Bound, with_hooks: bool) -> ConcreteProgram:
        keys = tuple(leaf if isinstance(leaf, InputSpec) else signatures.leaf_key(leaf) for leaf in bound.leaves)
        key = ("specs", bound.recipe, keys, with_hooks, self._mode_flags(), signatures.environment_key())
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = ConcreteProgram(self._trace(bound, {}, with_hooks))
        return found
