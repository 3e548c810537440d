"""Batch samplers: which samples make up each batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from to_static.core.processes.launched import rank_and_size
from to_static.io.dataset import IterableDataset
from to_static.io.sampler import RandomSampler, Sampler, SequenceSampler


def _check(owner: str, batch_size: Any, **flags: Any) -> None:
    if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
        raise ValueError(f"{owner}: batch_size should be a positive int, got {batch_size!r}")
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise TypeError(f"{owner}: {name} should be a bool, got {value!r}")


def in_batches(items: Iterable[Any], batch_size: int, drop_last: bool) -> Iterator[list[Any]]:
    """Lists of ``batch_size`` items; a shorter last one unless ``drop_last``."""
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) == batch_size:
            yield batch
            batch = []
    if batch and not drop_last:
        yield batch


class BatchSampler(Sampler):
    """Lists of sample indices, one list per batch.

    Args:
        dataset: what to sample from (give this or ``sampler``).
        sampler: an order of indices.
        shuffle: visit the dataset in random order (default False).
        batch_size: indices per list (default 1).
        drop_last: leave out a last list that is not full (default False).

    Raises:
        ValueError: both or neither of dataset and sampler are given, ``shuffle`` comes with a sampler, or
            ``batch_size`` is not positive.
        TypeError: an argument has the wrong type.

    Example:
        >>> list(BatchSampler(range(5), batch_size=2))
        [[0, 1], [2, 3], [4]]
    """

    def __init__(
        self,
        dataset: Any = None,
        sampler: Any = None,
        shuffle: bool = False,
        batch_size: int = 1,
        drop_last: bool = False,
    ) -> None:
        _check("BatchSampler", batch_size, shuffle=shuffle, drop_last=drop_last)
        if (dataset is None) == (sampler is None):
            raise ValueError("BatchSampler: expected either a dataset or a sampler")
        if sampler is not None:
            if not isinstance(sampler, Sampler):
                raise TypeError(f"BatchSampler: expected an io.Sampler, got {type(sampler).__name__}")
            if shuffle:
                raise ValueError("BatchSampler: shuffle has no meaning with a sampler, which gives the order itself")
            self.sampler: Any = sampler
        else:
            if isinstance(dataset, IterableDataset):
                raise TypeError("BatchSampler: an IterableDataset has no indices to sample")
            self.sampler = RandomSampler(dataset) if shuffle else SequenceSampler(dataset)
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[Any]]:
        return in_batches(self.sampler, self.batch_size, self.drop_last)

    def __len__(self) -> int:
        extra = 0 if self.drop_last else self.batch_size - 1
        return (len(self.sampler) + extra) // self.batch_size


class DistributedBatchSampler(BatchSampler):
    """Each of ``num_replicas`` processes gets its own, equally long share of the batches.

    The first samples are used again where the dataset does not divide evenly. Call `set_epoch` (or iterate again) for a
    new shuffled order; it depends on the epoch only, so that all processes agree on it.

    Args:
        dataset: anything with a length.
        batch_size: samples per batch and process.
        num_replicas: number of processes (default: as many as the launcher has started).
        rank: number of this process (default: that of the launcher).
        shuffle: visit in random order (default False).
        drop_last: leave out a last batch that is not full (default False).

    Raises:
        ValueError: a number is out of range. TypeError: an argument has the wrong type.

    Example:
        >>> sampler = paddle.io.DistributedBatchSampler(range(10), batch_size=2, num_replicas=2, rank=0)
        >>> len(sampler)
        3
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = False,
        drop_last: bool = False,
    ) -> None:
        _check("DistributedBatchSampler", batch_size, shuffle=shuffle, drop_last=drop_last)
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.drop_last = drop_last
        self.nranks = rank_and_size()[1] if num_replicas is None else num_replicas
        self.local_rank = rank_and_size()[0] if rank is None else rank
        if self.nranks <= 0 or not 0 <= self.local_rank < self.nranks:
            raise ValueError(
                f"DistributedBatchSampler: expected 0 <= rank < num_replicas, got rank={self.local_rank}, "
                f"num_replicas={self.nranks}"
            )
        self.epoch = 0
        self.num_samples = -(-len(dataset) // self.nranks)
        self.total_size = self.num_samples * self.nranks

    def __iter__(self) -> Iterator[list[int]]:
        order = np.resize(np.arange(len(self.dataset)), self.total_size).tolist()
        if self.shuffle:
            np.random.RandomState(self.epoch).shuffle(order)
            self.epoch += 1
        # Whole batches are dealt out in turn; what is left after the last full round is cut into equal shares.
        round_size = self.batch_size * self.nranks
        left = self.total_size % round_size
        full = self.total_size - left
        local_indices: list[int] = []
        for start in range(self.local_rank * self.batch_size, full, round_size):
            local_indices += order[start : start + self.batch_size]
        share = left // self.nranks
        local_indices += order[full + self.local_rank * share : full + (self.local_rank + 1) * share]
        return in_batches(local_indices, self.batch_size, self.drop_last)

    def __len__(self) -> int:
        extra = 0 if self.drop_last else self.batch_size - 1
        return (self.num_samples + extra) // self.batch_size

    def set_epoch(self, epoch: int) -> None:
        """Choose the shuffled order of the next pass."""
        self.epoch = epoch
