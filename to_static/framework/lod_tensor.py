"""`LoDTensor`: an array with the offsets of the sequences in its rows, as static Programs are fed and fetched."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.core.backend import CPUPlace
from to_static.core.errors import ShapeError


class LoDTensor:
    """An array, and level by level the offsets of sequences in it: ``[[0, 2, 5]]`` are two sequences, of 2 and 3 rows.

    Example:
        >>> t = paddle.base.LoDTensor()
        >>> t.set(np.zeros([5, 30]), paddle.CPUPlace())
        >>> t.set_recursive_sequence_lengths([[2, 3]])
        >>> t.lod()
        [[0, 2, 5]]
    """

    def __init__(self, array: Any = None, lod: Any = ()) -> None:
        self._array = None if array is None else np.asarray(array)
        self._lod = [[int(x) for x in level] for level in lod]

    def set(self, array: Any, place: Any = None, zero_copy: bool = False) -> None:
        """Hold a copy of an array (or a list)."""
        self._array = np.array(array)

    def shape(self) -> list[int]:
        """Its dimensions; [0] when there is no array yet."""
        return [0] if self._array is None else list(self._array.shape)

    def lod(self) -> list[list[int]]:
        """The offsets, level by level."""
        return [list(level) for level in self._lod]

    def set_lod(self, lod: Any) -> None:
        """Set the offsets. Raises ShapeError for what can't be offsets of its rows."""
        levels = [[int(x) for x in level] for level in lod]
        if not _fits(levels, self._array):
            raise ShapeError(f"set_lod: offsets rise from 0 to the length of the next level or of the tensor, got {levels}")
        self._lod = levels

    def recursive_sequence_lengths(self) -> list[list[int]]:
        """The lengths of the sequences, level by level."""
        return [np.diff(level).tolist() for level in self._lod]

    def set_recursive_sequence_lengths(self, lengths: Any) -> None:
        """Set the offsets by lengths. Raises ShapeError for what can't be lengths of its rows."""
        self.set_lod([[0, *np.cumsum(level).tolist()] for level in lengths])

    def has_valid_recursive_sequence_lengths(self) -> bool:
        """Return whether the offsets fit its rows."""
        return _fits(self._lod, self._array)

    @property
    def dtype(self) -> Any:
        """Its NumPy dtype."""
        return None if self._array is None else self._array.dtype

    def numpy(self) -> np.ndarray:
        """The array, not a copy of it."""
        return np.asarray(self)

    def _is_initialized(self) -> bool:
        return self._array is not None

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        array = np.zeros(0, np.float32) if self._array is None else self._array
        return np.array(array, dtype) if copy or dtype is not None else array

    def __len__(self) -> int:
        return self.shape()[0]

    def __repr__(self) -> str:
        if self._array is None:
            return "  - shape: []\n  - layout: NCHW\nuninited\n"
        array = self._array
        lod = "{" + "".join("{" + ", ".join(map(str, level)) + "}" for level in self._lod) + "}"
        flat = array.ravel()
        data = [str(int(x)) if array.dtype.kind in "iub" else f"{x:g}" for x in flat]
        lines = [f"lod: {lod}"] if self._lod else []
        lines += [
            f"shape: [{', '.join(map(str, array.shape))}]", "layout: NCHW", f"place: {CPUPlace()}", f"dtype: {array.dtype.name}",
            f"data: [{' '.join(data)}]",
        ]  # fmt: skip
        return "".join(f"  - {line}\n" for line in lines)

    __str__ = __repr__


def _fits(levels: list[list[int]], array: Any) -> bool:
    if not levels:
        return True
    counts = [len(level) - 1 for level in levels[1:]] + [None if array is None else array.shape[0]]
    return all(
        len(level) > 1 and level[0] == 0 and level == sorted(level) and (count is None or level[-1] == count)
        for level, count in zip(levels, counts, strict=True)
    )


class LoDTensorArray(list[LoDTensor]):
    """A list of `LoDTensor`."""


def create_lod_tensor(data: Any, recursive_seq_lens: Any, place: Any = None) -> LoDTensor:
    """A `LoDTensor` of an array, of a list of sequences, or of another `LoDTensor`.

    Args:
        data: array whose rows are the steps of all sequences; a list of lists (the words of texts) becomes rows of one number.
        recursive_seq_lens: lengths of the sequences, level by level.
        place: not used.

    Raises ShapeError when the lengths are not those of the rows.

    Example:
        >>> t = paddle.base.create_lod_tensor(np.zeros([5, 30]), [[2, 3]], paddle.CPUPlace())
    """
    if isinstance(data, list):
        lengths = [len(sequence) for sequence in data]
        if lengths != list(recursive_seq_lens[-1]):
            raise ShapeError(f"create_lod_tensor: data and recursive_seq_lens do not match: {lengths}, {recursive_seq_lens[-1]}")
        data = np.concatenate([np.asarray(sequence).reshape(len(sequence), -1) for sequence in data])
    lod_tensor = LoDTensor()
    lod_tensor.set(data, place)
    lod_tensor.set_recursive_sequence_lengths(recursive_seq_lens)
    return lod_tensor


def create_random_int_lodtensor(recursive_seq_lens: Any, base_shape: Any, place: Any, low: int, high: int) -> LoDTensor:
    """The same of random integers from ``low`` to ``high``, both may come; a row has ``base_shape``."""
    rows = sum(recursive_seq_lens[-1])
    data = np.random.randint(low, high + 1, [rows, *base_shape]).astype("int64")
    return create_lod_tensor(data, recursive_seq_lens, place)
