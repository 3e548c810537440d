"""Programs for all sizes of dimensions that vary (see `relax`), and what is done where there is none."""

from __future__ import annotations

from typing import Any

from to_static.compiler.frontend.function.attribute_forwarding import AttributeForwarding
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.frontend.function.signature import Bound
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.spec import UNKNOWN
from to_static.core.compile_lock import COMPILE_LOCK


class AnySize(AttributeForwarding):
    """The part of `StaticFunction` that goes back from unknown sizes to those of a call: nobody asked for unknown ones."""

    def _traced_dynamic(self, bound: Bound, dynamic: dict[int, InputSpec], fixed: Any) -> ConcreteProgram:
        """A new Program for calls of all sizes, or where that can't be made, for those of this call (its key is ``fixed``)."""
        try:
            concrete = self._traced(bound, dynamic)
            concrete.relaxed = True
            return concrete
        except (Exception, SystemExit) as error:
            refused = error
        concrete = self._traced(bound, {})
        self._sizes.refuse(fixed, dynamic, refused, self.__name__)
        return concrete

    def _of_these_numbers(self, concrete: ConcreteProgram, bound: Bound) -> tuple[Any, ConcreteProgram]:
        """The same for a call for which a Program failed whose numbers are inputs: the Program with these numbers built in."""
        with COMPILE_LOCK:
            inputs, outside = bound.inputs, self._guards.inputs.copy()
            self._build_in(bound, inputs)
            program = self._concrete_for(bound, *self._key_of(bound))
            try:
                result = program(bound.leaves, bound.arguments)
            except (Exception, SystemExit):  # it is not for the inputs that it failed
                for i in inputs[: len(inputs) - len(outside)]:
                    self._varying.let_be_input(bound.paths[i], bound.leaves[i])
                self._guards.let_be_inputs(outside)
                self._epoch = -1
                raise
            self._forget(concrete)
        return result, program

    def _of_one_size(self, dynamic: ConcreteProgram, bound: Bound, error: Exception) -> tuple[Any, ConcreteProgram]:
        """The result of a call for which a Program for all sizes failed, and the Program for the sizes of this one."""
        with COMPILE_LOCK:
            key, specs = self._key_of(bound)
            concrete = self._concrete_for(bound, key, specs, vary=False)
        result = concrete(bound.leaves, bound.arguments)
        feeds = zip(dynamic.feeds, dynamic.inputs, strict=True)
        specs = {i: InputSpec(v.shape, v.dtype, v.name) for i, v in feeds if UNKNOWN in v.shape}
        self._sizes.refuse(key, specs, error, self.__name__)
        self._forget(dynamic)
        return result, concrete
