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
