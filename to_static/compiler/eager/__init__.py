"""Eager execution: tensors that hold arrays, the mode that runs kernels at once, and the gradient tape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from to_static.compiler.eager import arithmetic, as_sparse, items, mode, tensor
from to_static.compiler.ir import mode as _modes
from to_static.compiler.ops.control import control as _control

if TYPE_CHECKING:
    from to_static.core.array_types import Array


def _text(array: Array, stop_gradient: bool) -> str:
    return str(tensor.EagerTensor(array, stop_gradient))


_modes.set_default(mode.EagerMode())
_control.tensor_text = _text  # print shows the same text when a Program runs as it does dynamically

__all__ = ["arithmetic", "as_sparse", "items", "mode", "tensor"]
