"""`assign` and `exponential_` write also into a leaf that needs a gradient, as in Paddle; other in-place functions refuse it."""

import pytest

import to_static as paddle
from to_static.core.errors import AutogradError


def leaf(value: float) -> paddle.Tensor:
    return paddle.to_tensor([value] * 3, stop_gradient=False)


@pytest.mark.parametrize("static", [False, True])
def test_assign(static: bool) -> None:
    def run(x: paddle.Tensor) -> paddle.Tensor:
        return paddle.assign(x, paddle.to_tensor([5.0, 5.0, 5.0], stop_gradient=False)) * 2

    x = leaf(1.0)
    (paddle.jit.to_static(run) if static else run)(x).sum().backward()
    assert x.grad.numpy().tolist() == [2.0, 2.0, 2.0]


def test_the_output_is_part_of_the_graph() -> None:
    x, y = leaf(1.0), leaf(0.0)
    out = paddle.assign(x, y)
    assert out is y
    assert (y.is_leaf, y.stop_gradient, y.numpy().tolist()) == (False, False, [1.0, 1.0, 1.0])
    (y * 3).sum().backward()
    assert (x.grad.numpy().tolist(), y.grad) == ([3.0, 3.0, 3.0], None)


@pytest.mark.parametrize("static", [False, True])
def test_a_parameter_that_gets_numbers_stays_one(static: bool) -> None:
    weight = paddle.create_parameter([3], "float32")

    def run(value: paddle.Tensor) -> paddle.Tensor:
        paddle.assign(value, output=weight)
        return weight * value

    loss = (paddle.jit.to_static(run) if static else run)(paddle.to_tensor([5.0, 6.0, 7.0])).sum()
    assert (weight.is_leaf, weight.stop_gradient, weight.numpy().tolist()) == (True, False, [5.0, 6.0, 7.0])
    loss.backward()
    assert weight.grad.numpy().tolist() == [5.0, 6.0, 7.0]
    assert paddle.assign([1.0, 2.0, 3.0], weight) is weight and not weight.stop_gradient


def test_exponential() -> None:
    x = leaf(float("inf"))
    assert x.exponential_() is x
    assert bool(((x > 0) & (x < 1e9)).all())
    (x * 3).sum().backward()
    assert x.grad.numpy().tolist() == [0.0, 0.0, 0.0]


def test_others_refuse() -> None:
    for name, args in (("zero_", ()), ("uniform_", ()), ("add_", (paddle.ones([3]),)), ("cauchy_", ())):
        with pytest.raises(AutogradError, match="leaf that needs a gradient"):
            getattr(leaf(1.0), name)(*args)
