"""Binary arithmetic: numbers beside tensors, dtype rules, integer division, powers, gradients at corners."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.core.errors import DTypeError, ShapeError

T = paddle.to_tensor


def grads(function, *values):
    tensors = [T(v, stop_gradient=False) for v in values]
    return [g.numpy().tolist() for g in paddle.grad(function(*tensors).sum(), tensors)]


def test_a_python_number_takes_the_dtype_of_the_tensor():
    assert (T([1, 2]) + 1).dtype == paddle.int64
    assert (T([1, 2]) + 0.5).dtype == paddle.float32
    assert (T([1.0]).astype("float64") * 2.5).dtype == paddle.float64
    assert (2 ** T([1, 2])).numpy().tolist() == [2, 4]
    assert (True + T([1, 2])).numpy().tolist() == [2, 3]


def test_remembered_numbers_keep_their_kind_sign_and_dtype():
    x = T([1, 2])
    assert (x + 1).dtype == paddle.int64
    assert (x + 1.0).dtype == paddle.float32
    assert (x + True).dtype == paddle.int64
    assert np.signbit((T([1.0]) * -0.0).numpy()).all()
    assert not np.signbit((T([1.0]) * 0.0).numpy()).any()
    paddle.set_default_dtype("float64")
    try:
        assert (x + 1.0).dtype == paddle.float32  # as in Paddle, integers beside a float do not follow the default
    finally:
        paddle.set_default_dtype("float32")
    assert (x + 1.0).dtype == paddle.float32


def test_different_dtypes_warn_once_and_the_left_one_wins():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            assert (T([1], dtype="int16") + T([1.5])).dtype == paddle.int16
    assert len(caught) == 1
    assert "int16" in str(caught[0].message)
    assert (T([1.0]) + T([1.0], dtype="float64")).dtype == paddle.float64  # floats widen without a word


def test_division():
    assert (T([7, -7]) / 2).numpy().tolist() == [3.5, -3.5]
    assert paddle.divide(T([7, -7]), T([2, 2])).numpy().tolist() == [3, -3]
    assert (T([7, -7]) // 2).numpy().tolist() == [3, -4]
    for wrong in (lambda: T([1]) // 0, lambda: T([1]) % T([0]), lambda: paddle.divide(T([1]), T([0]))):
        with pytest.raises(ZeroDivisionError):
            wrong()
    with np.errstate(divide="ignore"):
        assert (T([1.0]) / 0).numpy().tolist() == [np.inf]


def test_powers():
    assert (T([2, 3]) ** 2).dtype == paddle.int64
    assert (T([2, 3]) ** 0.5).dtype == paddle.float32
    assert (T([2.0]) ** 1).numpy().tolist() == [2.0]
    for dtype in ("int32", "int64"):  # Paddle's numbers
        x, y = T([2, 0, 1, -1, -1, 3, 2, -2]).astype(dtype), T([-2, -1, -3, -3, -2, -1, 3, -1]).astype(dtype)
        assert (x**y).numpy().tolist() == [0, np.iinfo(dtype).min, 1, -1, 1, 0, 8, 0]
        assert paddle.pow(x, -1).numpy().tolist() == [0, np.iinfo(dtype).min, 1, -1, -1, 0, 0, 0]


def test_gradients_where_formulas_have_holes():
    assert grads(lambda x, y: x**y, [0.0, 0.0, 2.0], [0.0, 2.0, 0.0]) == [
        [0.0, 0.0, 0.0], [0.0, 0.0, pytest.approx(np.log(2))],
    ]  # fmt: skip
    assert grads(lambda x: x**2, [0.0, -3.0]) == [[0.0, -6.0]]
    assert grads(paddle.maximum, [1.0, 2.0], [1.0, 1.0]) == [[0.0, 1.0], [1.0, 0.0]]
    assert grads(paddle.logaddexp, [1000.0], [0.0]) == [[1.0], [0.0]]


def test_in_place_forms_change_every_alias():
    x = T([1.0, 2.0])
    y = x
    assert x.add_(1.0) is x
    x.multiply_(T([2.0, 2.0]))
    assert y.numpy().tolist() == [4.0, 6.0]
    with pytest.raises(ShapeError, match=r"add_: the result has shape \[3, 2\], the tensor \[2\]"):
        x.add_(paddle.ones([3, 2]))
    with pytest.raises(DTypeError, match="the result is float32, the tensor int64"):
        T([1, 2]).multiply_(0.5)
    assert T([7, -7]).mod_(T([3, 3])).numpy().tolist() == [1, 2]


def test_shapes_and_kinds_that_do_not_fit():
    with pytest.raises(ShapeError, match=r"add: shapes \[2, 3\] and \[4\] do not broadcast \(3 against 4\)"):
        paddle.ones([2, 3]) + paddle.ones([4])
    with pytest.raises(DTypeError, match="bool"):
        T([True]) - T([True])
    with pytest.raises(TypeError):
        T([1.0]) + "a"
    with pytest.raises(TypeError):
        T([1.0]) + None


def test_unknown_dimensions_broadcast():
    with mode.use(Builder()) as builder:
        x = builder.feed(spec_from([None, 3]))
        y = builder.feed(spec_from([None, 1]))
        z = builder.feed(spec_from([2, None]))
        assert (x + y).spec.shape == (-1, 3)
        assert (x + z).spec.shape == (2, 3)
        assert (x + 1.0).spec.shape == (-1, 3)


def test_numpy_arrays_are_operands():
    x = T([1.0, 2.0])
    assert (np.asarray([1.0, 1.0], "float32") + x).numpy().tolist() == [2.0, 3.0]
    assert (x + np.asarray([0.5, 0.5])).dtype == paddle.float64


def test_round_takes_halves_away_from_zero_at_any_size():
    half, wide = np.nextafter(np.float32(0.5), np.float32(0)), 2.0**22
    x = np.float32([0.5, -0.5, 1.5, 2.5, -2.5, half, -half, wide + 0.5, wide, 2 * wide + 1, -0.2, np.inf, np.nan])
    wanted = np.float32([1, -1, 2, 3, -3, 0, -0.0, wide + 1, wide, 2 * wide + 1, -0.0, np.inf, np.nan])
    found = paddle.round(T(x)).numpy()
    np.testing.assert_array_equal(found, wanted)
    assert (np.signbit(found) == np.signbit(x)).all()
    assert [paddle.round(T(v)).numpy() for v in (2.5, half, -1.5)] == [3, 0, -2]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_cube_is_the_power(dtype):
    x = (
        np.asarray([0, -0.0, 1.5, -2.5, 1e-30, -1e-30, 1e30, np.inf, -np.inf, np.nan], dtype)
        if dtype != "float16"
        else np.arange(-8, 8) / np.float16(4)
    )
    with np.errstate(over="ignore"):
        found, wanted = (T(x) ** 3).numpy(), np.power(x, x.dtype.type(3))
        other = (T(x) ** T(np.full_like(x, 3))).numpy()
    assert found.dtype == x.dtype and (np.signbit(found) == np.signbit(wanted)).all()
    np.testing.assert_allclose(found, wanted, 4 * np.finfo(dtype).eps)
    np.testing.assert_allclose(other, wanted, 4 * np.finfo(dtype).eps)
    assert (T([2, 3]) ** 3).numpy().tolist() == [8, 27]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_an_exponent_of_a_half_gives_the_same_power_for_all_shapes(dtype):
    bases = np.asarray([[-np.inf, -0.0], [4.0, np.inf]], dtype)
    for shape in ((), (1,), (1, 1), (2, 1), (1, 2), (2, 2), (1, 1, 1)):
        powers = (T(bases) ** T(np.full(shape, 0.5, dtype))).numpy()
        assert str(powers.reshape(-1).tolist()) == "[inf, 0.0, 2.0, inf]", shape
    expanded = T(np.full((2, 1), 0.5, dtype)).expand([2, 2])
    assert str((T(bases) ** expanded).tolist()) == "[[inf, 0.0], [2.0, inf]]"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_hypot_is_the_same_in_both_modes():
    rng = np.random.default_rng(0)
    special = [0, 0, np.inf, np.nan, 1e30, 3], [0, 1, 1, 1, 1e30, np.inf]
    numbers = [np.concatenate([rng.normal(size=8), some]).astype("float32") for some in special]
    x, y = (paddle.to_tensor(some, stop_gradient=False) for some in numbers)
    dynamic, static = paddle.hypot(x, y), paddle.jit.to_static(lambda x, y: paddle.hypot(x, y), full_graph=True)(x, y)
    np.testing.assert_array_equal(dynamic.numpy(), static.numpy())
    for one, other in zip(paddle.grad(dynamic.sum(), [x, y]), paddle.grad(static.sum(), [x, y]), strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-6)
