"""Opens and reads files from untrusted sources: only regular files, and only as many bytes as fit in memory."""

from __future__ import annotations

import os
import stat
from typing import IO

from to_static.core.errors import FormatError
from to_static.core.memory_size import physical_memory

ANY = 1 << 62  # bytes: more than any file has
_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket"}
_FLAGS = getattr(os, "O_NONBLOCK", 0)  # a pipe that nobody writes to would block the one who opens it


def open_regular(path: str | os.PathLike[str]) -> IO[bytes]:
    """The file, open for reading. Raises FormatError for a pipe, a device or a socket, OSError when it can't be opened.

    Example:
        >>> with open_regular("model.pdiparams") as file:
        ...     head = file.read(4)
    """
    file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | _FLAGS))  # noqa: SIM115 (the caller closes it)
    file_type = stat.S_IFMT(os.fstat(file.fileno()).st_mode)
    if file_type == stat.S_IFREG:
        return file
    file.close()
    raise FormatError(path, "a regular file", _KINDS.get(file_type, "something else"))


def read_all(file: IO[bytes], path: object, max_size: int = ANY) -> bytes:
    """Read an open file from its position to its end.

    Raises FormatError, before reading, if that is more than ``max_size`` bytes.
    """
    at = file.tell()
    size = file.seek(0, os.SEEK_END) - at
    file.seek(at)
    check_size(size, path, max_size)
    try:
        return file.read()
    except MemoryError:
        raise FormatError(path, "a file that fits into memory", f"one of {size} bytes") from None


def check_size(size: int, path: object, max_size: int = ANY) -> None:
    """Raise FormatError when a file has more bytes than ``max_size``, or than this machine has memory."""
    if size > max_size:
        raise FormatError(path, f"a file of at most {max_size} bytes", f"one of {size} bytes")
    if size > physical_memory():
        raise FormatError(path, "a file that fits into memory", f"one of {size} bytes")
