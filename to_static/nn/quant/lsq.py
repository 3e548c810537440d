"""Quanters whose scale is trained with the network.

Source: Esser et al., "Learned Step Size Quantization", ICLR 2020; Bhalgat et al., "LSQ+", CVPR Workshops 2020, as PaddlePaddle 2.6
has them. Where Paddle's numbers depend on an order of calls (the scale of the first batches), they do here.
"""

from __future__ import annotations

import math
from typing import Any

from to_static.compiler.ops import functions
from to_static.compiler.ops.shapes.create import to_tensor
from to_static.nn.layer import Layer
from to_static.nn.quant.quanter_parameters import quanter_parameter


def round(x: Any) -> Any:
    """The nearest whole number as Paddle's quanters have it: a number right below a half goes away from zero, too."""
    return x.sign() * (x.abs() + 0.5).floor()


def lsq(x: Any, alpha: Any, g: Any, low: int, high: int, beta: Any = 0.0) -> Any:
    """``x`` as whole multiples of ``alpha`` from ``beta`` on, at least ``low`` and at most ``high`` of them, and back.

    Gradients pass between the bounds; ``alpha`` (and ``beta``) get those of the papers, times ``g``.
    """
    scaled = ((x - beta) / alpha).detach()
    below, above = (scaled < low).astype("float32"), (scaled > high).astype("float32")
    between, levels = 1.0 - below - above, round(scaled)
    value = levels.clip(low, high) * alpha.detach() + (beta.detach() if hasattr(beta, "detach") else beta)
    by_scale = (below * low + above * high + between * (levels - scaled)) * g
    passed = value + (x - x.detach()) * between + (alpha - alpha.detach()) * by_scale  # numbers of value, and gradients of these
    return passed + (beta - beta.detach()) * ((below + above) * g) if hasattr(beta, "detach") else passed


def _expanded_scale(alpha: Any, weight: Any, axis: int) -> Any:
    """A scale for each element of a weight, in the layout that Paddle takes: rows of ``weight.shape[axis]``."""
    shape = weight.shape
    return alpha.broadcast_to([math.prod(shape) // shape[axis], shape[axis]]).t().reshape(shape)


class _Trained(Layer):
    """The base of both quantizers: bounds, and a scale that is trained."""

    def _begin(self, quant_bits: int, all_postive: bool, batch_init: int, name: str | None, reduce_type: str | None) -> None:
        self.bits, self.all_positive, self.batch_init = quant_bits, all_postive, batch_init
        self.name, self.reduce_type, self.init_state = name, reduce_type, 0
        self.Qn = 0 if all_postive else -(2 ** (quant_bits - 1))
        self.Qp = 2**quant_bits - 1 if all_postive else 2 ** (quant_bits - 1) - 1

    def _trained(self, role: str, value: float, shape: list[int], dtype: Any) -> Any:
        return quanter_parameter(self, f"{self.name or 'quant_dequant'}.{role}", value, shape, dtype, trainable=True)


class FakeQuantActLSQPlus(_Trained):
    """Quantizes what comes in by a trained scale ``s`` and, unless ``symmetric``, offset ``beta``.

    Args:
        quant_bits: how many bits there are.
        all_postive: from 0 on, where numbers are never negative.
        symmetric: without an offset.
        batch_init: in so many calls at first the scale follows the range of what comes in.
        dtype: not used; both are float32 numbers.
        name: what they are called.
        reduce_type: 'max' for the largest of all processes; there is one.
    """

    def __init__(
        self, quant_bits: int, all_postive: bool = False, symmetric: bool = False, batch_init: int = 20, dtype: Any = "float32",
        name: str | None = None, reduce_type: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._begin(quant_bits, all_postive, batch_init, name, reduce_type)
        self.symmetric = symmetric
        self.s = self._trained("scale", 1.0, [], "float32")
        self._scale_name = self.s.name
        if not symmetric:
            self.beta = self._trained("beta", 0.0, [], "float32")
            self._beta_name = self.beta.name

    def forward(self, activation: Any) -> Any:
        if self.init_state < self.batch_init:
            values = activation.detach()
            low, high = values.min(), values.max()
            span = (high - low) / (self.Qp - self.Qn)
            if self.init_state == 0:
                self.g = to_tensor(1.0 / math.sqrt(activation.numel() * self.Qp))
                self.s.set_value(span)
            else:
                self.s.set_value(self.s * 0.9 + span * 0.1)
            if not self.symmetric:
                offset = low - self.s * self.Qn
                self.beta.set_value(offset if self.init_state == 0 else self.s * 0.9 + offset * 0.1)
        self.init_state += 1
        activation.stop_gradient = False
        return lsq(activation, self.s, self.g, self.Qn, self.Qp, 0.0 if self.symmetric else self.beta)


class FakeQuantWeightLSQPlus(_Trained):
    """Quantizes a weight by a trained scale ``s``, or one for each channel.

    Args:
        quant_bits, all_postive, batch_init, name, reduce_type: see `FakeQuantActLSQPlus`.
        per_channel: a scale for each channel.
        channel_num: how many there are.
        quant_linear: the weight is one of a linear layer, [in, out].
        dtype: of the scales.
    """

    def __init__(
        self, quant_bits: int, all_postive: bool = False, per_channel: bool = False, batch_init: int = 20,
        channel_num: int | None = None, quant_linear: bool = False, dtype: Any = "float32", name: str | None = None,
        reduce_type: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._begin(quant_bits, all_postive, batch_init, name, reduce_type)
        self.per_channel, self.quant_linear = per_channel, quant_linear
        self.quant_axis, self.collect_axis = (1, 0) if quant_linear else (0, 1)
        self.s = self._trained("scale", 1.0, [1 if channel_num is None else channel_num], dtype)
        self._scale_name = self.s.name

    def _spread(self, weight: Any) -> Any:
        """Return the bound of all numbers but a few: the mean plus three standard deviations."""
        values = weight.detach()
        if not self.per_channel:
            mean, deviation = values.mean(), values.std()
            return functions.maximum((mean - 3 * deviation).abs(), (mean + 3 * deviation).abs())
        flat = values.reshape([values.shape[0], -1])
        mean, deviation = flat.mean(self.collect_axis), flat.std(self.collect_axis)
        return functions.maximum((mean - 3 * deviation).abs(), (mean + 3 * deviation).abs())

    def forward(self, weight: Any) -> Any:
        if self.init_state < self.batch_init:
            self.div = 2**self.bits - 1
            span = self._spread(weight)
            if self.init_state == 0:
                self.g = to_tensor(1.0 / math.sqrt(weight.numel() * self.Qp))
                step = span / self.div
            elif self.per_channel:
                step = span * 0.9 + span * 0.1 / self.div
            else:
                step = self.s * 0.9 + span * 0.1 / self.div
            self.s.set_value(step.reshape(self.s.shape))
        if self.init_state <= self.batch_init:
            self.init_state += 1
        weight.stop_gradient = False
        scale = _expanded_scale(self.s, weight, self.quant_axis) if self.per_channel else self.s
        return lsq(weight, scale, self.g, self.Qn, self.Qp)
