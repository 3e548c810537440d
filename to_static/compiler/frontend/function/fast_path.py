"""The fast lookup of a Program: by a key of the raw arguments, without binding them to parameters.

It handles tensors, arrays, plain values, members of enumerations, library functions and Layers that the guards watch, also in
tuples, lists, dicts and dataclasses. Other arguments take `StaticFunction._slow_call`. The fast key contains the same facts as
the complete key, so both find the same Program as long as the guards and the settings around the call are unchanged.
"""

from __future__ import annotations

import collections
import enum
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.call import Call, one_tensor
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.frontend.function.program.containers import containers
from to_static.compiler.frontend.function.program.specialized_entry import EXACT, OTHER, entry, no_entry
from to_static.compiler.frontend.function.signature import Signature, aliases
from to_static.compiler.frontend.tracing.input_places import INPUT, NUMBERS, fits
from to_static.compiler.ops import functions as F
from to_static.core import tree as trees
from to_static.core.importing.skiplist import is_user_module
from to_static.core.tree import FIELDS, fields_of
from to_static.nn.layer import Layer

_MOST = 1000  # kinds of calls that are known at a time
_MOST_ENTRIES = 16  # of one kind of call
_PLAIN = EXACT | {float}
_NUMERIC = "biufc"


class CachedCall:
    """Runs one kind of call.

    ``outcome``: the `GraphBreak`, or the `ConcreteProgram` that the ``call`` describes; ``prints_or_draws``: as that says;
    ``entry``: what runs calls of the kind quicker, once there was one. Where numbers decide which of several ``choices`` runs a
    call, ``choose`` gives that, and the leaves with those not given. ``layers``: those among the arguments, kept alive, since
    the key has their ids.
    """

    __slots__ = ("_entries", "_plans", "call", "choices", "choose", "entry", "layers", "outcome", "prints_or_draws")

    def __init__(self, outcome: Any, call: Call | None = None, layers: Sequence[Layer] = ()) -> None:
        self.layers = layers
        self.outcome = outcome
        self.call = call
        self.prints_or_draws = call is not None and outcome.facts.prints_or_draws
        self.entry: Callable[..., Any] = no_entry
        self._plans: Any = None
        self._entries: dict[Any, Callable[..., Any]] = {}  # by the plans that they run
        self.choose: Any = None
        self.choices: dict[Any, CachedCall] = {}

    @property
    def numbers(self) -> frozenset[int]:
        """The leaves, as given, that are number inputs."""
        call = self.call
        if call is None:
            return frozenset()
        count = len(call.order) - len(call.defaults) - len(call.reads)
        return frozenset(i for i in call.numbers if i < count)

    def run(self, leaves: Sequence[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The result of a call; on the general way where need be, which may make plans for the entry.

        ``leaves``: those that `key_of` found, or `choose` gave.
        """
        result = self.entry(args, kwargs)
        if result is not OTHER:
            return result
        call = self.call
        if call is None:
            return self.outcome.run(args, kwargs)
        result = call.run(leaves if self.choose is not None else call.complete(leaves), args, kwargs)
        plans = self.outcome.runner, self.outcome.training
        if plans != self._plans:
            self._change_entry(plans, args, kwargs)
        return result

    def _change_entry(self, plans: tuple[Any, Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Replace the entry by one for the present plans, for example because other tensors now need gradients."""
        new_entry = self._entries.get(plans)
        if new_entry is None:
            if len(self._entries) >= _MOST_ENTRIES:
                self._entries.clear()
            assert self.call is not None
            new_entry = self._entries[plans] = entry(self.call, args, kwargs)
        self.entry, self._plans = new_entry, plans

    def entries(self) -> list[Callable[..., Any]]:
        """Those that there are."""
        return [function for function in self._entries.values() if function is not no_entry]

    def choose_by(self, tree: Any) -> None:
        """Set `choose`, which finds the Program whose guards on numbers hold for a call."""
        call: Any = self.call

        def choose(leaves: list[Any]) -> tuple[CachedCall | None, Sequence[Any]]:
            every = call.complete(leaves)
            return self.choices.get(tree.find(call.ordered(every)) if tree is not None else ()), every

        self.choose = choose


class CallCache:
    """The kinds of calls of one static function that are known.

    ``quick``: by quick keys; ``last``: that of the last call. ``dynamic``: Programs for all sizes, by the long keys of calls
    of one size. ``surroundings``: the flags and settings that they are for.
    """

    def __init__(self, state_key: Any = None) -> None:
        self.state_key = state_key
        self.last = NONE
        self.numbers: frozenset[int] = frozenset()
        self.quick: dict[Any, CachedCall] = {}
        self.dynamic: dict[Any, ConcreteProgram] = {}

    def clear(self) -> None:
        """Forget them."""
        self.last = NONE
        self.quick.clear()
        self.dynamic.clear()

    def add(self, key: Any, new_call: CachedCall) -> None:
        """One more kind of call, or one more choice by numbers of a kind that is known."""
        if new_call.call is not None and new_call.choose is not None:
            old_call = self.quick.get(key)
            choices = old_call.choices if old_call is not None and old_call.choose is not None else new_call.choices
            choices[new_call.call.answers] = new_call
            new_call.choices = choices
        if len(self.quick) >= _MOST:
            self.quick.clear()
        self.quick[key] = new_call


def key_of(args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any], numbers: frozenset[int] = frozenset()) -> Any:
    """The quick key of a call; None for one that goes the long way. ``leaves`` gets its leaves, arrays as tensors.

    ``numbers``: leaves whose numbers are inputs, so that only their types count.
    """
    key: list[Any] = []
    visited: set[int] = set()
    for value in (*args, *kwargs.values()):
        if not _add(value, type(value), key, leaves, visited, numbers):
            return None
    tensors = [leaf for leaf in leaves if type(leaf) is EagerTensor]
    if len(set(map(id, tensors))) != len(tensors):
        key.append(aliases(tensors))
    if kwargs:
        key.append(tuple(kwargs))
    return tuple(key)


def _add(value: Any, cls: type, key: list[Any], leaves: list[Any], visited: set[int], numbers: frozenset[int]) -> bool:
    """Add a value to a key; False where that has no place for it."""
    if cls is EagerTensor:
        key += value._array.shape, value._array.dtype, value.stop_gradient
    elif numbers and cls in NUMBERS and len(leaves) in numbers and fits(value):
        key += cls, INPUT
    elif cls in EXACT:
        key += cls, value
    elif cls is float:
        key += cls, (value or repr(value))  # -0.0 equals 0.0
    elif cls is np.ndarray and value.dtype.kind in _NUMERIC:
        value = F.to_tensor(value)
        key += value._array.shape, value._array.dtype, True
    elif cls in (tuple, list, dict) and id(value) not in visited:  # those that occur twice are one to the function
        if cls is not tuple:
            visited.add(id(value))
        key += cls, tuple(value) if cls is dict else len(value)
        return all(_add(item, type(item), key, leaves, visited, numbers) for item in (value.values() if cls is dict else value))
    elif isinstance(value, (tuple, dict)) or hasattr(cls, FIELDS):
        return _add_container(value, cls, key, leaves, visited, numbers)
    elif isinstance(value, np.inexact):
        key += cls, value.tobytes()
    elif isinstance(value, Layer):
        key += cls, id(value)
    elif isinstance(value, (np.generic, enum.Enum)) or (cls is types.FunctionType and not is_user_module(value.__module__)):
        key += cls, value
    else:
        return False
    leaves.append(value)
    return True


def _add_container(
    value: Any, cls: Any, key: list[Any], leaves: list[Any], visited: set[int], numbers: frozenset[int]
) -> bool:
    """The same for what `core.tree` takes apart beside lists, tuples and dicts: it is taken apart in the same order."""
    items: Iterable[Any]
    if isinstance(value, tuple) and hasattr(cls, "_fields"):
        names, items = len(value), value
    elif cls is collections.OrderedDict and id(value) not in visited:
        names, items = tuple(value), value.values()
    elif hasattr(cls, FIELDS) and not isinstance(value, (type, dict, tuple)) and id(value) not in visited:
        names = tuple(field.name for field in fields_of(value))
        items = [getattr(value, name) for name in names]
    else:
        return False
    if not isinstance(value, tuple):
        visited.add(id(value))
    key += cls, names
    return all(_add(item, type(item), key, leaves, visited, numbers) for item in items)


class _Slot:
    """Stands for a leaf while the way of a call's leaves to the function's parameters is looked for."""

    def __init__(self, number: int) -> None:
        self.number = number


NONE = CachedCall(None)


def of_program(
    program: ConcreteProgram,
    signature: Signature,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    reads: list[Callable[[], Any]],
    tree: Any,
    answers: Any,
    watches: Callable[[Layer], bool],
) -> CachedCall | None:
    """The runner of calls that have the quick key of this one; None where they have to go the long way.

    ``reads`` give the tensors and numbers from outside that are inputs; ``tree`` has the questions that choose between Programs,
    and ``answers`` those that lead to this one; ``watches``: whether guards watch a Layer.
    """
    leaves, recipe = trees.flatten((args, kwargs))
    layers = [leaf for leaf in leaves if isinstance(leaf, Layer)]
    if not all(map(watches, layers)):
        return None
    marked_args, marked_kwargs = trees.unflatten(recipe, [_Slot(i) for i in range(len(leaves))])
    bound = signature.bind(marked_args, marked_kwargs)
    defaults = [leaf for leaf in bound.leaves if type(leaf) is not _Slot]
    if not all(_is_watched(x, signature.function) for x in defaults) or len(bound.containers) != len(containers((args, kwargs))):
        return None  # a default value that may be another one in the next call
    if kwargs and any(write.argument_number is not None for write in program.traced.writes):
        return None  # into containers among the arguments, which are counted in the order of parameters
    count = iter(range(len(leaves), len(leaves) + len(defaults)))
    order = [leaf.number if type(leaf) is _Slot else next(count) for leaf in bound.leaves]
    order += range(len(order), len(order) + len(reads))
    every = [*leaves, *defaults, *[read() for read in reads]]
    call = Call(program, order, defaults, reads, answers, one_tensor([every[i] for i in order]))
    if any(i < len(leaves) and isinstance(leaves[i], np.generic) for i in call.feeds if i not in call.numbers):
        return None  # a number that is declared to be a tensor
    cached_call = CachedCall(program, call, layers)
    if program.traced.inputs:
        cached_call.choose_by(tree)
    return cached_call


def _is_watched(default: Any, function: Any) -> bool:
    """True if a default value is the same thing as long as the guards are: plain, or a Layer, whose attributes they watch."""
    return type(default) in _PLAIN or (isinstance(default, Layer) and is_user_module(getattr(function, "__module__", None)))
