"""Python lists that are changed and searched at positions which tensors decide: ``pop``, ``del``, ``insert``, ``index`` ...

How long the list is afterwards is known, so it stays a Python list: each of its places gets one item or its neighbour.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.ir.number import number
from to_static.ir.registry import FUNCTIONS
from to_static.jit.jst import items
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import bool_
from to_static.jit.jst.catching import check_uncaught
from to_static.jit.jst.collect import collected
from to_static.jit.jst.folds import sorted_
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.sequences import compares
from to_static.jit.jst.text import pieces_of, template
from to_static.jit.jst.traced import is_traced


def removed(container: list[Any], index: Any, out_of_range: str) -> Any:
    """The item at a traced ``index``, which is taken out of the list."""
    old = list(container)
    items.unmoved(old)
    found = list(items.places(container, index, out_of_range))
    value = items.chosen_of(found, old)
    passed: Any = False
    for i, (_, is_it) in enumerate(found[:-1]):
        passed = is_it + passed
        container[i] = items.either(passed > 0, old[i + 1], old[i])
    del container[-1:]
    return value


def inserted(container: list[Any], index: Any, value: Any) -> None:
    """``container.insert(index, value)``; like Python's it takes any index, the nearest end for one out of range."""
    items.check_index(container, index)
    old = list(container)
    items.unmoved([value, *old])
    size = len(old)
    place = items.within(number(index, int), size)
    container.append(value)
    for i in range(size, -1, -1):
        made = old[i] if i < size else value
        if i < size:
            made = items.either(place == i, value, made)
        if i:
            made = items.either(place < i, old[i - 1], made)
        container[i] = made


def index_of(container: list[Any], value: Any, message: str = "{} is not in list") -> Any:
    """``container.index(value)`` where the comparisons depend on tensors."""
    size = len(container)
    place: Any = size
    for i in range(size - 1, -1, -1):
        place = if_(_equal(container[i], value), lambda i=i: i, lambda place=place: place)
    if isinstance(place, int) and place < size:
        return place
    missing(value, place < size, message)
    return place


def missing(value: Any, found: Any, message: str = "{} is not in list") -> None:
    """The Program raises Python's error unless ``found``."""
    check_uncaught(ValueError)
    values, words = template(pieces_of(value)) if "{}" in message else ((), "")
    if isinstance(found, bool):
        if found:
            return
        raise ValueError(message.format(words))
    FUNCTIONS["assert"](items.plain(found), values, message.replace("{}", words), "ValueError")


def count_of(container: list[Any], value: Any) -> Any:
    """``container.count(value)`` where the comparisons depend on tensors."""
    total: Any = 0
    for item in container:
        total = total + _equal(item, value)
    return total


def _equal(item: Any, value: Any) -> Any:
    return True if item is value else bool_(item == value)


def method(container: list[Any], name: str) -> Callable[..., Any]:
    """The method ``name`` of a Python list, for arguments and items that may be traced."""
    own = getattr(container, name)

    def called(*args: Any, **kwargs: Any) -> Any:
        if name == "extend":
            more = [collected(item) for item in args]
            if any(isinstance(item, TensorList) for item in more):
                return items.with_any_key(container).extend(*more)
            return own(*more, **kwargs)
        if name == "sort":
            container[:] = sorted_(container, *args, **kwargs)
            return None
        if name == "remove" and len(args) == 1 and any(map(compares, (args[0], *container))):
            place = index_of(container, args[0], "list.remove(x): x not in list")
            if isinstance(place, int):
                del container[place]
            else:
                removed(container, place, "pop index out of range")
            return None
        if name in ("index", "count"):
            if len(args) != 1 or not any(map(compares, (args[0], *container))):
                return own(*args)
            if name == "count":
                return count_of(container, args[0])
            words = "tuple.index(x): x not in tuple" if isinstance(container, tuple) else "{} is not in list"
            return index_of(container, args[0], words)
        if not args or not is_traced(args[0]):
            return own(*args)
        if name == "pop" and not container:
            return own(0)  # which raises Python's error
        if name == "pop":
            return removed(container, args[0], "pop index out of range")
        return inserted(container, *args)

    return called


METHODS = frozenset(["extend", "pop", "insert", "remove", "sort", "index", "count"])
