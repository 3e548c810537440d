"""Checks that Paddle's functions make of their arguments while a Program is built."""

from __future__ import annotations

import pytest

import to_static as paddle
from to_static.base import data_feeder
from to_static.core.errors import ArgumentTypeError, DTypeError


def test_names_of_dtypes():
    assert [data_feeder.convert_dtype(d) for d in (paddle.int64, "bool", float)] == ["int64", "bool", "float64"]
    with pytest.raises(DTypeError):
        data_feeder.convert_dtype("no dtype")


def test_nothing_is_checked_in_dynamic_mode():
    data_feeder.check_variable_and_dtype(3, "x", ["float32"], "thing")
    data_feeder.check_shape("no shape", "thing")


def test_checked_while_a_function_is_traced():
    @paddle.jit.not_to_static
    def checked(x, kinds, shape):
        data_feeder.check_variable_and_dtype(x, "x", kinds, "thing")
        data_feeder.check_shape(shape, "thing")
        return x + 1

    def traced(kinds, shape=(1, 2)):
        return paddle.jit.to_static(lambda x: checked(x, kinds, shape), full_graph=True)(paddle.ones([1]))

    assert traced(["float32"]).tolist() == [2.0]
    with pytest.raises(DTypeError, match=r"The data type of 'x' in thing must be \['int32'\], but received float32\."):
        traced(["int32"])
    with pytest.raises(ArgumentTypeError, match=r"The type of 'shape' in thing must be .*, but received <class 'str'>\."):
        traced(["float32"], "no shape")


def test_tensors_that_share_memory_are_changed_in_a_traced_function():
    """Code of model collections writes through rows of tensors inside of this manager of Paddle's."""

    def masked(x, width):
        y = x * 2
        with paddle.base.framework._stride_in_no_check_dy2st_diff():
            for i in range(2):
                y[i, width:] = float("-inf")
        return y

    x = paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    infinite = float("-inf")
    wanted = [[2.0, infinite, infinite], [8.0, infinite, infinite]]
    assert masked(x, 1).tolist() == paddle.jit.to_static(masked, full_graph=True)(x, 1).tolist() == wanted


def test_a_variable_is_a_tensor_of_the_mode():
    x = paddle.ones([1])
    assert isinstance(x, paddle.static.Variable) and not isinstance(1, paddle.static.Variable)
    assert issubclass(type(x), paddle.static.Variable)

    @paddle.jit.not_to_static
    def look(traced):
        return traced * (2 if isinstance(traced, paddle.static.Variable) and not isinstance(x, paddle.static.Variable) else 3)

    assert paddle.jit.to_static(lambda y: look(y), full_graph=True)(paddle.ones([1])).tolist() == [2.0]
    assert look(paddle.ones([1])).tolist() == [3.0]
