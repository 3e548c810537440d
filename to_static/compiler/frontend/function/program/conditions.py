"""Conditions that must hold before a plan runs, besides the key. Each is declared once, as a check and as source text for an
entry.

If a condition does not hold, the call uses another Program (`GuardedStateMoved`), or Python; nothing has been changed yet.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np

from to_static.compiler.frontend.function.program.buffer_slots import tensor_of
from to_static.compiler.frontend.function.program.call_failure import CallFailure
from to_static.compiler.frontend.function.program.containers import containers, is_copied_for_trace
from to_static.compiler.frontend.tracing.gradient_writes import is_fresh
from to_static.core.diagnostics.source_location import report
from to_static.core.errors import AutogradError, TranslationError
from to_static.nn.layer import Layer

if TYPE_CHECKING:
    from to_static.compiler.frontend.function.program.concrete import ConcreteProgram

_memory_of = operator.attrgetter("_memory")


class GuardedStateMoved(Exception):
    """The tensors that are one object in this call are others than at the trace. Raised before the run has changed anything."""


class EntryText(Protocol):
    """The names in the text of an entry.

    ``space``: the globals of the entry; ``feeds``: the leaves that are inputs of the Program (leaf 0 is named ``x0``);
    ``number_types``: those of them that are numbers, with their types.
    """

    space: dict[str, Any]
    feeds: list[int]
    number_types: dict[int, type]

    def any_memory(self, holders: list[Any], name: str) -> list[str]:
        """Expressions, one of which is true if a tensor among ``holders`` shares its memory. ``name``: a global for ``holders``."""


class Condition:
    """One condition of a Program, checked before its plan runs.

    ``derived``: whether `fails` gives its text for an entry. If a Program has a condition without text, no entry runs its plan.
    """

    derived = False

    def __init__(self, program: ConcreteProgram) -> None:
        self.program = program

    def check(self, tensors: Sequence[Any], leaves: Sequence[Any], arguments: object) -> None:
        """Raise GuardedStateMoved (another Program) or CallFailure (Python) if the condition does not hold.

        ``tensors``: the inputs of the Program; ``leaves``: all leaves of the call, of which they are some; ``arguments``: the
        positional and keyword arguments with their structure.
        """
        raise NotImplementedError("a subclass must define this method")

    def fails(self, text: EntryText) -> str:
        """Return an expression that is true if the condition may not hold; then the entry leaves the call to `check`."""
        raise NotImplementedError("a subclass must define this method")


class SameBuffers(Condition):
    """The same buffers are one tensor as at the trace; matters if some of them change in place."""

    def check(self, tensors: Sequence[Any], leaves: Sequence[Any], arguments: object) -> None:
        program = self.program
        differs = any(slot.tensor is not tensor_of(twin) for slot, twin in program.traced.twins)
        if differs or (program.facts.mutates_inputs and len(set(map(id, program.parameters))) < len(program.roots.holders)):
            raise GuardedStateMoved


class UnaliasedTensors(Condition):
    """A tensor that changes in place is read by one name only, and no view of it is read.

    The values of a Program do not alias each other, so a Program cannot show the change under the other name.
    """

    derived = True

    def check(self, tensors: Sequence[Any], leaves: Sequence[Any], arguments: object) -> None:
        program = self.program
        tensor_ids, slots = set(map(id, tensors)), program.roots.slots
        if tensor_ids and (not program.roots.ids.isdisjoint(tensor_ids) or any(id(slot.tensor) in tensor_ids for slot in slots)):
            why = "an argument is a tensor that the function reads by another name as well"
            leave_to_python(_alias_error(why, "pass a copy, `x.clone()`"))
        if not any(map(_memory_of, tensors)) and not any(map(_memory_of, program.parameters if slots else program.roots.holders)):
            return
        parts = [tensor for tensor in (*tensors, *program.parameters) if tensor._memory is not None]
        if len(parts) < 2:
            return
        traced = program.traced
        roots = [*program.roots.changing, *(v.holder for v, _ in traced.carried)]
        changed_ids = {id(leaves[i]) for i, _ in traced.changed_arguments} | {id(tensor_of(root)) for root in roots}
        for first, second in itertools.combinations(parts, 2):
            meet = second._memory is first._memory and second is not first and not changed_ids.isdisjoint((id(first), id(second)))
            if meet and np.may_share_memory(first._array, second._array):
                why = "of two tensors that the function reads one is a view of the other"
                rewrite = "make the view in the function, `v = x.reshape([-1])`, or pass a copy, `x.clone()`"
                leave_to_python(_alias_error(why, rewrite))

    def fails(self, text: EntryText) -> str:
        text.space["held"] = self.program.roots.ids
        tests = [f"id(x{i}) in held" for i in text.feeds if i not in text.number_types]
        return " or ".join([*tests, *text.any_memory(self.program.roots.changing, "changing")])


class Compared(Condition):
    """The comparisons by ``is`` of arguments and tensors from outside have the outcomes of the trace."""

    derived = True

    def check(self, tensors: Sequence[Any], leaves: Sequence[Any], arguments: object) -> None:
        if any((leaves[i] is tensor) is not is_one for i, tensor, is_one in self.program.traced.compared):
            raise GuardedStateMoved

    def fails(self, text: EntryText) -> str:
        traced, tests = self.program.traced, []
        for index, (i, tensor, is_one) in enumerate(traced.compared):
            text.space[f"compared{index}"] = tensor
            tests.append(f"x{text.feeds[traced.feeds.index(i)]} is {'not ' * is_one}compared{index}")
        return " or ".join(tests)


class UnaliasedContainers(Condition):
    """A list, dict or dataclass object among the arguments has no other name in the function; matters if the function writes.

    The trace works on copies of such arguments (`containers.py`), so a write would not show under the other name: a global or
    closure variable, an attribute of ``self``, or an attribute of another argument.
    """

    _outside: frozenset[int] | None = None  # ids of the containers that the trace read from outside

    def check(self, tensors: Sequence[Any], leaves: Sequence[Any], arguments: object) -> None:
        if self._outside is None:
            self._outside = frozenset(id(x) for x in self.program.call.outside if is_copied_for_trace(x))
        container_ids = set(map(id, containers(arguments)))
        if not container_ids:
            return
        owners = [x for x in leaves if hasattr(x, "__dict__") and not isinstance(x, Layer)]
        if not container_ids.isdisjoint([*self._outside, *(id(value) for owner in owners for value in vars(owner).values())]):
            why = "an argument is a list, dict or object that the function reads by another name as well"
            leave_to_python(_alias_error(why, "pass a copy, `list(items)`"))


class FreshGradients(Condition):
    """An argument to which the function adds a gradient has no gradient yet, and was not computed from other tensors."""

    def check(self, tensors: Sequence[Any], leaves: Sequence[Any], arguments: object) -> None:
        traced = self.program.traced
        for position in traced.grad_inputs:
            if not is_fresh(leaves[position]):
                name = traced.names[traced.feeds.index(position)]
                leave_to_python(
                    AutogradError(
                        f"a gradient is added to the argument {name!r}, which has one already or was computed from other tensors: "
                        "hand in a copy, `x.detach()`, or call `x.clear_grad()` before"
                    )
                )


def conditions_of(program: ConcreteProgram) -> list[Condition]:
    """The conditions that matter for a Program, in the order in which they are checked."""
    traced = program.traced
    relevance = {
        Compared: traced.compared,
        SameBuffers: traced.twins or (program.facts.mutates_inputs and program.roots.slots),
        UnaliasedTensors: program.facts.mutates_inputs,
        UnaliasedContainers: traced.writes,
        FreshGradients: traced.grad_inputs,
    }
    return [condition(program) for condition, is_relevant in relevance.items() if is_relevant]


def aliased_read_error() -> TranslationError:
    """The error of a function that changes a tensor in place which it reads by several names."""
    return _alias_error("the function reads one tensor by two names", "give each name a copy, `x.clone()`")


def leave_to_python(error: Exception) -> NoReturn:
    """Raise CallFailure before anything has changed: Python does the call, or raises ``error`` under ``full_graph``."""
    raise CallFailure(error, is_refusal=True)


def _alias_error(why: str, rewrite: str) -> TranslationError:
    return TranslationError(report(f"{why}, and one of them changes in place", None, rewrite))
