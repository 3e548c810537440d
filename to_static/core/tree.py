"""Nested structures of Python: the one room that takes containers apart and puts them together again.

* `flatten` and `unflatten`: a list of leaves and a hashable recipe, which can be part of a cache key. Containers are lists, tuples,
  named tuples, dicts and dataclasses. A container that is there twice becomes two.
* `graph_leaves`, `map_graph`, `shared_containers`: the same for structures that may share containers, contain themselves or be
  nested 100,000 deep: no function calls itself. Containers are dicts, lists, tuples and sets of these very types.
* `paddle.utils.flatten` and its like (`utils/structures.py`) walk in Paddle's order, by sorted keys, and rebuild with `rebuild`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

FIELDS = "__dataclass_fields__"  # what makes a class a dataclass; importing `dataclasses` itself costs start-up time
CONTAINERS = (dict, OrderedDict, list, tuple, set)  # of graphs: what is of another type is a leaf there
LEAF = object()  # stands for one leaf in a recipe


def rebuild(cls: type, keys: Sequence[Any] | None, items: Iterable[Any]) -> Any:
    """A container of type ``cls`` with these items. ``keys``: those of a dict, the fields of a dataclass; None for sequences."""
    if keys is None:
        return tuple.__new__(cls, items) if issubclass(cls, tuple) else cls(items)  # type: ignore[call-arg]
    if not hasattr(cls, FIELDS):
        return cls(zip(keys, items, strict=True))  # type: ignore[call-arg]
    instance: Any = object.__new__(cls)
    for name, item in zip(keys, items, strict=True):
        object.__setattr__(instance, name, item)
    return instance


def flatten(value: object) -> tuple[list[Any], Any]:
    """Leaves in order, and the recipe that `unflatten` rebuilds the structure from."""
    leaves: list[Any] = []
    return leaves, _flatten(value, leaves)


def _flatten(value: Any, leaves: list[Any]) -> Any:
    cls: Any = type(value)
    if cls is list or cls is tuple or (isinstance(value, tuple) and hasattr(value, "_fields")):
        return (cls, tuple(_flatten(item, leaves) for item in value))
    if isinstance(value, dict) and _is_plain_mapping(cls):
        return (cls, tuple(value), tuple(_flatten(item, leaves) for item in value.values()))
    if hasattr(cls, FIELDS) and not isinstance(value, type):
        names = tuple(f.name for f in fields_of(value))
        return (cls, names, tuple(_flatten(getattr(value, n), leaves) for n in names))
    leaves.append(value)
    return LEAF


def fields_of(value: Any) -> tuple[Any, ...]:
    """The fields of a dataclass instance."""
    from dataclasses import fields

    return fields(value)


def _is_plain_mapping(cls: type) -> bool:
    return cls is dict or cls.__name__ in ("OrderedDict",)


def count(recipe: Any) -> int:
    """The number of leaves of a structure."""
    return 1 if recipe is LEAF else sum(map(count, recipe[-1]))


def unflatten(recipe: Any, leaves: list[Any]) -> Any:
    """Rebuild the structure that `flatten` took apart, with the given leaves."""
    iterator = iter(leaves)
    result = _unflatten(recipe, iterator)
    if next(iterator, LEAF) is not LEAF:
        raise ValueError("got more leaves than the structure takes")
    return result


def _unflatten(recipe: Any, leaves: Iterator[Any]) -> Any:
    if recipe is LEAF:
        return next(leaves)
    items = [_unflatten(r, leaves) for r in recipe[-1]]
    return rebuild(recipe[0], recipe[1] if len(recipe) == 3 else None, items)


def map_tree(function: Callable[[Any], Any], value: object) -> Any:
    """Return a copy of a structure with ``function`` applied to every leaf."""
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
    if len(recipe) == 3 and not hasattr(recipe[0], FIELDS):
        parts = [parts[i] for i in key_order(recipe[1])]
    return [position for part in parts for position in part], start


def key_order(keys: Sequence[Any]) -> list[int]:
    """The positions of ``keys`` in sorted order, or as they are when they do not compare."""
    try:
        return sorted(range(len(keys)), key=keys.__getitem__)
    except TypeError:
        return list(range(len(keys)))


# structures that may share containers ----------------------------------------------------------------------------------


def graph_leaves(root: object) -> Iterator[Any]:
    """The leaves in ``root``, or ``root`` itself; those of a container that is there twice come once."""
    visited: dict[int, Any] = {}
    work: list[Any] = [root]
    while work:
        value = work.pop()
        if type(value) not in CONTAINERS:
            yield value
        elif id(value) not in visited:
            visited[id(value)] = value
            work += value.values() if isinstance(value, dict) else value


def shared_containers(root: object) -> set[int]:
    """The ids of the containers that ``root`` holds in more than one place."""
    visited: set[int] = set()
    repeated: set[int] = set()
    work: list[Any] = [root]
    while work:
        value = work.pop()
        if type(value) not in CONTAINERS:
            continue
        if id(value) in visited:
            repeated.add(id(value))
        else:
            visited.add(id(value))
            work += value.values() if isinstance(value, dict) else value
    return repeated


def map_graph(root: object, leaf: Callable[[Any], Any]) -> Any:
    """New containers like those of ``root``, with ``leaf(value)`` in place of every leaf.

    A container that is there twice is one afterwards, too. Raises ValueError for a tuple or set that contains itself directly.
    """
    done: dict[int, Any] = {}
    by_id: dict[int, Any] = {}  # by id, and so kept alive: no id is used twice
    work: list[tuple[Any, bool]] = [(root, False)]

    def mapped(value: Any) -> Any:
        if type(value) not in CONTAINERS:
            return leaf(value)
        if id(value) not in done:
            raise ValueError(f"a {type(value).__name__} that contains itself")
        return done[id(value)]

    while work:
        value, ready = work.pop()
        if ready:
            done[id(value)] = type(value)(map(mapped, value))
        elif type(value) in CONTAINERS and id(value) not in by_id:
            by_id[id(value)] = value
            if isinstance(value, (dict, list)):
                done[id(value)] = type(value)()
            else:
                work.append((value, True))
            work += [(child, False) for child in (value.values() if isinstance(value, dict) else value)]
    for value in by_id.values():
        if isinstance(value, dict):
            done[id(value)].update((key, mapped(child)) for key, child in value.items())
        elif isinstance(value, list):
            done[id(value)].extend(map(mapped, value))
    return mapped(root)
