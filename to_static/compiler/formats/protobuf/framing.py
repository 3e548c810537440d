"""`field_header` encodes the header of a field of known length, so that large fields are written without a message object.

The ONNX writer uses it for weights.
"""

from __future__ import annotations

_DELIMITED = 2  # the wire type of messages, strings and bytes


def field_header(field_number: int, size: int) -> bytes:
    """Return the header of field ``field_number`` with ``size`` bytes of content."""
    return _varint(field_number << 3 | _DELIMITED) + _varint(size)


def _varint(value: int) -> bytes:
    groups = bytearray()
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)
