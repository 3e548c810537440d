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
    """One kind of call of a ``program``.

    ``order``: for each leaf, as the function's parameters have them and then the numbers from outside, its place in `complete`;
    ``defaults``: values of parameters that the call does not give; ``reads``: what gives the numbers from outside; ``answers``: by
    which this Program is found among those of its key, see `function/varying.py`.
    ``feeds``: the places of what the Program takes; ``numbers``: those of number inputs among these, with their types; ``outside``:
    those of tensors that come from outside; ``one``: which of its tensors are one, where some come from outside.
    """

    __slots__ = ("_as_given", "_one", "answers", "defaults", "feeds", "numbers", "order", "outside", "program", "reads")

    def __init__(
        self,
        program: ConcreteProgram,
        order: Sequence[int],
        defaults: Sequence[Any] = (),
        reads: Sequence[Callable[[], Any]] = (),
        answers: Any = (),
        one: tuple[int, ...] = (),
    ) -> None:
        self.program = program
        self.order = list(order)
        self.defaults = list(defaults)
        self.reads = list(reads)
        self.answers = answers
        self.feeds = [self.order[i] for i in program.feeds]
        traced = program.traced
        self.numbers = {self.order[i]: number_type for i, number_type in zip(traced.inputs, traced.types, strict=True)}
        self._as_given = self.order == list(range(len(self.order)))
        first = len(self.order) - len(self.reads)
        self.outside = [self.order[i] for i in program.feeds if i >= first and i not in traced.inputs]
        self._one = one

    def complete(self, arguments: Sequence[Any]) -> Sequence[Any]:
        """The leaves of a call as it gives them, then those that it does not give."""
        if self.defaults or self.reads:
            return [*arguments, *self.defaults, *[read() for read in self.reads]]
        return arguments

    def ordered(self, every: Sequence[Any]) -> Sequence[Any]:
        """The leaves as the Program has them, of what `complete` gave."""
        return every if self._as_given and len(every) == len(self.order) else [every[i] for i in self.order]

    def run(self, every: Sequence[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The result of a call, of what `complete` gave. Raises GuardedStateMoved where other tensors are one."""
        leaves = self.ordered(every)
        if self.outside and one_tensor(leaves) != self._one:
            raise GuardedStateMoved
        return self.program.run(leaves, (args, kwargs))

    @property
    def is_apart(self) -> bool:
        """True if no two tensors of a call are one."""
        return not self._one


def one_tensor(leaves: Sequence[Any]) -> tuple[int, ...]:
    """Say which of the tensors of a call are one object; empty if none are."""
    return aliases([leaf for leaf in leaves if isinstance(leaf, EagerTensor)])
