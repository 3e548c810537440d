"""The seed decides dynamic and static random numbers alike."""

from __future__ import annotations

import contextlib
import itertools
import threading

import numpy as np
import pytest

import to_static as paddle
from to_static.core import backend
from to_static.core.random.backend_random import Unseeded
from to_static.nn import functional as F


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


def test_the_generator_that_a_seed_returns():
    generator = paddle.seed(102)
    assert generator.initial_seed() == 102 and paddle.framework.core.default_cpu_generator().initial_seed() == 102
    assert generator.random() == 10559145799806318499  # Paddle's
    state, drawn = generator.get_state(), paddle.rand([3])
    generator.set_state(state)
    np.testing.assert_array_equal(paddle.rand([3]).numpy(), drawn.numpy())
    first = [paddle.rand([2]).tolist() for _ in range(2) if generator.manual_seed(7) is generator]
    assert first[0] == first[1]
    assert generator.seed() == generator.initial_seed() != 7
    with pytest.raises(TypeError, match="get_state"):
        generator.set_state(3)


def test_a_state_from_before_a_seed():
    with paddle_s_state():
        backend.NUMPY.draws = Unseeded, Unseeded.from_seed(3).place
        state, drawn = paddle.get_rng_state(), paddle.rand([3]).numpy()
        paddle.seed(3)
        assert (paddle.rand([3]).numpy() != drawn).any()
        paddle.set_rng_state(state)
        np.testing.assert_array_equal(paddle.rand([3]).numpy(), drawn)


def test_numbers_of_numpy_after_a_seed():
    with paddle_s_state():
        paddle.set_flags({"TO_STATIC_RANDOM": "numpy"})
        try:
            paddle.seed(3)
            first = paddle.rand([3]).numpy()
            own = paddle.uniform([3], seed=5).numpy()
            paddle.seed(3)
            np.testing.assert_array_equal(paddle.rand([3]).numpy(), first)
        finally:
            paddle.set_flags({"TO_STATIC_RANDOM": "paddle"})
        np.testing.assert_array_equal(first, np.random.Generator(np.random.PCG64(3)).random(3, np.float32))
        assert (paddle.uniform([3], seed=5).numpy() != own).all()


@pytest.mark.parametrize("seeded", [True, False])
def test_threads_draw_different_numbers(seeded):
    with paddle_s_state():
        if seeded:
            paddle.seed(3)
        else:
            backend.NUMPY.draws = Unseeded, Unseeded.from_seed(3).place
        found = []
        draw = lambda: found.extend(paddle.rand([400]).tolist() for _ in range(40))
        threads = [threading.Thread(target=draw) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if seeded:
            paddle.seed(3)
            assert sorted(itertools.chain(*found)) == sorted(paddle.rand([400 * 160]).tolist())
        assert len({tuple(numbers) for numbers in found}) == 160


@contextlib.contextmanager
def paddle_s_state():
    """Tests after this one draw from where those before it stopped."""
    state = paddle.get_rng_state()
    yield
    paddle.set_rng_state(state)


def test_the_seed_of_a_program():
    """Initial values and dropout draw from streams of their own then, each from the beginning."""
    saved = paddle.static.default_main_program().random_seed
    paddle.framework.random._manual_program_seed(2020)
    try:
        found = [paddle.nn.Linear(3, 4).weight.numpy() for _ in range(2)]
        dropped = [F.dropout(paddle.ones([3, 4])).numpy() for _ in range(2)]
    finally:
        paddle.framework.random._manual_program_seed(saved)
    for first, second in (found, dropped):
        np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(found[0][0], np.float32([-0.06884563, 0.7204571, -0.08404374, 0.21040046]))  # Paddle's
    np.testing.assert_array_equal(dropped[0], [[0, 2, 0, 2], [0, 0, 0, 0], [0, 0, 0, 2]])


def test_the_seeds_of_programs_built_by_hand():
    """Numbers of Paddle's."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    main.random_seed, startup.random_seed = 5, 6
    paddle.enable_static()
    try:
        with paddle.static.program_guard(main, startup):
            x = paddle.static.data("x", [2, 3])
            paddle.static.nn.fc(x, 4)
            dropped = F.dropout(paddle.ones([2, 3]), 0.4)
            weight = main.all_parameters()[0]
            found = paddle.static.Executor().run(main, {"x": np.ones([2, 3], "float32")}, [weight, dropped])
    finally:
        paddle.disable_static()
    np.testing.assert_array_equal(found[0][0], np.float32([0.5111741, 0.11127949, 0.56072545, 0.56883097]))
    np.testing.assert_array_equal(found[1] > 0, [[True, False, False]] * 2)
