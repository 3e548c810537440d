"""Layers of `incubate.nn` are the ordinary ones."""

import numpy as np

import to_static as paddle


def test_a_linear_layer_whose_weight_is_transposed():
    x = paddle.rand([2, 3])
    plain, turned = paddle.incubate.nn.FusedLinear(3, 4), paddle.incubate.nn.FusedLinear(3, 4, transpose_weight=True)
    assert [plain.weight.shape, turned.weight.shape] == [[3, 4], [4, 3]]
    turned.weight.set_value(plain.weight.t())
    np.testing.assert_allclose(turned(x), paddle.nn.functional.linear(x, plain.weight), rtol=1e-5)
    np.testing.assert_array_equal(paddle.jit.to_static(plain)(x), plain(x))
    assert paddle.incubate.nn.FusedLinear(3, 4, bias_attr=False).bias is None
