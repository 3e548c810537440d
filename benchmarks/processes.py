"""What can be measured in fresh processes only: L start to first prediction from a file, M first calls, N peak memory.

    python benchmarks/processes.py
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PREPARE = """
import sys; sys.path.insert(0, {here!r})
import numpy as np, networks, to_static as paddle
from workloads import settled
net = settled(networks.{name}(paddle))
paddle.jit.save(net, {path!r}, input_spec=[paddle.static.InputSpec({shape}, "float32")])
np.savez({path!r}, *[p.numpy() for p in net.parameters()])
"""
PREDICT = """
import numpy as np, to_static.inference as inference
predictor = inference.create_predictor(inference.Config({path!r} + ".pdmodel", {path!r} + ".pdiparams"))
predictor.run([np.ones({shape}, "float32")])
"""
LOAD = """
import to_static as paddle
with paddle.no_grad():
    paddle.jit.load({path!r})(paddle.ones({shape}))
"""
BY_HAND = """
import numpy as np
w1, b1, w2, b2, w3, b3 = np.load({path!r} + ".npz").values()
h = np.maximum(np.maximum(np.ones({shape}, "float32") @ w1 + b1, 0) @ w2 + b2, 0) @ w3 + b3
"""
FIRST = """
import sys; sys.path.insert(0, {here!r})
import networks, to_static as paddle
net = networks.{name}(paddle)
net.eval()
f, x = paddle.jit.to_static(net.forward), paddle.ones({shape})
import timing
clock = timing.CLOCKS[timing.os.environ.get("BENCH_CLOCK", "wall")]
start = clock()
with paddle.no_grad():
    f(x)
print(clock() - start)
"""
IMAGE = [1, 3, 224, 224]
SHAPES = {"mlp": [1, 512], "lenet": [1, 1, 28, 28], "resnet18": IMAGE, "mobilenet": IMAGE}


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(code: str, **words: Any) -> tuple[float, float, str]:
    """Seconds, peak MB and output of a fresh process."""
    text = code.format(here=str(HERE), **words)
    ending = "\nimport resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    clock = _of_children if os.environ.get("BENCH_CLOCK") == "processor" else time.perf_counter
    # compiled modules are kept, as where a package is installed: else every start would compile all of ours, and none of NumPy's
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(HERE / ".compiled")
    start = clock()
    done = subprocess.run([sys.executable, "-c", text + ending], check=True, capture_output=True, text=True, env=environment)
    seconds = clock() - start
    *lines, peak = done.stdout.split()
    return seconds, float(peak), lines[-1] if lines else ""


def collect(rounds: int = 5) -> dict[str, dict[str, float]]:
    """By name: the best of some fresh processes, in seconds, and their peak in MB."""
    with tempfile.TemporaryDirectory() as folder:
        cases: dict[str, tuple[str, dict[str, Any]]] = {"L `import numpy`": ("import numpy", {})}
        for name, shape in SHAPES.items():
            words = {"name": name, "path": str(Path(folder) / name), "shape": shape}
            run(PREPARE, **words)
            if name == "mlp":
                cases["L MLP from a file, NumPy by hand"] = (BY_HAND, words)
                cases["L MLP from a file, `jit.load`"] = (LOAD, words)
            cases[f"L {name} from a file, predictor"] = (PREDICT, words)
            cases[f"M {name}, first static call"] = (FIRST, words)
        found: dict[str, dict[str, float]] = {}
        for _ in range(rounds):
            for title, (code, words) in cases.items():
                seconds, peak, said = run(code, **words)
                row = found.setdefault(title, {"seconds": 1e9, "peak": 1e9})
                row["seconds"] = min(row["seconds"], float(said) if code is FIRST else seconds)
                row["peak"] = min(row["peak"], peak)
    return found


if __name__ == "__main__":
    for title, row in collect().items():
        print(f"{title:44s} {row['seconds']:8.3f} s {row['peak']:8.0f} MB")
