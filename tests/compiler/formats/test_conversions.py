"""Models of real Paddle in the files of another format, and back: the numbers stay."""

from __future__ import annotations

import re
from pathlib import Path

import daily
import numpy as np
import pytest

from tests.compiler.formats.pir import pir_archive
from to_static.cli.commands import main
from to_static.inference import Config, create_predictor

GOLDEN = Path(__file__).parents[2] / "golden" / "paddle"
PADDLE_2 = sorted(path.stem for path in GOLDEN.glob("*.pdmodel") if path.with_suffix(".npz").exists())
PADDLE_3 = [name for name in pir_archive.names() if not name.endswith("half")]
STATES = ["counter"]  # ONNX has none


def predicted(path, arrays):
    return create_predictor(Config(str(path))).run(arrays)


def converted(source, target, capsys, *formats):
    """The prefix of the last of the models that are made of one another."""
    for form in formats:
        prefix = f"{target}_{form}"
        if main(["upgrade", str(source), "-o", prefix, "--to", form]):
            pytest.fail(capsys.readouterr().err)
        source = prefix
    return source


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PADDLE_2)
@pytest.mark.parametrize("way", daily.way("conversions", [("json", "onnx", "pdmodel"), ("onnx", "json"), ("json", "pdmodel")]))
def test_models_of_paddle_2(name, way, tmp_path, capsys):
    with np.load(GOLDEN / f"{name}.npz") as record:
        arrays = [record[f"in_{i}"] for i in range(sum(key.startswith("in_") for key in record.files))]
    expected = predicted(GOLDEN / name, arrays)
    if "onnx" in way and name in STATES:
        assert main(["upgrade", str(GOLDEN / name), "-o", str(tmp_path / "new"), "--to", "onnx"]) == 1
        assert "ONNX models have no state" in capsys.readouterr().err
        return
    actual = predicted(converted(GOLDEN / name, tmp_path / "new", capsys, *way), arrays)
    for result, number in zip(actual, expected, strict=True):
        assert (result.dtype, result.shape) == (number.dtype, number.shape)
        np.testing.assert_allclose(result, number, rtol=1e-5, atol=1e-6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return pir_archive.unpack(tmp_path_factory.mktemp("pir"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", daily.some("models of Paddle 3 to ONNX", PADDLE_3, 80))
def test_models_of_paddle_3(folder, name, tmp_path, capsys):
    """`.json` -> ONNX: the runtime, where there is one, and the model that is read again, compute Paddle's numbers."""
    inputs, expected = pir_archive.numbers(folder / name)
    target = str(tmp_path / "new")
    if main(["upgrade", f"{folder / name}.json", "-o", target, "--to", "onnx"]):
        message = capsys.readouterr().err
        assert re.search(r"expected operators that ONNX \(opset 17\) can say", message), message
        return
    predictor = create_predictor(Config(f"{target}.onnx"))
    pir_archive.check(predictor.run([inputs[key] for key in predictor.get_input_names()]), expected, folder / name)
    try:
        import onnxruntime
    except ImportError:  # it is no dependency
        return
    session = onnxruntime.InferenceSession(f"{target}.onnx", providers=["CPUExecutionProvider"])
    results = session.run(None, {value.name: inputs[value.name] for value in session.get_inputs()})
    pir_archive.check(results, expected, folder / name)
