"""Default names, numbered per key: ``linear_0``, ``linear_0.w_0``, ``linear_1`` ... (``paddle.utils.unique_name``)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager


class UniqueNameGenerator:
    """Numbers for keys, each from 0."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        # Most keys, those of parameters, have one name, and stay: nothing that the garbage collector looks at at each turn.
        self._first: dict[str, object] = {}
        self._next: dict[str, itertools.count[int]] = {}

    def __call__(self, key: str) -> str:
        """``key`` with its next number; no two threads get the same."""
        marker = object()
        if self._first.setdefault(key, marker) is marker:
            return f"{self.prefix}{key}_0"
        return f"{self.prefix}{key}_{next(self._next.setdefault(key, itertools.count(1)))}"


_current = UniqueNameGenerator()
_taken: dict[str, object] = {}  # the names of parameters


def generate(key: str) -> str:
    """The next name for ``key``: ``generate('fc')`` gives ``'fc_0'``, then ``'fc_1'``."""
    return _current(key)


def generate_with_ignorable_key(key: str) -> str:
    """The next name for something that nobody asks for by its name; Paddle leaves ``key`` out of it in dynamic mode."""
    return _current(key)


def claim(name: str) -> bool:
    """Take a parameter's name; False when it is taken (optimizer state is kept by name, so names differ)."""
    marker = object()
    return _taken.setdefault(name, marker) is marker  # in one step: several threads may ask


def switch(
    new_generator: UniqueNameGenerator | None = None, new_para_name_checker: dict[str, object] | None = None
) -> tuple[UniqueNameGenerator, dict[str, object]]:
    """Number from 0 again with no names taken, or go on with those given; returns the ones used until now.

    Example:
        >>> before = paddle.utils.unique_name.switch()
        >>> net = paddle.nn.Linear(2, 2)
        >>> _ = paddle.utils.unique_name.switch(*before)
    """
    global _current, _taken
    old = _current, _taken
    _current = UniqueNameGenerator() if new_generator is None else new_generator
    _taken = {} if new_para_name_checker is None else new_para_name_checker
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
        switch(*old)
