"""Where the static methods of an object are, each with its Programs: the object holds them, but not as attributes.

They are beside the items of its ``__dict__``, which becomes a `Namespace` for that.
"""

from __future__ import annotations

import collections
import functools
import operator
import sys
import threading
import types
from typing import Any

from to_static.core.log import warn_once
from to_static.core.namespace import Namespace

read = object.__getattribute__  # nothing of the user's class runs
_lock = threading.RLock()
_CALL = operator.methodcaller("__call__")


def keep(instance: Any, method: Any, bound: Any) -> Any:
    """Keep ``bound``, which ``method`` of the class is for ``instance``, with the object; warns where that can't be.

    Returns it, or what another thread has kept by now.
    """
    if isinstance(instance, type):  # of a classmethod
        return bound
    with _lock:
        why = _obstacle(instance)
        if not why:
            methods = read(instance, "__dict__").beside
            other = methods.get(method)
            if other is not None and other._instance is instance:
                return other
            why = "another object has its `__dict__` as well" if other is not None else ""
            methods[method] = bound
    if why:
        name, kind = bound.__name__, type(instance).__name__
        warn_once(
            "kept",
            f"{name} of a {kind} is traced anew each time it is looked up, which is slow, since {why}: look it up once, "
            f"`{name} = obj.{name}`, and call that",
            method,
        )
    return bound


def ready(value: Any) -> None:
    """Make the namespace of an object one that static methods can be kept with, if its class has some.

    To be called by who is going to hold the namespace: it can't be replaced any more then.
    """
    if _has_methods(type(value)):  # type: ignore[arg-type]
        with _lock:
            _obstacle(value)


@functools.cache
def _has_methods(kind: type) -> bool:
    return any(member(type(x), "dygraph_function") is not None for base in kind.__mro__ for x in vars(base).values())


def _obstacle(instance: Any) -> str:
    """Why static methods can't be kept with an object; it has a `Namespace` if nothing comes back."""
    if not isinstance(member(type(instance), "__dict__"), types.GetSetDescriptorType):
        return "it has no `__dict__` to keep it with"
    alone = _holders(instance) == _ALONE
    own = read(instance, "__dict__")
    if type(own) is Namespace:
        return ""
    if type(own) is not dict or not alone:  # the others would be left with the old one
        return "something else holds its `__dict__` as well"
    made = Namespace()
    steps = functools.partial(made.update, own), functools.partial(object.__setattr__, instance, "__dict__", made)
    try:  # in one call of C, so that no other thread sets an attribute between the two
        collections.deque(map(_CALL, steps), 0)
    except (AttributeError, TypeError):
        return "its `__dict__` can't be set"
    return ""


def member(kind: type, name: str) -> Any:
    """What a class has under this name for its objects; None for nothing."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


def _holders(instance: Any) -> int:
    return sys.getrefcount(read(instance, "__dict__"))


class _Probe:
    pass


_ALONE = _holders(_Probe())  # where only the object holds it

__all__ = ["keep", "read", "ready"]
