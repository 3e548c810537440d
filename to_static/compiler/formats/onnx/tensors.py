"""Reads arrays of TensorProto messages, whose data is in the message or in a file next to the model."""

from __future__ import annotations

import os
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.formats.onnx import schema
from to_static.compiler.formats.regular_files import open_regular
from to_static.core.backend import host_memory
from to_static.core.diagnostics.printable import quoted
from to_static.core.errors import FormatError

_NAMES = {code: name for name, code in schema.DATA_TYPE.items()}
# data type -> (dtype in the file, dtype here, field of numbers that are not raw)
_TYPES = {
    "FLOAT": ("<f4", "float32", "float_data"), "UINT8": ("u1", "uint8", "int32_data"), "INT8": ("i1", "int8", "int32_data"),
    "UINT16": ("<u2", "int32", "int32_data"), "INT16": ("<i2", "int16", "int32_data"), "INT32": ("<i4", "int32", "int32_data"),
    "INT64": ("<i8", "int64", "int64_data"), "BOOL": ("?", "bool", "int32_data"), "FLOAT16": ("<f2", "float16", "int32_data"),
    "DOUBLE": ("<f8", "float64", "double_data"), "UINT32": ("<u4", "int64", "uint64_data"),
    "UINT64": ("<u8", "int64", "uint64_data"), "COMPLEX64": ("<c8", "complex64", "float_data"),
    "COMPLEX128": ("<c16", "complex128", "double_data"), "BFLOAT16": ("<u2", "float32", "int32_data"),
}  # fmt: skip
LARGEST = 1 << 36  # bytes of one array


def dtype_of(data_type: int, path: object) -> str:
    """Return the name of the dtype for a data type of ONNX: a wider one if there is no equal one.

    Raises FormatError for unknown types.
    """
    name = _NAMES.get(data_type, str(data_type))
    if name not in _TYPES:
        raise FormatError(path, "tensors of numbers that NumPy has", f"a tensor of type {name}")
    return _TYPES[name][1]


def array_of(message: Any, path: object, folder: str | None = None) -> np.ndarray:
    """The array of a TensorProto, writable. ``folder``: where files beside the model are, None where there are none.

    Raises FormatError for types that NumPy has not, for another number of elements than the shape has, and for files that are not
    in the folder.
    """
    type_name = _NAMES.get(message.data_type, str(message.data_type))
    if type_name not in _TYPES:
        raise FormatError(path, "tensors of numbers that NumPy has", f"{quoted(message.name)}, of type {type_name}")
    stored, dtype, field = _TYPES[type_name]
    shape, label = tuple(message.dims), quoted(message.name)
    if any(size < 0 for size in shape) or prod(shape) * np.dtype(stored).itemsize > LARGEST:
        raise FormatError(path, f"a shape for {label}", str(list(shape)))
    count = prod(shape)
    if message.data_location == schema.EXTERNAL:
        data = _beside(message, path, folder, count * np.dtype(stored).itemsize)
        array = np.frombuffer(data, stored)
    elif "raw_data" in vars(message):
        if len(message.raw_data) != count * np.dtype(stored).itemsize:
            expected = f"{count * np.dtype(stored).itemsize} bytes of {label}"
            raise FormatError(path, expected, f"{len(message.raw_data)}")
        array = np.frombuffer(message.raw_data, stored)
    else:
        elements = getattr(message, field)
        array = _unpacked(elements, stored, field)
        if array.size != count:
            raise FormatError(path, f"{count} numbers of {label}", str(array.size))
    if type_name == "BFLOAT16":  # the upper half of a float32
        array = (array.astype("uint32") << 16).view("float32")
    result = host_memory(shape, np.dtype(dtype))  # where a parameter may stay
    result[...] = array.reshape(shape)
    return result


def _unpacked(elements: Any, stored: str, field: str) -> np.ndarray:
    if stored in ("<c8", "<c16"):
        return np.asarray(elements, "<f4" if stored == "<c8" else "<f8").view(stored)
    if field == "int32_data" and stored == "<f2":
        return np.asarray(elements, "int64").astype("<u2").view("<f2")
    if field == "uint64_data":
        return np.asarray(elements, "uint64").astype(stored)
    return np.asarray(elements, "float64" if field in ("float_data", "double_data") else "int64").astype(stored)


def _beside(message: Any, path: object, folder: str | None, size: int) -> bytes:
    """The bytes of an array in a file beside the model."""
    where = {entry.key: entry.value for entry in message.external_data}
    location, label = where.get("location", ""), quoted(message.name)
    parts = location.replace("\\", "/").split("/")
    if not location or os.path.isabs(location) or ".." in parts or ":" in parts[0]:
        raise FormatError(path, f"a file in the model's folder for {label}", f"the path {quoted(location)}")
    if folder is None:
        raise FormatError(path, f"the numbers of {label} in the model", f"the file {quoted(location)} beside it")
    file_path = os.path.join(folder, *parts)
    root = os.path.realpath(folder or os.curdir)
    if not os.path.realpath(file_path).startswith(root + os.sep):
        raise FormatError(path, f"a file in the model's folder for {label}", f"a link out of it, {quoted(location)}")
    try:
        start, length = int(where.get("offset", "0")), int(where.get("length", str(size)))
    except ValueError:
        raise FormatError(path, f"numbers as offset and length of {label}", str(where)) from None
    if start < 0 or length != size:
        raise FormatError(path, f"{size} bytes of {label} in {quoted(location)}", f"{length} from {start} on")
    with open_regular(file_path) as file:
        file.seek(start)
        data = file.read(size)
    if len(data) != size:
        raise FormatError(file_path, f"{size} bytes of {label} from {start} on", f"{len(data)}")
    return data
