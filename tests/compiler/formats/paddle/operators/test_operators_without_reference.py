"""Operators of older files that PaddlePaddle 2.6.2 on a processor does not have any more: formulas in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.formats.paddle.operators.call_by_type import call

_random = np.random.default_rng(3)


def f(*shape: int) -> np.ndarray:
    return _random.standard_normal(shape).astype("float32")


def called(kind: str, inputs: dict[str, Any], slot: str = "Out", **attrs: Any) -> Any:
    tensors = {
        name: [paddle.to_tensor(x) for x in value] if isinstance(value, list) else paddle.to_tensor(value)
        for name, value in inputs.items()
    }
    return call(kind, tensors, attrs)[slot].numpy()


def close(found: np.ndarray, expected: Any) -> None:
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)


def softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def normalized(x: np.ndarray, scale: np.ndarray, bias: np.ndarray) -> np.ndarray:
    centered = x - x.mean(-1, keepdims=True)
    return centered / np.sqrt((centered**2).mean(-1, keepdims=True) + 1e-5) * scale + bias


@pytest.mark.parametrize(("mode", "numpy_mode"), [("constant", "constant"), ("reflect", "reflect"), ("edge", "edge")])
def test_pad2d(mode, numpy_mode):
    x = f(2, 3, 4, 5)
    more = {"constant_values": 1.5} if mode == "constant" else {}
    expected = np.pad(x, ((0, 0), (0, 0), (1, 2), (0, 3)), numpy_mode, **more)
    close(called("pad2d", {"X": x}, paddings=[1, 2, 0, 3], mode=mode, pad_value=1.5), expected)
    last = called("pad2d", {"X": x.transpose(0, 2, 3, 1)}, paddings=[1, 2, 0, 3], mode=mode, pad_value=1.5, data_format="NHWC")
    close(last, expected.transpose(0, 2, 3, 1))


def test_pad_constant_like():
    close(called("pad_constant_like", {"X": f(3, 4), "Y": (y := f(2, 3))}, pad_value=2.0), np.pad(y, (0, 1), constant_values=2.0))


def test_shapes():
    x = np.arange(16, dtype="float32").reshape(1, 1, 4, 4)
    found = called("space_to_depth", {"X": x}, blocksize=2)
    close(found, np.stack([x[0, 0, i::2, j::2] for i in (0, 1) for j in (0, 1)])[None])
    close(called("expand_as", {"X": (y := f(2, 1)), "Y": f(4, 3)}), np.tile(y, (2, 3)))
    close(called("expand_as", {"X": y, "target_tensor": f(4, 3)}), np.tile(y, (2, 3)))
    close(called("fill", {}, shape=[2, 2], value=[1.0, 2.0, 3.0, 4.5]), [[1, 2], [3, 4.5]])


def test_one_hot():
    close(called("one_hot", {"X": np.int64([[1], [0]])}, depth=3), [[0, 1, 0], [1, 0, 0]])
    close(called("one_hot", {"X": np.int64([2])}, depth=3), [[0, 0, 1]])


def test_isfinite():
    assert called("isfinite", {"X": np.float32([1, 2])}).tolist() == [True]
    assert called("isfinite", {"X": np.float32([1, np.inf])}).tolist() == [False]


def test_losses():
    x, y, inside, outside = f(3, 4) * 2, f(3, 4), np.abs(f(3, 4)), np.abs(f(3, 4))
    far = (x - y) * inside
    loss = np.where(abs(far) < 0.25, 0.5 * 4 * far**2, abs(far) - 0.125) * outside
    inputs = {"X": x, "Y": y, "InsideWeight": inside, "OutsideWeight": outside}
    close(called("smooth_l1_loss", inputs, sigma=2.0), loss.sum(1, keepdims=True))
    lengths = np.sqrt((x**2).sum(1) * (y**2).sum(1))
    close(called("cos_sim", {"X": x, "Y": y}), ((x * y).sum(1) / lengths)[:, None])
    close(called("squared_l2_distance", {"X": x, "Y": y}), ((x - y) ** 2).sum(1, keepdims=True))
    label = np.float32([[1], [-1], [1]])
    expected = np.maximum(-label * (x[:, :1] - y[:, :1]) + 0.1, 0)
    close(called("margin_rank_loss", {"X1": x[:, :1], "X2": y[:, :1], "Label": label}, margin=0.1), expected)


def test_lstm_unit():
    def sigmoid(x: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-x))

    x, cells = f(4, 12), f(4, 3)
    inward, forget, outward, new = np.split(x, 4, 1)
    now = sigmoid(forget + 1.5) * cells + sigmoid(inward) * np.tanh(new)
    close(called("lstm_unit", {"X": x, "C_prev": cells}, "C", forget_bias=1.5), now)
    close(called("lstm_unit", {"X": x, "C_prev": cells}, "H", forget_bias=1.5), sigmoid(outward) * np.tanh(now))


def test_norms_that_were_fused():
    x, y, scale, bias = f(2, 3, 4), f(2, 3, 4), f(4), f(4)
    norm = {"Scale": scale, "Bias": bias}
    close(called("skip_layernorm", {"X": x, "Y": y, **norm}), normalized(x + y, scale, bias))
    weight, first = f(4, 4), f(4)
    inputs = {"X": x, "W": weight, "Bias0": first, "Y": y, "Scale": scale, "Bias1": bias}
    found = called("fused_fc_elementwise_layernorm", inputs, x_num_col_dims=2, begin_norm_axis=2, activation_type="relu")
    close(found, normalized(np.maximum(x @ weight + first, 0) + y, scale, bias))
    tables, ids = [f(6, 4), f(5, 4)], [np.int64([[0, 5, 2]]), np.int64([[4, 1, 1]])]
    total = tables[0][ids[0]] + tables[1][ids[1]]
    found = called("fused_embedding_eltwise_layernorm", {"Ids": ids, "Embs": tables, **norm})
    close(found, normalized(total, scale, bias))
    inputs = {"X": x, "Residual": y, "Bias": first, "LnScale": scale, "LnBias": bias}
    found = called("fused_bias_dropout_residual_layer_norm", inputs, "Y", is_test=True, dropout_implementation="upscale_in_train")
    close(found, normalized(x + first + y, scale, bias))


def test_attention_that_was_fused():
    x, weight, bias = f(2, 5, 6), f(6, 3, 6), f(3, 6)
    product = np.einsum("nth,hkd->kntd", x, weight) + bias[:, None, None]
    query, key, value = product.reshape(3, 2, 5, 2, 3).transpose(0, 1, 3, 2, 4)
    mask = f(2, 2, 5, 5)
    scores = softmax(query @ key.swapaxes(-1, -2) * 0.5 + mask)
    expected = (scores @ value).transpose(0, 2, 1, 3).reshape(2, 5, 6)
    inputs = {"Input": x, "W": weight, "Bias": bias, "BiasQK": mask}
    close(called("multihead_matmul", inputs, head_number=2, alpha=0.5), expected)
    close(called("fused_softmax_mask", {"X": mask, "Mask": mask * 2}), softmax(mask * 3))
    lower = np.where(np.tri(5, dtype=bool), mask, -1e9)
    close(called("fused_softmax_mask_upper_triangle", {"X": mask}), softmax(lower))


def test_products_that_were_fused():
    x, y = f(2, 3, 4), f(2, 5, 4)
    found = called("fused_matmul", {"X": x, "Y": y, "ResidualData": np.ones((2, 3, 5), "float32")}, trans_y=True, matmul_alpha=2.0)
    close(found, x @ y.swapaxes(1, 2) * 2 + 1)
    found = called("fused_matmul", {"X": x, "Y": y}, fused_transpose_Y=[0, 2, 1], fuse_activation="relu", fused_reshape_Out=[6, 5])
    close(found, np.maximum(x @ y.swapaxes(1, 2), 0).reshape(6, 5))
    image, kernel, bias, more = f(1, 2, 4, 4), f(3, 2, 1, 1), f(3), f(1, 3, 4, 4)
    expected = np.einsum("nchw,oc->nohw", image, kernel[:, :, 0, 0]) + bias[:, None, None] + more
    inputs = {"Input": image, "Filter": kernel, "Bias": bias, "ResidualData": more}
    close(called("conv2d_fusion", inputs, "Output"), np.maximum(expected, 0))
    close(called("fused_conv2d_add_act", inputs, "Output", activation="identity"), expected)
    close(called("fused_elementwise_mul", {"X": x, "Y": x}, fuse_activation="sqrt"), abs(x))
    close(called("fused_transpose", {"X": x}, axis=[1, 0, 2], fused_unsqueeze2_axes=[0]), x.transpose(1, 0, 2)[None])
    close(called("fusion_transpose_flatten_concat", {"X": [x, x]}, trans_axis=[0, 2, 1], flatten_axis=1, concat_axis=1),
          np.concatenate([x.transpose(0, 2, 1).reshape(2, 12)] * 2, 1))  # fmt: skip


def test_roi_perspective_transform_of_a_rectangle():
    x = f(1, 2, 6, 8)
    quads = np.float32([[1, 1, 5, 1, 5, 4, 1, 4], [1, 1, 5, 1, 5, 4, 1, 4]]) * 2
    sizes = {"transformed_height": 4, "transformed_width": 6, "spatial_scale": 0.5}
    found = called("roi_perspective_transform", {"X": x, "ROIs": quads}, **sizes)
    expected = np.zeros((2, 4, 6), "float32")
    expected[:, :, :5] = x[0, :, 1:5, 1:6]  # a rectangle of 4 rows and 5 columns fills 5 of 6
    np.testing.assert_allclose(found, np.stack([expected, expected]), atol=2e-4)
