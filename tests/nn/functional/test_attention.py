"""Attention: masks, causality, dropout of weights; and gradients through it."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import ShapeError
from to_static.nn import functional as F


def t(array, grad=False):
    return EagerTensor(np.asarray(array), stop_gradient=not grad)


def r(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


Q, K, V = r(2, 3, 2, 4), r(2, 5, 2, 4, seed=1), r(2, 5, 2, 4, seed=2)


def by_hand(mask):
    """One head and position at a time."""
    out = np.zeros((2, 3, 2, 4))
    for b, i, h in np.ndindex(2, 3, 2):
        scores = K[b, :, h] @ Q[b, i, h] / 2
        weights = np.where(mask[i], np.exp(scores), 0)
        out[b, i, h] = weights @ V[b, :, h] / weights.sum()
    return out


def test_boolean_and_additive_masks():
    allowed = np.asarray([[1, 1, 0, 0, 1], [0, 1, 0, 0, 0], [1, 1, 1, 1, 1]], bool)
    want = by_hand(allowed)
    got = F.scaled_dot_product_attention(t(Q), t(K), t(V), t(allowed))
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-4, atol=1e-6)
    added = np.where(allowed, 0, -1e9).astype("float32")[None, None]
    np.testing.assert_allclose(F.scaled_dot_product_attention(t(Q), t(K), t(V), t(added)).numpy(), want, rtol=1e-4, atol=1e-6)


def test_causal_attention_sees_the_past_only():
    got = F.scaled_dot_product_attention(t(Q), t(K), t(V), is_causal=True).numpy()
    np.testing.assert_allclose(got, by_hand(np.tri(3, 5, dtype=bool)), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(got[:, 0], V[:, 0], rtol=1e-5)


def test_gradients_reach_all_three():
    inputs = [t(a, grad=True) for a in (Q, K, V)]
    grads = tape.grad(F.scaled_dot_product_attention(*inputs), inputs)
    np.testing.assert_allclose(grads[2].numpy().sum(), 2 * 3 * 2 * 4, rtol=1e-5)  # weights sum to one
    assert [g.shape for g in grads] == [list(Q.shape), list(K.shape), list(V.shape)]


def test_dropout_only_while_training():
    same = F.scaled_dot_product_attention(t(Q), t(K), t(V), dropout_p=0.9, training=False)
    np.testing.assert_array_equal(same.numpy(), F.scaled_dot_product_attention(t(Q), t(K), t(V)).numpy())
    dropped = F.scaled_dot_product_attention(t(Q), t(K), t(V), dropout_p=1.0)
    assert not dropped.numpy().any()


def test_what_does_not_fit_is_refused():
    with pytest.raises(ShapeError, match="key must be .batch, length, heads, d."):
        F.scaled_dot_product_attention(t(Q), t(K[0]), t(V))


def test_sizes_that_only_a_run_knows():
    q = paddle.to_tensor(np.random.default_rng(0).normal(size=(2, 3, 2, 4)).astype("float32"))
    spec = paddle.static.InputSpec([None, None, None, None])
    static = paddle.jit.to_static(lambda q: F.scaled_dot_product_attention(q, q, q), input_spec=[spec])
    np.testing.assert_allclose(static(q).numpy(), F.scaled_dot_product_attention(q, q, q).numpy(), rtol=1e-5, atol=1e-6)
