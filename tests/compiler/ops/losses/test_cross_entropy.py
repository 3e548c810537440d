"""Cross entropy: labels, shapes, options that exclude each other."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import DTypeError, ShapeError
from to_static.nn import functional as F


def t(array, grad=False):
    return EagerTensor(np.asarray(array), stop_gradient=not grad)


def r(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-2, 2, shape).astype("float32")


def test_huge_logits_give_finite_losses_and_gradients():
    x = t(np.asarray([[1e4, 0, -1e4]], "float32"), grad=True)
    loss = F.cross_entropy(x, t([2]))
    [g] = tape.grad(loss, x)
    assert loss.numpy() == 2e4
    np.testing.assert_array_equal(g.numpy(), [[1, 0, -1]])


@pytest.mark.parametrize("label", [[0, 2], [[0], [2]], np.asarray([0, 2], "uint8"), np.asarray([[0], [2]], "int32")])
def test_labels_of_any_integer_dtype_with_or_without_the_class_axis(label):
    x = r(2, 3)
    log_p = x - np.log(np.exp(x).sum(1, keepdims=True))
    want = -(log_p[0, 0] + log_p[1, 2]) / 2
    np.testing.assert_allclose(F.cross_entropy(t(x), t(label)).numpy(), want, rtol=1e-6)


def test_soft_labels_count_as_distributions_in_the_gradient_and_get_none():
    x, label = t(r(1, 3), grad=True), np.asarray([[2, 1, 0]], "float32")
    wanted = t(label, grad=True)
    g, none = tape.grad(F.cross_entropy(x, wanted, soft_label=True), [x, wanted], allow_unused=True)
    assert none is None
    p = np.exp(x.numpy()) / np.exp(x.numpy()).sum()
    np.testing.assert_allclose(g.numpy(), p - label, rtol=1e-5)


def test_smoothing_works_along_any_axis():
    x, label = r(2, 3, 4), np.asarray([[0, 1, 2, 0], [2, 2, 1, 0]])
    first = F.cross_entropy(t(x), t(label), axis=1, label_smoothing=0.2).numpy()
    last = F.cross_entropy(t(x.transpose(0, 2, 1).copy()), t(label), label_smoothing=0.2).numpy()
    np.testing.assert_allclose(first, last, rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: F.cross_entropy(t(r(2, 3)), t([0, 3])), IndexError, r"labels must lie in \[0, 3\) or be -100"),
        (lambda: F.cross_entropy(t(r(2, 3)), t([0, -1])), IndexError, "got values from -1 to 0"),
        (lambda: F.cross_entropy(t(r(2, 3)), t([0, 1, 2])), ShapeError, r"must have shape \[2\] \(or \[2, 1\]\), got \[3\] "),
        (lambda: F.cross_entropy(t(r(2, 3)), t([[[0]]])), ShapeError, "as many dimensions as the input or one less"),
        (lambda: F.cross_entropy(t(r(2, 3)), t(r(2))), DTypeError, "labels must be integers"),
        (lambda: F.cross_entropy(t(r(2, 3)), t([[0, 1, 0]] * 2), soft_label=True), DTypeError, "must be floating"),
        (lambda: F.cross_entropy(t(r(2, 3)), t([0, 1]), reduction="avg"), ValueError, "reduction"),
        (lambda: F.cross_entropy(t(r(2, 3)), t([0, 1]), t(r(2))), ShapeError, r"weight must have shape \[3\]"),
        (lambda: F.cross_entropy(t(r(2, 3)), t(r(2, 3)), ignore_index=1, soft_label=True), ValueError, "soft labels"),
        (lambda: F.cross_entropy(t(np.ones((2, 3), "int64")), t([0, 1])), DTypeError, "floating-point"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (paddle.to_tensor([0, 1]), r"labels must have shape \[3\] \(or \[3, 1\]\), got \[2\] \(or \[2, 1\]\)"),
        (paddle.to_tensor([[0, 1]] * 3), r"got \[3, 2\]; one-hot labels are for soft_label=True"),
        (paddle.to_tensor([0.0, 1.0, 0.0]), r"labels must be integers, `label.astype\('int64'\)`"),
    ],
)
def test_labels_that_do_not_fit(labels, said):
    with pytest.raises((ShapeError, DTypeError), match=said):
        F.cross_entropy(paddle.ones([3, 2]), labels)
