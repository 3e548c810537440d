"""The wheel `to_static-runtime` predicts where only NumPy and protobuf are, and holds nothing that this does not need."""

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from to_static.static import InputSpec

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "paddle"
spec = importlib.util.spec_from_file_location("runtime_wheel", ROOT / "wheels" / "runtime_wheel.py")
runtime_wheel = importlib.util.module_from_spec(spec)
spec.loader.exec_module(runtime_wheel)

ONLY_THESE = """
import sys
from importlib.machinery import PathFinder

class Only:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in ("to_static", "numpy", "google") and top not in sys.stdlib_module_names and not top.startswith("_"):
            raise ModuleNotFoundError(f"{name} is not in this environment", name=name)
        if name == "to_static":
            return PathFinder.find_spec(name, [FOLDER])

sys.meta_path.insert(0, Only())
import to_static
assert to_static.__file__.startswith(FOLDER)
"""
PREDICT = """
import glob, os
import numpy as np
from to_static.inference import Config, create_predictor

ran = []
for path in sorted(glob.glob(os.path.join(GOLDEN, "*.pdmodel"))):
    prefix = path.removesuffix(".pdmodel")
    if "train" in prefix or "sampling" in prefix or not os.path.exists(prefix + ".npz"):
        continue
    values = dict(np.load(prefix + ".npz"))
    side = lambda word: [values[f"{word}_{i}"] for i in range(sum(name.startswith(word + "_") for name in values))]
    for result, wanted in zip(create_predictor(Config(prefix)).run(side("in")), side("out"), strict=True):
        np.testing.assert_allclose(np.asarray(result), wanted, rtol=1e-4, atol=1e-5)
    ran.append(prefix)
print(len(ran))
"""
IMPORT_ALL = """
import importlib
for name in NAMES:
    if not name.endswith("__main__"):
        importlib.import_module(name)
"""
COMMAND = """
from to_static.cli import main
sys.exit(main(WORDS))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(runtime_wheel.build(path)) as wheel:
        wheel.extractall(path / "site")
    return path / "site"


def run(folder, code, **values):
    head = "".join(f"{name} = {value!r}\n" for name, value in {"FOLDER": str(folder), **values}.items())
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", head + ONLY_THESE + code], capture_output=True, text=True, env=environment, cwd=folder
    )


def test_models_of_paddle_predict(folder):
    done = run(folder, PREDICT, GOLDEN=str(GOLDEN))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 30


def test_all_modules_are_loaded_without_anything_else(folder):
    done = run(folder, IMPORT_ALL, NAMES=runtime_wheel.contents())
    assert done.returncode == 0, done.stderr


def test_it_holds_these_rooms_and_no_others(folder):
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    assert {name.split("/")[1] for name in names} == {
        "__init__.py", "__main__.py", "cli", "compiler", "core", "inference", "version.py",
    }  # fmt: skip
    rooms = {name.split("/")[2] for name in names if name.startswith("to_static/compiler/")}
    assert rooms == {"__init__.py", "autodiff", "eager", "formats", "ir", "ops", "passes", "runtime", "saved"}
    chosen = set(runtime_wheel.contents())
    needed = set().union(*map(runtime_wheel.imports, chosen))
    commands = {f"to_static.cli.{command}" for command in runtime_wheel.COMMANDS} | {"to_static.__main__"}
    extra = {name for name in chosen if not runtime_wheel._within(name, runtime_wheel.ROOMS)} - needed - commands
    assert not extra, "nothing in the wheel imports these"


def test_the_record_is_right(folder):
    info = next(folder.glob("*.dist-info"))
    rows = [line.split(",") for line in (info / "RECORD").read_text().splitlines()]
    files = {path.relative_to(folder).as_posix(): path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    files = {name: size for name, size in files.items() if "__pycache__" not in name}
    assert {name: int(size or files[name]) for name, _, size in rows} == files
    required = [line for line in (info / "METADATA").read_text().splitlines() if line.startswith("Requires-Dist")]
    assert [line.split()[1].split(">")[0] for line in required] == ["numpy", "protobuf"]


@pytest.mark.parametrize("form", ["pdmodel", "json", "onnx"])
def test_commands_that_work(folder, tmp_path, form):
    paddle.seed(0)
    net = paddle.nn.Sequential(paddle.nn.Linear(16, 32), paddle.nn.ReLU(), paddle.nn.Linear(32, 4))
    prefix = str(tmp_path / "net")
    paddle.jit.save(net, prefix, input_spec=[InputSpec([None, 16], "float32", "x")], format=form)
    x = np.random.default_rng(0).standard_normal((3, 16)).astype("float32")
    np.save(tmp_path / "x.npy", x)
    words = ["--input", f"x={tmp_path / 'x.npy'}"]
    commands = ["inspect"], ["quantize", "--weights", "int8", *words], ["predict", *words, "-o", str(tmp_path)]
    for name, *options in commands:
        done = run(folder, COMMAND, WORDS=[name, prefix, *options])
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "net_int8.pdiparams").exists()
    (result,) = (path for path in tmp_path.glob("*.npy") if path.name != "x.npy")
    np.testing.assert_allclose(np.load(result), net(paddle.to_tensor(x)).numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("words", [["upgrade", "net", "--to", "json"], ["convert", "net.py"]])
def test_commands_that_are_missing_say_what_to_install(folder, words):
    (folder / "net.py").write_text("")
    done = run(folder, COMMAND, WORDS=words)
    assert done.returncode == 1 and "pip install to_static" in done.stderr and "Traceback" not in done.stderr
