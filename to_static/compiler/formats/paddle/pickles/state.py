"""Reads and writes `.pdparams`, `.pdopt` and other files of `paddle.save`: nested containers of numbers, text and arrays.

A state dict is a dict of arrays, with a table of variable names under `NAME_TABLE`. A tensor in any other place is a `NamedArray`.
A single tensor can also be in Paddle's binary form (one `.pdiparams` stream).
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from to_static.compiler.formats.atomic_write import writing, writing_all
from to_static.compiler.formats.paddle.pickles.consent import Consent, read_with
from to_static.compiler.formats.paddle.pickles.pickling import Converter, identity, pickled
from to_static.compiler.formats.paddle.pickles.unpickling import NamedArray, unpickle_opened
from to_static.compiler.formats.paddle.weights.params_reader import read_tensors
from to_static.compiler.formats.paddle.weights.params_writer import put_params, write_params
from to_static.compiler.formats.regular_files import check_size
from to_static.compiler.formats.snapshot import opened
from to_static.compiler.formats.unsupported_formats import foreign
from to_static.core.errors import FormatError

NAME_TABLE = "StructuredToParameterName@@"  # {state dict key: variable name}
SLICES = "UnpackBigParamInfor@@"  # how protocols 2 and 3 store arrays above 1 GiB: cut into pieces
__all__ = ["NAME_TABLE", "NamedArray", "put_object", "read_object", "read_opened", "take_object", "write_object", "write_objects"]


def read_object(path: str | os.PathLike[str], consent: Consent | None = None) -> Any:
    """Read a file written by `paddle.save` (or `write_object`): arrays for a state dict's tensors, `NamedArray` for others.

    Paddle stores bfloat16 as uint16; such arrays come back as float32 with exactly their values. The name table, where there
    is one, is left in. Objects are made of the classes of ``consent`` alone. Raises FormatError when the file is damaged, foreign,
    or refers to anything but plain data and these classes (nothing in a file is ever executed); OSError when it can't be opened.
    """
    path = os.fspath(path)
    with opened(lambda: [path]) as files:
        if path not in files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return read_opened(files[path], path, consent)


def read_opened(file: IO[bytes], path: object, consent: Consent | None = None) -> Any:
    """`read_object` of an open file."""
    begin = file.tell()
    head = file.read(1)
    if head == b"\x80":
        check_size(file.seek(0, os.SEEK_END) - begin, path)
        file.seek(begin)
        return _join_slices(_read(file, path, consent), path)
    if head == b"\0":
        file.seek(begin)
        tensors = read_tensors(str(path), file)
        if len(tensors) != 1:
            raise FormatError(path, "one tensor (several are a .pdiparams file)", f"{len(tensors)} tensors")
        return NamedArray("", tensors[0])
    other_format = foreign(head + file.read(63), path)
    actual = other_format or f"first byte {head!r}" if head else "an empty file"
    raise FormatError(path, "a file written by save() (a pickle or a tensor)", actual, 0)


def _read(file: IO[bytes], path: object, consent: Consent | None) -> Any:
    return unpickle_opened(file, path) if consent is None else read_with(file, path, consent)


def write_object(
    path: str | os.PathLike[str], value: object, protocol: int = 4, binary: bool = False, convert: Converter = identity
) -> None:
    """Write what `read_object` reads, atomically; ``binary=True`` takes one array and writes it as a tensor stream.

    ``convert`` is called as by `pickled`, whose errors this raises.
    """
    if binary:
        write_params(path, [value.array if isinstance(value, NamedArray) else value])
        return
    data = pickled(value, protocol, convert)
    with writing(path) as file:
        file.write(data)


def put_object(memory: io.BytesIO, value: object, protocol: int = 4, binary: bool = False, convert: Converter = identity) -> None:
    """`write_object` into a buffer, from its current position on."""
    if binary:
        put_params(memory, [value.array if isinstance(value, NamedArray) else value])
    else:
        memory.write(pickled(value, protocol, convert))


def take_object(memory: io.BytesIO, consent: Consent | None = None) -> Any:
    """The next object in memory, as `read_object` gives it; the next call takes the one after it."""
    start, name = memory.tell(), "memory"
    if memory.read(1) != b"\x80":
        memory.seek(start)
        return read_opened(io.BytesIO(memory.read()), name, consent)
    memory.seek(start)
    return _join_slices(_read(memory, name, consent), name)


def write_objects(values: Mapping[str, Any], protocol: int = 4) -> None:
    """Write several files, by path, of which whoever loads them sees all or none (see `writing_all`). Errors: `write_object`."""
    data = [pickled(value, protocol) for value in values.values()]
    with writing_all(list(values)) as files:
        for file, each in zip(files, data, strict=True):
            file.write(each)


def _join_slices(value: object, path: object) -> Any:
    if not isinstance(value, dict) or SLICES not in value:
        return value
    try:
        for key, entry in value.pop(SLICES).items():
            pieces = [value.pop(name) for name in entry["slices"]]
            value[key] = np.concatenate(pieces).reshape(entry["OriginShape"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(path, f"pieces of large arrays described by {SLICES}", f"something else ({error})") from None
    return value

