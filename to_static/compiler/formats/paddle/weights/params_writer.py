"""Writes `.pdiparams`; `params_reader` describes such a file.

It is a separate module, because programs that only read must start fast.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Mapping
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from to_static.compiler.formats.atomic_write import writing
from to_static.compiler.formats.paddle.messages import schema
from to_static.core.dtypes import as_dtype
from to_static.core.errors import FormatError

if TYPE_CHECKING:
    from to_static.core.array_types import Array


class BFloat16(NamedTuple):
    """Numbers of bfloat16, which NumPy has not: the upper halves (uint16) of those of float32."""

    bits: np.ndarray


def nearest_bfloat16(array: np.ndarray) -> BFloat16:
    """The nearest numbers of bfloat16 to those of float32, to even between two; `params_reader.widen_bfloat16` is the reverse."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    rounded = ((bits + (0x7FFF + ((bits >> 16) & 1))) >> 16).astype(np.uint16)
    quiet = ((bits >> 16) | 0x40).astype(np.uint16)  # rounding could make an infinity of NaN
    return BFloat16(np.where(np.isnan(array), quiet, rounded))


def tensor_bytes(array: Array | BFloat16) -> tuple[bytes, np.ndarray]:
    """Header and contiguous little-endian data of one tensor."""
    if isinstance(array, BFloat16):
        code, stored, array = schema.VAR_TYPE["BF16"], np.dtype(np.uint16), array.bits
    else:
        array = np.asarray(array)
        dtype = as_dtype(array.dtype)
        code, stored = dtype.code, dtype.np
    desc = schema.new("TensorDesc", data_type=code, dims=array.shape).SerializeToString()
    data = np.ascontiguousarray(array, stored.newbyteorder("<")).reshape(-1)
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
