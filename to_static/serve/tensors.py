"""Tensors on the wire: datatypes of the Open Inference Protocol, and arrays as JSON numbers and as bytes.

Source: https://github.com/kserve/open-inference-protocol and Triton's binary tensor data extension.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.core.diagnostics.printable import printable, quoted
from to_static.serve.refusal import bad_request

BYTES = "BYTES"
NUMBERS = {
    "BOOL": "bool", "UINT8": "uint8", "UINT16": "uint16", "UINT32": "uint32", "UINT64": "uint64", "INT8": "int8",
    "INT16": "int16", "INT32": "int32", "INT64": "int64", "FP16": "float16", "FP32": "float32", "FP64": "float64",
}  # fmt: skip
_NAMES = {dtype: name for name, dtype in NUMBERS.items()}
_KINDS = {"b": "b", "i": "iu", "u": "iu", "f": "iuf"}  # of numbers in JSON that a dtype of a kind takes


def datatype_of(dtype: Any) -> str:
    """The protocol's name of a NumPy dtype: 'FP32' of float32, 'BYTES' of strings and objects. Raises KeyError for complex ones."""
    dtype = np.dtype(dtype)
    return BYTES if dtype.kind in "OSU" else _NAMES[dtype.name]


def need_shape(shape: Any, name: str) -> tuple[int, ...]:
    """The shape of a tensor in a request. Raises Refusal for anything but a list of whole numbers that are not negative."""
    if not isinstance(shape, (list, tuple)) or not all(type(size) is int and size >= 0 for size in shape):
        raise bad_request(f"input {quoted(name)}: shape must be a list of whole numbers >= 0, got {printable(shape)}")
    if len(shape) > 64 or math.prod(size or 1 for size in shape) >= 1 << 62:
        raise bad_request(f"input {quoted(name)}: no tensor has shape {printable(shape)}")
    return tuple(shape)


def need_dtype(datatype: Any, name: str) -> np.dtype:
    """The NumPy dtype of a datatype; that of objects for 'BYTES'. Raises Refusal for one that is not known."""
    if datatype == BYTES:
        return np.dtype(object)
    if not isinstance(datatype, str) or datatype not in NUMBERS:
        raise bad_request(
            f"input {quoted(name)}: datatype must be one of {', '.join(NUMBERS)} or BYTES, got {printable(datatype)}"
        )
    return np.dtype(NUMBERS[datatype])


def from_numbers(data: Any, dtype: np.dtype, shape: tuple[int, ...], name: str) -> np.ndarray:
    """The array of (nested or flat) lists of a JSON request.

    Raises Refusal where their number is not that of the shape, or where one of them is not of the dtype: nothing is rounded or cut.
    """
    if dtype.kind == "O":
        items = list(_flat(data))
        if not all(isinstance(item, str) for item in items):
            raise bad_request(f"input {quoted(name)}: BYTES takes strings")
        strings = np.empty(len(items), object)
        strings[:] = [item.encode() for item in items]
        return _shaped(strings, shape, name)
    try:
        array = np.asarray(data)
    except (ValueError, OverflowError):
        raise bad_request(
            f"input {quoted(name)}: data must be lists of one length at each level, or one flat list"
        ) from None
    if array.size == 0:
        return _shaped(array.astype(dtype), shape, name)
    exact = None
    if array.dtype.kind == "f" and dtype.kind in "iu":  # NumPy makes floats of small numbers beside some above 2**63
        exact = np.asarray(data, object)
        if all(type(element) is int for element in exact.flat):
            array = exact
    if array.dtype.kind not in _KINDS[dtype.kind] and array is not exact:
        raise bad_request(f"input {quoted(name)}: data must be {dtype.name}, got {_of_kind(array)}")
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if int(array.min()) < limits.min or int(array.max()) > limits.max:
            raise bad_request(f"input {quoted(name)}: {array.min()} to {array.max()} does not fit {dtype.name}")
    with np.errstate(over="ignore"):
        typed = array.astype(dtype)
    if dtype.kind == "f" and not np.isfinite(typed).all():
        raise bad_request(f"input {quoted(name)}: a number is too large for {dtype.name}")
    return _shaped(typed, shape, name)


def _of_kind(array: np.ndarray) -> str:
    return {"O": "numbers that are too large, or of several kinds", "U": "strings", "b": "true and false"}.get(
        array.dtype.kind, array.dtype.name
    )


def _flat(data: Any) -> Any:
    if not isinstance(data, list):
        yield data
        return
    for item in data:
        yield from _flat(item)


def _shaped(array: np.ndarray, shape: tuple[int, ...], name: str) -> np.ndarray:
    if array.size != math.prod(shape):
        raise bad_request(
            f"input {quoted(name)}: shape {list(shape)} has {math.prod(shape)} elements, data has {array.size}"
        )
    return array.reshape(shape)


def from_bytes(data: bytes | memoryview, dtype: np.dtype, shape: tuple[int, ...], name: str) -> np.ndarray:
    """The array of raw little-endian bytes. Raises Refusal where they are more or fewer than the shape needs."""
    if dtype.kind == "O":
        return _shaped(_strings(data, name), shape, name)
    needed = math.prod(shape) * dtype.itemsize
    if len(data) != needed:
        raise bad_request(
            f"input {quoted(name)}: shape {list(shape)} of {dtype.name} takes {needed} bytes, got {len(data)}"
        )
    array = np.frombuffer(data, dtype.newbyteorder("<")).reshape(shape).astype(dtype, copy=False)
    if dtype.kind == "b" and array.size and array.view(np.uint8).max() > 1:
        raise bad_request(f"input {quoted(name)}: BOOL takes bytes 0 and 1")
    return array


def _strings(data: bytes | memoryview, name: str) -> np.ndarray:
    items, at, view = [], 0, memoryview(data)
    while at < len(view):
        if at + 4 > len(view):
            raise bad_request(f"input {quoted(name)}: BYTES data ends within a length")
        (size,) = struct.unpack_from("<I", view, at)
        at += 4
        if at + size > len(view):
            raise bad_request(f"input {quoted(name)}: BYTES data ends within an element of {size} bytes")
        items.append(bytes(view[at : at + size]))
        at += size
    array = np.empty(len(items), object)
    array[:] = items
    return array


def to_bytes(array: np.ndarray) -> bytes:
    """The raw little-endian bytes of an array; of strings each with its length before it."""
    if array.dtype.kind == "O":
        items = [item if isinstance(item, bytes) else str(item).encode() for item in array.reshape(-1)]
        return b"".join(struct.pack("<I", len(item)) + item for item in items)
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()


def to_numbers(array: np.ndarray, name: str) -> list[Any]:
    """The flat list of an array's elements for JSON. Raises Refusal for NaN and infinity, which JSON can't say."""
    if array.dtype.kind == "O":
        return [item.decode(errors="replace") if isinstance(item, bytes) else str(item) for item in array.reshape(-1)]
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise bad_request(
            f"output {quoted(name)} holds NaN or infinity, which JSON can't say: ask for it as binary data"
        )
    flat: list[Any] = array.reshape(-1).tolist()
    return flat


def top_classes(array: np.ndarray, count: int, batched: bool) -> np.ndarray:
    """The ``count`` largest elements as strings 'VALUE:INDEX', of each row where ``batched``: Triton's classification extension."""
    rows = array.reshape(len(array) if batched else 1, -1)
    order = np.argsort(-rows.astype(np.float64), axis=1, kind="stable")[:, :count]
    strings = np.empty(order.shape, object)
    for row, indices in enumerate(order):
        strings[row] = [f"{rows[row, index]:f}:{index}".encode() for index in indices]
    return strings if batched else strings[0]


def sizes(arrays: Sequence[np.ndarray]) -> int:
    """The bytes of arrays together."""
    return sum(array.nbytes for array in arrays)
