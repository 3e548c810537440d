"""The workloads in PaddlePaddle: dynamic, static, and its predictor."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networks
import paddle

NETS = {
    "a1": "mlp", "a64": "mlp", "c1": "lenet", "c64": "lenet", "e1": "encoder", "e8": "encoder", "f": "resnet18", "g": "chain",
    "i": "lstm", "j": "gpt", "k": "mobilenet", "ct": "lenet", "d": "softmax_regression", "b": "recurrence",
}  # fmt: skip


def ways(name: str, weights: list[Any], inputs: list[Any], rate: float) -> dict[str, Callable[[], Callable[[], Any]]]:
    """Dynamic, static, from a file with oneDNN."""
    make, x = getattr(networks, NETS[name]), [paddle.to_tensor(a) for a in inputs]

    def made() -> Any:
        net = make(paddle)
        for tensor, value in zip(networks.ordered(paddle, NETS[name], net), weights, strict=True):
            tensor.set_value(value)
        return net

    if name in ("ct", "d"):
        return {f"Paddle {way}": lambda way=way: _step(made(), x, rate, way == "to_static") for way in ("dynamic", "to_static")}
    if name in ("b", "g"):
        function = make(paddle)
        return {
            "Paddle dynamic": lambda: _quiet(function, x),
            "Paddle to_static": lambda: _quiet(paddle.jit.to_static(function), x),
        }

    def evaluated() -> Any:
        net = made()
        net.eval()
        return net

    return {
        "Paddle dynamic": lambda: _quiet(evaluated(), x),
        "Paddle to_static": lambda: _quiet(paddle.jit.to_static(evaluated()), x),
        "Paddle predictor, oneDNN": lambda: _predictor(evaluated(), inputs),
    }


def _quiet(function: Any, x: list[Any]) -> Callable[[], Any]:
    def run():
        with paddle.no_grad():
            return function(*x)

    return run


def _predictor(net: Any, inputs: list[Any]) -> Callable[[], Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "net")
        specs = [paddle.static.InputSpec(list(a.shape), str(a.dtype)) for a in inputs]
        paddle.jit.save(paddle.jit.to_static(net), path, input_spec=specs)
        config = paddle.inference.Config(path + ".pdmodel", path + ".pdiparams")
        config.set_cpu_math_library_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
        config.enable_mkldnn()
        predictor = paddle.inference.create_predictor(config)
    handles, outputs = [predictor.get_input_handle(n) for n in predictor.get_input_names()], predictor.get_output_names()

    def run():
        for handle, array in zip(handles, inputs, strict=True):
            handle.copy_from_cpu(array)
        predictor.run()
        return [predictor.get_output_handle(n).copy_to_cpu() for n in outputs]

    return run


def _step(net: Any, inputs: list[Any], rate: float, static: bool) -> Callable[[], Any]:
    x, y = inputs
    forward = paddle.jit.to_static(net) if static else net
    optimizer = paddle.optimizer.SGD(learning_rate=rate, parameters=net.parameters())

    def step():
        loss = paddle.nn.functional.cross_entropy(forward(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step
