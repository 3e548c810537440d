"""Indices of ints and slices give what the way of all tensors does: numbers, views, errors, gradients; so do writes."""

import itertools
import operator

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ops import functions as F

ITEMS = [
    0, -1, 2, 3, 7, -5, slice(None), slice(1, 3), slice(None, None, -1), slice(5, 2), slice(-2, None), slice(None, None, 2),
    slice(0, 9), slice(2, None, -2), slice(None, None, 0), slice(1, None, 1 << 40), True, None, ..., np.int64(1),
]  # fmt: skip
INDICES = [
    *ITEMS, (), *((item,) for item in ITEMS), *itertools.product(ITEMS, ITEMS), (0, 1, 2), (slice(None), 1, -1, 2), (..., 0, ...),
]  # fmt: skip


def outcome(function, *operands):
    """The numbers, or the error."""
    try:
        y = function(*operands)
    except Exception as error:
        return type(error), str(error).split("\n")[0]
    return y.shape, y.dtype, y.stop_gradient, y.numpy().tobytes()


@pytest.mark.parametrize("shape", [(4,), (4, 3), (4, 3, 2), (0, 3), ()])
def test_reading(shape):
    x = paddle.to_tensor(np.arange(np.prod(shape), dtype="float32").reshape(shape))
    for index in INDICES:
        for wanted in (True, False):
            x.stop_gradient = wanted
            assert outcome(operator.getitem, x, index) == outcome(F.getitem, x, index), index


IDS = [np.array([1, 0, -1]), np.array([[0, 2], [2, 1]], "int32"), np.array([9]), np.array([], "int64"), np.array(1)]


@pytest.mark.parametrize("shape", [(4,), (4, 3), (4, 3, 2), (0, 3), ()])
def test_reading_by_tensors(shape):
    numbers = np.arange(np.prod(shape), dtype="float32").reshape(shape)
    picks = [paddle.to_tensor(ids) for ids in [*IDS, numbers > 2, numbers.any(-1) if shape else numbers > 0]]
    parts = [*ITEMS[:12], *picks]
    pairs = [*itertools.product(parts, picks), *itertools.product(picks, parts)]
    indices = [*picks, *pairs, (picks[0], 0, picks[1]), (0, slice(1, 2), picks[0])]

    def gradient(function, x, index):
        y = function(x, index)
        weights = paddle.arange(y.size, dtype="float32").reshape(y.shape)
        return paddle.grad((y * weights).sum(), x)[0] if y.size else y

    for index in indices:
        x = paddle.to_tensor(numbers)
        assert outcome(operator.getitem, x, index) == outcome(F.getitem, x, index), index
        x.stop_gradient = False
        assert outcome(operator.getitem, x, index) == outcome(F.getitem, x, index), index
        assert outcome(gradient, operator.getitem, x, index) == outcome(gradient, F.getitem, x, index), index


VALUES = [
    1.5, -2, True, 2j, lambda: paddle.ones([]), lambda: paddle.ones([1, 1, 1]), lambda: paddle.ones([2], "int64"), np.float64(3),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "uint8"])
@pytest.mark.parametrize("shape", [(4,), (4, 3), ()])
def test_writing(shape, dtype):
    numbers = (np.arange(np.prod(shape)).reshape(shape) % 2).astype(dtype)

    def written(change, index, value):
        x = paddle.to_tensor(numbers)
        before, seen = x.numpy(), x[...]
        change(x, index, value() if callable(value) else value)
        assert x.inplace_version == 1 and (before == numbers).all() and (seen.numpy() == x.numpy()).all()
        return x

    def general(x, index, value):
        x._change(F.setitem, index, value)

    for index in INDICES:
        for value in VALUES[:: 1 if len(shape) < 2 else 3]:
            expected = outcome(written, general, index, value)
            assert outcome(written, operator.setitem, index, value) == expected, (index, value)


@pytest.mark.parametrize("shape", [(4,), (4, 3), (4, 3, 2), (0, 3), ()])
def test_writing_by_tensors(shape):
    numbers = np.arange(np.prod(shape), dtype="float32").reshape(shape)
    picks = [paddle.to_tensor(ids) for ids in [*IDS, numbers > 2, numbers.any(-1) if shape else numbers > 0]]
    parts = [*ITEMS[:12], *picks]
    pairs = [*itertools.product(parts, picks), *itertools.product(picks, parts)]
    values = [1.5, paddle.to_tensor([7.0]), paddle.to_tensor([[8.0, 9.0, 10.0]]), paddle.ones([3, 2])]

    def written(change, index, value):
        x = paddle.to_tensor(numbers)
        before, view = x.numpy(), x[...]
        change(x, index, value)
        assert x.inplace_version == 1 and (before == numbers).all() and (view.numpy() == x.numpy()).all()
        return x

    def general(x, index, value):
        x._change(F.setitem, index, value)

    for index in [*picks, *pairs, (picks[0], 0, picks[1]), (0, slice(0, 2), picks[0])]:
        for value in values:
            assert outcome(written, operator.setitem, index, value) == outcome(written, general, index, value), (index, value)


def test_a_tensor_that_indexes_itself_is_read_before_it_is_written():
    x = paddle.to_tensor([2, 0, 1, 3])
    x[x] = paddle.to_tensor([10, 11, 12, 13])
    assert x.tolist() == [11, 12, 10, 13]
    y = paddle.to_tensor([[2, 0], [1, 3]])
    flat = y.reshape([-1])
    flat[y[0]] = 9
    assert flat.tolist() == [9, 0, 9, 3] and y.tolist() == [[9, 0], [9, 3]]


def test_a_value_that_does_not_fit_changes_nothing():
    x = paddle.zeros([4, 3])
    for index, value in ((slice(0, 2), paddle.ones([4])), (9, 1.0), ((0, 5), 1.0), ((0, 0, 0), 1.0)):
        with pytest.raises((ValueError, IndexError)):
            x[index] = value
    assert not x.numpy().any()


@pytest.mark.parametrize("index", [1, (0, 2), (slice(1, 3), 1), slice(None, None, -2), (slice(2, None, -1), -1), (-1, slice(0, 2))])
def test_gradients(index):
    w = paddle.to_tensor(np.arange(12, dtype="float32").reshape(4, 3), stop_gradient=False)
    (first,) = paddle.grad((w[index] ** 3).sum(), w, create_graph=True)
    (second,) = paddle.grad(first.sum(), w)
    expected = np.zeros((4, 3), "float32")
    expected[index] = w.numpy()[index]
    assert first.numpy().tolist() == (3 * expected**2).tolist() and second.numpy().tolist() == (6 * expected).tolist()
    with paddle.no_grad():
        assert w[index].stop_gradient
    packed = []
    with paddle.autograd.saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t):
        w[index].sum().backward()
    assert packed and w.grad.numpy()[index].all()


def test_what_was_recorded_stays_when_its_tensor_is_written_to():
    w = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    x = w * 1.0
    square = x[1] * x[1]
    x[1] = 5.0
    (square + x[1] + x[0] * 2).backward()
    assert w.grad.numpy().tolist() == [2.0, 4.0, 0.0]


def test_views_and_their_tensor_see_writes():
    x = paddle.zeros([3, 2])
    row, element, column = x[1], x[1, 0], x[:, 0]
    x[1, 0] = 7.0
    assert row.tolist() == [7.0, 0.0] and element.item() == 7.0 and column.tolist() == [0.0, 7.0, 0.0]
    row[0] = 8.0
    column[2] = 9.0
    element[...] = 4.0
    assert x.tolist() == [[0.0, 0.0], [4.0, 0.0], [9.0, 0.0]]
    kept = x.numpy()
    x[0] = x[2]
    assert x.tolist()[0] == [9.0, 0.0] and kept[0].tolist() == [0.0, 0.0]


def test_parameters_and_leaves_that_want_gradients_are_not_written_to():
    for leaf in (paddle.nn.Linear(2, 2).weight, paddle.to_tensor([1.0, 2.0], stop_gradient=False)):
        with pytest.raises(RuntimeError):
            leaf[0] = 1.0
        with paddle.no_grad():
            leaf[0] = 1.0
        assert leaf.is_leaf and not leaf.stop_gradient and (leaf.numpy()[0] == 1).all()
    w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    x = paddle.zeros([2])
    x[0] = w[1] * 3
    x.sum().backward()
    assert w.grad.tolist() == [0.0, 3.0]


def test_integers_and_tensors_of_integers_pick_what_numpy_picks():
    x = paddle.to_tensor(np.arange(60, dtype="float32").reshape(3, 4, 5))
    one, two, grid = (paddle.to_tensor(np.array(i)) for i in ([0, 2], [1, -1], [[0], [1]]))
    wrong = [(9, one), (one, 7), (one,) * 4]
    for index in ((one,), (1, two), (one, two), (one, 1, two), (grid, two), (0, 1, two), (one, two, grid), *wrong):
        for wanted in (True, False):
            x.stop_gradient = wanted
            assert outcome(operator.getitem, x, index) == outcome(F.getitem, x, index), index
        with paddle.no_grad():
            assert outcome(operator.getitem, x, index) == outcome(F.getitem, x, index), index
