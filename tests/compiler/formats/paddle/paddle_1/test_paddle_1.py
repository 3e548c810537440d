"""Models that PaddlePaddle 1.8.5 saved: recurrent networks by steps, over sequences too, and operators that 2.6.2 has not.

`record_paddle_1.py` made them.
"""

import tarfile
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from to_static import cli
from to_static.core.errors import FormatError
from to_static.inference import Config, create_predictor

ARCHIVE = Path(__file__).with_name("recorded.tar.xz")
PADDED = ("reversed_cell", "static_rnn", "static_rnn_with_first_states")  # models without sequences of different lengths
ALL = (
    *PADDED, "assigned_targets", "dynamic_rnn", "dynamic_rnn_with_first_states", "lstmp", "lstmp_with_bounds", "tagger",
    "warped_regions",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("paddle_1")
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            target = path / member.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.extractfile(member).read())
    return path


def check(config, numbers):
    """A predictor gives the recorded numbers."""
    predictor = create_predictor(config)
    with np.load(numbers) as recorded:
        for name in predictor.get_input_names():
            handle = predictor.get_input_handle(name)
            handle.copy_from_cpu(recorded[f"in_{name}"])
            if f"lod_{name}" in recorded.files:
                handle.set_lod([recorded[f"lod_{name}"].tolist()])
        predictor.run()
        names = predictor.get_output_names()
        assert len(names) == sum(key.startswith("out_") for key in recorded.files)
        for i, name in enumerate(names):
            result, expected = predictor.get_output_handle(name).copy_to_cpu(), recorded[f"out_{i}"]
            assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
            np.testing.assert_allclose(result, expected, rtol=2e-5, atol=1e-6)


def test_all_are_recorded(folder):
    assert sorted(path.name for path in folder.iterdir()) == sorted(ALL)


@pytest.mark.parametrize("name", ALL)
def test_numbers_are_paddle_s(folder, name):
    check(Config(str(folder / name)), folder / name / "numbers.npz")


@pytest.mark.parametrize("form", ["pdmodel", "json", "onnx"])
@pytest.mark.parametrize("name", PADDED)
def test_they_are_written_in_other_formats(folder, name, form, tmp_path, capsys):
    assert cli.main(["upgrade", str(folder / name), "--to", form, "-o", str(tmp_path / "new")]) == 0
    check(Config(str(tmp_path / f"new.{form}")), folder / name / "numbers.npz")


@pytest.mark.parametrize("name", ["dynamic_rnn", "tagger"])
def test_models_with_sequences_are_copied(folder, name, tmp_path, capsys):
    assert cli.main(["upgrade", str(folder / name), "--to", "pdmodel", "-o", str(tmp_path / "new")]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.pdiparams", "new.pdmodel"]
    check(Config(str(tmp_path / "new.pdmodel")), folder / name / "numbers.npz")


def test_they_are_not_written_as_programs(folder, tmp_path, capsys):
    with pytest.raises(FormatError, match=r"sequences of different lengths \(LoD\), with which no Program is written"):
        paddle.jit.save(paddle.jit.load(str(folder / "tagger")), str(tmp_path / "new"))
    assert cli.main(["upgrade", str(folder / "tagger"), "--to", "onnx", "-o", str(tmp_path / "new")]) == 1
    assert "let the Program take padded sequences and their lengths" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
