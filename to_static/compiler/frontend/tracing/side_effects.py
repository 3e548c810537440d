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
    """A place that code can write: an attribute, a variable, or the items of a container. Equal ``key``s mean one place."""

    __slots__ = ("key", "label", "owner")

    def __init__(self, key: tuple[Any, ...], owner: Any, label: str) -> None:
        self.key = key
        self.owner = owner  # kept alive, so that the ids in the key stay its own
        self.label = label

    def read(self) -> Any:
        """Return the present state of the place."""
        raise NotImplementedError

    def write(self, state: object) -> None:
        """Put a state that `read` returned into the place."""
        raise NotImplementedError

    def steps(self, state: object) -> list[Steps]:
        """Return the steps that write a state, for one atomic write of many places (`core.atomic`)."""
        return [map(self.write, (state,))]

    def same(self, a: object, b: object) -> bool:
        """True if two states of the place are the same."""
        return a is b


class ItemsTarget(WriteTarget):
    """The contents of a container. A state is a list of the items, or of the pairs of a dict; of an array it is a copy."""

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
            epoch[0] += "_sub_layers" in owner  # the `__dict__` of a Layer, which changes without `Layer.__setattr__`
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
    """An attribute of an object. Of a Layer it may also be a parameter, a buffer or a sublayer."""

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
    """A variable of an enclosing function, which is stored in a cell."""

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
    """True if the class of an object declares ``name`` in ``__slots__``."""
    return isinstance(getattr(type(owner), name, None), types.MemberDescriptorType)


def _holds_tensors(target: WriteTarget, state: Any) -> bool:
    """True if a write matters although the state did not change: the place has tensors, and the caller may put others there."""
    if isinstance(target, ItemsTarget):
        parts = [value for _, value in state] if isinstance(target.owner, dict) else state
        return not isinstance(target.owner, BUFFERS) and any(isinstance(value, Tensor) for value in parts)
    fixed = (
        isinstance(target, AttributeTarget) and isinstance(target.owner, Layer) and target.name in target.owner._parameters
    )  # in the key
    return isinstance(state, Tensor) and not fixed


class EffectScope:
    """One scope of the undo log: the values that places had when a trace, branch or loop body began.

    ``traced_lists``: the `SideEffects.traced_lists` of that time.
    """

    __slots__ = ("old_values", "passed_in", "traced_lists", "written")

    def __init__(self, traced_lists: dict[int, Any]) -> None:
        self.old_values: dict[Any, tuple[WriteTarget, Any]] = {}
        self.passed_in: set[int] = set()  # ids of the containers that were passed in
        self.written: set[Any] = set()  # the keys of places that were written, also with the value that they had
        self.traced_lists = dict(traced_lists)

    def is_passed_in(self, owner: object) -> bool:
        """True if an object was passed in, or is a Layer or module, which are not made in branches."""
        return id(owner) in self.passed_in or isinstance(owner, (Layer, type, types.ModuleType))


class SideEffects:
    """The undo log of one trace.

    ``scopes``: the open scopes, innermost last. ``traced_lists``: the id of a Python list -> the list, and the list of the Program
    that replaces it (`jst.objects.tensor_list`).
    """

    def __init__(self) -> None:
        self.scopes: list[EffectScope] = [EffectScope({})]
        self.traced_lists: dict[int, tuple[list[Any], Any]] = {}
        self.untranslated_reads = UntranslatedReads(self)  # code that can read objects without translation
        self.traced_list_bypassed = False  # code wrote a Python list that a list of the Program replaces
        # objects and tensors, by id, that may not be written, because a tensor chose which of them a name means
        self.ambiguous: dict[int, Any] = {}
        # the same, only while one of these memories is alive
        self.ambiguous_while: dict[int, tuple[Any, list[weakref.ref[TracedViews]]]] = {}
        self.merged_names: set[str] = set()  # attributes that branches and loops write: a run may leave their old values
        self.setters: list[tuple[Any, str, set[str]]] = []  # calls of user setters: the object, the name, the announced attributes
        self.write_count = 0  # how many writes were announced
        self.iterating: dict[int, tuple[Any, list[Any]]] = {}  # id of a live iterator -> the iterator, and what it iterates over

    # announcements -----------------------------------------------------------------------------------------------------

    def record_write(self, target: WriteTarget) -> None:
        """Record the present value of a target that is about to be written."""
        self.write_count += 1
        self.scopes[-1].written.add(target.key)
        self.check_owner(target)
        value_before = target.read()
        self.untranslated_reads.check_before(value_before)
        self.scopes[-1].old_values.setdefault(target.key, (target, value_before))

    def check_owner(self, target: WriteTarget) -> None:
        """Break the graph if a tensor chose the object that is written."""
        if self.is_ambiguous(target.owner):
            raise broken(
                f"{target.label} is written{in_assignment()} through a name that refers to one of several objects, "
                "which a tensor selects",
                "write in the branches of the condition, or to a new one: `p = dataclasses.replace(p, x=1)`, `items = items + [x]`",
            )

    def mark_ambiguous(self, *values: object) -> None:
        """Forbid writes to these objects or tensors, because a tensor chooses which of them a name means."""
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
            for key in expired:  # the last reference to a memory may be gone with them: another round
                del self.ambiguous_while[key]
        views = value.views if type(value) is Handle else None
        chosen = views is not None and views[0].data_dependent_handle is not None and views[0].data_dependent_handle() is value
        return chosen or id(value) in self.ambiguous or id(value) in self.ambiguous_while

    def check_in_place(self, tensor: object, new: object = None) -> None:
        """Break the graph if a tensor changes in place that a tensor chose among several, or that is an item of a traced list.

        ``new``: the tensor whose values it gets. If both share memory, the memory does not change.
        """
        self.write_count += 1
        memory, new_memory = ((getattr(x, "views", None) or [None])[0] for x in (tensor, new))
        changes = memory is not None and memory is not new_memory
        aliases = (memory, *memory.handles) if changes else ()
        if any(map(self.is_ambiguous, (tensor, *aliases))) or (changes and memory.data_dependent_handle is not None):
            raise broken(
                f"a tensor changes in place{in_assignment()} that another tensor chose among several, or an item of a "
                f"list whose contents depend on tensors",
                "a new tensor: `x = x + 1` in place of `x.add_(1)`, `x = paddle.where(mask, value, x)` in place of `x[i] = value`; "
                "or choose from copies: `min(x[i].clone(), x[j].clone())`",
            )

    def record_items_write(self, container: object) -> None:
        """Record the items of a list, dict, set, deque or bytearray that is about to change."""
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
        """Record all attributes of an object, and those of ``names``, because the user's setter may set any of them."""
        layer_tables = ("_parameters", "_buffers", "_sub_layers") if isinstance(owner, Layer) else ()  # their items are attributes
        attributes = {key: value for key, value in vars(owner).items() if key not in layer_tables}
        for attribute in {*attributes, *names}:
            self.record_write(AttributeTarget(owner, attribute))
        self.record_reachable(attributes.values())
        self.setters.append((owner, name, {*vars(owner), *names}))
        self.untranslated_reads.mention(names)

    def check_setters(self) -> None:
        """Break the graph if a user setter set an attribute that its code does not name, or hid a tensor in a Layer."""
        announced = {key for scope in self.scopes for key in scope.old_values} if self.setters else set()
        setters, self.setters = self.setters, []
        set_by_name = {(id(owner), name) for owner, name, _ in setters}
        for owner, _, names in setters:
            unannounced = [key for key in vars(owner) if key not in names and ("attribute", id(owner), key) not in announced]
            if unannounced:
                for key in unannounced:
                    del vars(owner)[key]
                name = unannounced[0]
                raise broken(
                    f"attribute {name!r} of a {type(owner).__name__} is set by its own __setattr__, which computes the name",
                    "keep the value in a variable and return it",
                )
            tensors = [key for key, value in vars(owner).items() if isinstance(owner, Layer) and isinstance(value, Handle)]
            if hidden := [key for key in tensors if (id(owner), key) not in set_by_name]:
                raise broken(
                    f"a __setattr__ of {type(owner).__name__} puts a tensor into attribute {hidden[0]!r} past `Layer.__setattr__`",
                    "`super().__setattr__(name, value)`, which registers it as a buffer",
                )

    def record_reachable(self, values: Iterable[Any], visited: set[int] | None = None) -> None:
        """Record the contents of the containers among these values, and of the containers in them: they may change."""
        visited = set() if visited is None else visited
        for value in values:
            cls = type(value)
            if isinstance(value, BUFFERS):
                self.scopes[-1].old_values.setdefault(("items", id(value)), (ItemsTarget(value), ItemsTarget(value).read()))
            elif cls in (list, dict, collections.deque, collections.OrderedDict, collections.defaultdict, set, tuple):
                if id(value) in visited:
                    continue
                visited.add(id(value))
                self.scopes[-1].passed_in.add(id(value))
                if cls is not tuple:
                    self.scopes[-1].old_values.setdefault(("items", id(value)), (ItemsTarget(value), ItemsTarget(value).read()))
                if cls is not set:
                    self.record_reachable(value.values() if isinstance(value, dict) else value, visited)

    # scopes ------------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Open a scope: a branch or loop body begins."""
        self.scopes.append(EffectScope(self.traced_lists))

    def end(self, roots: Iterable[Any] = ()) -> dict[Any, tuple[WriteTarget, Any]]:
        """Close the innermost scope: undo its writes, and return each target that changed with its value at the end.

        ``roots``: all objects that were visible when the scope began. An object that they don't reach was created inside the
        scope, so writes to it are not undone.
        """
        self.untranslated_reads.check_all()
        self.check_setters()
        scope = self.scopes.pop()
        self.merged_names.update(target.name for target, _ in scope.old_values.values() if isinstance(target, AttributeTarget))
        inner_keys = [
            key
            for key, (target, _) in scope.old_values.items()
            if key[0] in ("items", "attribute") and not scope.is_passed_in(target.owner)
        ]
        if inner_keys:
            reachable_ids, count = reachable(roots), 0
            while unreachable_keys := [key for key in inner_keys if id(scope.old_values[key][0].owner) not in reachable_ids]:
                values = [
                    value_before
                    for target, value_before in scope.old_values.values()
                    if scope.is_passed_in(target.owner) or id(target.owner) in reachable_ids
                ]
                if len(values) == count:
                    break
                reachable_ids, count = reachable([*roots, *values]), len(values)  # old values of old places are old, too
            for key in unreachable_keys:
                del scope.old_values[key]
        return self._undo_writes(scope)

    def finish(self) -> dict[Any, tuple[WriteTarget, Any]]:
        """Close all scopes at the end of the trace: undo its writes, and return each target with the value it had at the end."""
        scope = self.scopes[0]
        for inner in reversed(self.scopes[1:]):
            self._undo_writes(inner)
        self.scopes = [EffectScope({})]
        return self._undo_writes(scope)

    def _undo_writes(self, scope: EffectScope) -> dict[Any, tuple[WriteTarget, Any]]:
        """Undo the writes of a scope, and return each target that changed with the value it had at the end."""
        changes, traced_list_bypassed = {}, False
        traced_lists, self.traced_lists = self.traced_lists, scope.traced_lists
        for key, (target, value_before) in scope.old_values.items():
            list_state = traced_lists.get(id(target.owner)) if key[0] == "items" else None
            list_before = scope.traced_lists.get(id(target.owner)) if key[0] == "items" else None
            value_after = target.read()
            if list_state is not None:
                traced_list_bypassed = traced_list_bypassed or not _is_poisoned(value_after)
                if list_state is not list_before:
                    changes[key] = (target, list_state[1])
                    target.write(value_before)
            elif not target.same(value_before, value_after):
                changes[key] = (target, value_after)
                target.write(value_before)
            elif key in scope.written and not isinstance(target.owner, list) and _holds_tensors(target, value_after):
                changes[key] = (target, value_after)
        self.traced_list_bypassed = self.traced_list_bypassed or traced_list_bypassed
        return changes

    def states(self) -> list[tuple[WriteTarget, Any]]:
        """Return the targets that the trace wrote and their present values; no write is undone.

        A target that holds a tensor is included even if the tensor is the one from before: the function assigned it, so each run
        has to assign it again, whatever the caller has stored there since.
        """
        self.untranslated_reads.check_all()
        self.check_setters()
        states_after = []
        for key, (target, value_before) in self.scopes[0].old_values.items():
            list_state = self.traced_lists.get(id(target.owner)) if key[0] == "items" else None
            value_after = list_state[1] if list_state is not None else target.read()
            has_changed = list_state is not None or not target.same(value_before, value_after)
            if has_changed or (key in self.scopes[0].written and _holds_tensors(target, value_after)):
                states_after.append((target, value_after))
        return states_after

    def depends_on(self) -> set[str]:
        """Names of attributes that code may only assign, but whose old values matter: a run may leave them unchanged."""
        names = set(self.merged_names)
        for target, value_before in self.scopes[0].old_values.values():
            if isinstance(target, AttributeTarget) and target.same(value_before, target.read()):
                names.add(target.name)
            elif (
                isinstance(target, ItemsTarget) and isinstance(target.owner, dict) and len(target.owner) <= _ATTRIBUTES
            ):  # `vars(self)`
                names.update(name for name in (*target.owner, *(name for name, _ in value_before)) if type(name) is str)
        return names

    def value_before_trace(self, target: WriteTarget) -> Any:
        """The value of a target when the trace began."""
        return self.scopes[0].old_values[target.key][1]

    def is_written(self, key: tuple[Any, ...]) -> bool:
        """True if the trace wrote the place with this `WriteTarget.key`."""
        return key in self.scopes[0].old_values

    def values_before_trace(self) -> list[Any]:
        """The values, before the trace, of all places that it wrote."""
        return [value_before for _, value_before in self.scopes[0].old_values.values()]

    def substitute(self, items: list[Any], tensor_list: object) -> None:
        """Replace the Python list ``items``, under all its names, by ``tensor_list``, a list of the Program."""
        if any(x is items for _, iterating in self.iterating.values() for x in iterating):
            raise broken(
                f"a list changes under a tensor condition{in_expression()} while a loop or an iterator reads it",
                "a loop over a copy of it: `for item in list(items):`",
            )
        self.record_items_write(items)
        self.traced_lists[id(items)] = (items, tensor_list)
        list.__setitem__(items, slice(None), POISONED_ITEMS)
        self.untranslated_reads.check_all()

    def resolved(self, value: object) -> Any:
        """Return the list of the Program that replaces a Python list, else the value. Breaks if untranslated code used the list."""
        if type(value) is list and self.traced_lists:
            entry = self.traced_lists.get(id(value))
            if entry is not None:
                if not _is_poisoned(value):
                    raise _alias_break(value)
                return entry[1]
            if any(x is POISON for x in value):
                raise POISON.error()
        return value

    def list_behind(self, value: object) -> Any:
        """Return the list of the Program that replaces a Python list, or None."""
        entry = self.traced_lists.get(id(value)) if type(value) is list else None
        return None if entry is None else entry[1]

    def expect_python(self, *values: object) -> None:
        """Break the graph if library code gets values from which it can reach a list that a list of the Program replaces."""
        reachable_ids = reachable(values)
        if any(key in reachable_ids for key in self.traced_lists):
            raise POISON.error()

    def as_passed_in(self, value: object) -> Any:
        """Return the Python list that ``value`` replaces, if it was passed in to the innermost scope; else ``value`` itself."""
        scope = self.scopes[-1]
        for key, (items, traced_list) in self.traced_lists.items():
            if traced_list is value and (key in scope.passed_in or key in scope.traced_lists):
                return items
        return value

    def check(self) -> None:
        """Break the graph if code wrote a Python list that a list of the Program replaces."""
        if self.traced_list_bypassed:
            raise _alias_break([])
        for items, _ in self.traced_lists.values():
            if not _is_poisoned(items):
                raise _alias_break(items)


def _alias_break(value: object) -> BaseException:
    """The graph break for a list that is written under another name than the one that the trace knows."""
    return broken(
        f"a {type(value).__name__} changes under a tensor condition or in a tensor loop{in_expression()}, and has another "
        "name, too",
        "use only one name for it in this function",
    )


class _Poison:
    """The item that fills a Python list that a list of the Program replaces: untranslated code that uses one breaks the graph."""

    def error(self) -> BaseException:
        """The graph break of code that uses the item."""
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


def _is_poisoned(items: list[Any]) -> bool:
    """True if a list still has only the items that `SideEffects.substitute` put there."""
    return len(items) == len(POISONED_ITEMS) and all(x is POISON for x in items)


LIMIT = 20_000  # objects that `reachable` visits, at most


class Everything:
    """A set that contains everything: the result of `reachable` beyond `LIMIT`."""

    def __contains__(self, item: object) -> bool:
        return True


def reachable(roots: Iterable[Any]) -> Any:
    """Ids of the objects that these lead to (`referents`). Functions that code only mentions must be among the roots."""
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
