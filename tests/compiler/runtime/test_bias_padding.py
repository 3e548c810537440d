"""Rows with a 1 behind them in loops: the numbers are those of the interpreter, whatever else a turn does with its row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import to_static  # noqa: F401
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.ir.registry import get
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY


def layer(x, w, act=""):
    """A linear layer with the bias in the last row of ``w``, as a plan runs it."""
    return get("packed_rows").emit(x, [w], activations=[act])


def compare(function, dtype="float32", turns=(0, 1, 4)):
    """The plan of ``function(builder, n, x, w)`` with a row and two weights, which agrees with the interpreter."""
    builder = Builder()
    with mode.use(builder):
        n, x, w = (builder.feed(spec_from(s, d)) for s, d in (([], "int64"), ([1, 3], dtype), ([4, 3], dtype)))
        program = builder.finish(function(builder, n, x, w))
    plan = compile_plan(program, NUMPY)
    rng = np.random.default_rng(0)
    for count in turns:
        arrays = [np.asarray(count), rng.normal(size=(1, 3)).astype(dtype), (rng.normal(size=(4, 3)) * 0.5).astype(dtype)]
        before = [a.copy() for a in arrays]
        for found, expected in zip(plan(*arrays), interpret(program, arrays, NUMPY), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
        for a, b in zip(arrays, before, strict=True):
            np.testing.assert_array_equal(a, b)
    return plan


def loop(turn, *more):
    """A function that carries a row (and ``more`` values, computed from it) for ``n`` turns of ``turn(x, w, ...)``."""

    def function(b, n, x, w):
        first = [n, x, *(make(x) for make in more)]
        return b.while_loop(lambda n, *_: n > 0, lambda n, *rows: [n - 1, *turn(*rows, w)], first)[1:]

    return function


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_layer_reads_its_row_where_it_is(dtype):
    plan = compare(loop(lambda x, w: [F["tanh"](layer(x, w))]), dtype)
    assert ".dot(" in plan.source and "k0" not in plan.source


def test_a_layer_whose_result_is_the_next_row_copies_it():
    plan = compare(loop(lambda x, w: [layer(x, w)]))
    assert "wide" not in plan.source


def test_two_layers_on_one_row():
    assert compare(loop(lambda x, w: [F["tanh"](layer(x, w)) + F["sin"](layer(x, w * 2.0))])).source.count("wide_b") > 3


def test_rows_that_are_read_after_their_new_value_take_turns():
    plan = compare(loop(lambda x, y, w: [F["tanh"](layer(x, w)), x + y], F["abs"]))
    assert plan.source.count("[:, :-1]") <= 1


@pytest.mark.parametrize("act", ["relu", "tanh"])
def test_layers_with_activations_run_as_they_are(act):
    assert "wide" not in compare(loop(lambda x, w: [F["sin"](layer(x, w, act))])).source


def test_a_row_is_read_after_the_loop():
    def function(b, n, x, w):
        _, x = b.while_loop(lambda n, x: n > 0, lambda n, x: [n - 1, F["tanh"](layer(x, w))], [n, x])
        return [layer(x, w), x, F["exp"](x)]

    compare(function)


def test_a_loop_in_a_loop():
    def function(b, n, x, w):
        def turn(n, x):
            _, y = b.while_loop(lambda k, y: k > 0, lambda k, y: [k - 1, F["tanh"](layer(y, w))], [n, x])
            return [n - 1, F["sin"](layer(x, w)) * y]

        return [b.while_loop(lambda n, x: n > 0, turn, [n, x])[1]]

    compare(function)


STEPS = {
    "tanh": lambda b, x, y, w: F["tanh"](y),
    "twice": lambda b, x, y, w: layer(F["tanh"](y), w),
    "old": lambda b, x, y, w: F["tanh"](y + x),
    "branch": lambda b, x, y, w: b.cond(F["greater_than"](F["sum"](y), 0.0), lambda: [y * 0.5], lambda: [F["tanh"](y)])[0],
    "kept": lambda b, x, y, w: b.cond(F["greater_than"](F["sum"](y), 0.0), lambda: [F["tanh"](y)], lambda: [x])[0],
    "plain": lambda b, x, y, w: y,
    "slices": lambda b, x, y, w: F["concat"]([F["tanh"](y)[:, 1:], x[:, :1]], 1),
}


@given(st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=3), st.integers(0, 2), st.booleans())
def test_any_turn(names, rows, also):
    def function(b, n, x, w):
        def turn(n, x, *others):
            y = x
            for name in names:
                y = STEPS[name](b, x, layer(y, w), w)
            rest = [F["tanh"](layer(o, w)) for o in others]
            if also and rest:
                rest[0] = rest[0] + x
            return [n - 1, y, *rest]

        return b.while_loop(lambda n, *_: n > 0, turn, [n, x, *(x * float(i + 1) for i in range(rows))])[1:]

    compare(function)
