"""`Stand`: what stands for a container of Python's that changes where tensors decide, and is no value of the Program itself."""

from __future__ import annotations

import collections
from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.jit.jst.traced import failure


class Stand:
    """Made of lists of the Program. All names of the container mean it (see `growth`); ``recipe()`` says how every run makes
    the container of Python's, of class ``stands_for``.
    """

    stands_for: Any

    def __init_subclass__(cls) -> None:
        for name in _OPERATORS:
            if getattr(cls, name, None) is getattr(object, name, None):
                setattr(cls, name, _without(name))

    def describe(self) -> str:
        """What it is, in words."""
        return f"a {self.stands_for.__name__} that tensors change"

    def refused(self, what: str, rewrite: str) -> Exception:
        """The error for something that needs what only the Program knows."""
        return failure(TracedValueError, f"{self.describe()} {what}{quoted()}", rewrite)

    def _text(self, *args: Any) -> Any:
        raise self.refused("is made a string", "print its entries in a loop, `for item in items: print(item)`, or return it")

    __str__ = __repr__ = __format__ = __reduce_ex__ = _text  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]

    def objects(self) -> list[Any]:
        """The objects among what it holds."""
        return []

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__") and name != "stands_for" and hasattr(self.stands_for, name):
            raise self.refused(f"is asked for its method {name}()", "a loop over its items, `for item in items: ...`")
        raise AttributeError(f"{self.stands_for.__name__!r} object has no attribute {name!r}")


def _without(name: str) -> Any:
    """An operator that ours has not: refused where Python has it."""

    def method(self: Stand, *other: Any) -> Any:
        if hasattr(self.stands_for, name) and (name not in _OF_OBJECTS or self.stands_for is collections.deque):
            raise self.refused("is an operand", "a loop over its items, `for item in items: ...`")
        if not other:
            raise TypeError(f"bad operand type for unary {_UNARY[name]}: {self.stands_for.__name__!r}")
        return NotImplemented

    return method


_UNARY = {"__neg__": "-", "__pos__": "+", "__invert__": "~", "__abs__": "abs()"}
_BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"]
_OF_OBJECTS = ("__lt__", "__le__", "__gt__", "__ge__")  # which every class has
_OPERATORS = [*_UNARY, *_OF_OBJECTS, *(f"__{side}{name}__" for name in _BINARY for side in ("", "r", "i"))]
