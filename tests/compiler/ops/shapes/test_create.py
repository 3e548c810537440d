"""to_tensor and the creation functions: dtypes, copies, names, places, refusals."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend
from to_static.core.errors import DeviceError, DTypeError, ShapeError

T = paddle.to_tensor


@pytest.mark.parametrize(
    ("data", "dtype", "shape"),
    [
        (1, "int64", []), (1.0, "float32", []), (True, "bool", []), (1j, "complex64", []), ([1, 2.5], "float32", [2]),
        ([True, 1], "int64", [2]), (np.float64(1), "float64", []), ([np.float64(1)], "float32", [1]), (np.int32(3), "int32", []),

        (np.zeros((2, 0), "uint8"), "uint8", [2, 0]), ([], "float32", [0]), (((1, 2), (3, 4)), "int64", [2, 2]),
        (2**40, "int64", []),
        (np.zeros(2, ">f4"), "float32", [2]),
    ],
)  # fmt: skip
def test_dtypes(data, dtype, shape):
    x = T(data)
    assert (x.dtype.name, x.shape, x.stop_gradient) == (dtype, shape, True)


def test_the_default_dtype_is_that_of_python_floats():
    paddle.set_default_dtype("float64")
    try:
        assert T(1.5).dtype == paddle.float64
        assert paddle.zeros([1]).dtype == paddle.float64
        assert paddle.rand([1]).dtype == paddle.float64
    finally:
        paddle.set_default_dtype("float32")


def test_the_numbers_are_copied():
    array = np.ones(2, "float32")
    x = T(array)
    array[0] = 5
    assert x.numpy().tolist() == [1, 1]
    y = T(x)
    y.add_(1.0)
    assert x.numpy().tolist() == [1, 1]


def test_arguments():
    assert T(1.9, "int32").numpy() == 1
    assert T([1.0], stop_gradient=False).stop_gradient is False
    assert str(T(1.0, place="cpu").place) == "Place(cpu)"
    first, second = T(1.0).name, T(1.0).name
    assert first.startswith("generated_tensor_")
    assert first != second
    with pytest.raises(DeviceError):
        T(1.0, place="tpu")


def test_lists_of_tensors():
    assert T([T(1.0), T(2.0)]).numpy().tolist() == [1, 2]
    assert T([[T(1), 2], [3, T(4)]]).numpy().tolist() == [[1, 2], [3, 4]]
    assert T([T([1.0]), 0.5]).numpy().tolist() == [1, 0.5]
    assert T([1, T(2.5)]).dtype == paddle.float32
    builder = Builder()
    with mode.use(builder):
        x = builder.feed(spec_from([]), "x")
        y = T([[x, 1.0], [2.0, x * 2]])
    program = builder.finish([y])
    assert interpret(program, [np.float32(3)], backend.NUMPY)[0].tolist() == [[3, 1], [2, 6]]


@pytest.mark.parametrize(
    ("data", "error"),
    [("a", TypeError), (None, TypeError), (range(3), TypeError), ([1, "a"], TypeError), ([[1], [2, 3]], ShapeError)],
)
def test_refusals(data, error):
    with pytest.raises(error):
        T(data)


def test_unsupported_dtypes_are_refused():
    for wrong in (
        lambda: T(np.zeros(2, "uint32")),
        lambda: paddle.zeros([2], "float8"),
        lambda: paddle.cast(T(1.0), "string"),
    ):
        with pytest.raises(DTypeError, match="supported"):
            wrong()


def test_cast_gives_another_tensor_where_nothing_changes_too():
    x = T([1.0])
    assert x.astype("float32") is not x and x.cast(x.dtype).dtype == x.dtype
    assert x.astype(paddle.int32).dtype == paddle.int32
    assert x.cast_("int64") is x
    assert x.dtype == paddle.int64


def test_gradients_flow_through_casts_between_floats():
    x = T([1.0, 2.0], stop_gradient=False)
    (x.astype("float64") * 3).sum().backward()
    assert x.grad.dtype == paddle.float32
    assert x.grad.numpy().tolist() == [3, 3]


def test_sequences():
    assert paddle.arange(0).shape == [0]
    assert paddle.arange(3, dtype="float32").dtype == paddle.float32
    assert paddle.arange(T(3.0)).dtype == paddle.float32
    assert paddle.linspace(T(0.0), 1, 3).numpy().tolist() == [0, 0.5, 1]
    for wrong in (
        lambda: paddle.arange(0, 3, 0),
        lambda: paddle.linspace(0, 1, 0),
        lambda: paddle.arange(T(0), T(3), T(0)),
    ):
        with pytest.raises(ValueError, match=r"zero|positive"):
            wrong()


def test_filling_in_place():
    x = paddle.ones([2])
    assert x.fill_(3.0) is x
    assert x.zero_().numpy().tolist() == [0, 0]
    y = paddle.ones([2, 3]).fill_diagonal_(0.0, offset=1)
    assert y.numpy().tolist() == [[1, 0, 1], [1, 1, 0]]


@pytest.mark.parametrize("value", [1 + 2j, [1.0, 2.0], (1, 2), np.complex64(1j)])
def test_full_takes_one_number_of_its_dtype(value):
    with pytest.raises(TypeError, match="expected a number that float32 can hold"):
        paddle.full([2], value)
    with pytest.raises(TypeError, match="expected a number that float32 can hold"):
        paddle.full_like(T([1.0]), value)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: paddle.clip(T([1.0]), 3, 1), ValueError, r"got min=3 and max=1 \(InvalidArgument\)"),
        (lambda: paddle.add_n([]), ValueError, r"at least one tensor, got \[\] \(InvalidArgument\)"),
        (lambda: paddle.arange(0, 5, 0), ValueError, r"step must not be zero \(InvalidArgument\)"),
        (lambda: paddle.gather(T([1.0]), T([5])), IndexError, r"gather: .* out of bounds .* size 1 \(InvalidArgument\)"),
        (lambda: paddle.nn.functional.one_hot(T([5]), 3), IndexError, r"one_hot: ids must lie in \[0, 3\).* \(InvalidArgument\)"),
    ],
)
def test_errors_tell_paddles_class(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


@pytest.mark.parametrize("offset", [0, 2, -1, 9])
def test_the_trace_of_a_matrix_is_the_same_in_both_modes(offset):
    x = paddle.to_tensor(np.random.default_rng(0).normal(size=(3, 4)).astype("float32"), stop_gradient=False)
    static = paddle.jit.to_static(lambda x: paddle.trace(x, offset), full_graph=True)
    dynamic = paddle.trace(x, offset)
    assert dynamic.item() == static(x).item() and abs(dynamic.item() - np.trace(x.numpy(), offset)) < 1e-6
    np.testing.assert_array_equal(paddle.grad(dynamic, [x])[0].numpy(), paddle.grad(static(x), [x])[0].numpy())
