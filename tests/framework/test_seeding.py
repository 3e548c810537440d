"""The seed decides dynamic and static random numbers alike."""

from __future__ import annotations

import numpy as np

import to_static as paddle


def test_the_same_seed_gives_the_same_numbers_in_both_modes():
    static = paddle.jit.to_static(lambda x: paddle.rand([3]) + x)
    x = paddle.zeros([3])
    found = []
    for function in (static, static, static.dygraph_function):
        paddle.seed(5)
        found.append(function(x).numpy())
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
    assert not np.array_equal(static(x).numpy(), static(x).numpy())


def test_a_seed_inside_a_static_function_takes_effect_in_every_call():
    def f(x, n):
        before = paddle.rand([2])
        if x.sum() > 0:
            paddle.seed(3)
        first = paddle.rand([2]) * x
        for _ in range(n):
            paddle.seed(4)
            first = first + paddle.rand([2])
        return before, first, paddle.rand([2])

    static = paddle.jit.to_static(f)
    for sign in (1.0, -1.0):
        for turn in range(3):
            x, n = paddle.full([2], sign), paddle.to_tensor(turn)
            x.stop_gradient = False
            found = []
            for function in (f, static):
                paddle.seed(20 + turn)
                before, first, after = function(x, n)
                (grad,) = paddle.grad(first.sum(), [x])
                found.append([before.numpy(), first.numpy(), after.numpy(), grad.numpy()])
            for a, b in zip(*found, strict=True):
                np.testing.assert_array_equal(a, b)


def test_tracing_draws_and_seeds_nothing():
    @paddle.jit.to_static
    def f(x):
        paddle.seed(5)
        return x + paddle.rand([3])

    paddle.seed(1)
    expected = paddle.rand([4]).numpy()
    paddle.seed(1)
    f.get_concrete_program(paddle.zeros([3]))
    np.testing.assert_array_equal(paddle.rand([4]).numpy(), expected)


def test_a_seed_while_a_program_is_built_by_hand_takes_effect_at_once():
    found = []
    for _ in range(2):
        paddle.enable_static()
        try:
            main = paddle.static.Program()
            with paddle.static.program_guard(main):
                paddle.seed(33)
                drawn = paddle.rand([3])
            executor = paddle.static.Executor()
            found.append([executor.run(main, fetch_list=[drawn])[0] for _ in range(2)])
        finally:
            paddle.disable_static()
    np.testing.assert_array_equal(found[0], found[1])
    assert not np.array_equal(*found[0])
