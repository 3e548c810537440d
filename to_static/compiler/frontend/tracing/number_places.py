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
    """True if a value can be a number input: a float, or an int of 64 bits."""
    return type(value) is float or (type(value) is int and -_MOST <= value < _MOST)


def can_be_input(source: Any) -> bool:
    """True if the number of a `guards.Place` may be replaced while a function is traced: of a namespace, or of a cell."""
    return type(source.space) is dict or type(source.owner) is types.CellType


def value_of(source: Any) -> Any:
    """The number that is there now."""
    return source.space[source.name] if source.space is not None else source.owner.cell_contents


def reader(source: Any) -> Callable[[], Any]:
    """A function that reads the number of a place."""
    if source.space is not None:
        return functools.partial(operator.getitem, source.space, source.name)
    return functools.partial(getattr, source.owner, "cell_contents")


def write_value(source: Any, value: Any) -> None:
    """Have another value there, past everybody who watches."""
    if source.space is not None:
        source.space[source.name] = value
    else:
        source.owner.cell_contents = value


@contextmanager
def standing_in(stand_ins: list[tuple[Any, Any]]) -> Iterator[None]:
    """Other values in such places while a function is traced: (place, value) of each."""
    old_values = [(source, value_of(source)) for source, _ in stand_ins]
    try:
        for source, value in stand_ins:
            write_value(source, value)
        yield
    finally:
        for source, value in old_values:
            write_value(source, value)
