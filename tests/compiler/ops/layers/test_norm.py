"""Normalization: running statistics, layouts, and what is refused."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ops.layers import norm
from to_static.compiler.runtime.interpret import interpret
from to_static.core.errors import DTypeError, ShapeError
from to_static.nn import functional as F


def t(array, grad=False):
    return EagerTensor(np.asarray(array, "float32"), stop_gradient=not grad)


def r(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


def test_training_updates_running_statistics_in_place():
    x, mean, variance = r(4, 3, 5), t([1, 2, 3]), t([1, 1, 1])
    F.batch_norm(t(x, grad=True), mean, variance, training=True, momentum=0.75)
    np.testing.assert_allclose(mean.numpy(), 0.75 * np.asarray([1, 2, 3]) + 0.25 * x.mean((0, 2)), rtol=1e-5)
    np.testing.assert_allclose(variance.numpy(), 0.75 + 0.25 * x.var((0, 2)), rtol=1e-5)
    assert mean.stop_gradient and mean.is_leaf, "statistics are no part of the gradient graph"


def test_evaluation_leaves_running_statistics_alone():
    mean, variance = t([0.5]), t([2.0])
    y = F.batch_norm(t(r(2, 1, 3)), mean, variance)
    np.testing.assert_allclose(y.numpy(), (r(2, 1, 3) - 0.5) / np.sqrt(2 + 1e-5), rtol=1e-5)
    assert mean.numpy() == 0.5 and variance.numpy() == 2


def test_statistics_changed_while_building_become_state_of_the_program():
    x, mean, variance = r(6, 2), t([0, 0]), t([1, 1])
    mean.persistable = variance.persistable = True
    builder = Builder()
    with mode.use(builder):
        feed = builder.feed(t(x).spec)
        y = F.batch_norm(feed, mean, variance, training=True)
        program = builder.finish([y])
    assert mean.numpy().tolist() == [0, 0]
    from to_static.core.backend import NUMPY

    for _ in range(2):
        interpret(program, [x], NUMPY)
    np.testing.assert_allclose(mean.numpy(), 0.19 * x.mean(0), rtol=1e-4, atol=1e-6)


def test_auxiliary_outputs_carry_no_gradient():
    results = norm.layer_norm(t(r(2, 3), grad=True), None, None)
    assert [y.stop_gradient for y in results] == [False, True, True]


def test_gradient_of_standardized_values_is_orthogonal_to_ones_and_to_them():
    x = t(100 * r(5, 4), grad=True)
    y = F.layer_norm(x, 4)
    [g] = tape.grad(y, x, t(r(5, 4, seed=1)))
    np.testing.assert_allclose(g.numpy().sum(1), 0, atol=1e-5)
    np.testing.assert_allclose((g.numpy() * y.numpy()).sum(1), 0, atol=1e-4)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: F.batch_norm(t(r(4, 3)), t([0, 0]), t([1, 1, 1])), ShapeError, "must have 3 elements, got shape .2."),
        (lambda: F.batch_norm(t(r(4)), t([0]), t([1])), ShapeError, "at least 2 dimensions"),
        (lambda: F.batch_norm(t(r(4, 3)), t([0] * 3), t([1] * 3), data_format="CN"), ValueError, "data_format"),
        (lambda: F.layer_norm(t(r(2, 3)), 4), ShapeError, r"last dimensions of \[2, 3\] are not \[4\]"),
        (lambda: F.layer_norm(t(r(2, 3)), [2, 3]), ShapeError, "can't normalize from dimension 0"),
        (lambda: F.layer_norm(t(r(2, 3)), 3, t([1, 1])), ShapeError, "weight must have 3 elements"),
        (lambda: F.layer_norm(t(r(2, 3)), 3, EagerTensor(np.ones(3))), DTypeError, "weight float64"),
        (lambda: F.normalize(t(r(3)), axis=1), ShapeError, "1-D"),
        (lambda: F.local_response_norm(t(r(3, 3)), 3), ShapeError, "at least 3 dimensions"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def _trained(net, x):
    x = paddle.to_tensor(x, stop_gradient=False)
    y = net(x)
    (y * y).sum().backward()
    return [t.numpy() for t in (y, x.grad, net.weight.grad, net.bias.grad, net._mean, net._variance)]


@pytest.mark.parametrize(
    ("kind", "shape", "form"),
    [
        ("1D", (1, 3), "NC"),
        ("2D", (1, 3, 1, 1), "NCHW"),
        ("2D", (1, 1, 1, 3), "NHWC"),
        ("3D", (1, 3, 1, 1, 1), "NCDHW"),
    ],
)
@pytest.mark.parametrize("static", [False, True, "any batch"])
def test_one_value_per_channel_is_copied_and_moves_no_statistics(kind, shape, form, static):
    """What Paddle 2.6.2 and 3.3.1 give: y = x, its gradient goes through, weight and bias get zeros."""
    net = getattr(paddle.nn, f"BatchNorm{kind}")(3, data_format=form)
    net.weight.set_value([2.0, 3.0, 4.0])
    if static:
        spec = [paddle.static.InputSpec([None, *shape[1:]])] if static == "any batch" else None
        net = paddle.jit.to_static(net, input_spec=spec)
    x = np.arange(1, 4, dtype="float32").reshape(shape)
    y, dx, dweight, dbias, mean, variance = _trained(net, x)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(dx, 2 * x)
    assert not dweight.any() and not dbias.any()
    assert mean.tolist() == [0, 0, 0] and variance.tolist() == [1, 1, 1]
    two = np.concatenate([x, x + 2])  # the same layer goes on as usual with two values
    np.testing.assert_allclose(_trained(net, two)[4], 0.1 * (two.reshape(2, 3).mean(0)), rtol=1e-5)


def test_the_second_gradient_of_one_value_per_channel():
    x = t([[1.0, 2.0, 3.0]], grad=True)
    y = F.batch_norm(x, t([0, 0, 0]), t([1, 1, 1]), t([2, 3, 4], grad=True), t([0, 0, 0], grad=True), training=True)
    (g,) = paddle.grad((y**3).sum(), x, create_graph=True)
    (h,) = paddle.grad(g.sum(), x)
    np.testing.assert_allclose(h.numpy(), [[6.0, 12.0, 18.0]])
