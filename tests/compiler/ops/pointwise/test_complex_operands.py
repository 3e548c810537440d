"""A complex tensor beside a real one: both are complex, whatever the operator and the order."""

import operator

import numpy as np
import pytest

import to_static as paddle
from to_static.nn import functional as F

Z = np.array([1 + 2j, -1.5 + 0.5j], "complex64")


@pytest.mark.filterwarnings("ignore:.*right one is converted")
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "bool"])
@pytest.mark.parametrize("compute", [operator.add, operator.sub, operator.mul, operator.truediv, paddle.divide])
@pytest.mark.parametrize("turned", [False, True])
def test_real_and_complex(compute, dtype, turned):
    x = np.array([1, 2], dtype)
    a, b = (Z, x) if turned else (x, Z)
    plain = operator.truediv if compute is paddle.divide else compute
    for call in (compute, paddle.jit.to_static(lambda p, q: compute(p, q), full_graph=True)):
        found = call(paddle.to_tensor(a), paddle.to_tensor(b)).numpy()
        assert found.dtype.kind == "c"
        np.testing.assert_allclose(found, plain(a.astype("complex64"), b.astype("complex64")), rtol=1e-6)


def test_activations():
    z = paddle.to_tensor(Z)
    for found, wanted in (
        (F.silu(z), Z / (1 + np.exp(-Z))),
        (F.softplus(z), np.log1p(np.exp(Z))),
        (F.log_sigmoid(z), -np.log1p(np.exp(-Z))),
    ):
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-6)
