"""Gradients of Programs in which dimensions are unknown are those of dynamic mode."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle

F = paddle.nn.functional
NORM = paddle.nn.InstanceNorm2D(2)
CASES = {
    "diagonal": (lambda x: paddle.diagonal(x), (3, 4)),
    "diagonal above": (lambda x: paddle.diagonal(x, 1), (3, 4)),
    "diagonal below": (lambda x: paddle.diagonal(x, -1, 1, 0), (3, 4)),
    "trace": (lambda x: paddle.trace(x), (3, 4)),
    "unfold": (lambda x: F.unfold(x, 2), (1, 2, 4, 3)),
    "prod": (lambda x: paddle.prod(x, 1), (3, 5)),
    "prod of all": (lambda x: paddle.prod(x), (3, 4)),
    "prod with zeros": (lambda x: paddle.prod(x * (x > 0.5).astype("float32"), 1), (3, 7)),
    "cumprod": (lambda x: paddle.cumprod(x, 1), (3, 4)),
    "cumprod of one": (lambda x: paddle.cumprod(x, 0), (1, 4)),
    "instance norm": (NORM, (2, 2, 3, 3)),
    "instance norm without weights": (lambda x: F.instance_norm(x), (2, 3, 3, 2)),
    "group norm": (lambda x: F.group_norm(x, 2), (2, 4, 3)),
    "second order": (lambda x: paddle.grad(paddle.prod(x, 1).sum(), [x], create_graph=True)[0], (3, 4)),
    "second order of unfold": (
        lambda x: paddle.grad((F.unfold(x, 2) ** 2).sum(), [x], create_graph=True)[0], (1, 1, 3, 3)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_gradients(name):
    function, shape = CASES[name]
    spec = paddle.static.InputSpec([None] * len(shape), "float32")
    static = paddle.jit.to_static(lambda x: function(x), input_spec=[spec])
    found = []
    for call in (function, static):
        x = paddle.to_tensor(np.random.default_rng(3).random(shape, "float32") + 0.1, stop_gradient=False)
        result = call(x)
        (result * result).sum().backward()
        found.append(x.grad.numpy())
    np.testing.assert_allclose(*found, rtol=5e-5, atol=1e-5)
