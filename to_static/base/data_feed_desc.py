"""`DataFeedDesc`: what the columns of text files are, as a protobuf text says it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from to_static.core.errors import FormatError

_TOKEN = re.compile(
    r'\s*(?:#[^\n]*\n|(?P<name>\w+)\s*(?P<open>:?\s*\{)|(?P<field>\w+)\s*:\s*(?P<value>"[^"]*"|[\w.+-]+)|(?P<close>\}))'
)


class DataFeedDesc:
    """Reads such a text; what it says can be changed, and printed.

    Raises FormatError for what is no such text, ValueError for names of slots that there are not.

    Example:
        >>> desc = paddle.base.DataFeedDesc('data.proto')
        >>> desc.set_batch_size(128)
        >>> desc.set_use_slots(['words'])
        >>> print(desc.desc())
    """

    def __init__(self, proto_file: str) -> None:
        self.fields, unparsed = _parsed(Path(proto_file).read_text(encoding="utf-8").strip(), proto_file, 0)
        if unparsed:
            raise FormatError(proto_file, "the end", repr(unparsed[:20]))
        slots = [slot for name, value in self.fields if name == "multi_slot_desc" for key, slot in value if key == "slots"]
        self._slots = {dict(slot)["name"]: slot for slot in slots}
        if "pipe_command" not in dict(self.fields):
            self.fields.append(("pipe_command", "cat"))

    def set_batch_size(self, batch_size: int) -> None:
        """Set the number of lines of a batch."""
        _set(self.fields, "batch_size", batch_size)

    def set_dense_slots(self, dense_slots_name: Iterable[str]) -> None:
        """Set the slots that have the same number of values in every line."""
        for name in dense_slots_name:
            _set(self._slot(name), "is_dense", True)

    def set_use_slots(self, use_slots_name: Iterable[str]) -> None:
        """Set the slots that are used."""
        for name in use_slots_name:
            _set(self._slot(name), "is_used", True)

    def desc(self) -> str:
        """The text as it is now."""
        return _text(self.fields, 0)

    def _slot(self, name: str) -> Any:
        if name not in self._slots:
            raise ValueError(f"there is no slot {name!r}; slots: {', '.join(self._slots) or 'none'}")
        return self._slots[name]


def _parsed(text: str, path: str, depth: int) -> tuple[list[tuple[str, Any]], str]:
    fields: list[tuple[str, Any]] = []
    while text.strip():
        match = _TOKEN.match(text)
        if match is None:
            raise FormatError(path, "a field or a block", repr(text.strip()[:20]))
        text = text[match.end() :]
        if match["close"]:
            if not depth:
                raise FormatError(path, "a field", "'}'")
            return fields, text
        if match["open"]:
            value, text = _parsed(text, path, depth + 1)
            fields.append((match["name"], value))
        elif match["field"]:
            fields.append((match["field"], _value(match["value"])))
    if depth:
        raise FormatError(path, "'}'", "the end")
    return fields, text.strip()


def _value(text: str) -> Any:
    if text.startswith('"'):
        return text[1:-1]
    return {"true": True, "false": False}.get(text, int(text) if re.fullmatch(r"-?\d+", text) else text)


def _set(fields: list[tuple[str, Any]], name: str, value: Any) -> None:
    for k, (key, _) in enumerate(fields):
        if key == name:
            fields[k] = (name, value)
            return
    fields.append((name, value))


def _text(fields: Any, indent: int) -> str:
    lines = []
    for key, value in fields:
        if isinstance(value, list):
            lines.append(f"{' ' * indent}{key} {{\n{_text(value, indent + 2)}{' ' * indent}}}\n")
        else:
            literal = f'"{value}"' if isinstance(value, str) else str(value).lower()
            lines.append(f"{' ' * indent}{key}: {literal}\n")
    return "".join(lines)
