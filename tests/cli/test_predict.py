import numpy as np
import pytest

import to_static as paddle
from to_static import cli
from to_static.static import InputSpec


def scaled(a, b):
    if a.sum() > 0:
        a = a * 2
    return a + b, a.sum().astype("int64")


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("model") / "scaled")
    paddle.jit.save(scaled, path, input_spec=[InputSpec([None, 2], "float32", "a"), InputSpec([2], "float32", "b")])
    return path


@pytest.fixture(scope="module")
def single(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("model") / "single")
    paddle.jit.save(lambda x: x * 2, path, input_spec=[InputSpec([None], "float32", "x")])
    return path


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    a, b = np.float32([[1, 2], [3, 4]]), np.float32([10, 20])
    np.save("a.npy", a)
    np.save("b.npy", b)
    np.savez("both.npz", a=a, b=b)
    np.savez("more.npz", a=a, b=b, c=b)
    np.save("wide.npy", a.astype("float64"))
    np.save("whole.npy", a.astype("int64"))
    np.save("complex.npy", a.astype("complex64"))
    np.save("objects.npy", np.array([{}, 2], dtype=object), allow_pickle=True)
    np.save("flat.npy", b)
    np.save("a=b.npy", b)
    (tmp_path / "text.npy").write_text("1 2 3")
    return tmp_path


def predict(capsys, *words, code=0):
    assert cli.main(["predict", *words]) == code
    return capsys.readouterr()


@pytest.mark.parametrize("words", [["--input", "a=a.npy", "--input", "b=b.npy"], ["--input", "both.npz"]])
def test_outputs_are_printed(prefix, files, capsys, words):
    captured = predict(capsys, prefix, *words)
    assert "[[12., 24.],\n        [16., 28.]])" in captured.out
    assert "20)" in captured.out
    assert captured.out.count(" =\nTensor(shape=") == 2
    assert captured.err == ""


def test_outputs_are_written(prefix, files, capsys):
    captured = predict(capsys, prefix, "--input", "both.npz", "-o", "results/today")
    arrays = [np.load(path) for path in sorted((files / "results" / "today").iterdir())]
    assert sorted(array.shape for array in arrays) == [(), (2, 2)]
    assert any(array.tolist() == [[12, 24], [16, 28]] for array in arrays if array.ndim)
    assert captured.out.count(" -> results/today/") == 2


def test_one_input_needs_no_name(single, files, capsys):
    for word in ("b.npy", "x=b.npy", "a=b.npy"):  # the last is the name of a file
        assert "[20., 40.]" in predict(capsys, single, "--input", word).out


def test_precision_is_converted_aloud(prefix, files, capsys):
    captured = predict(capsys, prefix, "--input", "a=wide.npy", "--input", "b=b.npy")
    assert "[[12., 24.]," in captured.out
    assert captured.err == "to_static predict: input 'a' is float64, used as float32\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a=a.npy"], "no --input is given for b; the model's inputs are a, b"),
        ([], "no --input is given for a, b"),
        (["a.npy"], "say which input it is, NAME=a.npy"),
        (["more.npz"], "no input 'c'; its inputs are a, b"),
        (["c=b.npy", "a=a.npy"], "no input 'c'"),
        (["a=both.npz"], "leave out a="),
        (["both.npz", "b=b.npy"], "'b' is given twice"),
        (["a=none.npy"], "none.npy: No such file"),
        (["a=text.npy"], "text.npy: expected a .npy or .npz file of numbers, found Python objects, or another kind"),
        (["a=objects.npy"], "objects.npy: expected a .npy or .npz file of numbers, found Python objects"),
        (["a=complex.npy", "b=b.npy"], "input 'a' is complex64, the model takes float32"),
        (["a=flat.npy", "b=b.npy"], "[2]"),
    ],
)
def test_inputs_that_do_not_fit(prefix, files, capsys, words, said):
    captured = predict(capsys, prefix, *[w for word in words for w in ("--input", word)], code=1)
    assert captured.out == ""
    assert captured.err.startswith("to_static predict: ")
    assert said in captured.err
    assert "Traceback" not in captured.err


def test_a_device_that_is_not_there(prefix, files, capsys):
    captured = predict(capsys, prefix, "--input", "both.npz", "--device", "abacus", code=1)
    assert "abacus" in captured.err


def test_whole_numbers_for_a_float_input(prefix, files, capsys):
    captured = predict(capsys, prefix, "--input", "a=whole.npy", "--input", "b=b.npy")
    assert "[[12., 24.]," in captured.out
    assert "int64, used as float32" in captured.err
