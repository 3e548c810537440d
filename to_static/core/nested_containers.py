"""Walks through dicts, lists, tuples and sets in one another, however deep, shared or cyclic: no function calls itself."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

CONTAINERS = (dict, OrderedDict, list, tuple, set)  # these very types; what is of another one is a leaf


def tree_leaves(root: object) -> Iterator[Any]:
    """What is no container in ``root``, or ``root`` itself; what is in a container that is met twice comes once."""
    seen: dict[int, Any] = {}
    work: list[Any] = [root]
    while work:
        value = work.pop()
        if type(value) not in CONTAINERS:
            yield value
        elif id(value) not in seen:
            seen[id(value)] = value
            work += value.values() if isinstance(value, dict) else value


def shared_containers(root: object) -> set[int]:
    """The ids of the containers in ``root`` that are in more than one place."""
    seen: set[int] = set()
    shared: set[int] = set()
    work: list[Any] = [root]
    while work:
        value = work.pop()
        if type(value) not in CONTAINERS:
            continue
        if id(value) in seen:
            shared.add(id(value))
        else:
            seen.add(id(value))
            work += value.values() if isinstance(value, dict) else value
    return shared


def tree_map(root: object, leaf: Callable[[Any], Any]) -> Any:
    """The same containers, new ones, with ``leaf(value)`` in place of every value that is none.

    A container that is met twice is one afterwards, too. Raises ValueError for a tuple or set that contains itself directly.
    """
    done: dict[int, Any] = {}
    met: dict[int, Any] = {}  # by id, and so kept alive: no id is used twice
    work: list[tuple[Any, bool]] = [(root, False)]

    def of(value: Any) -> Any:
        if type(value) not in CONTAINERS:
            return leaf(value)
        if id(value) not in done:
            raise ValueError(f"a {type(value).__name__} that contains itself")
        return done[id(value)]

    while work:
        value, ready = work.pop()
        if ready:
            done[id(value)] = type(value)(map(of, value))
        elif type(value) in CONTAINERS and id(value) not in met:
            met[id(value)] = value
            if isinstance(value, (dict, list)):
                done[id(value)] = type(value)()
            else:
                work.append((value, True))
            work += [(child, False) for child in (value.values() if isinstance(value, dict) else value)]
    for value in met.values():
        if isinstance(value, dict):
            done[id(value)].update((key, of(child)) for key, child in value.items())
        elif isinstance(value, list):
            done[id(value)].extend(map(of, value))
    return of(root)
