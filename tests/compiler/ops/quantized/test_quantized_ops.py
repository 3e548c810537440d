"""Numbers of few bits: results and ties as real PaddlePaddle 2.6.2 has them, gradients, and what is refused."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ops.quantized import fake, linear
from to_static.core.errors import ArgumentError, DTypeError, ShapeError

X = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 127.2, -128.4, 0.49999997], "float32")


def T(value, dtype="float32"):
    return paddle.to_tensor(np.asarray(value, dtype))


@pytest.mark.parametrize(("round_type", "expected"), [
    (0, [0, 2, 2, 0, -2, -2, 127, -128, 0]),
    (1, [1, 2, 3, -1, -2, -3, 127, -127, 0]),
])  # fmt: skip
def test_ties_and_ends(round_type, expected):
    assert linear.quantize_linear(T(X), T([127]), round_type=round_type).tolist() == expected


def test_scales_of_channels():
    w = T(np.arange(8).reshape(2, 4))
    back = linear.dequantize_linear(w, T([1, 2]), quant_axis=0)
    np.testing.assert_allclose(back.numpy(), np.arange(8).reshape(2, 4) * np.array([[1], [2]]) / 127, rtol=1e-6)
    assert linear.quantize_linear(w, T([1, 2, 3, 4]), quant_axis=1).tolist() == [[0, 64, 85, 95], [127, 127, 127, 127]]
    assert linear.dequantize_linear(T([[127]], "int8"), T([2])).tolist() == [[2.0]]
    assert linear.quantize_linear(w, T([0])).tolist() == [[0, 127, 127, 127], [127, 127, 127, 127]]


def test_observed_scales():
    x = T([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 127, -126.5])
    out, scale = fake.fake_quantize_dequantize_abs_max(x)
    assert (out.tolist(), scale.tolist()) == ([1, 2, 3, -1, -2, -3, 127, -127], [127])
    out, scale = fake.fake_channel_wise_quantize_abs_max(x.reshape([2, 4]))
    assert (out.tolist(), scale.tolist()) == ([[25, 76, 127, -25], [-2, -3, 127, -127]], [2.5, 127])
    out, scale, state, accum = fake.fake_quantize_dequantize_moving_average_abs_max(x, T([100]), T([1]), T([1]))
    np.testing.assert_allclose([scale.item(), state.item(), accum.item()], [67.31578826904297, 1.9, 127.9], rtol=1e-6)
    np.testing.assert_allclose(
        out.numpy()[[0, 6, 7]], [0.5300455689430237, 67.31578826904297, -67.31578826904297], rtol=1e-6
    )
    out, scale, *_ = fake.fake_quantize_dequantize_moving_average_abs_max(x, T([100]), is_test=True)
    np.testing.assert_allclose(out.numpy()[[0, 6]], [0.787401556968689, 100], rtol=1e-6)
    assert scale.tolist() == [100]


@pytest.mark.parametrize("function", [
    lambda x: fake.fake_quantize_dequantize_abs_max(x)[0],
    lambda x: fake.fake_channel_wise_quantize_dequantize_abs_max(x)[0],
    lambda x: fake.fake_quantize_dequantize_moving_average_abs_max(x, T([1]), is_test=True)[0],
    lambda x: linear.quantize_linear(x, T([1])),
])  # fmt: skip
def test_gradients_pass_as_if_nothing_were_rounded(function):
    x = paddle.to_tensor([[0.3, -2.0], [0.1, 0.7]], stop_gradient=False)
    function(x).sum().backward()
    assert x.grad.tolist() == [[1, 1], [1, 1]]


def test_what_is_refused():
    with pytest.raises(ShapeError, match="expected 2 scales"):
        linear.quantize_linear(T(np.ones((2, 3))), T([1, 2, 3]), quant_axis=0)
    with pytest.raises(ShapeError, match="quant_axis is 2, but the input has 2 dimensions"):
        linear.dequantize_linear(T(np.ones((2, 3))), T([1]), quant_axis=2)
    with pytest.raises(DTypeError, match="floating-point"):
        fake.fake_quantize_abs_max(T([1], "int64"))
    with pytest.raises(ArgumentError, match="InAccum and InState"):
        fake.fake_quantize_moving_average_abs_max(T([1]), T([1]))
    with pytest.raises(ArgumentError, match="quant_axis is 3"):
        fake.fake_channel_wise_quantize_abs_max(T([1]), quant_axis=3)
