"""Columns to inputs and back: every row gets its own result, whatever the shapes."""

import numpy as np
import pytest

from to_static.batch.row_model import BatchPredictor, RowModel
from to_static.core.errors import ArgumentError
from to_static.serve.row_independence import BatchAxes, TensorInfo

X = TensorInfo("x", "float32", (-1, 2))
Y = TensorInfo("y", "float32", (-1, 2))
ROWS = BatchAxes(0, (0,))


def doubling(inputs=(X,), axes=ROWS, **settings):
    runs = []

    def run(arrays):
        runs.append(arrays[0].shape)
        return [sum(array.astype("float32") for array in arrays) * 2]

    model = RowModel(run, inputs, [Y], axes, **settings)
    return model, runs


def test_a_column_goes_to_the_input_of_its_name():
    model, runs = doubling()
    x = np.arange(6, dtype="float32").reshape(3, 2)
    np.testing.assert_array_equal(model({"x": x, "other": np.arange(3)})["y"], x * 2)
    np.testing.assert_array_equal(model({"x": x.astype("float64")})["y"], x * 2)
    np.testing.assert_array_equal(model({"features": x})["y"], x * 2)  # the only column
    assert runs == [(3, 2)] * 3


def test_columns_of_numbers_stand_side_by_side():
    table = {"a": np.array([1, 2]), "b": np.array([3.0, 4.0]), "name": np.array(["p", "q"], object)}
    expected = [[2.0, 6.0], [4.0, 8.0]]
    assert doubling()[0](table)["y"].tolist() == expected
    assert doubling(columns={"x": ["b", "a"]})[0](table)["y"].tolist() == [row[::-1] for row in expected]


def test_rows_of_unlike_shapes_run_in_groups_and_keep_their_order():
    free = TensorInfo("x", "float32", (-1, -1))
    model, runs = doubling((free,))
    rows = [np.full(n, float(i), "float32") for i, n in enumerate((2, 3, 2, 1))]
    results = model({"x": rows})["y"]
    assert [result.tolist() for result in results] == [(row * 2).tolist() for row in rows]
    assert sorted(runs) == [(1, 1), (1, 3), (2, 2)]


def test_rows_that_see_each_other_run_alone():
    model, runs = doubling(axes=None)
    x = np.arange(6, dtype="float32").reshape(3, 2)
    np.testing.assert_array_equal(model({"x": x})["y"], x * 2)
    assert runs == [(1, 2)] * 3


def test_rows_along_another_axis():
    time_major = TensorInfo("x", "float32", (-1, -1, 2))
    model, runs = doubling((time_major,), BatchAxes(1, (1,)))
    x = np.arange(12, dtype="float32").reshape(3, 2, 2)
    np.testing.assert_array_equal(model({"x": x})["y"], x * 2)
    assert runs == [(2, 3, 2)]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"a": np.ones((2, 2)), "b": np.ones((2, 2))}, "no column is called 'x'"),
        ({"x": np.ones((2, 3), "float32")}, r"takes rows of shape \[2\], got \[3\]"),
        ({"x": np.array(["a", "b"], object)}, "column 'x'"),
        ({"x": np.ones((2, 2), "complex64")}, "is complex64"),
        ({"x": [np.ones(2, "float32"), np.ones(3, "float32")]}, r"got \[3\]"),
    ],
)
def test_columns_that_do_not_fit_are_refused(columns, words):
    with pytest.raises(ArgumentError, match=words):
        doubling()[0](columns)


def test_settings_that_do_not_fit_are_refused():
    with pytest.raises(ArgumentError, match="no input 'z'"):
        doubling(columns={"z": ["a"]})
    with pytest.raises(ArgumentError, match="no dimension for rows"):
        doubling((TensorInfo("x", "float32", ()),))
    ids = TensorInfo("i", "int32", (-1,))
    with pytest.raises(ArgumentError, match="does not fit int32"):
        RowModel(list, [ids], [Y], BatchAxes(0, (0,)))({"i": np.array([2**40])})


def test_a_callable_for_map_batches(tmp_path):
    import pickle

    import to_static as paddle

    net = paddle.nn.Linear(2, 2)
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=[paddle.static.InputSpec([None, 2], "float32", name="x")])
    predictor = pickle.loads(pickle.dumps(paddle.batch.BatchPredictor(tmp_path / "net", keep=["key"])))
    assert isinstance(predictor, BatchPredictor)
    x = np.ones((3, 2), "float32")
    result = predictor({"key": np.arange(3), "x": x})
    output = next(name for name in result if name != "key")
    np.testing.assert_allclose(result[output], net(paddle.to_tensor(x)).numpy())
    assert result["key"].tolist() == [0, 1, 2]


def test_paddles_function_of_this_name():
    import to_static as paddle

    assert list(paddle.batch(lambda: iter(range(3)), 2)()) == [[0, 1], [2]]
    assert list(paddle.batch(lambda: iter(range(3)), batch_size=2, drop_last=True)()) == [[0, 1]]
