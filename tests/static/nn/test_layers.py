"""Layer functions against the layers of nn with the same parameters."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ShapeError


def run(static, result, **feeds):
    return static.Executor().run(feed=feeds, fetch_list=[result])[0]


def test_fc(static):
    x = static.data("x", [None, 2, 3])
    y = static.nn.fc(x, 4, activation="relu")
    weight, bias = static.default_main_program().all_parameters()
    assert weight.shape == [6, 4] and bias.shape == [4] and weight.name.startswith("fc_")
    value = np.random.default_rng(0).normal(size=(5, 2, 3)).astype("float32")
    want = np.maximum(value.reshape(5, 6) @ weight.numpy() + bias.numpy(), 0)
    np.testing.assert_allclose(run(static, y, x=value), want, rtol=1e-5, atol=1e-6)


def test_fc_of_several_inputs_keeps_dimensions(static):
    x = static.data("x", [None, 2, 3])
    y = static.nn.fc([x, x], 4, num_flatten_dims=-1, bias_attr=False)
    a, b = static.default_main_program().all_parameters()
    value = np.ones((5, 2, 3), "float32")
    np.testing.assert_allclose(run(static, y, x=value), value @ (a.numpy() + b.numpy()), rtol=1e-5)
    with pytest.raises(ShapeError, match="must be known"):
        static.nn.fc(static.data("u", [None, None]), 4)


def test_embedding(static):
    ids = static.data("ids", [None], "int64")
    y = static.nn.embedding(ids, [5, 3], padding_idx=2)
    [table] = static.default_main_program().all_parameters()
    want = table.numpy()[[1, 2]]
    want[1] = 0
    np.testing.assert_array_equal(run(static, y, ids=[1, 2]), want)


def test_conv2d(static):
    x = static.data("x", [None, 2, 5, 5])
    y = static.nn.conv2d(x, 3, 3, padding=1, act="relu")
    weight, bias = static.default_main_program().all_parameters()
    assert weight.shape == [3, 2, 3, 3] and bias.shape == [3]
    value = np.random.default_rng(0).normal(size=(1, 2, 5, 5)).astype("float32")
    got = run(static, y, x=value)
    paddle.disable_static()
    want = paddle.nn.functional.relu(paddle.nn.functional.conv2d(paddle.to_tensor(value), weight, bias, padding=1))
    np.testing.assert_allclose(got, want.numpy(), rtol=1e-5, atol=1e-6)


def test_batch_norm(static):
    x = static.data("x", [4, 3])
    y = static.nn.batch_norm(x, moving_mean_name="the_mean")
    value = np.random.default_rng(0).normal(3, 2, (4, 3)).astype("float32")
    got = run(static, y, x=value)
    np.testing.assert_allclose(got.mean(0), 0, atol=1e-5)
    mean = np.array(static.global_scope().find_var("the_mean").get_tensor())
    np.testing.assert_allclose(mean, value.mean(0) * 0.1, rtol=1e-5)
    assert [p.stop_gradient for p in static.default_main_program().all_parameters()].count(False) == 2
