"""`static_pylayer`: functions of a Program with a backward of the user's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.autograd.context import PyLayerContext
from to_static.autograd.traced import with_backward
from to_static.compiler.ir.tensor import Tensor
from to_static.core import tree
from to_static.static.program import static_builder


class _Functions:
    """A stand-in for a PyLayer, made of two functions."""

    def __init__(self, backward_fn: Callable[..., Any]) -> None:
        self.backward = lambda ctx, *gradients: backward_fn(*gradients)
        self.__name__ = "static_pylayer"


def static_pylayer(
    forward_fn: Callable[..., Any], inputs: Any, backward_fn: Callable[..., Any] | None = None, name: str | None = None
) -> Any:
    """``forward_fn(*inputs)``, whose gradients are what ``backward_fn`` computes of those of its results.

    Args:
        forward_fn: takes the tensors ``inputs``, gives a tensor, or a structure of them, or None.
        inputs: a list or tuple of tensors.
        backward_fn: takes a gradient for each result, gives one for each input; None: nothing flows back.

    Raises ModeError in dynamic mode (use `autograd.PyLayer` there), TypeError for other arguments, AutogradError for another number
    of gradients.

    Example:
        >>> y = paddle.static.nn.static_pylayer(lambda x: paddle.exp(x), [x], lambda dy: 2 * dy)

    Source: PaddlePaddle 2.6, ``paddle.static.nn.static_pylayer``.
    """
    static_builder("nn.static_pylayer")
    if not callable(forward_fn) or not (backward_fn is None or callable(backward_fn)):
        raise TypeError("static_pylayer: forward_fn and backward_fn must be callable")
    if not isinstance(inputs, (list, tuple)) or not all(isinstance(x, Tensor) for x in inputs):
        raise TypeError("static_pylayer: inputs must be a list of tensors")
    result = forward_fn(*inputs)
    leaves, recipe = tree.flatten(result)
    tensor_positions = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]
    if not tensor_positions:
        return result
    if backward_fn is None:
        results = [leaves[i].detach() for i in tensor_positions]
    else:
        flows = [any(not x.stop_gradient for x in inputs) and leaves[i].dtype.is_floating for i in tensor_positions]
        input_ids = {id(x) for x in inputs}
        outputs = [leaves[i] for i in tensor_positions]
        results = with_backward(_Functions(backward_fn), PyLayerContext(), list(inputs), outputs, flows, input_ids)
    for i, new in zip(tensor_positions, results, strict=True):
        leaves[i] = new
    return tree.unflatten(recipe, leaves)
