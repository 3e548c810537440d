"""Quantizers: what looks at tensors, and says in the end what the greatest integer stands for."""

from __future__ import annotations

import abc
import math
from typing import Any

import numpy as np

from to_static.nn.layer import Layer
from to_static.quantization.imperative.layers import spec_channel_axis_layers
from to_static.static.quantization.cal_kl_threshold import cal_kl_threshold


def abs_max_value(tensor: Any) -> float:
    """The largest magnitude."""
    return float(tensor.abs().max())


def merge_max_value(old: list[Any], new: list[Any]) -> list[Any]:
    """Return the larger of each two items; items may be lists."""
    if not old:
        return new
    if len(old) != len(new):
        raise AssertionError(f"{len(old)} values before, {len(new)} now")
    pairs = zip(old, new, strict=True)
    return [merge_max_value(a, b) if isinstance(a, list) else max(a, b) for a, b in pairs]


def _counts(tensor: Any, max_value: float, bins: int) -> np.ndarray:
    counts, _ = np.histogram(tensor.abs().numpy(), range=(0, max_value), bins=bins)
    return counts.astype(np.float32)


def combine_abs_max_and_hist(
    tensor: Any, origin_max: float, origin_hist: Any, bins: int, upsample_bins: int
) -> tuple[float, Any]:
    """The largest magnitude and the histogram of a tensor and of those before."""
    max_value = abs_max_value(tensor)
    if max_value == 0.0:
        return origin_max, origin_hist
    if origin_max == 0.0:
        return max_value, _counts(tensor, max_value, bins)
    if max_value <= origin_max:
        return origin_max, _counts(tensor, origin_max, bins) + origin_hist
    width = origin_max / (bins * upsample_bins)
    down = math.ceil(max_value / (bins * width))
    max_value = bins * width * down
    finer = np.zeros(bins * down, dtype=np.float32)
    finer[: bins * upsample_bins] = np.repeat(origin_hist, upsample_bins)
    sums = np.cumsum(finer, dtype=np.float64)[down - 1 :: down]
    previous_sums = np.concatenate([[0.0], sums[:-1]])
    return max_value, _counts(tensor, max_value, bins) + ((sums - previous_sums) / upsample_bins).astype(np.float32)


class BaseQuantizer(metaclass=abc.ABCMeta):
    """To be derived from: what is seen of tensors (``abs_max_vals``), and what comes of it (``thresholds``).

    Args:
        quant_bits: how many bits there are, 1 to 16. AssertionError otherwise.

    Example:
        >>> isinstance(paddle.quantization.AbsmaxQuantizer(), paddle.quantization.BaseQuantizer)
        True
    """

    def __init__(self, quant_bits: int = 8) -> None:
        super().__init__()
        if not isinstance(quant_bits, int) or not 0 < quant_bits <= 16:
            raise AssertionError(f"quant_bits must be an integer of 1 to 16, got {quant_bits!r}")
        self.quant_bits = quant_bits
        self.abs_max_vals: list[Any] = []
        self.thresholds: list[Any] = []

    @abc.abstractmethod
    def sample_data(self, layer: Any, tensors: tuple[Any, ...]) -> None:
        """Look at what goes into or comes out of a layer."""

    @abc.abstractmethod
    def cal_thresholds(self) -> None:
        """Compute ``thresholds`` of what was seen, one for each tensor."""


class AbsmaxQuantizer(BaseQuantizer):
    """The threshold is the largest magnitude.

    ``quant_bits``: see `BaseQuantizer`.

    Example:
        >>> config = paddle.quantization.PTQConfig(AbsmaxQuantizer(), PerChannelAbsmaxQuantizer())
    """

    def sample_data(self, layer: Any, tensors: tuple[Any, ...]) -> None:
        self.abs_max_vals = merge_max_value(self.abs_max_vals, [abs_max_value(t) for t in tensors])

    def cal_thresholds(self) -> None:
        self.thresholds = self.abs_max_vals


class PerChannelAbsmaxQuantizer(BaseQuantizer):
    """The thresholds are the largest magnitudes of each channel, for weights.

    ``quant_bits``: see `BaseQuantizer`.

    Example:
        >>> quantizer = paddle.quantization.PerChannelAbsmaxQuantizer()
    """

    def sample_data(self, layer: Any, tensors: tuple[Any, ...]) -> None:
        if not isinstance(layer, Layer):
            raise AssertionError(f"a Layer was expected, got {type(layer).__name__}")
        last = isinstance(layer, spec_channel_axis_layers)
        arrays = []
        for tensor in tensors:
            axes = [axis for axis in range(tensor.ndim) if axis != (1 if last else 0)]
            arrays.append([float(value) for value in tensor.abs().max(axes).numpy()])
        self.abs_max_vals = merge_max_value(self.abs_max_vals, arrays)

    def cal_thresholds(self) -> None:
        self.thresholds = self.abs_max_vals


class BaseHistQuantizer(BaseQuantizer, metaclass=abc.ABCMeta):
    """To be derived from: what counts magnitudes in bins, which get wider as larger ones come.

    Args:
        quant_bits: how many bits there are.
        bins: how many bins.
        upsample_bins: in how many parts a bin is cut before others are made of them.
    """

    def __init__(self, quant_bits: int = 8, bins: int = 1024, upsample_bins: int = 64) -> None:
        super().__init__(quant_bits)
        self.bins, self.upsample_bins = bins, upsample_bins
        self.hists: list[Any] = []

    def sample_data(self, layer: Any, tensors: tuple[Any, ...]) -> None:
        if not self.abs_max_vals:
            self.abs_max_vals = [abs_max_value(t) for t in tensors]
            pairs = zip(tensors, self.abs_max_vals, strict=True)
            self.hists = [None if max_value == 0.0 else _counts(t, max_value, self.bins) for t, max_value in pairs]
            return
        for i, tensor in enumerate(tensors):
            previous = self.abs_max_vals[i], self.hists[i]
            self.abs_max_vals[i], self.hists[i] = combine_abs_max_and_hist(tensor, *previous, self.bins, self.upsample_bins)

    def cal_thresholds(self) -> None:
        for max_value, hist in zip(self.abs_max_vals, self.hists, strict=True):
            self.thresholds.append(max_value if hist is None else self._threshold(max_value, hist))

    @abc.abstractmethod
    def _threshold(self, max_value: float, hist: np.ndarray) -> float:
        """The threshold of magnitudes of which the largest is ``max_value``."""


class HistQuantizer(BaseHistQuantizer):
    """The threshold is where ``hist_percent`` of all magnitudes are below.

    ``quant_bits``: see `BaseQuantizer`; ``bins``: of the histogram; ``upsample_bins``: how finely its range grows.

    Example:
        >>> quantizer = paddle.quantization.HistQuantizer()
    """

    def __init__(
        self, quant_bits: int = 8, bins: int = 1024, upsample_bins: int = 64, hist_percent: float = 0.99999
    ) -> None:
        super().__init__(quant_bits, bins, upsample_bins)
        self.hist_percent = hist_percent

    def _threshold(self, max_value: float, hist: np.ndarray) -> float:
        below = np.cumsum(hist / np.sum(hist, dtype=np.float64))
        index = int(np.argwhere(below >= self.hist_percent)[0][0])
        return float((index - 0.5) * (max_value / hist.shape[0]))


class KLQuantizer(BaseHistQuantizer):
    """The threshold with which the counts lose least; see `cal_kl_threshold`.

    ``quant_bits``: see `BaseQuantizer`; ``bins``: of the histogram; ``upsample_bins``: how finely its range grows.

    Example:
        >>> quantizer = paddle.quantization.KLQuantizer()
    """

    def _threshold(self, max_value: float, hist: np.ndarray) -> float:
        return cal_kl_threshold(hist, max_value / hist.shape[0], self.quant_bits)


SUPPORT_ACT_QUANTIZERS: list[Any] = [AbsmaxQuantizer, HistQuantizer, KLQuantizer]
SUPPORT_WT_QUANTIZERS: list[Any] = [AbsmaxQuantizer, PerChannelAbsmaxQuantizer]
