"""The Programs of a static function, by the keys of the calls that they serve."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.function.graph_breaks import RecordedBreaks
from to_static.compiler.frontend.function.lookup.states import States
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.frontend.function.target import TargetFunction
from to_static.compiler.ir.program import reseat
from to_static.core.flags import program_cache, program_cache_bytes
from to_static.core.log import warn_once

TOO_MANY = 10  # how many Programs one cache has before a warning


class ProgramCache(dict[Any, ConcreteProgram]):
    """Key of a kind of call -> its `ConcreteProgram`, oldest first. ``len`` counts the Programs; with Paddle's methods.

    Example:
        >>> [program.main_program for program in f.program_cache.concrete_programs()]
    """

    def __init__(self, programs: dict[Any, ConcreteProgram], calls: States, breaks: RecordedBreaks) -> None:
        super().__init__(programs)
        self._calls = calls  # cached calls of these Programs
        self._breaks = breaks  # calls that have no Program

    def without(self, dropped: Callable[[ConcreteProgram], bool]) -> ProgramCache:
        """Return a new cache without some Programs; another thread may be reading this one."""
        return ProgramCache({key: program for key, program in self.items() if not dropped(program)}, self._calls, self._breaks)

    def taking(self, key: tuple[Any, ...], program: ConcreteProgram, owner: TargetFunction) -> ProgramCache:
        """Return a new cache with one more Program of ``owner``.

        If there are too many Programs, or bytes, those that were used least recently are dropped. Warns once if there are many.
        """
        programs = dict(self)
        programs[key] = program
        if len(programs) == TOO_MANY + 1:
            warn_once(
                "programs",
                f"{owner.name} has more than {TOO_MANY} static Programs. Each new value of a Python argument that "
                "is not a number makes one, and so does each new shape if no Program has unknown dimensions: give to_static an "
                "input_spec with None for the dimensions that vary",
                owner,
            )
        oldest = sorted(programs, key=lambda k: programs[k].last_used if k != key else math.inf)
        size = sum(program.nbytes for program in programs.values())
        while len(programs) > max(1, program_cache.value) or (size > program_cache_bytes.value and len(programs) > 1):
            dropped = programs.pop(oldest.pop(0))
            size -= dropped.nbytes
            dropped.release()
        if len(programs) > program_cache.value // 2:
            self._calls.clear()  # cached calls do not set `last_used`, the next calls (slow ones) do
        return ProgramCache(programs, self._calls, self._breaks)

    def concrete_programs(self) -> list[ConcreteProgram]:
        """Return all Programs, oldest first."""
        return list(self.values())

    def last(self) -> tuple[Any, tuple[ConcreteProgram, ConcreteProgram]]:
        """Return the key of the newest Program and, twice, the Program (Paddle has one object to inspect and one to run).

        Raises ValueError if there is none.
        """
        if not self:
            raise ValueError("there is no Program yet: call the static function first")
        key = next(reversed(self))
        return key, (self[key], self[key])

    def clear(self) -> None:
        """Forget all Programs; the next call traces again."""
        super().clear()
        self._calls.clear()
        self._breaks.clear()


class Programs:
    """The Programs of one static function: the present ``cache``, and ``states`` with the cached calls, which refer to them."""

    __slots__ = ("cache", "states")

    def __init__(self, states: States, breaks: RecordedBreaks) -> None:
        self.states = states
        self.cache = ProgramCache({}, states, breaks)

    def keys_of_calls(self) -> list[Any]:
        """Return the keys of Programs that were traced for calls, not for declared inputs."""
        return [key for key in self.cache if key[0] != "specs"]

    def add(self, key: tuple[Any, ...], program: ConcreteProgram, owner: TargetFunction) -> None:
        """Store one more Program."""
        self.cache = self.cache.taking(key, program, owner)

    def forget(self, dropped: Callable[[ConcreteProgram], bool]) -> None:
        """Remove some Programs, and all cached calls."""
        self.cache = self.cache.without(dropped)
        self.states.clear()

    def reseat(self, replacements: dict[int, Any]) -> None:
        """Make all Programs, and the entries of cached calls, read other tensors (see `ConcreteProgram.reseat`)."""
        for program in self.cache.values():
            program.reseat(replacements)
        for calls in self.states.every():
            for call in calls.quick.values():
                for choice in (call, *call.choices.values()):
                    for entry in choice.entries():
                        reseat(entry.__globals__, replacements)  # type: ignore[attr-defined]
