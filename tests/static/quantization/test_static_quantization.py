"""Static quantization: Paddle's numbers, what files say, graphs of Programs, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests.static.quantization.models import AWARE, CALIBRATED, WEIGHTS, X, aware, calibrated, saved, weights_only
from to_static import static
from to_static.compiler.formats.paddle.editing import FileOp, FileProgram
from to_static.compiler.formats.paddle.model_reader import SavedModel
from to_static.compiler.formats.paddle.weights.params_reader import read_tensors
from to_static.compiler.formats.paddle.weights.params_writer import write_folder, write_params
from to_static.core.errors import FormatError
from to_static.framework import IrGraph, core
from to_static.static import quantization as q

TABLE = json.loads(Path(__file__).with_name("paddle_static.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("model")
    saved(paddle, path)
    return path


@pytest.fixture(autouse=True)
def static_mode():
    paddle.enable_static()
    yield
    paddle.disable_static()


def operators(path):
    model = SavedModel(f"{path}.pdmodel")
    return FileProgram.of_message(model.desc, model.arrays)


@pytest.mark.parametrize("name", CALIBRATED)
def test_calibration_is_paddles(name, folder):
    np.testing.assert_allclose(calibrated(paddle, folder, name), TABLE["calibrated"][name], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", WEIGHTS)
def test_weights_as_integers_are_paddles(name, folder):
    np.testing.assert_allclose(weights_only(paddle, folder, name), TABLE["weights"][name], rtol=1e-4, atol=1e-4)
    form = operators(folder / name / "quantized_model" / "m")
    conv = next(op for op in form.ops() if op.type == "conv2d")
    weight = conv.input("Filter")[0]
    bits = WEIGHTS[name].get("weight_bits", 8)
    assert form.arrays[weight].dtype == np.dtype(f"int{bits}") and conv.attr("quantize_weight_bits") == bits
    assert len(conv.attr(f"{weight}_quant_scale")) == (4 if name == "channels" else 1)


@pytest.mark.parametrize("name", AWARE)
def test_training_with_quantization_is_paddles(name, tmp_path):
    found, expected = aware(paddle, tmp_path, name), TABLE["aware"][name]
    for part in expected:
        np.testing.assert_allclose(found[part], expected[part], rtol=1e-3, atol=1e-3, err_msg=part)


def test_files_keep_what_operators_say_of_themselves(folder, tmp_path):
    calibrated(paddle, folder, "abs_max")
    exe = static.Executor()
    program, feeds, fetches = static.load_inference_model(str(folder / "abs_max" / "m"), exe)
    conv = next(op for op in program.global_block().ops if op.type == "conv2d")
    assert conv.attr("quantization_type") == "post_abs_max" and conv.attr("Output0_threshold") > 0
    conv._set_attr("made_by", "a test")
    static.save_inference_model(str(tmp_path / "again"), [program.global_block().var(feeds[0])], fetches, exe, program=program)
    again = next(op for op in operators(tmp_path / "again").ops() if op.type == "conv2d")
    assert again.all_attrs() == conv.all_attrs()
    renamed = next(op for op in program.global_block().ops if op.type == "relu")
    before = exe.run(program, feed={feeds[0]: X}, fetch_list=fetches)[0]
    renamed.set_type("sigmoid")  # the Program follows its operators
    after = exe.run(program, feed={feeds[0]: X}, fetch_list=[fetches[0].name])[0]
    assert not np.allclose(before, after)


def test_graphs_are_rewritten_node_by_node():
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [2, 3], "float32")
        y = paddle.nn.functional.relu(x)
    graph = IrGraph(core.Graph(main.desc), for_test=True)
    [relu] = [node for node in graph.all_op_nodes() if node.name() == "relu"]
    made = graph.create_var_node("halved", relu.outputs[0].type(), [2, 3], relu.outputs[0].dtype())
    attrs = {"scale": 0.5, "bias": 0.0, "bias_after_scale": True}
    scale = graph.create_op_node("scale", attrs, {"X": relu.inputs[0]}, {"Out": made})
    graph.update_input_link(relu.inputs[0], made, relu)
    graph.resolve_hazard()
    assert [node.name() for node in graph.topology_sort()] == ["scale", "relu"]
    assert made.inputs == [scale] and made.outputs == [relu] and not made.persistable() and scale.op().attr("scale") == 0.5
    ones = np.ones([2, 3], "float32")
    [found] = static.Executor().run(graph.to_program(), feed={"x": ones}, fetch_list=[y.name])
    assert (found == 0.5).all()
    graph.safe_remove_nodes(scale)
    assert [node.name() for node in graph.all_op_nodes()] == ["relu"] and len(main.global_block().ops) == 1
    with pytest.raises(ValueError, match="Cannot find"):
        graph._find_node_by_name(graph.all_op_nodes(), "conv2d")
    with pytest.raises(AssertionError):
        IrGraph(main)


def test_empty_lists_of_text_are_lists_of_text_in_files():
    program = FileProgram()
    op = FileOp(program.blocks[0], "scale", {"X": ["a"]}, {"Out": ["b"]}, {"op_role_var": [], "axes": []})
    assert op.attr_types == {"op_role_var": "STRINGS", "axes": "INTS"}


def test_operators_are_sorted_by_what_they_need():
    program = FileProgram()
    block = program.blocks[0]
    for name in "abcd":
        block.add(name, shape=[1])
    first, second = FileOp(block, "relu", {"X": ["b"]}, {"Out": ["c"]}), FileOp(block, "relu", {"X": ["c"]}, {"Out": ["d"]})
    late = FileOp(block, "exp", {"X": ["a"]}, {"Out": ["b"]})
    block.ops = [first, second, late]
    program.sort()
    assert block.ops == [late, first, second]


def test_functions_of_the_users_quantize():
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [None, 3, 4, 4], "float32")
        y = static.nn.conv2d(x, 2, 3, bias_attr=False)
    config = {"quantize_op_types": ["conv2d"], "onnx_format": False, "weight_quantize_type": "abs_max"}
    halved = q.quant_aware(main, paddle.CPUPlace(), config, for_test=True, act_quantize_func=lambda given: given * 0.5)
    exe = static.Executor()
    whole, half = (exe.run(program, feed={"x": X}, fetch_list=[y.name])[0] for program in (main, halved))
    np.testing.assert_allclose(half, whole / 2, atol=0.1)


@pytest.mark.parametrize(
    "given",
    [{"weight_bits": 17}, {"dtype": "uint8"}, {"weight_quantize_type": "none"}, {"quantize_op_types": ["while"]}],
)
def test_wrong_settings_of_training_are_refused(given):
    with pytest.raises(AssertionError):
        q.quant_aware(static.Program(), paddle.CPUPlace(), given)


def test_wrong_settings_of_calibration_are_refused(folder):
    loader = paddle.io.DataLoader([X[0]])
    wrong = {"algo": "best", "data_loader": [1], "weight_bits": 4, "deploy_backend": "moon", "quantizable_op_type": ["while"]}
    for name, value in wrong.items():
        with pytest.raises(AssertionError):
            q.PostTrainingQuantization(static.Executor(), str(folder), **{"data_loader": loader, name: value})
    with pytest.raises(AssertionError, match="min_max"):
        q.PostTrainingQuantization(static.Executor(), str(folder), data_loader=loader, algo="min_max", round_type="adaround")
    with pytest.raises(AssertionError, match="int8"):
        q.convert(static.Program(), paddle.CPUPlace(), {"onnx_format": True}, save_int8=True)
    with pytest.raises(AssertionError):
        q.WeightQuantization(str(folder)).quantize_weight_to_int("there", weight_bits=4)


@pytest.mark.parametrize("params", ["model.pdiparams", None])
def test_weights_of_half_precision(folder, tmp_path, params):
    whole = SavedModel(folder / "model.pdmodel", folder / "model.pdiparams").arrays
    write_folder(tmp_path / "model", whole)
    write_params(tmp_path / "model" / "model.pdiparams", whole.values())
    (tmp_path / "model" / "model.pdmodel").write_bytes((folder / "model.pdmodel").read_bytes())
    q.WeightQuantization(tmp_path / "model", "model.pdmodel", params).convert_weight_to_fp16(str(tmp_path / "half"))
    written = tmp_path / "half"
    assert sorted(p.name for p in written.iterdir()) == sorted(["model.pdmodel", *([params] if params else whole)])
    half = read_tensors(written / params) if params else [read_tensors(written / name)[0] for name in whole]
    for array, wanted in zip(half, whole.values(), strict=True):
        assert array.dtype == np.float16
        np.testing.assert_array_equal(array, wanted.astype(np.float16))


@pytest.mark.parametrize("name", ["../out", "a/b", "..", ""])
def test_a_name_does_not_lead_out_of_the_folder(tmp_path, name):
    with pytest.raises(FormatError, match="names of files"):
        write_folder(tmp_path / "in", {"good": np.ones(1), name: np.ones(1)})
    assert not list(tmp_path.iterdir())
