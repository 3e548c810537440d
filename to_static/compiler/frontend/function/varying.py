"""Numbers that vary from call to call: when its second value appears, a number becomes an input of the Program and leaves the
key.

Such a Program serves all numbers for which each test in the trace (a condition, a count, a key of a dict) has the same outcome
(`ir.symbolic.sym_number_inputs`). So the Programs of one key are the leaves of a decision tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.tracing.input_places import fits
from to_static.compiler.ir.symbolic.scalar_arithmetic import DTYPES
from to_static.compiler.ir.symbolic.sym_number_inputs import NumberGuard
from to_static.compiler.runtime.diagnostics.failure import StaleProgramError
from to_static.core import backend

# in place of the outcomes, in the key of a call for which no Program's tests have these outcomes
NO_ANSWERS: Any = (("numbers", None),)


class Varying:
    """Decides which number arguments of one static function are inputs, by name and type, and stores the tests on them.

    A "question" is a test on number inputs in a trace (`NumberGuard`), an "answer" its outcome.
    """

    def __init__(self) -> None:
        self._first_values: dict[tuple[str, type], Any] = {}  # (name, type) -> the first value, as text
        self._inputs: set[tuple[str, type]] = set()
        self._built_in: set[tuple[str, type]] = set()
        self._trees: dict[Any, NumberChoice] = {}  # key without answers -> the decision tree of its Programs

    def observe(self, name: str, value: object, may_be: bool) -> None:
        """Record the value of an argument: at its second value it becomes an input, if it ``may_be``."""
        argument = name, type(value)
        varies = self._first_values.setdefault(argument, repr(value)) != repr(value)
        if varies and may_be and argument not in self._built_in:
            self._inputs.add(argument)

    def is_input(self, name: str, value: object) -> bool:
        """True if this number is an input."""
        return (name, type(value)) in self._inputs and fits(value)

    def build_in(self, name: str, value: object) -> None:
        """Never make such numbers inputs, because no Program can have them as inputs."""
        self._built_in.add((name, type(value)))
        self._inputs.discard((name, type(value)))

    def let_be_input(self, name: str, value: object) -> None:
        """Make such numbers inputs again, after `build_in`."""
        self._built_in.discard((name, type(value)))
        self._inputs.add((name, type(value)))

    def answers(self, key: tuple[Any, ...], leaves: Sequence[Any]) -> Any:
        """Return the answers of a call with these leaves, which tell Programs of one key apart; `NO_ANSWERS` if they are new."""
        tree = self._trees.get(key)
        answer = () if tree is None else tree.find(leaves)
        return NO_ANSWERS if answer is None else answer

    def tree(self, key: tuple[Any, ...]) -> NumberChoice | None:
        """Return the questions of the Programs of this key; None if there are none."""
        return self._trees.get(key)

    def add(self, key: tuple[Any, ...], asked: Sequence[tuple[NumberGuard, Any]], leaves: Sequence[Any]) -> None:
        """Add the questions of a Program that was traced for these leaves, with their answers."""
        if asked or key in self._trees:
            self._trees.setdefault(key, NumberChoice()).add(asked, leaves)


class NumberChoice:
    """A node of a decision tree of questions; ``answers``: those that lead to it. A leaf stands for one Program."""

    __slots__ = ("_next", "_question", "answers")

    def __init__(self, answers: tuple[Any, ...] = ()) -> None:
        self._question: NumberGuard | None = None
        self._next: dict[Any, NumberChoice] = {}
        self.answers = answers

    def find(self, leaves: Sequence[Any]) -> tuple[Any, ...] | None:
        """Return the answers for these leaves; None if one of them is new."""
        node: NumberChoice | None = self
        while node is not None and node._question is not None:
            node = node._next.get(_answer(node._question, leaves))
        return None if node is None else node.answers

    def add(self, asked: Sequence[tuple[NumberGuard, Any]], leaves: Sequence[Any]) -> None:
        """Add the Program whose trace asked these questions, with their answers, for these leaves of a call."""
        answers = {question.text: answer for question, answer in asked}
        node = self
        while node._question is not None:
            answer = answers.pop(node._question.text, None)
            answer = _answer(node._question, leaves) if answer is None else answer
            node = node._child(answer)
        for question, answer in asked:
            if question.text in answers:
                node._question = question
                node = node._child(answer)

    def _child(self, answer: Any) -> NumberChoice:
        """Return the node for an answer to this node's question, made if there is none."""
        assert self._question is not None
        return self._next.setdefault(answer, NumberChoice((*self.answers, (self._question.description, answer))))


def _answer(question: NumberGuard, leaves: Sequence[Any]) -> Any:
    """Return the outcome of a test for these leaves, or the type of the error that it raises."""
    try:
        return question.ask(leaves)
    except Exception as error:  # (for such numbers the function takes another path, without this test)
        return type(error)


def as_tensor(value: object) -> Any:
    """Return the input of a Program for a leaf: the tensor itself, or a 0-D tensor for a number.

    Raises StaleProgramError for an int of more than 64 bits.
    """
    if isinstance(value, EagerTensor):
        return value
    if type(value) not in DTYPES:  # (while another thread traces, a stand-in replaces the number)
        raise StaleProgramError(f"a number was a {type(value).__name__} for a while")
    try:
        return EagerTensor(backend.current().xp.asarray(value, DTYPES[type(value)].np))
    except OverflowError:
        raise StaleProgramError(f"the int {value} has more than 64 bits") from None
