"""Complex tensors: gradients as Paddle's (the conjugate of the derivative), and what is refused."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import DTypeError, ShapeError

A, B = np.array([[1, 2], [3, -1], [0.5, 0.25]], "float32"), np.array([[2, -1], [1, 1], [0.5, 3]], "float32")
W = np.array([0.3, -0.7, 1.1], "float32")
CALLS = {
    "product": lambda a, b: a * b,
    "quotient": lambda a, b: a / b,
    "conjugate": lambda a, b: a + paddle.conj(b),
    "matrices": lambda a, b: paddle.matmul(a.reshape([1, 3]), b.reshape([3, 1]))[0] * a,
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("part", [paddle.real, paddle.imag, paddle.abs, paddle.angle])
def test_gradients_are_differences(name, part):
    def loss(a, b):
        return (part(CALLS[name](paddle.as_complex(a), paddle.as_complex(b))) * paddle.to_tensor(W.astype("float64"))).sum()

    a, b = (paddle.to_tensor(v.astype("float64"), stop_gradient=False) for v in (A, B))
    loss(a, b).backward()
    for which, t in enumerate((a, b)):
        way = np.random.default_rng(which).normal(size=t.shape)
        sides = []
        for step in (1e-6, -1e-6):
            moved = [paddle.to_tensor(v.astype("float64") + (step * way if k == which else 0)) for k, v in enumerate((A, B))]
            sides.append(float(loss(*moved)))
        np.testing.assert_allclose((t.grad.numpy() * way).sum(), (sides[0] - sides[1]) / 2e-6, rtol=1e-5)


def test_gradient_of_a_product_is_paddles():
    a, b = (paddle.to_tensor(v, stop_gradient=False) for v in (A, B))
    (paddle.abs(paddle.as_complex(a) * paddle.as_complex(b)) * paddle.to_tensor(W)).sum().backward()
    # recorded from Paddle 2.6.2
    np.testing.assert_allclose(a.grad.numpy(), [[0.3, 0.6], [-0.9391, 0.313], [2.9923, 1.4962]], atol=1e-4)
    np.testing.assert_allclose(b.grad.numpy(), [[0.6, -0.3], [-1.5652, -1.5652], [0.1011, 0.6066]], atol=1e-4)


def test_static_functions_and_files_hold_complex_values(tmp_path):
    class Net(paddle.nn.Layer):
        def forward(self, x):
            z = paddle.as_complex(x)
            return paddle.as_real(z * paddle.conj(z)), paddle.abs(z), paddle.angle(z)

    x = paddle.to_tensor(A)
    expected = [t.numpy() for t in Net()(x)]
    for net in (paddle.jit.to_static(Net()), _again(Net(), str(tmp_path / "net"))):
        for found, want in zip(net(x), expected, strict=True):
            np.testing.assert_allclose(found.numpy(), want, rtol=1e-6)


def _again(net, path):
    paddle.jit.save(net, path, input_spec=[paddle.static.InputSpec([None, 2], "float32", "x")])
    return paddle.jit.load(path)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ShapeError, match="as_complex: the last dimension must be 2"):
        paddle.as_complex(paddle.ones([2, 3]))
    with pytest.raises(DTypeError, match="real: expected complex64 or complex128, got float32"):
        paddle.real(paddle.ones([2]))
    with pytest.raises(DTypeError, match="complex: expected parts of one dtype"):
        paddle.complex(paddle.ones([2]), paddle.ones([2], "float64"))
