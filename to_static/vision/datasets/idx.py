"""The IDX file format of MNIST: a magic number, the dimensions, then the elements, all big-endian.

Source: http://yann.lecun.com/exdb/mnist/ ("FILE FORMATS FOR THE MNIST DATABASE").
"""

from __future__ import annotations

import gzip
import math
import struct
import zlib
from typing import IO, Any

import numpy as np

from to_static.core.errors import FormatError

DTYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def read_idx(path: Any) -> np.ndarray:
    """Read an IDX file, packed with gzip or not.

    Args:
        path: the file.

    Returns:
        A new array with the file's shape and dtype, in native byte order.

    Raises:
        FormatError: the file is not IDX, is cut short, goes on after its last element, or its gzip data are damaged.
        OSError: the file cannot be opened.

    Example:
        >>> read_idx("train-images-idx3-ubyte.gz").shape
        (60000, 28, 28)
    """
    with open(path, "rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        try:
            return _read(path, gzip.GzipFile(fileobj=raw) if packed else raw)  # type: ignore[arg-type]
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise FormatError(path, "gzip data", f"damaged data ({error})") from error


def _read(path: Any, file: IO[bytes]) -> np.ndarray:
    magic = file.read(4)
    if len(magic) < 4 or magic[:2] != b"\0\0" or magic[2] not in DTYPES or magic[3] == 0:
        raise FormatError(
            path, "an IDX magic number (00 00, a type from 08 to 0e, a rank)", magic.hex(" ") or "nothing", 0
        )
    rank = magic[3]
    header = file.read(4 * rank)
    if len(header) < 4 * rank:
        raise FormatError(path, f"{rank} dimensions of 4 bytes", f"{len(header)} bytes", 4)
    shape = struct.unpack(f">{rank}I", header)
    dtype = np.dtype(DTYPES[magic[2]])
    size = math.prod(shape) * dtype.itemsize
    data = file.read(size + 1)
    if len(data) != size:
        actual = "more" if len(data) > size else f"{len(data)} bytes"
        raise FormatError(path, f"{size} bytes of elements for shape {list(shape)}", actual, 4 + 4 * rank)
    return np.frombuffer(data, dtype).reshape(shape).astype(dtype.newbyteorder("="))
