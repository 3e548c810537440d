"""Methods that are timed by themselves while a `Profiler` records: a table of them.

At other times they are what they were, so that nothing is asked, let alone measured, in them. They are methods that functions of
users do not name, since a static function that names one is traced anew when it becomes another.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

from to_static.compiler.eager.mode import EagerMode
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.runtime.diagnostics import op_profiler
from to_static.io.loader import DataLoader
from to_static.nn.layer import Layer
from to_static.optimizer.optimizer import Optimizer
from to_static.profiler.events import TracerEventType, clock, keep
from to_static.profiler.timer import benchmark

_shapes = False  # whether shapes of operators' inputs are kept


def _operator(old: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(old)
    def apply(self: Any, opdef: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        begin = clock()
        try:
            return old(self, opdef, inputs, attrs)
        finally:
            shapes = [list(x.shape) for x in inputs if hasattr(x, "shape")] if _shapes else None
            keep(f"{opdef.name} dygraph", TracerEventType.Operator, begin, clock(), shapes)

    return apply


def _span(event_type: TracerEventType, name: Callable[[Any], str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def around(old: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(old)
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            if mode.building():  # a trace does nothing yet
                return old(self, *args, **kwargs)
            begin = clock()
            try:
                return old(self, *args, **kwargs)
            finally:
                keep(name(self), event_type, begin, clock())

        return method

    return around


def _batches(old: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(old)
    def iterate(self: Any) -> Iterator[Any]:
        batches = old(self)
        timer = benchmark()
        timer.enter(self)
        try:
            while True:
                begin = clock()
                try:
                    batch = next(batches)
                except StopIteration:
                    return
                finally:
                    keep("DataLoader", TracerEventType.Dataloader, begin, clock())
                    timer.read(clock() - begin)
                yield batch
        finally:
            timer.leave(self)

    return iterate


class PlanRecorder:
    """Keeps an event for every operator of a plan that runs, and one for the whole run."""

    def __init__(self) -> None:
        self._local = threading.local()

    def __call__(self, op: Any, results: list[Any]) -> None:
        now = clock()
        last = getattr(self._local, "last", now)
        shapes = [list(v.spec.shape) for v in op.operands() if hasattr(v.spec, "shape")] if _shapes else None
        keep(op.name, TracerEventType.Operator, last, now, shapes)
        self._local.last = clock()

    def around(self, run: Any, name: str) -> Any:
        """``run`` with an event around it."""

        def measured(*arrays: Any) -> Any:
            outer_begin = getattr(self._local, "last", None)
            begin = self._local.last = clock()
            try:
                return run(*arrays)
            finally:
                keep(name, TracerEventType.UserDefined, begin, clock())
                self._local.last = outer_begin if outer_begin is not None else clock()

        return measured


# the class, its method (or attribute), and what is put around it
_WHILE_RECORDING: list[tuple[type, str, Callable[[Any], Any]]] = [
    (EagerMode, "apply", _operator),
    (EagerMode, "direct", lambda old: False),
    (Layer, "__call__", _span(TracerEventType.Forward, lambda layer: type(layer).__name__)),
    (EagerTensor, "backward", _span(TracerEventType.Backward, lambda _: "Gradient Backward")),
    (Optimizer, "apply_gradients", _span(TracerEventType.Optimization, lambda _: "Optimization Step")),
]
_WHILE_TIMING: list[tuple[type, str, Callable[..., Any]]] = [(DataLoader, "__iter__", _batches)]
_around: dict[tuple[type, str], Any] = {}


def _put(points: list[tuple[type, str, Callable[..., Any]]]) -> None:
    for event_type, name, around in points:
        if (event_type, name) not in _around:
            old = _around[event_type, name] = vars(event_type)[name]
            setattr(event_type, name, around(old))


def _take(points: list[tuple[type, str, Callable[..., Any]]]) -> None:
    for event_type, name, _ in points:
        if (event_type, name) in _around:
            setattr(event_type, name, _around.pop((event_type, name)))


def begin_timing() -> None:
    """Measure data loaders whose iteration begins after this."""
    _put(_WHILE_TIMING)


def end_timing() -> None:
    """No more."""
    _take(_WHILE_TIMING)


def begin(shapes: bool) -> None:
    """Measure operators, layers, backward passes and optimizers; with the ``shapes`` of operators' inputs."""
    global _shapes
    _shapes = shapes
    _put(_WHILE_RECORDING)
    op_profiler.measure(PlanRecorder())


def end() -> None:
    """No more."""
    _take(_WHILE_RECORDING)
    op_profiler.measure(None)
