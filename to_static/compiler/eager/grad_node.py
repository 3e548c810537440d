"""The public view of the gradient graph: ``y.grad_fn``, its name, and its next functions."""

from __future__ import annotations

from to_static.compiler.eager.tape import Edge


class GradNode:
    """One step of the gradient graph, to be looked at.

    Example:
        >>> x = paddle.to_tensor([1.0], stop_gradient=False)
        >>> x.exp().grad_fn.name()
        'ExpGradNode'
    """

    def __init__(self, edge: Edge) -> None:
        self._edge = edge

    def name(self) -> str:
        """The name of the operator whose gradient it is, ``ExpGradNode``; of leaves ``GradNodeAccumulation``."""
        if self._edge.node is None:
            return "GradNodeAccumulation"
        words = self._edge.node.name.split("_")
        return "".join(word[:1].upper() + word[1:] for word in words) + "GradNode"

    @property
    def next_functions(self) -> list[GradNode | None]:
        """The nodes that its gradients go to, None for inputs that get none; nothing once the graph is freed."""
        edges = [] if self._edge.node is None else self._edge.node.edges or []
        return [None if edge is None else GradNode(edge) for edge in edges]
