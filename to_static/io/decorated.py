"""Functions of readers, which are functions without arguments that give iterators of samples: Paddle's ``paddle.reader``."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["buffered", "cache", "chain", "compose", "firstn", "map_readers", "multiprocess_reader", "shuffle", "xmap_readers"]
Reader = Callable[[], Iterator[Any]]
_END = object()


class ComposeNotAligned(ValueError):
    """Readers of which one ended before the others."""


def cache(reader: Reader) -> Reader:
    """A reader that reads once, and then gives what it had read."""
    samples = tuple(reader())
    return lambda: iter(samples)


def map_readers(func: Callable[..., Any], *readers: Reader) -> Reader:
    """``func`` of the samples of all readers, one of each at a time."""
    return lambda: map(func, *(reader() for reader in readers))


def shuffle(reader: Reader, buf_size: int) -> Reader:
    """The samples of ``reader``, mixed by Python's ``random`` within each ``buf_size`` of them."""

    def read() -> Iterator[Any]:
        samples = reader()
        while buffered := list(itertools.islice(samples, buf_size)):
            random.shuffle(buffered)
            yield from buffered

    return read


def chain(*readers: Reader) -> Reader:
    """The samples of one reader after those of another."""
    return lambda: itertools.chain.from_iterable(reader() for reader in readers)


def compose(*readers: Reader, check_alignment: bool = True) -> Reader:
    """Tuples of the samples of all readers; those that are tuples are laid out.

    Raises ComposeNotAligned when one ends before others.

    Example:
        >>> list(paddle.reader.compose(lambda: iter([1, 2]), lambda: iter([(3, 4), (5, 6)]))())
        [(1, 3, 4), (2, 5, 6)]
    """

    def laid(sample: Any) -> tuple[Any, ...]:
        return sample if isinstance(sample, tuple) else (sample,)

    def read() -> Iterator[Any]:
        sources = [reader() for reader in readers]
        joined = itertools.zip_longest(*sources, fillvalue=_END) if check_alignment else zip(*sources, strict=False)
        for samples in joined:
            if any(sample is _END for sample in samples):
                raise ComposeNotAligned("outputs of readers are not aligned.")
            yield tuple(itertools.chain.from_iterable(map(laid, samples)))

    return read


def buffered(reader: Reader, size: int) -> Reader:
    """The samples of ``reader``; Paddle reads up to ``size`` of them ahead in a thread, here each is read when it is asked for.

    Example:
        >>> for sample in paddle.reader.buffered(reader, 100)(): train(sample)
    """
    return lambda: iter(reader())


def firstn(reader: Reader, n: int) -> Reader:
    """The first ``n`` samples of ``reader``."""
    return lambda: itertools.islice(reader(), n)


def xmap_readers(mapper: Callable[[Any], Any], reader: Reader, process_num: int, buffer_size: int, order: bool = False) -> Reader:
    """``mapper`` of each sample, in their order; ``process_num``, ``buffer_size``: not used, this thread computes it."""
    return lambda: map(mapper, reader())


def multiprocess_reader(readers: list[Reader], use_pipe: bool = True, queue_size: int = 1000) -> Reader:
    """The samples of several readers, one of each in turn; here they are all read by this process."""

    def read() -> Iterator[Any]:
        sources = [reader() for reader in readers]
        while sources:
            for source in list(sources):
                sample = next(source, _END)
                if sample is _END:
                    sources.remove(source)
                else:
                    yield sample

    return read
