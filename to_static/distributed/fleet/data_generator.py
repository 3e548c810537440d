"""Samples as lines of text, the form that `distributed.InMemoryDataset` and `QueueDataset` read: scripts that make such lines.

Derive from one of these classes, define `generate_sample` and call `run_from_stdin`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_FORM = "a list or tuple of pairs of a name and values, such as [('words', [1926, 8, 17]), ('label', [1])]"


class DataGenerator:
    """The base of the two generators."""

    def __init__(self) -> None:
        self._proto_info: list[tuple[str, str]] | None = None  # names and kinds of the first line
        self.batch_size_ = 32

    def set_batch(self, batch_size: int) -> None:
        """Set the number of samples that `generate_batch` gets at once (default 32)."""
        self.batch_size_ = batch_size

    def run_from_memory(self) -> None:
        """Write the lines of what ``generate_sample(None)`` makes to standard output."""
        self._write([None])

    def run_from_stdin(self) -> None:
        """Write the lines of what `generate_sample` makes of each line of standard input to standard output.

        Example:
            >>> class Words(fleet.MultiSlotDataGenerator):
            ...     def generate_sample(self, line):
            ...         def samples():
            ...             yield [('words', [int(word) for word in line.split()])]
            ...         return samples
            >>> Words().run_from_stdin()
        """
        self._write(sys.stdin)

    def _write(self, lines: Iterable[Any]) -> None:
        batch: list[Any] = []
        for line in lines:
            for sample in self.generate_sample(line)():
                if sample is None:
                    continue
                batch.append(sample)
                if len(batch) == self.batch_size_:
                    self._flush(batch)
                    batch = []
        if batch:
            self._flush(batch)

    def _flush(self, batch: list[Any]) -> None:
        for sample in self.generate_batch(batch)():
            sys.stdout.write(self._gen_str(sample))

    def _gen_str(self, line: Any) -> str:
        raise NotImplementedError("derive from MultiSlotDataGenerator or MultiSlotStringDataGenerator")

    def generate_sample(self, line: Any) -> Callable[[], Iterable[Any]]:
        """To be defined: a function without arguments that goes through the samples of a line, lists of (name, values)."""
        raise NotImplementedError(f"generate_sample() must be defined and give a function that yields samples: {_FORM}")

    def generate_batch(self, samples: list[Any]) -> Callable[[], Iterable[Any]]:
        """May be defined: the same for the samples of a batch; by default these."""

        def each() -> Iterator[Any]:
            yield from samples

        return each


def _pairs(line: Any) -> Any:
    line = list(line) if isinstance(line, zip) else line
    if not isinstance(line, (list, tuple)):
        raise ValueError(f"generate_sample() must yield {_FORM}, got {type(line).__name__}")
    return line


class MultiSlotStringDataGenerator(DataGenerator):
    """Samples whose values are strings: nothing is checked.

    Example:
        >>> class Words(paddle.distributed.fleet.MultiSlotStringDataGenerator):
        ...     def generate_sample(self, line):
        ...         return lambda: iter([[("words", ["1", "2"]), ("label", ["0"])]])
        ...
    """

    def _gen_str(self, line: Any) -> str:
        return " ".join(" ".join([str(len(values)), *values]) for _, values in _pairs(line)) + "\n"


class MultiSlotDataGenerator(DataGenerator):
    """Samples of whole numbers or floats; all have the names of the first one.

    Raises ValueError for a name that is no text, values that are no list, none or no numbers, and other names than before.

    Example:
        >>> class Words(paddle.distributed.fleet.MultiSlotDataGenerator):
        ...     def generate_sample(self, line):
        ...         return lambda: iter([[("words", [1, 2]), ("label", [0])]])
        ...
    """

    def _gen_str(self, line: Any) -> str:
        pairs = _pairs(line)
        declared = self._proto_info
        if declared is not None and len(pairs) != len(declared):
            raise ValueError(f"the first sample has {len(declared)} fields, this one {len(pairs)}: {[name for name, _ in pairs]}")
        slots: list[tuple[str, str]] = []
        for i, (name, values) in enumerate(pairs):
            if not isinstance(name, str):
                raise ValueError(f"the name of a field must be text, got {name!r}")
            if not isinstance(values, list):
                raise ValueError(f"the values of {name!r} must be a list, got {type(values).__name__}")
            if not values:
                raise ValueError(f"{name!r} has no values: pad it in generate_sample()")
            if declared is not None and name != declared[i][0]:
                raise ValueError(f"field {i} is {declared[i][0]!r} in the first sample, {name!r} in this one")
            for value in values:
                if not isinstance(value, (int, float)):
                    raise ValueError(f"the values of {name!r} must be ints or floats, got {type(value).__name__}")
            is_integer = all(isinstance(value, int) for value in values) and (declared is None or declared[i][1] == "uint64")
            slots.append((name, "uint64" if is_integer else "float"))
        self._proto_info = slots
        return " ".join(" ".join(map(str, [len(values), *values])) for _, values in pairs) + "\n"
