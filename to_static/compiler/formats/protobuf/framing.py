"""`field_header`: what stands before a field of known length, so that large fields are written without a message around them."""

from __future__ import annotations

_DELIMITED = 2  # the wire type of messages, strings and bytes


def field_header(number: int, size: int) -> bytes:
    """The bytes before the ``size`` bytes of field ``number``."""
    return _varint(number << 3 | _DELIMITED) + _varint(size)


def _varint(value: int) -> bytes:
    groups = bytearray()
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)
