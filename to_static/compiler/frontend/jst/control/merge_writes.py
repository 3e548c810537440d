"""Merges the writes of branches and loop bodies to objects, target by target."""

from __future__ import annotations

import collections
from typing import Any

from to_static.compiler.frontend.jst.protocol import NotJoinable, ValueSpec, unify
from to_static.compiler.frontend.jst.tracer_queries import is_list
from to_static.compiler.frontend.jst.values.container import is_container, is_plain_object, keys_of, parts_of, rebuilt
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.side_effects import MISSING, AttributeTarget, ItemsTarget, WriteTarget
from to_static.compiler.frontend.tracing.trace_context import current
from to_static.core.diagnostics.source_expressions import at_expression


def as_value(target: WriteTarget, state: Any) -> Any:
    """Return the state of a target as a value to join: a dict or a list."""
    if isinstance(target, ItemsTarget) and isinstance(target.owner, dict) and not isinstance(state, dict):
        return dict(state)
    return state


def detached(a: Any, b: Any, first: dict[Any, Any], second: dict[Any, Any], copied: list[Any]) -> tuple[Any, Any]:
    """Return the values at the end of two blocks; if they differ, lists and dicts that the blocks wrote are replaced by copies.

    The writes of a block are undone at its end, so the object itself would show its old contents. ``copied`` collects those
    objects.
    """
    if a is b or not (first or second):
        return a, b
    first_writes, second_writes = _by_owner(first), _by_owner(second)
    cls = type(a)
    if cls in (tuple, list, dict) and cls is type(b) and keys_of(a) == keys_of(b) and len(a) == len(b):
        parts = parts_of(a), parts_of(b)
        if not (
            id(a) in first_writes or id(b) in second_writes or any(map(is_list, parts))
        ):  # what both hold is joined where it is
            pairs = [detached(x, y, first, second, copied) for x, y in zip(*parts, strict=True)]
            return _with(a, parts[0], [x for x, _ in pairs]), _with(b, parts[1], [y for _, y in pairs])
    return _copied(a, first_writes, (), copied), _copied(b, second_writes, (), copied)


def _by_owner(written: dict[Any, Any]) -> dict[int, list[tuple[WriteTarget, Any]]]:
    by_owner: dict[int, list[tuple[WriteTarget, Any]]] = {}
    for target, state in written.values():
        by_owner.setdefault(id(target.owner), []).append((target, state))
    return by_owner


def _copied(value: object, written: dict[int, list[tuple[WriteTarget, Any]]], around: tuple[int, ...], copied: list[Any]) -> Any:
    if id(value) in around:
        return value
    if id(value) in written:
        copied.append(value)
        changed_copy = _copy_with_writes(value, written[id(value)])
        changed_copy = changed_copy if is_list(changed_copy) else _copied(changed_copy, written, (*around, id(value)), copied)
        current().effects.mark_ambiguous(changed_copy)  # what becomes of it may be the object itself
        return changed_copy
    if not is_container(value) or is_list(parts := parts_of(value)):
        return value
    return _with(value, parts, [_copied(part, written, (*around, id(value)), copied) for part in parts])


def _with(value: object, parts: list[Any], new_parts: list[Any]) -> Any:
    """Return a container with these parts; the container itself if they are its parts."""
    same = all(x is y for x, y in zip(parts, new_parts, strict=True))
    return value if same else rebuilt(type(value), keys_of(value), new_parts)


def _copy_with_writes(value: object, writes: list[tuple[WriteTarget, Any]]) -> Any:
    """Return a copy of a list, dict or object with the values that a block wrote to these targets."""
    if type(value) in (list, dict):
        return as_value(*writes[0])
    attributes = {target.name: state for target, state in writes if isinstance(target, AttributeTarget) and state is not MISSING}
    if not is_plain_object(value) or len(attributes) < len(writes):
        raise broken(
            f"a {type(value).__name__} is changed and becomes part of another value under a tensor condition{at_expression()}",
            "store its attributes, or a copy that is made after the condition",
        )
    attributes = {**vars(value), **attributes}
    return rebuilt(type(value), tuple(attributes), list(attributes.values()))


def unify_target(target: WriteTarget, spec: ValueSpec, value_before: object, value: object) -> ValueSpec:
    """Return the spec that joins the value of a target before the block with the one after it.

    Raises a graph break if the two have no common spec, or if the target exists in only one case.
    """
    if value is value_before:
        return spec
    if isinstance(target, ItemsTarget):
        if _is_one(target, value_before, value):
            return spec
    elif value_before is MISSING or value is MISSING:
        raise broken(
            f"{target.label} is set under a tensor condition, and does not exist otherwise",
            "give it a value before the condition or loop, `self.name = None` in the constructor",
        )
    try:
        return unify(spec, value_before, value)
    except NotJoinable as error:
        raise _differs(target, error) from None


def _is_one(target: ItemsTarget, old_items: Any, value: Any) -> bool:
    """True if both states have the same items. Breaks the graph if they have no common spec."""
    owner = target.owner
    if isinstance(owner, dict):
        if list(old_items) != list(value):
            raise broken(
                f"a {type(owner).__name__} gets or loses a key under a tensor condition or in a tensor loop{at_expression()}",
                "give the key a value before, `d[k] = None`, or keep the value in a variable; where a loop over a tensor makes the "
                "keys: `for i in range(len(x)): ...`",
            )
    elif not isinstance(owner, list):
        if not is_list(old_items) and not is_list(value) and target.same(old_items, value):
            return True
        class_name = "deque" if isinstance(owner, collections.deque) else type(owner).__name__
        raise broken(
            f"a {class_name} changes under a tensor condition or in a tensor loop{at_expression()}",
            "a list: `items.append(x)`, `items.pop(0)`",
        )
    return False


def _differs(target: WriteTarget, mismatch: NotJoinable) -> BaseException:
    why = f" ({mismatch.why})" if mismatch.why else ""
    return broken(
        f"{target.label} holds {mismatch.a.describe()} or {mismatch.b.describe()}, depending on a tensor{why}",
        "give it one type on all paths: tensors of one dtype and number of dimensions, numbers of one type",
    )


def write_merged(target: WriteTarget, value: object) -> None:
    """Write a merged value to its target, and announce the write."""
    effects = current().effects
    if isinstance(target, ItemsTarget) and is_list(value):
        if effects.resolved(target.owner) is not value:
            effects.substitute(target.owner, value)
        return
    effects.record_write(target)
    target.write(list(value.items()) if isinstance(target, ItemsTarget) and isinstance(value, dict) else value)
