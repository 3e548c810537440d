"""Every sample runs as a user would run it, in a process of its own.

Those that train do it shortly here. They end with exit code 1 when the model that they load does not answer like the
one that they saved.
"""

import gzip
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]


def run(name, *words, cwd):
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TO_STATIC_DATA": str(cwd / "data"),
        "PYTHONWARNINGS": "error::DeprecationWarning",
    }
    command = [sys.executable, str(ROOT / "samples" / name), *map(str, words)]
    result = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=240)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def numbers(pattern, text):
    """The numbers in the only place that looks like this."""
    (found,) = re.findall(pattern, text)
    return [float(number) for number in ([found] if isinstance(found, str) else found)]


def is_picture(path):
    return path.read_bytes().startswith(b"\x89PNG")


def percentages(text):
    return [float(number) for number in re.findall(r"(\d+\.\d)%", text)]


def test_digits(tmp_path):
    for module in ("sklearn", "matplotlib", "tqdm"):
        pytest.importorskip(module)
    text = run("digits.py", "--show-code", cwd=tmp_path)
    trained, loaded = (float(share) for share in re.findall(r"process \d: (\d+\.\d)%", text))
    assert trained > 95
    assert loaded == trained
    assert "_jst.while_(" in text
    assert is_picture(tmp_path / "out" / "digits" / "predictions.png")


def idx(array):
    return gzip.compress(
        bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.astype("u1").tobytes()
    )


def test_mnist_tutorial_with_the_digits_for_mnist(tmp_path):
    pytest.importorskip("sklearn")
    text = run("mnist_tutorial.py", "--no-download", "--output", "saved", cwd=tmp_path)
    assert "digits set takes its place" in text
    trained, again = percentages(text)
    assert again == trained > 85
    names = {path.name for path in (tmp_path / "saved").iterdir()}
    assert names == {"linear.pdparams", "linear.pdmodel", "linear.pdiparams", "linear.pdiparams.info"}


def test_mnist_tutorial_with_local_files(tmp_path):
    labels = np.arange(640) % 10
    images = np.zeros((640, 28, 28))
    images[np.arange(640), labels * 2] = 255  # a line whose height tells the digit
    (tmp_path / "images.gz").write_bytes(idx(images))
    (tmp_path / "labels.gz").write_bytes(idx(labels))
    words = [
        "--images",
        "images.gz",
        "--labels",
        "labels.gz",
        "--test-images",
        "images.gz",
        "--test-labels",
        "labels.gz",
    ]
    text = run("mnist_tutorial.py", *words, cwd=tmp_path)
    assert "640 images to learn from, 640 to be tested with" in text
    assert percentages(text) == [100.0, 100.0]
    assert "labels are        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]" in text


def test_symbolic(tmp_path):
    text = run("symbolic.py", cwd=tmp_path)
    assert "D     = [3. 3. 3. 3. 3. 3. 3. 3. 3. 3.]\n" in text
    assert "dD/dA = [2. 2. 2. 2. 2. 2. 2. 2. 2. 2.]\n" in text
    assert "dD/dB = [1. 1. 1. 1. 1. 1. 1. 1. 1. 1.]\n" in text
    assert "saved: mygraph.pdmodel\n" in text
    assert "D      = [3. 3. 3. 3. 3. 3. 3. 3. 3. 3.]   from the loaded graph" in text


def test_mlp_hybridize(tmp_path):
    text = run("mlp_hybridize.py", "--calls", 100, cwd=tmp_path)
    assert "same numbers: True" in text
    parts = dict(re.findall(r"``(.*?)``.*\n  dynamic\n((?:.*\n)*?)(?=\n|\Z)", text))
    assert parts["a += b"].count("-> [11.0, 22.0]") == 2
    assert parts["a[:] = a + b"].count("-> [4.0, 6.0]") == 2
    assert parts["print"].count("the value of y is") == 4
    dynamic, static = parts["x.numpy()"].split("  static\n")
    assert dynamic.count("-> [2.0, 3.0]") == 1
    assert static.count("-> [2.0, 3.0]") == 1  # Python runs it


def test_text_classification(tmp_path):
    text = run("text_classification.py", "--steps", 100, cwd=tmp_path)
    for name in ("LSTM", "Transformer"):
        before, after, right = numbers(rf"{name} +loss ([\d.]+) -> ([\d.]+)   right ([\d.]+)%", text)
        assert after < 0.8 * before
        assert right > 70
    assert text.count("loaded, it differs by 0\n") == 2


def test_translation(tmp_path):
    text = run("translation.py", "--steps", 60, cwd=tmp_path)
    before, after = numbers(r"loss ([\d.]+) -> ([\d.]+)", text)
    assert after < 0.7 * before
    assert "one sentence at a time: True" in text
    assert (tmp_path / "out" / "translation" / "translate.pdmodel").exists()


def test_cart_pole(tmp_path):
    text = run("cart_pole.py", "--rounds", 15, cwd=tmp_path)
    _, after = numbers(r"(\d+) steps before, (\d+) steps after", text)
    assert after > 120
    shares = numbers(r"pushes right +" + r"([\d.]+)% +" * 4 + r"([\d.]+)%", text)
    assert shares == sorted(shares)


def test_neural_ode(tmp_path):
    text = run("neural_ode.py", "--steps", 80, cwd=tmp_path)
    before, after = numbers(r"loss ([\d.]+) -> ([\d.]+)", text)
    assert after < 0.5 * before
    assert len(set(re.findall(r" (\*+)\n", text))) > 1, "the solver takes other steps where the points move otherwise"
    assert is_picture(tmp_path / "out" / "neural_ode" / "flow.png")


def test_karate_club(tmp_path):
    text = run("karate_club.py", "--steps", 60, cwd=tmp_path)
    before, after = numbers(r"loss ([\d.]+) -> ([\d.]+)", text)
    assert after < 0.1 * before
    assert "33 of 34 went where the network thinks" in text
    assert is_picture(tmp_path / "out" / "karate_club" / "sides.png")


def test_shapes_fit(tmp_path):
    text = run("shapes_fit.py", "--images", 600, "--epochs", 3, cwd=tmp_path)
    epochs = re.findall(r"^ +\d   +[\d.]+ +[\d.]+%   +([\d.]+) +([\d.]+)%$", text, re.M)  # of all pictures held out
    (before, _), _, (after, right) = epochs
    assert float(after) < 0.95 * float(before)
    assert float(right) > 30
    assert "gives the same scores: True" in text
    output = tmp_path / "out" / "shapes_fit"
    assert is_picture(output / "guesses.png")
    assert (output / "checkpoints" / "final.pdopt").exists()


def test_gan(tmp_path):
    text = run("gan.py", "--steps", 400, cwd=tmp_path)
    rows = re.findall(r"^ +\d+ +[\d.]+ +[\d.]+ +\d of 8 +(\d+)%$", text, re.M)
    assert len(rows) == 4
    assert int(rows[0]) == 100 > int(rows[-1])
    assert "makes the same points: True" in text
    assert is_picture(tmp_path / "out" / "gan" / "points.png")


def test_vae(tmp_path):
    text = run("vae.py", "--steps", 150, cwd=tmp_path)
    wrong, away, wrong2, away2 = numbers(r"([\d.]+) wrong \+ ([\d.]+) away -> ([\d.]+) wrong \+ ([\d.]+) away", text)
    assert wrong2 + away2 < 0.5 * (wrong + away)
    (share,) = numbers(r"(\d+)% of the pictures lie beside", text)
    assert share > 25
    assert "draws the same: True" in text
    assert is_picture(tmp_path / "out" / "vae" / "map.png")


def test_crnn_ctc(tmp_path):
    text = run("crnn_ctc.py", "--steps", 40, cwd=tmp_path)
    before, after = numbers(r"loss ([\d.]+) -> ([\d.]+)", text)
    assert after < 0.8 * before
    assert "reads the same: True" in text
    assert is_picture(tmp_path / "out" / "crnn_ctc" / "lines.png")


def test_detection(tmp_path):
    text = run("detection.py", "--steps", 60, cwd=tmp_path)
    before, after = numbers(r"loss ([\d.]+) -> ([\d.]+)", text)
    assert after < 0.5 * before
    recall, precision = numbers(r"all +\d+ +\d+ +\d+ +([\d.]+)% +([\d.]+)%", text)
    assert min(recall, precision) > 30
    assert "finds the same: True" in text
    assert is_picture(tmp_path / "out" / "detection" / "boxes.png")
