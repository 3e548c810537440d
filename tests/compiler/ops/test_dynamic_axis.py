"""An axis given as a tensor: known at once in dynamic mode, and in a Program only when it runs."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import DTypeError, ShapeError

X = np.arange(24, dtype="float32").reshape(2, 4, 3) - 7
CALLS = {
    "concat": lambda x, a: paddle.concat([x, x * 2], axis=a),
    "split": lambda x, a: paddle.split(x[:, :2, :2], 2, axis=a),
    "chunk": lambda x, a: paddle.chunk(x[:, :2, :2], 2, axis=a),
    "gather": lambda x, a: paddle.gather(x, paddle.to_tensor([1, 0]), axis=a),
    "index_select": lambda x, a: paddle.index_select(x, paddle.to_tensor([1]), axis=a),
    "unsqueeze": lambda x, a: paddle.unsqueeze(x, a),
    "cumsum": lambda x, a: paddle.cumsum(x, axis=a),
    "argmax": lambda x, a: paddle.argmax(x, axis=a),
    "sum": lambda x, a: paddle.sum(x, axis=a, keepdim=True),
    "mean": lambda x, a: paddle.mean(x, axis=a),
    "max": lambda x, a: paddle.max(x, axis=a),
    "all": lambda x, a: paddle.all(x > 0, axis=a),
    "logsumexp": lambda x, a: paddle.logsumexp(x, axis=a),
    "prod": lambda x, a: paddle.prod(x / 9, axis=a),
    "softmax": lambda x, a: paddle.nn.functional.softmax(x, axis=a),
    "log_softmax": lambda x, a: paddle.nn.functional.log_softmax(x, axis=a),
}


def _arrays(found):
    return [t.numpy() for t in (found if isinstance(found, (list, tuple)) else [found])]


@pytest.mark.parametrize("name", CALLS)
def test_each_axis(name):
    call = CALLS[name]
    static = paddle.jit.to_static(call)
    for axis in (0, 2, -1, -3):
        x = paddle.to_tensor(X)
        expected = _arrays(call(x, axis))
        for given in (paddle.to_tensor(axis), paddle.to_tensor([axis], dtype="int32")):
            for function in (call, static):
                for a, b in zip(expected, _arrays(function(x, given)), strict=True):
                    np.testing.assert_array_equal(a, b)


def test_gradients():
    call = lambda x, a: paddle.concat([x.sum(a, keepdim=True), x.cumsum(a)], axis=a)
    static = paddle.jit.to_static(call)
    for axis in (0, 1, -1):
        found = []
        for function in (call, static):
            x = paddle.to_tensor(X, stop_gradient=False)
            result = function(x, paddle.to_tensor(axis))
            (result * result).sum().backward()
            found.append(x.grad.numpy())
        np.testing.assert_allclose(*found, rtol=1e-6)


def test_a_constant_of_the_program_is_known():
    static = paddle.jit.to_static(lambda x: (x.sum(paddle.to_tensor(1)), paddle.concat([x, x], paddle.to_tensor([2]))))
    total, joined = static(paddle.to_tensor(X))
    assert (total.shape, joined.shape) == ([2, 3], [2, 4, 6])
    assert "cond" not in str(static.concrete_program.main_program)


def test_what_is_no_axis():
    static = paddle.jit.to_static(lambda x, a: paddle.concat([x, x], axis=a))
    x = paddle.to_tensor(X)
    with pytest.raises(ShapeError, match="concat: axis 3 is out of range for a tensor of 3 dimensions"):
        static(x, paddle.to_tensor(3))
    for wrong in (paddle.to_tensor(1.0), paddle.to_tensor([0, 1])):
        with pytest.raises(DTypeError, match="concat: axis must be an integer"):
            static(x, wrong)
        with pytest.raises(DTypeError, match="concat: axis must be an integer"):
            paddle.concat([x, x], axis=wrong)
