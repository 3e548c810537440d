"""Changes of ``.grad`` that a run makes. `gradients.py` finds them in a trace; a run needs only this module."""

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
    """The place of the gradient of a tensor from outside, as what a root value of a Program is kept by."""

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
        """Write other numbers into the gradient, in place."""
        return self.tensor._grad.holding(array, {})  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """The name of the gradient in a Program."""
        return f"{self.tensor.name}@GRAD"


class GradientWrite:
    """A change that every run makes to the ``.grad`` of a tensor: ``target`` is the tensor or the number of its argument leaf.

    ``index``: the output that is the gradient, or one of `FORGET`, `CLEAR` and `CLEAR_IF_THERE`; ``before``: what becomes of the
    tensor that is there, which others may have: `STAYS`, `ZEROS`, or it `FOLLOWS` and is the gradient.
    """

    __slots__ = ("before", "index", "target")

    FORGET, CLEAR, CLEAR_IF_THERE = -1, -2, -3
    FOLLOWS, ZEROS, STAYS = "follows", "zeros", "stays"

    def __init__(self, target: Any, index: int, before: str = FOLLOWS) -> None:
        self.target = target
        self.index = index
        self.before = before

    def steps(self, outputs: list[Any], leaves: Sequence[Any]) -> list[Steps]:
        """The steps that write it."""
        tensor = leaves[self.target] if type(self.target) is int else self.target
        return self.steps_for(tensor, outputs[self.index] if self.index >= 0 else None)

    def steps_for(self, tensor: EagerTensor, gradient: Any) -> list[Steps]:
        """The steps that write it to a tensor; ``gradient`` is None if ``index`` alone tells the new state."""
        has_gradient = tensor._grad is not None and tensor._grad is not CLEARED
        steps = clearing(tensor) if has_gradient and self.before is self.ZEROS else []
        if gradient is not None:
            gradient.stop_gradient = False
        if self.index == self.FORGET:
            return [*steps, setting((tensor, "_grad", None))]
        if gradient is None:
            cleared = tensor._grad is not None or self.index == self.CLEAR
            return [*steps, setting((tensor, "_grad", CLEARED))] if cleared else steps
        if has_gradient and self.before is self.FOLLOWS and type(tensor._grad) is EagerTensor and tensor._grad._node is None:
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
