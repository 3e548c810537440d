"""Other frameworks, each in a Python of its own: a process that runs a workload when told to, so that rounds stay interleaved.

    PYTHON_OF_THE_PEER benchmarks/peers.py NAME < commands

It writes a line for each way that it knows, an empty line, and answers every line ``WAY N`` with the seconds that N calls take.
This file is run by the peer's Python, and needs only that peer and NumPy.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}  # as in `timing`
HERE = Path(__file__).resolve().parent
SHAPES = {
    "a1": ("mlp", [1, 512]), "a64": ("mlp", [64, 512]), "c1": ("lenet", [1, 1, 28, 28]), "c64": ("lenet", [64, 1, 28, 28]),
    "e1": ("encoder", [1, 128, 256]), "e8": ("encoder", [8, 128, 256]), "f": ("resnet18", [1, 3, 224, 224]),
    "g": ("chain", [1 << 22]), "i": ("lstm", [1, 64, 128]), "k": ("mobilenet", [1, 3, 224, 224]),
}  # fmt: skip
TRAINED = {"ct": ("lenet", [64, 1, 28, 28]), "d": ("softmax_regression", [16, 784])}


class Remote:
    """A way that runs in a peer's process."""

    def __init__(self, process: subprocess.Popen[str], name: str) -> None:
        self.process = process
        self.name = name

    def timed(self, calls: int) -> float:
        """Seconds for so many calls, by the peer's clock."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{self.name}\t{calls}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def __call__(self) -> None:
        self.timed(1)


def start(python: str, name: str) -> dict[str, Remote]:
    """The ways of a workload that the peer whose interpreter this is can do; none where it lacks the workload."""
    process = subprocess.Popen(
        [python, __file__, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    found = {}
    assert process.stdout is not None
    while (line := process.stdout.readline().strip()):
        found[line] = Remote(process, line)
    try:
        for way in found.values():
            way()
    except ValueError:  # the peer gave up: it has said nothing
        found = {}
    if not found:
        process.communicate()
    return found


def paddle_ways(name: str) -> dict[str, Callable[[], Any]]:
    """PaddlePaddle: dynamic, static, and its predictor."""
    import networks
    import paddle

    if name in TRAINED:
        network, shape = TRAINED[name]
        make = getattr(networks, network)
        return {f"Paddle {way}": _step(paddle, make, shape, way == "to_static") for way in ("dynamic", "to_static")}
    if name == "b":
        function, parts = networks.recurrence(paddle), [paddle.randn(s) for s in ([1, 64], [64, 64], [64])]
        static, n = paddle.jit.to_static(function), paddle.to_tensor(100)
        return {"Paddle dynamic": lambda: function(*parts, n), "Paddle to_static": lambda: static(*parts, n)}
    if name not in SHAPES:
        return {}
    network, shape = SHAPES[name]
    net, x = getattr(networks, network)(paddle), paddle.randn(shape)
    if name != "g":
        net.eval()
    static = paddle.jit.to_static(net)

    def quiet(function):
        def run():
            with paddle.no_grad():
                return function(x)

        return run

    ways = {"Paddle to_static": quiet(static)}
    if name == "g":
        ways["Paddle dynamic"] = quiet(net)
    else:
        path = str(Path(tempfile.mkdtemp()) / "net")
        paddle.jit.save(static, path, input_spec=[paddle.static.InputSpec(shape, "float32")])
        config = paddle.inference.Config(path + ".pdmodel", path + ".pdiparams")
        config.set_cpu_math_library_num_threads(1)
        config.enable_mkldnn()
        predictor = paddle.inference.create_predictor(config)
        handle, output = predictor.get_input_handle(predictor.get_input_names()[0]), predictor.get_output_names()[0]
        array = x.numpy()

        def predict():
            handle.copy_from_cpu(array)
            predictor.run()
            return predictor.get_output_handle(output).copy_to_cpu()

        ways["Paddle predictor, oneDNN"] = predict
    return ways


def _step(paddle: Any, make: Any, shape: list[int], static: bool) -> Callable[[], Any]:
    net, x, y = make(paddle), paddle.randn(shape), paddle.randint(0, 10, [shape[0]])
    forward = paddle.jit.to_static(net) if static else net
    optimizer = paddle.optimizer.SGD(learning_rate=1e-4, parameters=net.parameters())

    def step():
        loss = paddle.nn.functional.cross_entropy(forward(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()

    return step


def main(name: str) -> None:
    """Serve one workload until the input ends."""
    sys.path.insert(0, str(HERE))
    out, sys.stdout = sys.stdout, sys.stderr  # frameworks print
    ways = paddle_ways(name)
    print("\n".join([*ways, ""]), file=out, flush=True)
    for line in sys.stdin:
        way, calls = line.rstrip("\n").split("\t")
        run, repeat, clock = ways[way], range(int(calls)), CLOCKS[os.environ.get("BENCH_CLOCK", "wall")]
        start = clock()
        for _ in repeat:
            run()
        print(clock() - start, file=out, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
