"""AdaRound: which way weights are rounded, and what it is worth."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import to_static as paddle
from tests.static.quantization.models import CALIBRATED, calibrated, run, saved
from to_static import static
from to_static.compiler.formats.paddle.editing import FileOp, FileProgram
from to_static.compiler.formats.paddle.model_reader import SavedModel
from to_static.static.quantization.adaround import learned_rounding


@pytest.fixture(autouse=True)
def static_mode():
    paddle.enable_static()
    yield
    paddle.disable_static()


def product(rows: int, columns: int) -> FileOp:
    form = FileProgram()
    block = form.blocks[0]
    for name, shape in {"x": [-1, rows], "w": [rows, columns], "y": [-1, columns]}.items():
        block.add(name, dtype=5, shape=shape)
    return FileOp(block, "matmul_v2", {"X": ["x"], "Y": ["w"]}, {"Out": ["y"]}, {"trans_x": False, "trans_y": False})


def test_of_all_roundings_one_of_the_best_is_found():
    rng = np.random.RandomState(0)
    common = rng.randn(64, 1)
    x = (common + 0.1 * rng.randn(64, 5)).astype("float32")  # rounding errors of one sign add up
    most = 127
    weight = np.array([[127.0], [10.4], [20.4], [30.4], [-5.6]], "float32") / most
    values = {"x": x, "w": weight, "y": x @ weight}
    whole = learned_rounding(static.Executor(), product(5, 1), "w", 1.0, [values], 0.02) * most
    np.testing.assert_allclose(whole, np.round(whole), atol=1e-3)

    def loss(integers: np.ndarray) -> float:
        return float(((x @ (integers / most).astype("float32") - values["y"]) ** 2).mean())

    ways = itertools.product((0, 1), repeat=5)
    best = min(loss(np.floor(weight * most + 1e-3) + np.array(way)[:, None]) for way in ways)
    assert loss(whole) < 1.3 * best and loss(np.round(weight * most)) > 10 * best


@pytest.mark.parametrize("more", [{}, {"onnx_format": True}, {"bias_correction": True}])
def test_results_are_nearer_than_with_the_nearest_integers(more, tmp_path, monkeypatch):
    paddle.disable_static()
    saved(paddle, tmp_path)
    paddle.enable_static()
    original = np.array(run(paddle, tmp_path, "model"))
    losses = []
    for name, option in {"nearest": {}, "learned": {"round_type": "adaround"}}.items():
        monkeypatch.setitem(CALIBRATED, name, {"algo": "abs_max", "activation_bits": 8, **more, **option})
        losses.append(float(((np.array(calibrated(paddle, tmp_path, name)) - original) ** 2).mean()))
    assert losses[1] < 0.8 * losses[0]
    if not more:
        files = [SavedModel(tmp_path / n / "m.pdmodel", tmp_path / n / "m.pdiparams").arrays for n in ("nearest", "learned")]
        name = next(key for key in files[0] if key.startswith("conv2d") and files[0][key].ndim == 4)
        assert np.array_equal(files[1][name], np.round(files[1][name])) and np.abs(files[0][name] - files[1][name]).max() == 1
