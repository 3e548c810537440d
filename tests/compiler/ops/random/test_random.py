"""Random operators: seeds, ranges, distributions, and new numbers at every run of a Program."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend
from to_static.core.errors import DTypeError, ShapeError
from to_static.core.random.backend_random import Unseeded

MAKERS = {
    "uniform": lambda: paddle.uniform([100], min=-3.0, max=5.0),
    "rand": lambda: paddle.rand([100]),
    "randn": lambda: paddle.randn([100]),
    "normal": lambda: paddle.normal(1.0, 2.0, [100]),
    "randint": lambda: paddle.randint(-2, 9, [100]),
    "randperm": lambda: paddle.randperm(100),
    "bernoulli": lambda: paddle.bernoulli(paddle.full([100], 0.5)),
    "multinomial": lambda: paddle.multinomial(paddle.ones([100]), 50),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_seed_repeats_and_calls_differ(name):
    paddle.seed(3)
    first, second = MAKERS[name]().numpy(), MAKERS[name]().numpy()
    paddle.seed(3)
    again = MAKERS[name]().numpy()
    np.testing.assert_array_equal(first, again)
    assert (first != second).any()


@pytest.mark.parametrize("name", MAKERS)
def test_every_run_of_a_program_draws_anew(name):
    builder = Builder()
    with mode.use(builder):
        x = MAKERS[name]()
    program = builder.finish([x])
    runs = [interpret(program, [], backend.NUMPY)[0] for _ in range(2)]
    assert (runs[0] != runs[1]).any()


def test_a_seed_of_its_own_repeats_also_in_a_program():
    assert (paddle.uniform([9], seed=5).numpy() == paddle.uniform([9], seed=5).numpy()).all()
    builder = Builder()
    with mode.use(builder):
        x = paddle.uniform([9], seed=5)
    program = builder.finish([x])
    assert (interpret(program, [], backend.NUMPY)[0] == paddle.uniform([9], seed=5).numpy()).all()


def test_distributions():
    paddle.seed(0)
    u = paddle.uniform([20000], min=-3.0, max=5.0).numpy()
    assert -3 <= u.min() < -2.9 and 4.9 < u.max() < 5
    n = paddle.normal(1.0, 2.0, [20000]).numpy()
    assert abs(n.mean() - 1) < 0.06 and abs(n.std() - 2) < 0.06
    i = paddle.randint(-2, 3, [20000]).numpy()
    assert sorted(set(i.tolist())) == [-2, -1, 0, 1, 2]
    assert sorted(paddle.randperm(7).numpy().tolist()) == list(range(7))
    assert abs(paddle.bernoulli(paddle.full([20000], 0.2)).numpy().mean() - 0.2) < 0.02
    spread = paddle.normal(paddle.to_tensor([0.0, 100.0]), paddle.to_tensor([1.0, 0.1])).numpy()
    assert abs(spread[1] - 100) < 2


def test_multinomial_follows_its_weights():
    paddle.seed(0)
    drawn = paddle.multinomial(paddle.to_tensor([[0.0, 1.0, 3.0], [1.0, 0.0, 0.0]]), 20000, replacement=True).numpy()
    assert abs((drawn[0] == 2).mean() - 0.75) < 0.02
    assert (drawn[0] > 0).all() and (drawn[1] == 0).all()
    without = paddle.multinomial(paddle.to_tensor([0.0, 1.0, 3.0]), 2).numpy()
    assert sorted(without.tolist()) == [1, 2]
    heavy = [paddle.multinomial(paddle.to_tensor([1.0, 9.0]), 1).item() for _ in range(300)]
    assert 0.8 < np.mean(heavy) < 0.98


@pytest.mark.parametrize("weights", [[1.0, 2.0, 0.0, 5.0], [[0.5, 1.0, 0.0, 2.5]] * 2, [1.0, 2.0, 0.0, 5.0] + [0.0] * 80])
def test_without_a_seed_each_position_is_drawn_once_by_what_is_left(weights, monkeypatch):
    monkeypatch.setattr(backend.NUMPY, "_generator", Unseeded.from_seed(3))
    x = paddle.to_tensor(weights)
    drawn = np.concatenate([paddle.multinomial(x, 2).numpy().reshape(-1, 2) for _ in range(3000)])
    assert 2 not in drawn and drawn.max() < 4 and (drawn[:, 0] != drawn[:, 1]).all()
    for first, share in ((0, 1 / 8), (1, 2 / 8), (3, 5 / 8)):
        assert abs((drawn[:, 0] == first).mean() - share) < 0.03
        rest = drawn[drawn[:, 0] == first, 1]
        for second, weight in ((0, 1), (1, 2), (3, 5)):
            if second != first:
                assert abs((rest == second).mean() - weight / (8 - share * 8)) < 0.07


def test_without_a_seed_positions_may_come_again(monkeypatch):
    monkeypatch.setattr(backend.NUMPY, "_generator", Unseeded.from_seed(3))
    drawn = [paddle.multinomial(paddle.to_tensor([1.0, 0.0, 3.0]), 5, replacement=True).numpy() for _ in range(1000)]
    assert abs((np.concatenate(drawn) == 2).mean() - 0.75) < 0.03 and 1 not in np.concatenate(drawn)
    rare = paddle.multinomial(paddle.to_tensor([1.0, 1e-30]), 2).numpy()  # the second one is hardly ever met among all
    assert sorted(rare.tolist()) == [0, 1]
    for wrong in ([-1.0, 2.0], [0.0, 0.0]):
        with pytest.raises(ValueError):
            paddle.multinomial(paddle.to_tensor(wrong), 1)


def test_whole_numbers_are_even_without_a_seed(monkeypatch):
    monkeypatch.setattr(backend.NUMPY, "_generator", Unseeded.from_seed(3))
    for low, high in ((0, 7), (-3, 4)):
        drawn = paddle.randint(low, high, [70000]).numpy()
        counts = np.bincount(drawn - low, minlength=7)
        assert len(counts) == 7 and abs(counts - 10000).max() < 500
    assert paddle.randint(0, 1 << 40, [100]).numpy().max() > 1 << 30


def test_dtypes_and_refusals():
    assert paddle.rand([2], "float64").dtype == paddle.float64
    assert paddle.uniform([2], "float16").dtype == paddle.float16
    assert paddle.randint(5, shape=[2], dtype="int32").dtype == paddle.int32
    assert paddle.randint_like(paddle.ones([2], "float32"), 5).dtype == paddle.float32
    for wrong, error in (
        (lambda: paddle.rand([2], "int64"), DTypeError), (lambda: paddle.randint(3, 3), ValueError),
        (lambda: paddle.rand([-1]), ShapeError),
        (lambda: paddle.randperm(-1), ValueError), (lambda: paddle.multinomial(paddle.ones([2]), 3), ShapeError),
        (lambda: paddle.multinomial(paddle.to_tensor([-1.0, 1.0])), ValueError),
        (lambda: paddle.bernoulli(paddle.to_tensor([1])), DTypeError),
        (lambda: paddle.multinomial(paddle.to_tensor([0.0, 1.0]), 2), ValueError),
    ):  # fmt: skip
        with pytest.raises(error):
            wrong()


def test_filling_in_place():
    x = paddle.zeros([50])
    assert x.uniform_(1.0, 2.0) is x
    assert (x.numpy() >= 1).all()
    assert x.normal_(5.0, 0.1).numpy().mean() > 4


def test_a_number_of_samples_in_a_tensor_is_known_to_a_program():
    def draw(x):
        return paddle.multinomial(x, paddle.to_tensor([2], "int32"), replacement=True)

    for run in (draw, paddle.jit.to_static(draw, full_graph=True)):
        assert run(paddle.ones([3, 4])).shape == [3, 2]


def test_bounds_that_only_a_run_knows():
    draw = lambda x: paddle.uniform([50], min=x, max=paddle.to_tensor([5.0]))
    bound = paddle.full([1], 4.5)
    paddle.seed(3)
    want = draw(bound).numpy()
    assert want.min() >= 4.5 and want.max() <= 5
    paddle.seed(3)
    np.testing.assert_allclose(paddle.jit.to_static(draw, full_graph=True)(bound).numpy(), want, rtol=1e-6)


def test_seeded_draws_of_one_row_are_those_of_the_kernel():
    rng = np.random.default_rng(0)
    kernel = paddle.multinomial.op.kernel_for("numpy")
    for step in range(60):
        x = rng.random(int(rng.integers(3, 40))).astype("fd"[step % 2])
        x[rng.random(x.size) < 0.3] = 0
        x[:3] = 0.5
        for count, replacement in ((1, False), (3, False), (5, True)):
            paddle.seed(step)
            quick = paddle.multinomial(paddle.to_tensor(x), count, replacement).numpy()
            after = paddle.rand([2]).tolist()
            paddle.seed(step)
            np.testing.assert_array_equal(quick, kernel(np, x, count, replacement), strict=True)
            assert after == paddle.rand([2]).tolist()


def test_relaxed_samples_are_the_same_in_both_modes():
    x = paddle.to_tensor(np.random.default_rng(0).normal(size=(5, 7)).astype("float32"))
    function = lambda x: paddle.nn.functional.gumbel_softmax(x, 0.7)
    paddle.seed(3)
    dynamic = function(x).numpy()
    paddle.seed(3)
    static = paddle.jit.to_static(function, full_graph=True)(x).numpy()
    np.testing.assert_allclose(dynamic, static, 1e-6)  # sums of rows may be rounded differently


def test_bounds_that_a_file_names():
    """Attributes of a file of PaddlePaddle 2.6.2 may be names of tensors: ``paddle.uniform([50], min=x, max=x + 0.5)``."""
    data = (Path(__file__).with_name("uniform_bounds.pdmodel")).read_bytes()
    config = paddle.inference.Config()
    config.set_model_buffer(data, len(data), b"", 0)
    [numbers] = paddle.inference.create_predictor(config).run([np.ones(1, "float32") * 4])
    assert numbers.shape == (50,) and numbers.min() >= 4 and numbers.max() < 4.5 and numbers.std() > 0.05
