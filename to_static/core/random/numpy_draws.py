"""Draws from NumPy's global generator, detected without ever waiting for its lock.

Another thread may hold that, and in a process that was forked meanwhile it would stay so for ever.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np


class Draws(NamedTuple):
    """The state of the generator. ``state``: all of it, None where somebody was drawing; ``words``: what needs no lock."""

    state: Mapping[str, Any] | None
    words: Mapping[str, Any]


def draws() -> Draws:
    """The current state of NumPy's global generator."""
    source = np.random.get_bit_generator()  # type: ignore[attr-defined]
    if not source.lock.acquire(blocking=False):
        return Draws(None, _words(source))
    source.lock.release()
    return Draws(np.random.get_state(legacy=False), source.state)  # type: ignore[arg-type]


def _words(source: np.random.BitGenerator) -> Mapping[str, Any]:
    """``source.state``, which since NumPy 2.5 waits for the lock: of NumPy's own generator what is in its memory."""
    if not isinstance(source, np.random.MT19937):
        return source.state  # type: ignore[no-any-return]
    words = np.array((ctypes.c_uint32 * 625).from_address(source.ctypes.state_address), np.uint32)
    return {"bit_generator": "MT19937", "state": {"key": words[:624], "pos": int(words[624])}}


def same(a: Draws, b: Draws) -> bool:
    """Return whether nobody has drawn in between."""
    if a.state is not None and b.state is not None:
        return _equal(a.state, b.state)
    return _equal(a.words, b.words)


def go_back(to: Draws) -> None:
    """Let the generator be where it was, unless somebody is drawing from it."""
    now = draws()
    if now.state is not None and not same(now, to):
        np.random.set_state(dict(to.words if to.state is None else to.state))


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, Mapping):
        return a.keys() == b.keys() and all(_equal(a[key], b[key]) for key in a)
    return bool(np.array_equal(a, b))
