"""`GradientAverage`: after each ``backward()``, the gradients of parameters become those of all processes together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ops import functions
from to_static.core.after_backward import call_after_backward
from to_static.distributed.groups import Group
from to_static.distributed.world import World

Signature = list[tuple[int, int, int] | None]


class GradientAverage:
    """Averages gradients in buckets: the parameters' arrays lie one after the other, so that one message carries many.

    It is made when ``backward()`` has ended: in dynamic mode, and as an operator of the Program in a static training step.

    Args:
        parameters: those of the network.
        group: the processes.
        bucket_bytes: the size of a bucket, about.

    Attributes: ``paused``: while it is True nothing is averaged.
    """

    def __init__(self, parameters: Sequence[Any], group: Group, bucket_bytes: int) -> None:
        self._parameters = [parameter for parameter in parameters if not parameter.stop_gradient]
        self._group = group
        self._bucket_bytes = bucket_bytes
        self._averaged: Signature = []
        self.paused = False
        if group.world.size > 1:
            call_after_backward(self)

    def average(self) -> None:
        """Exchange the gradients, unless nothing has been added to them since the last time."""
        if self.paused:
            return
        if mode.tracing():
            self._trace()
            return
        signature = self._signature()
        if signature == self._averaged or not any(signature):
            return
        here = self._group.world
        for bucket in self._buckets([p for p in self._parameters if not p.stop_gradient]):
            arrays = [self._numbers(p) for p in bucket]
            there = np.array([p.grad is not None for p in bucket], np.float32)
            means, anywhere = _averaged(here, arrays), here.all_reduce([there], "sum")[0]
            for parameter, mean, count in zip(bucket, means, anywhere, strict=True):
                if count:
                    parameter.grad = type(parameter.detach())(mean)
        self._averaged = self._signature()

    def _numbers(self, parameter: Any) -> np.ndarray:
        grad = parameter.grad
        return np.zeros(parameter.shape, parameter.dtype.np) if grad is None else np.asarray(grad.numpy())

    def _signature(self) -> Signature:
        gradients = [parameter.grad for parameter in self._parameters]
        return [None if g is None else (id(g), id(g._array), g._version) for g in gradients]

    def _trace(self) -> None:
        here = self._group.world
        parameters = [parameter for parameter in self._parameters if parameter.grad is not None]
        for bucket in self._buckets(parameters):
            gradients = [parameter.grad for parameter in bucket]
            with mode.grad_mode(False):
                specs = tuple(gradient.spec for gradient in gradients)
                means = functions.py_func(gradients, lambda arrays: _averaged(here, arrays), None, specs)
                for parameter, mean in zip(bucket, means if isinstance(means, (list, tuple)) else [means], strict=True):
                    parameter.grad = mean

    def _buckets(self, parameters: Sequence[Any]) -> list[list[Any]]:
        """The parameters in buckets of one dtype, the last layers first."""
        buckets: list[list[Any]] = []
        size = 0
        for parameter in reversed(parameters):
            needed = int(np.prod(parameter.shape)) * parameter.dtype.itemsize
            if not buckets or size + needed > self._bucket_bytes or buckets[-1][0].dtype != parameter.dtype:
                buckets.append([])
                size = 0
            buckets[-1].append(parameter)
            size += needed
        return buckets


def _averaged(here: World, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """The averages over all processes, in one message."""
    flat = np.concatenate([array.reshape(-1) for array in arrays])
    [mean] = here.all_reduce([flat], "avg")
    ends = np.cumsum([array.size for array in arrays])[:-1]
    return [part.reshape(array.shape) for part, array in zip(np.split(mean, ends), arrays, strict=True)]
