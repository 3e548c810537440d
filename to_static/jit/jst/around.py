"""The objects around a branch or loop body: what they hold must be the same after the block was traced.

Variables, lists, dicts and attributes that a block changes are joined and carried. Anything else would change while tracing,
whether or not, and however often, the Program runs the block. `Around` looks at all objects that the block can reach, before
and after.
"""

from __future__ import annotations

import collections
import types
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.core.namespace import type_of
from to_static.jit.jst.attributes import words_of
from to_static.jit.jst.growth import Grows, can_grow
from to_static.jit.jst.table_kinds import DICTS
from to_static.jit.jst.traced import failure
from to_static.jit.reach import Reach
from to_static.jit.shallow import copy_of, put_back
from to_static.jit.watch import names_of
from to_static.transpile import is_translated


class Around(Reach):
    """What the objects hold that can be reached from ``roots``: functions, with what these read, and values."""

    def __init__(self, *roots: Any) -> None:
        self._copies: list[tuple[Any, Any]] = []
        super().__init__(*roots)
        self._first = frozenset(self._known)  # what was reached later may have been made by the block

    def note(self, value: Any) -> None:
        """Keep a copy of what a block that is traced again has to find as it was."""
        if type_of(value) in (set, collections.deque, *DICTS):
            self._copies.append((value, copy_of(value)))

    def late(self, value: Any) -> bool:
        """True when this object was met only while the block was traced."""
        return id(value) not in self._first

    def check(self) -> None:
        """Raise TranslationError when something holds other things now."""
        for name in self.drawn():
            raise failure(
                TranslationError,
                f"Python's `{name}` draws numbers under a tensor condition or in a tensor loop{shown()}: that happens while "
                "the Program is built, not when it runs",
                "`paddle.rand([1])`, `paddle.randint(0, 6, [1])` and the like; or draw before the condition or loop",
            )
        for value, _, _ in self.changes():
            self.take_back_containers()
            if type_of(value) is not dict and can_grow(value):
                raise Grows(value)
            raise failure(TranslationError, *self._words(value))

    def take_back_containers(self) -> None:
        """Give lists, dicts, sets and deques what they held before."""
        for value, before in self._copies:
            put_back(value, before)
        for value, before, _ in list(self.changes()):
            if type(value) is list:
                value[:] = before[1]

    def _words(self, value: Any) -> tuple[str, str]:
        kind = getattr(value, "stands_for", type_of(value)).__name__
        article = "an" if kind[0] in "aeiouAEIOU" or kind == "ndarray" else "a"
        return (
            f"{article} {kind}{self._place(value)} changes under a tensor condition or in a tensor loop{shown()}: Python makes "
            "such a change once, while the Program is built, whatever the tensors are then",
            "make the change before or after the condition or loop, or keep the value in a variable or list of the function",
        )

    def _place(self, value: Any) -> str:
        """Who holds it: the attribute or variable."""
        for owner in self.objects():
            if type(owner) is types.FunctionType:
                for name, cell in zip(owner.__code__.co_freevars, owner.__closure__ or (), strict=True):
                    if _contents(cell) is value and is_translated(owner.__code__):
                        return f" ({name!r})"
                for name in names_of(owner.__code__)[1]:
                    if owner.__globals__.get(name) is value:
                        return f" (the global {name!r})"
        for owner in self.objects():
            for name, held_by in getattr(owner, "__dict__", {}).items():
                if held_by is value and type(owner) is not types.FunctionType:
                    return f" ({words_of(owner, name)})"
        return ""


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None
