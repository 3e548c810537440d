"""The range of numbers that a network computes on calibration data, by several rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.static.quantization import scaling
from to_static.static.quantization.cal_kl_threshold import cal_kl_threshold

BINS = 2048
ALGORITHMS = ("KL", "hist", "avg", "mse", "emd", "abs_max", "min_max", "ptf")


def weight_scale(array: np.ndarray, by_channel: bool, op_type: str) -> Any:
    """The largest magnitude of a weight, or a list of those of its channels."""
    if not by_channel:
        return float(np.max(np.abs(array)))
    return [float(v) for v in np.abs(array).max(_other_axes(array, op_type))]


def weight_range(array: np.ndarray, by_channel: bool, op_type: str) -> tuple[Any, Any]:
    """The least and the largest number of a weight, or lists of those of its channels."""
    if not by_channel:
        return float(array.min()), float(array.max())
    axes = _other_axes(array, op_type)
    return [float(v) for v in array.min(axes)], [float(v) for v in array.max(axes)]


def _other_axes(array: np.ndarray, op_type: str) -> tuple[int, ...]:
    axis = scaling.weight_axis(op_type)
    return tuple(i for i in range(array.ndim) if i != axis)


class Calibration:
    """The observed ranges of variables.

    Args:
        algo: one of `ALGORITHMS`.
        bits: how many bits there will be.
        percent: of 'hist': how many of the magnitudes are below the threshold.
        linear: round as `quantize_linear` does.
    """

    def __init__(self, algo: str, bits: int, percent: float, linear: bool) -> None:
        self.algo, self.bits, self.percent, self.linear = algo, bits, percent, linear
        self.thresholds: dict[str, Any] = {}
        self.min_values: dict[str, Any] = {}
        self.max_values: dict[str, Any] = {}
        self.empty: set[str] = set()  # what had no numbers in it once
        self._ranges: dict[str, list[float]] = {}
        self._counts: dict[str, list[Any]] = {}
        self._means: dict[str, list[float]] = {}
        self._losses: dict[str, float] = {}

    def prepare(self, name: str, array: np.ndarray) -> None:
        """The first look, for histograms: how large it gets."""
        if not array.size:
            self.empty.add(name)
            return
        sizes = np.abs(array)
        min_value, max_value = float(sizes.min()), float(sizes.max())
        bounds = self._ranges.setdefault(name, [min_value, max_value])
        bounds[:] = [min(bounds[0], min_value), max(bounds[1], max_value)]

    def sample(self, name: str, array: np.ndarray) -> None:
        """Look at the numbers of one batch."""
        if not array.size:
            self.empty.add(name)
            return
        getattr(self, f"_{self.algo.lower()}")(name, array)

    def finish(self) -> None:
        """Compute what needs all batches."""
        for name, means in self._means.items():
            self.thresholds[name] = float(np.array(means).mean())
        for name, (counts, edges) in self._counts.items():
            if self.algo == "KL":
                self.thresholds[name] = cal_kl_threshold(counts, edges[1] - edges[0], self.bits)
            else:
                shares = np.cumsum(counts / float(counts.sum()))
                index = int(np.argmax(shares >= self.percent)) + 1 if shares[-1] >= self.percent else 0
                self.thresholds[name] = float((index - 0.5) * (edges[1] - edges[0]))

    def _kl(self, name: str, array: np.ndarray) -> None:
        if name not in self._ranges:
            self.empty.add(name)
            return
        if name not in self._counts:
            self._counts[name] = list(np.histogram([], bins=BINS, range=(self._ranges[name][0], self._ranges[name][1])))
        histogram = self._counts[name]
        histogram[0] = histogram[0] + np.histogram(np.abs(array), bins=histogram[1])[0]

    _hist = _kl

    def _abs_max(self, name: str, array: np.ndarray) -> None:
        max_value = float(np.max(np.abs(array)))
        self.thresholds[name] = max(self.thresholds.get(name, max_value), max_value)

    def _min_max(self, name: str, array: np.ndarray) -> None:
        min_value, max_value = float(array.min()), float(array.max())
        self.min_values[name] = min(self.min_values.get(name, min_value), min_value)
        self.max_values[name] = max(self.max_values.get(name, max_value), max_value)

    def _avg(self, name: str, array: np.ndarray) -> None:
        rows = np.abs(array.reshape(array.shape[0], -1)).max(1)
        self._means.setdefault(name, []).append(float(rows.mean()))

    def _ptf(self, name: str, array: np.ndarray) -> None:
        """The best of four powers of two. Source: Lin et al., "FQ-ViT", IJCAI 2022."""
        max_level = 2 ** (self.bits - 1) - 1
        scale = float(np.max(np.abs(array))) / max_level / 8
        losses = []
        for power in range(4):
            step = scale * 2**power
            losses.append(scaling.l2_loss(array, np.clip(np.round(array / step), 0, max_level) * step))
        self.thresholds[name] = max_level * scale * 2 ** losses.index(min(losses))

    def _mse(self, name: str, array: np.ndarray) -> None:
        self._search(name, array, lambda x, y: float(((x - y) ** 2).mean()))

    def _emd(self, name: str, array: np.ndarray) -> None:
        self._search(name, array, lambda x, y: float(np.abs(np.mean(x) - np.mean(y)) + np.abs(np.std(x) - np.std(y))))

    def _search(self, name: str, array: np.ndarray, loss: Any) -> None:
        """Search the scales from 0.3 of the largest magnitude on for the one with the smallest loss over all batches."""
        flat = array.flatten()
        max_value = float(np.max(np.abs(flat))) or 1e-8
        top = 2 ** (self.bits - 1) - 1
        share = 0.3
        while share <= 1.0:
            scale = share * max_value
            share += 0.02
            if self.linear:
                dequantized = np.clip(np.round(flat / scale * top), -top - 1, top) / top * scale
            else:
                dequantized = np.round(np.clip(flat, 0.0, scale) / scale * top) / top * scale
            current = loss(flat, dequantized)
            if current <= self._losses.get(name, float("inf")):
                self._losses[name], self.thresholds[name] = current, scale
