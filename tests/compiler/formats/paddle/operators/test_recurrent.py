"""Weights of the file operator ``rnn``."""

import numpy as np

import to_static as paddle
from to_static.compiler.formats.paddle.operators.recurrent import _weights


def test_a_file_without_biases_gets_biases_of_zeros():
    w_ih, w_hh = paddle.ones([12, 4]), paddle.ones([12, 3])
    [(first, second, b_ih, b_hh)] = _weights([w_ih, w_hh], 1)
    assert first is w_ih and second is w_hh
    for bias in (b_ih, b_hh):
        np.testing.assert_array_equal(bias.numpy(), np.zeros(12, "float32"))


def test_another_number_of_weights_is_refused():
    assert _weights([paddle.ones([12, 4])], 1) == []
