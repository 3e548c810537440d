"""Shapes that mix numbers and tensors, with unknown dimensions: reshape, flatten, squeeze, transpose."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend
from to_static.core.errors import DTypeError, RankError, ShapeError

X = np.arange(24, dtype="float32").reshape(2, 3, 4)


def build(function, shape=(None, 3, 4)):
    """The result's inferred shape, and the array for X."""
    builder = Builder()
    with mode.use(builder):
        result = function(builder.feed(spec_from(shape), "x"))
    program = builder.finish([result])
    [array] = interpret(program, [X], backend.NUMPY)
    assert result.spec.accepts(result.spec.with_shape(array.shape))
    return result.spec.shape, array


@pytest.mark.parametrize(
    ("function", "shape", "value"),
    [
        (lambda x: x.reshape([x.shape[0], -1]), (-1, 12), (2, 12)),
        (lambda x: x.reshape([0, 12]), (-1, 12), (2, 12)),
        (lambda x: x.reshape([-1, 12]), (-1, 12), (2, 12)),
        (lambda x: x.reshape([x.shape[0] * 3, 4]), (-1, 4), (6, 4)),
        (lambda x: x.reshape([-1, x.shape[0]]), (-1, -1), (12, 2)),
        (lambda x: x.reshape(paddle.shape(x)[:2].tolist() if not mode.building() else [2, -1]), (2, -1), (2, 12)),
        (lambda x: x.reshape(paddle.shape(x)), (-1, -1, -1), (2, 3, 4)),
        (lambda x: x.flatten(), (-1,), (24,)),
        (lambda x: x.flatten(1), (-1, 12), (2, 12)),
        (lambda x: x.flatten(0, 1), (-1, 4), (6, 4)),
        (lambda x: x.transpose([2, 0, 1]).flatten(1), (4, -1), (4, 6)),
        (lambda x: x.unsqueeze(0).flatten(0, 1), (-1, 3, 4), (2, 3, 4)),
        (lambda x: paddle.expand(x.unsqueeze(0), [5, x.shape[0], -1, 4]), (5, -1, 3, 4), (5, 2, 3, 4)),
        (lambda x: paddle.expand(x[:1], [x.shape[0], 3, 4]), (-1, 3, 4), (2, 3, 4)),
        (lambda x: paddle.tile(x, [1, x.shape[0], 2]), (-1, -1, 8), (2, 6, 8)),
        (lambda x: paddle.zeros([x.shape[0], 2]), (-1, 2), (2, 2)),
        (lambda x: paddle.arange(x.shape[0] + 1), (-1,), (3,)),
        (lambda x: paddle.rand([x.shape[0]]), (-1,), (2,)),
        (lambda x: paddle.concat([x, x]), (-1, 3, 4), (4, 3, 4)),
        (lambda x: paddle.split(x, 2)[0], (-1, 3, 4), (1, 3, 4)),
        (lambda x: paddle.split(x, [1, -1])[1], (-1, 3, 4), (1, 3, 4)),
        (lambda x: paddle.stack([x, x], 1), (-1, 2, 3, 4), (2, 2, 3, 4)),
        (lambda x: x.mean(0) * x.shape[0], (3, 4), (3, 4)),
        (lambda x: paddle.var(x, 0), (3, 4), (3, 4)),
        (lambda x: paddle.einsum("bij,bkj->bik", x, x), (-1, 3, 3), (2, 3, 3)),
        (lambda x: paddle.full([2], x.shape[0]), (2,), (2,)),
    ],
)
def test_unknown_dimensions(function, shape, value):
    inferred, array = build(function)
    assert inferred == shape
    assert array.shape == value


def test_numbers_come_out_right_with_unknown_dimensions():
    np.testing.assert_array_equal(build(lambda x: x.reshape([x.shape[0] * 3, 4]))[1], X.reshape(6, 4))
    np.testing.assert_array_equal(build(lambda x: paddle.tile(x, [x.shape[0], 1, 1]))[1], np.tile(X, (2, 1, 1)))
    np.testing.assert_allclose(build(lambda x: paddle.var(x, 0))[1], X.var(0, ddof=1))
    np.testing.assert_array_equal(build(lambda x: paddle.numel(x))[1], 24)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: x.reshape([5, 5]), ShapeError, r"24 elements of \[2, 3, 4\] do not fill \[5, 5\]"),
        (lambda x: x.reshape([-1, -1]), ShapeError, "at most one -1"),
        (lambda x: x.reshape([-1, 5]), ShapeError, "do not fill"),
        (lambda x: x.reshape([2, 3, 4, 0]), ShapeError, "0 at position 3"),
        (lambda x: x.reshape([2.5, 4]), DTypeError, "must be an integer"),
        (lambda x: x.transpose([0, 1]), ShapeError, "no permutation"),
        (lambda x: x.transpose([0, 1, 5]), ShapeError, "out of range"),
        (lambda x: x.unsqueeze(7), ShapeError, "out of range"),
        (lambda x: x.flatten(2, 1), ShapeError, "comes after"),
        (lambda x: x.t(), ShapeError, "at most 2"),
        (lambda x: paddle.moveaxis(x, [0, 1], [0]), ShapeError, "as many"),
        (lambda x: paddle.expand(x, [2, 3, 5]), ShapeError, "does not broadcast"),
        (lambda x: paddle.tile(x, [-1]), ShapeError, "negative"),
        (lambda x: paddle.concat([x, x[0]]), ShapeError, "rank"),
        (lambda x: paddle.concat([x, x.astype("int64")]), DTypeError, "int64"),
        (lambda x: paddle.concat([]), ShapeError, "at least one"),
        (lambda x: paddle.concat([x.sum(), x.sum()]), ShapeError, "use stack"),
        (lambda x: paddle.stack([x, x[:1]]), ShapeError, "differ"),
        (lambda x: paddle.split(x, 5), ShapeError, "does not divide"),
        (lambda x: paddle.split(x, [1, 2]), ShapeError, "add up"),
        (lambda x: x.unstack(num=3), ShapeError, "num is 3"),
        (lambda x: paddle.zeros([-2]), ShapeError, "negative"),
    ],
)
def test_refusals_say_what_is_wrong(call, error, text):
    with pytest.raises(error, match=text):
        call(paddle.to_tensor(X))


def test_squeeze_keeps_what_is_not_one():
    x = paddle.ones([1, 2, 1])
    assert x.squeeze([0, 1]).shape == [2, 1]
    assert x.squeeze().shape == [2]
    builder = Builder()
    with mode.use(builder):
        y = builder.feed(spec_from([None, 2]), "y").squeeze(0)
    program = builder.finish([y])
    assert y.spec.shape == (2,)
    with pytest.raises(RankError, match="dimension 0 is 3, not 1"):
        interpret(program, [np.ones((3, 2), "float32")], backend.NUMPY)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_several_axes_in_a_tensor(dtype):
    axes = paddle.to_tensor([0, -1], dtype)
    assert paddle.zeros([1, 2, 1]).squeeze(axes).shape == [2]
    assert paddle.sum(paddle.zeros([1, 2, 3]), axes).shape == [2]
    assert paddle.zeros([2]).unsqueeze(axes).shape == [1, 2, 1]


@pytest.mark.parametrize("name", ["concat", "stack"])
def test_tensors_that_are_no_list(name):
    x = paddle.ones([2, 3])
    with pytest.raises(TypeError) as caught:
        getattr(paddle, name)(x, x)
    text = f"{name}: x must be a list or tuple of tensors, `paddle.{name}([a, b])`, got one Tensor of shape [2, 3]"
    assert str(caught.value).startswith(text)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_slices_that_are_unstacked_share_no_memory(axis):
    x = paddle.to_tensor(np.arange(6.0).reshape(2, 3), stop_gradient=False)
    parts = paddle.unstack(x, axis)
    for part, expected in zip(parts, np.moveaxis(x.numpy(), axis, 0), strict=True):
        np.testing.assert_array_equal(part.numpy(), expected)
    assert paddle.grad(parts[1].sum(), [x], retain_graph=True)[0].sum().item() == parts[1].size
    with paddle.no_grad():
        part = paddle.unstack(x, axis)[0]
        part.fill_(9.0)
    assert x.max().item() == 5


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_elements_repeat_alike_in_both_modes(axis):
    x = paddle.to_tensor(np.arange(6.0).reshape(2, 3), stop_gradient=False)
    weights = paddle.to_tensor(np.random.default_rng(0).normal(size=np.repeat(x.numpy(), 3, axis).shape))
    static = paddle.jit.to_static(lambda x: (paddle.repeat_interleave(x, 3, axis) * weights).sum(), full_graph=True)
    y = paddle.repeat_interleave(x, 3, axis)
    np.testing.assert_array_equal(y.numpy(), np.repeat(x.numpy(), 3, axis))
    np.testing.assert_array_equal(paddle.grad((y * weights).sum(), [x])[0].numpy(), paddle.grad(static(x), [x])[0].numpy())


@pytest.mark.parametrize("shape", [[None, 0], [3, 0], [0, 3]])
@pytest.mark.parametrize("axis", [0, 1])
def test_elements_of_an_empty_tensor_repeat_with_a_gradient(shape, axis):
    spec = [paddle.static.InputSpec(shape, stop_gradient=False)]
    static = paddle.jit.to_static(lambda x: paddle.repeat_interleave(x, 2, axis).sum(), input_spec=spec, full_graph=True)
    x = paddle.to_tensor(np.zeros([3 if size is None else size for size in shape], "float32"), stop_gradient=False)
    assert paddle.grad(static(x), [x])[0].shape == paddle.grad(paddle.repeat_interleave(x, 2, axis).sum(), [x])[0].shape == x.shape


def test_a_whole_number_of_numpy_is_a_dimension():
    x = paddle.arange(6)
    assert paddle.reshape(x, [np.float64(2.0), np.int32(3)]).shape == [2, 3]
    for size in (2.0, np.float64(1.5)):
        with pytest.raises(TypeError, match="must be an integer"):
            paddle.reshape(x, [size, -1])
