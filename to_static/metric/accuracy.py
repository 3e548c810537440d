"""Accuracy: how often the right class is among the best ``k``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops import dynamic_sizes
from to_static.compiler.ops.dtype_checks import need_float, need_integer
from to_static.core.errors import ShapeError
from to_static.core.log import warn_here
from to_static.metric.metric import Metric, as_array


class Accuracy(Metric):
    """The share of samples whose class is among the ``k`` highest scores.

    Args:
        topk: one or more values of ``k`` (default ``(1,)``).
        name: its name (default ``'acc'``; with a ``k`` above 1, ``'acc_top1'`` and so on).

    Raises TypeError or ValueError for another ``topk``.

    Example:
        >>> metric = Accuracy()
        >>> metric.update(metric.compute(paddle.to_tensor([[0.1, 0.9], [0.8, 0.2]]), paddle.to_tensor([[1], [1]])))
        0.5
    """

    def __init__(self, topk: Sequence[int] = (1,), name: str | None = None) -> None:
        if not isinstance(topk, Sequence):
            raise TypeError(f"Accuracy: topk should be a tuple of numbers, `topk=({topk!r},)`, got {topk!r}")
        self.topk = tuple(topk)
        if not self.topk or min(self.topk) < 1:
            raise ValueError(f"Accuracy: topk should hold positive numbers, got {topk!r}")
        self.maxk = max(self.topk)
        name = name or "acc"
        self._name = [name] if self.maxk == 1 else [f"{name}_top{k}" for k in self.topk]
        self.reset()

    def compute(self, pred: Any, label: Any, *args: Any) -> Any:
        """Return which of the best ``max(topk)`` classes are right.

        Args:
            pred: float Tensor [..., classes] of scores.
            label: the classes as an integer Tensor [...] or [..., 1], or one-hot [..., classes].

        Returns:
            float32 Tensor [..., max(topk)] of ones and zeros, best class first.

        Raises:
            ShapeError: ``label`` has another shape.
        """
        return correct_mask(pred, label, self.maxk)

    def update(self, correct: Any, *args: Any) -> Any:
        """Take in the mask that `compute` gave (Tensor or array); returns the accuracy of this batch.

        ``args`` are not used, as in PaddlePaddle; a warning says so, since scores and labels look like them.
        """
        if args:
            warn_here("Accuracy.update takes what compute() returns: `acc.update(acc.compute(pred, label))`; labels are not used")
        mask = as_array(correct, "correct")
        samples = mask[..., 0].size
        accuracies = []
        for i, k in enumerate(self.topk):
            right = float(mask[..., :k].sum())
            accuracies.append(right / samples if samples else 0.0)
            self.total[i] += right
            self.count[i] += samples
        return accuracies[0] if len(self.topk) == 1 else accuracies

    def reset(self) -> None:
        self.total = [0.0] * len(self.topk)
        self.count = [0] * len(self.topk)

    def accumulate(self) -> Any:
        """A float, or a list of floats when there are several ``k``; 0.0 when there was no sample."""
        shares = [total / count if count else 0.0 for total, count in zip(self.total, self.count, strict=True)]
        return shares[0] if len(self.topk) == 1 else shares

    def name(self) -> list[str]:
        return self._name


def correct_mask(pred: Any, label: Any, k: int) -> Any:
    """float32 Tensor [..., k]: one where the class with the 1st, 2nd, ... highest score is the label."""
    *outer, classes = pred.spec.shape
    if label.ndim == pred.ndim - 1:
        label = label.unsqueeze(-1)
    elif label.ndim == pred.ndim and label.spec.shape[-1] == classes != 1:
        label = label.argmax(axis=-1, keepdim=True)
    label_shape = label.spec.shape
    if len(label_shape) != pred.ndim or any(
        a != b and UNKNOWN not in (a, b) for a, b in zip(label_shape, [*outer, 1], strict=True)
    ):
        raise ShapeError(
            f"expected labels of shape {outer}, {[*outer, 1]} or one-hot {[*outer, classes]}, got {list(label_shape)}"
        )
    if label_shape[-1] == UNKNOWN:
        raise ShapeError("whether labels are one-hot is not known: their last dimension must be known when the Program is built")
    best = pred.topk(min(k, classes), axis=-1)[1]
    if UNKNOWN in (*outer, *label_shape):
        dynamic_sizes.need_alike(label, best[..., :1], lambda got, need: f"expected labels of shape {need} or one-hot, got {got}")
    return (best == label.astype(best.dtype)).astype("float32")


def accuracy(input: Any, label: Any, k: int = 1, correct: Any = None, total: Any = None, name: Any = None) -> Any:
    """The share of samples whose label is among the ``k`` highest scores.

    Args:
        input: float Tensor [n, classes] of scores.
        label: integer Tensor [n, 1] or [n].
        k: how many scores count (default 1).
        correct: int Tensor that is set to the number of right samples, if given.
        total: int Tensor that is set to the number of samples, if given.

    Returns:
        float32 Tensor of shape [].

    Raises:
        ShapeError: ``label`` does not fit ``input``.

    Example:
        >>> share = static.accuracy(x, paddle.zeros([4, 1], "int64"))
        >>> exe.run(feed={"x": np.eye(4, dtype="float32")}, fetch_list=[share])
        [array(0.25, dtype=float32)]
    """
    need_float(input.spec, "accuracy")
    need_integer(label, "accuracy: labels")
    right = correct_mask(input, label, k).sum()
    if correct is not None:
        correct.set_value(right.astype(correct.dtype).reshape(correct.shape))
    if total is not None:
        total.set_value((right * 0 + input.shape[0]).astype(total.dtype).reshape(total.shape))
    return right / input.shape[0]
