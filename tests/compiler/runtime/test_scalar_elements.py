"""Comparisons that only decide where to go are Python's."""

import re

import numpy as np
import pytest

import to_static  # noqa: F401
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY


def program(decide, *specs, also=lambda *xs: []):
    builder = Builder()
    with mode.use(builder):
        feeds = [builder.feed(s) for s in specs]
        p = decide(*feeds)
        (out,) = builder.cond(p, lambda: [builder.constant(np.asarray(1))], lambda: [builder.constant(np.asarray(2))])
        return builder.finish([out, *also(p)])


@pytest.mark.parametrize("name", ["equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal"])
@pytest.mark.parametrize(("a", "b"), [(1.0, 2.0), (2.0, 2.0), (np.nan, 2.0), (np.inf, np.nan), (-0.0, 0.0)])
def test_comparisons(name, a, b):
    built = program(lambda x, y: F[name](x, y), spec_from([]), spec_from([1]))
    arrays = [np.asarray(a, "float32"), np.asarray([b], "float32")]
    plan = compile_plan(built, NUMPY)
    assert ".item()" in plan.source and plan.nbytes == 0
    assert plan(*arrays)[0] == interpret(built, arrays, NUMPY)[0]


@pytest.mark.parametrize("constant", [0.5, np.nan, np.inf, -np.inf])
def test_comparisons_with_constants(constant):
    built = program(lambda x: x < constant, spec_from([]))
    for value in (0.25, 0.5, np.nan, np.inf):
        arrays = [np.asarray(value, "float32")]
        assert compile_plan(built, NUMPY)(*arrays)[0] == interpret(built, arrays, NUMPY)[0]


def test_logic():
    def decide(x, y, p):
        return F["logical_or"](F["logical_and"](x > 0, F["logical_not"](p)), F["logical_and"](y, p))

    built = program(decide, spec_from([]), spec_from([]), spec_from([], "bool"))
    plan = compile_plan(built, NUMPY)
    assert "logical" not in plan.source
    for x in (-1.0, 1.0):
        for y in (0.0, np.nan):
            for p in (False, True):
                arrays = [np.asarray(x, "float32"), np.asarray(y, "float32"), np.asarray(p)]
                assert plan(*arrays)[0] == interpret(built, arrays, NUMPY)[0]


def test_a_truth_that_someone_needs_stays_an_array():
    built = program(lambda x: F["logical_not"](x > 0), spec_from([]), also=lambda p: [p])
    out, p = compile_plan(built, NUMPY)(np.asarray(1.0, "float32"))
    assert isinstance(p, np.ndarray) and p.dtype == bool and not p
    assert out == 2


def test_unknown_sizes_are_left_to_the_array_module():
    built = program(lambda x: x > 0, spec_from([-1]))
    assert ".item()" not in compile_plan(built, NUMPY).source


def loop(finish, start="feed"):
    builder = Builder()
    with mode.use(builder):
        n, x = builder.feed(spec_from([], "int64")), builder.feed(spec_from([3]))
        i = builder.feed(spec_from([], "int64")) if start == "feed" else builder.constant(np.asarray(start))
        out = builder.while_loop(
            lambda i, x, last: i < n, lambda i, x, last: [i + 2, x * F["cast"](i, "float32"), i], [i, x, i]
        )
        return builder.finish(finish(*out))


def test_counters_are_python_numbers():
    built = loop(lambda i, x, last: [i, x, last, i * i])
    plan = compile_plan(built, NUMPY)
    assert " + 2" in plan.source
    for n in (-5, 0, 7):
        arrays = [np.asarray(n), np.arange(3, dtype="float32"), np.asarray(-1)]
        for a, b in zip(plan(*arrays), interpret(built, arrays, NUMPY), strict=True):
            assert type(a) is np.ndarray and (a.dtype, a.shape) == (b.dtype, b.shape)
            np.testing.assert_array_equal(a, b)


def test_counters_from_constants():
    built = loop(lambda i, x, last: [x, last], start=1)
    arrays = [np.asarray(6), np.arange(3, dtype="float32")]
    for a, b in zip(compile_plan(built, NUMPY)(*arrays), interpret(built, arrays, NUMPY), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("step", [lambda i: i * 2, lambda i: 10 - i, lambda i: i + i, lambda i: i + (1 << 40)])
def test_other_steps_stay_arrays(step):
    builder = Builder()
    with mode.use(builder):
        i, n = builder.feed(spec_from([], "int64")), builder.feed(spec_from([], "int64"))
        (out,) = builder.while_loop(lambda i: i < n, lambda i: [step(i)], [i])
        built = builder.finish([out])
    plan = compile_plan(built, NUMPY)
    arrays = [np.asarray(3), np.asarray(7)]
    assert plan(*arrays)[0] == interpret(built, arrays, NUMPY)[0]
    assert re.search(r" = (multiply|subtract|add)\(", plan.source)
    assert "range" not in plan.source


def counted(test, body, starts, results):
    """A loop over what ``starts`` makes of two int64 numbers and a float32 [2]; ``results`` picks from what it ends with."""
    builder = Builder()
    with mode.use(builder):
        a, b, x = builder.feed(spec_from([], "int64")), builder.feed(spec_from([], "int64")), builder.feed(spec_from([2]))
        out = builder.while_loop(lambda *carried: test(b, *carried), body, starts(a, b, x))
        return builder.finish(results(*out))


def agrees(built, a, b):
    arrays = [np.asarray(a), np.asarray(b), np.ones(2, "float32")]
    for found, expected in zip(compile_plan(built, NUMPY)(*arrays), interpret(built, arrays, NUMPY), strict=True):
        np.testing.assert_array_equal(found, expected)


def moved(i, x):
    return x * 2.0 + F["cast"](i, "float32")


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("name", ["less_than", "less_equal", "greater_than", "greater_equal"])
@pytest.mark.parametrize("step", [1, 3, -1, -2])
def test_a_counter_that_nobody_reads_afterwards_is_a_range(step, name, mirrored):
    up = ("less" in name) != mirrored
    built = counted(
        lambda end, i, x: F[name](end, i) if mirrored else F[name](i, end),
        lambda i, x: [i + step, moved(i, x)],
        lambda a, b, x: [a, x],
        lambda i, x: [x],
    )
    ends = up == (step > 0)
    assert ("range(" in compile_plan(built, NUMPY).source) == ends
    for a, b in ((0, 5), (-4, 1), (3, 3), (3, 4), (4, 3), (5, 0)):
        runs = (a < b) == up or (a == b and "equal" in name)
        if ends or not runs:
            agrees(built, a, b)


@pytest.mark.parametrize(
    ("test", "body", "results"),
    [
        # read after the loop
        (lambda n, i, j, x: i < n, lambda i, j, x: [i + 1, j, moved(i, x)], lambda i, j, x: [x, i]),
        # a limit that is a loop variable, and one that counts as well
        (lambda n, i, j, x: i < j, lambda i, j, x: [i + 1, F["minimum"](j, i + 2), moved(i, x)], lambda i, j, x: [x]),
        (lambda n, i, j, x: i < j, lambda i, j, x: [i + 2, j + 1, moved(i, x)], lambda i, j, x: [x]),
        # a test that is more than one comparison
        (lambda n, i, j, x: F["logical_and"](i < n, i < j), lambda i, j, x: [i + 1, j, moved(i, x)], lambda i, j, x: [x]),
        # a limit that is no whole number
        (lambda n, i, j, x: F["cast"](i, "float32") < 2.5, lambda i, j, x: [i + 1, j, moved(i, x)], lambda i, j, x: [x]),
    ],
)
def test_other_loops_ask_each_time(test, body, results):
    built = counted(test, body, lambda a, b, x: [a, b, x], results)
    assert "range(" not in compile_plan(built, NUMPY).source
    for a, b in ((0, 5), (3, 3), (4, 2)):
        agrees(built, a, b)


def test_a_step_that_is_read_keeps_its_line():
    """`i += 1` before the last use: the range gives the same numbers."""
    built = counted(
        lambda n, i, x: i < n,
        lambda i, x: (lambda after: [after, moved(after, x)])(i + 1),
        lambda a, b, x: [a, x],
        lambda i, x: [x],
    )
    assert "range(" in compile_plan(built, NUMPY).source
    agrees(built, 0, 4)


def test_numbers_that_no_turn_changes_are_taken_once():
    """A limit from outside, one that the turns of a loop around it make, and one that each turn chooses."""
    builder = Builder()
    with mode.use(builder):
        n, m, x = (builder.feed(spec_from([], dtype)) for dtype in ("int64", "int64", "float32"))

        def turn(i, x):
            limit = m - i  # the same in all turns of the inner loop
            _, x = builder.while_loop(lambda j, x: j < limit, lambda j, x: [j + 1, x + 1.0], [builder.constant(np.asarray(0)), x])
            (least,) = builder.cond(x > 3.0, lambda: [x * 0.5], lambda: [x * 2.0])
            (x,) = builder.cond(least < 4.0, lambda: [x + least], lambda: [x - 1.0])
            return [i + 1, x]

        built = builder.finish(builder.while_loop(lambda i, x: i < n, turn, [builder.constant(np.asarray(0)), x]))
    plan = compile_plan(built, NUMPY)
    assert "number_x0 = x0.item()" in plan.source and plan.source.count("x0.item()") == 1
    for count, limit in ((0, 3), (4, 0), (5, 3), (3, 7)):
        arrays = [np.asarray(count), np.asarray(limit), np.asarray(0.25, "float32")]
        for a, b in zip(plan(*arrays), interpret(built, arrays, NUMPY), strict=True):
            np.testing.assert_array_equal(a, b)
