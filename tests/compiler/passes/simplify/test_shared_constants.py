"""Programs of one model for several input sizes share what they fold from its weights."""

import gc

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.passes.simplify import shared_constants
from to_static.compiler.passes.simplify.fold import fold_constants, fold_small_constants
from to_static.static import InputSpec


def test_plans_for_other_sizes_hold_the_same_filters(tmp_path):
    paddle.seed(0)
    net = paddle.nn.Sequential(paddle.nn.Conv2D(8, 64, 3), paddle.nn.BatchNorm2D(64), paddle.nn.ReLU(), paddle.nn.Conv2D(64, 64, 3))
    net.eval()
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=[InputSpec([None, 8, None, None], "float32", "x")])
    before = len(shared_constants._results)
    predict = paddle.inference.load_predictor(tmp_path / "net")
    counts = []
    for size in (32, 40, 48, 56):
        x = np.random.default_rng(size).standard_normal((1, 8, size, size)).astype("float32")
        np.testing.assert_allclose(predict(x), net(paddle.to_tensor(x)).numpy(), rtol=1e-3, atol=1e-4)
        counts.append(len(shared_constants._results) - before)
    assert 0 < counts[0] and counts[-1] <= 2 * counts[0], "other sizes make few values of their own"
    del predict
    gc.collect()
    assert len(shared_constants._results) == before, "what no Program holds is gone"


def test_zeros_of_both_signs_stay_apart():
    zeros = paddle.to_tensor(np.full(100, -0.0, "float32"))

    @paddle.jit.to_static
    def both(x):
        constant = paddle.to_tensor(zeros.numpy())
        return paddle.atan2(paddle.scale(constant, 1.0, -0.0), x), paddle.atan2(paddle.scale(constant, 1.0, 0.0), x)

    minus, plus = both(-paddle.ones([100]))
    assert float(minus[0]) == pytest.approx(-np.pi) and float(plus[0]) == pytest.approx(np.pi)


def test_a_result_that_is_shared_is_small_enough_for_files_too():
    table = np.linspace(0, 1, 4096, dtype="float32")

    @paddle.jit.to_static
    def shifted(x):
        return paddle.exp(paddle.to_tensor(table)) + x

    shifted(paddle.ones([4096]))
    program = shifted.concrete_program.main_program
    for_plan, for_file = program.clone(), program.clone()
    fold_constants(for_plan)
    fold_small_constants(for_file)
    names = [{op.name for op in each.block.ops} for each in (for_plan, for_file)]
    assert "exp" not in names[0] and "exp" in names[1]


def test_weights_that_are_written_are_folded_again(tmp_path):
    """Another array may have the place, and the id, of one that is gone; the same array may hold other numbers."""
    paddle.seed(0)
    net = paddle.nn.Sequential(paddle.nn.Conv2D(4, 16, 3), paddle.nn.BatchNorm2D(16))
    net.eval()
    x = np.random.default_rng(0).standard_normal((1, 4, 8, 8)).astype("float32")

    @paddle.jit.to_static
    def call(x):
        return net(x)

    predictors = []
    for i in range(4):
        with paddle.no_grad():
            for p in net.parameters():
                p.set_value(p.numpy() * 0.5 + i)
            expected = net(paddle.to_tensor(x)).numpy()
            np.testing.assert_allclose(call(paddle.to_tensor(x)).numpy(), expected, rtol=1e-4, atol=1e-4)
        paddle.jit.save(net, str(tmp_path / "net"), input_spec=[InputSpec([None, 4, None, None], "float32", "x")])
        predictors.append((paddle.inference.load_predictor(tmp_path / "net"), expected))
        for predict, result in predictors:
            np.testing.assert_allclose(predict(x), result, rtol=1e-4, atol=1e-4)
