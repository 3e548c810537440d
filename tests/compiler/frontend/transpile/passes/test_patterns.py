"""A translated `match` takes the same case as Python's, whatever the subject."""

import collections
import dataclasses
import enum

import pytest

from to_static.compiler.frontend.jst import operators
from to_static.compiler.frontend.transpile import transpile_function


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Point:
    x: object
    y: object


def described(subject):
    match subject:
        case []:
            return "empty"
        case [1, [a, b], *_]:
            return "nested", a, b
        case [x, *rest, 9]:
            return "star", x, rest
        case (1 | 2 as n, "a" | "b" as t):
            return "or", n, t
        case [v, "q"] | [v, "r"]:
            return "either", v
        case Point(1, y=z) | Point(z, y=1):
            return "point", z
        case Point(x, y):
            return "another point", x, y
        case Color.RED:
            return "red"
        case int(n) | float(n) if n > 5:
            return "large", n
        case bool(b):
            return "bool", b
        case None | True:
            return "none"
        case str() as t:
            return "text", t
        case -3 | 2.5 | "zz":
            return "value"
        case dict():
            return "any mapping"
        case [*a]:
            return "sequence", a
        case _:
            return "other"


SUBJECTS = [
    1, 2, 9, 0, -3, 2.5, 7, 6.5, True, False, None, "a", "q", "zz", "abc", b"ab", bytearray(b"x"), 3 + 4j, Color.RED, Color.BLUE,
    Point(1, 2), Point(3, 1), Point(4, 5), [], [1, [2, 3]], [1, [2, 3], 4], (1, "a"), (2, "b"), (5, "q"), [5, 6, 9], {}, {"z": 1},
    {"k": [1, 2], "m": 1}, {"k": [1], "m": 1, "n": 2}, {"k": 3}, range(3), collections.deque([1, 2]), {1, 2},
]  # fmt: skip


def test_the_same_case_as_in_python():
    translated, _ = transpile_function(described, operators)
    for subject in SUBJECTS:
        assert repr(translated(subject)) == repr(described(subject)), subject


def too_many(subject):
    match subject:
        case Point(a, b, c):
            return a, b, c


def named_twice(subject):
    match subject:
        case Point(a, x=b):
            return a, b


@pytest.mark.parametrize("function", [too_many, named_twice])
def test_errors_are_pythons(function):
    translated, _ = transpile_function(function, operators)
    with pytest.raises(TypeError) as theirs:
        function(Point(1, 2))
    with pytest.raises(TypeError) as ours:
        translated(Point(1, 2))
    assert str(ours.value) == str(theirs.value)
