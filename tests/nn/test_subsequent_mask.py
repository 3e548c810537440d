"""`Transformer.generate_square_subsequent_mask` of lengths that are numbers, tensors and values of the Program."""

import numpy as np
import pytest

import to_static as paddle
from to_static.static import InputSpec

NET = paddle.nn.Transformer(4, 2, 1, 1, 8)
INF = float("inf")


def mask(n):
    return NET.generate_square_subsequent_mask(n)


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("length", [2, np.int64(2), paddle.to_tensor(2), paddle.to_tensor([[2]], dtype="int32")])
def test_lengths(length, static):
    found = (paddle.jit.to_static(mask) if static else mask)(length)
    assert found.tolist() == [[0.0, -INF], [0.0, 0.0]] and found.dtype == paddle.float32


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize(
    "length, error", [(2.0, TypeError), (paddle.to_tensor(2.0), TypeError), (paddle.to_tensor([2, 2]), ValueError)]
)
def test_what_is_no_length(length, error, static):
    with pytest.raises(error):
        (paddle.jit.to_static(mask) if static else mask)(length)


class Masks(paddle.nn.Layer):
    def forward(self, x):
        return mask(paddle.shape(x)[1]), mask(x.shape[1]), mask(len(x[0]))


def test_sizes_that_a_file_finds_out(tmp_path):
    paddle.jit.save(Masks(), str(tmp_path / "m"), input_spec=[InputSpec([None, None], "float32", "x")])
    for found in paddle.jit.load(str(tmp_path / "m"))(paddle.ones([1, 3])):
        assert found.tolist() == [[0.0, -INF, -INF], [0.0, 0.0, -INF], [0.0, 0.0, 0.0]]
