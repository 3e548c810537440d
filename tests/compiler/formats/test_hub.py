"""Models are found by what files hold, whatever they are called."""

import shutil
import warnings

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.formats import hub
from to_static.inference import Config, create_predictor
from to_static.static import InputSpec

X = np.float32([[1, -2, 3]])


@pytest.fixture
def prefix(tmp_path):
    paddle.seed(1)
    net = paddle.nn.Linear(3, 2)
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=[InputSpec([None, 3], "float32", "x")])
    return str(tmp_path / "net")


def predicted(*files):
    predictor = create_predictor(Config(*files))
    return predictor.run([X])[0]


def old_folder(prefix, folder, names=("linear_0.b_0", "linear_0.w_0")):
    """The model as Paddle 1 saved it: a file for the Program and one for each parameter."""
    model = hub.open_model(prefix + ".pdmodel")
    folder.mkdir()
    shutil.copy(prefix + ".pdmodel", folder / "__model__")
    paddle.compiler.formats.paddle.weights.params_writer.write_folder(folder, model.arrays)
    return folder


def test_any_name_will_do(prefix, tmp_path):
    shutil.copy(prefix + ".pdmodel", tmp_path / "graph.bin")
    shutil.copy(prefix + ".pdiparams", tmp_path / "weights.bin")
    np.testing.assert_array_equal(predicted(tmp_path / "graph.bin", tmp_path / "weights.bin"), predicted(prefix))
    net = paddle.jit.load(str(tmp_path), model_filename="graph.bin", params_filename="weights.bin")
    np.testing.assert_array_equal(net(X), predicted(prefix))


def test_the_file_of_a_model(prefix):
    np.testing.assert_array_equal(paddle.jit.load(prefix + ".pdmodel")(X), paddle.jit.load(prefix)(X))


def test_folders_of_paddle_1(prefix, tmp_path):
    folder = str(old_folder(prefix, tmp_path / "old"))
    expected = predicted(prefix)
    np.testing.assert_array_equal(paddle.jit.load(folder)(X), expected)
    np.testing.assert_array_equal(predicted(folder), expected)
    exe = paddle.static.Executor()
    for names in ({}, {"model_filename": "__model__"}):
        program, feeds, fetches = paddle.static.load_inference_model(folder, exe, **names)
        np.testing.assert_array_equal(exe.run(program, feed={feeds[0]: X}, fetch_list=fetches)[0], expected)


def test_folders_of_paddle_1_with_all_parameters_in_one_file(prefix, tmp_path):
    folder = tmp_path / "old"
    folder.mkdir()
    shutil.copy(prefix + ".pdmodel", folder / "__model__")
    shutil.copy(prefix + ".pdiparams", folder / "__params__")
    np.testing.assert_array_equal(paddle.jit.load(str(folder))(X), predicted(prefix))
    exe = paddle.static.Executor()
    files = {"model_filename": "__model__", "params_filename": "__params__"}
    program, feeds, fetches = paddle.static.load_inference_model(str(folder), exe, **files)
    np.testing.assert_array_equal(exe.run(program, feed={feeds[0]: X}, fetch_list=fetches)[0], predicted(prefix))


def test_bytes(prefix):
    with open(prefix + ".pdmodel", "rb") as model, open(prefix + ".pdiparams", "rb") as params:
        stored = hub.model_of_bytes(model.read(), params.read())
    assert sorted(stored.arrays) == sorted(hub.open_model(prefix + ".pdmodel").arrays)


def test_unknown_formats_are_refused(prefix, tmp_path):
    with pytest.raises(ValueError, match="unknown format 'caffe': there are pdmodel"):
        paddle.jit.save(paddle.nn.Linear(3, 2), str(tmp_path / "n"), [InputSpec([None, 3])], format="caffe")
    (tmp_path / "text.bin").write_text("no model")
    with pytest.raises(FileNotFoundError, match="no saved model"):
        paddle.jit.load(str(tmp_path / "text.bin"))


def test_one_model_of_a_prefix_needs_no_warning(prefix):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hub.saved_methods(prefix) == {"forward": prefix + ".pdmodel"}


def test_all_unknown_operators_are_listed(prefix, tmp_path):
    with open(prefix + ".pdmodel", "rb") as file:
        data = file.read()
    shutil.copy(prefix + ".pdiparams", tmp_path / "new.pdiparams")
    (tmp_path / "new.pdmodel").write_bytes(data.replace(b"matmul_v2", b"my_own_op").replace(b"elementwise_add", b"elementwise_nod"))
    with pytest.raises(ValueError, match=r"operators that can be read, found others: 1 elementwise_nod, 1 my_own_op"):
        paddle.jit.load(str(tmp_path / "new.pdmodel"))
