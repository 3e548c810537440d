"""The keys of a dict that a model returns are the names of its outputs in files, which Paddle reads with equal numbers.

PaddlePaddle 2.6.2 and 3.3.1 were seen to read such files by `jit.load` and by `paddle.inference`, with these names.
"""

import numpy as np
import pytest

import to_static as paddle
from to_static.static import InputSpec


class Heads(paddle.nn.Layer):
    def __init__(self, result):
        super().__init__()
        self.linear = paddle.nn.Linear(4, 2)
        self.result = result

    def forward(self, x):
        return self.result(self.linear(x), x)


def everything(y, x):
    return {"scores": y, "boxes": y * 2, "mask": y > 0, "parts": [y + 1, y + 2], "x": x, "again": y, "deep": {"a": y - 1}}


NAMES = ["again", "boxes", "deep_a", "mask", "parts_0", "parts_1", "scores", "x_out"]


def saved(tmp_path, result, **options):
    net = Heads(result)
    prefix = tmp_path / "net"
    paddle.jit.save(net, str(prefix), input_spec=[InputSpec([None, 4], "float32", "x")], **options)
    return net, prefix


@pytest.mark.parametrize("form", ["pdmodel", "json", "onnx"])
def test_keys_are_names(tmp_path, form):
    net, prefix = saved(tmp_path, everything, format=form)
    x = np.random.default_rng(0).standard_normal((3, 4)).astype("float32")
    predict = paddle.inference.load_predictor(prefix)
    assert predict.outputs == NAMES
    results, expected = predict({"x": x}), net(paddle.to_tensor(x))
    flat = {**expected, "deep_a": expected["deep"]["a"], "parts_0": expected["parts"][0], "parts_1": expected["parts"][1]}
    for name, array in results.items():
        np.testing.assert_allclose(array, flat[name.removesuffix("_out")].numpy(), rtol=1e-6)
    loaded = paddle.jit.load(str(prefix))(paddle.to_tensor(x))
    for tensor, name in zip(loaded, NAMES, strict=True):
        np.testing.assert_array_equal(tensor.numpy(), results[name])


@pytest.mark.parametrize("form", ["pdmodel", "json", "onnx"])
@pytest.mark.parametrize(
    ("keys", "inputs", "names"),
    [(("x", "x_out"), ("x", "y"), ["x_out", "x_out_0"]), (("x", "z"), ("x", "x_out"), ["x_out_0", "z"])],
)
def test_an_output_is_never_called_like_an_input(tmp_path, form, keys, inputs, names):
    class Two(paddle.nn.Layer):
        def forward(self, a, b):
            return {keys[0]: a + b, keys[1]: a - b}

    specs = [InputSpec([None, 4], "float32", name) for name in inputs]
    paddle.jit.save(Two(), str(tmp_path / "two"), input_spec=specs, format=form)
    predict = paddle.inference.load_predictor(tmp_path / "two")
    assert sorted(predict.outputs) == names
    results = predict({inputs[0]: np.full([1, 4], 3, "float32"), inputs[1]: np.ones([1, 4], "float32")})
    renamed = (set(names) - {keys[1]}).pop()
    assert results[renamed].max() == 4 and results[keys[1]].max() == 2


def test_names_outlive_a_second_save(tmp_path):
    _, prefix = saved(tmp_path, everything)
    paddle.jit.save(paddle.jit.load(str(prefix)), str(tmp_path / "again"))
    assert paddle.inference.load_predictor(tmp_path / "again").outputs == NAMES


def test_output_spec_takes_names_along(tmp_path):
    _, prefix = saved(tmp_path, everything, output_spec=[1, 6])
    assert paddle.inference.load_predictor(prefix).outputs == ["boxes", "scores"]


@pytest.mark.parametrize("result", [lambda y, x: [y, {"a": y}], lambda y, x: {"a\n": y, "b": y}, lambda y, x: y])
def test_other_results_have_the_names_of_paddle(tmp_path, result):
    _, prefix = saved(tmp_path, result)
    assert all(name.startswith("save_infer_model/scale_") for name in paddle.inference.load_predictor(prefix).outputs)
