"""nn.utils: clipping in place, vectors of parameters, weight normalisation."""

import math

import numpy as np
import pytest

from to_static import nn
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core import unique_name
from to_static.core.errors import ShapeError
from to_static.jit import to_static
from to_static.nn.utils import (
    clip_grad_norm_,
    clip_grad_value_,
    parameters_to_vector,
    remove_weight_norm,
    vector_to_parameters,
    weight_norm,
)


def layer_with_gradients():
    layer = nn.Linear(2, 2)
    (layer(EagerTensor(np.float32([[1.0, 2.0]]))) * EagerTensor(np.float32([3.0, -4.0]))).sum().backward()
    return layer


@pytest.mark.parametrize(
    "norm_type, total, first",
    [(1.0, 28.0, 3 / 28), (2.0, 150**0.5, 3 / 150**0.5), (math.inf, 8.0, 3 / 8)],
)
def test_clip_grad_norm(norm_type, total, first):
    layer = layer_with_gradients()
    assert float(clip_grad_norm_(layer.parameters(), 1.0, norm_type)) == pytest.approx(total)
    assert float(layer.weight.grad[0, 0]) == pytest.approx(first, rel=1e-5)
    small = layer.weight.grad.numpy()
    clip_grad_norm_(layer.parameters(), 1000.0, norm_type)
    np.testing.assert_allclose(layer.weight.grad.numpy(), small, rtol=1e-6)


def test_clip_grad_norm_refuses():
    layer = layer_with_gradients()
    layer.bias.grad = EagerTensor(np.float32([np.inf, 0.0]))
    with pytest.raises(RuntimeError, match="inf"):
        clip_grad_norm_(layer.parameters(), 1.0, error_if_nonfinite=True)
    with pytest.raises(ValueError, match="norm_type"):
        clip_grad_norm_(layer.parameters(), 1.0, 3)
    assert float(clip_grad_norm_(nn.Linear(1, 1).parameters(), 1.0)) == 0.0


def test_clip_grad_value():
    layer = layer_with_gradients()
    clip_grad_value_(layer.weight, 3.5)
    assert layer.weight.grad.numpy().tolist() == [[3.0, -3.5], [3.5, -3.5]]
    assert layer.bias.grad.numpy().tolist() == [3.0, -4.0]
    with pytest.raises(ValueError, match="negative"):
        clip_grad_value_(layer.parameters(), -1.0)


def test_parameters_as_a_vector_and_back():
    layer = nn.Linear(2, 3)
    vector = parameters_to_vector(layer.parameters())
    assert vector.shape == [9] and not vector.stop_gradient
    other = nn.Linear(2, 3)
    vector_to_parameters(vector, other.parameters())
    np.testing.assert_array_equal(other.weight.numpy(), layer.weight.numpy())
    with pytest.raises(ShapeError, match="9 elements"):
        vector_to_parameters(vector[:4], other.parameters())


@pytest.mark.parametrize("dim, shape", [(0, [3]), (1, [2]), (None, [])])
def test_weight_norm_splits_a_weight(dim, shape):
    with unique_name.guard():
        layer = nn.Conv2D(2, 3, 2)
        x = EagerTensor(np.random.default_rng(0).normal(size=(1, 2, 3, 3)).astype("float32"))
        expected = layer(x).numpy()
        assert weight_norm(layer, dim=dim) is layer
    names = [(key, p.name, p.shape) for key, p in layer.named_parameters()]
    assert names == [
        ("bias", "conv2d_0.b_0", [3]), ("weight_v", "conv2d_0.w_1", [3, 2, 2, 2]), ("weight_g", "conv2d_0.w_2", shape),
    ]  # fmt: skip
    np.testing.assert_allclose(layer(x).numpy(), expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(to_static(layer)(x).numpy(), expected, rtol=1e-5, atol=1e-6)
    layer.weight_g.set_value(layer.weight_g * 2.0)
    result = layer(x)
    np.testing.assert_allclose(result.numpy(), 2 * expected, rtol=1e-4, atol=1e-5)
    result.sum().backward()
    assert layer.weight_g.grad is not None and layer.weight_v.grad is not None
    remove_weight_norm(layer)
    assert sorted(dict(layer.named_parameters())) == ["bias", "weight"]
    np.testing.assert_allclose(layer(x).numpy(), 2 * expected, rtol=1e-4, atol=1e-5)


def test_weight_norm_refuses():
    layer = weight_norm(nn.Linear(2, 2))
    with pytest.raises(ValueError, match="already"):
        weight_norm(layer)
    with pytest.raises(ValueError, match="not normalised"):
        remove_weight_norm(nn.Linear(2, 2))
    with pytest.raises(ShapeError, match="dim=5"):
        weight_norm(nn.Linear(2, 2), dim=5)
