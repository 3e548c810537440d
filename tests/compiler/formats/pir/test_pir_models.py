"""Models that PaddlePaddle 3.0.0, 3.1.1, 3.2.2 and 3.3.1 saved give Paddle's numbers: 269 files with 332 operations.

`record_pir_models.py` beside this file made them: networks, branches, loops, arrays, and cases of `written_cases` for all other
operations.
"""

import json
import warnings

import numpy as np
import pytest
from pir_archive import check, names, numbers, unpack

import to_static as paddle
from to_static.compiler.formats import hub
from to_static.inference import Config, create_predictor


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return unpack(tmp_path_factory.mktemp("pir"))


@pytest.mark.parametrize("name", names())
def test_predictors_give_paddle_s_numbers(folder, name):
    inputs, expected = numbers(folder / name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        predictor = create_predictor(Config(f"{folder / name}.json"))
        for key in predictor.get_input_names():
            predictor.get_input_handle(key).copy_from_cpu(inputs[key])
        predictor.run()
    check([predictor.get_output_handle(key).copy_to_cpu() for key in predictor.get_output_names()], expected, folder / name)


def test_loaded_layers_have_methods_and_train(folder):
    net = paddle.jit.load(str(folder / "331" / "methods"))
    inputs, (expected,) = numbers(folder / "331" / "methods")
    x = paddle.to_tensor(inputs["x"])
    np.testing.assert_allclose(net(x), expected, rtol=1e-6)
    np.testing.assert_allclose(net.twice(x), 2 * expected, rtol=1e-6)
    assert sorted(len(p.shape) for p in net.parameters()) == [1, 2]
    net(x).sum().backward()
    assert all(p.grad is not None for p in net.parameters())


def test_the_executor_runs_them(folder):
    exe = paddle.static.Executor()
    inputs, expected = numbers(folder / "331" / "m_mlp")
    program, feeds, fetches = paddle.static.load_inference_model(str(folder / "331" / "m_mlp"), exe)
    check(exe.run(program, feed={name: inputs[name] for name in feeds}, fetch_list=fetches), expected, folder / "331" / "m_mlp")


def test_other_sizes_than_the_file_s(folder):
    model = hub.open_model(folder / "331" / "m_lenet.json")
    (feed,) = model.program().feeds
    program = model.program(shapes={feed.name: (5, *feed.shape[1:])})
    assert program.outputs[0].shape[0] == 5


@pytest.mark.parametrize("version", [0, 1, 2, 3, 4])
def test_halves_are_rounded_as_the_version_s_paddle_rounds_them(folder, tmp_path, version):
    """PaddlePaddle 3.0 (version 1) rounds them away from zero, 3.1 to 3.3 (versions 2 to 4) to the even number."""
    recorded = next(path for path in sorted((folder / "311").glob("case*.json")) if '"1.round"' in path.read_text())
    document = json.loads(recorded.read_text())
    document["base_code"]["version"] = version
    (tmp_path / "round.json").write_text(json.dumps(document))
    net = paddle.jit.load(str(tmp_path / "round"))
    halves = np.resize(np.asarray([0.5, 1.5, 2.5, -0.5, -1.5, -2.5], "float32"), net.forward.input_spec[0].shape)
    np.testing.assert_array_equal(net(halves), np.rint(halves) if version > 1 else np.trunc(halves + np.sign(halves) * 0.5))
