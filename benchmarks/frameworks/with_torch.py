"""The workloads in PyTorch: as it is, and compiled."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional

from frameworks.nets import NETS, STEPS

torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
_ACTS = {
    "relu": functional.relu, "gelu": functional.gelu, "tanh": torch.tanh, "sigmoid": torch.sigmoid,
    "hardswish": functional.hardswish, "hardsigmoid": functional.hardsigmoid, "softmax": lambda x: torch.softmax(x, -1),
}  # fmt: skip


class Torch:
    """The primitives."""

    def linear(self, x, w, b):
        return functional.linear(x, w.T, b)

    def matmul(self, x, y):
        return x @ y

    def conv(self, x, w, b, stride, pad, groups):
        return functional.conv2d(x, w, b, stride, pad, groups=groups)

    def batch_norm(self, x, scale, shift, mean, variance, epsilon):
        return functional.batch_norm(x, mean, variance, scale, shift, eps=epsilon)

    def layer_norm(self, x, scale, shift):
        return functional.layer_norm(x, x.shape[-1:], scale, shift)

    def max_pool(self, x, size, stride, pad):
        return functional.max_pool2d(x, size, stride, pad)

    def mean(self, x):
        return functional.adaptive_avg_pool2d(x, 1)

    def act(self, kind, x):
        return _ACTS[kind](x)

    def reshape(self, x, shape):
        return x.reshape(shape)

    def transpose(self, x, perm):
        return x.permute(perm)

    def split(self, x, count):
        return x.chunk(count, 0)

    def concat(self, x, y, axis):
        return torch.cat((x, y), axis)


def _tensors(arrays: list[Any], trained: bool = False) -> list[Any]:
    """Matrices with their columns in a row of memory, as `torch.nn.Linear` keeps them."""
    found = []
    for array in arrays:
        tensor = torch.from_numpy(array.T.copy()).T if array.ndim == 2 else torch.from_numpy(array.copy())
        found.append(tensor.requires_grad_(trained))
    return found


def _recurrent(x, w, b, n):
    i = torch.zeros([], dtype=torch.int64)
    while i < n:
        x = torch.tanh(x @ w + b)
        if x.sum() > 0:
            x = x * 0.5
        i = i + 1
    return x


def _step(name: str, weights: list[Any], inputs: list[Any], rate: float) -> Callable[[], Any]:
    net, f, w = STEPS[name], Torch(), _tensors(weights, True)
    x, y = torch.from_numpy(inputs[0]), torch.from_numpy(inputs[1])
    optimizer = torch.optim.SGD(w, lr=rate)

    def run():
        loss = functional.cross_entropy(net(f, x, w), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss

    return run


def ways(name: str, weights: list[Any], inputs: list[Any], rate: float) -> dict[str, Callable[[], Callable[[], Any]]]:
    """PyTorch as it is (``inference_mode`` where nothing is trained), and compiled."""
    if name in STEPS:
        return {"torch": lambda: _step(name, weights, inputs, rate)}
    w, x = _tensors(weights), [torch.from_numpy(a) for a in inputs]
    if name == "b":
        net = _recurrent
    elif name == "i":
        layer = torch.nn.LSTM(128, 128, batch_first=True)
        for parameter, value in zip(layer.parameters(), w, strict=True):
            parameter.data = value.contiguous()
        net = layer
    else:
        f = Torch()

        def net(*x):
            return NETS[name](f, *x, w)

    def quiet(function: Any, mode: Any) -> Callable[[], Any]:
        def run():
            with mode():
                return function(*x)

        return run

    found = {"torch": lambda: quiet(net, torch.inference_mode), "torch, no_grad": lambda: quiet(net, torch.no_grad)}
    if name not in ("b", "i", "f", "k"):  # loops are unrolled or break, and large networks take it many seconds
        found["torch.compile"] = lambda: quiet(torch.compile(net), torch.inference_mode)
    return found
