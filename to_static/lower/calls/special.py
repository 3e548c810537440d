"""Special methods that programs call by name, ``d.__setitem__(k, v)``: what the syntax does that stands for them."""

from __future__ import annotations

import builtins
import functools
import types
from collections.abc import Callable
from typing import Any

from to_static.core import callables
from to_static.core.expressions import quoted
from to_static.core.libraries import LIBRARIES, package_of
from to_static.lower.calls.predicates import in_
from to_static.lower.objects.attribute import touch
from to_static.lower.objects.item import at
from to_static.lower.traced import is_traced, settled
from to_static.tracing.effects import CONTAINERS
from to_static.tracing.graph_break import broken


def _set(owner: Any, key: Any, value: Any) -> None:
    touch(owner)
    at(owner)[key] = value


def _delete(owner: Any, key: Any) -> None:
    touch(owner)
    del at(owner)[key]


def _get(owner: Any, key: Any) -> Any:
    return at(owner)[key]


def _contains(owner: Any, item: Any) -> Any:
    return in_(item, owner)


SYNTAX: dict[str, Callable[..., Any]] = {
    "__setitem__": _set, "__delitem__": _delete, "__getitem__": _get, "__contains__": _contains, "__len__": builtins.len,
    "__setattr__": builtins.setattr, "__delattr__": builtins.delattr,
}  # fmt: skip


def syntax_of(target: Any, owner: Any) -> Callable[..., Any] | None:
    """What does of ``owner`` what its special method ``target`` does, while a Program is built.

    None for other methods, for those that a user wrote, which are translated like any, and for attributes by one of a class above.
    """
    made = SYNTAX.get(callables.name(target))
    if made is None or isinstance(owner, (type, types.ModuleType)):
        return None
    if type(target) is types.MethodType and package_of(target.__func__) not in LIBRARIES:
        return None
    if getattr(owner, target.__name__, None) == target:
        return made
    above = made in (_set, _delete) and isinstance(owner, CONTAINERS)  # `super().__setitem__` of a class that has its own
    return functools.partial(_of_class_above, target) if above else None


def _of_class_above(target: Any, owner: Any, key: Any, *value: Any) -> None:
    key = settled(key)
    if is_traced(key):
        raise broken(f"{target.__name__}() is called with a key that tensors decide{quoted()}", "a list of tensors")
    touch(owner)
    target(key, *value)
