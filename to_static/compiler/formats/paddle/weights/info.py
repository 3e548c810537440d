"""`.pdiparams.info`: the names of variables in the layer's state dict, and which of them are trainable."""

from __future__ import annotations

import os
import re
from typing import IO, Any

from to_static.compiler.formats.paddle.pickles.unpickling import unpickle
from to_static.compiler.formats.regular_files import open_regular, read_all
from to_static.core.errors import FormatError

MAX_INFO = 1 << 28  # bytes
MAX_PARTS = 100  # of a structured name: layers in layers
_BETWEEN = re.compile(r"(?<=.)\.(?=[^.])", re.S)  # names of layers may end in dots: "blocks.0..conv" has "0." in it
KEYS = {"structured_name": str, "stop_gradient": bool, "trainable": bool}


def read_info(path: str | os.PathLike[str], file: IO[bytes] | None = None) -> dict[str, dict[str, Any]]:
    """``{variable: {'structured_name': str, 'stop_gradient': bool, 'trainable': bool}}``, each entry with those that it has.

    ``file``: the file, where it is open already. Raises FormatError when it is damaged or holds anything else, or when the
    structured names are those of no layer: two alike, one that goes on behind another one, one that ends in a dot, or more than
    `MAX_PARTS` parts; OSError when it can't be opened.
    """
    if file is None:
        with open_regular(path) as opened:
            return read_info(path, opened)
    entries = unpickle(read_all(file, path, MAX_INFO), path, calls=False)
    if not isinstance(entries, dict):
        raise FormatError(path, "a dict of variables", type(entries).__name__)
    for name, entry in entries.items():
        if not isinstance(name, str) or not isinstance(entry, dict):
            raise FormatError(path, "a dict for each variable name", f"{type(entry).__name__} for a {type(name).__name__}")
        for key, value in entry.items():
            if key in KEYS and not isinstance(value, KEYS[key]):
                expected = f"{KEYS[key].__name__} as {key} of variable {name!r}"
                raise FormatError(path, expected, type(value).__name__)
    _check_names(path, [entry["structured_name"] for entry in entries.values() if entry.get("structured_name")])
    return {name: {k: v for k, v in entry.items() if k in KEYS} for name, entry in entries.items()}


def parts_of(structured_name: str) -> list[str]:
    """The names of layers in layers, and of a value in the last one: joined by dots they are the structured name."""
    return _BETWEEN.split(structured_name)


def _check_names(path: object, names: list[str]) -> None:
    """Structured names are the places of values in a tree of layers: each of its own, and none inside another one."""
    used_names: set[str] = set()
    around: set[str] = set()  # of layers
    for name in names:
        parts = parts_of(name)
        if len(parts) > MAX_PARTS or "." in parts[-1]:
            raise FormatError(path, f"structured names of 1 to {MAX_PARTS} parts with dots between them", repr(name))
        if name in used_names:
            raise FormatError(path, "a structured name for each variable", f"{name!r} twice")
        used_names.add(name)
        around.update(".".join(parts[:i]) for i in range(1, len(parts)))
    for name in used_names & around:
        raise FormatError(path, "structured names of values or of layers", f"{name!r} for both")
