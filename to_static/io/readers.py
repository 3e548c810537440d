"""Functions on readers, functions that give iterators of samples: ``paddle.batch``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any


def batch(reader: Callable[[], Any], batch_size: int, drop_last: bool = False) -> Callable[[], Iterator[list[Any]]]:
    """A reader of lists of ``batch_size`` samples of a reader, the last one shorter, or left out with ``drop_last``.

    Raises ValueError unless ``batch_size`` is positive.

    Example:
        >>> list(paddle.batch(lambda: iter(range(3)), 2)())
        [[0, 1], [2]]
    """
    if int(batch_size) < 1:
        raise ValueError(f"batch: batch_size must be a positive integer, got {batch_size}")

    def batches() -> Iterator[list[Any]]:
        samples = iter(reader())
        while batch := list(itertools.islice(samples, int(batch_size))):
            if len(batch) == batch_size or not drop_last:
                yield batch

    return batches
