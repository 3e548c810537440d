"""Sorting and searching, gathering and scattering: ties, gradients, bounds."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import DTypeError, ShapeError

T = paddle.to_tensor


def grad(function, value):
    x = T(value, stop_gradient=False)
    return paddle.grad(function(x).sum(), [x])[0].numpy().tolist()


def test_equal_elements_keep_their_order_both_ways():
    x = T([2, 1, 2, 1])
    assert paddle.argsort(x).numpy().tolist() == [1, 3, 0, 2]
    assert paddle.argsort(x, descending=True).numpy().tolist() == [0, 2, 1, 3]
    assert paddle.argsort(x.astype("float32"), descending=True).numpy().tolist() == [0, 2, 1, 3]
    assert paddle.sort(T([3, 255, 0], dtype="uint8"), descending=True).numpy().tolist() == [255, 3, 0]
    assert paddle.topk(T([1, 2, 2, 0]), 2)[1].numpy().tolist() == [1, 2]


def test_gradients_go_where_the_elements_came_from():
    assert grad(lambda x: paddle.sort(x) * T([1.0, 2.0, 3.0]), [3.0, 1.0, 2.0]) == [3, 1, 2]
    assert grad(lambda x: paddle.topk(x, 1)[0] * 5, [[3.0, 1.0], [0.0, 2.0]]) == [[5, 0], [0, 5]]
    assert grad(lambda x: paddle.gather(x, T([0, 0, 1])), [1.0, 2.0]) == [2, 1]
    assert grad(lambda x: paddle.masked_select(x, T([True, False])) * 3, [1.0, 2.0]) == [3, 0]
    assert grad(lambda x: paddle.where(x > 0, x * 2, x * 3), [1.0, -1.0]) == [2, 3]
    assert grad(lambda x: paddle.masked_fill(x, T([True, False]), 9.0), [1.0, 2.0]) == [0, 1]


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_unique_against_numpy(axis):
    x = np.asarray([[3, 1, 3], [2, 2, 2], [3, 1, 3]])
    expected = np.unique(x, return_index=True, return_inverse=True, return_counts=True, axis=axis)
    actual = paddle.unique(T(x), True, True, True, axis)
    for a, e in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(a.numpy(), e.reshape(a.shape))


def test_searchsorted_on_both_sides():
    edges, values = T([1.0, 2.0, 2.0, 5.0]), T([0.0, 2.0, 9.0])
    assert paddle.searchsorted(edges, values).numpy().tolist() == [0, 1, 4]
    assert paddle.searchsorted(edges, values, right=True).numpy().tolist() == [0, 3, 4]
    assert paddle.bucketize(values, edges, out_int32=True).dtype == paddle.int32


def test_scatters():
    x = paddle.zeros([3, 2])
    ones = paddle.ones([3, 2])
    assert paddle.scatter(x, T([1, 1, 2]), ones, overwrite=False).numpy().tolist() == [[0, 0], [2, 2], [1, 1]]
    assert paddle.scatter_nd(T([[1], [1]]), T([2, 3]), [3]).numpy().tolist() == [0, 5, 0]
    assert paddle.put_along_axis(T([[1, 2]]), T([[0, 0]]), T([[3, 5]]), 1, "multiply").numpy().tolist() == [[15, 2]]
    assert paddle.put_along_axis(
        T([1, 2], dtype="int16"), T([0, 0]), T([3, 5], dtype="int16"), 0, "add"
    ).numpy().tolist() == [9, 2]
    assert paddle.index_add(T([True, False]).astype("int64"), T([0, 0]), 0, T([1, 1])).numpy().tolist() == [3, 0]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: paddle.gather(T([1.0, 2.0]), T([2])), IndexError),
        (lambda: paddle.gather(T([1.0, 2.0]), T([0.5])), DTypeError),
        (lambda: paddle.gather(T([[1.0]]), T([[0, 0]])), ShapeError),
        (lambda: paddle.gather_nd(T([[1.0]]), T([[0, 0, 0]])), ShapeError),
        (lambda: paddle.take_along_axis(T([[1.0, 2.0]]), T([[2]]), 1), IndexError),
        (lambda: paddle.take_along_axis(T([[1.0]]), T([0]), 1), ShapeError),
        (lambda: paddle.put_along_axis(T([[1.0]]), T([[0]]), 1.0, 1, "median"), ValueError),
        (lambda: paddle.scatter(T([1.0]), T([3]), T([1.0])), IndexError),
        (lambda: paddle.topk(T([1.0]), 2), ShapeError),
        (lambda: paddle.argmax(paddle.zeros([0])), ShapeError),
        (lambda: paddle.argmax(T([1.0]), dtype="float32"), DTypeError),
        (lambda: paddle.where(T([1.0]), T([1.0]), T([2.0])), DTypeError),
        (lambda: paddle.where(T([True]), T([1.0])), TypeError),
        (lambda: paddle.masked_select(T([1.0]), T([1])), DTypeError),
        (lambda: paddle.bincount(T([-1])), ValueError),
        (lambda: paddle.searchsorted(T([[1.0]]), T([[1.0], [2.0]])), ShapeError),
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call()


def _stable(x, axis, descending):
    """Positions in order, equal elements as they come. Nan goes last, and where the order descends first, as infinity."""
    missing = np.isnan(x) if x.dtype.kind == "f" else np.zeros(x.shape, bool)
    level = np.unique(np.where(missing, np.inf, x), return_inverse=True)[1].reshape(x.shape) * 2
    return np.argsort(-level if descending else level + missing, axis, kind="stable")


def _many(seed, dtype, special):
    rng = np.random.default_rng(seed)
    x = (rng.normal(size=(3, 700, 2)) * (1 if np.dtype(dtype).kind == "f" else 1000)).astype(dtype)
    for value in special:
        x[rng.integers(0, 3, 3), rng.integers(0, 700, 3), rng.integers(0, 2, 3)] = value
    return x


@pytest.mark.parametrize("special", [(), (0.0, -0.0), (np.inf,), (-np.inf,), (np.nan,), (9.0, -9.0), (np.nan, np.inf, -np.inf)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64"])
def test_many_elements_come_in_stable_order(dtype, special):
    if dtype == "int64":
        special = tuple(v for v in special if np.isfinite(v))
    x = _many(len(special), dtype, special)
    for descending in (False, True):
        wanted = _stable(x, 1, descending)
        np.testing.assert_array_equal(paddle.argsort(T(x), 1, descending).numpy(), wanted)
        np.testing.assert_array_equal(paddle.sort(T(x), 1, descending).numpy(), np.take_along_axis(x, wanted, 1), strict=True)
        for k in (1, 2, 5, 170, 699, 700):
            values, places = paddle.topk(T(x), k, 1, largest=descending)
            np.testing.assert_array_equal(places.numpy(), wanted[:, :k], strict=True)
            np.testing.assert_array_equal(values.numpy(), np.take_along_axis(x, wanted[:, :k], 1), strict=True)


def test_the_largest_of_elements_that_are_all_equal_are_the_first():
    for x in (np.zeros((2, 600), "float32"), np.full((2, 600), np.nan, "float32"), np.repeat(np.float32([[1, 2]]), 300, 1)):
        for largest in (True, False):
            wanted = _stable(x, 1, largest)
            np.testing.assert_array_equal(paddle.topk(T(x), 3, largest=largest)[1].numpy(), wanted[:, :3])
            np.testing.assert_array_equal(paddle.argsort(T(x), descending=largest).numpy(), wanted)
    x = T(np.arange(100, dtype="float32"))
    x.stop_gradient = False
    (paddle.topk(x, 2)[0] * T(np.float32([3, 4]))).sum().backward()
    assert x.grad.numpy()[-2:].tolist() == [4, 3] and not x.grad.numpy()[:-2].any()


def test_wide_rows_at_one_place_add_up_in_their_order():
    random = np.random.default_rng(0)
    x, rows = random.normal(size=(5, 3, 100)).astype("f"), random.normal(size=(40, 3, 100)).astype("f")
    ids = random.integers(0, 5, 40)
    wanted = x.copy()
    np.add.at(wanted, ids, rows)
    np.testing.assert_array_equal(paddle.index_add(T(x), T(ids), 0, T(rows)).numpy(), wanted)
    np.testing.assert_array_equal(paddle.scatter_nd_add(T(x), T(ids[:, None]), T(rows)).numpy(), wanted)


def test_rows_with_and_without_equal_elements_are_sorted_together():
    x = np.random.default_rng(0).normal(size=(5, 600)).astype("float32")
    x[1, 300:] = x[1, :300]
    x[3, [5, 9, 100]] = np.nan
    for array, axis in ((x, 1), (np.ascontiguousarray(x.T), 0)):
        for descending in (False, True):
            np.testing.assert_array_equal(paddle.argsort(T(array), axis, descending).numpy(), _stable(array, axis, descending))


def test_searchsorted_in_what_is_not_sorted():
    """Paddle's numbers, which halving leads to; NaN belongs behind all."""
    edges, values = T([3.0, 1, 2, 5, 4, 0]), T([-1.0, 0, 1, 2, 3, 4, 5, 6])
    assert paddle.searchsorted(edges, values).numpy().tolist() == [0, 0, 0, 2, 3, 3, 3, 6]
    assert paddle.searchsorted(edges, values, right=True).numpy().tolist() == [0, 0, 2, 3, 3, 3, 6, 6]
    edges, values = T([1.0, 1, np.nan]), T([1.0, np.nan, 5])
    assert paddle.searchsorted(edges, values).numpy().tolist() == [0, 3, 2]
    assert paddle.searchsorted(edges, values, right=True).numpy().tolist() == [3, 3, 3]


@pytest.mark.parametrize("values", [[3, 1, 3, 2], [2.5, -0.0, 0.0, 2.5], [float("nan"), 1.0, float("nan")], [], [True, False]])
def test_distinct_elements_alone_are_those_that_come_with_their_counts(values):
    x = T(values)
    several = paddle.unique(x, return_index=True, return_counts=True)
    np.testing.assert_array_equal(paddle.unique(x).numpy(), several[0].numpy(), strict=True)
    for dtype in ("int64", "int32"):
        distinct, counts = paddle.unique(x, return_counts=True, dtype=dtype)
        np.testing.assert_array_equal(distinct.numpy(), several[0].numpy(), strict=True)
        np.testing.assert_array_equal(counts.numpy(), several[2].numpy().astype(dtype), strict=True)
    assert np.signbit(paddle.unique(x.astype("float64")).numpy()).sum() == any(v == 0 and np.signbit(v) for v in values)


@pytest.mark.parametrize("shape, axis", [((4, 5), -1), ((4, 5), 0), ((2, 3, 4), 1), ((40,), 0), ((3, 50), 1)])
@pytest.mark.parametrize("keepdim", [True, False])
def test_kthvalue_is_the_last_of_the_k_smallest(shape, axis, keepdim):
    data = np.random.default_rng(1).integers(0, 6, shape).astype("float32")  # with equal ones
    data[(0,) * len(shape)] = np.nan
    values, places = paddle.kthvalue(T(data), 3, axis, keepdim)
    order = np.argsort(data, axis, kind="stable").take([2], axis)
    expected = np.take_along_axis(data, order, axis)
    if not keepdim:
        order, expected = order.squeeze(axis), expected.squeeze(axis)
    np.testing.assert_array_equal(values.numpy(), expected, strict=True)
    np.testing.assert_array_equal(places.numpy(), order, strict=True)
    static = paddle.jit.to_static(lambda x: paddle.kthvalue(x, 3, axis, keepdim))(T(data))
    np.testing.assert_array_equal(static[0].numpy(), expected, strict=True)
    np.testing.assert_array_equal(static[1].numpy(), order, strict=True)


def test_positions_that_are_not_zero():
    for shape in ((4,), (2, 3), (2, 2, 2), (70, 70), (0, 2), ()):
        x = np.random.default_rng(2).integers(0, 2, shape)
        for kind in ("bool", "int64", "float32"):
            for _ in range(2):
                found = paddle.nonzero(T(x.astype(kind))).numpy()
                np.testing.assert_array_equal(found, np.argwhere(x).astype("int64"), strict=True)
                assert found.flags.c_contiguous


def test_the_vector_product_is_that_of_its_parts():
    a, b = (np.random.default_rng(i).random((2, 3, 4)).astype("float32") for i in range(2))
    expected = np.cross(a, b, axis=1)
    np.testing.assert_allclose(paddle.cross(T(a), T(b), axis=1).numpy(), expected, rtol=1e-5, atol=1e-6)
    static = paddle.jit.to_static(lambda x, y: paddle.cross(x, y, axis=1))(T(a), T(b))
    np.testing.assert_allclose(static.numpy(), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("most", [2, 6, 10**6])
def test_the_mode_is_the_smallest_of_the_most_frequent_and_its_last_position(axis, most):
    x = np.random.default_rng(most).integers(0, most, (5, 7, 6))
    values, positions = (t.numpy() for t in paddle.mode(T(x.astype("float32")), axis))
    lines = np.moveaxis(x, axis, -1)
    for at in np.ndindex(lines.shape[:-1]):
        distinct, counts = np.unique(lines[at], return_counts=True)
        assert values[at] == distinct[counts.argmax()]
        assert positions[at] == np.flatnonzero(lines[at] == values[at])[-1]


@pytest.mark.parametrize("shape, axis", [((6, 4), 0), ((6, 4), 1), ((2, 6, 3), 1)])
def test_slices_are_added_and_put_at_repeated_indices_as_in_numpy(shape, axis):
    rng = np.random.default_rng(1)
    x, index = rng.normal(size=shape).astype("float32"), np.array([0, 3, 0, -1])
    value = rng.normal(size=(*shape[:axis], 4, *shape[axis + 1 :])).astype("float32")
    key = (slice(None),) * axis + (index,)
    for _ in range(2):  # the second call knows the first one's kernel
        added, put = x.copy(), x.copy()
        np.add.at(added, key, value)
        put[key] = value
        np.testing.assert_array_equal(paddle.index_add(T(x), T(index), axis, T(value)).numpy(), added)
        tensor = T(x)
        tensor[tuple(T(i) if isinstance(i, np.ndarray) else i for i in key)] = T(value)
        np.testing.assert_array_equal(tensor.numpy(), put)
        with pytest.raises(IndexError):
            paddle.index_add(T(x), T(index + 9), axis, T(value))


def test_a_recorded_write_by_indices_gives_all_gradients():
    x, value = T(np.ones((3, 2)), stop_gradient=False), T(np.ones((2, 2)), stop_gradient=False)
    for _ in range(3):
        y = paddle.index_put(x * 1.0, [T([0, 2])], value * 2.0)
        gx, gv = paddle.grad((y * y).sum(), [x, value])
        assert gx.tolist() == [[0, 0], [2, 2], [0, 0]] and gv.tolist() == [[8, 8], [8, 8]]
