"""x2paddle: networks of ONNX as code for Paddle, which runs and is saved."""

import importlib.util
import os
import sys
import tempfile

import numpy as np
import paddle
from suite import case, image, older_python, record, stand_ins

older_python()
stand_ins("torch tensorflow caffe")
import onnx
from onnx import TensorProto, helper, numpy_helper
from x2paddle.convert import onnx2paddle

X = image(1, 3, 8, 8)


def model(nodes, weights, shape, out=None, opset=11):
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, out)],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    made.ir_version = 7
    return made


def converted(name, nodes, weights, value, out=None, opset=11):
    """A case of one graph: what the code computes that x2paddle writes."""
    for node in nodes:  # parameters have names in the whole process
        node.input[:] = [f"{name}_{part}" if part in weights else part for part in node.input]
    weights = {f"{name}_{part}": value for part, value in weights.items()}

    def run():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.onnx")
            onnx.save(model(nodes, weights, list(value.shape), out, opset), path)

            def results():
                onnx2paddle(path, os.path.join(folder, "code"), input_shape_dict=None, convert_to_lite=False)
                spec = importlib.util.spec_from_file_location(f"code_{name}", os.path.join(folder, "code", "x2paddle_code.py"))
                module = importlib.util.module_from_spec(spec)
                sys.modules[spec.name] = module
                spec.loader.exec_module(module)
                net = module.ONNXModel()
                net.set_dict(paddle.load(os.path.join(folder, "code", "model.pdparams")))
                net.eval()
                return [net(paddle.to_tensor(value))]

            def loaded():
                net = paddle.jit.load(os.path.join(folder, "code", "inference_model", "model"))
                return [net(paddle.to_tensor(value))]

            if record("results", results):
                record("loaded", loaded)

    case(run, name)


def w(*shape, seed=1):
    return image(*shape, seed=seed) * 0.3


N = helper.make_node
converted("conv", [N("Conv", ["x", "w", "b"], ["y"], kernel_shape=[3, 3], pads=[1, 1, 1, 1])], {"w": w(4, 3, 3, 3), "b": w(4)}, X, [1, 4, 8, 8])
converted(
    "conv_norm_relu",
    [
        N("Conv", ["x", "w"], ["a"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
        N("BatchNormalization", ["a", "s", "b", "m", "v"], ["n"]),
        N("Relu", ["n"], ["y"]),
    ],
    {"w": w(4, 3, 3, 3), "s": w(4), "b": w(4, seed=2), "m": w(4, seed=3), "v": np.abs(w(4, seed=4)) + 0.5},
    X,
    [1, 4, 4, 4],
)
converted("max_pool", [N("MaxPool", ["x"], ["y"], kernel_shape=[2, 2], strides=[2, 2])], {}, X, [1, 3, 4, 4])
converted(
    "average_pool",
    [N("AveragePool", ["x"], ["y"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], count_include_pad=1)],
    {},
    X,
    [1, 3, 4, 4],
)
converted("global_pool", [N("GlobalAveragePool", ["x"], ["y"])], {}, X, [1, 3, 1, 1])
converted(
    "gemm",
    [N("Flatten", ["x"], ["a"]), N("Gemm", ["a", "w", "b"], ["y"], transB=1)],
    {"w": w(5, 192), "b": w(5)},
    X,
    [1, 5],
)
converted(
    "matmul_add",
    [N("MatMul", ["x", "w"], ["a"]), N("Add", ["a", "b"], ["y"])],
    {"w": w(8, 5), "b": w(5)},
    X,
    [1, 3, 8, 5],
)
converted(
    "reshape_transpose",
    [N("Reshape", ["x", "s"], ["a"]), N("Transpose", ["a"], ["y"], perm=[0, 2, 1])],
    {"s": np.array([1, 3, 64])},
    X,
    [1, 64, 3],
)
converted("concat", [N("Sigmoid", ["x"], ["a"]), N("Concat", ["x", "a"], ["y"], axis=1)], {}, X, [1, 6, 8, 8])
converted("softmax", [N("Softmax", ["x"], ["y"], axis=3)], {}, X, [1, 3, 8, 8], 13)
converted("leaky_relu", [N("LeakyRelu", ["x"], ["y"], alpha=0.1)], {}, X, [1, 3, 8, 8])
converted("hard_sigmoid", [N("HardSigmoid", ["x"], ["y"], alpha=0.2, beta=0.5)], {}, X, [1, 3, 8, 8])
converted("reduce_mean", [N("ReduceMean", ["x"], ["y"], axes=[2, 3], keepdims=1)], {}, X, [1, 3, 1, 1])
converted("instance_norm", [N("InstanceNormalization", ["x", "s", "b"], ["y"])], {"s": w(3), "b": w(3, seed=2)}, X, [1, 3, 8, 8])
converted("transposed", [N("ConvTranspose", ["x", "w"], ["y"], kernel_shape=[2, 2], strides=[2, 2])], {"w": w(3, 4, 2, 2)}, X, [1, 4, 16, 16])
converted(
    "residual",
    [
        N("Conv", ["x", "w"], ["a"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        N("Relu", ["a"], ["b"]),
        N("Add", ["x", "b"], ["c"]),
        N("Clip", ["c", "low", "high"], ["y"]),
    ],
    {"w": w(3, 3, 3, 3), "low": np.float32(0), "high": np.float32(1)},
    X,
    [1, 3, 8, 8],
)

converted("lstm_like", [N("Split", ["x"], ["a", "b"], axis=3), N("Tanh", ["a"], ["c"]), N("Sigmoid", ["b"], ["d"]), N("Mul", ["c", "d"], ["y"])], {}, X, [1, 3, 8, 4])
converted("padded", [N("Pad", ["x", "pads"], ["y"], mode="reflect")], {"pads": np.array([0, 0, 1, 1, 0, 0, 1, 1])}, X, [1, 3, 10, 10])
converted("sliced", [N("Slice", ["x", "s", "e", "a"], ["y"])], {"s": np.array([1]), "e": np.array([7]), "a": np.array([2])}, X, [1, 3, 6, 8])
converted("squeezed", [N("Squeeze", ["x"], ["a"], axes=[0]), N("Unsqueeze", ["a"], ["y"], axes=[1])], {}, X, [3, 1, 8, 8])
converted("powers", [N("Pow", ["x", "two"], ["a"]), N("Sqrt", ["a"], ["b"]), N("Exp", ["b"], ["c"]), N("Log", ["c"], ["y"])], {"two": np.float32(2)}, X, [1, 3, 8, 8])
converted("depthwise", [N("Conv", ["x", "w"], ["y"], kernel_shape=[3, 3], pads=[1, 1, 1, 1], group=3)], {"w": w(3, 1, 3, 3)}, X, [1, 3, 8, 8])
converted("prelu", [N("PRelu", ["x", "s"], ["y"])], {"s": w(3, 1, 1)}, X, [1, 3, 8, 8])
