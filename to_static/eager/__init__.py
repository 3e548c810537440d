"""Eager execution: tensors that hold numbers, the mode that runs kernels at once, and the gradient tape."""

from to_static.eager import mode, tensor
from to_static.ir import mode as _modes

_modes.set_default(mode.EagerMode())

__all__ = ["mode", "tensor"]
