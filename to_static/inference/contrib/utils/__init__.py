"""`copy_tensor`: from a tensor of one predictor into one of another."""

from __future__ import annotations

from to_static.inference.predictor import Tensor

__all__ = ["copy_tensor"]


def copy_tensor(dst: Tensor, src: Tensor) -> None:
    """Copy the value of ``src`` into ``dst``, an input or output handle of any predictor.

    Raises ValueError where ``src`` has no value yet, DTypeError or ShapeError where ``dst`` does not take it.

    Example:
        >>> copy_tensor(second.get_input_handle('x'), first.get_output_handle('y'))
    """
    dst.copy_from_cpu(src.copy_to_cpu())
