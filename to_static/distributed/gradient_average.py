"""`GradientAverage`: after each ``backward()``, the gradients of parameters become those of all processes together."""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops import functions
from to_static.core.after_backward import call_after_backward
from to_static.core.diagnostics.printable import printable
from to_static.core.dtypes import int64
from to_static.core.errors import ExecutionError
from to_static.distributed.gradient_buckets import GradientBuckets
from to_static.distributed.groups import Group


class GradientAverage:
    """Averages gradients in buckets, which travel while the backward pass goes on.

    In dynamic mode a bucket starts when nothing is added to its gradients any more. In a static training step operators of the
    Program start it, and others at the end of the backward pass take the averages.

    Args:
        parameters: those of the network.
        group: the processes.
        bucket_bytes: the size of a bucket, about.

    Attributes: ``paused``: while it is True nothing is averaged.
    """

    def __init__(self, parameters: Sequence[Any], group: Group, bucket_bytes: int) -> None:
        self._parameters = [parameter for parameter in parameters if not parameter.stop_gradient]
        self.paused = False
        self._buckets: GradientBuckets | None = None
        if group.world.size > 1 and self._parameters:
            self._buckets = GradientBuckets(self._parameters, group.world, bucket_bytes)
            call_after_backward(self)

    def begin(self, reached: Collection[int]) -> bool:
        """A backward pass begins: return whether it adds to any of the parameters, and so is to be averaged."""
        buckets = self._buckets
        if buckets is None or self.paused or not any(map(buckets.has, reached)):
            return False
        buckets.begin(reached)
        return True

    def final(self, leaf: int, gradient: np.ndarray) -> None:
        """The pass has the whole gradient of a leaf, which is added to what is there."""
        buckets = self._buckets
        if buckets is not None and buckets.has(leaf):
            accumulated = buckets.accumulated_gradient(buckets.parameter(leaf))
            buckets.put(leaf, gradient if accumulated is None else accumulated + gradient)

    def average(self, reached: Collection[int]) -> None:
        """Exchange the gradients, if any was added to them."""
        buckets = self._buckets
        if buckets is None or self.paused or not any(map(buckets.has, reached)):
            return
        if mode.tracing():
            self._trace(buckets)
        else:
            self.average_now()

    def average_now(self) -> None:
        """Exchange the gradients as they are."""
        buckets = self._buckets
        if buckets is None:
            return
        for bucket in buckets.buckets[buckets.started :]:
            for i, parameter in enumerate(bucket.parameters):
                bucket.put(i, buckets.accumulated_gradient(parameter))
            buckets.start_next()
        for parameter, mean in buckets.finish():
            parameter.grad = type(parameter.detach())(mean)

    def _trace(self, buckets: GradientBuckets) -> None:
        """Append the operators that start each bucket, as early as its gradients are there, and the one that takes the averages."""
        builder: Any = mode.current()
        order = [(bucket, parameter) for bucket in buckets.buckets for parameter in bucket.parameters]
        with_gradient = {id(parameter) for _, parameter in order if parameter.grad is not None}
        tokens: list[Any] = []
        with mode.grad_mode(False):
            for bucket_index, bucket in enumerate(buckets.buckets):
                gradient_mask = [id(parameter) in with_gradient for parameter in bucket.parameters]
                gradients = [p.grad for p, has_gradient in zip(bucket.parameters, gradient_mask, strict=True) if has_gradient]
                call = functools.partial(_start, buckets, bucket_index, gradient_mask)
                token = _one(functions.py_func(gradients, call, None, (_TOKEN,)))
                builder.move_up(token, tokens[-1:])
                tokens.append(token)
            chosen = [parameter for _, parameter in order if id(parameter) in with_gradient]
            specs = tuple(parameter.grad.spec for parameter in chosen)
            means = functions.py_func(tokens, functools.partial(_finish, buckets, with_gradient), None, specs)
            for parameter, mean in zip(chosen, means if isinstance(means, (list, tuple)) else [means], strict=True):
                parameter.grad = mean


_TOKEN = TensorSpec((), int64)  # that of an operator that starts a bucket, for the one that takes the averages


def _start(buckets: GradientBuckets, bucket_index: int, gradient_mask: list[bool], arrays: list[np.ndarray]) -> list[np.ndarray]:
    """Send the gradients of a bucket, of which this process has some."""
    if bucket_index == 0:
        buckets.drop()
    values = iter(arrays)
    for i, has_gradient in enumerate(gradient_mask):
        buckets.buckets[bucket_index].put(i, next(values) if has_gradient else None)
    buckets.go_on()
    buckets.start_next()
    return [np.array(bucket_index)]


def _finish(buckets: GradientBuckets, with_gradient: set[int], tokens: list[np.ndarray]) -> list[np.ndarray]:
    """The averages of the parameters that have a gradient here. Raises ExecutionError where others have more."""
    pairs = buckets.finish()
    for parameter, _ in pairs:
        if id(parameter) not in with_gradient:
            raise ExecutionError(
                f"DataParallel: another process has a gradient of {printable(parameter.name)}, and the static training step of "
                "this one has none: let all processes take the same branches, or call backward() outside of the static function"
            )
    return [mean for _, mean in pairs]


def _one(results: Any) -> Any:
    return results[0] if isinstance(results, (list, tuple)) else results
