"""Walks through nested lists, tuples, dicts and named tuples (``paddle.utils.flatten``, ``map_structure``, ...).

Dicts are walked in the order of their sorted keys, as Paddle does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from to_static.core.tree import rebuild


def is_sequence(seq: Any) -> bool:
    """Return whether it is a structure to walk through: a list, a tuple or a dict, no text.

    ``seq``: any object.

    Example:
        >>> paddle.utils.is_sequence([1])
        True
    """
    return isinstance(seq, dict) or (isinstance(seq, Sequence) and not isinstance(seq, str))


def to_sequence(nest: Any) -> Any:
    """A structure itself, anything else in a list.

    ``nest``: any object.

    Example:
        >>> paddle.utils.to_sequence(1)
        [1]
    """
    return nest if is_sequence(nest) else [nest]


def _children(structure: Any) -> list[Any]:
    return [structure[key] for key in sorted(structure)] if isinstance(structure, dict) else list(structure)


def flatten(nest: Any) -> list[Any]:
    """All that is in a nested structure and is none itself, in order.

    ``nest``: the structure.

    Example:
        >>> paddle.utils.flatten([1, (2, {'b': 4, 'a': 3})])
        [1, 2, 3, 4]
    """
    if not is_sequence(nest):
        return [nest]
    return [leaf for child in _children(nest) for leaf in flatten(child)]


def _like(structure: Any, parts: list[Any]) -> Any:
    """A structure of the type of another one, of these parts."""
    if isinstance(structure, Mapping):
        by_key = dict(zip(sorted(structure), parts, strict=True))
        return rebuild(type(structure), list(structure), [by_key[key] for key in structure])
    return rebuild(type(structure), None, parts)


def _packed(structure: Any, leaves: Iterator[Any]) -> Any:
    if not is_sequence(structure):
        return next(leaves)
    return _like(structure, [_packed(child, leaves) for child in _children(structure)])


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """The leaves of ``flat_sequence`` in a structure like ``structure``; the inverse of `flatten`.

    Raises ValueError unless there are as many as in ``structure``.

    Example:
        >>> paddle.utils.pack_sequence_as([0, (0, 0)], [1, 2, 3])
        [1, (2, 3)]
    """
    count = len(flatten(structure))
    flat = list(flat_sequence)
    if len(flat) != count:
        raise ValueError(f"pack_sequence_as: the structure has {count} leaves, got {len(flat)}")
    return _packed(structure, iter(flat))


def map_structure(func: Callable[..., Any], *structure: Any) -> Any:
    """A structure of what ``func`` gives for the leaves of one or more structures of one kind.

    Example:
        >>> paddle.utils.map_structure(lambda x, y: x + y, [1, (2,)], [10, (20,)])
        [11, (22,)]
    """
    for other_structure in structure[1:]:
        assert_same_structure(structure[0], other_structure, check_types=False)
    return pack_sequence_as(structure[0], [func(*leaves) for leaves in zip(*map(flatten, structure), strict=True)])


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Raise ValueError unless two structures are nested alike, TypeError (with ``check_types``) for other types of containers.

    ``nest1``, ``nest2``: the structures.

    Example:
        >>> paddle.utils.assert_same_structure([1, (2,)], [3, (4,)])
    """
    if is_sequence(nest1) != is_sequence(nest2):
        raise ValueError(f"the two structures are not nested alike: {nest1!r} and {nest2!r}")
    if not is_sequence(nest1):
        return
    if check_types and type(nest1) is not type(nest2):
        raise TypeError(f"the two structures have different types: {type(nest1).__name__} and {type(nest2).__name__}")
    keys = [set(nest) if isinstance(nest, dict) else len(nest) for nest in (nest1, nest2)]
    if keys[0] != keys[1]:
        raise ValueError(f"the two structures are not nested alike: {nest1!r} and {nest2!r}")
    for first, second in zip(_children(nest1), _children(nest2), strict=True):
        assert_same_structure(first, second, check_types)
