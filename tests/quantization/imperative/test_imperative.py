"""Quantization by layers: Paddle's numbers, and files that say what Paddle's say."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests.quantization.imperative.networks import BATCHES, OBSERVED, TRAINED, network, observed, said, trained
from to_static import nn, quantization
from to_static.compiler.formats.paddle.editing import FileProgram
from to_static.compiler.formats.paddle.model_reader import SavedModel
from to_static.nn.quant import quant_layers
from to_static.quantization.imperative.fusing import fuse_layers
from to_static.quantization.imperative.ptq_quantizer import combine_abs_max_and_hist
from to_static.static.quantization.cal_kl_threshold import cal_kl_threshold

TABLE = json.loads(Path(__file__).with_name("paddle_imperative.json").read_text(encoding="utf-8"))


def file_of(path):
    saved = SavedModel(path + ".pdmodel")
    return FileProgram.of_message(saved.desc, saved.arrays)


def check_file(path, expected):
    rows = said((op.type, op.all_attrs()) for op in file_of(path).blocks[0].ops)
    wanted = expected["said"]
    assert sorted(op_type for op_type, _ in rows) == sorted(
        op_type for op_type, _ in wanted
    )  # what is independent may stand in another order
    for (op_type, mine), (_, theirs) in zip(sorted(rows, key=str), sorted(wanted, key=str), strict=True):
        assert mine.keys() == theirs.keys(), op_type
        for name, value in theirs.items():
            np.testing.assert_allclose(mine[name], value, rtol=1e-4, err_msg=f"{op_type}.{name}")
    output = paddle.jit.load(path)(paddle.to_tensor(BATCHES[1])).numpy()
    np.testing.assert_allclose(output, expected["file"], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", TRAINED)
def test_trained_networks_are_paddles(name, tmp_path):
    expected = TABLE[name]
    result, path = trained(paddle, name, tmp_path)
    assert result["layers"] == expected["layers"]
    for part in ("losses", "results"):
        np.testing.assert_allclose(result[part], expected[part], rtol=1e-4, atol=1e-4)
    for key, value in expected["scales"].items():
        np.testing.assert_allclose(result["scales"][key], value, rtol=1e-4, err_msg=key)
    check_file(path, expected)


@pytest.mark.parametrize("kinds", OBSERVED, ids="+".join)
def test_observed_networks_are_paddles(kinds, tmp_path):
    check_file(observed(paddle, kinds, tmp_path), TABLE["+".join(kinds)])


def test_static_and_dynamic_mode_agree():
    quantizer = quantization.ImperativeQuantAware()
    one, two = quantizer.quantize(network(paddle)), quantizer.quantize(network(paddle))
    static = paddle.jit.to_static(two)
    for batch in BATCHES:
        x = paddle.to_tensor(batch)
        np.testing.assert_allclose(static(x).numpy(), one(x).numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(two.fc._layer._fake_quant_input._scale.numpy(), one.fc._layer._fake_quant_input._scale.numpy())


def test_what_is_left_out():
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    net[0].skip_quant = True
    quantization.ImperativeQuantAware().quantize(net)
    assert [type(layer._layer).__name__ for layer in net] == ["Linear", "QuantizedLinear"]
    quantized = quantization.ImperativePTQ().quantize(nn.Sequential(nn.ReLU(), nn.GELU()))
    assert [hasattr(layer, "_quant_config") for layer in quantized] == [True, False]


@pytest.mark.parametrize(
    "settings",
    [
        {"quantizable_layer_type": ["ReLU"]},
        {"weight_quantize_type": "moving_average_abs_max"},
        {"activation_quantize_type": "abs_max"},
        {"weight_bits": 17},
        {"act_quantize_layer": 3},
    ],
)
def test_wrong_settings_are_refused(settings):
    with pytest.raises(AssertionError):
        quantization.ImperativeQuantAware(**settings)


def test_wrong_objects_are_refused():
    for construct in (
        lambda: quantization.ImperativeQuantAware().quantize(3),
        lambda: quantization.ImperativePTQ(3),
        lambda: quantization.ImperativePTQ().quantize(3),
        lambda: quantization.PTQConfig(quantization.PerChannelAbsmaxQuantizer(), quantization.AbsmaxQuantizer()),
        lambda: quantization.AbsmaxQuantizer(17),
        lambda: quantization.PTQRegistry.layer_info(nn.GELU()),
        lambda: quant_layers.FakeQuantChannelWiseAbsMax(channel_num=3),
    ):
        with pytest.raises(AssertionError):
            construct()


def test_a_normalization_is_folded_into_the_layer_before_it():
    net = nn.Sequential(nn.Conv2D(2, 3, 2, bias_attr=False), nn.BatchNorm2D(3))
    net.eval()
    net[1]._mean.set_value(paddle.to_tensor([1.0, 2.0, 3.0]))
    x = paddle.to_tensor(BATCHES[0][:, :2])
    fused = fuse_layers(net, [["0", "1"]])
    np.testing.assert_allclose(fused(x).numpy(), net(x).numpy(), rtol=1e-4, atol=1e-5)
    flat = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1D(2))
    flat.eval()
    x = paddle.to_tensor(BATCHES[0][:, :, 0, 0])
    np.testing.assert_allclose(fuse_layers(flat, [["0", "1"]])(x).numpy(), flat(x).numpy(), rtol=1e-4, atol=1e-5)
    with pytest.raises(TypeError, match="Conv2D, ReLU"):
        fuse_layers(nn.Sequential(nn.Conv2D(1, 1, 1), nn.ReLU()), [["0", "1"]])


def test_products_and_parallel_layers():
    from to_static.distributed.fleet.meta_parallel import ColumnParallelLinear, RowParallelLinear

    x = paddle.to_tensor(BATCHES[0][0, 0])
    exact = x @ x
    np.testing.assert_allclose(quant_layers.QuantizedMatmul()(x, x).numpy(), exact.numpy(), atol=0.2)
    for split, parallel in (("Column", ColumnParallelLinear), ("Row", RowParallelLinear)):
        layer = parallel(4, 2, has_bias=True)
        quantized = getattr(quant_layers, f"Quantized{split}ParallelLinear")(layer)
        np.testing.assert_allclose(quantized(x).numpy(), layer(x).numpy(), atol=0.2)
        with pytest.raises(AssertionError, match="weight_quant_layer"):
            getattr(quant_layers, f"Quantized{split}ParallelLinear")(layer, weight_quant_layer=nn.ReLU)
    turned = nn.Conv2DTranspose(3, 2, 2)
    y = paddle.to_tensor(BATCHES[0])
    np.testing.assert_allclose(quant_layers.QuantizedConv2DTranspose(turned)(y).numpy(), turned(y).numpy(), atol=0.2)
    mirrored = nn.Conv2D(3, 2, 3, padding=1, padding_mode="reflect")
    np.testing.assert_allclose(quant_layers.QuantizedConv2D(mirrored)(y).numpy(), mirrored(y).numpy(), atol=0.2)


def test_histograms_get_wider():
    small, large = paddle.to_tensor([0.5, 1.0]), paddle.to_tensor([3.0, 0.25])
    most, hist = 1.0, np.array([0, 1, 0, 1], np.float32)
    assert combine_abs_max_and_hist(paddle.to_tensor([0.0]), most, hist, 4, 2) == (most, hist)
    scale, counts = combine_abs_max_and_hist(large, most, hist, 4, 2)
    assert scale == 3.0 and counts.tolist() == [2, 1, 0, 1]
    assert combine_abs_max_and_hist(small, 0.0, None, 4, 2)[1].sum() == 2


def test_the_threshold_leaves_out_what_is_rare():
    hist = np.zeros(1024, np.float32)
    hist[:600], hist[1023] = 100, 1
    assert 0.55 < cal_kl_threshold(hist, 1 / 1024, 8) < 0.7
    with pytest.raises(AssertionError):
        cal_kl_threshold(hist.reshape(2, 512), 1.0, 8)
