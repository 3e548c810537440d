"""`.pdiparams.info`: what a saved layer's variables are called in its state dict, and which can be trained."""

from __future__ import annotations

import os
from typing import IO, Any

from to_static.core.errors import FormatError
from to_static.formats.paddle.unpickling import unpickle

KEYS = {"structured_name": str, "stop_gradient": bool, "trainable": bool}


def read_info(path: str | os.PathLike[str], file: IO[bytes] | None = None) -> dict[str, dict[str, Any]]:
    """``{variable: {'structured_name': str, 'stop_gradient': bool, 'trainable': bool}}``, each entry with those that it has.

    ``file``: the file, where it is open already. Raises FormatError when it is damaged or holds anything else; OSError when it
    can't be opened.
    """
    if file is None:
        with open(path, "rb") as opened:
            return read_info(path, opened)
    found = unpickle(file.read(), path, calls=False)
    if not isinstance(found, dict):
        raise FormatError(path, "a dict of variables", type(found).__name__)
    for name, entry in found.items():
        if not isinstance(name, str) or not isinstance(entry, dict):
            raise FormatError(path, "a dict for each variable name", f"{type(entry).__name__} for a {type(name).__name__}")
        for key, value in entry.items():
            if key in KEYS and not isinstance(value, KEYS[key]):
                expected = f"{KEYS[key].__name__} as {key} of variable {name!r}"
                raise FormatError(path, expected, type(value).__name__)
    return {name: {k: v for k, v in entry.items() if k in KEYS} for name, entry in found.items()}
