"""A saved model as a function: by place, by name, by mapping, from many threads."""

import threading

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ArgumentError, DTypeError, ShapeError

X, Y = np.arange(6, dtype="float32").reshape(2, 3), np.ones((2, 3), "float32")


class Two(paddle.nn.Layer):
    def forward(self, a, b):
        return a + b, a - b


@pytest.fixture(scope="module")
def predict(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("model") / "two")
    specs = [paddle.static.InputSpec([None, 3], "float32", name=name) for name in "ab"]
    paddle.jit.save(Two(), path, input_spec=specs)
    return paddle.load_predictor(path)


def test_calls(predict):
    assert predict.inputs == ["a", "b"] and repr(predict).startswith("PredictorFunction(a, b -> ")
    for results in (predict(X, Y), predict(X, b=Y), predict(b=Y, a=X), tuple(predict({"a": X, "b": Y}).values())):
        np.testing.assert_array_equal(results[0], X + Y)
        np.testing.assert_array_equal(results[1], X - Y)
    assert list(predict({"a": X, "b": Y})) == predict.outputs


def test_one_output_is_an_array(tmp_path):
    paddle.jit.save(paddle.nn.ReLU(), str(tmp_path / "one"), input_spec=[paddle.static.InputSpec([None, 3], "float32", name="x")])
    np.testing.assert_array_equal(paddle.load_predictor(tmp_path / "one")(X - 2), np.maximum(X - 2, 0))


def test_what_does_not_fit_is_refused(predict):
    for arrays, named in [((X,), {}), ((X, Y, X), {}), (({"a": X},), {}), ((X, Y), {"b": Y}), ((X,), {"c": Y})]:
        with pytest.raises(ArgumentError, match="inputs are a, b"):
            predict(*arrays, **named)
    with pytest.raises(DTypeError, match="'a' must be float32"):
        predict(X.astype("float64"), Y)
    with pytest.raises(ShapeError, match="'b'"):
        predict(X, Y[:, :2])


def test_threads(predict):
    wrong = []

    def work(seed):
        a = np.random.default_rng(seed).standard_normal((2, 3)).astype("float32")
        for _ in range(50):
            if not np.array_equal(predict(a, Y)[0], a + Y):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
