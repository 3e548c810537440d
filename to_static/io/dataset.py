"""Datasets: samples by index (`Dataset`) or as a stream (`IterableDataset`), and ways to combine them."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from to_static.core import backend as backends
from to_static.core.errors import ShapeError


class Dataset:
    """Samples found by index. Subclasses define ``__getitem__`` and ``__len__``.

    Example:
        >>> class Squares(Dataset):
        ...     def __getitem__(self, index):
        ...         return np.float32(index), np.float32(index**2)
        ...     def __len__(self):
        ...         return 10
    """

    def __init__(self) -> None:
        pass

    def __getitem__(self, idx: Any) -> Any:
        raise NotImplementedError(f"'__getitem__' is not implemented in class {type(self).__name__}")

    def __len__(self) -> int:
        raise NotImplementedError(f"'__len__' is not implemented in class {type(self).__name__}")


class IterableDataset(Dataset):
    """A stream of samples. Subclasses define ``__iter__`` only.

    With worker processes every worker iterates its own copy, so a dataset that should give each sample once must ask
    `get_worker_info` which part is its own.

    Example:
        >>> class Lines(IterableDataset):
        ...     def __iter__(self):
        ...         info = get_worker_info()
        ...         first, step = (0, 1) if info is None else (info.id, info.num_workers)
        ...         return itertools.islice(open("lines.txt"), first, None, step)
    """

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"'__iter__' is not implemented in class {type(self).__name__}")

    def __getitem__(self, idx: Any) -> Any:
        raise RuntimeError(f"an IterableDataset has no samples by index ({type(self).__name__}); iterate over it")

    def __len__(self) -> int:
        # TypeError, so that list() and friends, which ask for a length as a hint, still work
        raise TypeError(f"an IterableDataset has no length ({type(self).__name__})")


class TensorDataset(Dataset):
    """Rows of tensors: sample ``i`` is ``(t[i] for t in tensors)``.

    Args:
        tensors: list or tuple of Tensors or arrays, all with the same first dimension.

    Raises:
        ShapeError: the first dimensions differ, or a tensor has none.

    Example:
        >>> images, labels = paddle.ones([10, 784]), paddle.zeros([10, 1], 'int64')
        >>> x, y = TensorDataset([images, labels])[0]
        >>> x.shape
        [784]
    """

    def __init__(self, tensors: Sequence[Any]) -> None:
        shapes = [list(tensor.shape) for tensor in tensors]
        if not shapes or not all(shapes) or len({shape[0] for shape in shapes}) != 1:
            raise ShapeError(f"TensorDataset: expected tensors with one common first dimension, got shapes {shapes}")
        self.tensors = tensors

    def __getitem__(self, idx: Any) -> tuple[Any, ...]:
        return tuple(tensor[idx] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]


class Subset(Dataset):
    """The samples of ``dataset`` at ``indices``, in that order.

    Example:
        >>> list(Subset(range(1, 4), [0, 2]))
        [1, 3]
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx: Any) -> Any:
        return self.dataset[self.indices[idx]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Any, lengths: Sequence[int], generator: Any = None) -> list[Subset]:
    """Split a dataset at random into parts of the given lengths.

    Args:
        dataset: anything with ``len`` and indexing.
        lengths: how many samples each part gets; they must add up to ``len(dataset)``.
        generator: a ``numpy.random.Generator`` to draw from (default: the one that `seed` sets).

    Raises:
        ValueError: the lengths do not add up.

    Example:
        >>> train, test = random_split(TensorDataset([paddle.ones([100, 2])]), [80, 20])
        >>> len(test)
        20
    """
    if sum(lengths) != len(dataset):
        raise ValueError(f"random_split: the lengths {list(lengths)} should add up to len(dataset) = {len(dataset)}")
    order = (generator or backends.NUMPY.generator).permutation(len(dataset)).tolist()
    ends = itertools.accumulate(lengths)
    return [Subset(dataset, order[end - length : end]) for end, length in zip(ends, lengths, strict=True)]


def _map_style(datasets: Iterable[Any], owner: str) -> list[Any]:
    datasets = list(datasets)
    if not datasets:
        raise ValueError(f"{owner}: expected at least one dataset, got none")
    for dataset in datasets:
        if isinstance(dataset, IterableDataset):
            raise TypeError(f"{owner}: expected datasets with indices, got the stream {type(dataset).__name__}")
    return datasets


class ConcatDataset(Dataset):
    """Several datasets one after another.

    Raises:
        ValueError: no datasets are given.
        TypeError: one of them is an IterableDataset (see `ChainDataset`).

    Example:
        >>> list(ConcatDataset([range(2), range(3)]))
        [0, 1, 0, 1, 2]
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = _map_style(datasets, "ConcatDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    @staticmethod
    def cumsum(sequence: Iterable[Any]) -> list[int]:
        """Return the end of each of several datasets that follow one another: ``cumsum([range(2), range(3)])`` is ``[2, 5]``."""
        return list(itertools.accumulate(map(len, sequence)))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        position = idx + len(self) if idx < 0 else idx
        if not 0 <= position < len(self):
            raise IndexError(f"ConcatDataset: index {idx} is out of range for {len(self)} samples")
        part = bisect.bisect_right(self.cumulative_sizes, position)
        start = self.cumulative_sizes[part - 1] if part else 0
        return self.datasets[part][position - start]


class ComposeDataset(Dataset):
    """Datasets of one length side by side: sample ``i`` holds the fields of every dataset's sample ``i``.

    Raises:
        ValueError: no datasets are given, or their lengths differ.
        TypeError: one of them is an IterableDataset.

    Example:
        >>> ComposeDataset([images_and_labels, weights])[0]     # (image, label, weight)
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = _map_style(datasets, "ComposeDataset")
        lengths = [len(dataset) for dataset in self.datasets]
        if len(set(lengths)) != 1:
            raise ValueError(f"ComposeDataset: expected datasets of one length, got lengths {lengths}")

    def __len__(self) -> int:
        return len(self.datasets[0])

    def __getitem__(self, idx: Any) -> tuple[Any, ...]:
        fields: list[Any] = []
        for dataset in self.datasets:
            sample = dataset[idx]
            fields.extend(sample if isinstance(sample, (list, tuple)) else [sample])
        return tuple(fields)


class ChainDataset(IterableDataset):
    """Several streams one after another.

    Raises:
        ValueError: no datasets are given.
        TypeError: one of them is not an IterableDataset (see `ConcatDataset`).

    Example:
        >>> class Count(paddle.io.IterableDataset):
        ...     def __iter__(self):
        ...         return iter(range(2))
        ...
        >>> list(paddle.io.ChainDataset([Count(), Count()]))
        [0, 1, 0, 1]
    """

    def __init__(self, datasets: Iterable[IterableDataset]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise ValueError("ChainDataset: expected at least one dataset, got none")
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise TypeError(f"ChainDataset: expected IterableDatasets, got {type(dataset).__name__}")

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(self.datasets)
