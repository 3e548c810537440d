"""Transposed convolutions: the adjoint of the convolution, and their output sizes."""

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ops.layers import conv, conv_transpose
from to_static.core.errors import ShapeError


def t(array):
    return EagerTensor(np.asarray(array, "float32"))


def r(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


@pytest.mark.parametrize("options", [{}, {"stride": 2, "padding": 1}, {"dilation": [2, 1]}, {"groups": 2}])
def test_it_is_the_adjoint_of_the_convolution(options):
    image, w = r(2, 4, 7, 7), r(6, 4 // options.get("groups", 1), 3, 3, seed=1)
    y = conv.conv2d(t(image), t(w), **options)
    g = r(*y.shape, seed=2)
    back = conv_transpose.conv2d_transpose(t(g), t(w), **options)
    assert back.shape == list(image.shape)
    np.testing.assert_allclose((y.numpy() * g).sum(), (back.numpy() * image).sum(), rtol=1e-4)


def test_output_size_and_output_padding_choose_among_the_possible_sizes():
    x, w = t(r(1, 2, 4, 4)), t(r(2, 3, 3, 3))
    assert conv_transpose.conv2d_transpose(x, w, stride=2, output_padding=1).shape == [1, 3, 10, 10]
    assert conv_transpose.conv2d_transpose(x, w, stride=2, output_size=[9, 10]).shape == [1, 3, 9, 10]
    with pytest.raises(ShapeError, match="can be 9 to 10, got 11"):
        conv_transpose.conv2d_transpose(x, w, stride=2, output_size=11)
    with pytest.raises(ShapeError, match="can be 9 to 10, got 11"):
        conv_transpose.conv2d_transpose(x, w, stride=2, output_padding=2)
    with pytest.raises(ValueError, match="output_size or output_padding, not both"):
        conv_transpose.conv2d_transpose(x, w, stride=2, output_padding=1, output_size=9)


def test_wrong_channels_are_refused():
    with pytest.raises(ShapeError, match="has 2 channels"):
        conv_transpose.conv2d_transpose(t(r(1, 2, 4, 4)), t(r(3, 3, 3, 3)))
