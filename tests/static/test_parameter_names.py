"""Names of parameters: one of each in a Program, as many as one likes in several."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ShapeError


def _net(x, size=3):
    return paddle.nn.Linear(2, size, weight_attr=paddle.ParamAttr(name="w"), bias_attr=False)(x)


def test_two_programs_may_have_parameters_of_one_name(static):
    found = []
    for fill in (1.0, 2.0):
        main = static.Program()
        with static.program_guard(main):
            y = _net(static.data("x", [1, 2]))
        [w] = main.all_parameters()
        assert w.name == "w"
        w.set_value(np.full((2, 3), fill, "float32"))
        found.append((main, y))
    for fill, (main, y) in zip((1.0, 2.0), found, strict=True):
        [value] = static.Executor().run(main, feed={"x": np.ones((1, 2), "float32")}, fetch_list=[y])
        np.testing.assert_array_equal(value, np.full((1, 3), 2 * fill))


def test_in_one_program_a_name_is_one_parameter(static):
    x = static.data("x", [1, 2])
    y = _net(x) - _net(x)
    [value] = static.Executor().run(feed={"x": np.ones((1, 2), "float32")}, fetch_list=[y])
    np.testing.assert_array_equal(value, np.zeros((1, 3)))
    assert len(static.default_main_program().all_parameters()) == 1
    with pytest.raises(ShapeError, match=r"parameter 'w' of this Program has shape \[2, 3\], got \[2, 4\]"):
        _net(x, 4)


def test_in_dynamic_mode_names_differ_until_the_mode_changes():
    with paddle.utils.unique_name.guard():
        first = _net
        first(paddle.ones([1, 2]))
        with pytest.raises(ValueError, match="already named 'w'"):
            first(paddle.ones([1, 2]))
        assert paddle.nn.Linear(2, 2).full_name() == "linear_2"
        paddle.enable_static()
        paddle.disable_static()
        first(paddle.ones([1, 2]))
        assert paddle.nn.Linear(2, 2).full_name() == "linear_1"


def test_an_optimizer_refuses_two_parameters_of_one_name():
    made = []
    for _ in range(2):
        with paddle.utils.unique_name.guard():
            made += paddle.nn.Linear(2, 2).parameters()
    with pytest.raises(ValueError, match="two parameters are named 'linear_0.w_0'"):
        paddle.optimizer.SGD(parameters=made)
