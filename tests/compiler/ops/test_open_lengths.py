"""Tensors whose InputSpec leaves dimensions open that can only be 1."""

import pytest

import to_static as paddle
from to_static.core.errors import ShapeError


def test_a_dimension_from_a_tensor_of_open_length():
    spec = [paddle.static.InputSpec([-1, -1], "float32"), paddle.static.InputSpec([-1], "int32")]
    static = paddle.jit.to_static(lambda x, n: x.expand((n, 3, 4)), input_spec=spec, full_graph=True)
    x = paddle.rand([3, 4])
    assert static(x, paddle.to_tensor([2], "int32")).shape == [2, 3, 4]
    with pytest.raises(ShapeError, match="2 elements"):
        static(x, paddle.to_tensor([2, 3], "int32"))


def test_expand_as_where_open_dimensions_must_be_one():
    static = paddle.jit.to_static(
        lambda x: x.expand_as(paddle.ones([1, 4, 3])), input_spec=[paddle.static.InputSpec([-1, -1, 1])], full_graph=True
    )
    assert static(paddle.ones([1, 1, 1])).shape == static(paddle.ones([1, 4, 1])).shape == [1, 4, 3]
    with pytest.raises(ValueError, match="broadcast"):
        static(paddle.ones([2, 4, 1]))
