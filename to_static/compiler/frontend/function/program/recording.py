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
    """The names in the text of an entry: input ``x0`` with array ``a0``, results ``r``; the list ``kept`` and the ``node``."""

    space: dict[str, Any]
    feeds: list[int]

    def root_arrays(self) -> str:
        """The text of the arrays of the root values, each followed by a comma."""

    def tensor(self, i: int) -> str:
        """The text of the input tensor for ``xi``."""


class ArraysBefore:
    """The arrays that a run reads, of inputs and then of root values, as they were before the run."""

    def __init__(self, training: Training | Deferred) -> None:
        self._roots = training.concrete.roots
        self._rewritten = training.concrete.facts.rewritten

    def do(self, arrays: Sequence[Any]) -> list[Any]:
        """Return them; ``arrays``: those of the inputs. Arrays that the run writes in place become snapshots."""
        arrays_before = [*arrays, *map(_array_of, self._roots.holders)]
        for i in self._rewritten:
            arrays_before[i] = past.snapshot(arrays_before[i])
        return arrays_before

    def derive(self, text: RecordingText) -> list[str]:
        """Return the lines that assign ``kept``."""
        lines = [f"kept = [{''.join(f'a{i}, ' for i in text.feeds)}{text.root_arrays()}]"]
        if self._rewritten:
            text.space["past"] = past.snapshot
        return lines + [f"kept[{i}] = past(kept[{i}])" for i in self._rewritten]


class GradientEdges:
    """The tape edges of a run: inputs, and root values of which some may have another history in each run."""

    def __init__(self, training: Training | Deferred) -> None:
        self._training = training
        self.derived = not training.changing_params

    def do(self, tensors: Sequence[Any]) -> list[Any]:
        """Return the edges of a run with these input ``tensors``."""
        training = self._training
        edges = training.param_edges
        if training.changing_params:
            edges = list(edges)
            for i in training.changing_params:
                edges[i] = tape.Edge(tensor_of(training.param_leaves[i]))
        if training.feed_edges:
            edges = [tape.Edge(tensors[i]) for i in training.feed_edges] + edges
        return edges

    def derive(self, text: RecordingText) -> str:
        """Return the expression for the edges."""
        text.space |= {"Edge": tape.Edge, "edges": self._training.param_edges}
        edges = "".join(f"Edge(x{text.feeds[i]}), " for i in self._training.feed_edges)
        return f"[{edges}*edges]" if edges else "edges"


class RecordedResults:
    """The results that the node keeps: without the arrays that later runs may write to."""

    def __init__(self, training: Training | Deferred) -> None:
        self._outputs_held_outside = training.concrete.facts.outputs_held_outside
        self.derived = not self._outputs_held_outside

    def do(self, results: Sequence[Any]) -> Sequence[Any]:
        """Return the results to keep, of those of a run: a shaped placeholder for each that later runs may write to."""
        if not self._outputs_held_outside:
            return results
        return [tape.shaped(r.shape, r.dtype) if i in self._outputs_held_outside else r for i, r in enumerate(results)]


class Recording:
    """Makes the tape node of a run from these pieces. ``derived``: whether all of them have a text for an entry."""

    def __init__(self, training: Training | Deferred) -> None:
        self._training = training
        self.arrays = ArraysBefore(training)
        self._edges = GradientEdges(training)
        self._results = RecordedResults(training)
        self.derived = self._edges.derived and self._results.derived

    def do(self, results: Sequence[Any], tensors: Sequence[Any], arrays_before: Sequence[Any]) -> Any:
        """Return the node of a run on ``tensors`` with these ``results``."""
        training = self._training
        node: Any = training.node
        if training.returned_only:
            tensors = [EagerTensor(_array_of(x)) if i in training.returned_only else x for i, x in enumerate(tensors)]
        return node(training, self._edges.do(tensors), self._results.do(results), tensors, arrays_before)

    def derive(self, text: RecordingText) -> tuple[list[str], list[str]]:
        """Return the lines before the run, and the lines after it that assign ``node``."""
        training = self._training
        text.space |= {"training": training, "Node": training.node}
        returned_only = {text.feeds[i] for i in training.returned_only}
        tensors = "".join(f"Tensor(a{i}), " if i in returned_only else f"{text.tensor(i)}, " for i in text.feeds)
        return self.arrays.derive(text), [f"node = Node(training, {self._edges.derive(text)}, r, ({tensors}), kept)"]
