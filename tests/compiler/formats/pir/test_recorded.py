"""Models that PaddlePaddle 3.0.0 and 3.3.1 saved give Paddle's numbers: 223 files with 332 operations.

`record_models.py` beside this file made them: networks, branches, loops, arrays, and a case of `written_cases` for every operation.
"""

import tarfile
import warnings
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.formats import hub
from to_static.inference import Config, create_predictor

ARCHIVE = Path(__file__).with_name("recorded.tar.xz")
RANDOM = (
    "gaussian", "uniform", "randint", "randperm", "bernoulli", "multinomial", "poisson", "dirichlet", "exponential",
    "gumbel_softmax", "class_center_sample", "rrelu", "standard_gamma", "binomial", "truncated_gaussian_random",
)  # fmt: skip


def _names():
    with tarfile.open(ARCHIVE) as archive:
        return sorted(name.removesuffix(".npz") for name in archive.getnames() if name.endswith(".npz"))


NAMES = _names()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("pir")
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            target = path / member.name
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(archive.extractfile(member).read())
    return path


def numbers(path):
    """Inputs by name, and outputs."""
    with np.load(f"{path}.npz") as record:
        inputs = {key[3:]: record[key] for key in record.files if key.startswith("in_")}
        return inputs, [record[f"out_{i}"] for i in range(len(record.files) - len(inputs))]


def is_random(path):
    text = Path(f"{path}.json").read_text()
    return any(f'"1.{name}' in text for name in RANDOM) or '"D":false},"N":"is_test"' in text


def check(results, expected, path):
    assert len(results) == len(expected)
    for result, number in zip(results, expected, strict=True):
        if number.dtype == np.uint16:  # bfloat16
            number = (number.astype("uint32") << 16).view("float32")
        assert result.shape == number.shape
        assert result.dtype == number.dtype
        if is_random(path):
            continue
        finite = np.atleast_1d(number)[np.isfinite(np.atleast_1d(number))]
        scale = float(np.abs(finite).max()) if finite.size and number.dtype.kind in "fc" else 0.0
        step = 1e-2 if path.name == "half" else 2e-6  # bfloat16 is computed in float32 here
        np.testing.assert_allclose(result, number, rtol=10 * step, atol=step + step * scale)


@pytest.mark.parametrize("name", NAMES)
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
