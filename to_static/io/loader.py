"""`DataLoader`: batches of Tensors from a dataset."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterable, Iterator
from types import GeneratorType
from typing import Any

import numpy as np

from to_static.core import backend as backends
from to_static.core.errors import WorkerError
from to_static.core.processes.interrupts import finish
from to_static.core.tree import flatten
from to_static.io import worker
from to_static.io.batch_sampler import BatchSampler, in_batches
from to_static.io.collate import default_collate_fn, default_convert_fn, to_tensors
from to_static.io.dataset import IterableDataset
from to_static.io.pool import WorkerPool


class DataLoader:
    """Iterates over a dataset in batches of Tensors.

    Args:
        dataset: a `Dataset` (anything with ``len`` and indexing will do) or an `IterableDataset`.
        feed_list: variables of a static Program, one per field; used only with ``return_list=False``.
        places: device or list of one device for the Tensors (default: the current device).
        return_list: True gives each batch with the structure of the samples; False, with a ``feed_list``, gives
            ``[{variable name: Tensor}]``, ready for ``Executor.run(feed=...)``.
        batch_sampler: lists of indices, instead of the next three arguments.
        batch_size: samples per batch; None hands out the samples as they are (default 1).
        shuffle: visit the samples in random order, which ``np.random.seed`` fixes (default False). With ``batch_size=None``
            it has no effect, as in Paddle, and a warning says so.
        drop_last: leave out a last batch that is not full (default False).
        collate_fn: makes a batch of a list of samples (default: `default_collate_fn`).
        num_workers: processes that load data; 0 loads in this one (default).
        use_buffer_reader: accepted; batches are prefetched whenever there are workers.
        prefetch_factor: batches that each worker loads ahead (default 2).
        use_shared_memory: pass large batches through shared memory where the system has it (default True).
        timeout: seconds to wait for a worker's batch; 0 waits as long as it lives (default).
        worker_init_fn: called with the worker's number in each new worker.
        persistent_workers: keep the workers for the next epoch (default False).

    Raises:
        ValueError: a number is out of range, or arguments exclude each other.
        TypeError: an argument has the wrong type.
        WorkerError: (while iterating) a worker died or did not answer within ``timeout``.
        Any exception of the dataset or ``collate_fn``; from a worker, with the worker's traceback as its cause.

    Example:
        >>> dataset = TensorDataset([paddle.ones([100, 784]), paddle.zeros([100, 1], 'int64')])
        >>> net = nn.Linear(784, 10)
        >>> for images, labels in DataLoader(dataset, batch_size=64, shuffle=True):
        ...     loss = F.cross_entropy(net(images), labels)
    """

    def __init__(
        self,
        dataset: Any,
        feed_list: Any = None,
        places: Any = None,
        return_list: bool = True,
        batch_sampler: Any = None,
        batch_size: int | None = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Callable[[Any], Any] | None = None,
        num_workers: int = 0,
        use_buffer_reader: bool = True,
        prefetch_factor: int = 2,
        use_shared_memory: bool = True,
        timeout: float = 0,
        worker_init_fn: Callable[[int], Any] | None = None,
        persistent_workers: bool = False,
    ) -> None:
        _at_least(0, num_workers=num_workers, timeout=timeout)
        _at_least(1, prefetch_factor=prefetch_factor)
        streaming = isinstance(dataset, IterableDataset)
        if streaming and (shuffle or batch_sampler is not None):
            raise ValueError("DataLoader: an IterableDataset gives its own order: leave out shuffle and batch_sampler")
        if batch_sampler is not None and (batch_size != 1 or shuffle or drop_last):
            raise ValueError("DataLoader: batch_sampler excludes batch_size, shuffle and drop_last")
        if batch_sampler is None and batch_size is None and shuffle:
            text = "DataLoader: batch_size=None hands out single samples in order, as Paddle does: shuffle=True has no effect"
            warnings.warn(text, stacklevel=2)
        if batch_sampler is None and batch_size is not None:
            if streaming:
                _at_least(1, batch_size=batch_size)
            else:
                batch_sampler = BatchSampler(dataset, shuffle=shuffle, batch_size=batch_size, drop_last=drop_last)
        if not streaming and not hasattr(type(dataset), "__getitem__"):
            class_name = dataset.__name__ if isinstance(dataset, type) else type(dataset).__name__
            itself = f"; got the class itself, `{class_name}(...)` makes one"
            hint = itself if isinstance(dataset, type) else f", got a {class_name}"
            expected = "a Dataset with `__getitem__(self, idx)`, which gives a sample, and `__len__(self)`"
            raise TypeError(f"DataLoader: expected {expected}{hint}")
        self.dataset = dataset
        self.feed_list = feed_list
        self.places = _one_place(places)
        self.return_list = return_list
        self.batch_sampler = batch_sampler
        self.batch_size = batch_size
        self.drop_last = drop_last
        batching = batch_size is not None
        self.collate_fn = collate_fn or (default_collate_fn if batching else default_convert_fn)
        self.num_workers = num_workers
        self.use_buffer_reader = use_buffer_reader
        self.prefetch_factor = prefetch_factor
        self.use_shared_memory = use_shared_memory
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self._persistent_workers = persistent_workers
        self._streaming = streaming
        # default_collate_fn makes new arrays; others may hand out memory of their own that they still write to
        self._copy = self.collate_fn is not default_collate_fn
        self._epoch = 0
        self._pool: WorkerPool | None = None

    def __len__(self) -> int:
        """Number of batches. Raises TypeError for an IterableDataset, whose length is not known."""
        return len(self.dataset if self.batch_sampler is None else self.batch_sampler)

    def __call__(self) -> Iterator[Any]:
        return iter(self)

    def __iter__(self) -> Iterator[Any]:
        backend = backends.current() if self.places is None else backends.get_backend(self.places)
        batches = self._by_workers() if self.num_workers else self._load_in_process()
        copy = self._copy and not self.num_workers
        for batch in batches:
            tensors = to_tensors(batch, backend, copy)
            yield tensors if self.return_list or self.feed_list is None else [self._feed(tensors)]

    def _feed(self, batch: Any) -> dict[str, Any]:
        leaves = flatten(batch)[0]
        if len(leaves) != len(self.feed_list):
            expected = f"feed_list has {len(self.feed_list)} entries; expected as many fields of a batch"
            raise ValueError(f"DataLoader: {expected}, got {len(leaves)}")
        return {variable.name: leaf for variable, leaf in zip(self.feed_list, leaves, strict=True)}

    def _tasks(self) -> Iterable[Any]:
        if self._streaming:
            return itertools.repeat(None)
        return range(len(self.dataset)) if self.batch_sampler is None else self.batch_sampler

    def _load_in_process(self) -> Iterator[Any]:
        if not self._streaming:
            for task in self._tasks():
                samples = self.dataset[task] if self.batch_sampler is None else [self.dataset[i] for i in task]
                yield self.collate_fn(samples)
        elif self.batch_size is None:
            yield from map(self.collate_fn, self.dataset)
        else:
            yield from map(self.collate_fn, in_batches(self.dataset, self.batch_size, self.drop_last))

    def _by_workers(self) -> Iterator[Any]:
        pool = self._pool or self._new_pool()
        if self._persistent_workers:
            self._pool = pool
        try:
            yield from pool.run(self._tasks())
        except WorkerError:
            self._pool = None
            raise
        finally:
            if self._pool is not pool:
                finish(pool.close)  # a loop that was left drops this iterator

    def _new_pool(self) -> WorkerPool:
        self._epoch += 1
        # Read, but do not move, NumPy's global generator: the order of samples must not depend on num_workers.
        state = np.random.RandomState()
        state.set_state(np.random.get_state())
        sequence = np.random.SeedSequence([int(state.randint(1 << 31)), self._epoch])
        job = worker.Job(
            dataset=self.dataset,
            collate=self.collate_fn,
            batch_size=self.batch_size if self._streaming or self.batch_sampler is None else 1,
            drop_last=self.drop_last,
            init=self.worker_init_fn,
            use_shared_memory=self.use_shared_memory,
        )
        seeds = [int(child.generate_state(1)[0]) for child in sequence.spawn(self.num_workers)]
        return WorkerPool(job, self.num_workers, seeds, self.prefetch_factor, self.timeout)

    def __del__(self) -> None:
        if getattr(self, "_pool", None) is not None:
            finish(self._pool.close)  # type: ignore[union-attr]


def _at_least(low: int, **settings: Any) -> None:
    for name, value in settings.items():
        if not isinstance(value, (int, float)) or isinstance(value, bool) or value < low:
            raise ValueError(f"DataLoader: {name} should be a number >= {low}, got {value!r}")


def _one_place(places: Any) -> Any:
    if not isinstance(places, (list, tuple)):
        return places
    if len(places) != 1:
        raise ValueError(f"DataLoader: expected one place (one process feeds one device), got {len(places)}")
    return places[0]


_DataLoaderIterBase = GeneratorType  # what `iter` gives of a DataLoader, as code of model collections asks for it
