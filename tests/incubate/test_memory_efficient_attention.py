"""Attention under the name that Paddle has for GPUs."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ArgumentTypeError
from to_static.incubate.nn.attn_bias import LowerTriangularMask
from to_static.incubate.nn.memory_efficient_attention import memory_efficient_attention
from to_static.nn import functional as F


def test_it_is_attention():
    q, k, v = (paddle.to_tensor(np.random.default_rng(i).normal(size=(2, 5, 3, 4)).astype("float32")) for i in range(3))
    same = F.scaled_dot_product_attention(q, k, v)
    np.testing.assert_allclose(memory_efficient_attention(q, k, v).numpy(), same.numpy(), rtol=1e-5, atol=1e-6)
    causal = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    found = memory_efficient_attention(q, k, v, LowerTriangularMask())
    np.testing.assert_allclose(found.numpy(), causal.numpy(), rtol=1e-5, atol=1e-6)
    bias = paddle.ones([5, 5])
    found = memory_efficient_attention(q, k, v, LowerTriangularMask().add_bias(bias))  # the same for all: nothing changes
    np.testing.assert_allclose(found.numpy(), causal.numpy(), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(memory_efficient_attention(q, k, v, bias).numpy(), same.numpy(), rtol=1e-5, atol=1e-6)
    with pytest.raises(ArgumentTypeError):
        memory_efficient_attention(q, k, v, "a mask")
    assert F.flash_attention._select_sdp(64) == "math"


def test_the_likeliest_are_drawn():
    paddle.seed(1)
    x = paddle.to_tensor([[0.1, 0.7, 0.2], [0.3, 0.3, 0.4]])
    value, index = paddle.tensor.top_p_sampling(x, paddle.to_tensor([0.5, 0.01]))
    assert index.numpy().tolist() == [[1], [2]] and value.numpy().tolist() == [[np.float32(0.7)], [np.float32(0.4)]]
    seen = {int(paddle.tensor.top_p_sampling(x, paddle.to_tensor([0.8, 0.01]), seed=i)[1][0, 0]) for i in range(20)}
    assert seen == {1, 2}
    _, index = paddle.tensor.top_p_sampling(x, paddle.to_tensor([1.0, 1.0]), paddle.to_tensor([0.5, 0.35]))
    assert index.numpy().tolist() == [[1], [2]]
