"""The workloads in ONNX Runtime, from models that the `onnx` package writes."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from frameworks.nets import NETS, STEPS

_ACTS = {
    "relu": ("Relu", {}), "gelu": ("Gelu", {}), "tanh": ("Tanh", {}), "sigmoid": ("Sigmoid", {}), "hardswish": ("HardSwish", {}),
    "hardsigmoid": ("HardSigmoid", {"alpha": 1 / 6, "beta": 0.5}), "softmax": ("Softmax", {"axis": -1}),
}  # fmt: skip


class Value:
    """A name in the graph."""

    def __init__(self, graph: Onnx, name: str, shape: Any = None) -> None:
        self.graph, self.name, self.shape = graph, name, shape

    def __add__(self, other: Any) -> Value:
        return self.graph.node("Add", self, other)

    def __sub__(self, other: Any) -> Value:
        return self.graph.node("Sub", self, other)

    def __mul__(self, other: Any) -> Value:
        return self.graph.node("Mul", self, other)


class Onnx:
    """The primitives: each adds nodes to a graph."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, array: Any) -> Value:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return Value(self, name, np.shape(array))

    def node(self, kind: str, *inputs: Any, count: int = 1, **attrs: Any) -> Any:
        values = [v if v is None or isinstance(v, Value) else self.constant(np.float32(v)) for v in inputs]
        outputs = [f"v{len(self.nodes)}_{i}" for i in range(count)]
        self.nodes.append(helper.make_node(kind, ["" if v is None else v.name for v in values], outputs, **attrs))
        found = [Value(self, name) for name in outputs]
        return found[0] if count == 1 else found

    def linear(self, x, w, b):
        return self.node("Add", self.node("MatMul", x, w), b)

    def matmul(self, x, y):
        return self.node("MatMul", x, y)

    def conv(self, x, w, b, stride, pad, groups):
        inputs = (x, w) if b is None else (x, w, b)
        return self.node("Conv", *inputs, strides=[stride] * 2, pads=[pad] * 4, group=groups)

    def batch_norm(self, x, scale, shift, mean, variance, epsilon):
        return self.node("BatchNormalization", x, scale, shift, mean, variance, epsilon=epsilon)

    def layer_norm(self, x, scale, shift):
        return self.node("LayerNormalization", x, scale, shift, epsilon=1e-5)

    def max_pool(self, x, size, stride, pad):
        return self.node("MaxPool", x, kernel_shape=[size] * 2, strides=[stride] * 2, pads=[pad] * 4)

    def mean(self, x):
        return self.node("GlobalAveragePool", x)

    def act(self, kind, x):
        name, attrs = _ACTS[kind]
        return self.node(name, x, **attrs)

    def reshape(self, x, shape):
        return self.node("Reshape", x, self.constant(np.asarray(shape, "int64")))

    def transpose(self, x, perm):
        return self.node("Transpose", x, perm=list(perm))

    def split(self, x, count):
        return self.node("Split", x, count=count, axis=0, num_outputs=count)

    def concat(self, x, y, axis):
        return self.node("Concat", x, y, axis=axis)


def _lstm(f: Onnx, x: Value, w: list[Value]) -> Value:
    """ONNX has the gates in the order input, output, forget, cell."""
    wi, wh, bi, bh = (numpy_helper.to_array(f.constants[int(v.name[1:])]) for v in w)
    width = wh.shape[1]
    order = np.concatenate([np.arange(i * width, (i + 1) * width) for i in (0, 3, 1, 2)])
    parts = [f.constant(a[order][None]) for a in (wi, wh)]
    bias = f.constant(np.concatenate([bi[order], bh[order]])[None])
    return f.node("LSTM", f.transpose(x, (1, 0, 2)), *parts, bias, hidden_size=width)


def ways(name: str, weights: list[Any], inputs: list[Any], rate: float) -> dict[str, Callable[[], Callable[[], Any]]]:
    """ONNX Runtime, by ``session.run``."""
    if name in STEPS:
        raise NotImplementedError("it trains nothing")
    if name == "b":
        raise NotImplementedError("loops are not written for it")
    return {"ONNX Runtime": lambda: _session(name, weights, inputs)}


def _session(name: str, weights: list[Any], inputs: list[Any]) -> Callable[[], Any]:
    f = Onnx()
    names = [f"x{i}" for i in range(len(inputs))]
    values = [Value(f, n, a.shape) for n, a in zip(names, inputs, strict=True)]
    results = (_lstm if name == "i" else NETS[name])(f, *values, [f.constant(a) for a in weights])
    results = results if isinstance(results, tuple) else (results,)
    told = [helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, a.shape) for n, a in zip(names, inputs, strict=True)]
    given = [helper.make_tensor_value_info(r.name, onnx.TensorProto.FLOAT, None) for r in results]
    graph = helper.make_graph(f.nodes, name, told, given, f.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    feeds = dict(zip(names, inputs, strict=True))
    return lambda: session.run(None, feeds)
