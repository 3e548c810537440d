"""Answers about objects that are kept by which object it is: equal ones may differ, and need not be hashable."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

Question = TypeVar("Question", bound=Callable[[Any], Any])


def cached_by_identity(attribute: str = "") -> Callable[[Question], Question]:
    """A decorator for a function of one argument: it is asked once for each object, which is kept alive so that its id stays.

    ``attribute``: the name of an attribute of the argument; if it is given, its value is the key instead of the argument.

    Example:
        >>> size = by_identity()(len)
        >>> size([1, 2])
        2
    """

    def decorated(function: Question) -> Question:
        cache: dict[int, tuple[Any, Any]] = {}

        @functools.wraps(function)
        def asked(value: Any) -> Any:
            subject = getattr(value, attribute) if attribute else value
            entry = cache.get(id(subject))
            if entry is None:
                entry = cache[id(subject)] = (subject, function(value))
            return entry[1]

        return asked  # type: ignore[return-value]

    return decorated
