"""Writing `.pdiparams`; `params` tells what is in such a file.

Apart from reading, which should start quickly.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Mapping
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.atomic_write import writing
from to_static.compiler.formats.paddle import schema
from to_static.core.dtypes import as_dtype
from to_static.core.errors import FormatError

if TYPE_CHECKING:
    from to_static.core.array_types import Array


def tensor_bytes(array: Array) -> tuple[bytes, np.ndarray]:
    """Header and contiguous little-endian data of one tensor."""
    array = np.asarray(array)
    dtype = as_dtype(array.dtype)
    desc = schema.new("TensorDesc", data_type=dtype.code, dims=array.shape).SerializeToString()
    data = np.ascontiguousarray(array, dtype.np.newbyteorder("<")).reshape(-1)
    return struct.pack("<IQIi", 0, 0, 0, len(desc)) + desc, data


def write_params(path: str | os.PathLike[str], arrays: Iterable[Any]) -> None:
    """Write the arrays one after the other, atomically. Raises DTypeError for an array that no Paddle dtype fits."""
    with writing(path) as file:
        put_params(file, arrays)


def write_folder(path: str | os.PathLike[str], arrays: Mapping[str, Any]) -> None:
    """Write a file for each array, called as it is, into a folder, as `params_reader.read_folder` reads them.

    Raises FormatError for a name that points out of the folder, before anything is written; else as `write_params` does.
    """
    for name in arrays:
        if os.path.basename(name) != name or name in ("", ".", ".."):
            raise FormatError(path, "names of variables that are names of files", name or "one without a name")
    for name, array in arrays.items():
        write_params(os.path.join(path, name), [array])


def put_params(file: IO[bytes], arrays: Iterable[Any]) -> None:
    """Write the arrays into an open file. Raises DTypeError as `write_params` does."""
    for array in arrays:
        head, data = tensor_bytes(array)
        file.write(head)
        if data.size:
            file.write(data.view(np.uint8).data)
