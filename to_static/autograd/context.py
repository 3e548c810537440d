"""The context that the forward of a PyLayer hands on to its backward, and checks of what that returns."""

from __future__ import annotations

from typing import Any

from to_static.compiler.eager import saved_tensor_hooks
from to_static.compiler.ir.tensor import Tensor
from to_static.core.errors import AutogradError, ShapeError


class PyLayerContext:
    """The context that ``forward`` hands on to ``backward``. Attributes of any name may be set on it.

    Example:
        >>> class Doubled(paddle.autograd.PyLayer):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.factor = 2
        ...         return x * ctx.factor
        ...     @staticmethod
        ...     def backward(ctx, g):
        ...         return g * ctx.factor
        ...
        >>> Doubled.apply(paddle.to_tensor([1.0])).tolist()
        [2.0]
    """

    def __init__(self) -> None:
        self.container: Any = None
        self.materialize_grads = True
        self.not_inplace_tensors: tuple[Any, ...] = ()
        self.non_differentiable: tuple[Any, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors for ``backward``; to be called once, in ``forward``."""
        if saved_tensor_hooks.hooks.get():
            tensors = tuple(saved_tensor_hooks.Packed(t) if isinstance(t, Tensor) else t for t in tensors)
        self.container = tensors

    def saved_tensor(self) -> Any:
        """The tensors that `save_for_backward` kept, a tuple; None when it was not called."""
        return None if self.container is None else tuple(map(saved_tensor_hooks.unpacked, self.container))

    def mark_not_inplace(self, *args: Any) -> None:
        """Inputs that ``forward`` returns as they are: the results are other tensors of the same numbers."""
        self.not_inplace_tensors = args

    def mark_non_differentiable(self, *args: Any) -> None:
        """Outputs that get ``stop_gradient=True``."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Choose whether ``backward`` gets zeros (the default) or None for outputs that have no gradient."""
        self.materialize_grads = value


def gradients_of(name: str, results: Any, inputs: list[Any], needs: list[bool]) -> list[Any]:
    """Return the results of a backward function as one gradient (or None) for each input; checked."""
    grads = list(results) if isinstance(results, (list, tuple)) else [results]
    if len(grads) < len(inputs) and not any(needs[len(grads) :]):  # the last ones need none: Paddle lets them be left out
        grads += [None] * (len(inputs) - len(grads))
    if len(grads) != len(inputs):
        raise AutogradError(
            f"{name}.backward returned {len(grads)} gradients, but forward took {len(inputs)} tensors: return one for each, None "
            "for those that need none"
        )
    for i, (g, spec, need) in enumerate(zip(grads, inputs, needs, strict=True)):
        if g is None:
            continue
        if not isinstance(g, Tensor):
            raise TypeError(f"{name}.backward must return tensors or None, gradient {i} is a {type(g).__name__}")
        if need and not _fits(g.spec.shape, spec.shape):
            raise ShapeError(f"{name}.backward: gradient {i} must have the shape and dtype of its input, {spec}; got {g.spec}")
    return [g if need else None for g, need in zip(grads, needs, strict=True)]


def _fits(shape: Any, expected: Any) -> bool:
    return len(shape) == len(expected) and all(-1 in (a, b) or a == b for a, b in zip(shape, expected, strict=True))
