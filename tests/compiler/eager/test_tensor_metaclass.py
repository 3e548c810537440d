"""``paddle.Tensor`` is the class of tensors, and of those of a Program."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle


def test_the_type_of_a_tensor():
    x = paddle.to_tensor([1.0, 2.0])
    assert type(x) is paddle.Tensor
    assert isinstance(x, paddle.Tensor) and isinstance(paddle.nn.Linear(2, 2).weight, paddle.Tensor)
    assert not isinstance(x.numpy(), paddle.Tensor) and not isinstance(x, paddle.nn.parameter.Parameter)
    assert issubclass(type(paddle.nn.Linear(2, 2).weight), paddle.Tensor)
    np.testing.assert_array_equal(paddle.Tensor.numpy(x), [1, 2])
    assert paddle.Tensor.item(x, 1) == 2.0
    assert paddle.Tensor.element_size(x) == 4
    assert paddle.Tensor.logsumexp(x).shape == []
    assert callable(paddle.Tensor.kthvalue)
    with pytest.raises(AttributeError, match="type object 'Tensor' has no attribute 'nothing'"):
        paddle.Tensor.nothing


def test_tensors_of_a_program_are_tensors():
    seen = []

    @paddle.jit.to_static
    def f(x):
        seen.append((isinstance(x, paddle.Tensor), type(x) is paddle.Tensor, isinstance(x.shape[0], paddle.Tensor)))
        return x * 2 if isinstance(x, paddle.Tensor) else x

    np.testing.assert_array_equal(f(paddle.to_tensor([1.0, 2.0])).numpy(), [2, 4])
    assert seen == [(True, True, False)]
    paddle.enable_static()
    try:
        assert isinstance(paddle.static.data("of_a_program", [1]), paddle.Tensor)
    finally:
        paddle.disable_static()


def test_what_users_add_all_tensors_have():
    paddle.Tensor.twice = lambda self: self * 2
    try:
        x = paddle.to_tensor([1.0, 2.0])
        static = paddle.jit.to_static(lambda x: x.twice())
        np.testing.assert_array_equal(x.twice().numpy(), [2, 4])
        np.testing.assert_array_equal(static(x).numpy(), [2, 4])
    finally:
        del paddle.Tensor.twice
    assert not hasattr(x, "twice")
