"""Files of ONNX: what is in them, and that runtimes compute the same numbers where one is installed."""

from __future__ import annotations

import functools
from collections import Counter

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.formats.onnx.models import cases, expected
from to_static import nn
from to_static.compiler.formats.onnx.schema import parse
from to_static.core.errors import FormatError
from to_static.static import InputSpec

NAMES = sorted(cases())
X = [InputSpec([None, 4], "float32", "x")]


def graph(path):
    """The graph of a file."""
    return parse("ModelProto", path.read_bytes(), path).graph


def kinds(nodes):
    """The types of the nodes in order."""
    return [node.op_type for node in nodes]


def exported(layer, tmp_path, spec, **options):
    """The graph of a layer that was written."""
    paddle.onnx.export(layer, tmp_path / "net", input_spec=spec, **options)
    return graph(tmp_path / "net.onnx")


@functools.cache
def _cases():
    return cases()


@pytest.mark.parametrize("opset", [11, 17, 23])
@pytest.mark.parametrize("name", NAMES)
def test_runtimes_compute_the_same_numbers(name, opset, tmp_path):
    onnx = pytest.importorskip("onnx", reason="the checker of ONNX is no dependency")
    onnxruntime = pytest.importorskip("onnxruntime", reason="the runtime is no dependency")
    layer, spec, arrays = _cases()[name]
    path = str(tmp_path / "net.onnx")
    if (name, opset) == ("growing", 11):
        with pytest.raises(FormatError, match="a list that a loop changes is there from opset 13 on"):
            paddle.onnx.export(layer, path, input_spec=spec, opset_version=opset)
        return
    paddle.onnx.export(layer, path, input_spec=spec, opset_version=opset)
    onnx.checker.check_model(path, full_check=True)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    results = session.run(None, dict(zip([value.name for value in session.get_inputs()], arrays, strict=True)))
    for result, array in zip(results, expected(layer, arrays), strict=True):
        assert np.asarray(result).dtype == array.dtype
        np.testing.assert_allclose(result, array, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("simplifier", ["onnxslim", "onnxsim"])
@pytest.mark.parametrize("name", NAMES)
def test_simplifiers_find_nothing(name, simplifier, tmp_path):
    module = pytest.importorskip(simplifier, reason="the simplifier is no dependency")
    layer, spec, _ = _cases()[name]
    before = Counter(kinds(exported(layer, tmp_path, spec).node))
    path = str(tmp_path / "net.onnx")
    model = module.slim(path) if simplifier == "onnxslim" else module.simplify(path)[0]
    assert before == Counter(node.op_type for node in model.graph.node)


def test_names_are_the_users(tmp_path):
    net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))
    names = [parameter.name for parameter in net.parameters()]
    written = exported(net, tmp_path, X, output_names=["scores"], dynamic_axes={"x": {0: "batch"}})
    assert [value.name for value in written.input] == ["x"]
    assert [value.name for value in written.output] == ["scores"]
    assert written.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    assert written.output[0].type.tensor_type.shape.dim[0].dim_param == "scores_dim_0"
    assert set(names[::2]) <= {tensor.name for tensor in written.initializer}


def test_a_batch_norm_is_part_of_its_convolution(tmp_path):
    net = nn.Sequential(nn.Conv2D(3, 4, 3), nn.BatchNorm2D(4), nn.ReLU())
    written = exported(net, tmp_path, [InputSpec([1, 3, 8, 8], "float32", "x")])
    assert kinds(written.node) == ["Conv", "Relu"]
    assert written.initializer[0].name == net[0].weight.name


def test_a_linear_layer_is_a_gemm(tmp_path):
    net = nn.Linear(4, 3)
    net.bias.set_value(np.asarray([1.0, 2.0, 3.0], "float32"))
    assert kinds(exported(net, tmp_path, X).node) == ["Gemm"]
    net.bias.set_value(np.zeros(3, "float32"))
    assert kinds(exported(net, tmp_path, X).node) == ["MatMul"]  # a sum with zeros is none


def test_control_flow_and_lists(tmp_path):
    layer, spec, _ = _cases()["branches"]
    assert {"If", "Loop"} <= set(kinds(exported(layer, tmp_path, spec).node))
    layer, spec, _ = _cases()["growing"]
    written = exported(layer, tmp_path, spec)
    assert {"SequenceEmpty", "Loop", "ConcatFromSequence"} <= set(kinds(written.node))
    loop = next(node for node in written.node if node.op_type == "Loop")
    assert "SequenceInsert" in kinds(next(a for a in loop.attribute if a.name == "body").g.node)


def test_a_state_of_zeros_is_left_out(tmp_path):
    spec = [InputSpec([None, 7, 5], "float32", "x")]
    layers = nn.LSTM(5, 4, num_layers=2, direction="bidirect"), nn.GRU(5, 4), nn.SimpleRNN(5, 4)
    for layer in layers:
        written = exported(layer, tmp_path, spec)
        recurrent = [node for node in written.node if node.op_type in ("LSTM", "GRU", "RNN")]
        assert {len(node.input) for node in recurrent} == {4}
        assert "ConstantOfShape" not in kinds(written.node)

    class Started(nn.Layer):
        def __init__(self):
            super().__init__()
            self.inner = layers[1]

        def forward(self, x):
            return self.inner(x, paddle.ones([1, x.shape[0], 4]))[0]

    (gru,) = [node for node in exported(Started(), tmp_path, spec).node if node.op_type == "GRU"]
    assert len(gru.input) == 6


def test_changes_of_a_shape_that_are_undone(tmp_path):
    class Rows(nn.Layer):
        def forward(self, x):
            return x[0].unsqueeze(0), paddle.nonzero(x[0] > 0).flatten(), paddle.logical_and(x > 0, paddle.ones([1], "bool"))

    for opset in (11, 17):
        written = exported(Rows(), tmp_path, X, opset_version=opset)
        assert set(kinds(written.node)) <= {"Gather", "Unsqueeze", "Greater", "NonZero", "Reshape"}
    x = np.float32([[1, -2, 3, 0]])
    again = paddle.onnx.load(tmp_path / "net.onnx")
    for result, array in zip(again(paddle.to_tensor(x)), expected(Rows(), [x]), strict=True):
        np.testing.assert_array_equal(result.numpy(), array)


def test_shapes_are_written(tmp_path):
    layer, spec, _ = _cases()["words"]
    written = exported(layer, tmp_path, spec)
    shapes = {value.name: [d.dim_value for d in value.type.tensor_type.shape.dim] for value in written.value_info}
    named = [name for node in written.node for name in node.output]
    assert len(shapes) > len(named) // 2
    assert [0, 0, 16] in shapes.values()  # sizes that are not known, and one that is


def test_numbers_without_dimensions_keep_none(tmp_path):
    class Scalar(nn.Layer):
        def forward(self, x):
            return x.sum() + 1

    written = exported(Scalar(), tmp_path, X)
    assert len(written.output[0].type.tensor_type.shape.dim) == 0


def test_all_operators_without_a_form_are_told(tmp_path):
    class Odd(nn.Layer):
        def forward(self, x):
            y = paddle.linalg.svd(x)[1]
            return y, paddle.lgamma(x)

    with pytest.raises(FormatError) as caught:
        paddle.onnx.export(Odd(), tmp_path / "net", input_spec=X)
    text = str(caught.value)
    assert "'svd' at test_export.py" in text and "'lgamma' at test_export.py" in text
    assert not list(tmp_path.iterdir())


def test_an_opset_that_lacks_an_operator_is_refused_or_raised(tmp_path):
    class Wise(nn.Layer):
        def forward(self, x):
            return paddle.bitwise_and(x, x + 1)

    spec = [InputSpec([2], "int64", "x")]
    with pytest.raises(FormatError, match="from opset 18 on"):
        paddle.onnx.export(Wise(), tmp_path / "net", input_spec=spec, opset_version=13)
    paddle.onnx.export(Wise(), tmp_path / "net", input_spec=spec)
    model = parse("ModelProto", (tmp_path / "net.onnx").read_bytes(), "net")
    assert model.opset_import[0].version == 18
    with pytest.raises(ValueError, match="11 to 23"):
        paddle.onnx.export(Wise(), tmp_path / "net", input_spec=spec, opset_version=40)


def test_weights_may_stand_beside_the_file(tmp_path):
    net = nn.Linear(64, 32)
    written = exported(net, tmp_path, [InputSpec([None, 64], "float32", "x")], external_data=True)
    (weight,) = [tensor for tensor in written.initializer if tensor.external_data]
    where = {entry.key: entry.value for entry in weight.external_data}
    data = (tmp_path / where["location"]).read_bytes()
    array = np.frombuffer(data[int(where["offset"]) :][: int(where["length"])], "<f4").reshape(weight.dims)
    np.testing.assert_array_equal(array, net.weight.numpy())
    exported(net, tmp_path, [InputSpec([None, 64], "float32", "x")])
    assert not (tmp_path / "net.onnx.data").exists()  # old weights are no longer of use


def test_bad_arguments(tmp_path):
    net = nn.Linear(4, 3)
    with pytest.raises(ValueError, match="unknown options colour"):
        paddle.onnx.export(net, tmp_path / "net", input_spec=X, colour=1)
    with pytest.raises(ValueError, match="names a folder"):
        paddle.onnx.export(net, f"{tmp_path}/", input_spec=X)
    with pytest.raises(TypeError, match="opset_version"):
        paddle.onnx.export(net, tmp_path / "net", input_spec=X, opset_version="13")
    with pytest.raises(ValueError, match="output_names has 2 names, the model 1 outputs"):
        paddle.onnx.export(net, tmp_path / "net", input_spec=X, output_names=["a", "b"])


def test_a_run_that_writes_is_refused(tmp_path):
    class Counting(nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", paddle.zeros([1]))

        def forward(self, x):
            self.count.add_(paddle.ones([1]))
            return x * self.count

    with pytest.raises(FormatError, match="ONNX models have no state"):
        paddle.onnx.export(Counting(), tmp_path / "net", input_spec=X)


def test_saved_models_are_upgraded(tmp_path, capsys):
    from to_static.cli.commands import main

    paddle.jit.save(nn.Sequential(nn.Conv2D(3, 4, 3), nn.BatchNorm2D(4)), str(tmp_path / "net"), input_spec=[
        InputSpec([1, 3, 8, 8], "float32", "x")])  # fmt: skip
    assert main(["upgrade", str(tmp_path / "net"), "--to", "onnx", "--opset", "13"]) == 0
    assert capsys.readouterr().out.strip().endswith("net_onnx.onnx")
    model = parse("ModelProto", (tmp_path / "net_onnx.onnx").read_bytes(), "net")
    assert (model.opset_import[0].version, kinds(model.graph.node)) == (13, ["Conv"])
    assert main(["upgrade", str(tmp_path / "net"), "--to", "pdmodel", "--opset", "13"]) == 1


def test_the_largest_numbers_of_regions_are_one_node(tmp_path):
    random = np.random.default_rng(0)
    x, counts = random.standard_normal([2, 3, 16, 16]).astype("float32"), np.asarray([2, 4], "int32")
    boxes = np.sort(random.random((6, 2, 2)), 1).astype("float32").reshape(6, 4) * 60

    def pooled(x, boxes, counts):
        return paddle.vision.ops.roi_pool(x, boxes, counts, 2, 0.25)

    specs = [
        InputSpec([2, 3, 16, 16], "float32", "x"), InputSpec([None, 4], "float32", "boxes"), InputSpec([2], "int32", "counts")
    ]  # fmt: skip
    nodes = kinds(exported(paddle.jit.to_static(pooled), tmp_path, specs).node)
    assert nodes.count("MaxRoiPool") == 1
    result = pooled(*map(paddle.to_tensor, (x, boxes, counts))).numpy()
    again = paddle.onnx.load(str(tmp_path / "net.onnx"))
    np.testing.assert_allclose(again(*map(paddle.to_tensor, (x, boxes, counts))), result, rtol=1e-6)
    onnxruntime = pytest.importorskip("onnxruntime", reason="the runtime is no dependency")
    session = onnxruntime.InferenceSession(str(tmp_path / "net.onnx"), providers=["CPUExecutionProvider"])
    np.testing.assert_allclose(session.run(None, {"x": x, "boxes": boxes, "counts": counts})[0], result, rtol=1e-5)
