"""`Config` has all members of PaddlePaddle's: hints are accepted, setters work, getters answer."""

from __future__ import annotations

import enum
import inspect
import json
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from to_static import inference, nn
from to_static.compiler.formats.paddle.model_reader import SavedModel
from to_static.compiler.formats.paddle.weights.params_writer import write_params
from to_static.core.errors import DeviceError, DTypeError, FormatError

CLASSES = json.loads((Path(__file__).with_name("paddle_classes.json")).read_text())


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("model") / "net")
    paddle.jit.save(nn.Linear(3, 2), path, [paddle.static.InputSpec([None, 3], name="x")])
    return path


def config_of(prefix):
    return inference.Config(prefix + ".pdmodel", prefix + ".pdiparams")


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_members_and_arguments_are_paddles(name):
    kind = getattr(inference, name)
    made = kind() if name in ("Config", "XpuConfig") else next(iter(kind)) if issubclass(kind, enum.Enum) else kind
    for member, arguments in CLASSES[name].items():
        assert hasattr(made, member), member
        if arguments is not None and inspect.isfunction(method := inspect.getattr_static(kind, member, None)):
            ours = list(inspect.signature(method).parameters)[1:]
            assert len(ours) >= len(arguments), member
            for given, wanted in zip(ours, arguments, strict=False):
                assert given == wanted or wanted.startswith("arg"), member


HINTS = {
    "enable_tensorrt_engine": (1 << 20, 1, 3, inference.PrecisionType.Half, False, False),
    "enable_use_gpu": (100, 0, inference.PrecisionType.Half),
    "set_trt_dynamic_shape_info": ({"x": [1, 3]}, {"x": [8, 3]}, {"x": [4, 3]}),
}
SAMPLES = {"int": 1, "str": "a", "bool": True, "float": 1.0, "Iterable[str]": {"a"}}
VERBS = ("enable_", "disable_", "set_", "switch_", "delete_", "exp_", "mark_", "load_", "collect_")
TAKE = {"set_model", "set_model_buffer", "set_prog_file", "set_params_file", "set_xpu_config", "set_dist_config"}


@pytest.mark.filterwarnings("ignore:enable_use_gpu")
@pytest.mark.parametrize("member", sorted(m for m in CLASSES["Config"] if m.startswith(VERBS) and m not in TAKE))
def test_hints_change_no_number(prefix, member):
    config, x = config_of(prefix), np.ones((2, 3), "float32")
    wanted = inference.create_predictor(config_of(prefix)).run([x])[0]
    parameters = inspect.signature(getattr(config, member)).parameters.values()
    given = HINTS.get(member) or [SAMPLES[p.annotation] for p in parameters if p.default is p.empty]
    assert getattr(config, member)(*given) is None
    np.testing.assert_allclose(inference.create_predictor(config).run([x])[0], wanted, rtol=1e-6)


def test_getters_answer_what_was_set(prefix):
    config = config_of(prefix)
    assert config.mkldnn_enabled() and not (config.tensorrt_engine_enabled() or config.use_xpu() or config.onnxruntime_enabled())
    config.disable_mkldnn()
    config.disable_glog_info()
    config.set_cpu_math_library_num_threads(4)
    config.switch_specify_input_names()
    config.collect_shape_range_info("shapes.txt")
    config.set_tensorrt_optimization_level(2)
    config.switch_ir_optim(False)
    assert not config.mkldnn_enabled() and config.glog_info_disabled() and config.specify_input_name() and not config.ir_optim()
    assert (config.cpu_math_library_num_threads(), config.tensorrt_optimization_level()) == (4, 2)
    assert config.shape_range_info_collected() and config.shape_range_info_path() == "shapes.txt"
    assert config.tensorrt_precision_mode() == inference.PrecisionType.Float32 == inference.Config.Precision.Float32
    assert config.to_native_config().cpu_math_library_num_threads() == 4
    copy = inference.Config(config)
    copy.set_cpu_math_library_num_threads(2)
    assert (copy.prog_file(), config.cpu_math_library_num_threads()) == (prefix + ".pdmodel", 4)
    with pytest.raises(RuntimeError, match="call enable_quantizer"):
        config.quantizer_config()
    config.enable_quantizer()
    config.quantizer_config().set_quant_batch_size(1)


def test_passes_are_those_of_this_package(prefix):
    config = config_of(prefix)
    names = config.pass_builder().all_passes()
    assert "fold_constants" in names and config.pass_builder().delete_pass("fc_fuse_pass") is None
    config.switch_ir_optim(False)
    assert len(config.pass_builder().all_passes()) < len(names)


def test_without_a_gpu_it_is_the_cpu(prefix, no_gpu):
    config = config_of(prefix)
    with pytest.warns(UserWarning, match="enable_use_gpu.*The model runs on the CPU"):
        config.enable_use_gpu(100, 0)
    assert not config.use_gpu() and config.gpu_device_id() == 0 and config.memory_pool_init_size_mb() == 100


@pytest.fixture
def no_gpu(monkeypatch):
    def refuse(device):
        raise DeviceError(f"{device!r}: there is none.")

    monkeypatch.setattr("to_static.inference.config.get_backend", refuse)


def test_models_come_from_files_one_by_one_and_from_memory(prefix):
    x = np.ones((2, 3), "float32")
    wanted = inference.create_predictor(config_of(prefix)).run([x])[0]
    files = inference.Config()
    assert (files.prog_file(), files.params_file(), files.model_dir(), files.model_from_memory()) == ("", "", "", False)
    with pytest.raises(ValueError, match="this Config has no model"):
        inference.create_predictor(files)
    files.set_prog_file(prefix + ".pdmodel")
    files.set_params_file(prefix + ".pdiparams")
    np.testing.assert_array_equal(inference.create_predictor(files).run([x])[0], wanted)
    program, params = Path(prefix + ".pdmodel").read_bytes(), Path(prefix + ".pdiparams").read_bytes()
    memory = inference.Config()
    memory.set_model_buffer(program, len(program), params, len(params))
    assert memory.model_from_memory() and memory.prog_file() == "" and "in memory" in memory.summary()
    np.testing.assert_array_equal(inference.create_predictor(memory).run([x])[0], wanted)
    with pytest.raises(TypeError, match="as bytes, got str: read the file with"):
        memory.set_model_buffer(prefix, 4, params, 4)
    with pytest.raises(ValueError, match="the size"):
        memory.set_model_buffer(program, len(program) + 1, params, len(params))
    memory.set_model_buffer(program, len(program), params, len(params) - 3)
    with pytest.raises(FormatError, match="the parameters in memory"):
        inference.create_predictor(memory)


def test_folders_of_paddle_1(prefix, tmp_path):
    loaded = SavedModel(prefix + ".pdmodel")
    (tmp_path / "__model__").write_bytes(Path(prefix + ".pdmodel").read_bytes())
    for name, array in loaded.arrays.items():
        write_params(tmp_path / name, [array])
    config = inference.Config(str(tmp_path))
    assert config.model_dir() == str(tmp_path) and config.prog_file() == ""
    x = np.ones((2, 3), "float32")
    got, wanted = (inference.create_predictor(one).run([x])[0] for one in (config, config_of(prefix)))
    np.testing.assert_array_equal(got, wanted)


def test_handles(prefix):
    predictor = inference.create_predictor(config_of(prefix))
    handle, x = predictor.get_input_handle("x"), np.arange(6, dtype="float32").reshape(2, 3)
    assert handle.type() == inference.DataType.FLOAT32 and handle.lod() == []
    handle.set_lod([[0, 1, 2]])
    assert handle.lod() == [[0, 1, 2]]
    results = []
    for given in (x, x.astype(">f4"), np.asfortranarray(x), x[::-1][::-1], np.repeat(x, 2, axis=1)[:, ::2]):
        handle.copy_from_cpu(given)
        assert predictor.run() is None
        results.append(predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu())
        results.append(predictor.run([given])[0])
    for result in results:
        np.testing.assert_array_equal(result, results[0])
    handle.share_external_data(paddle.to_tensor(x))
    predictor.run()
    assert predictor.try_shrink_memory() == 0 and predictor.clear_intermediate_tensor() is None
    [tensor] = predictor.run([paddle.to_tensor(x)])
    assert isinstance(tensor, paddle.Tensor)
    np.testing.assert_array_equal(tensor.numpy(), results[0])
    with pytest.raises(DTypeError, match=r"x.astype\('float32'\)"):
        handle.copy_from_cpu(x.astype("float64"))


def test_integers_that_fit_are_taken(tmp_path):
    path, ids = str(tmp_path / "net"), np.asarray([[1, 2]])
    paddle.jit.save(nn.Embedding(4, 2), path, [paddle.static.InputSpec([None, 2], "int64", "ids")])
    predictor = inference.create_predictor(inference.Config(path))
    wanted = predictor.run([ids])[0]
    for dtype in ("int32", "uint8", ">i8"):
        np.testing.assert_array_equal(predictor.run([ids.astype(dtype)])[0], wanted)
    for wrong in (ids.astype("float32"), np.asarray([[2**64 - 1, 1]], "uint64")):
        with pytest.raises(DTypeError, match="input 'ids' must be int64"):
            predictor.run([wrong])


def test_a_shape_that_was_announced(prefix):
    handle = inference.create_predictor(config_of(prefix)).get_input_handle("x")
    handle.reshape([5, 3])
    assert handle.shape() == [5, 3]
    handle.copy_from_cpu(np.ones((2, 3), "float32"))
    assert handle.shape() == [2, 3]


def test_the_summary_is_a_table(prefix):
    lines = config_of(prefix).summary().splitlines()
    assert len({len(line) for line in lines}) == 1
    assert "| model_file  | " + prefix in lines[3] and "| ir_optim    | true " in lines[-2]


def test_a_predictor_is_made_of_a_config(prefix):
    with pytest.raises(TypeError, match=r"expected a Config, got str; write create_predictor\(Config\('.*net'\)\)"):
        inference.create_predictor(prefix)


def test_output_hooks_see_the_values(prefix):
    predictor, seen = inference.create_predictor(config_of(prefix)), []
    x = np.ones((2, 3), "float32")
    [wanted] = predictor.run([x])
    predictor.register_output_hook(lambda kind, name, value: seen.append((kind, name, value)))
    for _ in range(2):
        [got] = predictor.run([x])
    assert len(seen) >= 2 and seen[-1][1] == predictor.get_output_names()[0]
    np.testing.assert_allclose(got, wanted, rtol=1e-6)
    np.testing.assert_array_equal(seen[-1][2], got)


def test_fewer_bits_are_not_there_and_said(prefix, tmp_path):
    names = [str(tmp_path / "half" / name) for name in ("net.pdmodel", "net.pdiparams")]
    half = inference.PrecisionType.Half, inference.PlaceType.GPU
    with pytest.warns(UserWarning, match="the model is written as it is"):
        inference.convert_to_mixed_precision(prefix + ".pdmodel", prefix + ".pdiparams", *names, *half, black_list={"relu"})
    x = np.ones((2, 3), "float32")
    got = inference.create_predictor(inference.Config(*names)).run([x])[0]
    np.testing.assert_array_equal(got, inference.create_predictor(config_of(prefix)).run([x])[0])
    with pytest.raises(FileNotFoundError, match="no saved model at"):
        inference.convert_to_mixed_precision("none.pdmodel", "", *names, *half)
