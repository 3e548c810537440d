"""Operators written as expressions of their own give what their kernels give."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.runtime.inline import RULES
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY


def plans(function, *arrays):
    """The function's plan run twice: once its result is the caller's, once it is a temporary in a buffer."""
    for temporary in (False, True):
        builder = Builder()
        with mode.use(builder):
            out = function(*[builder.feed(spec_of(a)) for a in arrays])
            program = builder.finish([out + out if temporary else out])
        plan = compile_plan(program, NUMPY)
        expected, found = interpret(program, list(arrays), NUMPY)[0], plan(*arrays)[0]
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
        yield plan.source


def random(*shape):
    return np.random.default_rng(len(shape)).normal(size=shape).astype("float32")


@pytest.mark.parametrize(
    ("x", "y", "tx", "ty", "one"),
    [
        ((2, 3), (3, 4), False, False, True),
        ((3, 2), (4, 3), True, True, True),
        ((5, 2, 3), (3, 4), False, False, True),
        ((5, 2, 3), (4, 3), False, True, True),
        ((2, 5, 2, 3), (3, 4), False, False, True),
        ((5, 3, 2), (3, 4), True, False, False),
        ((5, 2, 3), (5, 3, 4), False, False, False),
        ((3,), (3, 4), False, False, True),
        ((2, 3), (3,), False, False, True),
    ],
)
def test_products(x, y, tx, ty, one):
    for source in plans(lambda a, b: F["matmul"](a, b, tx, ty), random(*x), random(*y)):
        assert ("dot(" in source) == one


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32", "int64"])
@pytest.mark.parametrize(("axis", "keepdim"), [(None, False), (0, True), ([1, 2], False), (-1, False)])
def test_reductions(name, dtype, axis, keepdim):
    x = (random(2, 3, 4) * 10).astype(dtype)
    list(plans(lambda a: F[name](a, axis, keepdim=keepdim), x))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("shape", "axis"), [((6, 1), 0), ((6,), None), ((7, 5), 0), ((7, 5), 1), ((3, 4, 5), (0, 1))])
def test_a_sum_in_a_plan_is_bit_for_bit_that_of_the_kernel(dtype, shape, axis):
    rng = np.random.default_rng(0)
    builder = Builder()
    with mode.use(builder):
        x = builder.feed(spec_of(np.zeros(shape, dtype)))
        program = builder.finish([F["sum"](x, axis)])
    plan = compile_plan(program, NUMPY)
    for _ in range(50):
        array = rng.standard_normal(shape).astype(dtype)
        np.testing.assert_array_equal(plan(array)[0], interpret(program, [array], NUMPY)[0])


@pytest.mark.parametrize(("wide", "like"), [((4, 3), (3,)), ((4, 3), (4, 1)), ((2, 4, 3), (4, 1)), ((4, 3), ()), ((4, 3), (4, 3))])
def test_sums_to_a_shape(wide, like):
    list(plans(REGISTRY["sum_to"].function, random(*wide), random(*like)))


def test_rectifier():
    x = np.asarray([-1.0, -0.0, 0.0, 2.0, np.nan, np.inf], "float32")
    list(plans(F["relu"], x))
    list(plans(lambda a, b: REGISTRY["relu_grad"].function(a, b), np.abs(np.nan_to_num(x)), x))


def test_every_rule_belongs_to_an_operator():
    assert set(RULES) <= set(REGISTRY)


def test_matmul_of_what_was_folded_to_a_constant():
    """As XLNet's positions: the sizes that the shape rule saw were unknown."""
    weight = paddle.ones([3, 4])

    @paddle.jit.to_static(full_graph=True)
    def product(x):
        numbers = paddle.arange(0, paddle.shape(x)[0] * 6, dtype="float32")
        return paddle.matmul(paddle.reshape(numbers, [paddle.shape(x)[0], -1, 3]), weight)

    rows = np.arange(12).reshape(2, 2, 3).sum(-1, keepdims=True)
    np.testing.assert_array_equal(product(paddle.ones([2])).numpy(), np.broadcast_to(rows, (2, 2, 4)))
