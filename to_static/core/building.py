"""The lock of whatever is made once and used ever after: translated functions, traces, plans, Programs read from files.

Making these looks at, and for a while changes, what all threads share (tables of translated code, the user's objects while they are
traced), so one thread at a time does it, with `BUILDING` held. Calls of what is finished take no lock.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

BUILDING = threading.RLock()
F = TypeVar("F", bound=Callable[..., Any])


def locked(function: F) -> F:
    """Make a function hold `BUILDING` while it runs."""

    @functools.wraps(function)
    def holding(*args: Any, **kwargs: Any) -> Any:
        with BUILDING:
            return function(*args, **kwargs)

    return cast(F, holding)


if hasattr(os, "register_at_fork"):  # a child must not find it held by a thread that it does not have
    os.register_at_fork(before=BUILDING.acquire, after_in_parent=BUILDING.release, after_in_child=BUILDING.release)
