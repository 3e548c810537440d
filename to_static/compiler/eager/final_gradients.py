"""`FinalGradients` reports the gradient of a leaf as soon as no other part of the backward pass adds to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.core import after_backward

if TYPE_CHECKING:
    from to_static.compiler.eager.tape import Node


def _edges_to_leaves(outputs: list[Any]) -> Counter[int]:
    """The number of edges of the graph that end in each leaf, by its id."""
    edges = Counter({id(out): 0 for out in outputs if out._node is None})
    nodes = [out._node for out in outputs if out._node is not None]
    reached = set(nodes)
    while nodes:
        for edge in nodes.pop().edges or ():
            if edge is None:
                continue
            if edge.node is None:
                edges[id(edge.leaf)] += 1
            elif edge.node not in reached:
                reached.add(edge.node)
                nodes.append(edge.node)
    return edges


class FinalGradients:
    """Counts the edges to each leaf that a backward pass from ``outputs`` has passed, and reports the gradients that are final.

    Gradients that are no NumPy arrays, and gradients of leaves with hooks, are reported only at the end of the pass. ``waiting``:
    the listeners; ``reached``: the ids of the leaves.
    """

    def __init__(self, outputs: list[Any], waiting: list[after_backward.AfterBackward]) -> None:
        self._left = _edges_to_leaves(outputs)
        self.reached = frozenset(self._left)
        self._listeners = [one for one in waiting if one.begin(self.reached)]

    def passed(self, node: Node, leaves: Mapping[int, tuple[Any, Any]]) -> None:
        """Count the edges of ``node``, whose gradients were added to ``leaves``; report those that are final now."""
        for edge in node.edges or ():
            if edge is None or edge.node is not None:
                continue
            key = id(edge.leaf)
            self._left[key] -= 1
            if self._left[key] == 0 and key in leaves:
                leaf, gradient = leaves[key]
                if type(gradient) is np.ndarray and not leaf._hooks:
                    for listener in self._listeners:
                        listener.final(key, gradient)
