"""Every layer of `static.nn` as real Paddle 2.6.2 has it: numbers, and names and shapes of the parameters."""

import json
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests.static.nn.record_static_layers import evaluate
from to_static.core.errors import ShapeError

RECORDS = json.loads(Path(__file__).with_name("paddle_static_layers.json").read_text())


@pytest.mark.parametrize(("text", "parameters", "shape", "values"), RECORDS, ids=[r[0] for r in RECORDS])
def test_as_paddle(static, text, parameters, shape, values):
    result, found = evaluate(paddle, text)
    if "spectral_norm" in text:  # whose second vector follows from the first: a Program refers to what it uses only
        parameters = [p for p in parameters if p[0] != "spectral_norm_0.w_1"]
    assert found == parameters
    np.testing.assert_allclose(result, np.reshape(values, shape), rtol=2e-5, atol=2e-6)


def test_row_conv_looks_ahead(static):
    x = static.data("x", [None, 3, 2])
    out = static.nn.row_conv(x, 1)
    [weight] = static.default_main_program().all_parameters()
    weight.set_value(np.asarray([[1, 2], [10, 20]], "float32"))
    [found] = static.Executor().run(feed={"x": np.arange(6, dtype="float32").reshape(1, 3, 2)}, fetch_list=[out])
    assert found.tolist() == [[[20.0, 62.0], [42.0, 106.0], [4.0, 10.0]]]


@pytest.mark.parametrize(
    ("build", "kind", "words"),
    [
        (lambda s, x: s.nn.prelu(x, "some"), ValueError, "mode should be one of"),
        (lambda s, x: s.nn.prelu(x, "channel", data_format="XY"), ValueError, "data_format"),
        (lambda s, x: s.nn.prelu(x, "element"), ShapeError, "must be known"),
        (lambda s, x: s.nn.layer_norm(x), ShapeError, "must be known"),
        (lambda s, x: s.nn.fc(x, 3, 3, activation="rellu"), ValueError, "unknown activation 'rellu'"),
        (lambda s, x: s.nn.conv2d(x, 3, 3, groups=3), ShapeError, "divisible by groups, got 4 and 3"),
        (lambda s, x: s.nn.conv2d_transpose(x, 3), ValueError, "output_size must be set"),
        (lambda s, x: s.nn.conv2d_transpose(x, 3, [4, 4]), ShapeError, "sizes must be known"),
        (lambda s, x: s.nn.spectral_norm(x, 2), ValueError, "`dim` must be 0"),
        (lambda s, x: s.nn.bilinear_tensor_product(x, x, 2), ShapeError, "2D tensors"),
        (lambda s, x: s.nn.row_conv(x, 2), ShapeError, "batch, time, D"),
        (lambda s, x: s.nn.instance_norm(x, param_attr=False), ValueError, "at the same time"),
        (lambda s, x: s.nn.sparse_embedding(x, [2, 3], table_class="mine"), ValueError, "table_class"),
    ],
)  # fmt: skip
def test_what_is_refused(static, build, kind, words):
    with pytest.raises(kind, match=words):
        build(static, static.data("x", [None, 4, None, 5]))
