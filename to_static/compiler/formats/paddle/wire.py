"""Messages of files, read without the protobuf library, which would be a fifth of the time in which a small model starts.

What is accepted and what it means is protobuf's: unknown fields are passed over, the last of several values counts, parts of one
message are put together. Only text has to be UTF-8 everywhere. `schema` has the fields, and makes the messages that are written.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from to_static.compiler.formats.paddle.schema import ENUMS, MESSAGES, fields_of
from to_static.core.errors import FormatError

VARINT, EIGHT, BYTES, GROUP, END, FOUR = range(6)  # how a field is written: the low bits of its tag
MAX_GROUPS = 100  # unknown groups inside each other
_WIRE = {"double": EIGHT, "float": FOUR, "string": BYTES}
_SHARED = frozenset(("Attr", "VarType"))  # many ops and variables have the same: each is read once for a file


class Damaged(ValueError):
    """Bytes that are no message."""


class Message:
    """A message: its fields are attributes, those it lacks have the defaults of `schema`. Nothing changes them."""

    __slots__ = ("__dict__",)


class MessageKind:
    """What the messages of one name are made of."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.shared = name in _SHARED
        self.made = type(name, (Message,), {"__slots__": ()})
        self.fields: dict[int, tuple[str, int, Any, bool]] = {}  # by tag: name, how it is written, what reads it, whether repeated
        self.required: set[str] = set()
        for field in fields_of(name):
            wire, reads, default = VARINT, None, 0
            if field.kind in MESSAGES:
                wire, reads = BYTES, _kind(field.kind)
                default = reads.made()
            elif field.kind in ENUMS:
                numbers = ENUMS[field.kind].values()
                reads, default = _member(frozenset(numbers)), next(iter(numbers))
            else:
                wire, reads, default = _WIRE.get(field.kind, VARINT), _READS[field.kind], _DEFAULTS.get(field.kind, 0)
            repeated = field.label == "*"
            if field.default:
                default = int(field.default) if field.kind != "bool" else field.default == "true"
            setattr(self.made, field.name, () if repeated else default)
            self.fields[field.number << 3 | wire] = field.name, wire, reads, repeated
            if repeated and wire != BYTES:
                self.fields[field.number << 3 | BYTES] = field.name, wire, reads, repeated  # all of them in one piece
            if field.label == "!":
                self.required.add(field.name)


def _signed(bits: int) -> Callable[[int], int]:
    mask, half = (1 << bits) - 1, 1 << (bits - 1)
    return lambda value: ((value & mask) ^ half) - half


def _member(numbers: frozenset[int]) -> Callable[[int], int | None]:
    whole = _signed(32)

    def member(value: int) -> int | None:
        """The number of an enumeration; None for one that is not among its members, which counts as an unknown field."""
        number = whole(value)
        return number if number in numbers else None

    return member


_READS: dict[str, Any] = {
    "int32": _signed(32), "int64": _signed(64), "bool": bool, "double": struct.Struct("<d").unpack_from,
    "float": struct.Struct("<f").unpack_from, "string": None,
}  # fmt: skip
_DEFAULTS = {"bool": False, "double": 0.0, "float": 0.0, "string": ""}
_kinds: dict[str, MessageKind] = {}


def _kind(name: str) -> MessageKind:
    kind = _kinds.get(name)
    return kind if kind is not None else _kinds.setdefault(name, MessageKind(name))


def parse(name: str, data: bytes, path: object, offset: int | None = None) -> Any:
    """The message of that name held by ``data``; raises FormatError naming ``path`` when the bytes are not one.

    Source: Protocol Buffers, "Encoding".

    Example:
        >>> parse("TensorDesc", bytes([8, 5, 16, 3]), "weights").dims
        [3]
    """
    try:
        return _decode(_kind(name), bytes(data), {})
    except Damaged as error:
        problem = str(error)
    except UnicodeDecodeError as error:
        problem = f"text that is not UTF-8 ({error.reason})"
    except (IndexError, struct.error):
        problem = "bytes that can't be decoded (they end in the middle of a field)"
    problem += "; the file was cut off, or is none of Paddle's"
    raise FormatError(path, f"a {name} message ({len(data)} bytes)", problem, offset)


def _decode(kind: MessageKind, data: bytes, known: dict[tuple[MessageKind, bytes], Any]) -> Any:
    """The message in all of ``data``. ``known``: messages of this file that are shared. IndexError where it ends too early."""
    message = kind.made()
    values, table = message.__dict__, kind.fields
    parts: dict[str, tuple[MessageKind, list[bytes]]] = {}
    at, end = 0, len(data)
    while at < end:
        tag = data[at]
        at += 1
        if tag > 127:
            tag, at = _varint(data, at - 1, 5)
        entry = table.get(tag)
        if entry is None:
            at = _skip(data, at, tag)
            continue
        name, wire, reads, repeated = entry
        if tag & 7 == BYTES:
            size = data[at]
            at += 1
            if size > 127:
                size, at = _varint(data, at - 1)
            start, at = at, at + size
            if at > end:
                raise Damaged(f"bytes that can't be decoded ({kind.name}.{name} ends {at - end} bytes behind its message)")
            piece = data[start:at]
            if wire != BYTES:
                values.setdefault(name, []).extend(_packed(piece, wire, reads))
                continue
            if reads is None:
                value: Any = piece.decode()
            elif repeated:
                value = _inner(reads, piece, known)
            else:
                parts.setdefault(name, (reads, []))[1].append(piece)
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
    for name, (inner, pieces) in parts.items():
        values[name] = _inner(inner, pieces[0] if len(pieces) == 1 else b"".join(pieces), known)
    if not kind.required <= values.keys():
        missing = ", ".join(sorted(kind.required - values.keys()))
        raise Damaged(f"a {kind.name} without its required fields {missing}")
    return message


def _inner(kind: MessageKind, piece: bytes, known: dict[tuple[MessageKind, bytes], Any]) -> Any:
    if not kind.shared:
        return _decode(kind, piece, known)
    message = known.get((kind, piece))
    if message is None:
        message = known[kind, piece] = _decode(kind, piece, known)
    return message


def _packed(piece: bytes, wire: int, reads: Any) -> list[Any]:
    if wire != VARINT:
        size = 8 if wire == EIGHT else 4
        return [reads(piece, at)[0] for at in range(0, len(piece), size)]
    values, at = [], 0
    while at < len(piece):
        value, at = _varint(piece, at)
        values.append(reads(value))
    return [value for value in values if value is not None]


def _varint(data: bytes, at: int, most: int = 10) -> tuple[int, int]:
    """The number of at most so many bytes that starts at ``at``, and where it ends."""
    value = 0
    for shift in range(0, 7 * most, 7):
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, at
    raise Damaged(f"bytes that can't be decoded (a number of more than {most} bytes)")


def _skip(data: bytes, at: int, tag: int) -> int:
    """Where the unknown field with this tag ends, whose value starts at ``at``."""
    groups: list[int] = []
    while True:
        number, wire = tag >> 3, tag & 7
        if not 0 < number < 1 << 29:
            raise Damaged(f"bytes that can't be decoded (a field with the number {number})")
        if wire == VARINT:
            _, at = _varint(data, at)
        elif wire == BYTES:
            size, at = _varint(data, at)
            at += size
        elif wire in (EIGHT, FOUR):
            at += 8 if wire == EIGHT else 4
        elif wire == GROUP and len(groups) < MAX_GROUPS:
            groups.append(number)
        elif wire != END or not groups or groups.pop() != number:
            raise Damaged(f"bytes that can't be decoded (a field of kind {wire})")
        if at > len(data):
            raise IndexError
        if not groups:
            return at
        tag, at = _varint(data, at, 5)
