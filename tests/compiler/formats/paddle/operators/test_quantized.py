"""Quantized models of real PaddlePaddle 2.6.2: aware of it in training and after it, in the old form and the new one."""

from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from to_static import inference
from to_static.compiler.formats.paddle.operators.call_by_type import call

FOLDER = Path(__file__).parents[4] / "golden" / "quantized"
NAMES = sorted(path.stem for path in FOLDER.glob("*.npz"))


@pytest.fixture(params=NAMES)
def model(request):
    recorded = np.load(FOLDER / f"{request.param}.npz")
    return str(FOLDER / request.param), recorded["x"], recorded["y"]


def run(prefix, x):
    paddle.enable_static()
    try:
        executor = paddle.static.Executor()
        program, feeds, fetch = paddle.static.load_inference_model(prefix, executor)
        return executor.run(program, feed={feeds[0]: x}, fetch_list=fetch)[0]
    finally:
        paddle.disable_static()


def predict(prefix, x):
    predictor = inference.create_predictor(inference.Config(f"{prefix}.pdmodel", f"{prefix}.pdiparams"))
    predictor.get_input_handle(predictor.get_input_names()[0]).copy_from_cpu(x)
    predictor.run()
    return predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()


@pytest.mark.parametrize("way", [run, predict])
def test_they_predict_what_paddle_predicts(model, way):
    prefix, x, y = model
    np.testing.assert_allclose(way(prefix, x), y, rtol=1e-5, atol=1e-6)


def test_loaded_layers_are_trained_and_saved_again(model, tmp_path):
    prefix, x, y = model
    if Path(prefix).name.startswith("program"):
        pytest.skip("saved by save_inference_model: it has no names of a Layer's parameters")
    net = paddle.jit.load(prefix)
    net.eval()
    x = paddle.to_tensor(x, stop_gradient=False)
    np.testing.assert_allclose(net(x).numpy(), y, rtol=1e-5, atol=1e-6)
    paddle.jit.save(net, str(tmp_path / "again"), input_spec=[paddle.static.InputSpec([None, 1, 4, 4])])
    np.testing.assert_array_equal(paddle.jit.load(str(tmp_path / "again"))(x).numpy(), net(x).numpy())
    net(x).sum().backward()  # through what is rounded as if it were not
    assert np.abs(x.grad.numpy()).sum() > 0


def test_whole_weights_stay_small(tmp_path):
    net = paddle.jit.load(str(FOLDER / "aware_abs_max_linear"))
    assert {p.dtype.name for p in net.state_dict().values()} >= {"int8"}
    paddle.jit.save(net, str(tmp_path / "again"), input_spec=[paddle.static.InputSpec([None, 1, 4, 4])])
    before, after = FOLDER / "aware_abs_max_linear.pdiparams", tmp_path / "again.pdiparams"
    assert after.stat().st_size <= before.stat().st_size


@pytest.mark.parametrize("form", ["pdmodel", "json"])
def test_they_predict_the_same_when_they_are_saved_again(model, form, tmp_path):
    prefix, x, y = model
    paddle.jit.save(paddle.jit.load(prefix), str(tmp_path / "again"), format=form)
    np.testing.assert_allclose(paddle.jit.load(str(tmp_path / "again"))(paddle.to_tensor(x)).numpy(), y, rtol=1e-5, atol=1e-6)


def test_a_dequantizer_may_have_the_sums_of_an_observer_beside_it():
    one = paddle.to_tensor([1.0])
    inputs = {"X": paddle.to_tensor([-127.0, 64.0]), "Scale": one * 2, "ZeroPoint": one * 0, "InAccum": one, "InState": one}
    np.testing.assert_allclose(call("dequantize_linear", inputs, {"quant_axis": -1})["Y"].numpy(), [-2, 128 / 127], rtol=1e-6)
