"""Matrix products of every rank, einsum, linear systems."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import to_static as paddle
from to_static.core.errors import DTypeError, ShapeError

T = paddle.to_tensor
RNG = np.random.default_rng(0)


def normal(*shape):
    return RNG.normal(size=shape)


@st.composite
def products(draw):
    """Two shapes that `matmul` takes, and whether to transpose."""
    m, k, n = (draw(st.integers(1, 3)) for _ in range(3))
    lead = draw(st.sampled_from([((), ()), ((2,), ()), ((), (2,)), ((2,), (2,)), ((3, 1), (2,)), ((1,), (4,))]))
    tx, ty = draw(st.booleans()), draw(st.booleans())
    x = (k,) if not lead[0] and draw(st.booleans()) else (*lead[0], *((k, m) if tx else (m, k)))
    y = (k,) if not lead[1] and draw(st.booleans()) else (*lead[1], *((n, k) if ty else (k, n)))
    return x, y, tx, ty


@given(products())
def test_matmul_is_numpys(case):
    x_shape, y_shape, tx, ty = case
    x, y = normal(*x_shape), normal(*y_shape)
    a = x.swapaxes(-1, -2) if tx and x.ndim > 1 else x
    b = y.swapaxes(-1, -2) if ty and y.ndim > 1 else y
    result = paddle.matmul(T(x), T(y), tx, ty)
    expected = np.matmul(a, b)
    assert result.shape == list(expected.shape)
    np.testing.assert_allclose(result.numpy(), expected, atol=1e-12)


EQUATIONS = [
    ("ij,jk->ik", (2, 3), (3, 4)), ("ij,kj", (2, 3), (4, 3)), ("ij->ji", (2, 3)),
    ("ii", (3, 3)), ("ii->i", (3, 3)), ("ij->", (2, 3)),
    ("i,j->ij", (2,), (3,)), ("i,i", (3,), (3,)), ("...ij,...jk->...ik", (2, 1, 3, 4), (5, 4, 2)), ("...i->...", (2, 3)),
    ("bhqd,bhkd->bhqk", (2, 2, 3, 4), (2, 2, 5, 4)), ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)), ("ij,k->j", (2, 3), (4,)),
    ("bij,bj->bi", (2, 3, 4), (2, 4)), ("iij->ij", (3, 3, 2)), ("i...,i...->...", (3, 2), (3, 2)),
]  # fmt: skip


@pytest.mark.parametrize("case", EQUATIONS, ids=[c[0] for c in EQUATIONS])
def test_einsum_is_numpys(case):
    equation, *shapes = case
    operands = [normal(*s) for s in shapes]
    result = paddle.einsum(equation, *[T(x) for x in operands])
    np.testing.assert_allclose(result.numpy(), np.einsum(equation, *operands), atol=1e-12)


def test_one_equation_of_einsum_for_operands_of_other_ranks_and_sizes():
    x, y = normal(2, 3, 4), normal(5, 2, 4, 3)
    for _ in range(2):
        for a, b in ((x, y[0]), (x, y), (x[0], y[0, 0]), (x, y[0, 0]), (x[:1], y), (x, y[:, :, :1])):
            result = paddle.einsum("...ij, ...jk -> ...ik", T(a), T(b))
            wanted = np.broadcast_to(b, (*b.shape[:-2], 4, 3)) if b.shape[-2] == 1 else b
            np.testing.assert_allclose(result.numpy(), np.einsum("...ij,...jk->...ik", a, wanted), atol=1e-12)
        with pytest.raises(ShapeError, match="the term 'ij' of 'ij,jk' does not fit a tensor of 3 dimensions"):
            paddle.einsum("ij,jk", T(x), T(x[0]))
        with pytest.raises(ShapeError, match="index sizes .* do not agree"):
            paddle.einsum("ij,jk", T(x[0]), T(x[1]))
        np.testing.assert_allclose(paddle.einsum("ij,kj", T(x[0]), T(x[1])).numpy(), x[0] @ x[1].T, atol=1e-12)


def test_einsum_makes_new_numbers_of_products():
    x, one = T(normal(3, 1)), T(np.ones((1, 1)))
    before = x.numpy()
    paddle.einsum("ij,jk->ik", x, one).fill_(7.0)
    np.testing.assert_array_equal(x.numpy(), before)


def test_einsum_differentiates():
    x = T(normal(2, 3), stop_gradient=False)
    y = T(normal(3, 4), stop_gradient=False)
    [g] = paddle.grad(paddle.einsum("ij,jk->ik", x, y).sum(), [x])
    np.testing.assert_allclose(g.numpy(), np.ones((2, 4)) @ y.numpy().T)


@pytest.mark.parametrize("equation", ["ij,jk", "ijk->i", "ij->iz", "ij->ii"])
def test_wrong_equations_are_refused(equation):
    with pytest.raises(ShapeError, match="einsum"):
        paddle.einsum(equation, T(normal(2, 3)))


def test_systems():
    a, b = normal(2, 3, 3) + 4 * np.eye(3), normal(2, 3, 2)
    np.testing.assert_allclose(paddle.linalg.solve(T(a), T(b)).numpy(), np.linalg.solve(a, b))
    np.testing.assert_allclose(paddle.linalg.inv(T(a)).numpy(), np.linalg.inv(a))
    np.testing.assert_allclose(paddle.linalg.det(T(a)).numpy(), np.linalg.det(a))
    s = a @ a.swapaxes(-1, -2)
    np.testing.assert_allclose(paddle.linalg.cholesky(T(s)).numpy(), np.linalg.cholesky(s))


def test_the_gradient_of_cholesky():
    base = normal(3, 3) + 4 * np.eye(3)
    weight, direction = normal(3, 3), normal(3, 3)
    direction = direction + direction.T

    def value(step):
        return float((np.linalg.cholesky(base @ base.T + step * direction) * weight).sum())

    x = T(base @ base.T, stop_gradient=False)
    for upper in (False, True):
        out = paddle.linalg.cholesky(x, upper)
        [g] = paddle.grad((out * T(weight.T if upper else weight)).sum(), [x])
        assert (g.numpy() * direction).sum() == pytest.approx((value(1e-6) - value(-1e-6)) / 2e-6, rel=1e-5)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: paddle.matmul(T(normal(2, 3)), T(normal(4, 2))), ShapeError, "3, must equal the last but one of y, 4"),
        (lambda: paddle.matmul(T(normal(2, 2, 3)), T(normal(3, 3, 2))), ShapeError, "do not broadcast"),
        (lambda: paddle.matmul(T(1.0), T(normal(2))), ShapeError, "at least one dimension"),
        (lambda: paddle.bmm(T(normal(2, 3)), T(normal(3, 2))), ShapeError, "3 dimensions"),
        (lambda: paddle.dot(T(normal(2, 3, 4)), T(normal(2, 3, 4))), ShapeError, "two vectors"),
        (lambda: paddle.inverse(T(normal(2, 3))), ShapeError, "square"),
        (lambda: paddle.inverse(T([[1]])), DTypeError, "floating"),
        (lambda: paddle.cross(T(normal(2, 2)), T(normal(2, 2))), ShapeError, "size 3"),
    ],
)
def test_refusals(call, error, text):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize(
    "a, b", [((2, 3), (4, 5)), ((3,), (2,)), ((2, 3), (4,)), ((2, 1, 3), (2, 2, 2)), ((), (2,)), ((0, 3), (0, 3)), ((0,), (2, 2))]
)
def test_the_kronecker_product_is_numpys_in_both_modes(a, b):
    x, y = (T(normal(*shape), stop_gradient=False) for shape in (a, b))
    weights = T(np.random.default_rng(2).normal(size=np.kron(x.numpy(), y.numpy()).shape))
    loss = paddle.jit.to_static(lambda x, y: (paddle.kron(x, y) * weights).sum(), full_graph=True)
    static = paddle.grad(loss(x, y), [x, y])
    dynamic = paddle.kron(x, y)
    np.testing.assert_array_equal(dynamic.numpy(), np.kron(x.numpy(), y.numpy()))
    for one, other in zip(paddle.grad((dynamic * weights).sum(), [x, y]), static, strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-12)
