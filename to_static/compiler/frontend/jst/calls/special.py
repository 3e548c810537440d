"""Special methods that programs call by name, such as ``d.__setitem__(k, v)``: treated like the syntax that calls them."""

from __future__ import annotations

import builtins
import functools
import types
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.jst.calls.predicates import in_
from to_static.compiler.frontend.jst.objects.subscript import at
from to_static.compiler.frontend.jst.objects.write_barrier import touch
from to_static.compiler.frontend.jst.tracer_queries import as_constant, is_traced
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.side_effects import CONTAINERS
from to_static.core import callables
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.importing.skiplist import SKIPPED_PACKAGES, package_of


def _set(owner: object, key: object, value: object) -> None:
    touch(owner)
    at(owner)[key] = value


def _delete(owner: object, key: object) -> None:
    touch(owner)
    del at(owner)[key]


def _get(owner: object, key: object) -> Any:
    return at(owner)[key]


def _contains(owner: object, item: object) -> Any:
    return in_(item, owner)


SYNTAX: dict[str, Callable[..., Any]] = {
    "__setitem__": _set, "__delitem__": _delete, "__getitem__": _get, "__contains__": _contains, "__len__": builtins.len,
    "__setattr__": builtins.setattr, "__delattr__": builtins.delattr,
}  # fmt: skip


def syntax_of(target: Callable[..., Any], owner: object) -> Callable[..., Any] | None:
    """Return the function that does the same as the special method ``target`` of ``owner`` in a trace.

    None for other methods, for those that a user wrote, which are translated like any, and for attributes by one of a class above.
    """
    equivalent = SYNTAX.get(callables.name(target))
    if equivalent is None or isinstance(owner, (type, types.ModuleType)):
        return None
    if type(target) is types.MethodType and package_of(target.__func__) not in SKIPPED_PACKAGES:
        return None
    if getattr(owner, target.__name__, None) == target:
        return equivalent
    above = equivalent in (_set, _delete) and isinstance(owner, CONTAINERS)  # `super().__setitem__` of a class that has its own
    return functools.partial(_of_class_above, target) if above else None


def _of_class_above(target: Callable[..., Any], owner: object, key: object, *value: object) -> None:
    key = as_constant(key)
    if is_traced(key):
        raise broken(f"{target.__name__}() is called with a key that depends on a tensor{in_expression()}", "a list of tensors")
    touch(owner)
    target(key, *value)
