"""Default names, numbered per key: ``linear_0``, ``linear_0.w_0``, ``linear_1`` ... (``paddle.utils.unique_name``)."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class UniqueNameGenerator:
    """Numbers for keys, each from 0, and the parameter names that are taken."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self._next: dict[str, itertools.count[int]] = {}
        self._lock = threading.Lock()
        self._claimed: set[str] = set()

    def __call__(self, key: str) -> str:
        """``key`` with its next number."""
        return f"{self.prefix}{key}_{next(self._next.setdefault(key, itertools.count()))}"  # no two threads get one number

    def claim(self, name: str) -> bool:
        """Take a name for a parameter; False when another parameter has it."""
        with self._lock:
            if name in self._claimed:
                return False
            self._claimed.add(name)
            return True


_current = UniqueNameGenerator()


def generate(key: str) -> str:
    """The next name for ``key``: ``generate('fc')`` gives ``'fc_0'``, then ``'fc_1'``."""
    return _current(key)


def claim(name: str) -> bool:
    """Take a parameter's name; False when it is taken (optimizer state is kept by name, so names differ)."""
    return _current.claim(name)


def switch(new_generator: UniqueNameGenerator | None = None, new_para_name_checker: object = None) -> UniqueNameGenerator:
    """Number from 0 again, or go on with ``new_generator``; returns the generator used until now.

    ``new_para_name_checker`` is Paddle's, whose Programs refuse two parameters of one name; here it has no effect.
    """
    global _current
    old, _current = _current, new_generator or UniqueNameGenerator()
    return old


def reset() -> None:
    """Number from 0 again."""
    switch()


@contextmanager
def guard(new_generator: UniqueNameGenerator | str | None = None) -> Iterator[None]:
    """Number from 0 within a ``with`` block; a string is put before every name made in it.

    Example:
        >>> with paddle.utils.unique_name.guard():
        ...     paddle.nn.Linear(2, 2).full_name()
        'linear_0'
    """
    if isinstance(new_generator, str):
        new_generator = UniqueNameGenerator(new_generator)
    old = switch(new_generator)
    try:
        yield
    finally:
        switch(old)
