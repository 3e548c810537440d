"""Layers whose parameters get their values later."""

import numpy as np

import to_static as paddle


def test_parameters_wait_for_initialize():
    with paddle.LazyGuard():
        net = paddle.nn.Linear(2, 3, bias_attr=paddle.nn.initializer.Constant(2.0))
    assert np.isnan(net(paddle.ones([1, 2])).numpy()).all(), "nobody takes them for values"
    for parameter in net.parameters():
        parameter.initialize()
    values = net.weight.numpy()
    assert np.isfinite(values).all() and net.bias.tolist() == [2.0, 2.0, 2.0]
    net.weight.initialize()
    assert (net.weight.numpy() == values).all(), "once"
    assert np.isfinite(paddle.nn.Linear(2, 3).weight.numpy()).all()


def test_numbers_of_a_parameter_are_a_copy():
    net = paddle.nn.Linear(2, 2)
    value = net.weight.get_value()
    net.weight.set_value(paddle.zeros([2, 2]))
    assert value.name == net.weight.name and value.abs().sum().item() > 0


def test_what_a_converted_layer_says():
    net = paddle.nn.Linear(2, 2)
    assert repr(net).endswith("dtype=float32)") and repr(net.astype("int8")).endswith("dtype=paddle.int8)")
