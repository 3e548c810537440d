"""`and`, `or`, `not`, chained comparisons and ternaries: lazy, evaluated once, giving operands."""

import pytest
from both import T, check, left_to_python, op_names

import to_static as paddle
from to_static.core.errors import TranslationError

VALUES = [T(v) for v in (-1.0, 0.0, 3.0, 12.0)]


def test_conditions():
    def f(x):
        a = 1 if x > 0 and x < 10 else 2
        b = 3 if x < 0 or not x < 10 else 4
        c = 5 if 0 < x < 10 or x == 12 else 6
        d = 7 if not (x > 0 and (x > 5 or x < 1)) else 8
        return a, b, c, d

    static = check(f, *VALUES)
    assert op_names(static).count("cond") == 4  # boolean operands need no branch of their own


def test_operands_come_back():
    def f(x, y):
        return x and y, x or y, not x, not not x

    check(f, *((a, b) for a in VALUES[:3] for b in VALUES[:3]))


def test_python_operands():
    def f(x, n, name):
        return n and x, n or x, not n, name and n, 0 < n < 5, x > 0 if n else name

    check(f, *((x, n, name) for x in VALUES[:2] for n in (0, 3) for name in ("", "text")))


def test_the_right_side_does_not_run_when_python_would_not_run_it():
    def f(x, i):
        if i < 2 and x[i] > 0:
            return x * 2
        if i >= 2 or x[i] == 0:
            return x * 3
        return x

    check(f, *((T([1.0, 0.0]), T(i)) for i in (0, 1, 5)))


def test_operands_are_evaluated_once():
    calls = []

    def value(x):
        paddle.jit.to_static
        return x + 1

    def f(x):
        return 0 < value(x) < 5 < value(x) + 10

    def g(x):
        calls.append(1)
        return x

    check(f, *VALUES)

    def python(n):
        return 0 < g(n) < 5

    assert check(python, 3).dygraph_function(3) is True


def test_ternaries_nest():
    def f(x):
        return (x * 2 if x > 5 else x * 3 if x > 1 else x * 4) + (1 if x > 0 else 0.5)

    check(f, *VALUES)


def test_any_all_max_min():
    def f(x, n):
        picked = max(x, x * 2, 1.5), min([x, n]), max(n, 2), min((3, n), key=lambda v: -v)
        return picked, any([x > 0, n > 2]), all(v > n for v in (x, x + 1)), any([n, x > 100]), all([]), any([0, n])

    check(f, *((x, n) for x in VALUES for n in (1, 3)), types=False)


def test_in_loops():
    def f(x, n):
        i = 0
        while i < n and not x > 100:
            x = x * 3
            i += 1
        return x, i

    check(f, *((T(2.0), T(n)) for n in (0, 2, 9)))


def test_python_needs_the_value():
    def f(x):
        return {v: 1 for v in x if v > 0}

    with pytest.raises(TranslationError, match="the number of entries of a dict comprehension depends on tensors"):
        paddle.jit.to_static(f)(T([1.0, -1.0]))  # by default Python's, whose keys are other tensors in every call


def test_an_object_is_asked_once():
    class Score:
        def __init__(self, value, asked):
            self.value, self.asked = value, asked

        def __bool__(self):
            self.asked.append(1)
            return bool(self.value > 0)

    def f(x, y):
        asked = []
        a, b = Score(x, asked), Score(y, asked)
        counts = []
        if a and b:
            counts.append("both")
        counts.append(len(asked))
        if a or b:
            counts.append("one")
        counts.append(len(asked))
        c = 1 if a or b else 2
        return counts, len(asked), c

    calls = [(a, b) for a in VALUES[:3] for b in VALUES[:3]]
    left_to_python(f, *calls, why="the class 'Score' has an operator, property or iteration that changes something")
