"""`GradientBuckets`: gradients of parameters travel in a few long messages, each as soon as it is complete.

A message is the gradients of some parameters one after the other, and for each of them whether this process has one. The buckets
and their order are the same in all processes: the last layers come first, as they do in a backward pass. A bucket that is complete
before those in front of it waits for them.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from to_static.distributed.world import Sum, World

NAME = "average_gradients"
_numbers = itertools.count()  # of networks: equal in all processes, which make them in one order


class Bucket:
    """The place of some parameters in one message."""

    def __init__(self, parameters: Sequence[Any]) -> None:
        self.parameters = list(parameters)
        self.shapes = [tuple(parameter.shape) for parameter in parameters]
        sizes = [int(np.prod(shape)) for shape in self.shapes]
        self.ends = np.cumsum(sizes).tolist()
        self.dtype = parameters[0].dtype.np
        self.sum_dtype = np.dtype("float32") if self.dtype == np.float16 else self.dtype  # MPI adds no halves
        self.missing: set[int] = set()  # ids of parameters whose gradients are still to come
        self._message: np.ndarray | None = None
        self._sum: Sum | None = None

    def put(self, i: int, array: np.ndarray | None) -> None:
        """Write the gradient of a parameter; None: there is none."""
        if self._message is None:
            self._message = np.empty(self.ends[-1] + len(self.ends), self.sum_dtype)
        start = self.ends[i - 1] if i else 0
        self._message[start : self.ends[i]] = 0 if array is None else array.reshape(-1)
        self._message[self.ends[-1] + i] = array is not None

    def start(self, world: World) -> None:
        """Send the message."""
        assert self._message is not None
        self._sum = world.start_sum(self._message)

    def goes_on(self) -> None:
        """Let MPI work on it, where it is under way."""
        if self._sum is not None:
            self._sum.goes_on()

    def means(self, count: int) -> list[np.ndarray | None]:
        """Wait for the averages over ``count`` processes; None for a parameter of which no process has a gradient."""
        assert self._sum is not None and self._message is not None
        self._sum.wait(NAME)
        message, self._message, self._sum = self._message, None, None
        sums, anywhere = message[: self.ends[-1]], message[self.ends[-1] :]
        sums /= count
        parts = np.split(sums.astype(self.dtype, copy=False), self.ends[:-1])
        return [
            part.reshape(shape) if is_present else None
            for part, shape, is_present in zip(parts, self.shapes, anywhere, strict=True)
        ]


class GradientBuckets:
    """The buckets of parameters.

    Args:
        parameters: in the order of the network.
        world: the processes.
        max_bytes: bytes of a bucket, about.

    Attributes: ``started``: how many buckets are under way.
    """

    def __init__(self, parameters: Sequence[Any], world: World, max_bytes: int) -> None:
        self.buckets = list(map(Bucket, _divided(parameters, max_bytes)))
        self.started = 0
        self._id = next(_numbers)
        self._world = world
        self._apart = world.apart()
        self._places = {id(p): (b, i) for b in self.buckets for i, p in enumerate(b.parameters)}

    def begin(self, awaited: Collection[int]) -> None:
        """A backward pass begins; gradients of the parameters with these ids come with `put`, of others there are none."""
        self.drop()
        for bucket in self.buckets:
            bucket.missing = {id(parameter) for parameter in bucket.parameters}
        for key, (bucket, i) in self._places.items():
            if key not in awaited:
                bucket.put(i, self.accumulated_gradient(bucket.parameters[i]))
                bucket.missing.discard(key)

    @staticmethod
    def accumulated_gradient(parameter: Any) -> np.ndarray | None:
        """The gradient that a parameter has."""
        gradient = parameter.grad
        return None if gradient is None else np.asarray(gradient.numpy())

    def has(self, key: int) -> bool:
        """Return whether the parameter with this id is one of them."""
        return key in self._places

    def parameter(self, key: int) -> Any:
        """The parameter with this id."""
        bucket, i = self._places[key]
        return bucket.parameters[i]

    def put(self, key: int, gradient: np.ndarray) -> None:
        """The whole gradient of the parameter with this id; what is complete starts, what is under way goes on."""
        bucket, i = self._places[key]
        bucket.put(i, gradient)
        bucket.missing.discard(key)
        self.go_on()
        while self.started < len(self.buckets) and not self.buckets[self.started].missing:
            self.start_next()

    def go_on(self) -> None:
        """Let MPI work on what is under way."""
        for bucket in self.buckets[: self.started]:
            bucket.goes_on()

    def start_next(self) -> None:
        """Send the next bucket."""
        self.buckets[self.started].start(self._apart)
        self.started += 1

    def finish(self) -> list[tuple[Any, np.ndarray]]:
        """The averages of all parameters of which any process has a gradient. All buckets are under way.

        Raises ExecutionError, naming it, where a process does something else or does not come.
        """
        self.agree()
        self.started = 0
        size = self._world.size
        pairs = [pair for bucket in self.buckets for pair in zip(bucket.parameters, bucket.means(size), strict=True)]
        return [(parameter, mean) for parameter, mean in pairs if mean is not None]

    def agree(self) -> None:
        """Make sure that all processes average the same gradients now."""
        total = sum(bucket.ends[-1] for bucket in self.buckets)
        self._world.agree(NAME, f"of network {self._id}, {len(self.buckets)} messages of {total} numbers")

    def drop(self) -> None:
        """Forget what a backward pass that failed has begun; the others must have begun as much."""
        if self.started:
            self._world.agree(NAME, f"of network {self._id} again, a pass failed after {self.started} messages")
            for bucket in self.buckets[: self.started]:
                bucket.means(self._world.size)
            self.started = 0


def _divided(parameters: Sequence[Any], max_bytes: int) -> list[list[Any]]:
    """Parameters in buckets of one dtype, the last ones first."""
    buckets: list[list[Any]] = []
    size = 0
    for parameter in reversed(parameters):
        needed = int(np.prod(parameter.shape)) * parameter.dtype.itemsize
        if not buckets or size + needed > max_bytes or buckets[-1][0].dtype != parameter.dtype:
            buckets.append([])
            size = 0
        buckets[-1].append(parameter)
        size += needed
    return buckets
