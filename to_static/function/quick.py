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
from to_static.core.libraries import of_users
from to_static.eager.tensor import EagerTensor
from to_static.function.program.concrete import ConcreteProgram
from to_static.function.program.containers import containers
from to_static.function.program.entry import EXACT, OTHER, entry, no_entry
from to_static.function.signature import Signature, aliases
from to_static.ir.registry import FUNCTIONS
from to_static.nn.layer import Layer

_MOST = 1000  # kinds of calls that are known at a time
_PLAIN = EXACT | {float}
_NUMERIC = "biufc"


class Known:
    """What runs one kind of call: ``run(leaves, args, kwargs)``, with the leaves that `key_of` found.

    ``found``: the `ConcreteProgram` or `GraphBreak`; ``feeds``: the leaves that a Program takes; ``acts``: as it says;
    ``entry``: what runs calls of the kind quicker, once there was one.
    """

    __slots__ = ("_plans", "acts", "entry", "feeds", "found", "run")

    def __init__(self, found: Any, run: Callable[..., Any], feeds: list[int] | None = None) -> None:
        self.found = found
        self.run = run
        self.feeds = feeds
        self.acts = feeds is not None and found.acts
        self.entry: Callable[..., Any] = no_entry
        self._plans: Any = None

    def ran(self, leaves: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The result of a call; on the general way where need be, which may make plans for the entry."""
        result = self.entry(args, kwargs)
        if result is not OTHER:
            return result
        result = self.run(leaves, args, kwargs)
        if self.feeds is not None:
            plans = self.found.runner, self.found.training
            if plans != self._plans:
                self.entry, self._plans = entry(self.found, self.feeds, self.run, args, kwargs), plans
        return result


class Calls:
    """The kinds of calls of one static function that are known.

    ``quick``: by quick keys; ``last``: that of the last call. ``dynamic``: Programs for all sizes, by the long keys of calls
    of one size.
    """

    def __init__(self) -> None:
        self.last = _NONE
        self.quick: dict[Any, Known] = {}
        self.dynamic: dict[Any, ConcreteProgram] = {}

    def clear(self) -> None:
        """Forget them."""
        self.last = _NONE
        self.quick.clear()
        self.dynamic.clear()

    def add(self, key: Any, found: Known) -> None:
        """One more kind of call."""
        if len(self.quick) >= _MOST:
            self.quick.clear()
        self.quick[key] = found


def key_of(args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any]) -> Any:
    """The quick key of a call; None for one that goes the long way. ``leaves`` gets its leaves, arrays as tensors."""
    key: list[Any] = []
    seen: set[int] = set()
    for value in (*args, *kwargs.values()):
        if not _add(value, type(value), key, leaves, seen):
            return None
    tensors = [leaf for leaf in leaves if type(leaf) is EagerTensor]
    if len(set(map(id, tensors))) != len(tensors):
        key.append(aliases(tensors))
    if kwargs:
        key.append(tuple(kwargs))
    return tuple(key)


def _add(value: Any, kind: type, key: list[Any], leaves: list[Any], seen: set[int]) -> bool:
    """Add a value to a key; False where that has no place for it."""
    if kind is EagerTensor:
        key += value._array.shape, value._array.dtype, value.stop_gradient
    elif kind in EXACT:
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


_NONE = Known(None, no_entry)


def of_break(found: Any) -> Known:
    """What runs calls of a kind that Python does: a `GraphBreak`."""
    return Known(found, lambda leaves, args, kwargs: found.run(args, kwargs))


def of_program(found: ConcreteProgram, signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Known | None:
    """What runs calls that have the quick key of this one by a Program; None where they have to go the long way."""
    leaves, recipe = tree.flatten((args, kwargs))
    marked_args, marked_kwargs = tree.unflatten(recipe, [_Slot(i) for i in range(len(leaves))])
    bound = signature.bind(marked_args, marked_kwargs)
    defaults = [leaf for leaf in bound.leaves if type(leaf) is not _Slot]
    if not all(_is_watched(x, signature.function) for x in defaults) or len(bound.containers) != len(containers((args, kwargs))):
        return None  # a default value that may be another one in the next call
    if kwargs and any(write.given is not None for write in found.traced.writes):
        return None  # into containers among the arguments, which are counted in the order of parameters
    count = iter(range(len(leaves), len(leaves) + len(defaults)))
    order = [leaf.number if type(leaf) is _Slot else next(count) for leaf in bound.leaves]
    feeds = [order[i] for i in found.feeds]

    def ordered(leaves: Sequence[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        every = [*leaves, *defaults]
        return found([leaves[i] for i in feeds], [every[i] for i in order], (args, kwargs))

    return Known(found, ordered, feeds)


def _is_watched(default: Any, function: Any) -> bool:
    """Whether a default value is the same thing as long as the guards are: plain, or a Layer, whose attributes they watch."""
    return type(default) in _PLAIN or (isinstance(default, Layer) and of_users(getattr(function, "__module__", None)))
