"""The Programs that a static function has traced, by the kind of call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.jit.concrete import ConcreteProgram
from to_static.jit.graph_break import Breaks


class ProgramCache(dict[Any, ConcreteProgram]):
    """Key of a kind of call -> its `ConcreteProgram`, oldest first. ``len`` counts the Programs; with Paddle's methods.

    Example:
        >>> [program.main_program for program in f.program_cache.concrete_programs()]
    """

    def __init__(self, programs: dict[Any, ConcreteProgram], fast: dict[Any, Any], breaks: Breaks) -> None:
        super().__init__(programs)
        self._fast = fast  # short keys of the same Programs
        self._breaks = breaks  # kinds of calls that have none

    def without(self, dropped: Callable[[ConcreteProgram], bool]) -> ProgramCache:
        """The Programs that stay, in a cache of their own: another thread may be looking through this one."""
        return ProgramCache({key: program for key, program in self.items() if not dropped(program)}, self._fast, self._breaks)

    def concrete_programs(self) -> list[ConcreteProgram]:
        """All Programs, oldest first."""
        return list(self.values())

    def last(self) -> tuple[Any, tuple[ConcreteProgram, ConcreteProgram]]:
        """The newest: its key and, twice, the Program (Paddle has one object to look at and one to run).

        Raises ValueError when there is none.
        """
        if not self:
            raise ValueError("there is no Program yet: call the static function first")
        key = next(reversed(self))
        return key, (self[key], self[key])

    def clear(self) -> None:
        """Forget all Programs; the next call traces again."""
        super().clear()
        self._fast.clear()
        self._breaks.clear()
