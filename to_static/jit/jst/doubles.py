"""Loop variables that are names of one list or dict: carried once, so that they stay one object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.jit.jst.traced import failure


class Parted(Exception):
    """Two names of one object before a loop are names of two after an iteration."""

    def __init__(self, one: str, other: str, kind: str) -> None:
        self.words = one, other, kind

    def refusal(self) -> Exception:
        """For a loop of which no more trips are traced before it."""
        one, other, kind = self.words
        return failure(
            TranslationError,
            f"{one} and {other} are one {kind} before a loop over tensors, and an iteration makes them two",
            f"copy it before the loop: `{one} = {kind}({one})`",
        )


def doubles(values: tuple[Any, ...]) -> dict[int, int]:
    """Position of a list or dict -> the first position of the same object, for those that occur again."""
    _shared(values)
    first: dict[int, int] = {}
    found: dict[int, int] = {}
    for i, value in enumerate(values):
        if type(value) in (list, dict) and first.setdefault(id(value), i) != i:
            found[i] = first[id(value)]
    return found


def _shared(values: tuple[Any, ...]) -> None:
    """Refuse a list or dict that a variable of a generator and one of the loop over it are names of."""
    inner = [x for value in values if type(value) is tuple for x in _containers(value)]
    outer = [x for value in values if type(value) is not tuple for x in _containers(value)]
    for x in inner:
        if any(x is y for y in outer):
            raise failure(
                TranslationError,
                f"one {type(x).__name__} is carried by a loop over tensors{shown()} under two names, one of them inside of a tuple "
                "or in a generator",
                f"copy it before the loop: `items = {type(x).__name__}(items)`",
            )


def _containers(value: Any) -> list[Any]:
    """The lists and dicts that are, or are right inside of, a loop variable."""
    if type(value) in (list, dict):
        return [value]
    return [x for item in value for x in _containers(item)] if type(value) is tuple else []


def carried_once(
    loop: Callable[..., tuple[Any, ...]],
    found: dict[int, int],
    test: Callable[..., Any],
    body: Callable[..., tuple[Any, ...]],
    values: tuple[Any, ...],
    names: Callable[[], list[str]],
) -> tuple[Any, ...]:
    """``loop(test, body, values, names)`` over the variables that are no doubles.

    Raises `Parted` when an iteration makes them different objects.
    """
    kept = [i for i in range(len(values)) if i not in found]

    def whole(part: tuple[Any, ...]) -> list[Any]:
        known = dict(zip(kept, part, strict=True))
        return [known[found.get(i, i)] for i in range(len(values))]

    def run(*part: Any) -> tuple[Any, ...]:
        after = body(*whole(part))
        for i, j in found.items():
            if after[i] is not after[j]:
                raise Parted(names()[i], names()[j], type(values[i]).__name__)
        return tuple(after[i] for i in kept)

    part = loop(lambda *p: test(*whole(p)), run, tuple(values[i] for i in kept), lambda: [names()[i] for i in kept])
    return tuple(whole(part))
