"""Jobs over files: every row once, whatever dies, and the same rows again after a resumption."""

import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import to_static as paddle
from to_static.batch import predict
from to_static.cli import main
from to_static.core.errors import ArgumentError, FormatError

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow comes with the extra `cluster`")
parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow comes with the extra `cluster`")

pytestmark = pytest.mark.slow
X = np.random.default_rng(0).standard_normal((40_000, 4)).astype("float32")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("job")
    paddle.seed(1)
    net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.ReLU(), paddle.nn.Linear(8, 3))
    paddle.jit.save(net, str(path / "net"), input_spec=[paddle.static.InputSpec([None, 4], "float32", name="x")])
    np.save(path / "rows.npy", X)
    x = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(X.reshape(-1)), 4)
    parquet.write_table(pyarrow.table({"id": np.arange(len(X)), "x": x}), path / "rows.parquet", row_group_size=8000)
    lines = ["id,a,b,c,d", *(f"r{i}," + ",".join(map(repr, row.tolist())) for i, row in enumerate(X[:50]))]
    (path / "rows.csv").write_text("\n".join(lines))
    return path, net(paddle.to_tensor(X)).numpy()


def rows_in(output):
    """Columns of all parts, in the order of the input."""
    table = parquet.read_table(output).sort_by([("input_file", "ascending"), ("input_row", "ascending")])
    return table.to_pydict()


def outputs_of(columns):
    return np.array(next(value for name, value in columns.items() if name.startswith("save_infer_model")), "float32")


def test_rows_of_arrays_and_tables(folder, tmp_path):
    path, expected = folder
    calls = []
    files = f"{path}/rows.parquet|{path}/rows.npy"
    report = predict(path / "net", files, tmp_path / "out", progress=lambda *counts: calls.append(counts))
    columns = rows_in(tmp_path / "out")
    assert report.rows == 2 * len(X) and report.parts_before == 0 and calls[-1] == (report.parts, report.parts, report.rows)
    np.testing.assert_allclose(outputs_of(columns), np.concatenate([expected, expected]), atol=1e-5)
    assert columns["input_row"] == [*range(len(X))] * 2
    ids = [key for key, name in zip(columns["id"], columns["input_file"], strict=True) if name.endswith("parquet")]
    assert ids == list(range(len(X)))


def test_a_killed_job_goes_on_and_doubles_nothing(folder, tmp_path):
    path, expected = folder
    program = f"""
        import os, signal
        import to_static
        def progress(done, parts, rows):
            if done == 1:
                os.kill(os.getpid(), signal.SIGKILL)
        to_static.batch.predict({str(path / "net")!r}, {str(path / "rows.parquet")!r}, {str(tmp_path / "out")!r}, progress=progress)
    """
    killed = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], stderr=subprocess.DEVNULL)
    assert killed.returncode == -signal.SIGKILL
    with pytest.raises(ArgumentError, match="1 parts already"):
        predict(path / "net", path / "rows.parquet", tmp_path / "out")
    with pytest.raises(ArgumentError, match="another job"):
        predict(path / "net", path / "rows.npy", tmp_path / "out", resume=True)
    report = predict(path / "net", path / "rows.parquet", tmp_path / "out", resume=True)
    assert report.parts_before == 1
    columns = rows_in(tmp_path / "out")
    assert columns["id"] == list(range(len(X)))
    np.testing.assert_allclose(outputs_of(columns), expected, atol=1e-5)
    assert predict(path / "net", path / "rows.parquet", tmp_path / "out", resume=True).rows == 0


def test_a_killed_worker_loses_nothing(folder, tmp_path, monkeypatch):
    from to_static.serve.model_pool import Worker

    path, _ = folder
    run, killed = Worker.run, []

    def killing(worker, arrays):
        if len(killed) < 2 and worker.pid not in killed:
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)
        return run(worker, arrays)

    monkeypatch.setattr(Worker, "run", killing)
    predict(path / "net", path / "rows.parquet", tmp_path / "out", workers=2, batch=1000)
    assert len(killed) == 2 and rows_in(tmp_path / "out")["id"] == list(range(len(X)))


def test_the_command(folder, tmp_path, capsys):
    path, expected = folder
    words = ["predict", str(path / "net"), "--input", str(path / "rows.csv"), "-o", str(tmp_path / "out"), "--batch", "7"]
    assert main([*words, "--column", "x=a,b,c,d"]) == 0
    assert capsys.readouterr().out.startswith("50 rows in 1 parts -> ")
    columns = rows_in(tmp_path / "out")
    assert columns["id"] == [f"r{i}" for i in range(50)]
    np.testing.assert_allclose(outputs_of(columns), expected[:50], atol=1e-5)
    for extra, told in [
        ([], "parts already"),
        (["--column", "x"], "INPUT=COLUMN"),
        (["--column", "z=a"], "parts already"),
    ]:
        assert main([*words, *extra]) == 1
        assert told in capsys.readouterr().err
    assert main([*words[:4], "-o", str(tmp_path / "new"), "--key", "nothing"]) == 1
    assert "no column 'nothing'" in capsys.readouterr().err and not list((tmp_path / "new").glob("part*"))


def test_images(tmp_path):
    images = pytest.importorskip("PIL.Image", reason="Pillow comes with the extra `cluster`")
    net = paddle.nn.Flatten()
    paddle.jit.save(net, str(tmp_path / "flat"), input_spec=[paddle.static.InputSpec([None, 3, 4, 6], "float32", name="x")])
    (tmp_path / "photos").mkdir()
    for i, size in enumerate(((6, 4), (12, 8))):
        images.new("RGB", size, (255, 51 * i, 0)).save(tmp_path / "photos" / f"{i}.png")
    predict(tmp_path / "flat", tmp_path / "photos" / "*.png", tmp_path / "out", mean=(0.5, 0.0, 0.0), std=(0.5, 1.0, 1.0))
    result = outputs_of(rows_in(tmp_path / "out")).reshape(2, 3, 24)
    np.testing.assert_allclose(result[:, :, 0], [[1.0, 0.0, 0.0], [1.0, 0.2, 0.0]], atol=1e-6)
    (tmp_path / "photos" / "2.png").write_bytes(b"no image")
    with pytest.raises(FormatError, match="2.png"):
        predict(tmp_path / "flat", tmp_path / "photos" / "*.png", tmp_path / "new")


def test_files_that_are_no_data_are_refused(folder, tmp_path):
    path, _ = folder
    with pytest.raises(FileNotFoundError, match="no file matches"):
        predict(path / "net", tmp_path / "*.npy", tmp_path / "out")
    for name, data, words in [("a.txt", b"", "suffix .txt"), ("a.npy", b"x", "an array"), ("a.parquet", b"x", "a Parquet file")]:
        (tmp_path / name).write_bytes(data)
        with pytest.raises(FormatError, match=words):
            predict(path / "net", tmp_path / name, tmp_path / "out")
    with pytest.raises(ArgumentError, match="engine must be one of"):
        predict(path / "net", path / "rows.npy", tmp_path / "out", engine="spark")
