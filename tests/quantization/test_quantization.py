"""Networks with quanters: what Paddle computes, and the layers for weights of eight bits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests.quantization.quantized import BATCHES, network, results
from to_static import nn, quantization
from to_static.core.errors import ShapeError
from to_static.nn import quant
from to_static.quantization import PTQ, QAT, QuantConfig
from to_static.quantization.observers import AbsmaxObserver, GroupWiseWeightObserver
from to_static.quantization.quanters import FakeQuanterWithAbsMaxObserver

TABLE = json.loads(Path(__file__).with_name("paddle_quantized.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("method", TABLE)
def test_results_are_paddles(method):
    result = results(paddle, method)
    for name, expected in TABLE[method].items():
        np.testing.assert_allclose(result[name], expected, rtol=1e-4, atol=1e-4, err_msg=name)


def test_static_and_dynamic_mode_agree_and_converted_networks_are_saved(tmp_path):
    chosen = FakeQuanterWithAbsMaxObserver()
    qat = QAT(QuantConfig(activation=chosen, weight=chosen))
    one, two = qat.quantize(network(paddle)), qat.quantize(network(paddle))
    static = paddle.jit.to_static(two)
    for batch in BATCHES:
        x = paddle.to_tensor(batch)
        np.testing.assert_allclose(static(x).numpy(), one(x).numpy(), rtol=1e-5, atol=1e-5)
    assert float(two.stub._observer.scales()) == pytest.approx(float(one.stub._observer.scales()))
    one.eval()
    model = qat.convert(one)
    x = paddle.to_tensor(BATCHES[0])
    paddle.jit.save(model, str(tmp_path / "m"), input_spec=[paddle.static.InputSpec([None, 2, 4, 4])])
    np.testing.assert_allclose(paddle.jit.load(str(tmp_path / "m"))(x).numpy(), model(x).numpy(), rtol=1e-5, atol=1e-5)


def test_which_layers_are_quantized():
    chosen = AbsmaxObserver(quant_bits=4)
    net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.ReLU(), nn.Linear(2, 2)), nn.Linear(2, 2))
    config = QuantConfig(activation=None, weight=None)
    config.add_type_config(nn.Linear, weight=chosen)
    config.add_layer_config(net[2], activation=chosen)
    config.add_customized_leaf(nn.Sequential)
    qat = QAT(config)
    quantized = qat.quantize(net)
    assert [type(x).__name__ for x in (quantized[0], quantized[1][1], quantized[2])] == ["QuantedLinear"] * 3
    assert [quantized[0].activation_quanter, quantized[2].weight_quanter] == [None, None]
    assert quantized[0].weight_quanter.bit_length() == 4 and type(net[0]) is nn.Linear
    assert "AbsmaxObserver(quant_bits=4)" in str(config) and str(qat).startswith("Sequential(")

    class Other(nn.Layer):
        def __init__(self, layer, config):
            super().__init__()

    config.add_qat_layer_mapping(nn.Linear, Other)
    assert type(QAT(config).quantize(net)[0]).__name__ == "Other"
    with pytest.raises(AssertionError, match="subclass"):
        config.add_qat_layer_mapping(int, nn.Linear)
    with pytest.raises(AssertionError, match=r"model\.train"):
        net.eval()
        qat.quantize(net)
    with pytest.raises(AssertionError, match=r"model\.eval"):
        net.train()
        PTQ(config).quantize(net, inplace=True)


def test_a_quanter_of_the_users():
    @quantization.quanter("HalfQuanter")
    class HalfQuanterLayer(quantization.BaseQuanter):
        def __init__(self, layer, factor=0.5):
            super().__init__()
            self.factor = factor

        def forward(self, input):
            return input * self.factor

        def scales(self):
            return None

        zero_points = quant_axis = bit_length = scales

    quantized = QAT(QuantConfig(activation=HalfQuanter(factor=0.25), weight=None)).quantize(nn.Sequential(nn.ReLU()))  # noqa: F821
    assert quantized(paddle.ones([1])).item() == 0.25
    with pytest.raises(TypeError, match="abstract"):
        quantization.BaseQuanter()


def test_groups_of_rows():
    observer = GroupWiseWeightObserver(group_size=64)._instance(None)
    weight = paddle.randn([128, 3])
    assert observer(weight) is weight
    expected = np.abs(weight.numpy()).reshape(2, 64, 3).max(1)
    np.testing.assert_array_equal(observer.scales().numpy(), expected)
    quanter = quant.format.LinearQuanterDequanter.from_quanter(observer)
    quanter._quanter._group_size = quanter._dequanter._group_size = 64
    assert np.abs((quanter(weight) - weight).numpy()).max() <= expected.max() / 254 + 1e-6
    with pytest.raises(ShapeError, match="groups of 64"):
        observer(paddle.ones([65, 1]))


def test_weights_of_eight_bits():
    rng = np.random.RandomState(0)
    x, w, b = (paddle.to_tensor(rng.randn(*shape).astype("float32")) for shape in ((4, 3, 16), (16, 5), (5,)))
    integers, scale = quant.weight_quantize(w)
    assert (integers.shape, str(integers.dtype), scale.shape) == ([5, 16], "paddle.int8", [5])
    back = quant.weight_dequantize(integers, scale, out_dtype="float32")
    assert np.abs((back - w).numpy()).max() <= scale.numpy().max() / 2 + 1e-6
    exact = x @ back + b
    np.testing.assert_allclose(quant.weight_only_linear(x, integers, b, scale).numpy(), exact.numpy(), rtol=1e-5, atol=1e-5)
    x[0, 0, 2] = 50.0
    result = quant.llm_int8_linear(x, integers, b, scale, threshold=6.0)
    np.testing.assert_allclose(result.numpy(), (x @ back + b).numpy(), atol=0.2)
    with pytest.raises(ValueError, match="eight bits only"):
        quant.weight_quantize(w, "weight_only_int4")


def test_private_names_of_layers_are_free_for_users():
    """What a user's layer calls its own parts must not hide what `Layer` needs, as it does not in Paddle."""
    mine = {name for name in dir(nn.Layer) if name.startswith("_") and not name.startswith(("__", "_Layer"))}
    of_paddle = {"_helper", "_build_once", "_to_impl"}
    assert mine <= {"_call_with_hooks", "_static_methods"} | of_paddle
