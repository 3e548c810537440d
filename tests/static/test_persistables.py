"""What a Program keeps, in files of its own; models that are a folder of files."""

import os

import numpy as np
import pytest

from to_static.core import unique_name
from to_static.core.errors import FormatError
from to_static.distributed import io


@pytest.fixture
def built(static):
    x = static.data("x", [None, 3])
    with unique_name.guard():
        y = static.nn.fc(x, 2, name="part")
    static.Executor().run(static.default_startup_program())
    return x, y, static.default_main_program()


@pytest.mark.parametrize("filename", [None, "all"])
def test_values_go_through_files(built, filename, tmp_path):
    _, _, main = built
    folder = str(tmp_path / "new")
    io.save_persistables(None, folder, main, filename)
    assert sorted(os.listdir(folder)) == ([filename] if filename else ["part.b_0", "part.w_0"])
    weight = main.all_parameters()[0]
    before = weight.numpy()
    weight.set_value(before * 0)
    io.load_persistables(None, folder, main, filename)
    np.testing.assert_array_equal(weight.numpy(), before)
    (tmp_path / "new" / (filename or "part.b_0")).write_bytes(b"?")
    with pytest.raises(FormatError):
        io.load_persistables(None, folder, main, filename)


@pytest.mark.parametrize("filename", [None, "all"])
def test_a_model_in_a_folder(built, static, filename, tmp_path):
    x, y, main = built
    folder = str(tmp_path)
    (tmp_path / "__model__").write_bytes(static.serialize_program([x], [y], program=main))
    io.save_persistables(None, folder, main, filename)
    executor = static.Executor()
    program, feeds, fetches = io.load_inference_model_distributed(folder, executor, params_filename=filename)
    feed = {"x": np.ones((1, 3), "float32")}
    wanted, found = executor.run(main, feed, [y])[0], executor.run(program, feed, fetches)[0]
    assert feeds == ["x"]
    np.testing.assert_array_equal(found, wanted)
    [weight] = [var for var in program.list_vars() if var.name == "part.w_0"]
    np.testing.assert_array_equal(weight.get_value(), main.all_parameters()[0].numpy())
