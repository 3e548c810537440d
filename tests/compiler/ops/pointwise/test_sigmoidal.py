"""Sigmoidal activations against their definitions, and their exact and approximate forms."""

import math

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import DTypeError
from to_static.nn import functional as F

X = np.linspace(-6, 6, 25)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


DEFINITIONS = {
    "silu": X * sigmoid(X),
    "swish": X * sigmoid(X),
    "gelu": np.asarray([0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in X]),
    "mish": X * np.tanh(np.log1p(np.exp(X))),
    "softplus": np.log1p(np.exp(X)),
    "log_sigmoid": np.log(sigmoid(X)),
    "softsign": X / (1 + np.abs(X)),
    "tanhshrink": X - np.tanh(X),
    "hardswish": X * np.clip(X + 3, 0, 6) / 6,
    "hardsigmoid": np.clip(X * 0.1666667 + 0.5, 0, 1),
}


@pytest.mark.parametrize("name", DEFINITIONS)
@pytest.mark.parametrize(("dtype", "rtol"), [("float32", 3e-6), ("float64", 1e-7)])
def test_definition(name, dtype, rtol):
    y = getattr(F, name)(EagerTensor(X.astype(dtype)))
    assert y.dtype == dtype
    np.testing.assert_allclose(y.numpy(), DEFINITIONS[name], rtol=rtol, atol=1e-6 if dtype == "float32" else 1e-9)


def test_the_tanh_form_of_gelu_is_close_but_not_equal():
    x = EagerTensor(X.astype("float32"))
    gap = np.abs(F.gelu(x).numpy() - F.gelu(x, approximate=True).numpy()).max()
    assert 1e-4 < gap < 1e-3


def test_gelu_of_float32_is_as_precise_as_its_numbers():
    x = np.linspace(-12, 12, 9001).astype("float32")
    exact = np.asarray([0.5 * v * math.erfc(-v / math.sqrt(2)) for v in x.astype("float64")])
    assert np.abs(F.gelu(EagerTensor(x)).numpy() - exact).max() < 7e-7
    far = EagerTensor(np.asarray([-1e18, -60, 60, 1e18, np.inf, np.nan], "float32"))
    np.testing.assert_array_equal(F.gelu(far).numpy(), np.asarray([-0.0, -0.0, 60, 1e18, np.inf, np.nan], "float32"))


def test_softplus_turns_linear_at_its_threshold():
    y = F.softplus(EagerTensor(np.asarray([1.0, 2.0], "float32")), beta=2, threshold=3).numpy()
    np.testing.assert_allclose(y, [np.log1p(np.exp(2)) / 2, 2], rtol=1e-6)


def test_integers_are_refused():
    for name in DEFINITIONS:
        with pytest.raises(DTypeError, match=f"{name}: expected a floating-point tensor"):
            getattr(F, name)(EagerTensor(np.arange(3)))
