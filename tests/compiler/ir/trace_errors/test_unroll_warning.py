"""Loops of Python's with very many turns that become part of a Program."""

import linecache
import warnings

import pytest

import to_static as paddle
from to_static.core import unroll_limit


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(unroll_limit, "UNROLL_WARNING_LIMIT", 20)


def for_loop(x):
    for i in range(30):
        x = x * 0.5 + i
    return x


def while_loop(x):
    i = 0
    while i < 30:
        x = x * 0.5 + i
        i += 1
    return x


def over_a_list(x, items=tuple(range(30))):
    for i in items:
        x = x * 0.5 + i
    return x


@pytest.mark.parametrize("function", [for_loop, while_loop, over_a_list])
def test_it_is_said_once_at_the_loop(function):
    static = paddle.jit.to_static(function)
    with pytest.warns(UserWarning, match="has more than 20 iterations..*`for i in range") as told:
        static(paddle.ones([2]))
        static(paddle.ones([3]))
    [warning] = told
    line = linecache.getline(warning.filename, warning.lineno)
    assert warning.filename == __file__ and ("for i in" in line or "while i <" in line or "x = x" in line), line


def test_loops_that_only_compute_in_python_may_be_long():
    def table(x):
        values = []
        for i in range(500):
            values.append(i * i)
        for _ in range(15):
            x = x * 2
        return x + sum(values)

    def in_the_program(x, n):
        for _ in range(n):
            x = x * 2
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        paddle.jit.to_static(table)(paddle.ones([2]))
        paddle.jit.to_static(in_the_program)(paddle.ones([2]), paddle.to_tensor(60))
