"""Quanters whose scale is trained with the network.

Source: Esser et al., "Learned Step Size Quantization", ICLR 2020; Bhalgat et al., "LSQ+", CVPR Workshops 2020, as PaddlePaddle 2.6
has them. Where Paddle's numbers depend on an order of calls (the scale of the first batches), they do here.
"""

from __future__ import annotations

import math
from typing import Any

from to_static.autograd.py_layer import PyLayer
from to_static.core import unique_name
from to_static.ir.registry import FUNCTIONS
from to_static.nn.initializer import Constant
from to_static.nn.layer import Layer
from to_static.nn.parameter import ParamAttr
from to_static.ops.shapes.create import to_tensor


def round(x: Any) -> Any:
    """The nearest whole number; halves go away from zero."""
    return x.sign() * (x.abs() + 0.5).floor()


def _where(scaled: Any, least: int, most: int) -> tuple[Any, Any, Any]:
    """1 where a number is below, above or between the bounds."""
    below, above = (scaled < least).astype("float32"), (scaled > most).astype("float32")
    return below, above, 1.0 - below - above


def _by_channel(weight: Any, alpha: Any, axis: int) -> Any:
    """``weight / alpha`` with an ``alpha`` for each row of the weight as Paddle lays it out."""
    flat = weight.reshape([weight.shape[axis], -1]).t()
    return (flat / alpha.broadcast_to(flat.shape)).t().reshape(weight.shape)


class LsqFunc(PyLayer):
    """A weight as whole multiples of ``alpha``, and back."""

    @staticmethod
    def forward(
        ctx: Any, weight: Any, alpha: Any, g: Any, Qn: int, Qp: int, per_channel: bool = False, quant_axis: int = 0
    ) -> Any:
        ctx.save_for_backward(weight, alpha)
        ctx.other = g, Qn, Qp, per_channel, quant_axis
        if not per_channel:
            return round(weight / alpha).clip(Qn, Qp) * alpha
        shape = weight.shape
        flat = weight.reshape([shape[quant_axis], -1]).t()
        wide = alpha.broadcast_to(flat.shape)
        return (round(flat / wide).clip(Qn, Qp) * wide).t().reshape(shape)

    @staticmethod
    def backward(ctx: Any, grad_weight: Any) -> Any:
        weight, alpha = ctx.saved_tensor()
        g, least, most, per_channel, axis = ctx.other
        scaled = _by_channel(weight, alpha, axis) if per_channel else weight / alpha
        below, above, between = _where(scaled, least, most)
        each = (below * least + above * most + between * round(scaled) - between * scaled) * grad_weight * g
        grad_alpha = each.reshape([each.shape[axis], -1]).sum(1) if per_channel else each.sum().reshape(alpha.shape)
        return between * grad_weight, grad_alpha


class LsqPlusActFunc(PyLayer):
    """Numbers as whole multiples of ``alpha`` from ``beta`` on, and back."""

    @staticmethod
    def forward(ctx: Any, x: Any, alpha: Any, beta: Any, g: Any, Qn: int, Qp: int) -> Any:
        ctx.save_for_backward(x, alpha, beta)
        ctx.other = g, Qn, Qp
        return round((x - beta) / alpha).clip(Qn, Qp) * alpha + beta

    @staticmethod
    def backward(ctx: Any, grad_x: Any) -> Any:
        x, alpha, beta = ctx.saved_tensor()
        g, least, most = ctx.other
        scaled = (x - beta) / alpha
        below, above, between = _where(scaled, least, most)
        each = (below * least + above * most + between * round(scaled) - between * scaled) * grad_x * g
        grad_beta = ((below + above) * grad_x * g).sum().reshape(beta.shape)
        return between * grad_x, each.sum().reshape(alpha.shape), grad_beta


class _Trained(Layer):
    """What both have: bounds, and a scale that is trained."""

    def _begin(self, quant_bits: int, all_postive: bool, batch_init: int, name: str | None, reduce_type: str | None) -> None:
        self.bits, self.all_positive, self.batch_init = quant_bits, all_postive, batch_init
        self.name, self.reduce_type, self.init_state = name, reduce_type, 0
        self.Qn = 0 if all_postive else -(2 ** (quant_bits - 1))
        self.Qp = 2**quant_bits - 1 if all_postive else 2 ** (quant_bits - 1) - 1

    def _trained(self, kind: str, value: float, shape: list[int], dtype: Any) -> Any:
        full = unique_name.generate(f"{self.name or 'quant_dequant'}.{kind}")
        attr = ParamAttr(name=full, initializer=Constant(value), trainable=True)
        made = self.create_parameter(shape=shape, attr=attr, dtype=dtype)
        made.stop_gradient = False
        return made


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
            seen = activation.detach()
            least, most = seen.min(), seen.max()
            span = (most - least) / (self.Qp - self.Qn)
            if self.init_state == 0:
                self.g = to_tensor(1.0 / math.sqrt(activation.numel() * self.Qp))
                self.s.set_value(span)
            else:
                self.s.set_value(self.s * 0.9 + span * 0.1)
            if not self.symmetric:
                offset = least - self.s * self.Qn
                self.beta.set_value(offset if self.init_state == 0 else self.s * 0.9 + offset * 0.1)
        self.init_state += 1
        activation.stop_gradient = False
        if self.symmetric:
            return LsqFunc.apply(activation, self.s, self.g, self.Qn, self.Qp, per_channel=False)
        return LsqPlusActFunc.apply(activation, self.s, self.beta, self.g, self.Qn, self.Qp)


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
        """How far numbers are from 0 but for a few: three deviations around the mean."""
        seen = weight.detach()
        if not self.per_channel:
            mean, deviation = seen.mean(), seen.std()
            return FUNCTIONS["maximum"]((mean - 3 * deviation).abs(), (mean + 3 * deviation).abs())
        flat = seen.reshape([seen.shape[0], -1])
        mean, deviation = flat.mean(self.collect_axis), flat.std(self.collect_axis)
        return FUNCTIONS["maximum"]((mean - 3 * deviation).abs(), (mean + 3 * deviation).abs())

    def forward(self, weight: Any) -> Any:
        if self.init_state < self.batch_init:
            self.div = 2**self.bits - 1
            span = self._spread(weight)
            if self.init_state == 0:
                self.g = to_tensor(1.0 / math.sqrt(weight.numel() * self.Qp))
                found = span / self.div
            elif self.per_channel:
                found = span * 0.9 + span * 0.1 / self.div
            else:
                found = self.s * 0.9 + span * 0.1 / self.div
            self.s.set_value(found.reshape(self.s.shape))
        if self.init_state <= self.batch_init:
            self.init_state += 1
        weight.stop_gradient = False
        return LsqFunc.apply(weight, self.s, self.g, self.Qn, self.Qp, self.per_channel, self.quant_axis)
