"""Pointwise activations (rectifiers and sigmoidal ones) far out, at their kinks and on unsuitable input."""

import numpy as np
import pytest

from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import DTypeError, ShapeError
from to_static.nn import functional as F

SMOOTH = "relu relu6 leaky_relu elu celu selu silu swish gelu mish softplus log_sigmoid softsign tanhshrink hardswish".split()


def t(array, grad=False):
    return EagerTensor(np.asarray(array), stop_gradient=not grad)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_values_far_out_are_finite_and_so_are_gradients(name, dtype):
    far = {"float16": 1e4, "float32": 1e30, "float64": 1e150}[dtype] if name not in ("gelu", "hardswish") else 200
    x = t(np.asarray([-far, -200, 0, 200, far], dtype), grad=True)
    y = getattr(F, name)(x)
    assert y.dtype == dtype
    assert np.isfinite(y.numpy()).all()
    if name in ("silu", "swish", "mish", "softsign") and dtype == "float16":
        x = t(np.asarray([-200, 0, 200], dtype), grad=True)
        y = getattr(F, name)(x)
    [g] = tape.grad(y, x)
    assert np.isfinite(g.numpy()).all()


def test_gradients_at_the_kinks_are_those_of_paddle():
    x = t(np.asarray([0.0], "float32"), grad=True)
    for function, want in ((F.relu, 0), (F.relu6, 0), (lambda v: F.leaky_relu(v, 0.1), 1), (F.silu, 0.5)):
        [g] = tape.grad(function(x), x)
        np.testing.assert_allclose(g.numpy(), [want], rtol=1e-6)


def test_in_place_forms_change_the_tensor_and_keep_its_history():
    x = t(np.asarray([-1.0, 2.0], "float32"), grad=True)
    y = x * 3
    assert F.relu_(y) is y
    np.testing.assert_array_equal(y.numpy(), [0, 6])
    [g] = tape.grad(y, x)
    np.testing.assert_array_equal(g.numpy(), [0, 3])
    for name in ("elu_", "leaky_relu_", "hardtanh_", "thresholded_relu_", "softmax_", "tanh_"):
        z = t(np.asarray([-1.0, 2.0], "float32"))
        want = getattr(F, name[:-1])(t(z.numpy())).numpy()
        assert getattr(F, name)(z) is z
        np.testing.assert_array_equal(z.numpy(), want)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: F.relu(t([1, 2])), DTypeError, "relu: expected a floating-point tensor, got int64"),
        (lambda: F.softshrink(t([1.0]), -1), ValueError, "threshold must not be negative"),
        (lambda: F.celu(t([1.0]), 0), ZeroDivisionError, "alpha"),
        (lambda: F.selu(t([1.0]), 0.5), ValueError, "scale > 1"),
        (lambda: F.prelu(t(np.ones((2, 3), "float32")), t(np.ones(2, "float32"))), ShapeError, "one per channel"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
