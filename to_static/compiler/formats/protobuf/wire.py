"""`WireReader` decodes protobuf messages without the protobuf library, whose import takes a fifth of a small model's start-up.

Messages have protobuf's meaning: unknown fields are skipped, the last of several values counts, and parts of one message are
merged. All text must be UTF-8. A `Schema` has the fields. The readers of Paddle and ONNX files call this module.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.formats.protobuf.schema import Schema
from to_static.core.errors import FormatError
from to_static.core.processes.compile_lock import COMPILE_LOCK

VARINT, EIGHT, BYTES, GROUP, END, FOUR = range(6)  # how a field is written: the low bits of its tag
MAX_GROUPS = 100  # unknown groups inside each other
_WIRE = {"double": EIGHT, "float": FOUR, "string": BYTES, "bytes": BYTES}


class Damaged(ValueError):
    """The bytes are not a message."""


class Message:
    """A message. Its fields are attributes; a field that is absent has the default of `schema`. Messages are not changed."""

    __slots__ = ("__dict__",)


class MessageType:
    """The decoding table of one message type."""

    def __init__(self, name: str, reader: WireReader) -> None:
        self.name = name
        self.interned = name in reader.interned
        self.message_class = type(name, (Message,), {"__slots__": ()})
        self.fields: dict[int, tuple[str, int, Any, bool]] = {}  # tag -> name, wire type, decoder, True if repeated
        self.required: set[str] = set()
        self.complete = False
        reader.message_types[name] = self
        schema = reader.schema
        for field in schema.fields_of(name):
            wire, reads, default = VARINT, None, 0
            if field.type_name in schema.table:
                wire, reads = BYTES, reader.message_type(field.type_name)
                default = reads.message_class() if reads is not self and not field.repeated else None
            elif field.type_name in schema.enums:
                codes = schema.enums[field.type_name].values()
                reads, default = _member(frozenset(codes)), next(iter(codes))
            else:
                wire, reads, default = (
                    _WIRE.get(field.type_name, VARINT),
                    _READS[field.type_name],
                    _DEFAULTS.get(field.type_name, 0),
                )
            if field.default:
                default = int(field.default) if field.type_name != "bool" else field.default == "true"
            setattr(self.message_class, field.name, () if field.repeated else default)
            self.fields[field.field_number << 3 | wire] = field.name, wire, reads, field.repeated
            if field.repeated and wire != BYTES:
                self.fields[field.field_number << 3 | BYTES] = field.name, wire, reads, True  # packed
            if field.label == "!":
                self.required.add(field.name)
        self.complete = True


def _signed(bits: int) -> Callable[[int], int]:
    mask, sign_bit = (1 << bits) - 1, 1 << (bits - 1)
    return lambda value: ((value & mask) ^ sign_bit) - sign_bit


def _member(codes: frozenset[int]) -> Callable[[int], int | None]:
    signed = _signed(32)

    def member(value: int) -> int | None:
        """Return the code of an enumeration's member; None for other codes, which count as unknown fields."""
        code = signed(value)
        return code if code in codes else None

    return member


_READS: dict[str, Any] = {
    "int32": _signed(32), "int64": _signed(64), "bool": bool, "double": struct.Struct("<d").unpack_from,
    "float": struct.Struct("<f").unpack_from, "string": None, "bytes": bytes, "uint64": int,
}  # fmt: skip
_DEFAULTS = {"bool": False, "double": 0.0, "float": 0.0, "string": "", "bytes": b""}
_FIXED = {EIGHT: ("<f8", 8), FOUR: ("<f4", 4)}


class WireReader:
    """Decodes the messages of one schema.

    ``interned``: names of message types of which a file has many equal messages; equal ones are decoded once. ``owner``: the owner
    of the format, for errors. ``deepest``: the maximal nesting of messages.
    """

    def __init__(self, schema: Schema, interned: tuple[str, ...] = (), owner: str = "", deepest: int = 100) -> None:
        self.schema = schema
        self.interned = frozenset(interned)
        self.owner = owner
        self.deepest = deepest
        self.message_types: dict[str, MessageType] = {}  # with those under construction
        self._finished: dict[str, MessageType] = {}

    def message_type(self, name: str) -> MessageType:
        """Return the decoding table of the message type of that name."""
        message_type = self._finished.get(name)
        if message_type is None:
            with COMPILE_LOCK:
                message_type = self.message_types.get(name) or MessageType(name, self)
                if all(message_type.complete for message_type in self.message_types.values()):  # messages may hold their own kind
                    self._finished = dict(self.message_types)
        return message_type

    def parse(self, name: str, data: bytes, path: object, offset: int | None = None) -> Any:
        """Decode ``data`` as a message of type ``name``. Raises FormatError, which names ``path``, if it is none.

        Source: Protocol Buffers, "Encoding".

        Example:
            >>> parse("TensorDesc", bytes([8, 5, 16, 3]), "weights").dims
            [3]
        """
        data = bytes(data)
        try:
            return _decode(self.message_type(name), data, 0, len(data), {}, self.deepest)
        except Damaged as error:
            problem = str(error)
        except UnicodeDecodeError as error:
            problem = f"text that is not UTF-8 ({error.reason})"
        except (IndexError, struct.error):
            problem = "bytes that can't be decoded (they end in the middle of a field)"
        problem += f"; the file was cut off, or is none of {self.owner}"
        raise FormatError(path, f"a {name} message ({len(data)} bytes)", problem, offset)


def _decode(
    message_type: MessageType, data: bytes, at: int, end: int, interned: dict[tuple[MessageType, bytes], Any], depth: int
) -> Any:
    """Decode the message in ``data[at:end]``.

    ``interned``: decoded messages of this file, by type and bytes; ``depth``: the nesting that is still allowed. Raises Damaged, or
    IndexError if the bytes end too early.
    """
    if depth < 0:
        raise Damaged("bytes that can't be decoded (messages too deep inside each other)")
    message = message_type.message_class()
    values, table = message.__dict__, message_type.fields
    parts: dict[str, tuple[MessageType, list[tuple[int, int]]]] = {}
    while at < end:
        tag = data[at]
        at += 1
        if tag > 127:
            tag, at = _varint(data, at - 1, 5)
        entry = table.get(tag)
        if entry is None:
            at = _skip(data, at, tag, end)
            continue
        name, wire, reads, repeated = entry
        if tag & 7 == BYTES:
            size = data[at]
            at += 1
            if size > 127:
                size, at = _varint(data, at - 1)
            start, at = at, at + size
            if at > end:
                raise Damaged(f"bytes that can't be decoded ({message_type.name}.{name} ends {at - end} bytes behind its message)")
            if wire != BYTES:
                values.setdefault(name, []).extend(_packed(data[start:at], wire, reads))
                continue
            if reads is None:
                value: Any = data[start:at].decode()
            elif reads is bytes:
                value = data[start:at]
            elif repeated:
                value = _inner(reads, data, start, at, interned, depth)
            else:
                parts.setdefault(name, (reads, []))[1].append((start, at))
                continue
        elif wire == VARINT:
            value = data[at]
            at += 1
            if value > 127:
                value, at = _varint(data, at - 1)
            value = reads(value)
            if value is None:
                continue
        else:
            (value,) = reads(data, at)
            at += 8 if wire == EIGHT else 4
        if repeated:
            values.setdefault(name, []).append(value)
        else:
            values[name] = value
    if at > end:
        raise IndexError
    for name, (inner, pieces) in parts.items():
        if len(pieces) == 1:
            values[name] = _inner(inner, data, *pieces[0], interned, depth)
        else:
            joined = b"".join(data[start:stop] for start, stop in pieces)
            values[name] = _inner(inner, joined, 0, len(joined), interned, depth)
    if not message_type.required <= values.keys():
        missing = ", ".join(sorted(message_type.required - values.keys()))
        raise Damaged(f"a {message_type.name} without its required fields {missing}")
    return message


def _inner(
    message_type: MessageType, data: bytes, start: int, end: int, interned: dict[tuple[MessageType, bytes], Any], depth: int
) -> Any:
    if not message_type.interned:
        return _decode(message_type, data, start, end, interned, depth - 1)
    piece = data[start:end]
    message = interned.get((message_type, piece))
    if message is None:
        message = interned[message_type, piece] = _decode(message_type, piece, 0, len(piece), interned, depth - 1)
    return message


def _packed(piece: bytes, wire: int, reads: Any) -> list[Any]:
    if wire != VARINT:
        dtype, size = _FIXED[wire]
        if len(piece) % size:
            raise IndexError
        return np.frombuffer(piece, dtype).tolist()  # type: ignore[no-any-return]
    values, at = [], 0
    while at < len(piece):
        value, at = _varint(piece, at)
        values.append(reads(value))
    return [value for value in values if value is not None]


def _varint(data: bytes, at: int, max_bytes: int = 10) -> tuple[int, int]:
    """Decode the varint of at most ``max_bytes`` bytes at offset ``at``; return it with the offset behind it."""
    value = 0
    for shift in range(0, 7 * max_bytes, 7):
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, at
    raise Damaged(f"bytes that can't be decoded (a number of more than {max_bytes} bytes)")


def _skip(data: bytes, at: int, tag: int, end: int) -> int:
    """Return the end of the unknown field with this tag, whose value starts at ``at``."""
    groups: list[int] = []
    while True:
        field_number, wire = tag >> 3, tag & 7
        if not 0 < field_number < 1 << 29:
            raise Damaged(f"bytes that can't be decoded (a field with the number {field_number})")
        if wire == VARINT:
            _, at = _varint(data, at)
        elif wire == BYTES:
            size, at = _varint(data, at)
            at += size
        elif wire in (EIGHT, FOUR):
            at += 8 if wire == EIGHT else 4
        elif wire == GROUP and len(groups) < MAX_GROUPS:
            groups.append(field_number)
        elif wire != END or not groups or groups.pop() != field_number:
            raise Damaged(f"bytes that can't be decoded (a field of kind {wire})")
        if at > end:
            raise IndexError
        if not groups:
            return at
        tag, at = _varint(data, at, 5)
