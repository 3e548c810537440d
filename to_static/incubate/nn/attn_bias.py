"""Masks of `memory_efficient_attention` that are told by their kind.

Source: PaddlePaddle 2.6, ``paddle.incubate.nn.attn_bias``.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops.shapes.create import full
from to_static.compiler.ops.shapes.diagonal import triu

__all__ = ["LowerTriangularMask", "LowerTriangularMaskWithTensorBias"]


class LowerTriangularMask:
    """No position sees one behind it.

    Example:
        >>> y = memory_efficient_attention(q, k, v, LowerTriangularMask())
    """

    def materialize(self, shape: Any, dtype: Any = "float32") -> Any:
        """Return the Tensor to add to scores of a shape [..., length, length]: 0 and minus infinity."""
        return triu(full(list(shape), float("-inf"), "float32"), 1).astype(dtype)

    def add_bias(self, bias: Any) -> LowerTriangularMaskWithTensorBias:
        """The same, and ``bias`` is added to the scores."""
        return LowerTriangularMaskWithTensorBias(bias)


class LowerTriangularMaskWithTensorBias(LowerTriangularMask):
    """The same with a Tensor that is added to the scores."""

    def __init__(self, bias: Any) -> None:
        self._bias = bias

    def materialize(self, shape: Any, dtype: Any = "float32") -> Any:
        return super().materialize(shape, dtype) + self._bias
