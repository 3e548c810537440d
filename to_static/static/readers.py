"""Readers that feed Programs: generators of the user's, by sample, by list of samples or by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ops.shapes.create import to_tensor
from to_static.core.errors import ModeError
from to_static.framework.core import EOFException
from to_static.framework.lod_tensor import LoDTensor
from to_static.io.loader import DataLoader as Loader
from to_static.io.readers import batch
from to_static.static.batches import batch_of


class GeneratorLoader:
    """Batches of a generator; see `DataLoader.from_generator`, which makes one."""

    def __init__(
        self,
        feed_list: Any = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
        drop_last: bool = True,
    ) -> None:
        self.feed_list = list(feed_list or ())
        self.capacity, self.iterable, self.return_list, self.drop_last = capacity, iterable, return_list, drop_last
        self._batches: Callable[[], Any] | None = None
        self._running: Iterator[Any] | None = None
        if not iterable:
            if not self.feed_list:
                raise ModeError("a reader that is started needs feed_list: the tensors of static.data that it feeds")
            self.feed_list[0].builder.owner.readers.append(self)

    def set_sample_generator(self, reader: Any, batch_size: int, drop_last: bool = True, places: Any = None) -> GeneratorLoader:
        """``reader()`` gives samples."""
        return self.set_sample_list_generator(batch(_singles(reader), batch_size, drop_last), places)

    def set_sample_list_generator(self, reader: Any, places: Any = None) -> GeneratorLoader:
        """``reader()`` gives lists of samples."""
        self._batches = lambda: map(self._stacked, reader())
        return self

    def set_batch_generator(self, reader: Any, places: Any = None) -> GeneratorLoader:
        """``reader()`` gives batches: an array for each input."""
        self._batches = lambda: map(_listed, reader())
        return self

    decorate_sample_generator = set_sample_generator
    decorate_sample_list_generator = set_sample_list_generator
    decorate_batch_generator = set_batch_generator

    def __call__(self) -> Iterator[Any]:
        return iter(self)

    def __iter__(self) -> Iterator[Any]:
        """Batches: dicts for ``Executor.run(feed=...)`` in a list; with ``return_list``, or in dynamic mode, lists of tensors."""
        if not self.iterable:
            raise ModeError("this reader was made with iterable=False: start() it, and run the Program until EOFException")
        as_lists = self.return_list or not (self.feed_list and mode.building())
        for items in self._source():
            if as_lists:
                yield [to_tensor(np.asarray(item)) if not isinstance(item, EagerTensor) else item for item in items]
            else:
                yield [self._named(items)]

    def start(self) -> None:
        """Feed the Program from now on."""
        if self.iterable:
            raise ModeError("start() is for a reader that was made with iterable=False; loop over this one")
        self._running = iter(self._source())

    def reset(self) -> None:
        """Begin anew at the next `start`."""
        self._running = None

    def next_feed(self) -> dict[str, Any]:
        """Return the feed of the next run; {} before `start`. Raises EOFException after the last batch."""
        if self._running is None:
            return {}
        try:
            return self._named(next(self._running))
        except StopIteration:
            raise EOFException("There is no next data.") from None

    def _source(self) -> Any:
        if self._batches is None:
            raise ModeError("this reader has no source: call set_sample_generator, set_sample_list_generator, set_batch_generator")
        return self._batches()

    def _named(self, arrays: list[Any]) -> dict[str, Any]:
        if len(arrays) != len(self.feed_list):
            raise ModeError(f"the reader gave {len(arrays)} items, feed_list has {len(self.feed_list)}")
        return {var.name: item for var, item in zip(self.feed_list, arrays, strict=True)}

    def _stacked(self, samples: Any) -> list[Any]:
        rows = [_listed(sample) for sample in samples]
        if self.feed_list:
            return [batch_of(var, [row[k] for row in rows]) for k, var in enumerate(self.feed_list)]
        return [LoDTensor(np.stack([np.asarray(row[k]) for row in rows])) for k in range(len(rows[0]))]


def _listed(item: Any) -> list[Any]:
    return list(item) if isinstance(item, (list, tuple)) else [item]


def _singles(reader: Any) -> Callable[[], Iterator[Any]]:
    return lambda: iter(reader())


class PyReader(GeneratorLoader):
    """The old name of what `DataLoader.from_generator` makes.

    Example:
        >>> reader = paddle.base.io.PyReader(feed_list=[image, label], capacity=4, iterable=True)
        >>> reader.decorate_sample_list_generator(paddle.batch(samples, batch_size=8))
        >>> for data in reader():
        ...     executor.run(feed=data, fetch_list=[loss])
    """

    def __init__(
        self,
        feed_list: Any = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
    ) -> None:
        super().__init__(feed_list, capacity, use_double_buffer, iterable, return_list)


class DataLoader(Loader):
    """`io.DataLoader`, with the loaders of generators and of data sets that ``paddle.base.io`` has."""

    @staticmethod
    def from_generator(
        feed_list: Any = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
        use_multiprocess: bool = False,
        drop_last: bool = True,
    ) -> GeneratorLoader:
        """A loader of what a generator gives; set it with one of its ``set_..._generator``.

        Args:
            feed_list: tensors of `static.data` that are fed, in order.
            capacity, use_double_buffer, use_multiprocess: not used: batches are made when they are asked for.
            iterable: one loops over it; False: `start` it, run the Program until EOFException, then `reset`.
            return_list: lists of tensors, not dicts.
            drop_last: of `set_sample_generator`.
        """
        return GeneratorLoader(feed_list, capacity, use_double_buffer, iterable, return_list, drop_last)

    @staticmethod
    def from_dataset(dataset: Any, places: Any = None, drop_last: bool = True) -> Iterator[dict[str, Any]]:
        """The batches of an `InMemoryDataset` or `QueueDataset`: dicts for ``Executor.run(feed=...)``."""
        return dataset.batches(drop_last)  # type: ignore[no-any-return]
