"""Weights of the file operators ``rnn`` and ``cudnn_lstm``."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.formats.paddle.operators.call_by_type import call
from to_static.compiler.formats.paddle.operators.recurrent import _weights
from to_static.core.errors import ToStaticError


def test_a_file_without_biases_gets_biases_of_zeros():
    w_ih, w_hh = paddle.ones([12, 4]), paddle.ones([12, 3])
    [(first, second, b_ih, b_hh)] = _weights([w_ih, w_hh], 1)
    assert first is w_ih and second is w_hh
    for bias in (b_ih, b_hh):
        np.testing.assert_array_equal(bias.numpy(), np.zeros(12, "float32"))


def test_another_number_of_weights_is_refused():
    assert _weights([paddle.ones([12, 4])], 1) == []


@pytest.mark.parametrize("both", [False, True])
def test_the_lstm_of_gpus_is_the_same_network(both):
    """``cudnn_lstm`` with weights in one vector gives what ``rnn`` gives with a list of them."""
    random = np.random.default_rng(0)
    directions, layers, width, size = 1 + both, 2, 3, 4
    inside = [width if layer == 0 else directions * size for layer in range(layers) for _ in range(directions)]
    shapes = [shape for columns in inside for shape in ([4 * size, columns], [4 * size, size])] + [[4 * size]] * (2 * len(inside))
    weights = [random.standard_normal(shape).astype("float32") for shape in shapes]
    x = random.standard_normal([5, 2, width]).astype("float32")
    starts = [random.standard_normal([layers * directions, 2, size]).astype("float32") for _ in range(2)]
    attrs = {"is_bidirec": both, "hidden_size": size, "num_layers": layers, "is_test": True}
    tensors = {"Input": paddle.to_tensor(x), "SequenceLength": paddle.to_tensor(np.asarray([5, 3], "int32"))}
    listed = [paddle.to_tensor(w) for w in weights]
    states = {"InitH": paddle.to_tensor(starts[0]), "InitC": paddle.to_tensor(starts[1])}
    expected = call("rnn", {**tensors, "PreState": list(states.values()), "WeightList": listed}, {**attrs, "mode": "LSTM"})
    flat = paddle.to_tensor(np.concatenate([w.ravel() for w in weights]))
    for stored in ({"W": flat}, {"WeightList": listed}):
        results = call("cudnn_lstm", {**tensors, **states, **stored}, attrs)
        np.testing.assert_array_equal(results["Out"], expected["Out"])
        for slot, state in zip(("LastH", "LastC"), expected["State"], strict=True):
            np.testing.assert_array_equal(results[slot], state)
    with pytest.raises(ToStaticError, match="weights"):
        call("cudnn_lstm", {**tensors, **states, "W": flat[:-1]}, attrs)
