"""The writes of a run to ``.grad``. A trace finds them with `gradients.py`; a run needs only this module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.eager.tape import CLEARED, clearing, putting
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.eager.view_tracking import Memory
from to_static.compiler.ir.tensor import Tensor
from to_static.core.array_types import Array
from to_static.core.atomic import Steps, setting


class GradientOf:
    """The holder of a root value that is the gradient of a tensor from outside."""

    __slots__ = ("tensor",)

    stop_gradient = True
    is_parameter = False

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    @property
    def _array(self) -> Any:
        return self.tensor._grad._array

    @property
    def _memory(self) -> Any:
        return self.tensor._grad._memory

    def writes(self, array: Array) -> list[Steps]:
        """Return the steps that write new values into the gradient in place."""
        return self.tensor._grad.holding(array, {})  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """The name of the gradient in a Program."""
        return f"{self.tensor.name}@GRAD"


class GradientWrite:
    """A write of every run to the ``.grad`` of a tensor.

    ``target``: the tensor, or the index of its argument leaf. ``index``: the output that becomes the gradient, or one of `FORGET`,
    `CLEAR` and `CLEAR_IF_THERE`. ``old_grad_action``: what happens to the tensor that was the gradient, to which user code may
    still refer: it `STAYS` unchanged, becomes `ZEROS`, or `FOLLOWS`, that is, it gets the values of the new gradient.
    """

    __slots__ = ("index", "old_grad_action", "target")

    FORGET, CLEAR, CLEAR_IF_THERE = -1, -2, -3
    FOLLOWS, ZEROS, STAYS = "follows", "zeros", "stays"

    def __init__(self, target: Any, index: int, old_grad_action: str = FOLLOWS) -> None:
        self.target = target
        self.index = index
        self.old_grad_action = old_grad_action

    def steps(self, outputs: list[Any], leaves: Sequence[Any]) -> list[Steps]:
        """Return the steps of the write, from the outputs of a run and its argument leaves."""
        tensor = leaves[self.target] if type(self.target) is int else self.target
        return self.steps_for(tensor, outputs[self.index] if self.index >= 0 else None)

    def steps_for(self, tensor: EagerTensor, gradient: Any) -> list[Steps]:
        """Return the steps of the write to ``tensor``; ``gradient`` is None if ``index`` is no output."""
        has_gradient = tensor._grad is not None and tensor._grad is not CLEARED
        steps = clearing(tensor) if has_gradient and self.old_grad_action is self.ZEROS else []
        if gradient is not None:
            gradient.stop_gradient = False
        if self.index == self.FORGET:
            return [*steps, setting((tensor, "_grad", None))]
        if gradient is None:
            cleared = tensor._grad is not None or self.index == self.CLEAR
            return [*steps, setting((tensor, "_grad", CLEARED))] if cleared else steps
        follows = has_gradient and self.old_grad_action is self.FOLLOWS
        if follows and type(tensor._grad) is EagerTensor and tensor._grad._node is None:
            steps += putting(tensor, gradient._array)
            (tensor._grad._memory or Memory(tensor._grad)).add(gradient)  # a result of the call may be this tensor
            return steps
        return [*steps, setting((tensor, "_grad", gradient))]


def state_of(tensor: EagerTensor) -> int:
    """Return 0 if a tensor has no gradient, 1 if its gradient is cleared, 2 if it has values."""
    grad = tensor._grad
    return 0 if grad is None else 1 if grad is CLEARED else 2


def is_fresh(tensor: EagerTensor) -> bool:
    """True if a tensor is a leaf that has no gradient yet, or zeros, so that one can be put there."""
    return (tensor._grad is None or tensor._grad is CLEARED) and tensor._node is None and not tensor._hooks
