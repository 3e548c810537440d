"""The server of `to_static serve` with the engine of another framework, for `serve.py`: only the workers differ.

    python benchmarks/engine_worker.py serve PEER_PYTHON ENGINE MODEL ...     # the server, as `to_static serve MODEL ...`
    PEER_PYTHON benchmarks/engine_worker.py ENGINE                            # what it starts for each worker

``SIZES`` in the environment: the sizes of a row of the only input, as JSON. ENGINE is ``paddle`` (`paddle.inference` on
PREFIX.pdmodel, with oneDNN) or ``onnxruntime`` (on PREFIX.onnx).
"""

from __future__ import annotations

import json
import os
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))


class Handle:
    """The name, dtype and shape of an input or output."""

    def __init__(self, dtype: str, shape: list[int]) -> None:
        self._spec = SimpleNamespace(dtype=SimpleNamespace(name=dtype), shape=tuple(shape))


class Engine:
    """The part of a predictor that the worker asks."""

    inputs: dict[str, Handle]
    outputs: dict[str, Handle]

    def get_input_names(self) -> list[str]:
        """Names in order."""
        return list(self.inputs)

    def get_output_names(self) -> list[str]:
        """Names in order."""
        return list(self.outputs)

    def get_input_handle(self, name: str) -> Handle:
        """An input."""
        return self.inputs[name]

    def get_output_handle(self, name: str) -> Handle:
        """An output."""
        return self.outputs[name]

    def keeps_state(self) -> bool:
        """No."""
        return False

    def has_control_flow(self) -> bool:
        """No."""
        return False

    def program_text(self) -> str:
        """Nothing."""
        return ""


class Paddle(Engine):
    """`paddle.inference`."""

    def __init__(self, prefix: str) -> None:
        from paddle import inference

        config = inference.Config(f"{prefix}.pdmodel", f"{prefix}.pdiparams")
        config.enable_mkldnn()
        config.set_cpu_math_library_num_threads(THREADS)
        config.enable_memory_optim()
        config.disable_glog_info()
        self._predictor = predictor = inference.create_predictor(config)
        types = {inference.DataType.FLOAT32: "float32", inference.DataType.INT64: "int64"}
        self._in = [predictor.get_input_handle(name) for name in predictor.get_input_names()]
        self._out = [predictor.get_output_handle(name) for name in predictor.get_output_names()]
        shape = [-1, *json.loads(os.environ["SIZES"])]  # the handles do not know it before the first run
        self.inputs = {n: Handle(types[h.type()], shape) for n, h in zip(predictor.get_input_names(), self._in, strict=True)}
        self.outputs = {name: Handle("float32", [-1, -1]) for name in predictor.get_output_names()}

    def run(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        """The outputs."""
        for handle, array in zip(self._in, arrays, strict=True):
            handle.copy_from_cpu(array)
        self._predictor.run()
        return [handle.copy_to_cpu() for handle in self._out]


class OnnxRuntime(Engine):
    """ONNX Runtime's CPU provider."""

    def __init__(self, prefix: str) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = THREADS, 1
        self._session = session = onnxruntime.InferenceSession(f"{prefix}.onnx", options, ["CPUExecutionProvider"])
        types = {"tensor(float)": "float32", "tensor(int64)": "int64"}
        self.inputs, self.outputs = (
            {v.name: Handle(types[v.type], [d if isinstance(d, int) else -1 for d in v.shape]) for v in values}
            for values in (session.get_inputs(), session.get_outputs())
        )

    def run(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        """The outputs."""
        return self._session.run(None, dict(zip(self.inputs, arrays, strict=True)))


ENGINES: dict[str, type[Any]] = {"paddle": Paddle, "onnxruntime": OnnxRuntime}


def work(engine: str) -> None:
    """Be a worker of the server."""
    from to_static.serve import worker

    worker.predictor_on = lambda model, device: ENGINES[engine](model)
    worker.can_fork = lambda device: False  # neither engine survives it
    worker.main()


def serve(python: str, engine: str, words: list[str]) -> int:
    """Be the server."""
    from to_static.cli import main
    from to_static.serve import model_pool

    model_pool.WORKER = [python, os.path.abspath(__file__), engine]
    model_pool.can_fork = lambda device: False
    return main(["serve", *words])


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        sys.exit(serve(sys.argv[2], sys.argv[3], sys.argv[4:]))
    work(sys.argv[1])
