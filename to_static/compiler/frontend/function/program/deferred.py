"""Calls whose gradients are seldom needed, such as those of a loaded model in eval mode: they run without saving anything for
backward.

A call stores its arguments. When a gradient is first needed, the call runs again with the residuals of the backward pass as
further results. From then on all calls save these residuals, as those of other Programs do.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from to_static.compiler.autodiff.gradient_reachability import dependences
from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.completion import tensors_of
from to_static.compiler.frontend.function.program.recording import Recording
from to_static.compiler.ir import mode
from to_static.core.atomic import Steps

if TYPE_CHECKING:
    from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
    from to_static.compiler.frontend.function.program.training import ProgramNode, Training

_array_of = operator.attrgetter("_array")


class Deferred:
    """Runs calls in place of a `Training`, until a gradient is needed. The attributes have the meaning that they have there."""

    active = derived = True
    changing_params: tuple[int, ...] = ()  # `deferred` accepts only parameters
    returned_only: frozenset[int] = frozenset()

    def __init__(self, concrete: ConcreteProgram, stops: list[bool], possible: list[int]) -> None:
        """``possible``: for each output, a bit mask of the gradient targets that it may depend on."""
        self.concrete = concrete
        self.stops = stops
        self.node = DeferredNode
        self.forward = concrete.plan
        self.stop_gradients = [not bits for bits in possible]
        self.feed_edges, params = concrete.gradient_targets(stops)
        self.param_leaves = [v.holder for v in params]
        self.param_edges = [tape.Edge(leaf) for leaf in self.param_leaves]
        self.recording = Recording(self)

    def run(self, tensors: Sequence[Any]) -> tuple[list[Any], list[Steps]]:
        """Run the plan without residuals and record its node; return the results as tensors, and no steps."""
        arrays = list(map(_array_of, tensors))
        arrays_before = self.recording.arrays.do(arrays)
        results = self.forward(*arrays)
        return tensors_of(results, self.stop_gradients, self.recording.do(results, tensors, arrays_before)), []


def deferred(concrete: ConcreteProgram, stops: list[bool]) -> Deferred | None:
    """Return a `Deferred` for these ``stop_gradient`` values (see `Training`); None if runs must save residuals at once.

    They must if a repeated run would not do the same, or if control flow decides which tensors get a gradient.
    """
    feeds, params = concrete.gradient_targets(stops)
    if all(stops) or not concrete.runs_in_entry or concrete.facts.mutates_inputs or not all(v.holder.is_parameter for v in params):
        return None
    program = concrete.main_program
    masks = dependences(program, [*(program.feeds[i] for i in feeds), *params])
    return None if any(may & ~must for must, may in masks) else Deferred(concrete, stops, [may for _, may in masks])


class DeferredNode(tape.Node):
    """The tape node of a run that has not saved its residuals."""

    __slots__ = ("arrays", "deferred", "recorded", "tensors")
    name = "static function"
    makes_fresh = True

    def __init__(
        self, training: Deferred, edges: list[Any], results: Sequence[Any], tensors: Sequence[Any], arrays: Sequence[Any]
    ) -> None:
        self.edges = edges
        self.order = next(tape.order)
        self.hooks = self.retained = None
        self.deferred = training
        self.tensors = tensors
        self.arrays = arrays  # of the inputs and root values
        self.recorded: ProgramNode | None = None  # the same run with residuals, after a gradient was needed

    @property
    def count(self) -> int:  # type: ignore[override]
        """The number of outputs."""
        return len(self.deferred.stop_gradients)

    def vjp(self, gouts: list[Any]) -> list[Any]:
        training = self.deferred.concrete.record(self.deferred.stops)
        if self.recorded is None:
            self.recorded = training.node_of_repeated_run(self.tensors, self.arrays)
        grads = iter(self._replayed(training, gouts) if self.recorded is None else self.recorded.vjp(gouts))
        has = set(training.split.wanted_index)
        return [next(grads) if i in has else None for i in range(len(self.edges or ()))]

    def _replayed(self, training: Training, gouts: list[Any]) -> list[Any]:
        """Compute the gradients op by op from the arrays of that time, because parameters have changed since."""
        edges: Any = self.edges
        node = training.node(training, [edges[i] for i in training.split.wanted_index], (), self.tensors, self.arrays)
        grads = mode.in_grad_mode(True, node.vjp_with_graph, gouts)
        return grads if mode.grad_enabled() else [None if g is None else EagerTensor(g._array.copy()) for g in grads]

    def free(self) -> None:
        if self.recorded is not None:
            self.recorded.free()
            if self.recorded.edges is not None:  # the gradients of other outputs may still be needed
                return
        self.edges = self.recorded = None
        self.tensors = self.arrays = ()
