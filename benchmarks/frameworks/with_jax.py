"""The workloads in JAX, under ``jit``."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

ONE = os.environ.get("OMP_NUM_THREADS", "1") == "1"
if ONE:  # before it is imported
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax  # noqa: E402
from jax import lax, nn  # noqa: E402
from jax import numpy as jnp  # noqa: E402

from frameworks.nets import NETS, STEPS  # noqa: E402

_ACTS = {
    "relu": nn.relu, "gelu": lambda x: nn.gelu(x, approximate=False), "tanh": jnp.tanh, "sigmoid": nn.sigmoid,
    "hardswish": nn.hard_swish, "hardsigmoid": nn.hard_sigmoid, "softmax": lambda x: nn.softmax(x, -1),
}  # fmt: skip


class Jax:
    """The primitives."""

    def linear(self, x, w, b):
        return x @ w + b

    def matmul(self, x, y):
        return x @ y

    def conv(self, x, w, b, stride, pad, groups):
        y = lax.conv_general_dilated(x, w, (stride, stride), [(pad, pad)] * 2, feature_group_count=groups)
        return y if b is None else y + b.reshape(1, -1, 1, 1)

    def batch_norm(self, x, scale, shift, mean, variance, epsilon):
        rate = scale / jnp.sqrt(variance + epsilon)
        return x * rate.reshape(1, -1, 1, 1) + (shift - mean * rate).reshape(1, -1, 1, 1)

    def layer_norm(self, x, scale, shift):
        mean = x.mean(-1, keepdims=True)
        return (x - mean) / jnp.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * scale + shift

    def max_pool(self, x, size, stride, pad):
        pads = [(0, 0), (0, 0), (pad, pad), (pad, pad)]
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, size, size), (1, 1, stride, stride), pads)

    def mean(self, x):
        return x.mean((2, 3), keepdims=True)

    def act(self, kind, x):
        return _ACTS[kind](x)

    def reshape(self, x, shape):
        return x.reshape(shape)

    def transpose(self, x, perm):
        return x.transpose(perm)

    def split(self, x, count):
        return jnp.split(x, count, 0)

    def concat(self, x, y, axis):
        return jnp.concatenate((x, y), axis)


def _recurrent(x, w, b, n, weights):
    def trip(state):
        x, i = state
        x = jnp.tanh(x @ w + b)
        return lax.cond(x.sum() > 0, lambda x: x * 0.5, lambda x: x, x), i + 1

    return lax.while_loop(lambda state: state[1] < n, trip, (x, 0))[0]


def _lstm(x, weights):
    wi, wh, bi, bh = weights

    def cell(state, row):
        h, c = state
        i, f, g, o = jnp.split(row + wh @ h, 4)
        c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
        h = nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zero = jnp.zeros(wh.shape[1])
    return lax.scan(cell, (zero, zero), x[0] @ wi.T + bi + bh)[1]


def _step(name: str, weights: list[Any], inputs: list[Any], rate: float) -> Callable[[], Any]:
    f, x, y = Jax(), jnp.asarray(inputs[0]), jnp.asarray(inputs[1])

    def loss_of(w, x, y):
        scores = nn.log_softmax(STEPS[name](f, x, w), -1)
        return -jnp.take_along_axis(scores, y[:, None], 1).mean()

    def step(w, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(w, x, y)
        return loss, [a - rate * g for a, g in zip(w, gradients, strict=True)]

    compiled, state = jax.jit(step, donate_argnums=0), [jnp.array(a) for a in weights]

    def run():
        loss, state[:] = compiled(list(state), x, y)
        return jax.block_until_ready((loss, *state))[0]

    return run


def ways(name: str, weights: list[Any], inputs: list[Any], rate: float) -> dict[str, Callable[[], Callable[[], Any]]]:
    """JAX under ``jit``."""
    if name in STEPS:
        return {"jax.jit": lambda: _step(name, weights, inputs, rate)}
    special, f = {"b": _recurrent, "i": _lstm}, Jax()
    w, x = [jnp.asarray(a) for a in weights], [jnp.asarray(a) for a in inputs]
    compiled = jax.jit(special[name] if name in special else lambda *values: NETS[name](f, *values))
    return {"jax.jit": lambda: lambda: jax.block_until_ready(compiled(*x, w))}
