"""Places outside of the arguments that hold a number, which is an input of Programs once it has varied."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

NUMBERS = frozenset((int, float))  # (two values of a bool make two Programs, which are found by them)
INPUT: Any = type("Input", (), {"__repr__": lambda self: "<a number that is an input>"})()  # in keys, in place of a number
_MOST = 1 << 63


def fits(value: object) -> bool:
    """Whether a value can be a number input: a float, or an int of 64 bits."""
    return type(value) is float or (type(value) is int and -_MOST <= value < _MOST)


def can_be_input(place: Any) -> bool:
    """Whether the number of a `guards.Place` may be replaced while a function is traced: of a namespace, or of a cell."""
    return type(place.space) is dict or type(place.owner) is types.CellType


def value_of(place: Any) -> Any:
    """The number that is there now."""
    return place.space[place.name] if place.space is not None else place.owner.cell_contents


def reader(place: Any) -> Callable[[], Any]:
    """A function that reads the number of a place."""
    if place.space is not None:
        return functools.partial(operator.getitem, place.space, place.name)
    return functools.partial(getattr, place.owner, "cell_contents")


def put(place: Any, value: Any) -> None:
    """Have another value there, past everybody who watches."""
    if place.space is not None:
        place.space[place.name] = value
    else:
        place.owner.cell_contents = value


@contextmanager
def standing_in(stand_ins: list[tuple[Any, Any]]) -> Iterator[None]:
    """Other values in such places while a function is traced: (place, value) of each."""
    before = [(place, value_of(place)) for place, _ in stand_ins]
    try:
        for place, value in stand_ins:
            put(place, value)
        yield
    finally:
        for place, value in before:
            put(place, value)
