"""`TraceContext`: the state of one trace, except for the Program, which the builder holds."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.side_effects import SideEffects, reachable
from to_static.compiler.ir import mode
from to_static.compiler.ir.mode import building as building
from to_static.compiler.ir.tensor import Tensor
from to_static.core.diagnostics.source_location import SourceLocation
from to_static.core.errors import ModeError

if TYPE_CHECKING:
    from to_static.compiler.frontend.tracing.guards import Guards
    from to_static.compiler.ir.building.builder import Builder


class TraceContext:
    """The state of one trace.

    ``effects``: what it writes to the outside; ``catching``: kinds of errors that ``except`` clauses around here catch, with the
    block that each belongs to; ``watch``: told of each function that is met, as it guards what these read; ``functions``: those
    that were met; ``for_file``: the Program is for a file, which has built in what ``drawn`` tells of, calls for random numbers of
    Python's or NumPy's, each with its line.
    """

    def __init__(self, builder: Builder, watch: Guards | None = None, for_file: bool = False) -> None:
        self.builder = builder
        self.watch = watch
        self.for_file = for_file
        self.drawn: list[tuple[str, SourceLocation | None]] = []
        self.effects = SideEffects()
        self.catching: list[tuple[tuple[Any, ...], Any]] = []
        self.functions: list[Any] = []
        self.stand_ins = contextlib.ExitStack()  # numbers from outside have others in their places until this ends
        self.roots: list[Any] = []  # what the call was made with: the function and its arguments
        self.errors_carry_tensors = False  # errors may be raised that hold tensors, or behind writes of their block
        self.left: list[Any] = []  # iterators that loops may have left before their end
        self.arguments: dict[int, tuple[int, Any]] = {}  # by ids of the stand-ins of tensors their leaf, and the tensor
        self.outside_inputs: set[int] = set()  # ids of the stand-ins of tensors and numbers from outside that are inputs
        self.compared: list[tuple[int, Any, bool]] = []  # leaves, each with a tensor from outside, and whether it is that one
        self.iterators: dict[int, tuple[Any, Any, tuple[Any, ...]]] = {}  # by id: itself, the block that made it, what it is over

    def are_one(self, a: Tensor, b: Tensor) -> bool:
        """True if two tensors are one object, as far as they are for the function; what that depends on is guarded."""
        both = {id(a), id(b)}
        if both <= self.arguments.keys() and both & self.outside_inputs:  # no key says which of them are one: they are built in
            raise broken("`is` compares a tensor that is another one in each call", "pass a flag as an argument of the function")
        for one, other in ((a, b), (b, a)):
            if isinstance(other, EagerTensor):
                if self.watch is not None:
                    self.watch.compares(other)
                if id(one) in self.arguments:
                    leaf, tensor = self.arguments[id(one)]
                    self.compared.append((leaf, other, tensor is other))
                    return tensor is other
        return a is b

    def note_iterator(self, iterator: object, iterables: tuple[Any, ...]) -> None:
        """An iterator was made here, over these."""
        self.iterators[id(iterator)] = iterator, self.builder.frame, iterables

    def is_made_here(self, iterator: object) -> bool:
        """Return whether this block created an iterator, so that taking items from it affects only this block."""
        return id(iterator) in self.iterators and self.iterators[id(iterator)][1] is self.builder.frame

    def leave(self, iterator: object) -> None:
        """Only the Program knows where this iterator stands, and those that it takes its items of."""
        self.left.append(iterator)
        for inner in self.iterators[id(iterator)][2] if id(iterator) in self.iterators else ():
            self.leave(inner)

    def below(self, iterator: object) -> list[Any]:
        """An iterator, and all that it takes its items of."""
        entry = self.iterators.get(id(iterator))
        return [iterator, *(x for inner in (entry[2] if entry else ()) for x in self.below(inner))]

    def outlives(self, value: object) -> bool:
        """True if an object was there before the trace, as far as functions that were met lead to it, or goes over one that was."""
        entry = self.iterators.get(id(value))
        if entry is not None:
            return any(isinstance(inner, Iterator) and self.outlives(inner) for inner in entry[2])
        return id(value) in reachable([*self.roots, *self.functions])


def current() -> TraceContext:
    """The session of the trace that is running."""
    builder = mode.current()
    if not builder.building:
        raise ModeError("no function is being traced")
    if builder.session is None:
        builder.session = TraceContext(builder)
    return builder.session  # type: ignore[no-any-return]


def inside_block() -> bool:
    """True if a branch or loop body is being traced: what happens now may not happen when the Program runs."""
    builder = mode.current()
    return builder.building and builder.frame is not builder.root


def resolve_list(items: object) -> Any:
    """A list, or the one of the Program that stands for it since a function inside changed it where tensors decide."""
    return current().effects.resolved(items) if mode.building() else items
