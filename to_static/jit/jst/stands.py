"""`Stand`: what stands for a container of Python's that changes where tensors decide, and is no value of the Program itself."""

from __future__ import annotations

from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.jit.jst.traced import failure


class Stand:
    """Made of lists of the Program. All names of the container mean it (see `growth`); ``recipe()`` says how every run makes
    the container of Python's, of class ``stands_for``.
    """

    stands_for: Any

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
        raise AttributeError(f"{self.stands_for.__name__!r} object has no attribute {name!r}")
