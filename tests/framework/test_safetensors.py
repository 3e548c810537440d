"""States in files of safetensors."""

import json

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import FormatError


def written(path, header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return str(path)


def test_states_there_and_back(tmp_path):
    paddle.seed(0)
    net, other = paddle.nn.Linear(3, 2), paddle.nn.Linear(3, 2)
    paddle.save(net.state_dict(), str(tmp_path / "net.safetensors"))
    state = paddle.load(str(tmp_path / "net.safetensors"))
    assert list(state) == ["weight", "bias"]
    other.set_state_dict(state)
    np.testing.assert_array_equal(other.weight, net.weight)
    head = json.loads((tmp_path / "net.safetensors").read_bytes()[8:].split(b"}}")[0] + b"}}")
    assert head["weight"] == {"dtype": "F32", "shape": [3, 2], "data_offsets": [0, 24]}


@pytest.mark.parametrize("dtype", "bool uint8 int8 int16 int32 int64 float16 float32 float64 complex64".split())
@pytest.mark.parametrize("shape", [(), (2, 3), (0, 2)])
def test_dtypes(tmp_path, dtype, shape):
    array = np.asarray(np.arange(np.prod(shape)).reshape(shape) % 2).astype(dtype)
    paddle.save({"x": paddle.to_tensor(array), "y": array}, str(tmp_path / "s.safetensors"))
    state = paddle.load(str(tmp_path / "s.safetensors"), return_numpy=True)
    for key in "xy":
        np.testing.assert_array_equal(state[key], array, strict=True)


def test_bfloat16_is_float32(tmp_path):
    bits = np.array([0x3F80, 0xC000], "<u2").tobytes()
    header = {"x": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}, "__metadata__": {"a": "b"}}
    path = written(tmp_path / "s.bin", header, bits)
    np.testing.assert_array_equal(paddle.load(path)["x"].numpy(), np.float32([1, -2]))


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"x": {"dtype": "F4", "shape": [1], "data_offsets": [0, 4]}}, "a dtype among BOOL"),
        ({"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}, "8 bytes of 'x'"),
        ({"x": {"dtype": "F32", "shape": [2], "data_offsets": [8, 16]}}, "8 bytes of 'x'"),
        ({"x": {"dtype": "F32", "shape": [1 << 60], "data_offsets": [0, 1 << 62]}}, "sizes and offsets"),
        ({"x": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}}, "sizes and offsets"),
        ({"x": 3}, "a dtype among BOOL"),
        (b"{" + b"x" * 20, "a header in JSON"),
    ],
)
def test_damaged_files(tmp_path, header, said):
    with pytest.raises(FormatError, match=said):
        paddle.load(written(tmp_path / "s.safetensors", header, bytes(8)))


def test_a_header_longer_than_the_file(tmp_path):
    (tmp_path / "s.safetensors").write_bytes((1 << 20).to_bytes(8, "little") + b"{}")
    with pytest.raises(FormatError, match="a header of at most 2 bytes"):
        paddle.load(str(tmp_path / "s.safetensors"))


def test_only_tensors_by_name(tmp_path):
    with pytest.raises(TypeError, match="holds tensors by name"):
        paddle.save([1], str(tmp_path / "s.safetensors"))
    assert not list(tmp_path.iterdir())
