"""`ParamAttr`: what layers accept in its place."""

import numpy as np
import pytest

import to_static as paddle

ParamAttr = paddle.ParamAttr


def test_what_programs_ask_of_an_attribute():  # as PaddlePaddle 2.6.2 answers
    kept, filled = ParamAttr(name="q"), paddle.nn.initializer.Constant(1.0)
    assert ParamAttr._to_attr(kept) is kept and ParamAttr._to_attr(False) is False
    assert [ParamAttr._to_attr(x).name for x in (None, True, "w")] == [None, None, "w"]
    assert ParamAttr._to_attr(filled).initializer is filled
    assert [attr.name for attr in ParamAttr._to_attr([None, "b"])] == [None, "b"]


def test_the_package_is_in_itself():
    assert paddle.paddle is paddle


@pytest.mark.parametrize("size", ["3", 3.0, [3], None, True])
def test_sizes_are_integers(size):
    with pytest.raises(TypeError, match=r"a parameter of linear_\d+ needs dimensions that are integers, got .* in "):
        paddle.nn.Linear(size, 4)
    assert paddle.nn.Linear(np.int64(3), 4).weight.shape == [3, 4]
