"""What traced functions read from outside of themselves: globals, closed-over variables, and what these hold.

Python reads them anew at every call; a Program has the values built in. So a static function remembers the places that its
code may read (`inside.walk`), makes the values there part of the key of its Program, and looks at the places in every call. A trace
that changes one of them is not used again: the next call traces anew, as the dynamic function would change it again.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import itertools
import operator
import os
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from to_static.core.log import warn_once
from to_static.ir import mode
from to_static.ir.tensor import Tensor
from to_static.jit.contents import LIVING, held, of_users
from to_static.jit.entry import CODE, MISSING, Entry, entry_of, kept
from to_static.jit.inside import NOTHING, Reads, walk
from to_static.jit.keys import content, getter, key_of
from to_static.jit.large import Large
from to_static.jit.watch import guards, imports_of, names_asked, names_of, plain
from to_static.nn.layer import Layer

FEW = 3  # numbers of one variable or attribute that a Program was traced for each, before that is worth a warning
_MANY = 8  # different numbers of one tensor that get a Program each
_EMPTY = types.CellType()


class Outside:
    """The places that the traces of one static function may read: roots, in the order in which they were met, and all below."""

    def __init__(self) -> None:
        self.names: frozenset[str] = frozenset()  # that the functions mention
        self._imports: set[str] = set()  # modules of the user's that functions import, and the packages these are in
        self.large = Large()
        self.follows_grad = False  # whether gradients are recorded around the call is among the places
        self._whole: dict[int, Any] = {}  # objects by id of which library code reads all attributes
        self._roots: dict[Any, Entry] = {}
        self._entries: list[Entry] = []  # what the last look found
        self._checks: list[Callable[[], bool]] = []  # whether they are the same
        self._read: set[Any] = set()  # places of tensors that Programs read
        self._codes: dict[Any, Any] = {}  # that functions had when they were met
        self.guards = False  # a function has `try` or `with`, which may do something about errors
        self._known: dict[tuple[int, types.CodeType], Any] = {}
        self._numbers: dict[str, set[Any]] = {}  # those that traces found, by label
        self._left: dict[str, set[Any]] = {}  # numbers that traces found in global variables that every call sets
        self._instances: list[Any] = []
        self._reach: set[int] | None = None  # ids of all containers below the roots

    def meet(self, function: types.FunctionType, instance: Any = None) -> None:
        """Remember what a function (or method of ``instance``) is going to read, with the values of now."""
        names, globals_read = names_of(function.__code__)
        self.names |= names
        self.guards |= guards(function.__code__)
        if instance is not None:
            self.meet_object(instance)
        if not names.isdisjoint(("environ", "getenv")):
            self.meet_object(os.environ)
        if (id(function), function.__code__) in self._known:
            return
        self._known[id(function), function.__code__] = function
        self._root(kept((id(function),), function.__name__, function))
        space = function.__globals__
        for name, level in imports_of(function.__code__):
            with contextlib.suppress(ImportError):  # Python raises that one, if it comes to it
                full = importlib.util.resolve_name("." * level + name, space.get("__package__"))
                places = [full.rsplit(".", k)[0] for k in range(full.count(".") + 1)]
                self._imports.update(filter(of_users, places))
        for name in {*globals_read, *(names.intersection(space) if "globals" in globals_read else ())}:
            self._root(entry_of(space, name, f"global {name!r}"))
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if name != "__class__":
                read, write = functools.partial(_contents, cell), functools.partial(setattr, cell, "cell_contents")
                self._root(Entry((id(cell),), f"variable {name!r}", read, write))

    def meet_object(self, value: Any) -> None:
        """The same for what a method is of, or for a partial, which keeps arguments from call to call."""
        if not any(value is x for x in self._instances):
            self._instances.append(value)
            self._root(kept((id(value),), f"a {type(value).__name__}", value))

    def ask(self, name: str) -> None:
        """Told when a function looks for an attribute by a name that no text of it mentions."""
        self.names |= {name}

    def read_whole(self, value: Any) -> None:
        """Told when library code is about to read all attributes of an object, and of what it holds."""
        todo, seen = [value], set()
        while todo:
            value = todo.pop()
            found = None if id(value) in seen or isinstance(value, (type, types.FunctionType)) else held(value)
            if found is not None:
                seen.add(id(value))
                self._whole[id(value)] = value
                todo += found[1]

    def _reads(self) -> Reads:
        return Reads(self.names, frozenset(self._whole))

    def in_reach(self, objects: Iterable[Any]) -> set[int]:
        """Ids of the containers that the functions may read, of what they have met (at the last look) and of these objects."""
        if self._reach is None:
            first = next(iter(self._known.values()), None)  # the static function, whose defaults are arguments
            but = [] if first is None else [id(first.__defaults__), id(first.__kwdefaults__)]
            self._reach = _containers(walk(self._roots.values(), self._reads(), but))
        below = walk([kept((id(x),), "", x) for x in objects if plain(x) is NOTHING], self._reads())
        return self._reach | _containers(below)

    def below(self, root: Entry) -> Iterator[Entry]:
        """What the functions may read below this entry, and itself where it can change without being another object."""
        found = (entry for entry in walk([root], self._reads()) if not entry.absent)
        return found if isinstance(root.value, LIVING) else itertools.islice(found, 1, None)

    def _root(self, root: Entry) -> None:
        if root.place not in self._roots:
            self._reach = None
            self._roots[root.place] = root
            found = list(walk([root], self._reads()))
            self._take(found)

    def _take(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            entry.key = self._key_of(entry, entry.value)
            self._entries.append(entry)
            if isinstance(entry.value, (operator.attrgetter, operator.methodcaller)):
                self.names |= names_asked(entry.value)

    def _key_of(self, entry: Entry, value: Any) -> Any:
        """The key of a value in this place."""
        if isinstance(value, Tensor) and entry.place not in self._read:
            return (value.spec, value.stop_gradient)  # type: ignore[attr-defined]
        return key_of(value, self.large)

    def same(self) -> bool:
        """Whether every place still holds what the last look found there (quick: called by every call)."""
        for check in self._checks:  # noqa: SIM110  (a generator would take longer)
            if not check():
                return False
        return True

    def look(self, captured: frozenset[int] = frozenset()) -> None:
        """Take the values of now. ``captured``: ids of tensors that a Program reads.

        Another tensor in their places needs another Program; others count only by their specs.
        """
        for name in self._imports & sys.modules.keys():  # imported by now
            self.meet_object(sys.modules[name])
        for root in self._roots.values():
            root.value = root.read()
        self._reach = None
        self._entries = []
        found = list(walk(self._roots.values(), self._reads()))
        self._read.update(entry.place for entry in found if id(entry.value) in captured)
        self._take(found)
        self._checks = self._quick()

    def _quick(self) -> list[Callable[[], bool]]:
        """Whether the entries are what they are, a function for each namespace and object."""
        spaces: dict[int, list[Entry]] = {}
        missing: dict[int, list[Entry]] = {}
        checks: list[Callable[[], bool]] = []
        codes: list[Entry] = []
        empty: list[Any] = []  # namespaces, those of most functions
        for entry in self._entries:
            if entry.absent:
                empty += [] if entry.space else [entry.space]
                checks += [entry.read] if entry.space else []
            elif entry.space is not None:
                (missing if entry.value is MISSING else spaces).setdefault(entry.place[0], []).append(entry)
            elif entry.name == CODE:
                codes.append(entry)
            elif not entry.fixed:
                checks.append(functools.partial(self._still, entry))
            if isinstance(entry.value, LIVING):
                checks.append(content(entry.value, self.large))
        for entries in spaces.values():
            checks.append(functools.partial(self._all, entries[0].space, *getter(entries), entries))
        checks.append(lambda: not any(empty))
        checks.append(functools.partial(_are_still, [entry.read for entry in codes], [entry.value for entry in codes]))
        for entries in missing.values():
            checks.append(functools.partial(entries[0].space.keys().isdisjoint, frozenset(entry.name for entry in entries)))
        return checks

    def _still(self, entry: Entry) -> bool:
        now = entry.read()
        return now is entry.value or self._key_of(entry, now) == entry.key

    def _all(self, space: Any, getter: Any, wanted: tuple[Any, ...], entries: list[Entry]) -> bool:
        try:
            if all(map(operator.is_, getter(space), wanted)):
                return True
        except KeyError:
            return False
        return all(map(self._still, entries))

    def layers(self) -> dict[int, Layer]:
        """The Layers among the values, with all below them, by id."""
        found = [entry.value for entry in self._entries if isinstance(entry.value, Layer)]
        return {id(layer): layer for top in found for layer in top.sublayers(include_self=True)}

    def key(self) -> tuple[Any, ...]:
        """The values found, for the key of a Program."""
        found = (e for e in self._entries if not e.absent and (not e.fixed or isinstance(e.value, LIVING)))
        return tuple((e.place, e.key) for e in found if e.name != CODE or e.value is not self._codes.setdefault(e.place, e.value))

    def labels(self) -> dict[Any, str]:
        """What the user would call the values found, by place."""
        return {entry.place: entry.label for entry in self._entries}

    def values(self) -> list[Any]:
        """The values found. A Program whose key has their ids keeps them alive."""
        return [entry.value for entry in self._entries]

    def reads(self, tensor: Any) -> None:
        """Told before a trace takes the numbers of a tensor from outside (with ``.numpy()``, say): they are built in then."""
        label = f"the numbers of {tensor.name!r}"
        root = Entry(("numbers", id(tensor)), label, lambda: tensor._array, tensor.set_value)
        self._root(root)
        self._numbers.setdefault(label, set()).add(key_of(root.value, self.large))

    def reads_stop(self, tensor: Any) -> None:
        """Told before a trace takes whether a gradient flows through a tensor from outside: that is built in then."""
        read = functools.partial(getattr, tensor, "stop_gradient")
        self._root(Entry(("stop", id(tensor)), f"`stop_gradient` of {tensor.name!r}", read))

    def asks_grad(self) -> None:
        """Told when a trace takes whether gradients are recorded around the call: that is built in then."""
        self.follows_grad = True
        self._root(Entry(("grad mode",), "whether gradients are recorded", _caller_records))

    def restless(self, name: str) -> bool:
        """Whether numbers that the traces of function ``name`` read are others nearly every time; says so once."""
        found = [label for label, keys in self._numbers.items() if len(keys) > _MANY]
        for label in found:
            warn_once(
                f"numbers:{label}",
                f"{name} reads {label} (with .numpy() or tolist(), say), and a Program has them built in. They change from call to "
                "call, so every call traces a new one, which is slow: compute with the tensor itself",
            )
        return bool(found)

    def read_of(self, value: Any) -> tuple[Any, ...]:
        """What the functions that were met may read of an argument, an object, and of what that holds."""
        if plain(value) is not NOTHING or isinstance(value, Tensor):
            return ()
        found = self.below(kept((id(value),), "", value))
        return tuple((entry.label, Kept(entry.value, self.large)) for entry in found)


class Kept:
    """A value as part of a key: plain ones by value, others by identity and what they hold; it is kept alive."""

    __slots__ = ("key", "value")

    def __init__(self, value: Any, large: Large) -> None:
        self.value = value
        self.key = key_of(value, large)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


def _containers(entries: Iterable[Entry]) -> set[int]:
    return {id(x) for entry in entries if isinstance(x := entry.value, (list, dict)) or hasattr(type(x), "__dataclass_fields__")}


_AGAIN = (
    "{} {} while it is traced. So that this happens in every call, every call traces a new Program, which is slow: pass the value "
    "as an argument, or draw with paddle.rand() and the like"
)
_CHANGED = (
    "{} changes {} while it is traced. So that this happens in every call, every call traces a new Program, which is slow: pass "
    "the value as an argument and return the new one, or keep it in a tensor or buffer"
)


def warn_changed(name: str, label: str) -> None:
    """Say, once, that a function changes a global variable that is built into its Programs."""
    warn_once(f"outside:{label}", _CHANGED.format(name, label))


def _caller_records() -> bool:
    current = mode.current()
    return current.caller_records if current.building else mode.grad_enabled()


def _contents(cell: types.CellType) -> Any:
    return MISSING if cell == _EMPTY else cell.cell_contents


def _are_still(reads: list[Callable[[], Any]], values: list[Any]) -> bool:
    return all(map(operator.is_, [read() for read in reads], values))
