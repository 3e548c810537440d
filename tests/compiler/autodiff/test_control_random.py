"""Gradients of control flow against the eager tape: the same code runs in both modes, with random numbers and random nesting."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import to_static as paddle
from to_static.compiler.autodiff.partition import partition_joint
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.ir.verifier import verify
from to_static.compiler.passes.pipeline import optimize
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core import backend

nn, F = paddle.static.nn, paddle.nn.functional
X = np.array([0.5, -1.5, 2.0], "float32")
Y = np.array([1.5, 0.25, -1.0], "float32")


def eager(function, arrays):
    paddle.seed(5)
    tensors = [paddle.to_tensor(a, stop_gradient=a.dtype.kind != "f") for a in arrays]
    out = function(*tensors)
    if not out.stop_gradient:
        out.sum().backward()
    return out.numpy(), [None if t.grad is None else t.grad.numpy() for t in tensors if not t.stop_gradient]


def static(function, arrays, plans=False):
    with mode.use(Builder()) as b:
        feeds = [b.feed(spec_of(a), f"x{i}", a.dtype.kind != "f") for i, a in enumerate(arrays)]
        program = b.finish([function(*feeds)])
    verify(program)
    wanted = [v for v in program.feeds if not v.stop_gradient]
    split = partition_joint(program, wanted)
    for half in split[:2]:
        verify(half)
        if plans:
            optimize(half)

    def run(half, values):
        if plans:
            return list(compile_plan(half, backend.NUMPY)(*values))
        return interpret(half, values, backend.NUMPY)

    paddle.seed(5)
    results = run(split.forward, arrays)
    grads = [None] * len(wanted)
    if split.output_index:
        found = run(split.backward, [*results[1:], np.ones_like(results[0])])
        for i, g in zip(split.wanted_index, found, strict=True):
            grads[i] = g
    return results[0], grads


def check(function, *arrays):
    want, want_grads = eager(function, arrays)
    for plans in (False, True):
        got, grads = static(function, arrays, plans)
        np.testing.assert_allclose(got, want, rtol=1e-6)
        for a, b in zip(grads, want_grads, strict=True):
            zero = np.zeros_like(X)
            np.testing.assert_allclose(zero if a is None else a, zero if b is None else b, rtol=1e-4, atol=1e-5)


def loop(n, x, step):
    return nn.while_loop(lambda i, v: i < n, lambda i, v: [i + 1, step(v)], [paddle.zeros([], "int64"), x])[1]


@pytest.mark.parametrize("n", [0, 1, 3])
def test_dropout_in_a_loop(n):
    check(lambda n, x, y: loop(n, x, lambda a: F.dropout(a * y, 0.5) + x), np.asarray(n), X, Y)


@pytest.mark.parametrize("flag", [True, False])
def test_dropout_in_a_branch(flag):
    check(lambda p, x, y: nn.cond(p, lambda: F.dropout(x * y, 0.5) * x, lambda: F.dropout(x, 0.3) * y), np.asarray(flag), X, Y)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_dropout_in_a_loop_in_a_loop(n):
    def step(n, x, y):
        return lambda a: loop(n, a, lambda c: F.dropout(c * y, 0.5) + a) * x

    check(lambda n, x, y: loop(n, x, step(n, x, y)), np.asarray(n), X, Y)


@pytest.mark.parametrize("n", [1, 4])
def test_dropout_in_a_branch_in_a_loop(n):
    def f(n, x, y):
        return loop(n, x, lambda a: nn.cond(a.sum() > 1, lambda: F.dropout(a * y, 0.5), lambda: F.dropout(a + x, 0.5) * 2))

    check(f, np.asarray(n), X, Y)


@pytest.mark.parametrize("flag", [True, False])
def test_dropout_in_a_loop_in_a_branch(flag):
    def f(p, x, y):
        three = paddle.full([], 3, "int64")
        return nn.cond(p, lambda: loop(three, x, lambda a: F.dropout(a * y, 0.5) + x), lambda: x * y)

    check(f, np.asarray(flag), X, Y)


def test_random_numbers_that_nothing_else_depends_on():
    check(lambda n, x: loop(n, x, lambda a: a * paddle.uniform([3], min=0.0, max=1.0) + x), np.asarray(3), X)


def test_numbers_drawn_after_a_loop_stay_the_same():
    def f(n, x):
        y = loop(n, x, lambda a: F.dropout(a * 2.0, 0.5) * 0.0 + a)
        return F.dropout(y * x, 0.5)

    check(f, np.asarray(3), X)


trees = st.recursive(
    st.sampled_from(["mul", "add", "tanh", "drop", "x"]),
    lambda inner: st.tuples(st.sampled_from(["cond", "while", "seq"]), inner, inner),
    max_leaves=6,
)


def interpret_tree(tree, v, x, y, depth=0):
    if isinstance(tree, str):
        return {
            "mul": lambda: v * y,
            "add": lambda: v + x,
            "tanh": lambda: paddle.tanh(v),
            "drop": lambda: F.dropout(v, 0.25),
            "x": lambda: v * 0.5,
        }[tree]()
    kind, a, b = tree
    if kind == "seq":
        return interpret_tree(b, interpret_tree(a, v, x, y, depth), x, y, depth)
    if kind == "cond":
        return nn.cond(
            v.sum() > 0.2, lambda: interpret_tree(a, v, x, y, depth), lambda: interpret_tree(b, v, x, y, depth)
        )
    trips = paddle.full([], 2, "int64")
    return loop(trips, v, lambda u: interpret_tree(a, u, x, y, depth + 1) + interpret_tree(b, u, x, v, depth + 1) * 0.5)


@given(trees)
@settings(max_examples=30, deadline=None)
def test_any_nesting(tree):
    check(lambda x, y: interpret_tree(tree, x, x, y), X, Y)
