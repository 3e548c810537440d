"""Arrays in MATLAB's files of level 5.

Source: The MathWorks, "MAT-File Format".
"""

from __future__ import annotations

import math
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from to_static.core.errors import FormatError

HEADER = 128
MATRIX, COMPRESSED = 14, 15
TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
CLASSES = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}


def read_mat(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """The arrays of numbers in a file of MATLAB's level 5 (what ``save`` writes up to version 7), by name.

    Other variables are left out.
    Raises FormatError when the file is not one or is damaged, OSError when it cannot be opened.
    """
    data = Path(path).read_bytes()
    order = {b"IM": "<", b"MI": ">"}.get(data[126:HEADER])
    if order is None:
        raise FormatError(path, "a MATLAB file of level 5", "something else", 126)
    try:
        variables: dict[str, np.ndarray] = {}
        for element_type, body in _elements(data[HEADER:], order):
            if element_type == COMPRESSED:
                [(element_type, body)] = _elements(zlib.decompress(body), order)
            if element_type == MATRIX:
                variables.update(_matrix(body, order))
        return variables
    except (struct.error, ValueError, IndexError, zlib.error) as error:
        raise FormatError(path, "a MATLAB file of level 5", f"damaged data ({error})") from error


def _elements(data: bytes, order: str) -> list[tuple[int, bytes]]:
    """The kind and the bytes of each element, one after the other."""
    elements, at = [], 0
    while at < len(data):
        element_type, count = struct.unpack_from(f"{order}II", data, at)
        if element_type >> 16:  # a small element: both numbers in one, at most four bytes after them
            element_type, count, start, step = element_type & 0xFFFF, element_type >> 16, at + 4, 8
        else:
            start, step = at + 8, 8 + (count if element_type == COMPRESSED else -(-count // 8) * 8)
        if start + count > len(data):
            raise ValueError(f"{count} bytes where {len(data) - start} are left")
        elements.append((element_type, data[start : start + count]))
        at += step
    return elements


def _matrix(body: bytes, order: str) -> dict[str, np.ndarray]:
    """The array of one variable, by its name; nothing where it is none of numbers."""
    parts = _elements(body, order)
    array_class = struct.unpack_from(f"{order}I", parts[0][1])[0] & 0xFF
    if array_class not in CLASSES or len(parts) != 4:
        return {}
    shape: Any = np.frombuffer(parts[1][1], f"{order}i4")
    elements = np.frombuffer(parts[3][1], order + TYPES[parts[3][0]])
    if len(elements) != math.prod(map(int, shape)):
        raise ValueError(f"{len(elements)} numbers for an array {shape.tolist()}")
    return {parts[2][1].decode("latin1"): elements.reshape(shape, order="F").astype(CLASSES[array_class])}
