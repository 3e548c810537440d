"""``x[index]`` and ``x[index] = value`` against NumPy, in eager mode and in a Program."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import to_static as paddle
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend

X = np.arange(60, dtype="float32").reshape(3, 4, 5)


def static(function, *arrays, unknown=False):
    """Run a function of tensors as a Program."""
    builder = Builder()
    with mode.use(builder):
        specs = [spec_of(a).with_shape([-1] * a.ndim) if unknown else spec_of(a) for a in arrays]
        result = function(*[builder.feed(s, f"x{i}") for i, s in enumerate(specs)])
    program = builder.finish([result])
    [array] = interpret(program, list(arrays), backend.NUMPY)
    assert result.spec.accepts(spec_of(array)), (str(result.spec), spec_of(array))
    return array


def dimension(size):
    """One item of a basic index for a dimension."""
    bound = st.one_of(st.none(), st.integers(-size - 2, size + 2))
    step = st.one_of(st.none(), st.integers(-3, 3).filter(bool))
    return st.one_of(st.integers(-size, size - 1), st.builds(slice, bound, bound, step))


@st.composite
def basic_index(draw):
    items = [draw(dimension(n)) for n in X.shape[: draw(st.integers(0, 3))]]
    for _ in range(draw(st.integers(0, 2))):
        items.insert(draw(st.integers(0, len(items))), None)
    if draw(st.booleans()):
        items.append(Ellipsis)
    return tuple(items)


@st.composite
def array_index(draw):
    """Array indices with slices around them (no integers, whose place in NumPy differs)."""
    shape = draw(st.sampled_from([(), (2,), (2, 1), (1, 3)]))[-2:]
    items = []
    for n in X.shape[: draw(st.integers(1, 3))]:
        kind = draw(st.sampled_from(["array", "slice", "array"]))
        if kind == "slice":
            items.append(draw(dimension(n).filter(lambda i: isinstance(i, slice))))
        else:
            count = int(np.prod(shape or (1,)))
            values = draw(st.lists(st.integers(-n, n - 1), min_size=count, max_size=count))
            items.append(np.asarray(values).reshape(shape or (1,)))
    return tuple(items)


@given(basic_index())
def test_basic_reads(index):
    expected = X[index]
    result = paddle.to_tensor(X)[index]
    assert result.shape == list(expected.shape)
    np.testing.assert_array_equal(result.numpy(), expected)
    for unknown in (False, True):
        np.testing.assert_array_equal(static(lambda x: x[index], X, unknown=unknown), expected)


@given(array_index())
def test_array_reads(index):
    expected = X[index]
    np.testing.assert_array_equal(paddle.to_tensor(X)[index].numpy(), expected)
    tensors = tuple(paddle.to_tensor(i) if isinstance(i, np.ndarray) else i for i in index)
    np.testing.assert_array_equal(paddle.to_tensor(X)[tensors].numpy(), expected)
    np.testing.assert_array_equal(static(lambda x: x[index], X, unknown=True), expected)


@given(st.one_of(basic_index(), array_index()), st.booleans())
def test_writes(index, whole):
    expected = X.copy()
    value = (
        np.asarray(-1.0, "float32")
        if whole
        else (np.arange(X[index].size, dtype="float32") + 100).reshape(X[index].shape)
    )
    if any(isinstance(i, np.ndarray) for i in index) and not whole:
        value = value.reshape(-1)[:1].reshape(()) if value.size else value  # repeated positions: any order may win
    expected[index] = value
    x = paddle.to_tensor(X)
    x[index] = value
    np.testing.assert_array_equal(x.numpy(), expected)

    def write(x):
        x[index] = value
        return x

    for unknown in (False, True):
        np.testing.assert_array_equal(static(write, X, unknown=unknown), expected)


MASKS = [
    np.asarray([True, False, True]),
    X[:, :, 0] % 2 == 0,
    X % 3 == 0,
    np.zeros(X.shape, bool),
]


@pytest.mark.parametrize("mask", MASKS)
def test_masks(mask):
    x = paddle.to_tensor(X)
    np.testing.assert_array_equal(x[mask].numpy(), X[mask])
    np.testing.assert_array_equal(x[paddle.to_tensor(mask)].numpy(), X[mask])
    np.testing.assert_array_equal(static(lambda x, m: x[m], X, mask), X[mask])
    for value in (np.float32(7), X[mask] * 2):
        expected = X.copy()
        expected[mask] = value
        y = paddle.to_tensor(X)
        y[paddle.to_tensor(mask)] = value

        def write(x, m, value=value):
            x[m] = value
            return x

        np.testing.assert_array_equal(y.numpy(), expected)
        np.testing.assert_array_equal(static(write, X, mask), expected)


def test_a_mask_beside_slices_and_new_dimensions():
    mask = np.asarray([True, False, True, True])
    np.testing.assert_array_equal(paddle.to_tensor(X)[1:, mask].numpy(), X[1:, mask])
    np.testing.assert_array_equal(paddle.to_tensor(X)[None, :, mask, ::2].numpy(), X[None, :, mask, ::2])
    np.testing.assert_array_equal(paddle.to_tensor(X)[True].numpy(), X[True])
    np.testing.assert_array_equal(paddle.to_tensor(X)[False].numpy(), X[False])


def test_integers_beside_arrays_are_cut_first_as_in_paddle():
    assert paddle.to_tensor(X)[0, :, [0, 2]].shape == [4, 2]
    np.testing.assert_array_equal(paddle.to_tensor(X)[0, :, [0, 2]].numpy(), X[0][:, [0, 2]])


def test_tensors_as_bounds_and_positions():
    two = paddle.to_tensor(2)
    assert (paddle.to_tensor(X)[two].numpy() == X[2]).all()
    assert (paddle.to_tensor(X)[:two, two].numpy() == X[:2, 2]).all()
    i = np.asarray(-2)
    np.testing.assert_array_equal(static(lambda x, i: x[i, i:], X, i), X[-2, -2:])
    np.testing.assert_array_equal(static(lambda x, i: x[:, i + 3 : 3], X, i), X[:, 1:3])

    def write(x, i):
        x[i, :, i:] = 5.0
        return x

    expected = X.copy()
    expected[-2, :, -2:] = 5
    np.testing.assert_array_equal(static(write, X, i), expected)


def test_symbolic_shapes_index():
    builder = Builder()
    with mode.use(builder):
        x = builder.feed(spec_from([None, 4, 5]), "x")
        y = x[: x.shape[0] - 1]
        z = x[: x.shape[0]]
        assert z.spec.shape == (-1, 4, 5)
    program = builder.finish([y, z])
    a, b = interpret(program, [X], backend.NUMPY)
    assert a.shape == (2, 4, 5)
    assert b.shape == (3, 4, 5)


@pytest.mark.parametrize(
    ("index", "error"),
    [
        (3, IndexError), (-4, IndexError), ((0, 0, 0, 0), IndexError), ((..., ...), IndexError), (1.5, TypeError), ("a", TypeError),
        (slice(None, None, 0), ValueError), (np.asarray([True, False]), IndexError), (np.asarray([0.5]), IndexError),
        ([7], IndexError), (slice(0.5, None), TypeError),
    ],
)  # fmt: skip
def test_wrong_indices_are_refused(index, error):
    x = paddle.to_tensor(X)
    with pytest.raises(error):
        x[index]
    with pytest.raises(error):
        x[index] = 0.0


def test_values_that_do_not_fit_are_refused():
    x = paddle.to_tensor(X)
    for index, value in ((0, np.ones(3)), (slice(0, 2), np.ones((3, 4, 5))), ([0, 1], np.ones((3, 4, 5)))):
        with pytest.raises(ValueError, match=r"does not fit|do not broadcast"):
            x[index] = value


def test_written_values_take_the_dtype_and_pass_gradients():
    x = paddle.to_tensor([1, 2, 3])
    x[1] = 9.7
    assert x.numpy().tolist() == [1, 9, 3]
    w = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    v = paddle.to_tensor([5.0], stop_gradient=False)
    y = w * 2
    y[1:2] = v * 3
    (y * y).sum().backward()
    assert w.grad.numpy().tolist() == [8.0, 0.0, 24.0]
    assert v.grad.numpy().tolist() == [90.0]


def test_repeated_indices_add_their_gradients():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    x[[0, 0, 1]].sum().backward()
    assert x.grad.numpy().tolist() == [2.0, 1.0]


def test_an_index_that_is_remembered_is_not_taken_for_another():
    x = paddle.arange(6, dtype="float32").reshape([2, 3])
    for _ in range(2):
        assert x[1].tolist() == [3, 4, 5] and x[True].shape == [1, 2, 3] and x[np.int64(1)].tolist() == [3, 4, 5]
        assert x[0:2].shape == [2, 3] and x[0, 2].item() == 2 and x[[0, 1], :].shape == [2, 3]
        assert x[None].shape == x[None, ...].shape == [1, 2, 3] and x[..., None].shape == [2, 3, 1]
        assert x[..., ::-1][0].tolist() == [2, 1, 0] and x[:, None, 1:].shape == [2, 1, 2] and x[:].shape == [2, 3]
        assert x[paddle.to_tensor(1)].tolist() == [3, 4, 5] and x[1, 0:1].tolist() == [3]
        with pytest.raises(TypeError):
            x[0.0:2]
        with pytest.raises(TypeError):
            x[1.0]
        with pytest.raises(IndexError, match="index 2 is out of bounds for axis 0"):
            x[2]
        with pytest.raises(IndexError, match="too many indices"):
            x[0, 0, 0]
        with pytest.raises(IndexError, match="single ellipsis"):
            x[..., ...]
        with pytest.raises(ValueError, match="step cannot be zero"):
            x[::0]


def test_gather_takes_the_only_item_of_a_tuple():
    x = paddle.to_tensor([3, 0, 5])
    assert paddle.gather(x, paddle.nonzero(x, as_tuple=True)).flatten().tolist() == [3, 5]
