"""What an error leaves behind: variables that a loop or branch had changed when it was left by an exception."""

from __future__ import annotations

import pytest

from to_static.compiler.frontend.jst import operators
from to_static.compiler.frontend.transpile import transpile_function


def partly_done(a, b):
    try:
        while not a > 5:  # a TypeError in the second round, when a is a pair
            for a in enumerate([1, 2]):
                pass
    except TypeError:
        a = a
    return a


def counted(a, items):
    n = 0
    try:
        for i in items:
            if i == 3:
                break
            n = n + 1 // i
    except ZeroDivisionError:
        return n * 10
    return n


def cleaned_up(log, items):
    last = None
    try:
        for last in items:
            log.append(1 // last)
    finally:
        log.append(last)
    return log


def assigned_by_the_handler(a, b):
    try:
        if a:
            y = 1 // b
        else:
            y = 2
    except ZeroDivisionError:
        y = 3
    return y


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (partly_done, [(0, 0), (9, 0)]),
        (counted, [(0, [1, 1, 0]), (0, [1, 3, 0]), (0, [1, 2])]),
        (assigned_by_the_handler, [(0, 0), (1, 0), (1, 1)]),
    ],
)
def test_handlers_see_what_was_done_before_the_error(function, calls):
    translated, text = transpile_function(function, operators)
    for args in calls:
        assert translated(*args) == function(*args), text


def test_finally_sees_it_too():
    translated, text = transpile_function(cleaned_up, operators)
    logs = []
    for function in (cleaned_up, translated):
        log = []
        with pytest.raises(ZeroDivisionError):
            function(log, [1, 0, 2])
        logs.append(log)
    assert logs[0] == logs[1] == [1, 0], text


def test_only_what_an_error_would_show_stays_python():
    assert "_jst.if_" in transpile_function(assigned_by_the_handler, operators)[1]
    assert "for i in items" in transpile_function(counted, operators)[1]
