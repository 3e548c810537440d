"""Loads and runs models of PaddlePaddle by every way there is, where only NumPy is. Prints how many it ran.

``python bare_environment.py FOLDER``, by `test_bare_environment.py` with everything else blocked, or by the Python of one
that has nothing else.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile

ALLOWED = {"to_static", "numpy"}
NEVER = (
    "to_static.compiler.frontend.transpile",
    "to_static.compiler.frontend.jst.operators",
    "to_static.compiler.frontend.function.program.tracer",
)  # no part of running a model


class Blocked:
    """Refuses what is neither allowed nor Python's own."""

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if name.startswith(NEVER) or (top not in ALLOWED and top not in sys.stdlib_module_names and not top.startswith("_")):
            raise ModuleNotFoundError(f"{name} is blocked", name=name)


sys.meta_path.insert(0, Blocked())

import numpy as np  # noqa: E402

import to_static as paddle  # noqa: E402
from to_static.cli import main  # noqa: E402


def alike(found, wanted):
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(a), b, rtol=1e-4, atol=1e-5)


def run(prefix: str) -> None:
    with np.load(prefix + ".npz") as saved:
        values = dict(saved)
    inputs = [values[f"in_{i}"] for i in range(sum(name.startswith("in_") for name in values))]
    wanted = [values[f"out_{i}"] for i in range(sum(name.startswith("out_") for name in values))]

    net = paddle.jit.load(prefix)
    found = net(*(paddle.to_tensor(x) for x in inputs))
    alike([y.numpy() for y in (found if isinstance(found, (list, tuple)) else [found])], wanted)

    alike(paddle.inference.create_predictor(paddle.inference.Config(prefix)).run(inputs), wanted)

    paddle.enable_static()
    executor = paddle.static.Executor()
    program, feeds, fetches = paddle.static.load_inference_model(prefix, executor)
    alike(executor.run(program, feed=dict(zip(feeds, inputs, strict=True)), fetch_list=fetches), wanted)
    paddle.disable_static()

    with tempfile.TemporaryDirectory() as folder:
        given = []
        for name, x in zip(feeds, inputs, strict=True):
            np.save(os.path.join(folder, f"{len(given)}.npy"), x)
            given += ["--input", f"{name}={folder}/{len(given)}.npy"]
        with contextlib.redirect_stdout(io.StringIO()) as out:
            assert main(["predict", prefix, *given]) == 0 and main(["inspect", prefix]) == 0
        assert "operations" in out.getvalue()


if __name__ == "__main__":
    folder = sys.argv[1]
    names = ["lenet", "mlp", "attention", "batchnorm", "embedding", "fn_for_break", "fn_elif"]
    for name in names:
        run(os.path.join(folder, name))
    paddle.load(os.path.join(folder, "state.pdparams"))
    state = paddle.jit.load(os.path.join(folder, "mlp")).state_dict()
    assert state and all(value.numpy().size for value in state.values())
    print(len(names))
