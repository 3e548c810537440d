"""Limits of dtypes; the texts are those of PaddlePaddle 2.6.2."""

import pytest

import to_static as paddle
from to_static.core.errors import DTypeError


def test_limits_of_integers():
    assert repr(paddle.iinfo("int8")) == "paddle.iinfo(min=-128, max=127, bits=8, dtype=int8)"
    with pytest.raises(DTypeError, match="iinfo: expected an integer dtype, got float32"):
        paddle.iinfo(paddle.float32)


def test_limits_of_floats():
    text = "min=-3.40282e+38, max=3.40282e+38, eps=1.19209e-07, resolution=1e-06, smallest_normal=1.17549e-38, tiny=1.17549e-38"
    assert repr(paddle.finfo(paddle.float32)) == f"paddle.finfo({text}, bits=32, dtype=float32)"
    assert paddle.finfo("complex64").max == paddle.finfo("float32").max
    with pytest.raises(DTypeError, match="finfo"):
        paddle.finfo("int8")


def test_flags_of_paddle_are_remembered():
    assert paddle.get_flags("FLAGS_check_nan_inf") == {"FLAGS_check_nan_inf": False}
    paddle.set_flags({"FLAGS_something_else": 3})
    assert paddle.get_flags(["FLAGS_something_else"]) == {"FLAGS_something_else": 3}


def test_batches_of_a_reader():
    reader = paddle.batch(lambda: iter(range(5)), 2)
    assert list(reader()) == list(reader()) == [[0, 1], [2, 3], [4]]
    assert list(paddle.batch(lambda: iter(range(5)), 2, drop_last=True)()) == [[0, 1], [2, 3]]
    with pytest.raises(ValueError, match="positive"):
        paddle.batch(lambda: [], 0)
