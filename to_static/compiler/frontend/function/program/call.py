"""`Call`: one kind of call of a Program. It says where each input of the Program comes from.

`Call` and `ConcreteProgram` describe together what a call does. `Call.run` follows this description step by step.
`specialized_entry.py` generates from it a function that does the same for calls like the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.frontend.function.program.conditions import GuardedStateMoved
from to_static.compiler.frontend.function.signature import aliases


class Call:
    """Maps the leaves of a call to the inputs of a Program.

    All leaves of a call are, in this order (`complete`): the leaves that it passes, as it passes them; the default values of
    parameters that it does not pass; the numbers and tensors from outside that are inputs. A "position" is one in this list.

    Attributes:
        program: the Program that runs such calls.
        order: for each leaf in the order of the function's parameters, then of the inputs from outside, its position.
        defaults: the default values.
        reads: functions that return the inputs from outside.
        answers: the outcomes of the tests on numbers by which this Program is chosen among those of its key (`varying.py`).
        feeds: the position of each input of the Program.
        number_types: the positions of number inputs, with their types.
        outside: the positions of tensors that come from outside.
    """

    __slots__ = ("_aliases", "_as_given", "answers", "defaults", "feeds", "number_types", "order", "outside", "program", "reads")

    def __init__(
        self,
        program: ConcreteProgram,
        order: Sequence[int],
        defaults: Sequence[Any] = (),
        reads: Sequence[Callable[[], Any]] = (),
        answers: Any = (),
        aliases: tuple[int, ...] = (),
    ) -> None:
        self.program = program
        self.order = list(order)
        self.defaults = list(defaults)
        self.reads = list(reads)
        self.answers = answers
        self.feeds = [self.order[i] for i in program.feeds]
        traced = program.traced
        self.number_types = {self.order[i]: number_type for i, number_type in zip(traced.inputs, traced.types, strict=True)}
        self._as_given = self.order == list(range(len(self.order)))
        first = len(self.order) - len(self.reads)
        self.outside = [self.order[i] for i in program.feeds if i >= first and i not in traced.inputs]
        self._aliases = aliases

    def complete(self, arguments: Sequence[Any]) -> Sequence[Any]:
        """Return all leaves of a call: those that it passes, then defaults and inputs from outside."""
        if self.defaults or self.reads:
            return [*arguments, *self.defaults, *[read() for read in self.reads]]
        return arguments

    def ordered(self, all_leaves: Sequence[Any]) -> Sequence[Any]:
        """Bring the leaves from `complete` into the order of the function's parameters, which the Program has."""
        return all_leaves if self._as_given and len(all_leaves) == len(self.order) else [all_leaves[i] for i in self.order]

    def run(self, all_leaves: Sequence[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the Program on the leaves from `complete`.

        Raises GuardedStateMoved if other tensors of the call are one object than in the first call.
        """
        leaves = self.ordered(all_leaves)
        if self.outside and tensor_aliases(leaves) != self._aliases:
            raise GuardedStateMoved
        return self.program.run(leaves, (args, kwargs))

    @property
    def has_no_aliases(self) -> bool:
        """True if no two tensors of the call are one object."""
        return not self._aliases


def tensor_aliases(leaves: Sequence[Any]) -> tuple[int, ...]:
    """Tell which of the tensors among these leaves are one object (see `signature.aliases`); empty if none are."""
    return aliases([leaf for leaf in leaves if isinstance(leaf, EagerTensor)])
