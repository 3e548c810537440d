"""Operators whose results nobody uses fail in a static function where they fail dynamically."""

import numpy as np
import pytest

import to_static as paddle
import to_static.nn.functional as F
from to_static.compiler.passes.pipeline import optimize


def item(x, k):
    if x.sum() > -100:
        x[k]


def item_set(x, k):
    y = x.clone()
    y[k] = 1.0


def row(x, k):
    paddle.gather(x, k.reshape([1]))


def rows(x, k):
    x[k.reshape([1])]


def sizes(x, k):
    x[x > 0] + x[x < 0]


def shape(x, k):
    x[x > 0].reshape([2, 2])


def joined(x, k):
    paddle.stack([x[x > 0], x[x < 0]])


def largest(x, k):
    x[x > 100].max()


def place(x, k):
    x[x > 100].argmax()


def made(x, k):
    paddle.zeros([k - 6])


def hot(x, k):
    F.one_hot(k, 2)


def loss(x, k):
    F.cross_entropy(x.unsqueeze(0), k.unsqueeze(0))


def singular(x, k):
    paddle.linalg.inv(paddle.outer(x, x * 0))


def in_a_loop(x, k):
    for i in range(k + 1):
        x[i]


FAILING = [item, item_set, row, rows, sizes, shape, joined, largest, place, made, hot, loss, singular, in_a_loop]


@pytest.mark.parametrize("function", FAILING, ids=lambda f: f.__name__)
def test_fails_as_dynamically(function):
    x, k = paddle.to_tensor(np.asarray([1.0, -1.0, 3.0, -2.0, 4.0], "float32")), paddle.to_tensor(5)
    with pytest.raises(Exception) as wanted:
        function(x, k)
    kind = next(k for k in (IndexError, ValueError) if isinstance(wanted.value, k))
    with pytest.raises(kind, match=r"test_unused\.py"):
        paddle.jit.to_static(function)(x, k)


def test_nothing_is_kept_that_can_not_fail():
    def function(x):
        x[1:] * 2 + x.sum()
        (x.astype("int64") // 2).reshape([3, -1])
        return x + 1

    program = paddle.jit.to_static(function).get_concrete_program(paddle.ones([3]))[0].main_program
    assert [op.name for op in optimize(program.clone()).block.ops] == ["constant", "add"]


def test_sizes_that_are_not_known_are_those_of_one_value():
    def function(x):
        paddle.tanh(x) * 2 * x  # fits, whatever the size
        return x + 1

    traced = paddle.jit.to_static(function, input_spec=[paddle.static.InputSpec([None])]).concrete_program.main_program
    assert [op.name for op in optimize(traced.clone()).block.ops] == ["constant", "add"]
