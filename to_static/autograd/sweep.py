"""`backward` of several tensors at once."""

from __future__ import annotations

from typing import Any

from to_static.compiler.eager import tape
from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import AnyTensor
from to_static.core.errors import AutogradError


def backward(tensors: Any, grad_tensors: Any = None, retain_graph: bool = False) -> None:
    """Add the gradients of ``tensors`` to ``.grad`` of the leaves they depend on, going through the graph once.

    Args:
        tensors: a tensor or a list of different tensors, dense or sparse.
        grad_tensors: for each the weights of its elements, of its shape; None (also in the list): ones.
        retain_graph: keep the graph for another call.

    Tensors with stop_gradient=True are left out, with a UserWarning. Raises TypeError for other things than tensors, AutogradError
    where one is named twice or the lists have other lengths, ShapeError for a weight of another shape.

    Example:
        >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        >>> paddle.autograd.backward([x * 2, x * x])
        >>> x.grad.tolist()
        [4.0, 6.0]
    """
    targets = _tensors(tensors, "tensors")
    if len({id(t) for t in targets}) != len(targets):
        raise AutogradError("backward: a tensor is named twice in `tensors`; leave it there once")
    weights: list[Any] = [None] * len(targets)
    if grad_tensors is not None:
        weights = _tensors(grad_tensors, "grad_tensors", or_none=True)
        if len(weights) != len(targets):
            raise AutogradError(f"backward: expected one of grad_tensors for each of {len(targets)} tensors, got {len(weights)}")
    if mode.tracing():
        mode.current().gradients.backward(targets, weights, retain_graph)
    else:
        tape.backward(targets, weights, retain_graph)


def _tensors(value: Any, name: str, or_none: bool = False) -> list[Any]:
    items = list(value) if isinstance(value, (list, tuple)) else [value]
    for item in items:
        if not (isinstance(item, AnyTensor) or (or_none and item is None)):
            raise TypeError(f"backward: {name} must be a tensor or a list of tensors, got {type(item).__name__}")
    return [None if item is None else item._dense_values() for item in items]
