"""Numbers as integers and back, by a scale: what observed layers become when a network is converted."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops.shapes.create import to_tensor, zeros
from to_static.core import unique_name
from to_static.nn.initializer import Constant
from to_static.nn.layer import Layer
from to_static.nn.parameter import ParamAttr


class _Linear(Layer):
    """Both of these have: a scale for all numbers, for each index of an axis, or [groups, columns] for groups of rows."""

    def __init__(
        self, scales: Any, zero_point: Any = None, quant_axis: int | None = None, bit_length: int = 8, group_size: int = 128
    ) -> None:
        super().__init__()
        scales = to_tensor(scales, dtype="float32")
        attr = ParamAttr(name=unique_name.generate("quant_dequant.scale"), initializer=Constant(1.0), trainable=False)
        self._scales = self.create_parameter(shape=scales.shape, attr=attr, dtype="float32")
        self._scales.set_value(scales)
        self._zero_point = zeros([1], "float32") if zero_point is None else to_tensor(zero_point)
        self._quant_axis = -1 if quant_axis is None else quant_axis
        self._bit_length, self._group_size = bit_length, group_size

    @property
    def _max_level(self) -> int:
        return (1 << (self._bit_length - 1)) - 1

    def _scale_for(self, x: Any) -> Any:
        scales = self._scales
        if len(scales.shape) > 1:
            return scales.repeat_interleave(self._group_size, 0)
        if self._quant_axis < 0 or len(scales.shape) == 0:
            return scales
        return scales.reshape([-1 if i == self._quant_axis else 1 for i in range(len(x.shape))])

    @classmethod
    def from_quanter(cls, quanter: Any) -> Any:
        """One with the scales that a quanter found."""
        return cls(quanter.scales(), quanter.zero_points(), quanter.quant_axis(), quanter.bit_length())


class LinearQuanter(_Linear):
    """Whole numbers of ``bit_length`` bits: ``round(x / scale * 127)``; their dtype stays that of ``x``."""

    def forward(self, input: Any) -> Any:
        quantized = (input.astype("float32") / self._scale_for(input) * self._max_level).round()
        return quantized.clip(-self._max_level - 1, self._max_level).astype(input.dtype)


class LinearDequanter(_Linear):
    """The other way: ``x * scale / 127``."""

    def forward(self, input: Any) -> Any:
        return (input.astype("float32") * self._scale_for(input) / self._max_level).astype(input.dtype)


class LinearQuanterDequanter(Layer):
    """One after the other: numbers with the error that they would have. Either may be None."""

    def __init__(self, quanter: Any, dequanter: Any) -> None:
        super().__init__()
        self._quanter, self._dequanter = quanter, dequanter

    def forward(self, input: Any) -> Any:
        for layer in (self._quanter, self._dequanter):
            input = input if layer is None else layer(input)
        return input

    @staticmethod
    def from_quanter(quanter: Any) -> LinearQuanterDequanter:
        """Both, with the scales that a quanter found."""
        return LinearQuanterDequanter(LinearQuanter.from_quanter(quanter), LinearDequanter.from_quanter(quanter))


class ConvertibleQuantedLayer(Layer):
    """A layer with quanters in it, which `quantization` can convert: weights become integers, quanters what uses their scales."""

    def __init__(self) -> None:
        super().__init__()
        self.converted = False

    def weights_to_quanters(self) -> list[tuple[str, str]]:
        """Names of weights, and of their quanters."""
        raise NotImplementedError("a subclass must define this method")

    def activation_quanters(self) -> list[str]:
        """Names of quanters of what comes in."""
        raise NotImplementedError("a subclass must define this method")

    def _convert(self, remain_weight: bool = False) -> None:
        if self.converted:
            raise AssertionError("The model should be converted only once.")
        for weight_name, quanter_name in self.weights_to_quanters():
            both = self._with_scales(quanter_name)
            if both is not None and not remain_weight:
                weight = getattr(self, weight_name)
                weight.set_value(both._quanter(weight))
                both._quanter = None
        for quanter_name in self.activation_quanters():
            self._with_scales(quanter_name)
        self.converted = True

    def _with_scales(self, name: str) -> Any:
        quanter = getattr(self, name)
        if quanter is None:
            return None
        quantizer = LinearQuanterDequanter.from_quanter(quanter)
        setattr(self, name, quantizer)
        return quantizer
