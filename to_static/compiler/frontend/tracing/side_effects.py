"""The undo log of a trace: its writes to attributes, items, globals and closure variables that existed before.

Translated code announces each write. An `EffectScope` stores the value of each target from the time when the scope began. At
its end all writes are undone, and it returns the new values. Scopes nest: the trace is one, and so is each branch and loop
body. So a branch has no lasting effect, the writes of two branches can be compared, and an abandoned trace changes nothing.
"""

from __future__ import annotations

import array
import collections
import copy
import dataclasses
import enum
import types
import weakref
from collections.abc import Collection, Iterable
from itertools import starmap
from typing import Any

import numpy as np

from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.object_graph import ENDS, referents
from to_static.compiler.frontend.tracing.untranslated_code import UntranslatedReads
from to_static.compiler.frontend.tracing.user_setters import names_used
from to_static.compiler.ir.symbolic.variable import Variable as Handle
from to_static.compiler.ir.symbolic.views import TracedViews, memory_of
from to_static.compiler.ir.tensor import Tensor
from to_static.core.atomic import Steps, putting, setting
from to_static.core.caching.version_counter import epoch
from to_static.core.diagnostics.source_expressions import in_assignment, in_expression
from to_static.nn.layer import Layer
from to_static.nn.layer_tree import is_watched, slot_of, store_slot

MISSING: Any = object()  # in a place that holds nothing
# what user code changes item by item (models: ../MODELS.md)
CONTAINERS = (list, dict, set, collections.deque, bytearray)
BUFFERS = (np.ndarray, array.array)  # of numbers
_ATTRIBUTES = 200  # of an object, at most


class WriteTarget:
    """Somewhere a value can be written to. Two places are one when their ``key`` is."""

    __slots__ = ("key", "label", "owner")

    def __init__(self, key: tuple[Any, ...], owner: Any, label: str) -> None:
        self.key = key
        self.owner = owner  # kept alive, so that the ids in the key stay its own
        self.label = label

    def read(self) -> Any:
        raise NotImplementedError

    def write(self, state: object) -> None:
        raise NotImplementedError

    def steps(self, state: object) -> list[Steps]:
        """The steps that write a state at once, see `core.atomic`. (Python's own code writes some places.)"""
        return [map(self.write, (state,))]

    def same(self, a: object, b: object) -> bool:
        """True if two states of it are one."""
        return a is b


class ItemsTarget(WriteTarget):
    """All that a container holds: a list of its items, or of its pairs."""

    __slots__ = ()

    def __init__(self, owner: Any) -> None:
        super().__init__(("items", id(owner)), owner, f"a {type(owner).__name__}")

    def read(self) -> Any:
        if isinstance(self.owner, BUFFERS):
            return copy.copy(self.owner)
        return list(self.owner.items()) if isinstance(self.owner, dict) else list(self.owner)

    def write(self, state: Any) -> None:
        owner = self.owner
        if isinstance(owner, list):
            list.__setitem__(owner, slice(None), state)
        elif isinstance(owner, dict):
            cls: Any = collections.OrderedDict if isinstance(owner, collections.OrderedDict) else dict
            cls.clear(owner)
            for key, value in state:
                cls.__setitem__(owner, key, value)
            epoch[0] += "_sub_layers" in owner  # what a Layer holds, past its `__setattr__`
        elif isinstance(owner, np.ndarray):
            owner[...] = state
        elif isinstance(owner, (bytearray, array.array)):
            owner[:] = state
        else:
            owner.clear()
            (owner.update if isinstance(owner, set) else owner.extend)(state)

    def steps(self, state: object) -> list[Steps]:
        owner: Any = self.owner
        if isinstance(owner, list):
            return [starmap(list.__setitem__, [(owner, slice(None), state)])]
        if isinstance(owner, np.ndarray):
            return [putting((owner, ..., state))]
        if isinstance(owner, (dict, set)) and "_sub_layers" not in owner:
            cls: Any = next(cls for cls in (collections.OrderedDict, dict, set) if isinstance(owner, cls))
            return [map(cls.clear, (owner,)), starmap(cls.update, [(owner, state)])]
        return super().steps(state)

    def same(self, a: Any, b: Any) -> bool:
        if isinstance(self.owner, BUFFERS):
            return bool(np.array_equal(a, b))
        if len(a) != len(b):
            return False
        if isinstance(self.owner, dict):
            return all(x is y and v is w for (x, v), (y, w) in zip(a, b, strict=True))
        return all(x is y for x, y in zip(a, b, strict=True))


class AttributeTarget(WriteTarget):
    """An attribute of an object; of a Layer also a parameter, buffer or sublayer."""

    __slots__ = ("name",)

    def __init__(self, owner: Any, name: str) -> None:
        super().__init__(("attribute", id(owner), name), owner, f"attribute {name!r} of a {type(owner).__name__}")
        self.name = name

    def read(self) -> Any:
        owner = self.owner
        if isinstance(owner, Layer):
            table, value = slot_of(owner, self.name)
            return MISSING if table == "nowhere" else value
        attributes = getattr(owner, "__dict__", None)
        if attributes is not None and self.name in attributes:
            return attributes[self.name]
        try:  # a slot
            return MISSING if attributes is not None and not _is_slot(owner, self.name) else getattr(owner, self.name)
        except AttributeError:
            return MISSING

    def write(self, state: object) -> None:
        owner, name = self.owner, self.name
        if isinstance(owner, Layer):
            table = slot_of(owner, name)[0]
            epoch[0] += table != "" or isinstance(state, (Tensor, Layer)) or state is MISSING or is_watched(owner, name)
            if state is MISSING:
                store_slot(owner, name, ("nowhere", None))
            elif table == "nowhere" or (table and not isinstance(state, Tensor | Layer | types.NoneType)):
                store_slot(owner, name, ("", state))
            else:
                store_slot(owner, name, (table, state))
        elif state is MISSING and isinstance(owner, (type, types.ModuleType)):
            if name in vars(owner):
                delattr(owner, name)
        elif state is MISSING:
            attributes = getattr(owner, "__dict__", None)
            if attributes is not None:
                attributes.pop(name, None)
            elif hasattr(owner, name):
                object.__delattr__(owner, name)
        elif isinstance(owner, (type, types.ModuleType)):
            setattr(owner, name, state)
        else:
            object.__setattr__(owner, name, state)

    def steps(self, state: object) -> list[Steps]:
        owner, name = self.owner, self.name
        if state is MISSING or isinstance(owner, (type, types.ModuleType)):
            return super().steps(state)
        if not isinstance(owner, Layer):
            return [starmap(object.__setattr__, [(owner, name, state)])]
        table = slot_of(owner, name)[0]
        if table not in ("", "nowhere"):
            return super().steps(state)
        epoch[0] += table == "nowhere" or isinstance(state, (Tensor, Layer)) or is_watched(owner, name)
        return [starmap(dict.__setitem__, [(owner.__dict__, name, state)])]


class VariableTarget(WriteTarget):
    """A variable of a function around, kept in a cell."""

    __slots__ = ()

    def __init__(self, cell: types.CellType, name: str) -> None:
        super().__init__(("cell", id(cell)), cell, f"the variable {name!r} of a function around")

    def read(self) -> Any:
        try:
            return self.owner.cell_contents
        except ValueError:
            return MISSING

    def write(self, state: Any) -> None:
        if state is MISSING:
            del self.owner.cell_contents
        else:
            self.owner.cell_contents = state

    def steps(self, state: object) -> list[Steps]:
        return super().steps(state) if state is MISSING else [setting((self.owner, "cell_contents", state))]


class GlobalTarget(WriteTarget):
    """A global variable."""

    __slots__ = ("name",)

    def __init__(self, space: dict[str, Any], name: str) -> None:
        super().__init__(("global", id(space), name), space, f"the global variable {name!r}")
        self.name = name

    def read(self) -> Any:
        return self.owner.get(self.name, MISSING)

    def write(self, state: Any) -> None:
        if state is MISSING:
            self.owner.pop(self.name, None)
        else:
            self.owner[self.name] = state

    def steps(self, state: object) -> list[Steps]:
        return super().steps(state) if state is MISSING else [starmap(dict.__setitem__, [(self.owner, self.name, state)])]


def _is_slot(owner: object, name: str) -> bool:
    return isinstance(getattr(type(owner), name, None), types.MemberDescriptorType)


def _holds_tensors(target: WriteTarget, state: Any) -> bool:
    """True if it matters that a place was written which holds what it held: the caller may put other tensors there."""
    if isinstance(target, ItemsTarget):
        parts = [value for _, value in state] if isinstance(target.owner, dict) else state
        return not isinstance(target.owner, BUFFERS) and any(isinstance(value, Tensor) for value in parts)
    fixed = (
        isinstance(target, AttributeTarget) and isinstance(target.owner, Layer) and target.name in target.owner._parameters
    )  # in the key
    return isinstance(state, Tensor) and not fixed


class EffectScope:
    """The values of places at the start of a part of a trace. ``lists``: those that were lists of the Program by then."""

    __slots__ = ("before", "lists", "passed_in", "written")

    def __init__(self, lists: dict[int, Any]) -> None:
        self.before: dict[Any, tuple[WriteTarget, Any]] = {}
        self.passed_in: set[int] = set()  # ids of what was passed in
        self.written: set[Any] = set()  # the keys of places, whatever they hold now
        self.lists = dict(lists)

    def is_passed_in(self, owner: object) -> bool:
        """True if an object was passed in, or is a Layer or module, which are not made in branches."""
        return id(owner) in self.passed_in or isinstance(owner, (Layer, type, types.ModuleType))


class SideEffects:
    """The record. ``regions`` are those that are open, the innermost last; ``lists``: id of a list of Python's -> the list and the
    list of the Program that stands for it since (see `jst.objects.tensor_list`).
    """

    def __init__(self) -> None:
        self.regions: list[EffectScope] = [EffectScope({})]
        self.lists: dict[int, tuple[list[Any], Any]] = {}
        self.native = UntranslatedReads(self)  # code that reads without being seen
        self.spoilt = False  # a list was written past the list of the Program that stands for it
        # objects and tensors of which nobody knows which one it is: written to no more
        self.ambiguous: dict[int, Any] = {}
        self.ambiguous_while: dict[
            int, tuple[Any, list[weakref.ref[TracedViews]]]
        ] = {}  # written to no more while one of these memories lives
        self.merged_names: set[str] = set()  # attributes that branches and loops write: what was there before may stay
        self.setters: list[tuple[Any, str, set[str]]] = []  # objects whose own setters ran, for which name, what was announced
        self.count = 0  # of the writes that were announced
        self.iterating: dict[int, tuple[Any, list[Any]]] = {}  # iterators that are at hand, and what Python takes their items of

    # announcements -----------------------------------------------------------------------------------------------------

    def record_write(self, target: WriteTarget) -> None:
        """``target`` is about to be written."""
        self.count += 1
        self.regions[-1].written.add(target.key)
        self.check_owner(target)
        value_before = target.read()
        self.native.check_before(value_before)
        self.regions[-1].before.setdefault(target.key, (target, value_before))

    def check_owner(self, target: WriteTarget) -> None:
        """Break the graph if a tensor chose the object that is written."""
        if self.is_ambiguous(target.owner):
            raise broken(
                f"{target.label} is written{in_assignment()} through a name that refers to one of several objects, "
                "which a tensor selects",
                "write in the branches of the condition, or to a new one: `p = dataclasses.replace(p, x=1)`, `items = items + [x]`",
            )

    def mark_ambiguous(self, *values: object) -> None:
        """From now on a name may mean any of these objects or tensors: none of them may be written through it."""
        self.ambiguous.update((id(value), value) for value in values)

    def mark_ambiguous_while(self, merged: object, *values: object) -> None:
        """Mark the objects that ``merged`` may be; a tensor stays marked as long as it or a view of it is alive."""
        if type(merged) is not Handle:
            self.mark_ambiguous(*values, *([] if merged is None else [merged]))
            return
        memory = memory_of(merged)
        memory.data_dependent_handle = weakref.ref(merged)
        for value in values:
            self.ambiguous_while.setdefault(id(value), (value, []))[1].append(weakref.ref(memory))

    def is_ambiguous(self, value: object) -> bool:
        """True if a name may mean this object or another one."""
        while id(value) in self.ambiguous_while:
            expired = [key for key, (_, by) in self.ambiguous_while.items() if not any(ref() for ref in by)]
            if not expired:
                break
            for key in expired:  # an object that is gone may have kept others so
                del self.ambiguous_while[key]
        views = value.views if type(value) is Handle else None
        chosen = views is not None and views[0].data_dependent_handle is not None and views[0].data_dependent_handle() is value
        return chosen or id(value) in self.ambiguous or id(value) in self.ambiguous_while

    def check_one(self, tensor: object, new: object = None) -> None:
        """Break where a tensor changes in place that is one of several, or an item of a list of the Program as well.

        Where ``new``, which it is to hold, shares its memory, that does not change.
        """
        self.count += 1
        memory, new_memory = ((getattr(x, "views", None) or [None])[0] for x in (tensor, new))
        changes = memory is not None and memory is not new_memory
        sees = (memory, *memory.handles) if changes else ()
        if any(map(self.is_ambiguous, (tensor, *sees))) or (changes and memory.data_dependent_handle is not None):
            raise broken(
                f"a tensor changes in place{in_assignment()} that another tensor chose among several, or an item of a "
                f"list whose contents depend on tensors",
                "a new tensor: `x = x + 1` in place of `x.add_(1)`, `x = paddle.where(mask, value, x)` in place of `x[i] = value`; "
                "or choose from copies: `min(x[i].clone(), x[j].clone())`",
            )

    def record_items_write(self, container: object) -> None:
        """The items of a list, dict, set, deque or bytearray are about to change."""
        self.record_write(ItemsTarget(container))

    def record_attribute_write(self, owner: object, name: str) -> Collection[str]:
        """Record that an attribute is about to be set or deleted. Returns the attribute names that the class's own setter uses.

        Raises a graph break if the trace cannot see what setting it does.
        """
        cls: Any = type(owner)
        setter = cls.__setattr__
        is_layer_setter = (
            isinstance(owner, Layer) and getattr(setter, "__wrapped__", setter) is Layer.__setattr__
        )  # PaddleNLP wraps it
        is_plain_setter = setter is object.__setattr__ or cls is types.SimpleNamespace
        is_plain_setter = is_plain_setter or isinstance(owner, (type, types.ModuleType)) or dataclasses.is_dataclass(owner)
        names = () if is_layer_setter or is_plain_setter else names_used(cls, name)
        if names is None:
            raise broken(
                f"attribute {name!r} of a {cls.__name__} is set, whose class has a __setattr__ of its own",
                "keep the value in a variable and return it",
            )
        if not isinstance(owner, type) and isinstance(getattr(cls, name, None), property):
            raise broken(
                f"attribute {name!r} of a {cls.__name__} is set, which is a property: the trace cannot see what its setter does",
                "set the attribute behind it, or call a method: `obj.set_value(v)`",
            )
        if isinstance(owner, enum.Enum):
            raise broken(f"attribute {name!r} of an enum is set", "keep the value in a variable")
        self.record_write(AttributeTarget(owner, name))
        if names:
            self._record_all_writes(owner, name, names)
        return names

    def _record_all_writes(self, owner: Any, name: str, names: Collection[str]) -> None:
        """All attributes of an object may be set where a setter of its own sets one, and others of these names."""
        of_layer = ("_parameters", "_buffers", "_sub_layers") if isinstance(owner, Layer) else ()  # attributes, too
        held_by = {key: value for key, value in vars(owner).items() if key not in of_layer}
        for attribute in {*held_by, *names}:
            self.record_write(AttributeTarget(owner, attribute))
        self.record_reachable(held_by.values())
        self.setters.append((owner, name, {*vars(owner), *names}))
        self.native.mention(names)

    def check_setters(self) -> None:
        """Break where a setter of its own gave an object an attribute that its code does not name, or a Layer a hidden tensor."""
        announced = {key for region in self.regions for key in region.before} if self.setters else set()
        setters, self.setters = self.setters, []
        by_name = {(id(owner), name) for owner, name, _ in setters}
        for owner, _, names in setters:
            if unseen := [key for key in vars(owner) if key not in names and ("attribute", id(owner), key) not in announced]:
                for key in unseen:
                    del vars(owner)[key]
                raise broken(
                    f"attribute {unseen[0]!r} of a {type(owner).__name__} is set by its own __setattr__, which computes the name",
                    "keep the value in a variable and return it",
                )
            hidden = [key for key, value in vars(owner).items() if isinstance(owner, Layer) and isinstance(value, Handle)]
            if past := [key for key in hidden if (id(owner), key) not in by_name]:
                raise broken(
                    f"a __setattr__ of {type(owner).__name__} puts a tensor into attribute {past[0]!r} past `Layer.__setattr__`",
                    "`super().__setattr__(name, value)`, which registers it as a buffer",
                )

    def record_reachable(self, values: Iterable[Any], visited: set[int] | None = None) -> None:
        """The containers among these values, and those in them, may change."""
        visited = set() if visited is None else visited
        for value in values:
            cls = type(value)
            if isinstance(value, BUFFERS):
                self.regions[-1].before.setdefault(("items", id(value)), (ItemsTarget(value), ItemsTarget(value).read()))
            elif cls in (list, dict, collections.deque, collections.OrderedDict, collections.defaultdict, set, tuple):
                if id(value) in visited:
                    continue
                visited.add(id(value))
                self.regions[-1].passed_in.add(id(value))
                if cls is not tuple:
                    self.regions[-1].before.setdefault(("items", id(value)), (ItemsTarget(value), ItemsTarget(value).read()))
                if cls is not set:
                    self.record_reachable(value.values() if isinstance(value, dict) else value, visited)

    # regions -----------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Open a region."""
        self.regions.append(EffectScope(self.lists))

    def end(self, roots: Iterable[Any] = ()) -> dict[Any, tuple[WriteTarget, Any]]:
        """Close the innermost region: undo its writes, and return each target that changed with the value it had at the end.

        ``roots``: all objects that were visible when the region began. An object that they don't reach was created inside the
        region, so writes to it are not undone.
        """
        self.native.check_all()
        self.check_setters()
        region = self.regions.pop()
        self.merged_names.update(target.name for target, _ in region.before.values() if isinstance(target, AttributeTarget))
        inner_keys = [
            key
            for key, (target, _) in region.before.items()
            if key[0] in ("items", "attribute") and not region.is_passed_in(target.owner)
        ]
        if inner_keys:
            reachable_ids, count = reachable(roots), 0
            while unreachable_keys := [key for key in inner_keys if id(region.before[key][0].owner) not in reachable_ids]:
                values = [
                    value_before
                    for target, value_before in region.before.values()
                    if region.is_passed_in(target.owner) or id(target.owner) in reachable_ids
                ]
                if len(values) == count:
                    break
                reachable_ids, count = reachable([*roots, *values]), len(values)  # what places held that were there was there, too
            for key in unreachable_keys:
                del region.before[key]
        return self._undo_writes(region)

    def finish(self) -> dict[Any, tuple[WriteTarget, Any]]:
        """The same for the whole trace."""
        region = self.regions[0]
        for inner in reversed(self.regions[1:]):
            self._undo_writes(inner)
        self.regions = [EffectScope({})]
        return self._undo_writes(region)

    def _undo_writes(self, region: EffectScope) -> dict[Any, tuple[WriteTarget, Any]]:
        changes, spoilt = {}, False
        lists, self.lists = self.lists, region.lists
        for key, (target, value_before) in region.before.items():
            list_state = lists.get(id(target.owner)) if key[0] == "items" else None
            list_before = region.lists.get(id(target.owner)) if key[0] == "items" else None
            value_after = target.read()
            if list_state is not None:
                spoilt = spoilt or not _is_hidden(value_after)
                if list_state is not list_before:
                    changes[key] = (target, list_state[1])
                    target.write(value_before)
            elif not target.same(value_before, value_after):
                changes[key] = (target, value_after)
                target.write(value_before)
            elif key in region.written and not isinstance(target.owner, list) and _holds_tensors(target, value_after):
                changes[key] = (target, value_after)
        self.spoilt = self.spoilt or spoilt
        return changes

    def states(self) -> list[tuple[WriteTarget, Any]]:
        """Return the targets that the trace wrote and their present values; no write is undone.

        A target that holds a tensor is included even if the tensor is the one from before: the function assigned it, so each run
        has to assign it again, whatever the caller has stored there since.
        """
        self.native.check_all()
        self.check_setters()
        states_after = []
        for key, (target, value_before) in self.regions[0].before.items():
            list_state = self.lists.get(id(target.owner)) if key[0] == "items" else None
            value_after = list_state[1] if list_state is not None else target.read()
            has_changed = list_state is not None or not target.same(value_before, value_after)
            if has_changed or (key in self.regions[0].written and _holds_tensors(target, value_after)):
                states_after.append((target, value_after))
        return states_after

    def depends_on(self) -> set[str]:
        """Names of attributes whose values of before count though code may only assign them: a run may leave these there."""
        names = set(self.merged_names)
        for target, value_before in self.regions[0].before.values():
            if isinstance(target, AttributeTarget) and target.same(value_before, target.read()):
                names.add(target.name)
            elif (
                isinstance(target, ItemsTarget) and isinstance(target.owner, dict) and len(target.owner) <= _ATTRIBUTES
            ):  # `vars(self)`
                names.update(name for name in (*target.owner, *(name for name, _ in value_before)) if type(name) is str)
        return names

    def before(self, target: WriteTarget) -> Any:
        """The value of a place when the trace began."""
        return self.regions[0].before[target.key][1]

    def is_written(self, key: tuple[Any, ...]) -> bool:
        """True if the trace wrote a place, see `WriteTarget`."""
        return key in self.regions[0].before

    def held_before(self) -> list[Any]:
        """The values, before the trace, of all places that it wrote."""
        return [value_before for _, value_before in self.regions[0].before.values()]

    def substitute(self, items: list[Any], tensor_list: object) -> None:
        """From now on ``tensor_list``, a list of the Program, stands for the list ``items`` under all its names."""
        if any(x is items for _, iterating in self.iterating.values() for x in iterating):
            raise broken(
                f"a list changes under a tensor condition{in_expression()} while a loop or an iterator reads it",
                "a loop over a copy of it: `for item in list(items):`",
            )
        self.record_items_write(items)
        self.lists[id(items)] = (items, tensor_list)
        list.__setitem__(items, slice(None), POISONED_ITEMS)
        self.native.check_all()

    def resolved(self, value: object) -> Any:
        """The list of the Program that stands for a list, else the value itself. Breaks for what Python made of such a list."""
        if type(value) is list and self.lists:
            entry = self.lists.get(id(value))
            if entry is not None:
                if not _is_hidden(value):
                    raise _two_names(value)
                return entry[1]
            if any(x is POISON for x in value):
                raise POISON.error()
        return value

    def list_behind(self, value: object) -> Any:
        """Return the list of the Program that replaces a Python list, or None."""
        entry = self.lists.get(id(value)) if type(value) is list else None
        return None if entry is None else entry[1]

    def expect_python(self, *values: object) -> None:
        """Break where values that code of others is handed lead to a list that one of the Program stands for."""
        lives = reachable(values)
        if any(key in lives for key in self.lists):
            raise POISON.error()

    def as_handed(self, value: object) -> Any:
        """A list of the Program that stands for a list which was passed in to the innermost region: that list."""
        region = self.regions[-1]
        for key, (items, traced_list) in self.lists.items():
            if traced_list is value and (key in region.passed_in or key in region.lists):
                return items
        return value

    def check(self) -> None:
        """Refuse what wrote to a list that a list of the Program stands for."""
        if self.spoilt:
            raise _two_names([])
        for items, _ in self.lists.values():
            if not _is_hidden(items):
                raise _two_names(items)


def _two_names(value: object) -> BaseException:
    return broken(
        f"a {type(value).__name__} changes under a tensor condition or in a tensor loop{in_expression()}, and has another "
        "name, too",
        "use only one name for it in this function",
    )


class _Poison:
    """All items of a list that a list of the Program stands for: who meets one looked at the list past translated code."""

    def error(self) -> BaseException:
        """The graph break of who does."""
        return broken(
            f"a list whose contents depend on tensors is used{in_expression()} by untranslated code or through an alias",
            "a tensor of its items, `paddle.stack(items)`, or a loop over it in a function that to_static translates",
        )

    def _raise(self, *args: object, **kwargs: object) -> Any:
        raise self.error()

    __getattr__ = __bool__ = __len__ = __iter__ = __getitem__ = __call__ = __hash__ = __eq__ = __ne__ = _raise  # type: ignore[assignment]
    __lt__ = __gt__ = __le__ = __ge__ = __neg__ = __abs__ = __invert__ = __round__ = __contains__ = _raise
    __str__ = __repr__ = __format__ = __float__ = __int__ = __index__ = __array__ = __enter__ = __exit__ = _raise  # type: ignore[assignment]


for _name in ["add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "and", "or", "xor", "lshift", "rshift"]:
    setattr(_Poison, f"__{_name}__", _Poison._raise)
    setattr(_Poison, f"__r{_name}__", _Poison._raise)
POISON = _Poison()
POISONED_ITEMS = [POISON] * 100  # so many that what indices and slices that are written out make of the list shows it


def _is_hidden(items: list[Any]) -> bool:
    return len(items) == len(POISONED_ITEMS) and all(x is POISON for x in items)


LIMIT = 20_000  # objects that are looked at


class Everything:
    """A set that contains everything: the answer if more objects were reached than are visited."""

    def __contains__(self, item: object) -> bool:
        return True


def reachable(roots: Iterable[Any]) -> Any:
    """Ids of the objects that these lead to, see `referents`; functions that are only mentioned have to be among the roots."""
    visited: dict[int, Any] = {}
    todo = collections.deque(roots)
    while todo:
        value = todo.popleft()
        if id(value) in visited or isinstance(value, ENDS):
            continue
        visited[id(value)] = value
        if len(visited) > LIMIT:
            return Everything()
        todo += referents(value)
    return set(visited)
