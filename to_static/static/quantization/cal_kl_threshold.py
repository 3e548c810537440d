"""The threshold that loses least when numbers are counted in fewer bins.

Source: Migacz, "8-bit Inference with TensorRT", GTC 2017, as PaddlePaddle 2.6 has it (``cal_kl_threshold``).
"""

from __future__ import annotations

from typing import Any

import numpy as np


def cal_kl_threshold(hist: Any, bin_width: float, bits: int) -> float:
    """The magnitude up to which numbers of ``bits`` bits stand best for those that ``hist`` counts.

    Args:
        hist: how many magnitudes are in each bin, an array [n].
        bin_width: how wide a bin is.
        bits: how many bits there will be.

    Raises AssertionError when ``hist`` has more than one dimension.

    Example:
        >>> hist, _ = np.histogram(np.abs(x), bins=1024, range=(0, np.abs(x).max()))
        >>> threshold = cal_kl_threshold(hist.astype('float32'), np.abs(x).max() / 1024, 8)
    """
    counts = np.asarray(hist)
    if counts.ndim != 1:
        raise AssertionError("the histogram must have one dimension")
    levels = 2 ** (bits - 1) - 1
    total = float(np.sum(counts))
    counts = counts.astype("float64")
    start = int((len(counts) - 1) * 0.5)
    best, least = 0, 0.0
    improved = False
    tails = np.concatenate([np.cumsum(counts[::-1])[::-1], [0.0]])
    for end in range(start, len(counts)):
        if end == 0 or counts[end - 1] == 0:
            continue
        loss = _divergence(counts[:end], tails[end], total, levels)
        if not improved or loss < least:
            best, least, improved = end, loss, True
    if best == 0:
        best = start
        while best > 0 and counts[best] == 0:
            best -= 1
    return float((best + 0.5) * bin_width)


def _divergence(histogram: np.ndarray, beyond: float, total: float, levels: int) -> float:
    """Return the divergence of the counts from one count for all bins of a level; larger numbers count in the last bin."""
    reference = histogram.copy()
    reference[-1] += beyond
    width = len(histogram) // levels
    of_level = np.repeat(np.arange(levels), width) if width else np.zeros(0, int)
    of_level = np.concatenate([of_level, np.full(len(histogram) - len(of_level), levels - 1)])
    sums = np.bincount(of_level, histogram, levels) if width else np.append(np.zeros(levels - 1), histogram.sum())
    filled = np.bincount(of_level, reference != 0, levels)
    mean = np.divide(sums, filled, out=np.zeros(levels), where=filled > 0)
    candidate = np.where(reference == 0, 0.0, mean[of_level])
    is_nonzero = reference != 0
    p, q = reference[is_nonzero], candidate[is_nonzero]
    return float(((p * np.log(candidate.sum() * p)).sum() - (p * np.log(total * q)).sum()) / total)
