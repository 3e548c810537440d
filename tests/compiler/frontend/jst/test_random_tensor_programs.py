"""Random programs give the same result statically as dynamically, or are refused before they run; never a different number."""

import warnings

import daily
import numpy as np
import pytest
from both import T
from compiler.frontend.jst.random_tensor_programs import Writer, compiled

import to_static as paddle
from to_static.core.errors import ToStaticError

pytestmark = pytest.mark.slow
INPUTS = [(1.0, 2.0, [1.0, -1.0], 2, 1), (-1.0, 0.5, [3.0, 2.0], 0, 3), (2.0, -2.0, [-1.0, 0.0], 3, 3)]


def picture(value):
    if isinstance(value, (tuple, list)):
        return [number for item in value for number in picture(item)]
    if isinstance(value, dict):
        return picture(list(value.values()))
    return np.asarray(value.numpy() if isinstance(value, paddle.Tensor) else value, "float64").ravel().tolist()


def run(function, inputs):
    x, y, v, m, n = inputs
    args = [T(x), T(y), T(v), T(m), n]
    try:
        return "value", picture([function(*args), args[2]])
    except ToStaticError as error:
        return "refused", str(error)
    except Exception as error:
        return "error", type(error).__name__


@pytest.mark.parametrize("seed", daily.seeds("tensor programs", 30, 600))
def test_same_or_refused(seed):
    text = Writer(seed).program()
    function, static = compiled(text), paddle.jit.to_static(compiled(text))
    for inputs in INPUTS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected, actual = run(function, inputs), run(static, inputs)
        if actual[0] != "refused":
            assert actual[0] == expected[0], (text, inputs, expected, actual)
            if expected[0] == "value":
                np.testing.assert_allclose(actual[1], expected[1], 1e-3, 1e-3, err_msg=f"{text}{inputs}")


def test_few_are_refused():
    texts = [Writer(seed).program() for seed in daily.seeds("refused tensor programs", 30, 300)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kinds = [run(paddle.jit.to_static(compiled(text)), INPUTS[0])[0] for text in texts]
    assert kinds.count("refused") <= len(kinds) / 10
