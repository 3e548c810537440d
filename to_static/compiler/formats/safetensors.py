"""Reads and writes safetensors files: a JSON header, followed by the arrays. Reading runs no code.

Source: https://github.com/huggingface/safetensors (the format).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from to_static.compiler.formats.paddle.weights.params_reader import MAX_RANK, widen_bfloat16
from to_static.core.backend import host_memory
from to_static.core.errors import DTypeError, FormatError

SUFFIX = ".safetensors"
MAX_HEADER = 100_000_000  # bytes, as in the reference implementation
_DTYPES = {
    "BOOL": "bool", "U8": "u1", "I8": "i1", "I16": "<i2", "I32": "<i4", "I64": "<i8", "F16": "<f2", "F32": "<f4", "F64": "<f8",
    "BF16": "<u2", "C64": "<c8",
}  # fmt: skip
_CODES = {np.dtype(text): code for code, text in _DTYPES.items() if code != "BF16"}


def is_safetensors(head: bytes) -> bool:
    """Return whether a file that begins with these 16 bytes is one of safetensors."""
    return head[8:9] == b"{" and not any(head[4:8])


def read_safetensors(file: IO[bytes], path: object, size: int) -> dict[str, np.ndarray]:
    """The arrays of an open file of ``size`` bytes by name; bfloat16 comes back as float32 with the same values.

    Raises FormatError for a damaged file, before memory is taken for what it does not hold.
    """
    length = int.from_bytes(file.read(8), "little")
    if length > min(MAX_HEADER, size - 8):
        raise FormatError(path, f"a header of at most {min(MAX_HEADER, max(size - 8, 0))} bytes", f"one of {length} bytes")
    try:
        header = json.loads(file.read(length))
    except (ValueError, RecursionError) as error:
        raise FormatError(path, "a header in JSON", str(error)) from None
    if not isinstance(header, dict):
        raise FormatError(path, "a header that is an object", type(header).__name__)
    return {name: _array(file, path, size, 8 + length, name, entry) for name, entry in header.items() if name != "__metadata__"}


def _array(file: IO[bytes], path: object, size: int, start: int, name: str, entry: Any) -> np.ndarray:
    fields: dict[str, Any] = entry if isinstance(entry, dict) else {}
    code, shape, bounds = fields.get("dtype"), fields.get("shape"), fields.get("data_offsets")
    listed = isinstance(shape, list) and isinstance(bounds, list) and len(shape) <= MAX_RANK and len(bounds) == 2
    if not isinstance(code, str) or code not in _DTYPES or not listed:
        raise FormatError(path, f"a dtype among {', '.join(_DTYPES)}, a shape and two offsets of {name!r}", str(entry)[:100])
    assert isinstance(shape, list) and isinstance(bounds, list)
    extents = [*shape, *bounds]
    dtype = np.dtype(_DTYPES[code])
    if not all(isinstance(extent, int) and 0 <= extent <= size for extent in extents):
        raise FormatError(path, f"sizes and offsets of {name!r} in the file", str(extents)[:100])
    begin, end = bounds
    if end - begin != math.prod(shape) * dtype.itemsize or start + end > size:
        raise FormatError(path, f"{math.prod(shape) * dtype.itemsize} bytes of {name!r}", f"{end - begin}")
    array = host_memory(tuple(shape), dtype)
    file.seek(start + begin)
    if array.size and file.readinto(array.reshape(-1).view(np.uint8).data) < array.nbytes:  # type: ignore[attr-defined]
        raise FormatError(path, f"data of {name!r}", "the end of the file")
    if code == "BOOL" and array.size and array.view(np.uint8).max() > 1:
        raise FormatError(path, f"booleans of 0 or 1 in {name!r}", str(array.view(np.uint8).max()))
    return widen_bfloat16(array) if code == "BF16" else array


def safetensors_parts(arrays: Mapping[str, np.ndarray]) -> tuple[bytes, list[np.ndarray]]:
    """The header of a file, and the arrays that follow it. Raises DTypeError for a dtype that the format does not have."""
    header, at, contiguous = {}, 0, []
    for name, given_array in arrays.items():
        array = np.ascontiguousarray(given_array, np.asarray(given_array).dtype.newbyteorder("<"))
        code = _CODES.get(array.dtype)
        if code is None:
            raise DTypeError(f"save: {name!r} is {array.dtype}, which safetensors does not have; it has {', '.join(_DTYPES)}")
        header[name] = {"dtype": code, "shape": list(np.shape(given_array)), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
        contiguous.append(array)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text, contiguous
