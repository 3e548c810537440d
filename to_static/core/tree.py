"""Nested Python structures (list, tuple, namedtuple, dict, dataclass) as a flat list of leaves plus a recipe.

A recipe is hashable, so that it can be part of a cache key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

_FIELDS = "__dataclass_fields__"  # what makes a class a dataclass; importing `dataclasses` itself costs start-up time
LEAF = object()  # stands for one leaf in a recipe


def flatten(value: object) -> tuple[list[Any], Any]:
    """Leaves in order, and the recipe that `unflatten` rebuilds the structure from."""
    leaves: list[Any] = []
    return leaves, _flatten(value, leaves)


def _flatten(value: Any, leaves: list[Any]) -> Any:
    kind: Any = type(value)
    if kind is list or kind is tuple or (isinstance(value, tuple) and hasattr(value, "_fields")):
        return (kind, tuple(_flatten(item, leaves) for item in value))
    if isinstance(value, dict) and _is_plain_mapping(kind):
        return (kind, tuple(value), tuple(_flatten(item, leaves) for item in value.values()))
    if hasattr(kind, _FIELDS) and not isinstance(value, type):
        names = tuple(f.name for f in _dataclass_fields(value))
        return (kind, names, tuple(_flatten(getattr(value, n), leaves) for n in names))
    leaves.append(value)
    return LEAF


def _dataclass_fields(value: Any) -> tuple[Any, ...]:
    from dataclasses import fields

    return fields(value)


def _is_plain_mapping(kind: type) -> bool:
    return kind is dict or kind.__name__ in ("OrderedDict",)


def unflatten(recipe: Any, leaves: list[Any]) -> Any:
    """Rebuild the structure that `flatten` took apart, with the given leaves."""
    iterator = iter(leaves)
    result = _unflatten(recipe, iterator)
    if next(iterator, LEAF) is not LEAF:
        raise ValueError("more leaves than the structure has places for")
    return result


def _unflatten(recipe: Any, leaves: Any) -> Any:
    if recipe is LEAF:
        return next(leaves)
    kind = recipe[0]
    if len(recipe) == 2:
        items = [_unflatten(r, leaves) for r in recipe[1]]
        if kind is list:
            return items
        return tuple.__new__(kind, items)
    items = {name: _unflatten(r, leaves) for name, r in zip(recipe[1], recipe[2], strict=True)}
    if hasattr(kind, _FIELDS):
        instance: Any = object.__new__(kind)  # type: ignore[arg-type]
        for name, item in items.items():
            object.__setattr__(instance, name, item)
        return instance
    return kind(items)


def map_tree(function: Callable[[Any], Any], value: object) -> Any:
    """The same structure with ``function`` applied to every leaf."""
    leaves, recipe = flatten(value)
    return unflatten(recipe, [function(leaf) for leaf in leaves])


def by_key(recipe: Any) -> list[int]:
    """Positions of the leaves of a structure in the order in which Paddle takes it apart: dictionaries by their sorted keys.

    Keys that do not compare stay in their order.
    """
    return _by_key(recipe, 0)[0]


def _by_key(recipe: Any, start: int) -> tuple[list[int], int]:
    if recipe is LEAF:
        return [start], start + 1
    parts = []
    for inner in recipe[-1]:
        key, start = _by_key(inner, start)
        parts.append(key)
    if len(recipe) == 3 and not hasattr(recipe[0], _FIELDS):
        parts = [parts[i] for i in key_order(recipe[1])]
    return [position for part in parts for position in part], start


def key_order(keys: Sequence[Any]) -> list[int]:
    """The positions of ``keys`` in sorted order, or as they are when they do not compare."""
    try:
        return sorted(range(len(keys)), key=keys.__getitem__)
    except TypeError:
        return list(range(len(keys)))
