"""Observers: layers that look at what goes through them."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.pointwise.min_max import maximum
from to_static.compiler.ops.shapes.create import to_tensor, zeros_like
from to_static.core.errors import ShapeError
from to_static.quantization.factory import BaseObserver, ObserverFactory

__all__ = ["AbsmaxObserver", "GroupWiseWeightObserver"]


class _OfBits(BaseObserver):
    """The base of both: a number of bits, and no axis of scales."""

    def __init__(self, quant_bits: int) -> None:
        super().__init__()
        self._quant_bits = quant_bits

    def bit_length(self) -> int:
        return self._quant_bits

    def quant_axis(self) -> int:
        return -1


class AbsmaxObserverLayer(_OfBits):
    """Keeps the greatest magnitude of all numbers so far."""

    INIT_ABS_MAX = 1e-7

    def __init__(self, layer: Any, quant_bits: int = 8) -> None:
        super().__init__(quant_bits)
        self.abs_max_val = to_tensor(self.INIT_ABS_MAX)

    def forward(self, input: Any) -> Any:
        self.abs_max_val = maximum(input.detach().abs().max(), self.abs_max_val)
        return input

    def cal_thresholds(self) -> None:
        self.thresholds = self.abs_max_val

    def scales(self) -> Any:
        return self.abs_max_val

    def zero_points(self) -> None:
        return None


class AbsmaxObserver(ObserverFactory):
    """The greatest magnitude is what the greatest integer of ``quant_bits`` bits stands for.

    Example:
        >>> config = paddle.quantization.QuantConfig(activation=AbsmaxObserver(), weight=AbsmaxObserver())
    """

    def __init__(self, quant_bits: int = 8) -> None:
        super().__init__(quant_bits=quant_bits)

    def _get_class(self) -> Any:
        return AbsmaxObserverLayer


class GroupWiseWeightObserverLayer(_OfBits):
    """Keeps, for each column of a weight [K, N], the greatest magnitude of each group of rows."""

    def __init__(self, layer: Any, quant_bits: int = 8, group_size: int = 128) -> None:
        super().__init__(quant_bits)
        self.group_size = group_size
        self._scale: Any = None

    def forward(self, inputs: Any) -> Any:
        rows, size = inputs.shape[0], self.group_size
        if len(inputs.shape) != 2 or size not in (64, 128) or rows % size:
            raise ShapeError(f"groups of 64 or 128 rows of a weight [K, N], got {size} of {list(inputs.shape)}")
        group_max = inputs.detach().abs().reshape([rows // size, size, inputs.shape[1]]).max(1).astype("float32")
        self._scale = where(group_max == 0, group_max + 1e-8, group_max)
        return inputs

    def cal_thresholds(self) -> None:
        """The scales are those of the weight that was seen last."""

    def scales(self) -> Any:
        return self._scale

    def zero_points(self) -> Any:
        return zeros_like(self._scale)


class GroupWiseWeightObserver(ObserverFactory):
    """A scale for each group of ``group_size`` (64 or 128) rows of each column of a weight."""

    def __init__(self, quant_bits: int = 8, group_size: int = 128) -> None:
        super().__init__(quant_bits=quant_bits, group_size=group_size)

    def _get_class(self) -> Any:
        return GroupWiseWeightObserverLayer
