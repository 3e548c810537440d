"""Gradients through branches and loops, compared with the eager tape running the same Python code."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.autodiff.backward import gradients
from to_static.compiler.autodiff.numeric import numeric_gradient
from to_static.compiler.autodiff.partition import partition_joint
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.ir.verifier import verify
from to_static.compiler.ops.tensor_list.lists import (
    list_append,
    list_concat,
    list_get,
    list_new,
    list_pop,
    list_set,
    list_stack,
)
from to_static.compiler.runtime.interpret import interpret
from to_static.core.backend import NUMPY
from to_static.core.errors import AutogradError


def build(function, arrays, unknown=False):
    """Program of ``function(builder, *feeds)``; floating feeds take a gradient."""
    with mode.use(Builder()) as b:
        feeds = []
        for i, a in enumerate(arrays):
            spec = spec_of(a)
            if unknown:
                spec = spec.with_shape([-1] * spec.ndim)
            feeds.append(b.feed(spec, f"x{i}", not spec.dtype.is_floating))
        out = function(b, *feeds)
        program = b.finish(list(out) if isinstance(out, (list, tuple)) else [out])
    verify(program)
    return program


def check(function, *arrays, orders=1, unknown=False):
    """Static gradients (split, and `gradients`) against finite differences."""
    arrays = [np.asarray(a) for a in arrays]
    program = build(function, arrays, unknown)
    floats = [i for i, a in enumerate(arrays) if a.dtype.kind == "f"]
    weights = [np.random.default_rng(i).uniform(0.5, 1.5, 99).astype("float64") for i in range(len(program.outputs))]

    def total(*values):
        outs = interpret(program, list(values), NUMPY)
        return sum(float((o * weights[i][: o.size].reshape(o.shape)).sum()) for i, o in enumerate(outs))

    split = partition_joint(program, [program.feeds[i] for i in floats])
    verify(split.forward)
    verify(split.backward)
    results = interpret(split.forward, arrays, NUMPY)
    cut = len(results) - split.residual_count
    for got, want in zip(results[:cut], interpret(program, arrays, NUMPY), strict=True):
        np.testing.assert_array_equal(got, want)
    gouts = [weights[i][: results[i].size].reshape(results[i].shape).astype(results[i].dtype) for i in split.output_index]
    grads = interpret(split.backward, [*results[cut:], *gouts], NUMPY)
    by_feed = {floats[k]: g for k, g in zip(split.wanted_index, grads, strict=True)}
    for i in floats:
        got = by_feed.get(i)
        want = numeric_gradient(total, arrays, i)
        np.testing.assert_allclose(np.zeros_like(want) if got is None else got, want, rtol=1e-5, atol=1e-6)
        if got is not None:
            assert got.shape == arrays[i].shape and got.dtype == arrays[i].dtype
    if orders == 2:

        def first(b, *feeds):
            outs = function(b, *feeds)
            outs = list(outs) if isinstance(outs, (list, tuple)) else [outs]
            wanted = [f for f in feeds if not f.stop_gradient]
            return [g for g in gradients(outs, wanted) if g is not None]

        check(first, *arrays, unknown=unknown)
    return split


X = np.array([0.5, -1.5, 2.0])
Y = np.array([1.5, 0.25, -1.0])
TRUE, FALSE = np.asarray(True), np.asarray(False)


@pytest.mark.parametrize("flag", [TRUE, FALSE])
@pytest.mark.parametrize("unknown", [False, True])
def test_cond(flag, unknown):
    def f(b, p, x, y):
        [r] = b.cond(p, lambda: [x * x * y], lambda: [x * y * y])
        return r * x

    check(f, flag, X, Y, orders=2, unknown=unknown)


@pytest.mark.parametrize("flag", [TRUE, FALSE])
def test_a_branch_without_gradient(flag):
    check(lambda b, p, x, y: b.cond(p, lambda: [x * x, y], lambda: [paddle.ones([3], 'float64'), y * 2.0]), flag, X, Y, orders=2)


@pytest.mark.parametrize("flag", [TRUE, FALSE])
def test_values_that_pass_through(flag):
    check(lambda b, p, x, y: b.cond(p, lambda: [x, x], lambda: [y, x]), flag, X, Y, orders=2)


@pytest.mark.parametrize("flags", [(TRUE, TRUE), (TRUE, FALSE), (FALSE, TRUE)])
def test_nested_cond(flags):
    def f(b, p, q, x, y):
        def inner():
            z = x * y
            return b.cond(q, lambda: [z * x], lambda: [z * z])

        return b.cond(p, inner, lambda: [x + y])

    check(f, *flags, X, Y, orders=2)


def count_down(b, n, carry, step):
    """``while n > 0: carry = step(*carry); n -= 1``."""
    return b.while_loop(lambda n, *v: n > 0, lambda n, *v: [n - 1, *step(*v)], [n, *carry])[1:]


@pytest.mark.parametrize("trips", [0, 1, 4])
@pytest.mark.parametrize("unknown", [False, True])
def test_while(trips, unknown):
    def f(b, n, x, y):
        return count_down(b, n, [x], lambda a: [a * y + x])

    check(f, np.asarray(trips), X, Y, unknown=unknown)


@pytest.mark.parametrize("trips", [0, 1, 3])
def test_an_accumulator_that_starts_as_a_constant(trips):
    def f(b, n, x):
        return count_down(b, n, [paddle.zeros([3], "float64"), x], lambda total, a: [total + a * a, a * x])[0]

    check(f, np.asarray(trips), X)


def test_carried_values_that_swap():
    check(lambda b, n, x, y: count_down(b, n, [x, y], lambda a, c: [c * c, a]), np.asarray(3), X, Y)


def test_values_that_do_not_move_need_no_list():
    split = check(lambda b, n, x, y: count_down(b, n, [x], lambda a: [a + y]), np.asarray(3), X, Y)
    loop = next(op for op in split.forward.block.ops if op.name == "while_loop")
    assert loop.attrs["carried"] == 3  # n, a and the number of trips
    assert not any("list" in op.name for op in split.forward.block.walk())


def test_only_what_the_reverse_reads_is_saved():
    split = check(lambda b, n, x, y: count_down(b, n, [x, y], lambda a, c: [a * c, c]), np.asarray(2), X, Y)
    names = [op.name for op in split.forward.block.ops]
    assert names.count("list_new") == 2


W = np.array([[0.5, -0.25], [0.75, 0.125]])
V = np.array([[1.0, -0.5]])


def test_costly_ops_do_not_run_again():
    def f(b, n, v, w):
        return count_down(b, n, [v], lambda a: [paddle.tanh(a @ w) + a])

    split = check(f, np.asarray(3), V, W)
    [loop] = [op for op in split.backward.block.ops if op.name == "while_loop"]
    names = [op.name for op in loop.blocks[1].ops]
    assert names.count("matmul") == 2 and names.count("tanh") == 1  # one for each gradient; the product itself was kept


@pytest.mark.parametrize("trips", [0, 2])
def test_second_order_with_kept_values(trips):
    def f(b, n, v, w):
        def step(a):
            [c] = b.cond((a @ w).sum() > 0.1, lambda: [paddle.tanh(a @ w)], lambda: [(a * a) @ w])
            return [c + a]

        return count_down(b, n, [v], step)

    check(f, np.asarray(trips), V, W, orders=2)


def test_operands_that_no_gradient_reaches_are_left_alone():
    def f(b, n, x, y):
        return b.while_loop(lambda k, a: (k < n).logical_and(y.sum() > 0), lambda k, a: [k + 1, a * x], [n * 0, x])[1]

    split = check(f, np.asarray(2), X, Y)
    assert split.wanted_index == [0]


@pytest.mark.parametrize("trips", [0, 1, 3])
def test_second_order_of_a_loop(trips):
    check(lambda b, n, x, y: count_down(b, n, [x], lambda a: [a * a * y]), np.asarray(trips), X * 0.5, Y, orders=2)


@pytest.mark.parametrize("trips", [0, 2])
def test_cond_in_while(trips):
    def f(b, n, x, y):
        def step(a):
            return b.cond((a * y).sum() > 0.5, lambda: [a * y], lambda: [a * a + x])

        return count_down(b, n, [x], step)

    check(f, np.asarray(trips), X, Y)


@pytest.mark.parametrize("flag", [TRUE, FALSE])
def test_while_in_cond(flag):
    def f(b, p, n, x, y):
        return b.cond(p, lambda: count_down(b, n, [x], lambda a: [a * y * x]), lambda: [x * y])

    check(f, flag, np.asarray(3), X, Y)


@pytest.mark.parametrize("trips", [0, 1, 3])
def test_while_in_while(trips):
    def f(b, n, x, y):
        def step(a):
            [inner] = count_down(b, n, [a], lambda c: [c * y + x * 0.5])
            return [inner + a]

        return count_down(b, n, [x], step)

    check(f, np.asarray(trips), X * 0.5, Y * 0.5)


@pytest.mark.parametrize("trips", [1, 3])
def test_lists_that_grow_in_a_loop(trips):
    def f(b, n, x, y):
        items, _ = count_down(b, n, [list_new(), x], lambda items, a: [list_append(items, a * y), a * a])
        return list_stack(items), list_concat(items)

    check(f, np.asarray(trips), X * 0.5, Y)


def test_lists_that_are_read_in_a_loop():
    def f(b, n, x, y):
        last = b.constant(np.asarray(-1))
        [items] = count_down(b, n, [list_new([x, y])], lambda t: [list_append(t, list_get(t, last) * x)])
        return list_stack(items)

    check(f, np.asarray(3), X, Y)


def test_lists_without_control_flow():
    def f(b, x, y):
        one = b.constant(np.asarray(1))
        items = list_set(list_new([x, y, x * y]), one, y * y)
        rest, item = list_pop(items, one)
        return list_stack(rest, 1), item * list_get(items, b.constant(np.asarray(-1))), list_concat(items, 0)

    check(f, X, Y)


def test_integers_are_carried_without_gradient():
    def f(b, n, x):
        i, a = b.while_loop(lambda i, a: i < n, lambda i, a: [i + 1, a * (i + 1).astype("float64")], [n * 0, x])
        return a, i

    check(f, np.asarray(3), X)


def test_nothing_is_printed_twice(capsys):
    from to_static.compiler.ops.control.control import print_op

    def f(b, n, x):
        def step(a):
            print_op([], "trip")
            return [a * x]

        return count_down(b, n, [x], step)

    program = build(f, [np.asarray(2), X])
    split = partition_joint(program, program.feeds[1:])
    results = interpret(split.forward, [np.asarray(2), X], NUMPY)
    interpret(split.backward, [*results[1:], np.ones(3)], NUMPY)
    assert capsys.readouterr().out == "trip\ntrip\n"


def test_gradients_inside_a_body():
    def f(b, n, x):
        def step(a):
            [g] = gradients(a * a * a, a)
            return [a - g * 0.1]

        return count_down(b, n, [x], step)

    [out] = interpret(build(f, [np.asarray(2), X]), [np.asarray(2), X], NUMPY)
    want = X
    for _ in range(2):
        want = want - 0.3 * want**2
    np.testing.assert_allclose(out, want)


def test_gradients_that_leave_the_block_are_refused():
    def outside(b, p, x):
        y = x * x
        return b.cond(p, lambda: gradients(y * x, x), lambda: [x])

    def earlier_trip(b, p, x):
        return count_down(b, x.sum().astype("int64"), [x], lambda a: gradients(a * x, x))

    for f in (outside, earlier_trip):
        with pytest.raises(AutogradError, match="inside a branch or loop body"):
            build(f, [TRUE, X])
