"""Kernel choices that `to_static.tune` measured: `choice` returns them in place of a rule. `layout` and `tuning` call this module.

The file of choices holds names and no code. A file that is damaged, comes from another machine or NumPy version, or has unknown
names, changes nothing.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from to_static.core.file_replacement import replace_file
from to_static.core.flags import declare

LARGEST = 1 << 20  # the maximal size of a file in bytes
tuned = declare("TO_STATIC_TUNED", "", "A file of choices that `to_static.tune` has measured, which new plans follow; '' for none")


class _Recorder(threading.local):
    choices: dict[str, Any] | None = None


_recorder = _Recorder()
_read: tuple[Any, dict[str, str]] = (None, {})  # the last file read: (path, modification time), and its choices


def machine() -> str:
    """Describe the machine: measured choices hold only for the processor and libraries named here."""
    import platform  # only where choices are read or written: it costs start-up time

    return f"{platform.machine()} {platform.processor()} {os.cpu_count()} numpy {np.__version__}"


def choice(key: str, options: Sequence[str], rule: str, about: Any) -> str:
    """Return the measured option for ``key``, or ``rule`` if there is none.

    ``about``: the context of the choice, which `recorded_choices` stores.
    """
    if _recorder.choices is not None and len(options) > 1:
        _recorder.choices[key] = (tuple(options), about)
    tuned_choice = _table().get(key) if tuned.value else None
    return rule if tuned_choice is None or tuned_choice not in options else tuned_choice


@contextmanager
def recorded_choices() -> Iterator[dict[str, Any]]:
    """Record the kernel choices that this thread makes in the ``with`` block: key -> (options, context)."""
    outer_choices, _recorder.choices = _recorder.choices, {}
    try:
        yield _recorder.choices
    finally:
        _recorder.choices = outer_choices


def in_use() -> bool:
    """True if choices are recorded or measured choices are followed. Programs must then not be shared between objects."""
    return bool(tuned.value) or _recorder.choices is not None


def _table() -> dict[str, str]:
    global _read
    try:
        stamp = (tuned.value, os.stat(tuned.value).st_mtime_ns)
        if _read[0] != stamp:
            _read = stamp, read(tuned.value)
    except OSError:
        return {}
    return _read[1]


def read(path: str) -> dict[str, str]:
    """Return the choices that a file holds for this machine; an empty dict for any other file."""
    import json

    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
        records = json.loads(data) if len(data) <= LARGEST else None
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(records, dict) or records.get("machine") != machine() or not isinstance(records.get("choices"), dict):
        return {}
    return {key: value for key, value in records["choices"].items() if isinstance(value, str)}


def write(path: str, choices: dict[str, str]) -> None:
    """Add choices to a file. It is replaced atomically."""
    import json

    part = f"{path}.{os.getpid()}.part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump({"machine": machine(), "choices": {**read(path), **choices}}, file, indent=1, sort_keys=True)
    replace_file(part, path)
