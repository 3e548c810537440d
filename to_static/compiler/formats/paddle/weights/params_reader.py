"""Reads `.pdiparams`: a sequence of tensors without names or index (Paddle's ``save_combine`` stream).

Per tensor, little endian: ``u32 0``, ``u64`` number of LoD levels with ``u64`` byte length and offsets each, ``u32 0``,
``i32`` length of a TensorDesc message, that message, the row-major data.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping, Sequence
from math import prod
from typing import IO

import numpy as np

from to_static.compiler.formats.paddle.messages.schema import VAR_TYPE
from to_static.compiler.formats.paddle.messages.wire import parse
from to_static.compiler.formats.regular_files import check_size, open_regular
from to_static.core.backend import host_memory
from to_static.core.dtypes import BY_CODE
from to_static.core.errors import FormatError

BF16 = VAR_TYPE["BF16"]
MAX_RANK = 32
MAX_DESC = 1 << 16
LARGE = 1 << 24  # elements of a tensor from which on it must be as declared before it is read


class Cursor:
    """A position in an open file that reports what is missing when the file ends early."""

    def __init__(self, file: IO[bytes], path: object) -> None:
        self.file = file
        self.path = path
        start = file.tell()
        self.size = file.seek(0, os.SEEK_END)
        file.seek(start)
        self.offset = 0

    def need(self, count: int, what: str) -> None:
        """Raise FormatError unless ``count`` more bytes are there."""
        bytes_left = self.size - self.offset
        if count > bytes_left:
            raise FormatError(self.path, f"{count} bytes of {what}", f"{bytes_left} bytes before the end of the file", self.offset)

    def take(self, count: int, what: str) -> bytes:
        """The next ``count`` bytes."""
        self.need(count, what)
        data = self.file.read(count)
        self.offset += count
        return data

    def unpack(self, form: str, what: str) -> int:
        """The next integer of a `struct` format."""
        return struct.unpack("<" + form, self.take(struct.calcsize(form), what))[0]

    def fail(self, expected: str, actual: str, back: int = 0) -> FormatError:
        """The error to raise for something wrong ``back`` bytes before the current position."""
        return FormatError(self.path, expected, actual, self.offset - back)


def widen_bfloat16(bits: np.ndarray) -> np.ndarray:
    """The float32 array with exactly the values of bfloat16 ``bits`` (uint16)."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def read_tensor(at: Cursor, declared: Sequence[int] | None = None) -> np.ndarray:
    """The next tensor of a stream. bfloat16 data comes back as float32 (exact).

    ``declared``: the shape that the program says; a large tensor of another one is refused before memory is taken for it.
    """
    if version := at.unpack("I", "a tensor's version"):
        raise at.fail("tensor version 0", str(version), 4)
    for _ in range(at.unpack("Q", "the number of LoD levels")):
        at.take(at.unpack("Q", "the length of a LoD level"), "LoD offsets")
    if version := at.unpack("I", "the inner tensor version"):
        raise at.fail("tensor version 0", str(version), 4)
    length = at.unpack("i", "the length of a tensor description")
    if not 0 < length <= MAX_DESC:
        raise at.fail(f"a tensor description of 1 to {MAX_DESC} bytes", str(length), 4)
    desc = parse("TensorDesc", at.take(length, "tensor description"), at.path, at.offset)
    shape = tuple(desc.dims)
    if len(shape) > MAX_RANK or any(d < 0 for d in shape):
        raise at.fail(f"at most {MAX_RANK} non-negative dimensions", str(list(shape[: MAX_RANK + 1])), length)
    if declared is not None and prod(shape) > LARGE and not _fits(shape, declared):
        raise at.fail(f"a tensor of shape {list(declared)}, as the program declares it", f"one of shape {list(shape)}", length)
    return _data(at, int(desc.data_type), shape, length)


def _fits(shape: Sequence[int], declared: Sequence[int]) -> bool:
    return len(shape) == len(declared) and all(d in (-1, n) for n, d in zip(shape, declared, strict=True))


def _data(at: Cursor, code: int, shape: tuple[int, ...], back: int) -> np.ndarray:
    if code != BF16 and code not in BY_CODE:
        raise at.fail("a tensor of a known dtype", f"dtype code {code}", back)
    dtype = np.dtype("<u2") if code == BF16 else BY_CODE[code].np.newbyteorder("<")
    count = 1
    for dim in shape:
        count *= dim
    at.need(count * dtype.itemsize, f"data of a tensor of shape {list(shape)}")
    try:
        array = host_memory(shape, dtype)
    except MemoryError:
        raise at.fail("a tensor that fits into memory", f"one of {count * dtype.itemsize} bytes", back) from None
    except ValueError as error:  # a zero-sized tensor can still have a dimension that NumPy refuses
        raise at.fail("a shape that fits in memory", f"{list(shape)} ({error})", back) from None
    if count and at.file.readinto(array.reshape(-1).view(np.uint8).data) < array.nbytes:  # type: ignore[attr-defined]
        raise at.fail(f"data of a tensor of shape {list(shape)}", "the end of a file that got shorter meanwhile")
    at.offset += count * dtype.itemsize
    if code == BF16:
        return widen_bfloat16(array)
    if code == 0 and count and array.view(np.uint8).max() > 1:
        raise at.fail("booleans of 0 or 1", f"byte {array.view(np.uint8).max()}", count)
    return array.astype(BY_CODE[code].np, copy=False)


def same_numbers(first: np.ndarray, second: np.ndarray) -> bool:
    """True if two arrays, each in one piece, have the same bits in the same shape."""
    if first.shape != second.shape or first.dtype != second.dtype:
        return False
    first_bits, second_bits = (array.reshape(-1).view(np.uint8) for array in (first, second))
    step = 1 << 16  # bytes at a time, whose marks are in a cache
    return all(np.array_equal(first_bits[i : i + step], second_bits[i : i + step]) for i in range(0, first.nbytes, step))


def read_params(
    path: str | os.PathLike[str],
    names: Sequence[str],
    file: IO[bytes] | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    present: Mapping[str, np.ndarray] | None = None,
) -> dict[str, np.ndarray]:
    """The tensors of a ``.pdiparams`` file by name; ``names`` in the file's order (sorted names of the program).

    ``file``: the file, where it is open already. ``shapes``: those that the program declares.
    ``present``: arrays that are given in place of the same numbers under the same name. Raises FormatError when the file
    holds fewer or more tensors, is damaged, or larger than memory; OSError when it can't be opened.
    """
    if file is None:
        with open_regular(path) as opened:
            return read_params(path, names, opened, shapes, present)
    at = Cursor(file, path)
    check_size(at.size, path)
    arrays: dict[str, np.ndarray] = {}
    for name in names:
        if at.offset == at.size:
            raise at.fail(f"tensor {name!r}, one of {len(names)}", f"the end of the file after {len(arrays)} tensors")
        array, present_array = read_tensor(at, (shapes or {}).get(name)), (present or {}).get(name)
        arrays[name] = array if present_array is None or not same_numbers(array, present_array) else present_array
    if at.offset != at.size:
        raise at.fail(f"the end of the file after {len(arrays)} tensors", f"{at.size - at.offset} more bytes")
    return arrays


def read_folder(path: str | os.PathLike[str], names: Sequence[str]) -> dict[str, np.ndarray]:
    """The tensors of a model saved in the old way: a file for each variable, called as the variable is.

    A name such as ``GRUCell/BasicGRUUnit_0.w_0`` is that of a file in a folder there. Raises FormatError when one is missing or
    damaged, or a name points out of the folder.
    """
    arrays = {}
    for name in names:
        parts = name.split("/")
        file = os.path.join(path, *parts)
        if any(os.path.basename(part) != part or part in ("", ".", "..") for part in parts) or not os.path.isfile(file):
            raise FormatError(path, f"a file for variable {name!r}", "none")
        tensors = read_tensors(file)
        if len(tensors) != 1:
            raise FormatError(file, "one tensor", f"{len(tensors)} tensors")
        arrays[name] = tensors[0]
    return arrays


def read_tensors(path: str | os.PathLike[str], file: IO[bytes] | None = None) -> list[np.ndarray]:
    """All tensors of a stream, however many there are. ``file``: the file, where it is open already."""
    if file is None:
        with open_regular(path) as opened:
            return read_tensors(path, opened)
    at = Cursor(file, path)
    check_size(at.size, path)
    tensors = []
    while at.offset < at.size:
        tensors.append(read_tensor(at))
    return tensors
