"""Measured choices between kernels (by `to_static.tune`), in place of rules. Their file holds names, no code.

A file that is damaged, of another machine or NumPy, or names what there is no choice of, changes nothing.
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

LARGEST = 1 << 20  # bytes of a file
tuned = declare("TO_STATIC_TUNED", "", "A file of choices that `to_static.tune` has measured, which new plans follow; '' for none")


class _Noting(threading.local):
    choices: dict[str, Any] | None = None


_noting = _Noting()
_read: tuple[Any, dict[str, str]] = (None, {})  # what was read last: path and time of change, choices


def machine() -> str:
    """Describe the machine: measured choices hold only for the processor and libraries named here."""
    import platform  # only where choices are read or written: it costs start-up time

    return f"{platform.machine()} {platform.processor()} {os.cpu_count()} numpy {np.__version__}"


def choice(key: str, options: Sequence[str], rule: str, about: Any) -> str:
    """The measured option for a key, or what the rule says. ``about``: what `noting` keeps of the question."""
    if _noting.choices is not None and len(options) > 1:
        _noting.choices[key] = (tuple(options), about)
    tuned_choice = _table().get(key) if tuned.value else None
    return rule if tuned_choice is None or tuned_choice not in options else tuned_choice


@contextmanager
def noting() -> Iterator[dict[str, Any]]:
    """Collect the kernel choices that this thread has to make in the ``with`` block: key -> (options, what they are for)."""
    outer_choices, _noting.choices = _noting.choices, {}
    try:
        yield _noting.choices
    finally:
        _noting.choices = outer_choices


def in_use() -> bool:
    """True if new plans are asked for, or follow what was measured: such plans are made anew."""
    return bool(tuned.value) or _noting.choices is not None


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
    """Add choices to a file, which is whole at any time."""
    import json

    part = f"{path}.{os.getpid()}.part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump({"machine": machine(), "choices": {**read(path), **choices}}, file, indent=1, sort_keys=True)
    replace_file(part, path)
