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

    builder: the builder of the Program.
    guards: the guards of the static function; they record what the traced functions read. None: no reads are guarded.
    for_file: the Program is for a file, in which random numbers of Python and NumPy are constants.
    random_calls: the calls for such numbers, each with its line.
    effects: the undo log of the writes.
    catching: the error types that the enclosing ``except`` clauses catch, each with the block of its ``try`` statement.
    functions: the functions that the trace has called so far.
    """

    def __init__(self, builder: Builder, guards: Guards | None = None, for_file: bool = False) -> None:
        self.builder = builder
        self.guards = guards
        self.for_file = for_file
        self.random_calls: list[tuple[str, SourceLocation | None]] = []
        self.effects = SideEffects()
        self.catching: list[tuple[tuple[Any, ...], Any]] = []
        self.functions: list[Any] = []
        self.stand_ins = contextlib.ExitStack()  # restores the numbers and tensors from outside that stand-ins replace
        self.roots: list[Any] = []  # the called function and its arguments
        self.errors_carry_tensors = False  # the function may raise an error that holds a tensor, or after writes in its block
        self.abandoned: list[Any] = []  # iterators that a loop of the Program may have left before their end
        self.arguments: dict[int, tuple[int, Any]] = {}  # id of the stand-in of a tensor argument -> its leaf, and the tensor
        self.outside_inputs: set[int] = set()  # ids of the stand-ins of tensors and numbers from outside that are inputs
        self.compared: list[tuple[int, Any, bool]] = []  # results of `is`: a leaf, a tensor from outside, whether they are one
        self.iterators: dict[int, tuple[Any, Any, tuple[Any, ...]]] = {}  # id -> the iterator, its block, what it iterates over

    def are_one(self, a: Tensor, b: Tensor) -> bool:
        """True if two tensors are one object in the user's function. The facts on which this depends are guarded."""
        ids = {id(a), id(b)}
        if ids <= self.arguments.keys() and ids & self.outside_inputs:  # no key says which of these are one object
            raise broken("`is` compares a tensor that is another one in each call", "pass a flag as an argument of the function")
        for stand_in, outside_tensor in ((a, b), (b, a)):
            if isinstance(outside_tensor, EagerTensor):
                if self.guards is not None:
                    self.guards.compares(outside_tensor)
                if id(stand_in) in self.arguments:
                    leaf, tensor = self.arguments[id(stand_in)]
                    self.compared.append((leaf, outside_tensor, tensor is outside_tensor))
                    return tensor is outside_tensor
        return a is b

    def record_iterator(self, iterator: object, iterables: tuple[Any, ...]) -> None:
        """Record that this block created an iterator over ``iterables``."""
        self.iterators[id(iterator)] = iterator, self.builder.frame, iterables

    def created_in_this_block(self, iterator: object) -> bool:
        """True if this block created an iterator, so that taking items from it affects only this block."""
        return id(iterator) in self.iterators and self.iterators[id(iterator)][1] is self.builder.frame

    def abandon(self, iterator: object) -> None:
        """Record that only a run of the Program knows the position of this iterator, and of those over which it iterates."""
        self.abandoned.append(iterator)
        for inner in self.iterators[id(iterator)][2] if id(iterator) in self.iterators else ():
            self.abandon(inner)

    def iterator_chain(self, iterator: object) -> list[Any]:
        """Return an iterator, and all iterables from which it takes its items."""
        entry = self.iterators.get(id(iterator))
        return [iterator, *(x for inner in (entry[2] if entry else ()) for x in self.iterator_chain(inner))]

    def outlives(self, value: object) -> bool:
        """True if an object can be reached from the arguments or functions, or is an iterator over such an object."""
        entry = self.iterators.get(id(value))
        if entry is not None:
            return any(isinstance(inner, Iterator) and self.outlives(inner) for inner in entry[2])
        return id(value) in reachable([*self.roots, *self.functions])


def current() -> TraceContext:
    """Return the state of the running trace. Raises ModeError if there is none."""
    builder = mode.current()
    if not builder.building:
        raise ModeError("no function is being traced")
    if builder.session is None:
        builder.session = TraceContext(builder)
    return builder.session  # type: ignore[no-any-return]


def inside_block() -> bool:
    """True if a branch or loop body is being traced, which a run may skip."""
    builder = mode.current()
    return builder.building and builder.frame is not builder.root


def resolve_list(items: object) -> Any:
    """Return the list of the Program that replaces a Python list, if there is one (`SideEffects.resolved`); else the value."""
    return current().effects.resolved(items) if mode.building() else items
