"""Python numbers that are inputs of the Program being traced: what they are in this call, and what the trace took of that.

Each such input is a `Number` (`sym_number.py`), and so is what is computed of it. Beside its value in the Program such a number
has the one of this call, with the expression that computes it from the inputs. Where Python has to know something (a condition, a
count, a key) it is told, and a `NumberGuard` remembers what it asked: another call runs this Program if all questions have the same
answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from to_static.compiler.ir.program import Var
from to_static.core.code_generation import evaluate

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
}  # fmt: skip
_LONGEST = 400  # characters of an expression; beyond that the number is one that only the Program knows


class NumberGuard:
    """A question that a trace asked about its number inputs: a guard of the Program.

    ``text``: an expression of them, ``n[0] > 5``, and of ``names``; ``shown``: that for people; ``ask(n)``: its answer.
    """

    __slots__ = ("ask", "names", "shown", "text")

    def __init__(self, text: str, shown: str, names: dict[str, Any]) -> None:
        self.text = text
        self.shown = shown
        self.names = names
        self.ask: Callable[[Sequence[Any]], Any] = evaluate(f"lambda n: {text}", dict(names), {})


class SpecializedNumber:
    """The value that a number has in the call that is traced, and the expression of it."""

    __slots__ = ("shown", "text", "value")

    def __init__(self, value: object, text: str, shown: str) -> None:
        self.value = value
        self.text = text
        self.shown = shown


class NumberInputs:
    """The number inputs of one trace. ``asked``: the questions, each with its answer, in order."""

    def __init__(self) -> None:
        self._specialized: dict[Var, SpecializedNumber] = {}
        self._names: dict[str, Any] = {"exact": exact, "bool": bool}
        self._texts: set[str] = set()
        self.asked: list[tuple[NumberGuard, Any]] = []

    def add(self, var: Var, index: int, value: object, name: str) -> None:
        """An input: the one at this place among those of a call."""
        self._specialized[var] = SpecializedNumber(value, f"n[{index}]", name)

    def knows(self, var: Var) -> bool:
        """True if a value of the Program is an input, or computed from inputs only."""
        return var in self._specialized

    def compute(self, var: Var, function: Callable[..., Any], name: str, operands: Sequence[Any]) -> None:
        """``var`` is what ``function`` gives for ``operands``: values of the Program, or Python numbers."""
        numbers = [
            self._specialized.get(x) if isinstance(x, Var) else SpecializedNumber(x, self._constant(x), repr(x))
            for x in operands
        ]
        if None in numbers or not any(isinstance(x, Var) for x in operands):
            return
        try:
            value = function(*(x.value for x in numbers))  # type: ignore[union-attr]
        except Exception:  # the Program raises it when it runs
            return
        called = self._name(function, name)
        text = f"{called}({', '.join(x.text for x in numbers)})"  # type: ignore[union-attr]
        if len(text) <= _LONGEST:
            self._specialized[var] = SpecializedNumber(value, text, _shown(name, [x.shown for x in numbers]))  # type: ignore[union-attr]

    def truth(self, var: Var) -> bool | None:
        """The truth of a number in this call; None for one that only the Program knows."""
        number = self._specialized.get(var)
        if number is None:
            return None
        return self._ask(f"bool({number.text})", number.shown, bool(number.value))  # type: ignore[no-any-return]

    def value(self, var: Var) -> Any:
        """The value of a number in this call, which the Program has built in; None for one that only the Program knows."""
        number = self._specialized.get(var)
        if number is None:
            return None
        self._ask(f"exact({number.text})", number.shown, exact(number.value))
        return number.value

    def _ask(self, text: str, shown: str, answer: object) -> Any:
        if text not in self._texts:
            self._texts.add(text)
            self.asked.append((NumberGuard(text, shown, self._names), answer))
        return answer

    def _constant(self, value: object) -> str:
        if type(value) in (int, bool) or (type(value) is float and math.isfinite(value)):
            return f"({value!r})"
        return self._name(value, repr(value))

    def _name(self, value: object, shown: str) -> str:
        for name, other in self._names.items():
            if other is value:
                return name
        name = f"f{len(self._names)}"
        self._names[name] = value
        return name


def _shown(name: str, operands: list[str]) -> str:
    """A call of a function as people write it: ``a > 5`` for ``gt(a, 5)``."""
    if name in _SIGNS and len(operands) == 2:
        left, right = (f"({operand})" if " " in operand and operand[:1] not in "'(" else operand for operand in operands)
        return f"{left} {_SIGNS[name]} {right}"
    return f"{name}({', '.join(operands)})"


def exact(value: object) -> Any:
    """A number as an answer: 1, 1.0 and True are others, and so are 0.0 and -0.0; NaN is itself."""
    return (float, repr(value)) if type(value) is float else (type(value), value)
