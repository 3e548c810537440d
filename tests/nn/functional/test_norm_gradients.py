"""Normalization: which of its parameters get gradients."""

import pytest

import to_static as paddle
from to_static import nn


@pytest.mark.parametrize("given", ["weight", "bias", "both"])
def test_batch_norm_has_gradients_of_both_or_of_neither(given):
    """As in Paddle."""
    options = {} if given == "both" else {"weight_attr" if given == "bias" else "bias_attr": False}
    for kind, shape in ((nn.BatchNorm1D, [3, 2, 4]), (nn.BatchNorm2D, [3, 2, 4, 4]), (nn.BatchNorm3D, [3, 2, 2, 4, 4])):
        for net in (kind(2, **options), paddle.jit.to_static(kind(2, **options))):
            x = paddle.rand(shape)
            x.stop_gradient = False
            (net(x) ** 2).sum().backward()
            assert x.grad is not None
            parts = [p for p in (net.weight, net.bias) if p is not None]
            assert [p.grad is not None for p in parts] == ([True, True] if given == "both" else [False])
