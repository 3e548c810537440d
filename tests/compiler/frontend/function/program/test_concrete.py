"""A static function called first without gradients, then with them, and the other way round."""

import warnings

import numpy as np
import pytest

import to_static as paddle


@pytest.mark.parametrize("first", [paddle.no_grad, paddle.enable_grad])
def test_the_first_call_does_not_decide_about_gradients(first):
    net = paddle.jit.to_static(paddle.nn.Linear(3, 2))
    x = paddle.ones([4, 3])
    with first():
        net(x)
    with paddle.no_grad():
        assert net(x).stop_gradient
    out = net(x)
    assert not out.stop_gradient
    out.sum().backward()
    np.testing.assert_array_equal(net.weight.grad.numpy(), np.full((3, 2), 4))


def test_no_grad_inside_a_static_function_stays():
    @paddle.jit.to_static
    def function(x):
        with paddle.no_grad():
            factor = x * 2
        return x * factor

    x = paddle.to_tensor([1.0, 3.0], stop_gradient=False)
    with paddle.no_grad():
        function(x)
    function(x).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [2, 6])


def frozen(parameters, flag):
    for p in parameters:
        p.stop_gradient = flag


def test_parameters_may_be_frozen_and_thawed_between_calls():
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.Linear(4, 2))
    static, x = paddle.jit.to_static(net), paddle.ones([5, 3])
    frozen(net.parameters(), True)
    assert static(x).stop_gradient
    for first, second in [(True, False), (False, True), (False, False), (True, True), (False, True), (True, False)]:
        frozen(net[0].parameters(), first)
        frozen(net[1].parameters(), second)
        net.clear_gradients()
        for p in net.parameters():
            p.clear_gradient(set_to_zero=False)
        out = static(x)
        assert out.stop_gradient == (first and second)
        if not out.stop_gradient:
            out.sum().backward()
        assert (net[0].weight.grad is None, net[1].weight.grad is None) == (first, second)


def test_each_choice_of_frozen_parameters_is_compiled_once(monkeypatch):
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.Linear(4, 2))
    static, x = paddle.jit.to_static(net), paddle.ones([5, 3])
    made = []
    from to_static.compiler.frontend.function.program import concrete

    original = concrete.Training.__init__
    monkeypatch.setattr(concrete.Training, "__init__", lambda self, *a: (made.append(1), original(self, *a))[1])
    for _ in range(3):
        for part, other in ((net[0], net[1]), (net[1], net[0])):
            frozen(part.parameters(), True)
            frozen(other.parameters(), False)
            static(x).sum().backward()
    assert len(made) == 2


def test_a_computed_tensor_that_becomes_a_leaf_is_left_to_python():
    def f(x):
        with paddle.no_grad():
            x.scale_(0.5)
        return x

    found = []
    for call in (f, paddle.jit.to_static(f)):
        x = paddle.to_tensor(2.0, stop_gradient=False)
        y = x * 1.0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            z = call(y)
        z.backward()
        found.append((float(z), z is y, z.is_leaf, x.grad))
    assert found[0] == found[1]
