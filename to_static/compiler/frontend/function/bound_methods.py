"""Static methods of an object: the object stores them, each with its Programs, so that they are freed together.

A Layer has a slot for them. Another object has an entry in its ``__dict__``, as for `functools.cached_property`. A copy or a
pickle of the object has none, because the Programs belong to the original.
"""

from __future__ import annotations

import threading
import types
from collections import OrderedDict
from typing import Any

from to_static.compiler.frontend.tracing.guards import attributes
from to_static.core.log import warn_once
from to_static.core.processes.forking import free_in_children

NAME = "_static_methods"
_lock = free_in_children(threading.RLock())


class Methods:
    """The static methods of one object, by the static function of its class."""

    __slots__ = ("bound", "owner")

    def __init__(self, owner: object = None) -> None:
        self.owner = owner
        self.bound: dict[Any, Any] = {}

    def __reduce__(self) -> Any:
        return OrderedDict, ()  # an empty dict, so that a file refers to no class of this package


def cached_method(instance: object, method: object) -> Any:
    """The static method of ``instance`` for ``method`` of the class; None if the instance has none yet."""
    methods = _methods(instance)
    return methods.bound.get(method) if methods is not None and methods.owner is instance else None


def restored(cls: Any, owner: type | None, name: Any, input_spec: Any, instance: object, full_graph: bool) -> Any:
    """Rebuild a static method from a pickle: the method ``name`` of the class ``owner``, bound to ``instance``, without Programs.

    ``cls``: the class of static functions. ``name`` is the function itself if it is not a method of ``owner``.
    """
    attribute = getattr(owner, name) if isinstance(name, str) else name
    return cls(attribute._function if isinstance(attribute, cls) else attribute, input_spec, instance, full_graph)


def keep(instance: object, method: object, bound: Any) -> Any:
    """Store ``bound``, the static method for ``method`` of the class, in ``instance``; warns if it cannot be stored.

    Returns ``bound``, or the static method that another thread has stored meanwhile.
    """
    if isinstance(instance, type):  # of a classmethod
        return bound
    with _lock:
        why = _obstacle(instance)
        if not why:
            methods = _methods(instance)
            if methods is None or methods.owner is not instance:  # (a copied object has the methods of the original)
                methods = Methods(instance)
                object.__setattr__(instance, NAME, methods)
            return methods.bound.setdefault(method, bound)
    name, class_name = bound.__name__, type(instance).__name__
    warn_once(
        "kept",
        f"{name} of a {class_name} is traced again each time it is looked up, which is slow, because {why}: look it up once, "
        f"`{name} = obj.{name}`, and call this object",
        method,
    )
    return bound


def _methods(instance: object) -> Methods | None:
    """The stored static methods of an object; None if it has none."""
    try:
        methods = object.__getattribute__(instance, NAME)  # nothing of the user's class runs
    except AttributeError:
        return None
    return methods if type(methods) is Methods else None


def _obstacle(instance: object) -> str:
    """Return the reason why an object cannot store static methods; an empty string if it can."""
    if isinstance(getattr(type(instance), NAME, None), types.MemberDescriptorType):
        return ""
    namespace = attributes(instance)
    if type(namespace) is not dict or isinstance(instance, types.SimpleNamespace):
        return "it has no `__dict__` to keep it with"
    methods = _methods(instance)
    if methods is not None and methods.owner is not instance and attributes(methods.owner) is namespace:
        return "another object has its `__dict__` as well"
    return ""
