"""Operators in Programs that know no sizes: results and errors are those of eager mode, whatever sizes the calls bring."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ToStaticError
from to_static.static import InputSpec

KINDS = {
    "float32": lambda n: np.arange(1, n + 1) / (n + 1),
    "int64": lambda n: np.arange(n) % 2,
    "bool": lambda n: np.arange(n) % 2 == 1,
}


def made(shape, dtype):
    return paddle.to_tensor(np.asarray(KINDS[dtype](int(np.prod(shape)))).reshape(shape).astype(dtype))


def outcome(function, tensors):
    """What a call gives: values, or the kind of its error (Python's, where it is one of these too)."""
    try:
        found = function(*tensors)
    except Exception as error:
        ours = issubclass(type(error), ToStaticError)
        return next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins" and not (ours and c is RuntimeError))
    return [(t.dtype.name, t.shape, t.numpy().round(4).tolist()) for t in (found if isinstance(found, tuple) else (found,))]


def agree(function, dtypes, *calls):
    """Compare eager calls, tensors of these shapes each, with those of one Program that knows the ranks only."""
    specs = [InputSpec([None] * len(shape), dtype) for shape, dtype in zip(calls[0], dtypes, strict=True)]
    static = paddle.jit.to_static(function, input_spec=specs)
    for shapes in calls:
        want = outcome(function, [made(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True)])
        got = outcome(static, [made(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True)])
        assert got == want, f"{shapes}: eager {want}, static {got}"
        assert got != "TypeError"


X, K, B = "float32", "int64", "bool"


@pytest.mark.parametrize("axis", [0, 1])
def test_an_index_of_another_size_beside_the_axis(axis):
    calls = [((2, 3), shape) for shape in [(2, 3), (1, 3), (2, 1), (3, 3), (2, 2), (0, 3)]] + [((0, 3), (1, 3))]
    agree(lambda x, i: paddle.take_along_axis(x, i, axis), (X, K), *calls)
    agree(lambda x, i: paddle.put_along_axis(x, i, 0.5, axis), (X, K), *calls)
    agree(lambda x, i: paddle.put_along_axis(x, i, x, axis, "add"), (X, K), *calls)
    agree(paddle.index_sample, (X, K), *calls)


def test_a_mask_that_broadcasts():
    calls = ((2, 3), (2, 3)), ((2, 3), (1, 3)), ((2, 3), (2, 1)), ((2, 3), (3, 3)), ((1, 3), (2, 3)), ((0, 3), (1, 3))
    agree(paddle.masked_select, (X, B), *calls)


def test_a_mask_computed_of_the_tensor_is_not_broadcast():
    static = paddle.jit.to_static(lambda x: paddle.masked_select(x, x > 1), input_spec=[InputSpec([None, None])])
    static(paddle.to_tensor([[1.0, 2.0]]))
    (program,) = static.program_cache.values()
    assert "expand_as" not in {op.name for op in program.main_program.block.walk()}


@pytest.mark.parametrize("shape", [
    lambda x, y: [y.shape[0], -1], lambda x, y: [-1, y.shape[0]], lambda x, y: [y.shape[0] * 2, -1],
    lambda x, y: [x.shape[1], x.shape[0]], lambda x, y: [1, y.shape[0] * y.shape[1]],
])  # fmt: skip
def test_a_size_of_zero_that_only_the_program_knows_keeps_a_dimension(shape):
    calls = ((2, 3), (2, 3)), ((2, 3), (3, 2)), ((2, 3), (0, 3)), ((0, 3), (0, 3)), ((0, 3), (2, 3))
    agree(lambda x, y: x.reshape(shape(x, y)), (X, X), *calls)
    agree(lambda x, y, m: x[m].reshape(shape(x[m], y[m])), (X, X, B), ((2, 3), (2, 3), (2,)), ((1, 3), (1, 3), (1,)))


def in_place(name):
    def f(x, y):
        getattr(x, name)(y)
        return x + 1

    return f


@pytest.mark.parametrize("name", ["add_", "multiply_", "remainder_", "copy_", "set_value"])
def test_a_tensor_changed_in_place_keeps_its_size(name):
    calls = ((2, 3), (2, 3)), ((2, 3), (1, 3)), ((1, 3), (2, 3)), ((2, 1), (2, 3)), ((2, 3), (3, 2)), ((0, 3), (1, 3))
    agree(in_place(name), (X, X), *calls)
    agree(in_place(name), (X, X), ((2, 3), (3,)), ((2, 1), (3,)), ((1, 3), (3,)))


@pytest.mark.parametrize("rows", [1, 3])
def test_a_tensor_from_outside_changed_in_place_keeps_its_size(rows):
    held = paddle.zeros([rows])

    def f(y):
        held.set_value(y * 2)
        return held.add_(y) + 1

    agree(f, (X,), ((rows,),), ((2,),))
    assert held.shape == [rows]


def test_numbers_and_known_sizes_need_no_check_in_place():
    def f(x):
        return x.add_(paddle.ones([3])).multiply_(x * 2).add_(paddle.ones([])).divide_(2.0)

    static = paddle.jit.to_static(f, input_spec=[InputSpec([None, 3])])
    static(paddle.ones([2, 3]))
    (program,) = static.program_cache.values()
    assert "assert" not in {op.name for op in program.main_program.block.walk()}
