"""`CallKeys`: makes the key under which the Program of a call is stored."""

from __future__ import annotations

from typing import Any

from to_static.compiler.frontend.function import signature as signatures
from to_static.compiler.frontend.function.lookup.surroundings import Surroundings
from to_static.compiler.frontend.function.signature import Bound
from to_static.compiler.frontend.function.varying import NumberChoice, Varying
from to_static.compiler.frontend.tracing import input_places
from to_static.compiler.frontend.tracing.input_places import INPUT, NUMBERS, fits
from to_static.compiler.ir.input_spec import InputSpec

Specs = dict[int, InputSpec]  # declared inputs, by the position of the leaf


class CallKeys:
    """Makes the complete keys of calls of one static function; ``varying`` decides which numbers are inputs."""

    __slots__ = ("surroundings", "varying")

    def __init__(self, surroundings: Surroundings) -> None:
        self.surroundings = surroundings
        self.varying = Varying()

    def complete_key(self, bound: Bound, specs: Specs) -> tuple[Any, ...]:
        """Return the key: structure, leaves, which of them are one object, flags, settings, answers of number inputs."""
        key = self.without_answers(bound, specs)
        return (*key, self.varying.answers(key, bound.leaves) if bound.inputs else ())

    def without_answers(self, bound: Bound, specs: Specs) -> tuple[Any, ...]:
        """Return the key without the answers, which is equal for all Programs that `NumberChoice` chooses among."""
        flags = self.surroundings.current_flags()
        self._find_numbers(bound)
        count = len(bound.leaves) - bound.outside_count
        leaves = tuple(
            (specs[i].tensor_spec, leaf.stop_gradient)
            if i in specs
            else (type(leaf), INPUT)
            if i in bound.inputs
            else self._leaf_key(leaf)
            for i, leaf in enumerate(bound.leaves)
            if i < count or i not in bound.inputs
        )
        tensor_aliases = signatures.aliases([bound.leaves[i] for i in bound.tensors])
        compared = self.surroundings.guards.compared
        if compared:  # arguments that are tensors from outside which the function compares by ``is``
            tensor_aliases += tuple((i, id(bound.leaves[i])) for i in bound.tensors if id(bound.leaves[i]) in compared)
        bound.state_key = flags, signatures.environment_key()
        return (bound.recipe, leaves, (tensor_aliases, bound.container_aliases), *bound.state_key)

    def choice_of(self, bound: Bound, specs: Specs) -> tuple[NumberChoice | None, Any]:
        """Return the tree of questions for a call with number inputs, and the answers of this call."""
        key = self.without_answers(bound, specs)
        return self.varying.tree(key), self.varying.answers(key, bound.leaves)

    def record_numbers(self, bound: Bound, may_be_inputs: bool) -> None:
        """Record the numbers among the arguments: at its second value a number becomes an input, if they ``may_be_inputs``."""
        for i, leaf in enumerate(bound.leaves):
            if type(leaf) in NUMBERS:
                self.varying.observe(bound.paths[i], leaf, may_be_inputs)

    def build_in(self, bound: Bound, inputs: list[int]) -> None:
        """Make these number inputs constants of Programs; later calls with other numbers need other Programs."""
        count = len(bound.leaves) - bound.outside_count
        for i in inputs:
            if i < count:
                self.varying.build_in(bound.paths[i], bound.leaves[i])
        self.surroundings.guards.build_in()
        self.surroundings.expire()

    def _find_numbers(self, bound: Bound) -> None:
        """Set ``bound.inputs`` and the leaves from outside: which numbers are inputs now."""
        sources = self.surroundings.guards.inputs
        bound.add_from_outside([input_places.value_of(source) for source in sources], [source.label for source in sources])
        count = len(bound.leaves) - bound.outside_count
        bound.inputs = [
            i
            for i, leaf in enumerate(bound.leaves)
            if type(leaf) in NUMBERS and (fits(leaf) if i >= count else self.varying.is_input(bound.paths[i], leaf))
        ]

    def _leaf_key(self, leaf: Any) -> Any:
        """The part of the key for a leaf, with the values in it that the traced functions may read."""
        key, read = signatures.leaf_key(leaf), self.surroundings.guards.read_of(leaf)
        return (key, read) if read else key
