"""Arrays in ``.npy`` and ``.npz`` files that may come from anywhere: what they announce is checked before it is believed."""

from __future__ import annotations

import atexit
import lzma
import math
import os
import shutil
import stat
import struct
import sys
import tempfile
import tokenize
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np

from to_static.core.errors import FormatError
from to_static.core.memory_size import physical_memory

STDIN = "-"  # as a path: the standard input
EXPECTED = "a .npy or .npz file of numbers"
NPY, ZIP = b"\x93NUMPY", (b"PK\x03\x04", b"PK\x05\x06")
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_DAMAGED = (  # what NumPy and zipfile raise for bytes that mean nothing
    ValueError, EOFError, OverflowError, SyntaxError, RuntimeError, NotImplementedError, LookupError, TypeError, OSError,
    struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip


def sources(path: str) -> dict[str, Callable[[], np.ndarray]]:
    """Return readers of the arrays of a file by name; a ``.npy`` file has the name ''.

    Raises FormatError for any other file, and later for an array that is damaged, or larger than the machine's memory; OSError
    when the file can't be opened. ``-`` is the standard input.
    """
    file_path = path
    if path == STDIN:
        file_path = _spooled(sys.stdin.buffer)
    elif stat.S_ISFIFO(os.stat(path).st_mode):
        with open(path, "rb") as pipe:
            file_path = _spooled(pipe)
    with open(file_path, "rb") as file:
        magic = file.read(len(NPY))
    read = partial(_guarded, path)
    if magic == NPY:
        return {"": partial(read, _of_file, file_path)}
    if not magic.startswith(ZIP):
        raise FormatError(path, EXPECTED, "Python objects, or another kind of file" if magic else "an empty file")
    return {name.removesuffix(".npy"): partial(read, _of_member, file_path, name) for name in read(_names, file_path)}


def _spooled(source: IO[bytes]) -> str:
    """A file with what comes out of a pipe, such as ``/dev/stdin``, until the process ends: it is read more than once."""
    with tempfile.NamedTemporaryFile(delete=False) as copy:
        shutil.copyfileobj(source, copy)
    atexit.register(Path(copy.name).unlink, missing_ok=True)
    return copy.name


def _guarded(path: str, read: Callable[..., Any], file_path: str, *args: Any) -> Any:
    """Return what ``read`` reads from a file; in errors that is called ``path``, as the user called it."""
    try:
        return read(file_path, path, *args)
    except FormatError:
        raise
    except MemoryError:
        raise FormatError(path, EXPECTED, "more of them than fit into memory") from None
    except _DAMAGED as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise  # the file itself is not there any more, say
        raise FormatError(path, EXPECTED, f"damaged data ({error})") from None


def _names(path: str, given_path: str) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def _of_file(path: str, given_path: str) -> np.ndarray:
    with open(path, "rb") as file:
        return _array(file, os.fstat(file.fileno()).st_size, given_path)


def _of_member(path: str, given_path: str, name: str) -> np.ndarray:
    with zipfile.ZipFile(path) as archive, archive.open(name) as file:
        return _array(file, archive.getinfo(name).file_size, f"{given_path}: {name}")


def _array(file: IO[bytes], size: int, label: str) -> np.ndarray:
    """The array in a file of so many bytes."""
    version = np.lib.format.read_magic(file)
    if version not in _HEADERS:
        raise FormatError(label, EXPECTED, f"version {version[0]}.{version[1]} of the .npy format, which is for other data")
    shape, _, dtype = _HEADERS[version](file)
    if dtype.hasobject:
        raise FormatError(label, EXPECTED, "Python objects")
    needed, left = math.prod(shape) * dtype.itemsize, size - file.tell()
    if not 0 <= needed <= left:
        raise FormatError(label, f"{needed} bytes of data for shape {list(shape)}", f"{left} bytes")
    if needed > physical_memory():
        raise FormatError(label, f"an array that fits into memory ({physical_memory()} bytes)", f"one of {needed} bytes")
    file.seek(0)
    return np.lib.format.read_array(file, allow_pickle=False)
