"""Layers whose class has Layer's ``__setattr__`` with something around it, as PaddleNLP has it on ``TransformerEncoder``."""

import functools

import numpy as np

import to_static as paddle
from to_static.static import InputSpec


class Encoder(paddle.nn.Layer):
    def forward(self, x):
        return x * 2 if self.use_cache else x


@functools.wraps(paddle.nn.Layer.__setattr__)
def _around(self, name, value):
    return super(Encoder, self).__setattr__(name, value)


Encoder.__setattr__ = _around


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()

    def forward(self, x, use_cache=True):
        self.encoder.use_cache = use_cache
        return self.encoder(x)


def test_an_attribute_is_set_by_static_code(tmp_path):
    net = paddle.jit.to_static(Net(), full_graph=True)
    x = paddle.ones([2])
    assert net(x).tolist() == [2.0, 2.0] and net.encoder.use_cache
    assert net(x, False).tolist() == [1.0, 1.0] and net.encoder.use_cache is False
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=[InputSpec([None], "float32")])
    np.testing.assert_array_equal(paddle.jit.load(str(tmp_path / "net"))(x).numpy(), [2.0, 2.0])
