"""The quick way of a call: a kind of call that is known is found by what is given alone, without binding it to parameters.

That is for tensors, arrays and plain values, also in tuples, lists and dicts; anything else goes the long way
(`StaticFunction._slow_call`). A quick key has of each argument what the long key has of it, so the two find the same Program as
long as the guards, and the settings around the call, are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from to_static.core import tree
from to_static.eager.tensor import EagerTensor
from to_static.function.program.concrete import ConcreteProgram
from to_static.function.program.containers import containers
from to_static.function.signature import Signature, aliases
from to_static.ir.registry import FUNCTIONS

_MOST = 1000  # kinds of calls that are known at a time
_EXACT = frozenset((bool, int, str, type(None)))  # of which equal values of one type are the same value
_PLAIN = _EXACT | {float}
_NUMERIC = "biufc"


class Known:
    """What runs one kind of call: ``run(leaves, args, kwargs)``, with the leaves that `key_of` found.

    ``found``: the `ConcreteProgram` or `GraphBreak`; ``acts``: as the Program says.
    """

    __slots__ = ("acts", "backend", "default_dtype", "found", "run")

    def __init__(self, found: Any, run: Callable[..., Any], acts: bool = False) -> None:
        self.found = found
        self.run = run
        self.acts = acts
        self.backend = found.backend
        self.default_dtype = found.default_dtype


class Calls:
    """The kinds of calls of one static function that are known.

    ``quick``: by quick keys. ``wide``: Programs for all sizes, by the long keys of calls
    of one size.
    """

    def __init__(self) -> None:
        self.quick: dict[Any, Known] = {}
        self.wide: dict[Any, ConcreteProgram] = {}

    def clear(self) -> None:
        """Forget them."""
        self.quick.clear()
        self.wide.clear()

    def add(self, key: Any, found: Known) -> None:
        """One more kind of call."""
        if len(self.quick) >= _MOST:
            self.quick.clear()
        self.quick[key] = found


def key_of(args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any]) -> Any:
    """The quick key of a call; None for one that goes the long way. ``leaves`` gets its leaves, arrays as tensors."""
    if len(args) == 1 and type(args[0]) is EagerTensor and not kwargs:
        leaves.append(args[0])
        return args[0]._array.shape, args[0]._array.dtype, args[0].stop_gradient
    key: list[Any] = []
    tensors = 0
    seen: set[int] = set()
    for value in (*args, *kwargs.values()) if kwargs else args:
        kind = type(value)
        if kind is EagerTensor:
            array = value._array
            key += array.shape, array.dtype, value.stop_gradient
            leaves.append(value)
            tensors += 1
        elif kind in _EXACT:
            key += kind, value
            leaves.append(value)
        elif _add(value, kind, key, leaves, seen):
            tensors += 2
        else:
            return None
    if tensors > 1:
        given = [leaf for leaf in leaves if type(leaf) is EagerTensor]
        if len(given) > 1 and (given[0] is given[1] if len(given) == 2 else len(set(map(id, given))) != len(given)):
            key.append(aliases(given))
    if kwargs:
        key.append(tuple(kwargs))
    return tuple(key)


def _add(value: Any, kind: type, key: list[Any], leaves: list[Any], seen: set[int]) -> bool:
    """Add a value to a key; False where that has no place for it."""
    if kind is EagerTensor:
        key += value._array.shape, value._array.dtype, value.stop_gradient
    elif kind in _EXACT:
        key += kind, value
    elif kind is float:
        key += kind, (value or repr(value))  # -0.0 equals 0.0
    elif kind is np.ndarray and value.dtype.kind in _NUMERIC:
        value = FUNCTIONS["to_tensor"](value)
        key += value._array.shape, value._array.dtype, True
    elif kind in (tuple, list, dict) and id(value) not in seen:  # those that occur twice are one to the function
        if kind is not tuple:
            seen.add(id(value))
        key += kind, tuple(value) if kind is dict else len(value)
        return all(_add(item, type(item), key, leaves, seen) for item in (value.values() if kind is dict else value))
    else:
        return False
    leaves.append(value)
    return True


class _Slot:
    """Stands for a leaf while the way of a call's leaves to the function's parameters is looked for."""

    def __init__(self, number: int) -> None:
        self.number = number


def of_break(found: Any) -> Known:
    """What runs calls of a kind that Python does: a `GraphBreak`."""
    return Known(found, lambda leaves, args, kwargs: found.run(args, kwargs))


def of_program(
    found: ConcreteProgram, signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Known | None:
    """What runs calls that have the quick key of this one by a Program; None where they have to go the long way."""
    leaves, recipe = tree.flatten((args, kwargs))
    marked_args, marked_kwargs = tree.unflatten(recipe, [_Slot(i) for i in range(len(leaves))])
    bound = signature.bind(marked_args, marked_kwargs)
    defaults = [leaf for leaf in bound.leaves if type(leaf) is not _Slot]
    if not all(type(x) in _PLAIN for x in defaults) or len(bound.containers) != len(containers((args, kwargs))):
        return None  # a default value that may be another one in the next call
    if kwargs and any(write.given is not None for write in found.traced.writes):
        return None  # into containers among the arguments, which are counted in the order of parameters
    count = iter(range(len(leaves), len(leaves) + len(defaults)))
    order = [leaf.number if type(leaf) is _Slot else next(count) for leaf in bound.leaves]
    feeds = [order[i] for i in found.feeds]
    if feeds == list(range(len(leaves))) and (found.simple or not (kwargs or defaults)):
        return Known(found, found.of_leaves, found.acts)
    if found.simple:
        return Known(found, lambda leaves, args, kwargs: found.of_leaves([leaves[i] for i in feeds], args, kwargs), found.acts)

    def run(leaves: Sequence[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        every = [*leaves, *defaults]
        return found([leaves[i] for i in feeds], [every[i] for i in order], (args, kwargs))

    return Known(found, run, found.acts)
