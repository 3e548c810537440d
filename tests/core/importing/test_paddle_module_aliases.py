"""Functions by way of the modules that Paddle has them in."""

import pytest

import to_static as paddle


def test_names_by_way_of_inner_modules():
    assert paddle.tensor.manipulation.concat is paddle.concat
    assert paddle.tensor.math.sum is paddle.sum and paddle.tensor.abs is paddle.abs
    F = paddle.nn.functional
    assert F.common.linear is F.linear and F.pooling.max_pool2d is F.max_pool2d and F.activation.relu is F.relu
    for where in (paddle.tensor.math, F.common):
        with pytest.raises(AttributeError, match="nothing"):
            where.nothing


def test_code_that_goes_through_the_names_of_an_inner_module():
    kinds = {name.lower(): name for name in paddle.nn.layer.activation.__dict__}
    assert kinds["relu"] == "ReLU" and paddle.nn.layer.activation.__dict__[kinds["relu6"]] is paddle.nn.ReLU6


def test_static_functions_may_use_them():
    static = paddle.jit.to_static(lambda x: paddle.tensor.math.multiply(x, paddle.nn.functional.activation.relu(x)))
    assert static(paddle.to_tensor([2.0, -1.0])).tolist() == [4.0, 0.0]


def test_the_convolution_that_subclasses_call():
    x, w = paddle.rand([1, 2, 5, 5]), paddle.rand([4, 1, 3, 3])
    F = paddle.nn.functional
    found = F.conv._conv_nd(x, w, padding=[1, 1], padding_algorithm="EXPLICIT", groups=2, op_type="depthwise_conv2d")
    assert found.tolist() == F.conv2d(x, w, padding=1, groups=2).tolist()
    assert F.conv._conv_nd(x, w, padding=[0, 0], padding_algorithm="SAME", groups=2).shape == [1, 4, 5, 5]


def test_the_seed_that_tests_of_paddle_set():
    saved = paddle.static.default_main_program().random_seed
    try:
        paddle.framework.random._manual_program_seed(7)
        assert paddle.static.default_main_program().random_seed == 7 == paddle.static.default_startup_program().random_seed
    finally:
        paddle.framework.random._manual_program_seed(saved)


def test_graphs_of_programs_by_way_of_the_framework():
    assert paddle.framework.IrGraph is paddle.base.framework.IrGraph is paddle.static.ir_graph.IrGraph
