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
from to_static.compiler.frontend.function.program.call import Call, tensor_aliases
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

_MOST = 1000  # the most cached calls of one state
_MOST_ENTRIES = 16  # the most entries of one cached call
_PLAIN = EXACT | {float}
_NUMERIC = "biufc"


class CachedCall:
    """Runs all calls with one quick key.

    Attributes:
        outcome: the `ConcreteProgram` that runs such calls, or the `RecordedBreak` by which they run in Python.
        call: maps the leaves of a call to the inputs of the Program; None for a graph break.
        prints_or_draws: see `ProgramFacts`.
        entry: the generated function that runs calls like the last one, `no_entry` until there is one. It is written after
            the first cached call, since only then the plans exist.
        choose: a function of the leaves if numbers are inputs, else None. It returns the cached call of the Program whose tests
            on the numbers have the outcomes that they have in this call (None if there is none), and all leaves.
        choices: the cached calls among which it chooses, by these outcomes (`Call.answers`).
        layers: the Layers among the arguments, kept alive because the key contains their ids.
    """

    __slots__ = ("_entries", "_runners", "call", "choices", "choose", "entry", "layers", "outcome", "prints_or_draws")

    def __init__(self, outcome: Any, call: Call | None = None, layers: Sequence[Layer] = ()) -> None:
        self.layers = layers
        self.outcome = outcome
        self.call = call
        self.prints_or_draws = call is not None and outcome.facts.prints_or_draws
        self.entry: Callable[..., Any] = no_entry
        self._runners: Any = None
        self._entries: dict[Any, Callable[..., Any]] = {}  # runners -> the entry that calls them
        self.choose: Any = None
        self.choices: dict[Any, CachedCall] = {}

    @property
    def number_positions(self) -> frozenset[int]:
        """The positions, among the leaves that the call passes, of number inputs."""
        call = self.call
        if call is None:
            return frozenset()
        count = len(call.order) - len(call.defaults) - len(call.reads)
        return frozenset(i for i in call.number_types if i < count)

    def run(self, leaves: Sequence[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the result of a call: by the entry if it accepts the call, else by `Call.run` or in Python.

        Afterwards the entry is replaced if this call had other plans. ``leaves``: from `key_of`, or from `choose`.
        """
        result = self.entry(args, kwargs)
        if result is not OTHER:
            return result
        call = self.call
        if call is None:
            return self.outcome.run(args, kwargs)
        result = call.run(leaves if self.choose is not None else call.complete(leaves), args, kwargs)
        runners = self.outcome.runner, self.outcome.training
        if runners != self._runners:
            self._change_entry(runners, args, kwargs)
        return result

    def _change_entry(self, runners: tuple[Any, Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Replace the entry by one for these runners (``ConcreteProgram.runner`` and ``training``).

        They are others than those of the last entry if, for example, other tensors now require gradients.
        """
        new_entry = self._entries.get(runners)
        if new_entry is None:
            if len(self._entries) >= _MOST_ENTRIES:
                self._entries.clear()
            assert self.call is not None
            new_entry = self._entries[runners] = entry(self.call, args, kwargs)
        self.entry, self._runners = new_entry, runners

    def entries(self) -> list[Callable[..., Any]]:
        """All entries that were generated, for `Programs.reseat`."""
        return [function for function in self._entries.values() if function is not no_entry]

    def choose_by_numbers(self, tree: Any) -> None:
        """Set ``choose`` to a walk of ``tree``, the `NumberChoice` of the Programs of one key."""
        call: Any = self.call

        def choose(leaves: list[Any]) -> tuple[CachedCall | None, Sequence[Any]]:
            all_leaves = call.complete(leaves)
            return self.choices.get(tree.find(call.ordered(all_leaves)) if tree is not None else ()), all_leaves

        self.choose = choose


class CallCache:
    """The cached calls of one static function in one state of its Layers and settings.

    Attributes:
        quick: cached calls by quick keys.
        last: the cached call of the last call, whose entry is tried first.
        number_positions: positions of leaves that are number inputs, for `key_of`.
        dynamic: Programs with dynamic sizes, by the complete keys of calls with particular sizes.
        state_key: the flags and the environment for which these are valid.
    """

    def __init__(self, state_key: Any = None) -> None:
        self.state_key = state_key
        self.last = NO_CALL
        self.number_positions: frozenset[int] = frozenset()
        self.quick: dict[Any, CachedCall] = {}
        self.dynamic: dict[Any, ConcreteProgram] = {}

    def clear(self) -> None:
        """Forget all cached calls."""
        self.last = NO_CALL
        self.quick.clear()
        self.dynamic.clear()

    def add(self, key: Any, new_call: CachedCall) -> None:
        """Add a cached call under a quick key; with number inputs, add it to the choices of the calls with this key."""
        if new_call.call is not None and new_call.choose is not None:
            old_call = self.quick.get(key)
            choices = old_call.choices if old_call is not None and old_call.choose is not None else new_call.choices
            choices[new_call.call.answers] = new_call
            new_call.choices = choices
        if len(self.quick) >= _MOST:
            self.quick.clear()
        self.quick[key] = new_call


def key_of(args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any], number_positions: frozenset[int] = frozenset()) -> Any:
    """Return the quick key of a call; None if it has none, so that it takes `StaticFunction._slow_call`.

    ``leaves``: an empty list that is filled with the leaves, arrays as tensors. ``number_positions``: the positions of number
    inputs, of which the key contains only the types.
    """
    key: list[Any] = []
    visited: set[int] = set()
    for value in (*args, *kwargs.values()):
        if not _add(value, type(value), key, leaves, visited, number_positions):
            return None
    tensors = [leaf for leaf in leaves if type(leaf) is EagerTensor]
    if len(set(map(id, tensors))) != len(tensors):
        key.append(aliases(tensors))
    if kwargs:
        key.append(tuple(kwargs))
    return tuple(key)


def _add(value: Any, cls: type, key: list[Any], leaves: list[Any], visited: set[int], number_positions: frozenset[int]) -> bool:
    """Add a value to a key, and its leaves to ``leaves``; False if a quick key cannot contain it."""
    if cls is EagerTensor:
        key += value._array.shape, value._array.dtype, value.stop_gradient
    elif number_positions and cls in NUMBERS and len(leaves) in number_positions and fits(value):
        key += cls, INPUT
    elif cls in EXACT:
        key += cls, value
    elif cls is float:
        key += cls, (value or repr(value))  # -0.0 equals 0.0
    elif cls is np.ndarray and value.dtype.kind in _NUMERIC:
        value = F.to_tensor(value)
        key += value._array.shape, value._array.dtype, True
    elif cls in (tuple, list, dict) and id(value) not in visited:  # (a container that occurs twice has no quick key)
        if cls is not tuple:
            visited.add(id(value))
        key += cls, tuple(value) if cls is dict else len(value)
        items = value.values() if cls is dict else value
        return all(_add(item, type(item), key, leaves, visited, number_positions) for item in items)
    elif isinstance(value, (tuple, dict)) or hasattr(cls, FIELDS):
        return _add_container(value, cls, key, leaves, visited, number_positions)
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
    value: Any, cls: Any, key: list[Any], leaves: list[Any], visited: set[int], number_positions: frozenset[int]
) -> bool:
    """Do the same as `_add` for named tuples, ordered dicts and dataclasses; their items are added in the order of `core.tree`."""
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
    return all(_add(item, type(item), key, leaves, visited, number_positions) for item in items)


class _Slot:
    """Stands for leaf ``leaf_index`` while the signature is bound, to find the parameter that each leaf goes to."""

    def __init__(self, leaf_index: int) -> None:
        self.leaf_index = leaf_index


NO_CALL = CachedCall(None)


def cached_call_for(
    program: ConcreteProgram,
    signature: Signature,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    reads: list[Callable[[], Any]],
    tree: Any,
    answers: Any,
    watches: Callable[[Layer], bool],
) -> CachedCall | None:
    """Return a cached call for calls with the quick key of this one; None if they have to take the slow path.

    ``reads``: functions that return the tensors and numbers from outside that are inputs; ``tree``: the tests that choose among
    Programs; ``answers``: their outcomes for this Program; ``watches``: tells whether guards watch a Layer.
    """
    leaves, recipe = trees.flatten((args, kwargs))
    layers = [leaf for leaf in leaves if isinstance(leaf, Layer)]
    if not all(map(watches, layers)):
        return None
    marked_args, marked_kwargs = trees.unflatten(recipe, [_Slot(i) for i in range(len(leaves))])
    bound = signature.bind(marked_args, marked_kwargs)
    defaults = [leaf for leaf in bound.leaves if type(leaf) is not _Slot]
    if not all(_is_watched(x, signature.function) for x in defaults) or len(bound.containers) != len(containers((args, kwargs))):
        return None  # a default value that may be another object in the next call
    if kwargs and any(write.argument_index is not None for write in program.traced.writes):
        return None  # the writes number containers among the arguments in the order of parameters
    count = iter(range(len(leaves), len(leaves) + len(defaults)))
    order = [leaf.leaf_index if type(leaf) is _Slot else next(count) for leaf in bound.leaves]
    order += range(len(order), len(order) + len(reads))
    all_leaves = [*leaves, *defaults, *[read() for read in reads]]
    call = Call(program, order, defaults, reads, answers, tensor_aliases([all_leaves[i] for i in order]))
    if any(i < len(leaves) and isinstance(leaves[i], np.generic) for i in call.feeds if i not in call.number_types):
        return None  # a NumPy number that the input_spec declares to be a tensor
    cached_call = CachedCall(program, call, layers)
    if program.traced.inputs:
        cached_call.choose_by_numbers(tree)
    return cached_call


def _is_watched(default: Any, function: Any) -> bool:
    """True if a default value cannot change while the guards hold: a plain value, or a Layer, whose attributes they watch."""
    return type(default) in _PLAIN or (isinstance(default, Layer) and is_user_module(getattr(function, "__module__", None)))
