"""Files that are no models of Paddle 2: each way to load one says what the file is, and what to do."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static import inference, nn
from to_static.compiler.formats.unsupported_formats import foreign

SAFE = b"\x36" + bytes(7) + b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}' + bytes(4)
FILES = {
    "pir.json": (b'{"base_code": {"magic": "pir"}}', "'version' in base_code|a program of Paddle 3"),
    "other.json": (b'{"model": []}', "base_code|a program of Paddle 3"),
    "renamed.pdmodel": (b'{"base_code": {"magic": "pir"}}', "'version' in base_code|a program of Paddle 3"),
    "lite.nb": (b"\x02\x00" + b"x" * 90, "Paddle Lite"),
    "weights.safetensors": (SAFE, "set_state_dict.paddle.load"),
    "renamed.bin": (SAFE, "a safetensors file"),
    "net.onnx": (b"\x08\x07\x12\x07pytorch", "a model of ONNX"),
    "net.pth": (b"PK\x03\x04" + bytes(40), "a PyTorch file"),
    "net.h5": (b"\x89HDF\r\n\x1a\n", "an HDF5 file, as Keras writes it"),
    "net.tflite": (b"\x1c\x00\x00\x00TFL3", "TensorFlow Lite"),
    "net.zip": (b"PK\x03\x04" + bytes(40), "unpack it"),
    "net.html": (b"<!DOCTYPE html>", "XML or HTML"),
    "lfs.pdmodel": (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
}
WAYS = {
    "jit.load": paddle.jit.load,
    "Config": lambda path: inference.create_predictor(inference.Config(path)),
    "Config of two": lambda path: inference.create_predictor(inference.Config(path, "net.pdiparams")),
    "load_inference_model": paddle.static.load_inference_model,
    "load": paddle.load,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", FILES)
def test_files_are_named_and_what_to_do(tmp_path, name, way):
    data, said = FILES[name]
    if data is SAFE and way == "load":
        pytest.skip("it can be loaded: tests/framework/test_safetensors.py")
    (tmp_path / name).write_bytes(data)
    path = str(tmp_path / name)
    if name.endswith(".pdmodel") and way in ("jit.load", "load_inference_model"):
        path = path.removesuffix(".pdmodel")
    with pytest.raises((ValueError, OSError), match=said):
        WAYS[way](path)


@pytest.mark.parametrize("way", [way for way in WAYS if way != "load"])
def test_prefixes_and_folders_lead_to_what_is_there(tmp_path, way):
    (tmp_path / "net.nb").write_bytes(FILES["lite.nb"][0])
    with pytest.raises(FileNotFoundError, match=r"net.nb is a model of Paddle Lite"):
        WAYS[way](str(tmp_path / "net"))
    with pytest.raises(FileNotFoundError, match=r"that is a folder.*has net.nb; net.nb is a model of Paddle Lite"):
        WAYS[way](str(tmp_path))
    paddle.jit.save(nn.Linear(2, 2), str(tmp_path / "other"), [paddle.static.InputSpec([None, 2])])
    with pytest.raises(FileNotFoundError, match=r"that is a folder, and a model has a prefix: '.*other' for other.pdmodel in it"):
        WAYS[way](str(tmp_path))
    with pytest.raises((ValueError, OSError), match="a file with the parameters of a model: name the .pdmodel file beside it"):
        WAYS[way](str(tmp_path / "other.pdiparams"))


def test_models_of_ours_are_not_foreign(tmp_path):
    paddle.jit.save(nn.Linear(2, 2), str(tmp_path / "net"), [paddle.static.InputSpec([None, 2])])
    assert foreign((tmp_path / "net.pdmodel").read_bytes()[:64], "net.pdmodel") is None
    np.savez(tmp_path / "w.npz", w=np.ones(2))
    assert "numpy.load" in str(foreign((tmp_path / "w.npz").read_bytes()[:64], "w.npz"))
