"""Figures about two classes: precision, recall, area under the ROC curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.core.errors import ShapeError
from to_static.metric.metric import Metric, as_array


def _rows(preds: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    preds, labels = as_array(preds, "preds").reshape(-1), as_array(labels, "labels").reshape(-1)
    if len(preds) != len(labels):
        raise ShapeError(f"expected one label per prediction, got {len(labels)} for {len(preds)}")
    return preds, labels


class Precision(Metric):
    """Of all samples that are called positive, the share that is: ``TP / (TP + FP)``.

    Example:
        >>> metric = Precision()
        >>> metric.update(np.array([0.1, 0.5, 0.6, 0.7]), np.array([0, 1, 1, 1]))
        >>> metric.accumulate()
        1.0

    Source: https://en.wikipedia.org/wiki/Precision_and_recall
    """

    def __init__(self, name: str = "precision") -> None:
        self._name = name
        self.reset()

    def update(self, preds: Any, labels: Any) -> None:
        """Take in probabilities (0.5 and more count as positive) and labels 0 or 1, one each per sample.

        Raises TypeError for what is neither Tensor nor array, ShapeError when the counts differ.
        """
        preds, labels = _rows(preds, labels)
        positive = np.floor(preds + 0.5) == 1
        self.tp += int(np.count_nonzero(positive & (labels == 1)))
        self.fp += int(np.count_nonzero(positive & (labels != 1)))

    def reset(self) -> None:
        self.tp = 0
        self.fp = 0

    def accumulate(self) -> float:
        """A float; 0.0 when nothing was called positive."""
        called = self.tp + self.fp
        return self.tp / called if called else 0.0

    def name(self) -> str:
        return self._name


class Recall(Metric):
    """Of all positive samples, the share that is called so: ``TP / (TP + FN)``.

    Example:
        >>> metric = Recall()
        >>> metric.update(np.array([0.1, 0.5, 0.6, 0.7]), np.array([1, 0, 1, 1]))
        >>> metric.accumulate()
        0.6666666666666666

    Source: https://en.wikipedia.org/wiki/Precision_and_recall
    """

    def __init__(self, name: str = "recall") -> None:
        self._name = name
        self.reset()

    def update(self, preds: Any, labels: Any) -> None:
        """Take in probabilities (more than 0.5 counts as positive, as in Paddle) and labels 0 or 1, one each per sample.

        Raises TypeError for what is neither Tensor nor array, ShapeError when the counts differ.
        """
        preds, labels = _rows(preds, labels)
        positive = np.rint(preds) == 1
        self.tp += int(np.count_nonzero(positive & (labels == 1)))
        self.fn += int(np.count_nonzero(~positive & (labels == 1)))

    def reset(self) -> None:
        self.tp = 0
        self.fn = 0

    def accumulate(self) -> float:
        """A float; 0.0 when there was no positive sample."""
        positive = self.tp + self.fn
        return self.tp / positive if positive else 0.0

    def name(self) -> str:
        return self._name


class Auc(Metric):
    """The area under the ROC curve, from a histogram of the scores.

    Args:
        curve: only ``'ROC'``.
        num_thresholds: bins of the histogram, less one (default 4095).
        name: its name (default ``'auc'``).

    Raises:
        ValueError: another curve is asked for.

    Example:
        >>> metric = Auc()
        >>> metric.update(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([[0], [1]]))
        >>> metric.accumulate()
        1.0

    Source: https://en.wikipedia.org/wiki/Receiver_operating_characteristic#Area_under_the_curve
    """

    def __init__(self, curve: str = "ROC", num_thresholds: int = 4095, name: str = "auc") -> None:
        if curve != "ROC":
            raise ValueError(f"Auc: only the curve 'ROC' is known, got {curve!r}")
        self._num_thresholds = num_thresholds
        self._name = name
        self.reset()

    def update(self, preds: Any, labels: Any) -> None:
        """Take in probabilities [n, 2] of the two classes, and labels 0 or 1, one per sample.

        Raises TypeError for what is neither Tensor nor array, ShapeError for other shapes, ValueError for scores outside [0, 1].
        """
        preds, labels = as_array(preds, "preds"), as_array(labels, "labels").reshape(-1)
        if preds.shape != (len(labels), 2):
            raise ShapeError(f"Auc: expected predictions of shape [{len(labels)}, 2], got {list(preds.shape)}")
        scores = preds[:, 1]
        if not ((scores >= 0) & (scores <= 1)).all():
            raise ValueError("Auc: expected probabilities between 0 and 1")
        bins = (scores * self._num_thresholds).astype(np.int64)
        size = self._num_thresholds + 1
        self._stat_pos += np.bincount(bins[labels != 0], minlength=size)
        self._stat_neg += np.bincount(bins[labels == 0], minlength=size)

    def accumulate(self) -> float:
        """A float; 0.0 when one of the classes did not occur."""
        positives = np.cumsum(self._stat_pos[::-1])
        negatives = np.cumsum(self._stat_neg[::-1])
        if not positives[-1] or not negatives[-1]:
            return 0.0
        heights = positives - self._stat_pos[::-1] / 2  # the middle of each step, for the trapezoid rule
        return float((heights * self._stat_neg[::-1]).sum() / (positives[-1] * negatives[-1]))

    @staticmethod
    def trapezoid_area(x1: float, x2: float, y1: float, y2: float) -> float:
        """The area under a line from ``(x1, y1)`` to ``(x2, y2)``."""
        return abs(x1 - x2) * (y1 + y2) / 2.0

    def reset(self) -> None:
        self._stat_pos = np.zeros(self._num_thresholds + 1)
        self._stat_neg = np.zeros(self._num_thresholds + 1)

    def name(self) -> str:
        return self._name
