"""Tape records of the runs of a static function. Each piece is declared once, as an action and as source text for an entry.

The slow path does the actions (`Training.run`). A specialized entry is generated from the texts, as for `conditions` and
`completion`. If a piece has no text (`derived`), calls with gradients have no entry that runs their plan.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.buffer_slots import tensor_of
from to_static.core.arrays import past

if TYPE_CHECKING:
    from to_static.compiler.frontend.function.program.deferred import Deferred
    from to_static.compiler.frontend.function.program.training import Training

_array_of = operator.attrgetter("_array")


class RecordingText(Protocol):
    """The names of things in the text of an entry: feeds ``x0`` with arrays ``a0``, results ``r``."""

    space: dict[str, Any]
    feeds: list[int]

    def root_arrays(self) -> str:
        """The arrays of the root values, each with a comma."""

    def tensor(self, i: int) -> str:
        """The tensor that is given for ``xi``."""


class ArraysBefore:
    """The arrays that a run reads, of feeds and then of root values, as they were before it."""

    def __init__(self, training: Training | Deferred) -> None:
        self._roots = training.concrete.roots
        self._rewritten = training.concrete.facts.rewritten

    def do(self, arrays: Sequence[Any]) -> list[Any]:
        """``arrays``: those of the feeds."""
        arrays_before = [*arrays, *map(_array_of, self._roots.holders)]
        for i in self._rewritten:
            arrays_before[i] = past.snapshot(arrays_before[i])
        return arrays_before

    def derive(self, text: RecordingText) -> list[str]:
        """The lines that make ``kept``."""
        lines = [f"kept = [{''.join(f'a{i}, ' for i in text.feeds)}{text.root_arrays()}]"]
        if self._rewritten:
            text.space["past"] = past.snapshot
        return lines + [f"kept[{i}] = past(kept[{i}])" for i in self._rewritten]


class GradientEdges:
    """The destinations of the gradients of a run: feeds, and root values of which some may have another history in each run."""

    def __init__(self, training: Training | Deferred) -> None:
        self._training = training
        self.derived = not training.moving

    def do(self, tensors: Sequence[Any]) -> list[Any]:
        """The edges of a run with these feeds."""
        training = self._training
        edges = training.param_edges
        if training.moving:
            edges = list(edges)
            for i in training.moving:
                edges[i] = tape.Edge(tensor_of(training.param_leaves[i]))
        if training.feed_edges:
            edges = [tape.Edge(tensors[i]) for i in training.feed_edges] + edges
        return edges

    def derive(self, text: RecordingText) -> str:
        """The expression of the edges."""
        text.space |= {"Edge": tape.Edge, "edges": self._training.param_edges}
        edges = "".join(f"Edge(x{text.feeds[i]}), " for i in self._training.feed_edges)
        return f"[{edges}*edges]" if edges else "edges"


class RecordedResults:
    """The results as backward knows them: all, but for those whose memory later runs may write to."""

    def __init__(self, training: Training | Deferred) -> None:
        self._outputs_held_outside = training.concrete.facts.outputs_held_outside
        self.derived = not self._outputs_held_outside

    def do(self, results: Sequence[Any]) -> Sequence[Any]:
        """Of the arrays that a run has given."""
        if not self._outputs_held_outside:
            return results
        return [tape.shaped(r.shape, r.dtype) if i in self._outputs_held_outside else r for i, r in enumerate(results)]


class Recording:
    """The node of a run, made of these pieces. ``derived``: whether each has a text."""

    def __init__(self, training: Training | Deferred) -> None:
        self._training = training
        self.arrays = ArraysBefore(training)
        self._edges = GradientEdges(training)
        self._results = RecordedResults(training)
        self.derived = self._edges.derived and self._results.derived

    def do(self, results: Sequence[Any], tensors: Sequence[Any], arrays_before: Sequence[Any]) -> Any:
        """The node of a run of ``tensors`` that gave ``results``."""
        training = self._training
        node: Any = training.node
        if training.passive:
            tensors = [EagerTensor(_array_of(x)) if i in training.passive else x for i, x in enumerate(tensors)]
        return node(training, self._edges.do(tensors), self._results.do(results), tensors, arrays_before)

    def derive(self, text: RecordingText) -> tuple[list[str], list[str]]:
        """The lines before the run, and after it those that make ``node``."""
        training = self._training
        text.space |= {"training": training, "Node": training.node}
        passive = {text.feeds[i] for i in training.passive}
        tensors = "".join(f"Tensor(a{i}), " if i in passive else f"{text.tensor(i)}, " for i in text.feeds)
        return self.arrays.derive(text), [f"node = Node(training, {self._edges.derive(text)}, r, ({tensors}), kept)"]
