import re
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from to_static import cli, nn
from to_static.cli.inspection import human
from to_static.static import InputSpec


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.norm = nn.BatchNorm1D(3)

    @paddle.jit.to_static
    def forward(self, x):
        y = self.norm(self.fc(x))
        if y.sum() > 0:
            y = y * 2
        return y, y.argmax(axis=-1)


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "net"
    net = Net()
    net.eval()
    paddle.jit.save(net, str(path), input_spec=[InputSpec([None, 4], "float32", "x")])
    return str(path)


def shown(capsys, *words):
    assert cli.main(["inspect", *words]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_summary(prefix, capsys):
    lines = shown(capsys, prefix, "--no-program").splitlines()
    assert lines[0].split()[:2] == ["files", f"{prefix}.pdmodel"]
    assert lines[1].split()[:1] == [f"{prefix}.pdiparams"]
    assert "inputs      x  float32[?, 4]" in lines
    assert any(line.startswith("outputs ") and line.endswith("float32[?, 3]") for line in lines)
    assert any(line.endswith("int64[?]") for line in lines)
    numbers = 4 * 3 + 3 + 4 * 3
    assert f"parameters  {numbers} numbers in 6 tensors, {numbers * 4} B" in lines
    assert lines[-1].startswith("operations ")
    assert "1 cond" in lines[-1]


def test_the_program_is_printed_and_parses_back(prefix, capsys):
    from to_static.compiler.ir.parser import parse_program

    text = shown(capsys, prefix + ".pdmodel").partition("\n\n")[2]
    assert text.startswith("program(%x: f32[?, 4] grad) {")
    assert "cond(" in text
    assert str(parse_program(text)).split() == re.sub(r" +# \S+:\d+$", "", text, flags=re.M).split()


def test_the_list_of_parameters(prefix, capsys):
    rows = [line.split() for line in shown(capsys, prefix, "--params", "--no-program").splitlines()]
    assert [row[1:] for row in rows if row[0].endswith(".w_0") and "linear" in row[0]] == [
        ["fc.weight", "float32[4,", "3]", "48", "B", "trainable"]
    ]
    assert any(row[1:2] == ["norm._mean"] for row in rows)


def test_several_methods(tmp_path, capsys):
    class Two(nn.Layer):
        @paddle.jit.to_static(input_spec=[InputSpec([2], "float32", "x")])
        def forward(self, x):
            return x + 1

        @paddle.jit.to_static(input_spec=[InputSpec([3], "float32", "z")])
        def other(self, z):
            return z * 2

    prefix = str(tmp_path / "two")
    paddle.jit.save(Two(), prefix)
    text = shown(capsys, prefix)
    assert "methods " in text
    assert f"other    {prefix}.other.pdmodel" in text
    assert "inputs      x  float32[2]" in text
    assert "inputs      z  float32[3]" in shown(capsys, prefix, "--method", "other")
    assert cli.main(["inspect", prefix, "--method", "third"]) == 1
    assert "no method 'third'; it has forward, other" in capsys.readouterr().err


def test_a_missing_model(tmp_path, capsys):
    assert cli.main(["inspect", str(tmp_path / "none")]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("to_static inspect: no saved model at")


@pytest.mark.parametrize(
    "damage", [lambda data: data[: len(data) // 2], lambda data: b"\x89PNG" + data, lambda data: b""]
)
def test_a_damaged_model(prefix, tmp_path, capsys, damage):
    data = Path(prefix + ".pdmodel").read_bytes()
    path = tmp_path / "bad.pdmodel"
    path.write_bytes(damage(data))
    assert cli.main(["inspect", str(path)]) == 1
    error = capsys.readouterr().err
    assert "bad.pdmodel" in error
    assert "expected" in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (123_400, "123 kB"), (1_500_000, "1.5 MB"), (2.5e9, "2.5 GB")],
)
def test_sizes_for_people(size, text):
    assert human(size) == text


def test_loading_needs_no_numpy_pickles(prefix):
    assert np.isfinite(paddle.jit.load(prefix)(paddle.ones([1, 4]))[0].numpy()).all()
