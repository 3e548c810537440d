"""Locks in a forked child, which has none of its parent's other threads: whoever held one there will never let it go.

Every lock of ours is registered here. A fork takes them first, so that what they guard is whole in the child, and lets them go in
both processes. It does not wait long: who holds one may run the user's code, which may wait for the thread that forks. A lock that
was not to be had is made anew in the child. So is that of NumPy's global generator; imports in other threads are waited for.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
import weakref
from typing import Any, TypeVar

from to_static.core.caching.weak_tables import forgets

L = TypeVar("L")
WAIT = 1.0  # seconds, for all locks together but those that a fork waits for as long as it takes
_PACKAGE = __name__.partition(".")[0]

_locks: dict[int, tuple[weakref.ref[Any], bool]] = {}  # in the order in which they are taken
_taken: dict[int, list[tuple[Any, bool]]] = {}  # by the thread that forks: its locks, and whether it has them


def free_in_children(lock: L, patiently: bool = False) -> L:
    """Register a lock; returns it. ``patiently``: a fork waits for it as long as it takes."""
    key = id(lock)
    _locks[key] = weakref.ref(lock, forgets(_locks, key)), patiently
    return lock


def registered(lock: object) -> bool:
    """Return whether a lock is registered."""
    return id(lock) in _locks


def _acquire_locks() -> None:
    _finish_imports()
    acquired = _taken[threading.get_ident()] = []
    end = time.monotonic() + WAIT
    for reference, patiently in list(_locks.values()):
        lock = reference()
        if lock is not None:
            acquired.append((lock, lock.acquire(timeout=-1 if patiently else max(0.0, end - time.monotonic()))))
    lock = _of_numpy()
    if lock is not None:
        acquired.append((lock, lock.acquire(timeout=max(0.0, end - time.monotonic()))))


def _finish_imports() -> None:
    """Wait for modules of ours that other threads import: a child could never import them."""
    for name, module in list(sys.modules.items()):
        if name.startswith(_PACKAGE) and getattr(getattr(module, "__spec__", None), "_initializing", False):
            importlib.import_module(name)


def _of_numpy() -> Any:
    """The lock of NumPy's global generator, which NumPy leaves as it is in a child."""
    module = sys.modules.get("numpy.random")
    return None if module is None else module.get_bit_generator().lock


def _in_parent() -> None:
    for lock, acquired in reversed(_taken.pop(threading.get_ident(), [])):
        if acquired:
            lock.release()


def _in_child() -> None:
    owned = [lock for lock, acquired in _taken.get(threading.get_ident(), []) if acquired]
    _in_parent()
    _taken.clear()
    for lock in [*(reference() for reference, _ in list(_locks.values())), _of_numpy()]:
        if lock is not None and not any(lock is owned_lock for owned_lock in owned):
            lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_acquire_locks, after_in_parent=_in_parent, after_in_child=_in_child)
