"""Where the static methods of an object are, each with its Programs: the object holds them, but not as attributes.

They are beside the items of its ``__dict__``, which becomes a `Namespace` for that.
"""

from __future__ import annotations

import functools
import sys
import types
from typing import Any

from to_static.core.log import warn_once
from to_static.core.namespace import Namespace
from to_static.jit.contents import member

read = object.__getattribute__  # nothing of the user's class runs


def keep(instance: Any, method: Any, bound: Any) -> None:
    """Keep ``bound``, which ``method`` of the class is for ``instance``, with the object; warns where that can't be."""
    if isinstance(instance, type):  # of a classmethod
        return
    why = _obstacle(instance)
    if not why:
        methods = read(instance, "__dict__").beside
        why = "another object has its `__dict__` as well" if method in methods else ""
        methods[method] = bound
    if why:
        name, kind = bound.__name__, type(instance).__name__
        warn_once(
            "kept",
            f"{name} of a {kind} is traced anew each time it is looked up, which is slow, since {why}: look it up once, "
            f"`{name} = obj.{name}`, and call that",
            method,
        )


def ready(value: Any) -> None:
    """Make the namespace of an object one that static methods can be kept with, if its class has some.

    To be called by who is going to hold the namespace: it can't be replaced any more then.
    """
    if _has_methods(type(value)):  # type: ignore[arg-type]
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
    try:
        object.__setattr__(instance, "__dict__", Namespace(own))
    except (AttributeError, TypeError):
        return "its `__dict__` can't be set"
    return ""


def _holders(instance: Any) -> int:
    return sys.getrefcount(read(instance, "__dict__"))


class _Probe:
    pass


_ALONE = _holders(_Probe())  # where only the object holds it

__all__ = ["keep", "read", "ready"]
