"""Files of ONNX are read: what was written computes the same, trains, is saved in other formats; hostile files are refused."""

from __future__ import annotations

import functools
import io

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.formats.onnx.models import cases, expected, flat
from tests.compiler.ops.operator_table import TABLE, arrays_of, build, run_kernel
from tests.compiler.ops.operator_table import flat as flat_arrays
from to_static import nn
from to_static.cli.commands import main
from to_static.compiler.formats.onnx import schema
from to_static.compiler.formats.onnx.model_reader import OnnxModel
from to_static.compiler.formats.onnx.model_writer import OnnxSettings, tensor_message, write_model
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend
from to_static.core.errors import FormatError, ToStaticError
from to_static.static import InputSpec

FIRST = {}
for _opdef, _i, _sample in TABLE:
    FIRST.setdefault(_opdef.name, []).append((_opdef, _sample))


@functools.cache
def _cases():
    return cases()


@pytest.mark.parametrize("name", sorted(FIRST))
def test_operators_mean_the_same_when_they_are_read(name, tmp_path):
    opdef, sample = FIRST[name][-1]
    slots = arrays_of(sample)
    builder, _, results = build(opdef, slots, sample.attrs)
    results = [result for i, result in enumerate(results) if i not in opdef.auxiliary]
    arrays = [array for i, array in enumerate(run_kernel(opdef, slots, sample.attrs)) if i not in opdef.auxiliary]
    program, path = builder.finish(results), tmp_path / "net.onnx"
    try:
        write_model(program, path, OnnxSettings(17))
        again = OnnxModel(str(path), io.BytesIO(path.read_bytes())).program()
    except FormatError as error:
        fixed = "to be a constant" in str(error)  # factors of a resizing that only a run knows
        assert fixed or "ONNX (opset 17) can say" in str(error) or name == "multinomial" or not results
        return
    values = dict(zip([var.name for var in program.feeds], flat_arrays(slots), strict=True))
    with np.errstate(all="ignore"):
        found = interpret(again, [values[var.name] for var in again.feeds], backend.NUMPY)
    for actual, array in zip(found, arrays, strict=True):
        assert (actual.dtype, actual.shape) == (array.dtype, array.shape)
        if "random" not in opdef.traits:
            np.testing.assert_allclose(actual, array, rtol=1e-5, atol=1e-5)


def loaded(name, tmp_path, **options):
    """A layer, what was read of its file, and its inputs."""
    layer, spec, arrays = _cases()[name]
    paddle.onnx.export(layer, tmp_path / "net", input_spec=spec, **options)
    return layer, paddle.onnx.load(tmp_path / "net"), arrays


def results(net, arrays):
    """All arrays that a model gives."""
    with paddle.no_grad():
        return flat(net(*map(paddle.to_tensor, arrays)))


def close(actual, wanted):
    """Nearly equal arrays."""
    for one, other in zip(actual, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", sorted(cases()))
def test_models_compute_the_same_and_are_saved(name, tmp_path):
    layer, net, arrays = loaded(name, tmp_path)
    wanted = expected(layer, arrays)
    close(results(net, arrays), wanted)
    paddle.jit.save(net, str(tmp_path / "again"))
    close(results(paddle.jit.load(str(tmp_path / "again")), arrays), wanted)
    paddle.onnx.export(net, tmp_path / "third")
    close(results(paddle.onnx.load(tmp_path / "third.onnx"), arrays), wanted)


def test_a_model_trains(tmp_path):
    _, net, (x,) = loaded("images", tmp_path)
    net.train()
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    losses = []
    for _ in range(3):
        loss = sum((value.astype("float32") ** 2).mean() for value in net(paddle.to_tensor(x)))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    assert losses[2] < losses[0] and len(net.parameters()) > 4


def test_other_sizes(tmp_path):
    layer, net, (ids,) = loaded("words", tmp_path)
    close(results(net, [ids[:1, :4]]), expected(layer, [ids[:1, :4]]))


def test_an_unknown_number_of_classes(tmp_path):
    smooth = paddle.jit.to_static(lambda x: paddle.nn.functional.label_smooth(x), input_spec=[InputSpec([None, None])])
    paddle.onnx.export(smooth, tmp_path / "smooth")
    for shape in ((2, 3), (1, 5), (0, 2)):
        x = paddle.rand(shape)
        close(results(paddle.onnx.load(tmp_path / "smooth"), [x.numpy()]), [paddle.nn.functional.label_smooth(x).numpy()])


def test_weights_beside_the_file(tmp_path):
    layer, net, arrays = loaded("words", tmp_path, external_data=True)
    assert (tmp_path / "net.onnx.data").exists()
    close(results(net, arrays), expected(layer, arrays))
    (tmp_path / "net.onnx.data").write_bytes(b"short")
    with pytest.raises(FormatError, match="net.onnx.data"):
        paddle.onnx.load(tmp_path / "net")


def test_commands(tmp_path, capsys):
    layer, _, arrays = loaded("words", tmp_path)
    assert main(["upgrade", str(tmp_path / "net.onnx"), "--to", "pdmodel", "-o", str(tmp_path / "new")]) == 0
    close(results(paddle.jit.load(str(tmp_path / "new")), arrays), expected(layer, arrays))
    assert main(["inspect", str(tmp_path / "net.onnx")]) == 0
    assert "ids" in capsys.readouterr().out


# files by hand ---------------------------------------------------------------------------------------------------------------


def value(name, shape, code=1):
    """A ValueInfoProto."""
    dims = [schema.new("DimensionProto", dim_value=size) for size in shape]
    shape_message = schema.new("TensorShapeProto", dim=dims)
    tensor = schema.new("TensorTypeProto", elem_type=code, shape=shape_message)
    return schema.new("ValueInfoProto", name=name, type=schema.new("TypeProto", tensor_type=tensor))


def node(kind, inputs, outputs, **attrs):
    """A NodeProto with attributes that are ints, texts, lists of ints or graphs."""
    messages = []
    for name, attr in attrs.items():
        if isinstance(attr, str):
            messages.append(schema.new("AttributeProto", name=name, type=3, s=attr.encode()))
        elif isinstance(attr, int):
            messages.append(schema.new("AttributeProto", name=name, type=2, i=attr))
        elif isinstance(attr, list):
            messages.append(schema.new("AttributeProto", name=name, type=7, ints=attr))
        else:
            messages.append(schema.new("AttributeProto", name=name, type=5, g=attr))
    return schema.new("NodeProto", op_type=kind, input=inputs, output=outputs, attribute=messages)


def model(tmp_path, nodes, inputs, outputs, weights=(), opset=17, name="net.onnx"):
    """The path of a file."""
    graph = schema.new("GraphProto", name="g", node=nodes, input=inputs, output=outputs, initializer=list(weights))
    versions = [schema.new("OperatorSetIdProto", domain="", version=opset)]
    message = schema.new("ModelProto", ir_version=8, opset_import=versions, graph=graph)
    path = tmp_path / name
    path.write_bytes(message.SerializeToString())
    return path


def test_shapes_that_the_file_computes_are_known(tmp_path):
    nodes = [
        node("Shape", ["x"], ["sizes"]), node("Gather", ["sizes", "zero"], ["batch"]),
        node("Unsqueeze", ["batch"], ["row"], axes=[0]),
        node("Concat", ["row", "rest"], ["shape"], axis=0), node("Reshape", ["x", "shape"], ["y"]),
    ]  # fmt: skip
    weights = [tensor_message(np.asarray(0), "zero"), tensor_message(np.asarray([-1]), "rest")]
    path = model(tmp_path, nodes, [value("x", [2, 3, 4])], [value("y", [2, 12])], weights, opset=11)
    program = OnnxModel(str(path), io.BytesIO(path.read_bytes())).program()
    assert program.outputs[0].spec.shape == (2, 12)
    program = OnnxModel(str(path), io.BytesIO(path.read_bytes())).program(shapes={"x": (-1, 3, 4)})
    assert program.outputs[0].spec.shape == (-1, 12)


def test_a_computed_shape_may_have_allowzero(tmp_path):
    """torch.onnx.export(dynamo=True) writes it."""
    nodes = [
        node("Shape", ["x"], ["batch"], start=0, end=1), node("Concat", ["batch", "rest"], ["shape"], axis=0),
        node("Reshape", ["x", "shape"], ["y"], allowzero=1),
    ]  # fmt: skip
    rest = [tensor_message(np.asarray([4, 3]), "rest")]
    path = model(tmp_path, nodes, [value("x", [2, 3, 4])], [value("y", [2, 4, 3])], rest, opset=18)
    program = OnnxModel(str(path), io.BytesIO(path.read_bytes())).program(shapes={"x": (-1, 3, 4)})
    assert program.outputs[0].spec.shape == (-1, 4, 3)
    x = np.arange(60, dtype="float32").reshape(5, 3, 4)
    np.testing.assert_array_equal(interpret(program, [x], backend.NUMPY)[0], x.reshape(5, 4, 3))


@pytest.mark.parametrize("open_length", [False, True])
@pytest.mark.parametrize("past", ["none", "past keys", "number of keys"])
@pytest.mark.parametrize("left, right, causal", [(1, -1, 0), (-1, -1, 1), (2, 1, 0), (1, 3, 1)])
def test_queries_see_a_window_of_keys(left, right, causal, past, open_length, tmp_path):
    random = np.random.default_rng(0)
    arrays = {name: random.standard_normal((2, 1, size, 4)).astype("float32") for name, size in (("q", 3), ("k", 5), ("v", 5))}
    names, first = ["q", "k", "v"], np.zeros((2, 1, 1, 1), "int64")
    keys, values, count = arrays["k"], arrays["v"], np.full((2, 1, 1, 1), 5)
    if past == "past keys":
        arrays |= {name: random.standard_normal((2, 1, 2, 4)).astype("float32") for name in ("pk", "pv")}
        names += ["", "pk", "pv"]
        keys, values = np.concatenate([arrays["pk"], keys], 2), np.concatenate([arrays["pv"], values], 2)
        first, count = first + 2, count + 2
    elif past == "number of keys":
        arrays["n"] = np.asarray([4, 2])
        names += ["", "", "", "n"]
        count = arrays["n"].reshape(2, 1, 1, 1)
        first = count - 3
    inputs = [value(name, arrays[name].shape, 7 if name == "n" else 1) for name in names if name]
    attrs = {"is_causal": causal, "left_window_size": left, "right_window_size": right}
    path = model(tmp_path, [node("Attention", names, ["y"], **attrs)], inputs, [value("y", [2, 1, 3, 4])], opset=25)
    shapes = {name: (2, 1, -1, 4) for name in arrays if name != "n"} if open_length else None
    program = OnnxModel(str(path), io.BytesIO(path.read_bytes())).program(shapes=shapes)
    distance = np.arange(keys.shape[2]) - np.arange(3)[:, None] - first
    right = 0 if causal else right
    seen_keys = (np.arange(keys.shape[2]) < count) & ((left < 0) | (distance >= -left)) & ((right < 0) | (distance <= right))
    weights = np.where(seen_keys, np.exp(arrays["q"] @ keys.swapaxes(2, 3) / 2), 0)
    total = weights.sum(-1, keepdims=True)
    expected_numbers = np.where(total > 0, weights / np.where(total > 0, total, 1), 0) @ values
    actual = interpret(program, [arrays[var.name] for var in program.feeds], backend.NUMPY)[0]
    np.testing.assert_allclose(actual, expected_numbers, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype, code", [("int8", 3), ("uint8", 2), ("int32", 6)])
def test_integers_are_cut_once_when_they_are_resized(dtype, code, tmp_path):
    """onnxruntime's quantizer writes such nodes. Numbers of onnxruntime 1.32."""
    resize = node("Resize", ["x", "", "s"], ["y"], mode="linear", coordinate_transformation_mode="align_corners")
    scales = [tensor_message(np.float32([1, 1, 2, 2]), "s")]
    path = model(tmp_path, [resize], [value("x", [1, 1, 2, 2], code)], [value("y", [1, 1, 4, 4], code)], scales)
    x = np.asarray([[[[1, 4], [9, 99]]]], dtype)
    expected_numbers = [[1, 2, 3, 4], [3, 14, 25, 35], [6, 26, 47, 67], [9, 39, 69, 99]]
    result = paddle.onnx.load(path)(paddle.to_tensor(x)).numpy()
    np.testing.assert_array_equal(result[0, 0], expected_numbers)
    assert result.dtype == dtype


def test_inputs_may_be_fixed(tmp_path):
    inputs = [value("x", [2, 3]), value("axes", [1], 7)]
    path = model(tmp_path, [node("ReduceSum", ["x", "axes"], ["y"], keepdims=0)], inputs, [value("y", [2])])
    with pytest.raises(FormatError, match="name it among those that are fixed"):
        paddle.onnx.load(path)
    net = paddle.onnx.load(path, fixed={"axes": [1]})
    np.testing.assert_array_equal(net(paddle.ones([2, 3])).numpy(), [3, 3])
    with pytest.raises(ValueError, match="no input 'axis'; its inputs: x, axes"):
        paddle.onnx.load(path, fixed={"axis": [1]})


def test_all_operators_that_are_not_supported_are_told(tmp_path):
    nodes = [node("Frobnicate", ["x"], ["a"]), node("Frobnicate", ["a"], ["b"]), node("Zap", ["b"], ["y"])]
    path = model(tmp_path, nodes, [value("x", [2])], [value("y", [2])])
    with pytest.raises(FormatError, match=r"Frobnicate \(2 times\), Zap \(1 times\)"):
        paddle.onnx.load(path)


def quantizer_node(kind, inputs, outputs, **attrs):
    """A NodeProto of onnxruntime's quantizer."""
    message = node(kind, inputs, outputs, **attrs)
    message.domain = "com.microsoft"
    return message


def test_nodes_of_onnxruntime_s_quantizer(tmp_path):
    """Models with the format QOperator have them; the numbers are those of the real tensors, rounded to a step."""
    nodes = [
        node("QuantizeLinear", ["x", "s", "z"], ["a"]),
        quantizer_node("QLinearAdd", ["a", "s", "z", "a", "s", "z", "s", "z"], ["b"]),
        quantizer_node("QLinearMul", ["a", "s", "z", "b", "s", "z", "s", "z"], ["c"]),
        quantizer_node("QLinearSigmoid", ["c", "s", "z", "s", "z"], ["d"]),
        quantizer_node("QLinearConcat", ["s", "z", "b", "s", "z", "d", "s", "z"], ["e"], axis=1),
        quantizer_node("QLinearGlobalAveragePool", ["e", "s", "z", "s", "z"], ["f"]),
        node("Flatten", ["f"], ["g"]),
        quantizer_node("QGemm", ["g", "s", "z", "w", "sw", "zw", "bias", "s", "z"], ["h"], transB=1),
        node("DequantizeLinear", ["h", "s", "z"], ["y"]),
        quantizer_node("QGemm", ["g", "s", "z", "w", "sw", "zw"], ["v"], transB=1),
    ]
    random = np.random.default_rng(0)
    table, bias = random.integers(-20, 20, (3, 4)).astype("int8"), random.integers(-90, 90, 3).astype("int32")
    weights = {
        "s": np.float32(0.0625), "z": np.uint8(100), "w": table, "sw": np.float32([0.125, 0.25, 0.5]), "zw": np.zeros(3, "int8"),
        "bias": bias,
    }  # fmt: skip
    stored = [tensor_message(np.asarray(array), name) for name, array in weights.items()]
    inputs, outputs = [value("x", [2, 2, 3, 3])], [value("y", [2, 3]), value("v", [2, 3])]
    net = paddle.onnx.load(model(tmp_path, nodes, inputs, outputs, stored))
    x = random.uniform(-1, 1, (2, 2, 3, 3)).astype("float32")

    def step(array):
        return np.clip(np.rint(array / 0.0625) + 100, 0, 255) * 0.0625 - 6.25

    a = step(x)
    b = step(a + a)
    d = step(1 / (1 + np.exp(-step(a * b))))
    pooled = step(np.concatenate([b, d], 1).mean((2, 3)))
    product = pooled @ (table * weights["sw"][:, None]).T
    y, v = net(paddle.to_tensor(x))
    np.testing.assert_allclose(v.numpy(), product, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(y.numpy(), step(product + bias * 0.0625 * weights["sw"]), atol=1e-6)
    other = model(tmp_path, [quantizer_node("Attention", ["x"], ["y"])], inputs, outputs[:1])
    with pytest.raises(FormatError, match=r"com.microsoft.Attention \(1 times\)"):
        paddle.onnx.load(other)


def test_versions_and_attributes_that_nobody_knows(tmp_path):
    inputs, outputs = [value("x", [2, 3])], [value("y", [2, 3])]
    with pytest.raises(FormatError, match="opset 7 to 23"):
        paddle.onnx.load(model(tmp_path, [node("Relu", ["x"], ["y"])], inputs, outputs, opset=99))
    newer = model(tmp_path, [node("Softmax", ["x"], ["y"], axis=1, sharpness=2)], inputs, outputs, opset=25)
    with pytest.raises(FormatError, match="sharpness"):
        paddle.onnx.load(newer)


@pytest.mark.parametrize("location", ["../secret", "/etc/hostname", "a/../../secret", "C:\\secret", "..\\secret", "link", ""])
def test_weights_are_never_outside_of_the_folder(location, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret").write_bytes(bytes(8))
    (folder / "link").symlink_to(tmp_path / "secret")
    entries = [schema.new("StringStringEntryProto", key="location", value=location)]
    weight = schema.new("TensorProto", name="w", dims=[2], data_type=1, data_location=1, external_data=entries)
    path = model(folder, [node("Add", ["x", "w"], ["y"])], [value("x", [2])], [value("y", [2])], [weight])
    with pytest.raises(FormatError, match="in the model's folder"):
        paddle.onnx.load(path)


def test_numbers_that_do_not_fit_are_refused(tmp_path):
    for fields in ({"dims": [1 << 40]}, {"dims": [-1]}, {"dims": [3]}, {"dims": [2], "data_type": 8}):
        weight = schema.new("TensorProto", **{"name": "w", "data_type": 1, "raw_data": bytes(8), **fields})
        path = model(tmp_path, [node("Add", ["x", "w"], ["y"])], [value("x", [2])], [value("y", [2])], [weight])
        with pytest.raises(FormatError):
            paddle.onnx.load(path)


def test_deep_graphs_are_refused(tmp_path):
    end = schema.new("GraphProto", name="e", node=[node("Identity", ["x"], ["y"])], output=[value("y", [2])])
    graph = end
    for _ in range(20):
        loop = node("Loop", ["m", "c", "x"], ["y"], body=graph)
        graph = schema.new("GraphProto", name="g", node=[loop], output=[value("y", [2])])
    inputs = [value("x", [2]), value("m", [], 7), value("c", [], 9)]
    path = model(tmp_path, list(graph.node), inputs, [value("y", [2])])
    with pytest.raises(FormatError, match="inside each other"):
        paddle.onnx.load(path)


def _damaged(data, count, seed):
    """Files with bytes cut off, changed or put in."""
    numbers = np.random.default_rng(seed)
    for _ in range(count):
        piece = bytearray(data)
        match int(numbers.integers(3)):
            case 0:
                del piece[int(numbers.integers(len(piece))) :]
            case 1:
                for _ in range(int(numbers.integers(1, 4))):
                    piece[int(numbers.integers(len(piece)))] = int(numbers.integers(256))
            case _:
                at = int(numbers.integers(len(piece)))
                piece[at:at] = numbers.bytes(int(numbers.integers(1, 9)))
        yield bytes(piece)


@pytest.mark.parametrize("name", ["branches", "growing", "gru"])
def test_damaged_files_are_refused_in_time(name, tmp_path):
    layer, spec, _ = _cases()[name]
    paddle.onnx.export(layer, tmp_path / "net", input_spec=spec)
    data = (tmp_path / "net.onnx").read_bytes()
    for piece in _damaged(data, 60, len(name)):
        try:
            OnnxModel("net.onnx", io.BytesIO(piece)).program()
        except (ToStaticError, FileNotFoundError):
            continue


def test_a_layer_can_use_a_loaded_model(tmp_path):
    layer, net, (x,) = loaded("branches", tmp_path)

    class Outer(nn.Layer):
        def __init__(self):
            super().__init__()
            self.inner = net

        @paddle.jit.to_static
        def forward(self, x):
            return self.inner(x) + 1

    with paddle.no_grad():
        np.testing.assert_allclose(Outer()(paddle.to_tensor(x)).numpy(), expected(layer, [x])[0] + 1, rtol=1e-5, atol=1e-5)


def test_specs(tmp_path):
    _, net, _ = loaded("words", tmp_path)
    (spec,) = net._input_spec()
    assert (spec.name, tuple(spec.shape)) == ("ids", (-1, -1))
    assert isinstance(spec, InputSpec)
