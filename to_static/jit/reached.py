"""Arguments that the function also reaches by other names: a global variable, an attribute, a buffer of its Layer.

A Program takes the tensors among its arguments as inputs, and its trace gets copies of the lists and dicts. An object that the
function also reaches otherwise is left what it is, and read like anything from outside: all its names go on meaning one object.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from to_static.ir.tensor import Tensor
from to_static.jit.homes import Home
from to_static.jit.outside import Outside
from to_static.jit.signature import Bound


class Reached(Exception):
    """The trace met arguments under other names, and has to begin again with these left what they are."""

    def __init__(self, objects: set[int]) -> None:
        super().__init__()
        self.objects = objects  # their ids


def check_reached(bound: Bound, builder: Any, outside: Outside) -> None:
    """Call it at the end of a trace, with the objects as they were before."""
    found = {id(bound.leaves[i]) for i in bound.tensors}.intersection(builder.captured) | reached(bound, outside)
    if found and outside.can_undo():
        raise Reached(found)


def reached(bound: Bound, outside: Outside) -> set[int]:
    """The lists and dicts among the arguments that the function may reach by other names."""
    found = {id(x) for x in bound.containers}
    return found & outside.in_reach([x for x in bound.leaves if not isinstance(x, Tensor)]) if found else set()


class Held:
    """The tensors that the Programs of one static function read by other names than those of parameters."""

    def __init__(self) -> None:
        self.ids: frozenset[int] = frozenset()
        self._fixed: frozenset[int] = frozenset()
        self._homes: list[Home] = []

    def take(self, programs: Iterable[Any]) -> None:
        """Look at the Programs that there are now."""
        holders = [holder for program in programs for holder in program.holders]
        self._homes = list({x.key: x for x in holders if isinstance(x, Home)}.values())
        self._fixed = frozenset(id(x) for x in holders if not isinstance(x, Home))
        self.look()

    def look(self) -> None:
        """Call it when a buffer may have got another tensor."""
        self.ids = self._fixed.union(id(home.tensor) for home in self._homes if home.is_there) if self._homes else self._fixed

    def key(self, tensor: Any) -> Any:
        """What tells a tensor that a Program reads by another name from others."""
        home = next((home.key for home in self._homes if home.is_there and home.tensor is tensor), None)
        return ("reached", home or id(tensor), tensor.spec, tensor.stop_gradient)
