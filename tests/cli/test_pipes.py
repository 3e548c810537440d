"""`to_static predict` reads arrays from pipes."""

import subprocess
import sys

import numpy as np
import pytest

import to_static as paddle
from to_static import nn


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/stdin")
@pytest.mark.parametrize("write", [np.save, np.savez], ids=["npy", "npz"])
def test_arrays_come_from_a_pipe(tmp_path, write):
    paddle.jit.save(nn.Linear(2, 2), str(tmp_path / "net"), [paddle.static.InputSpec([None, 2], name="x")])
    arrays = {"arr" if write is np.save else "x": np.ones((1, 2), "float32")}
    write(tmp_path / "x.tmp", **arrays)
    [path] = tmp_path.glob("x.tmp*")
    for name in ("/dev/stdin", "-"):
        command = [sys.executable, "-m", "to_static", "predict", str(tmp_path / "net"), "--input", name]
        run = subprocess.run(command, input=path.read_bytes(), capture_output=True)
        assert run.returncode == 0 and b"Tensor" in run.stdout, run.stderr
    run = subprocess.run(command, input=path.read_bytes()[:100], capture_output=True)
    assert run.returncode == 1 and run.stderr.startswith(b"to_static predict: -: expected")
