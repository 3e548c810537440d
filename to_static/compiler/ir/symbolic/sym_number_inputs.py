"""Python numbers that are inputs of the Program being traced: their values in this call, and guards on these values.

Each such input is a `SymNumber` (`sym_number.py`), and so is every number computed from it. `NumberInputs` records the value that
such a number has in this call, and the expression that computes it from the inputs. If Python needs the value (for a condition, a
count, a key), Python gets it, and a `NumberGuard` records the question. A later call runs this Program if all questions have the
same answers. `SymNumber` and the tracer call this module.
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
_LONGEST = 400  # characters of an expression; a number with a longer one is known only when the Program runs


class NumberGuard:
    """A question that a trace asked about its number inputs: a guard of the Program.

    ``text``: the source of an expression over the inputs ``n`` and ``names``, such as ``n[0] > 5``; ``description``: the expression
    in the user's names; ``ask(n)``: evaluates it for the inputs of a call.
    """

    __slots__ = ("ask", "description", "names", "text")

    def __init__(self, text: str, description: str, names: dict[str, Any]) -> None:
        self.text = text
        self.description = description
        self.names = names
        self.ask: Callable[[Sequence[Any]], Any] = evaluate(f"lambda n: {text}", dict(names), {})


class SpecializedNumber:
    """A number's value in the traced call, the source of its expression (``text``), and that in the user's names."""

    __slots__ = ("description", "text", "value")

    def __init__(self, value: object, text: str, description: str) -> None:
        self.value = value
        self.text = text
        self.description = description


class NumberInputs:
    """The number inputs of one trace. ``asked``: pairs of a question and its answer, in order."""

    def __init__(self) -> None:
        self._specialized: dict[Var, SpecializedNumber] = {}
        self._names: dict[str, Any] = {"exact": exact, "bool": bool}
        self._texts: set[str] = set()
        self.asked: list[tuple[NumberGuard, Any]] = []

    def add(self, var: Var, index: int, value: object, name: str) -> None:
        """Record an input: ``index`` is its position among the number inputs of a call, ``value`` its value in this call."""
        self._specialized[var] = SpecializedNumber(value, f"n[{index}]", name)

    def knows(self, var: Var) -> bool:
        """True if a value of the Program is an input, or computed from inputs only."""
        return var in self._specialized

    def compute(self, var: Var, function: Callable[..., Any], name: str, operands: Sequence[Any]) -> None:
        """Record that ``var`` is ``function(*operands)``; ``operands`` are values of the Program or Python numbers."""
        specialized = [
            self._specialized.get(x) if isinstance(x, Var) else SpecializedNumber(x, self._constant(x), repr(x))
            for x in operands
        ]
        if None in specialized or not any(isinstance(x, Var) for x in operands):
            return
        try:
            value = function(*(x.value for x in specialized))  # type: ignore[union-attr]
        except Exception:  # the Program raises it when it runs
            return
        called = self._name(function, name)
        text = f"{called}({', '.join(x.text for x in specialized)})"  # type: ignore[union-attr]
        if len(text) <= _LONGEST:
            description = _call_text(name, [x.description for x in specialized])  # type: ignore[union-attr]
            self._specialized[var] = SpecializedNumber(value, text, description)

    def truth(self, var: Var) -> bool | None:
        """The truth of a number in this call; None for one that only the Program knows."""
        specialized = self._specialized.get(var)
        if specialized is None:
            return None
        truth = bool(specialized.value)
        return self._ask(f"bool({specialized.text})", specialized.description, truth)  # type: ignore[no-any-return]

    def value(self, var: Var) -> Any:
        """The value of a number in this call, which the Program has built in; None for one that only the Program knows."""
        specialized = self._specialized.get(var)
        if specialized is None:
            return None
        self._ask(f"exact({specialized.text})", specialized.description, exact(specialized.value))
        return specialized.value

    def _ask(self, text: str, description: str, answer: object) -> Any:
        if text not in self._texts:
            self._texts.add(text)
            self.asked.append((NumberGuard(text, description, self._names), answer))
        return answer

    def _constant(self, value: object) -> str:
        if type(value) in (int, bool) or (type(value) is float and math.isfinite(value)):
            return f"({value!r})"
        return self._name(value, repr(value))

    def _name(self, value: object, description: str) -> str:
        for name, constant in self._names.items():
            if constant is value:
                return name
        name = f"f{len(self._names)}"
        self._names[name] = value
        return name


def _call_text(name: str, operands: list[str]) -> str:
    """The source text of a function call, with the operator's sign if it has one: ``a > 5`` for ``gt(a, 5)``."""
    if name in _SIGNS and len(operands) == 2:
        left, right = (f"({operand})" if " " in operand and operand[:1] not in "'(" else operand for operand in operands)
        return f"{left} {_SIGNS[name]} {right}"
    return f"{name}({', '.join(operands)})"


def exact(value: object) -> Any:
    """A key that is equal for identical numbers only: 1, 1.0 and True differ, and so do 0.0 and -0.0; NaN equals NaN."""
    return (float, repr(value)) if type(value) is float else (type(value), value)
