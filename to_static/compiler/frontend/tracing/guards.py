"""`Guards`: the values that existed before the call and that Programs of a static function read, and the check that they are
the same.

Python reads globals, closure variables, attributes and items again in each call; a Program contains their values as constants.
After each trace `Guards.collect` walks along the names in the traced code (`CFG.depth`, ``self.opts["k"]``). The values that it
finds are part of the Program's key, and it compiles them into one check function, with a line for each value. This check is the
cost of a call.

Plain values are compared by value, containers and arrays item by item, other objects by identity. Contents of Layers are not
part of the check: ``Layer.__setattr__`` increases a version counter, and only then they are read again (`name_usage.state_of`).
Tensors are compared by their specs, or by identity if a Program reads them, or by their numbers if Python read those.
"""

from __future__ import annotations

import collections
import copy
import enum
import functools
import inspect
import itertools
import operator
import os
import sys
import threading
import types
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from typing import Any

import numpy as np

from to_static.compiler.eager.tape import CLEARED
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.tracing.input_places import (
    INPUT,
    NUMBERS,
    can_be_input,
    fits,
    is_of_data,
    is_record,
    items_of,
    keys_of_items,
    mapping_of,
    parts_of,
)
from to_static.compiler.frontend.tracing.name_usage import NOTHING, mentioned, names_read, plain_key
from to_static.compiler.frontend.tracing.rewritten_attributes import RewrittenAttributes
from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.core.array_types import BUFFERS
from to_static.core.code_generation import define
from to_static.core.importing.skiplist import is_user_module, package_of
from to_static.nn.layer import Layer

ITEMS = 1024  # of a container that are compared; of a longer one that many, spread evenly
_FEW = 8  # items that are compared one by one
_ARRAY_ITEMS = 16 * ITEMS  # the same of an array
_LIMIT = 5000  # places that one walk finds, at most
_ROUNDS = 8  # walks of one `Guards.collect`: each may find code that mentions further names
MISSING = object()
ABSENT = "<absent names>"  # the name of the place that says which attributes a thread lacks
_EMPTY = types.CellType()
# in the texts of places: what is in `.grad`, and words for it
_NAMES = {"CLEARED": CLEARED, **{word: word for word in ("added", "cleared", "linked", "none", "numbers", "some")}}
_CONTAINERS = (list, tuple, dict, set, frozenset, collections.deque)
_SMALL = (bool, int, str, type(None))  # equal values of one type are the same value
_MUTABLE = (list, dict, set, collections.deque, np.ndarray, *BUFFERS)
# Library classes whose objects hold what users put there: compared by identity, they would change unseen. Methods of the first
# read attributes that no text mentions: `UserDict` and `ChainMap` of configs, `os.environ`, settings of `configparser`,
# the flag of a `threading.Event` that stops or switches, queues of inputs, tables of weak references.
# `argparse` is for Layers that keep the arguments of a script (`self.args = args`; GroundingDINO in PaddleMIX is made of them).
_HOLDERS = frozenset(
    (
        "collections", "configparser", "multiprocessing", "os", "queue", "string", "threading", "weakref", "_weakrefset",
        "textwrap", "calendar", "difflib", "optparse", "gettext", "reprlib",
    )
)  # fmt: skip
_INSPECTED = _HOLDERS | {"types", "argparse"}
# Library classes whose objects never change (numbers, dates, paths, patterns), or change as arrays and tensors do.
_UNCHANGING = frozenset(
    ("to_static", "numpy", "builtins", "datetime", "fractions", "pathlib", "re", "uuid", "zoneinfo", "types", "typing")
)
_CODE_ONLY = frozenset(("to_static", "numpy", "typing", "collections"))  # modules whose data are numbers and texts
_CODE = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)
_OF_ENVIRONMENT = frozenset(("environ", "getenv", "expandvars", "expanduser"))  # what reads variables of the environment
_OF_FUNCTIONS = frozenset(("__name__", "__qualname__", "__doc__", "__annotations__"))
_OF_MEMBERS = frozenset(("_value_", "_name_", "_sort_order_"))  # of enumerations, which are as they were made
_WHOLE = frozenset(("vars", "__dict__", "dir"))  # by which code asks for all attributes of an object
_OURS = ("to_static.optimizer", "to_static.metric", "to_static.io", "to_static.nn.clip", "to_static.compiler.ir.input_spec")


class GuardSource:
    """One place that code may read: its owner, its name there, a label for messages, and the value at the last `Guards.collect`.

    ``space`` is the namespace that contains the name. Without a namespace, ``read`` returns the present value, and ``text`` is the
    same read as an expression of the owner, written ``{}``. Without any of these the place always has the same object, whose
    contents may change; if it is ``keyed``, the object may be another one after the epoch moves. ``parent`` is the place of the
    container of which this is an item.
    """

    __slots__ = ("id", "key", "keyed", "label", "lasting", "name", "owner", "parent", "read", "space", "text", "value")

    def __init__(
        self,
        owner: object,
        name: Any,
        label: str,
        value: Any = MISSING,
        read: Callable[[], Any] | None = None,
        space: Mapping[str, Any] | None = None,
        text: str = "",
        parent: GuardSource | None = None,
    ) -> None:
        self.id: tuple[Any, Any] = (id(owner), name) if parent is None else (parent.id, name)
        self.parent = parent
        self.owner = owner
        self.name = name
        self.label = label
        self.space = space
        self.text = text
        self.read: Callable[[], Any] | None = functools.partial(space.get, name, MISSING) if space is not None else read
        self.value = self.read() if self.read is not None else value
        self.keyed = self.read is not None
        self.lasting = bool(text)  # there as long as the owner is
        self.key: Any = None

    @classmethod
    def of_attribute(cls, owner: object, name: str, label: str) -> GuardSource:
        """The place of an attribute that Python itself has in each such object."""
        return cls(owner, name, f"{label}.{name}", read=functools.partial(getattr, owner, name), text=f"{{}}.{name}")


class AbsenceGuard:
    """The guard that a namespace lacks some names. Code may test for such a name, or read it from a class instead."""

    __slots__ = ("names", "space")

    def __init__(self, space: Mapping[str, Any], names: frozenset[str]) -> None:
        self.space = space
        self.names = names.difference(space)

    def holds(self) -> bool:
        """Return True if the namespace still lacks all of the names."""
        return self.space.keys().isdisjoint(self.names)  # type: ignore[no-any-return]


class Guards:
    """The places that the traces of one static function may read: roots, in the order of tracking, and all places below them."""

    def __init__(self) -> None:
        self.extent = 0  # grows when a place is added, or when a place is compared in another way
        self.follows_grad = False  # whether a trace read if gradients are recorded
        self.names: frozenset[str] = frozenset()  # the names that the functions mention
        self.read: frozenset[str] = frozenset()  # the names that are read, and not only assigned
        self._modules: set[str] = set()  # the modules that the functions import
        self._functions: dict[tuple[int, types.CodeType], Any] = {}
        self._roots: dict[Any, GuardSource] = {}
        self._places: list[GuardSource] = []  # the places that the last `collect` found
        self._absent: list[AbsenceGuard] = []
        self._check: Callable[[], bool] = _always_true  # the compiled comparison of all places
        self._captured: dict[Any, int] = {}  # place id -> id of the tensor there, for tensors that Programs read
        self.compared: dict[int, Tensor] = {}  # tensors, by id, that count by identity
        self.first_keys: dict[Any, Any] = {}  # place id -> the key of the first value there
        self._inputs: dict[Any, GuardSource] = {}  # places whose number or tensor is an input of Programs, because it has varied
        self.inputs: list[GuardSource] = []  # those of them that the last `collect` found, tensors first
        self._built_in: set[Any] = set()  # ids of places whose number or tensor cannot be an input
        self._itemwise: set[Any] = set()  # ids of places whose container counts by structure and item by item, because items varied
        self._by_identity: set[Any] = set()  # those of `_itemwise` whose container also counts by identity
        self._container_contents: dict[Any, Any] = {}  # place id -> the last contents of a container that may vary
        self.seated: frozenset[int] = frozenset()  # ids of Layers whose numbers the seats compare (`alike/seats.py`)
        self.rewritten = RewrittenAttributes()
        self._names_of: tuple[Any, dict[Any, frozenset[str]]] = (None, {})
        self._first_layer_numbers: dict[Any, Any] = {}  # (Layer id, attribute, type) -> its first number, as text

    # -- while a function is traced -----------------------------------------------------------------------------------

    def track_function(self, function: types.FunctionType, instance: object = None, within: bool = False) -> None:
        """Record the names that a function (or method of ``instance``) reads.

        ``within``: the function is not translated, so the functions that it calls are followed here.
        """
        within = within or getattr(function, "__not_to_static__", False)
        if instance is not None:
            self.track_object(instance)
        function_key = id(function), function.__code__
        if function_key in self._functions or not is_user_module(function.__module__):
            return
        self._functions[function_key] = function
        usage = mentioned(function)
        called = usage.names.union(function.__code__.co_freevars)
        self._add_names(usage.names, usage.read)
        self._modules |= usage.modules
        if not called.isdisjoint(_OF_ENVIRONMENT):
            self.track_object(os.environ)
        if not called.isdisjoint(("Decimal", "decimal", "getcontext")):
            self._follow_decimal_context()
        if "FloatingPointError" in called:
            self._root(GuardSource(np.geterr, "()", "`numpy.geterr()`", read=_numpy_errors))
        self._root(GuardSource(function, None, function.__name__, function))
        for name in sorted(usage.variables):
            space = function.__globals__
            self._root(GuardSource(space, name, f"global {name!r}", space=space))
            if within and type(space.get(name)) is types.FunctionType:
                self.track_function(space[name], within=True)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if name != "__class__":
                text = "" if cell == _EMPTY else "{}.cell_contents"
                self._root(GuardSource(cell, None, f"variable {name!r}", read=functools.partial(_cell_contents, cell), text=text))
                if within and type(_cell_contents(cell)) is types.FunctionType:
                    self.track_function(_cell_contents(cell), within=True)

    def track_object(self, value: object) -> None:
        """Make an object a root: the instance of a method, or a partial, which keeps arguments from call to call."""
        self._root(GuardSource(value, None, f"a {type(value).__name__}", value))

    def track_partial(self, value: object) -> None:
        """Track a partial, and the function or method that it calls."""
        while isinstance(value, functools.partial):
            self.track_object(value)
            value = value.func
        function, instance = (value.__func__, value.__self__) if isinstance(value, types.MethodType) else (value, None)
        if isinstance(function, types.FunctionType):
            self.track_function(function, instance)

    def track_name(self, name: object) -> None:
        """Record an attribute name that the function computes at run time."""
        if type(name) is str:
            self._add_names({name}, {name})

    def reads(self, tensor: Tensor) -> None:
        """Guard the values of a tensor from outside, because Python reads them (with ``.numpy()``, say): they become constants."""
        label = f"the numbers of {tensor.name!r}"
        self._root(GuardSource(tensor, "values", label, read=lambda: _TensorValues(tensor)))

    def compares(self, tensor: Tensor) -> None:
        """Guard the identity of a tensor from outside, because the trace tests with ``is`` whether it is another object."""
        self.extent += id(tensor) not in self.compared
        self.compared[id(tensor)] = tensor

    def reads_stop(self, tensor: Any, name: str = "stop_gradient") -> None:
        """Guard ``stop_gradient`` (or the attribute ``name``) of a tensor from outside, because its value becomes a constant."""
        label = f"`{name}` of {tensor.name!r}"
        read = functools.partial(getattr, tensor, name)
        self._root(GuardSource(tensor, name, label, read=read, text=f"{{}}.{name}"))

    def reads_grad(self, tensor: Any, word: Callable[[], str], text: str) -> None:
        """Guard the state of the gradient of a tensor from outside: ``word`` returns it, ``text`` is the same as an expression."""
        name = "grad", *word.args[1:]  # type: ignore[attr-defined]
        self._root(GuardSource(tensor, name, f"`.grad` of {tensor.name!r}", read=word, text=text))

    def asks_grad(self) -> None:
        """Guard whether the caller records gradients, because that becomes a constant."""
        self.follows_grad = True
        self._root(GuardSource(mode.grad_enabled, "()", "whether gradients are recorded", read=_caller_records, text="{}()"))

    def _follow_decimal_context(self) -> None:
        """Arithmetic of `decimal` rounds as the context of the thread says."""
        if "decimal" in sys.modules:
            getcontext = sys.modules["decimal"].getcontext
            read = functools.partial(_decimal_context, getcontext)
            self._root(GuardSource(getcontext, "()", "`decimal.getcontext()`", read=read))

    def _root(self, root: GuardSource) -> None:
        root.lasting = True
        if root.id not in self._roots:
            self._roots[root.id] = root
            self.extent += 1

    def _add_names(self, names: Set[str], read: Set[str]) -> None:
        if not (names <= self.names and read <= self.read):
            self.names |= names
            self.read |= read
            self.extent += 1

    def forget(self, layers: Iterable[Layer]) -> None:
        """Remove the roots of these Layers, which no longer exist."""
        for layer in layers:
            self._roots.pop((id(layer), None), None)

    def watches(self, layer: Layer) -> bool:
        """True if a Layer is a root whose contents these guards compare."""
        return (id(layer), None) in self._roots and id(layer) not in self.seated

    def names_of(self, cls: object) -> frozenset[str]:
        """The names of the attributes that code reads of Layers of this class."""
        cached_read, names_by_type = self._names_of
        if cached_read is not self.read:
            names_by_type = {}
            self._names_of = self.read, names_by_type
        names = names_by_type.get(cls)
        if names is None:
            names = names_by_type[cls] = self.read | names_read(cls, self.read)
        return names

    def variables(self) -> list[GuardSource]:
        """The places of global and closure variables that the functions name."""
        return [source for source in self._roots.values() if isinstance(source.owner, (dict, types.CellType))]

    @property
    def roots(self) -> list[GuardSource]:
        """The places where the walk starts."""
        return list(self._roots.values())

    def watched_state(self) -> dict[str, Any]:
        """The facts about the tracked functions, for `adopt`."""
        state = vars(self)
        return {name: copy.copy(state[name]) for name in ("names", "read", "follows_grad", "_modules", "_functions")}

    def adopt(self, attributes: dict[str, Any], roots: Iterable[Any]) -> None:
        """Begin with the facts of the guards of an equal function; ``roots``: places, and instances of methods."""
        vars(self).update({name: copy.copy(value) for name, value in attributes.items()})
        self.extent += 1
        for root in roots:
            if isinstance(root, GuardSource):
                self._root(copy.copy(root))
            else:
                self.track_object(root)

    # -- between calls ------------------------------------------------------------------------------------------------

    def collect(self, captured: frozenset[int] = frozenset()) -> None:
        """Walk to all places, record their present values, and compile the check.

        ``captured``: ids of tensors that a Program reads. Another tensor in the place of a captured one needs another Program.
        Other tensors count only by their specs.
        """
        for name in self._modules & sys.modules.keys():  # imported by now
            self.track_object(sys.modules[name])
        # each collection has its own `GuardSource`s, because an earlier one may be restored (`collected`)
        self._roots = {key: copy.copy(root) for key, root in self._roots.items()}
        for _ in range(_ROUNDS):
            progress = self.names, len(self._roots)
            for root in self._roots.values():
                root.value = root.value if root.read is None else root.read()
            sources = list(self._walk(self._roots.values()))
            if progress == (self.names, len(self._roots)):
                break
        self._places = [x for x in sources if isinstance(x, GuardSource)]
        self._absent = [x for x in sources if isinstance(x, AbsenceGuard) and x.names]
        for source in self._places:
            if (id(source.value) in captured or id(source.value) in self.compared) and source.id not in self._captured:
                self._captured[source.id] = id(source.value)
                self.first_keys.pop(source.id, None)
                self.extent += 1
            self._watch_input(source)
        self._note_aliases()
        for source in self._places:
            source.key = self._key_of(source, source.value)
            self.first_keys.setdefault(source.id, source.key)
        inputs = [source for source in self._places if source.id in self._inputs and _is_input(source.value)]
        self.inputs = sorted(inputs, key=lambda source: type(source.value) in NUMBERS)
        self._check = self._compiled()

    @property
    def collected(self) -> tuple[Any, ...]:
        """The result of the last `collect`."""
        return self._places, self._absent, self._check, self.inputs

    @collected.setter
    def collected(self, collection: tuple[Any, ...]) -> None:
        self._places, self._absent, self._check, self.inputs = collection

    def same(self) -> bool:
        """True if every place still holds what the last `collect` found there, or an equal value."""
        return self.is_unchanged() or self._equal()

    def is_unchanged(self) -> bool:
        """True if every place still holds what the last `collect` found there (quick: called by every call)."""
        try:
            return self._check()
        except (AttributeError, LookupError, ValueError):  # something is not there any more
            return False

    def _equal(self) -> bool:
        """True if all places that differ hold other objects of equal value; the check then compares with these objects."""
        values = [source.value if source.read is None else source.read() for source in self._places]
        if not all(absent.holds() for absent in self._absent):
            return False
        for source, value in zip(self._places, values, strict=True):
            if (value is not source.value or isinstance(value, _MUTABLE)) and self._key_of(source, value) != source.key:
                return False
        if any(self._is_replaceable(source) for source in self._places) and self._aliases(values):
            return False
        for source, value in zip(self._places, values, strict=True):
            source.value = value
        self._check = self._compiled()
        return True

    def _watch_input(self, source: GuardSource) -> None:
        """Make a number or tensor that has varied an input."""
        value = source.value
        is_input = source.id in self._inputs
        if not is_input and source.id not in self._built_in and _is_input(value) and can_be_input(source):
            if type(value) is EagerTensor:
                is_input = self._captured.get(source.id, id(value)) != id(value)
            else:
                first_key = self.first_keys.get(source.id)
                is_input = type(first_key) is tuple and first_key[0] is type(value) and first_key != key_of(value)
        if is_input:
            self.extent += source.id not in self._inputs
            self._inputs[source.id] = source

    def build_in(self) -> None:
        """Remove all numbers and tensors from the inputs, because no Program can have them as inputs."""
        self._built_in.update(self._inputs)
        self.extent += 1
        self._inputs.clear()
        self.inputs = []

    def let_be_inputs(self, sources: list[GuardSource]) -> None:
        """Make the numbers and tensors in these places inputs again, after `build_in`."""
        self._built_in.difference_update(source.id for source in sources)
        self._inputs.update((source.id, source) for source in sources)
        self.extent += 1

    @property
    def not_by_value(self) -> Set[Any]:
        """The ids of places that do not count by value: those of inputs, and of containers whose items may be inputs."""
        return self._inputs.keys() | self._itemwise

    def _is_itemwise(self, place_id: Any, value: Any) -> bool:
        """True if the container in a place counts by its items, as it does from the second value of an item on."""
        if place_id in self._itemwise:
            return keys_of_items(value) is not None
        if keys_of_items(value) is None or not is_of_data(value):
            return False
        items = items_of(value)
        structure = type(value), keys_of_items(value)
        item_keys = [key_of(item) if type(item) in NUMBERS else _value_or_id(item) for _, item in items]
        contents = structure, id(value), item_keys
        last_contents = self._container_contents.get(place_id)
        if last_contents is None and len(self._container_contents) >= _LIMIT:
            self._container_contents.clear()
        self._container_contents[place_id] = contents
        for name, item in items:
            if _may_be_itemwise(item):
                self._is_itemwise((place_id, name), item)
        if last_contents is None or last_contents == contents:
            return False
        last_structure, last_object_id, last_item_keys = last_contents
        if last_structure != structure:
            return False
        if last_object_id == id(value):
            if is_record(value):
                return False  # its attributes are places without this
            keyed_items = zip(items, last_item_keys, item_keys, strict=True)
            if not any(_is_input(item) and last_key != key for (_, item), last_key, key in keyed_items):
                return False  # two values of a bool or text make two Programs, which are found by them
        self._itemwise.add(place_id)
        self.extent += 1
        for (name, item), key in zip(items, last_item_keys, strict=True):
            if type(item) is EagerTensor and type(key) is int:
                self._captured.setdefault((place_id, name), key)
            elif type(item) in NUMBERS:
                self.first_keys.setdefault((place_id, name), key)
        return True

    def _is_replaceable(self, source: GuardSource) -> bool:
        """True if another container of the same structure may be in this place."""
        return source.id in self._itemwise and source.id not in self._by_identity and source.read is not None

    def depend_on(self, objects: Collection[int]) -> None:
        """Compare the objects with these ids by identity, because a Program writes or returns them."""
        self._count_by_identity(objects)

    def _note_aliases(self) -> None:
        """Compare containers that several places hold by identity, because code may test whether they are the same."""
        self._count_by_identity(self._aliases([source.value for source in self._places]))

    def _count_by_identity(self, containers: Collection[int]) -> None:
        """Compare the containers with these ids by identity, too, where they count item by item."""
        if not containers:
            return
        place_ids = {s.id for s in self._places if s.id in self._itemwise and id(s.value) in containers}
        self.extent += not place_ids <= self._by_identity
        self._by_identity |= place_ids

    def _aliases(self, values: list[Any]) -> set[int]:
        """Ids of containers that are in two places, at least one of which may hold another container in the next call."""
        replaceable, fixed, aliases = set[int](), set[int](), set[int]()
        for source, value in zip(self._places, values, strict=True):
            if _may_be_itemwise(value):
                if self._is_replaceable(source):
                    (aliases if id(value) in replaceable else replaceable).add(id(value))
                else:
                    fixed.add(id(value))
        return aliases | (replaceable & fixed)

    def _key_of(self, source: GuardSource, value: object) -> Any:
        """The part of a key that stands for a value in a place."""
        if source.id in self._itemwise and (keys := keys_of_items(value)) is not None:
            return (type(value), keys, id(value) if source.id in self._by_identity else None)
        if source.id in self._inputs:
            if fits(value):
                return (type(value), INPUT)
            if type(value) is EagerTensor:
                return (value.spec, value.stop_gradient, INPUT)
        if isinstance(value, Tensor) and source.id not in self._captured:
            return (value.spec, value.stop_gradient)  # type: ignore[attr-defined]
        return key_of(value)

    def _compiled(self) -> Callable[[], bool]:
        """Compile the check: one function that compares every recorded value with the present one, each in one expression."""
        names: dict[int, str] = {}
        operands: dict[str, Any] = {}
        tests: dict[str, None] = {}
        statements: dict[str, None] = {}
        dicts: dict[int, Any] = {}

        def name(value: object) -> str:
            operand_name = names.get(id(value))
            if operand_name is None:
                operand_name = names[id(value)] = f"_{len(names)}"
                operands[operand_name] = value
            return operand_name

        container_variables: dict[Any, str] = {}  # variables of containers, by their places
        missing: dict[str, set[str]] = {}
        for source in self._places:
            value = source.value
            is_input = source.id in self._inputs
            if source.space is not None and value is MISSING:
                missing.setdefault(name(source.space), set()).add(source.name)
            elif source.id in self._itemwise and keys_of_items(value) is not None:
                variable = container_variables[source.id] = f"k{len(container_variables)}"
                differs = self._structure_differs(source, variable, name)
                to_attributes = f"    {variable} = {variable}.__dict__\n" * is_record(value)
                statement = f"    {variable} = {_read_text(source, container_variables, name)}\n    if {differs}: return False\n"
                statements[statement + to_attributes] = None
                continue
            elif is_input and fits(value):
                tests[f"{name(type)}({_read_text(source, container_variables, name)}) is {name(type(value))}"] = None
            elif type(value) is EagerTensor and (is_input or (source.parent is not None and source.id not in self._captured)):
                tests[_same_kind_text(_read_text(source, container_variables, name), value, name)] = None
            elif source.parent is not None and type(value) in _SMALL:
                present, recorded = _read_text(source, container_variables, name), name(value)
                same_type = f"{name(type)}({present}) is {name(type(value))}"
                tests[f"({present} is {recorded} or ({same_type} and {present} == {recorded}))"] = None
            elif (source.space is not None or source.text or source.read is not None) and type(value) is not _TensorValues:
                tests[f"{_read_text(source, container_variables, name)} is {name(value)}"] = None
            if _is_small(value) and type(value) is list:  # unpacked: a ValueError if it has another length
                item_names = ", ".join(f"x{i}" for i in range(len(value)))
                differs = " or ".join(f"x{i} is not {name(item)}" for i, item in enumerate(value)) or "False"
                statements[f"    [{item_names}] = {name(value)}\n    if {differs}: return False\n"] = None
            elif isinstance(value, dict) and _is_small(value):
                tests.update((f"{name(value)}[{name(key)}] is {name(item)}", None) for key, item in value.items())
                dicts[id(value)] = value
            elif isinstance(value, (list, collections.deque, dict)):
                tests[f"len({name(value)}) == {len(value)}"] = None
                items_template = "{}" if len(value) <= ITEMS else f"{name(_item_sample)}({{}})"
                parts = {"": value, ".values()": value.values()} if isinstance(value, dict) else {"": value}
                for part, items in parts.items():
                    items_text = items_template.format(name(value) + part)
                    tests[f"all(map({name(operator.is_)}, {items_text}, {name(list(_item_sample(items)))}))"] = None
            elif isinstance(value, _MUTABLE) or type(value) is _TensorValues:
                tests[f"{name(_content_check(value))}()"] = None
        replaceable = [container_variables[s.id] for s in self._places if self._is_replaceable(s) and s.id in container_variables]
        for first_variable, second_variable in itertools.combinations(replaceable, 2):
            tests[f"{first_variable} is not {second_variable}"] = None
        if dicts:  # small ones have these items: they have no others, and in this order, if the keys are right
            small_dicts = list(dicts.values())
            keys = [key for value in small_dicts for key in value]
            tests[f"[*{name(itertools.chain.from_iterable)}({name(small_dicts)})] == {name(keys)}"] = None
        for absent in self._absent:
            missing.setdefault(name(absent.space), set()).update(absent.names)
        for space, absents in missing.items():
            present = operands[space]
            tests[f"{name(present.keys().isdisjoint)}({name(frozenset(absents))})" if present else f"not {space}"] = None
        values = tuple(operands.values())  # as default values of parameters: those are found quicker than global names
        text = f"{''.join(statements)}    return {' and '.join(tests) or True}"
        return types.FunctionType(_check_code(text, len(values)), _NAMES, None, values) if values else _always_true

    def _structure_differs(self, source: GuardSource, variable: str, name: Callable[[object], str]) -> str:
        """Return an expression that is true if a container changed its structure, or was replaced where its identity counts."""
        value: Any = source.value
        is_same = f"{name(type)}({variable}) is {name(type(value))}"
        if is_record(value):
            is_same += f" and {name(tuple)}({variable}.__dict__) == {name(tuple(parts_of(value)))}"
        elif isinstance(value, dict):
            is_same += f" and {name(tuple)}({variable}) == {name(tuple(value))}"
        else:
            is_same += f" and {name(len)}({variable}) == {len(value)}"
        if source.id in self._by_identity:
            is_same += f" and {variable} is {name(value)}"
        elif source.read is not None:
            fixed = {id(s.value) for s in self._places if _may_be_itemwise(s.value) and not self._is_replaceable(s)}
            is_same += f" and {name(id)}({variable}) not in {name(frozenset(fixed))}" if fixed else ""
        return f"not ({is_same})"

    def layers(self) -> dict[int, Layer]:
        """The Layers among the values, with all below them, by id."""
        top_layers = [source.value for source in self._places if isinstance(source.value, Layer)]
        return {id(layer): layer for top_layer in top_layers for layer in top_layer.sublayers(include_self=True)}

    def key(self) -> tuple[Any, ...]:
        """Return the keys of the recorded values, for the key of a Program.

        A place that lasts as long as its owner is left out while it has the key of its first value. So a place that only a later
        trace reads is not in the keys of the Programs that do not read it.
        """
        variable_places = (p for p in self._places if p.keyed or isinstance(p.value, _MUTABLE))
        return tuple((p.id, p.key) for p in variable_places if not (p.lasting and p.key == self.first_keys[p.id]))

    @property
    def places(self) -> list[GuardSource]:
        """The places that the last `collect` found."""
        return list(self._places)

    def comparison(self, source: GuardSource) -> str:
        """Return in words how a place is compared: "an input", "items", "value", "spec", "contents" or "object"."""
        if source.id in self._inputs and _is_input(source.value):
            return "an input"
        if source.id in self._itemwise and keys_of_items(source.value) is not None:
            return "items"
        if is_fixed(source.value):
            return "value"
        if isinstance(source.value, Tensor) and source.id not in self._captured:
            return "spec"
        return "contents" if isinstance(source.value, _MUTABLE) else "object"

    def labels(self) -> dict[Any, str]:
        """The labels of the places for messages, by place id."""
        return {source.id: source.label for source in self._places}

    def values(self) -> list[Any]:
        """The recorded values. A Program whose key has their ids keeps them alive."""
        return [source.value for source in self._places]

    def tensors(self) -> frozenset[int]:
        """The ids of the tensors among the recorded values."""
        return frozenset(id(source.value) for source in self._places if isinstance(source.value, Tensor))

    def read_of(self, value: object) -> tuple[Any, ...]:
        """The values in an argument that the tracked functions may read: of the object, and of all places below it."""
        if isinstance(value, Tensor) or plain_key(value) is not NOTHING:
            return ()
        sources = list(self._walk([GuardSource(value, None, "", value)]))
        sources = sources if isinstance(value, _MUTABLE) else sources[1:]
        return tuple((p.label, _Kept(p.value)) for p in sources if isinstance(p, GuardSource))

    # -- the walk -----------------------------------------------------------------------------------------------------

    def _walk(self, roots: Iterable[GuardSource]) -> Iterator[GuardSource | AbsenceGuard]:
        """The roots, and everything below them that code may read."""
        todo: list[Any] = list(roots)[::-1]
        visited: set[int] = set()
        count = 0
        while todo and count < _LIMIT:
            source = todo.pop()
            count += 1
            yield source
            if not isinstance(source, GuardSource) or id(source.value) in visited:
                continue
            is_itemwise = _may_be_itemwise(source.value) and self._is_itemwise(source.id, source.value)
            if is_itemwise or not is_fixed(source.value):
                visited.add(id(source.value))
                children = self._item_sources(source) if is_itemwise else self._children(source.value, source.label)
                todo.extend(list(children)[::-1])

    def _item_sources(self, source: GuardSource) -> Iterator[GuardSource]:
        """The items of a container that counts item by item."""
        is_object = is_record(source.value)
        if is_object:
            yield GuardSource(type(source.value), None, source.label, type(source.value))
        for name, _ in items_of(source.value):
            if is_object and name not in self.read:
                continue
            read = functools.partial(_current_item, source, name)
            yield GuardSource(source.value, name, _label_of_item(source, name), read=read, parent=source)

    def _children(self, value: Any, label: str) -> Iterator[GuardSource | AbsenceGuard]:
        """The places that belong to a value: items, attributes, parts of a callable, sublayers, and the class."""
        cls: Any = type(value)
        if cls in weakref.ProxyTypes:
            yield from self._proxy_sources(value, label)
            return
        if isinstance(value, Tensor) or value is MISSING:
            return
        if isinstance(value, enum.Enum):
            yield from self._namespace_sources(value, vars(value), label, names=self.read - _OF_MEMBERS)
            return
        if isinstance(value, _CONTAINERS):
            for name, item in _named_items(value):
                if not is_fixed(item):
                    yield GuardSource(value, name, f"{label}[{name!r}]", item)
        if cls is np.ndarray and value.dtype.hasobject:
            for i, item in enumerate(value.reshape(-1)[:ITEMS]):
                if not is_fixed(item):
                    yield GuardSource(value, i, f"{label}[{i}]", item)
        for part in _callable_parts(value):
            yield GuardSource(part, None, label, part)
        if isinstance(value, Layer):
            own_attributes = vars(value)
            names = sorted(self.names_of(cls).intersection(own_attributes) - self.rewritten.names(value))
            varied = [name for name in names if self._has_varied(value, name, own_attributes[name])]
            for name in names:
                if name not in varied and not is_fixed(own_attributes[name]):
                    source = GuardSource(value, name, f"attribute {name!r} of a {cls.__name__}", own_attributes[name])
                    source.keyed = True  # `__setattr__` moves the epoch
                    yield source
            for name in varied:
                yield GuardSource(value, name, f"attribute {name!r} of a {cls.__name__}", space=own_attributes)
            for name, sub in own_attributes["_sub_layers"].items():
                if sub is not None:
                    yield GuardSource(value, name, f"{label}.{name}", sub)
            yield GuardSource(cls, None, label, cls)
        elif cls is types.ModuleType:
            own_attributes = vars(value)
            if is_user_module(value.__name__):
                if type(own_attributes.get("__getattr__")) is types.FunctionType:
                    self.track_function(own_attributes["__getattr__"])
                yield from self._namespace_sources(value, own_attributes, label)
            else:
                yield from self._library_module_sources(value, own_attributes, label)
        elif cls is types.FunctionType:
            if is_user_module(value.__module__):
                for name in ("__code__", "__defaults__", "__kwdefaults__", *sorted(self.names & _OF_FUNCTIONS)):
                    if getattr(value, name) is not None or name in self.names:
                        yield GuardSource.of_attribute(value, name, label)
                yield from self._namespace_sources(value, vars(value), label)
        elif cls is functools.partial:
            for name in ("func", "args", "keywords"):
                yield GuardSource.of_attribute(value, name, label)
            yield from self._namespace_sources(value, vars(value), label, names=self.read)
        elif isinstance(value, threading.local):
            yield from self._thread_sources(value, label)
        elif isinstance(value, type):
            yield from self._class_sources(value, label)
        elif is_looked_into(cls):
            yield GuardSource(value, "__class__", label, read=functools.partial(type, value), text="type({})")
            own_attributes = attributes(value)
            if type(own_attributes) is dict:
                always = own_attributes if _is_holder(cls) else ()
                yield from self._namespace_sources(value, own_attributes, label, always, self.read)
                if not self.names.isdisjoint(_WHOLE):
                    yield GuardSource(own_attributes, None, label, own_attributes)
            yield from self._slot_sources(value, label)
            yield from self._computed_sources(value, label)
        elif is_watched_library(cls):
            if cls.__module__ == "decimal":
                self._follow_decimal_context()
            own_attributes = attributes(value)
            if type(own_attributes) is dict:
                yield from self._namespace_sources(value, own_attributes, label, names=self.read)
            yield from self._computed_sources(value, label)

    def _library_module_sources(
        self, module: types.ModuleType, space: dict[str, Any], label: str
    ) -> Iterator[GuardSource | AbsenceGuard]:
        """The data in a module of a library: numbers, texts, and what is no code: `sys.argv`, `sys.stdout`, `logging.root`."""
        package = module.__name__.split(".")[0]
        for name in sorted(self.names.intersection(space)):
            value = space[name]
            if value is sys.modules:
                yield from self._namespace_sources(value, value, f"{label}.{name}")
            elif plain_key(value) is not NOTHING or not (package in _CODE_ONLY or isinstance(value, _CODE)):
                yield GuardSource(module, name, f"{label}.{name}", space=space)

    def _proxy_sources(self, proxy: Any, label: str) -> Iterator[GuardSource | AbsenceGuard]:
        """The attributes of the object behind a `weakref.proxy`, which is not kept alive, and whether it is alive."""
        yield GuardSource(proxy, "alive", label, read=functools.partial(_is_alive, proxy))
        if _is_alive(proxy):
            cls, own_attributes = type(proxy.__init__.__self__), attributes(proxy.__init__.__self__)
            yield GuardSource(cls, None, label, cls)
            if type(own_attributes) is dict:
                yield from self._namespace_sources(proxy, own_attributes, label, names=self.read)

    def _thread_sources(self, local: threading.local, label: str) -> Iterator[GuardSource]:
        """The attributes of a `threading.local`, of which each thread has its own."""
        cls = type(local)
        if cls is not threading.local:
            yield GuardSource(cls, None, label, cls)
        present = self.read.intersection(_of_this_thread(local))
        for name in sorted(present):
            yield GuardSource(local, name, f"{label}.{name}", read=functools.partial(_in_thread, local, name))
        absent = frozenset(self.read - present)
        yield GuardSource(local, ABSENT, label, read=functools.partial(_is_absent_in_thread, local, absent))

    def _computed_sources(self, value: object, label: str) -> Iterator[GuardSource]:
        """Plain values that a class of a library computes for an attribute: `file.closed`, `error.args`, `context.prec`."""
        cls: Any = type(value)
        for name in sorted(self.read & computed_attributes(cls)):
            read = functools.partial(_plain_attribute, value, name)
            if read() is not NOTHING:
                yield GuardSource(value, name, f"{label}.{name}", read=read)

    def _has_varied(self, layer: Layer, name: str, value: object) -> bool:
        """True if an attribute of a Layer holds a number that is or becomes an input, or a container that counts by its items."""
        place_id = id(layer), name
        if place_id in self._inputs or place_id in self._itemwise:  # (the attribute does not move the epoch, whatever is there now)
            return True
        if id(layer) in self.seated:
            return False
        if _may_be_itemwise(value):
            return self._is_itemwise(place_id, value)
        if type(value) not in NUMBERS:
            return False
        first_text = self._first_layer_numbers.setdefault((*place_id, type(value)), repr(value))
        if first_text == repr(value) or place_id in self._built_in:
            return False
        self.first_keys.setdefault(place_id, (type(value), first_text))
        return True

    def _namespace_sources(
        self, owner: object, space: Mapping[str, Any], label: str, always: Iterable[str] = (), names: frozenset[str] | None = None
    ) -> Iterator[GuardSource | AbsenceGuard]:
        """The places of a namespace that code mentions (or ``names``), and those of ``always``; the absence of the other names."""
        names = self.names if names is None else names
        for name in sorted(names.intersection(space).union(always)):
            yield GuardSource(owner, name, f"{label}.{name}", space=space)
        yield AbsenceGuard(space, names)

    def _class_sources(self, cls: type, label: str) -> Iterator[GuardSource | AbsenceGuard]:
        """Attributes of a class, its bases and its metaclass, and methods that Python calls by itself, whose code may run, too."""
        if type(cls) is not type and is_looked_into(type(cls)):
            yield GuardSource(type(cls), None, f"the class of {label}", type(cls))
        for base in cls.__mro__:
            if is_looked_into(base):
                attributes = vars(base)
                if "__match_args__" in self.names and type(attributes.get("__match_args__")) is tuple:
                    self._add_names(set(attributes["__match_args__"]), set(attributes["__match_args__"]))
                code = {name: function for name in attributes if (function := _user_function_of(attributes[name])) is not None}
                special = [name for name in code if name.startswith("__")]
                special += ["forward"] if issubclass(base, Layer) and "forward" in attributes else []
                unread = {"__init__", *inspect.getattr_static(base, "_in_runs", ()), *{"forward"}.difference(self.names)}
                for name in sorted(self.names.union(special).intersection(code) - unread):
                    self.track_function(code[name])
                names = [name for name in self.names.intersection(attributes) if not name.startswith("__")]
                for name in sorted({*names, *special}):
                    if not isinstance(attributes[name], types.MemberDescriptorType):
                        yield GuardSource(base, name, f"{label}.{name}", space=attributes)
                yield AbsenceGuard(attributes, frozenset(name for name in self.names if not name.startswith("__")))

    def _slot_sources(self, value: object, label: str) -> Iterator[GuardSource]:
        """The places of an object's slots that code names."""
        for base in type(value).__mro__:
            if is_looked_into(base):
                for name in sorted(self.names.intersection(vars(base))):
                    slot = vars(base)[name]
                    if isinstance(slot, types.MemberDescriptorType):
                        yield GuardSource(value, name, f"{label}.{name}", read=functools.partial(_in_slot, slot, value))


class _Kept:
    """A value in a key: literals compare by value, other objects by identity and contents. The key keeps it alive."""

    __slots__ = ("key", "value")

    def __init__(self, value: object) -> None:
        self.value = value
        self.key = key_of(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


class _TensorValues:
    """The values of a tensor: its array, which a guard compares number by number."""

    __slots__ = ("tensor", "value")

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor
        self.value = tensor._array


def key_of(value: object) -> Any:
    """Return the part of a key for a value: plain ones by value, others by id; of mutable ones the contents, too.

    (The key keeps the objects alive.)
    """
    if isinstance(value, _MUTABLE):
        return (id(value), _snapshot_of(value))
    return _snapshot_of(value.value) if type(value) is _TensorValues else _value_or_id(value)


def _snapshot_of(value: Any) -> Any:
    """The present contents of a mutable object, for a key."""
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype, _array_sample(value).tobytes())
    if isinstance(value, BUFFERS):
        view = memoryview(value)
        can_sample = view.nbytes and view.c_contiguous
        return view.nbytes, _array_sample(np.frombuffer(view, np.uint8)).tobytes() if can_sample else bytes(view)
    items = map(_value_or_id, _item_sample(value))
    if isinstance(value, dict):
        return len(value), tuple(items), tuple(map(_value_or_id, _item_sample(value.values())))
    return len(value), frozenset(items) if isinstance(value, set) else tuple(items)


def _value_or_id(value: object) -> Any:
    """A plain value in a form that tells types apart, else the id of the object."""
    key = plain_key(value)
    return id(value) if key is NOTHING else key


def _item_sample(values: Any) -> Any:
    """All items of a container, or `ITEMS` of them, spread evenly, if it has more."""
    return values if len(values) <= ITEMS else itertools.islice(values, 0, None, len(values) // ITEMS + 1)


def _array_sample(value: Any) -> Any:
    """All numbers of an array, or at most `_ARRAY_ITEMS` of them, spread evenly."""
    step = value.size // _ARRAY_ITEMS + 1
    return value.reshape(-1)[::step] if value.flags.c_contiguous else value.flat[::step]


def still_holds(collected: tuple[Any, ...]) -> bool:
    """True if every place still holds the value that a collection recorded (see `Guards.collected`)."""
    try:
        return collected[2]()  # type: ignore[no-any-return]
    except (AttributeError, LookupError, ValueError):  # something is not there any more
        return False


def _always_true() -> bool:
    return True


def _is_small(value: Any) -> bool:
    """True if a list, or a dict of names, is compared item by item."""
    cls = type(value)
    return (cls is list or (cls is dict and all(type(key) is str for key in value))) and len(value) <= _FEW


def _content_check(value: Any) -> Callable[[], bool]:
    """Return a function that is true while a mutable object has its present contents."""
    if type(value) is _TensorValues:
        snapshot = _TensorValues(value.tensor)
        tensor, same_content = value.tensor, _content_check(snapshot.value)
        return lambda: tensor._array is snapshot.value and same_content()
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        shape, sample = value.shape, _array_sample(value).tobytes()
        return lambda: value.shape == shape and _array_sample(value).tobytes() == sample
    contents = _snapshot_of(value)
    return lambda: _snapshot_of(value) == contents  # type: ignore[no-any-return]


@functools.lru_cache(maxsize=1000)
def _check_code(text: str, operands: int) -> types.CodeType:
    """The code of a check function: its text, and how many parameters ``_0``, ``_1``, ... it has."""
    return define(f"def check({', '.join(f'_{i}' for i in range(operands))}):\n{text}", {})["check"].__code__  # type: ignore[no-any-return]


def _callable_parts(value: Any) -> tuple[Any, ...]:
    """The parts of a callable, or of a view of a mapping."""
    cls = type(value)
    if cls is types.MethodType:
        return value.__func__, value.__self__
    if cls is types.MappingProxyType:
        return (mapping_of(value),)
    if cls is np.flatiter:
        return (value.base,)
    if hasattr(cls, "dygraph_function"):  # a static function
        return (value.dygraph_function,)
    return ()


def _user_function_of(member: object) -> Any:
    """The user's function behind a member of a class, such as a property or static method; None for other members."""
    if isinstance(member, property):
        member = member.fget
    elif isinstance(member, (classmethod, staticmethod)):
        member = member.__func__
    elif isinstance(member, functools.cached_property):
        member = member.func
    return member if type(member) is types.FunctionType and is_user_module(member.__module__) else None


def _named_items(value: object) -> Iterable[tuple[Any, Any]]:
    """The items of a container, or a sample of many, with their keys or indices; of a dict also the keys."""
    if isinstance(value, dict):
        keys = (("key", key) for key in _item_sample(value))
        return [*keys, *zip(_item_sample(value), _item_sample(value.values()), strict=True)]
    return enumerate(_item_sample(value))


def _current_item(source: GuardSource, name: Any) -> Any:
    """Return an item of the container that a place holds now, or `MISSING`."""
    container: Any = parts_of(source.value if source.read is None else source.read())
    try:
        return container.get(name, MISSING) if isinstance(container, dict) else container[name]
    except (TypeError, LookupError):
        return MISSING


def _may_be_itemwise(value: object) -> bool:
    """True for a container, or an object that is no more than its attributes."""
    return isinstance(value, _CONTAINERS) or is_record(value)


def _is_input(value: object) -> bool:
    """True if a value can be an input."""
    return type(value) is EagerTensor or fits(value)


def _label_of_item(source: GuardSource, name: Any) -> str:
    """The words for an item of a container: ``['a'][0] of attribute 'options' of a Net``."""
    if is_record(source.value):
        return f"{source.label}.{name}"
    if source.parent is None or "] of " not in source.label:
        return f"[{name!r}] of {source.label}"
    head, _, tail = source.label.partition("] of ")
    return f"{head}][{name!r}] of {tail}"


def _read_text(source: GuardSource, container_variables: Mapping[Any, str], name: Callable[[object], str]) -> str:
    """Return the expression that reads the value of a source.

    ``container_variables``: the variables that hold containers, by their sources.
    """
    if source.parent is not None:
        return f"{container_variables[source.parent.id]}[{name(source.name)}]"
    if source.space is not None:
        return f"{name(source.space)}[{name(source.name)}]"
    if source.text:
        return source.text.format(name(source.owner))
    return name(source.value) if source.read is None else f"{name(source.read)}()"


def _same_kind_text(read_text: str, tensor: EagerTensor, name: Callable[[object], str]) -> str:
    """Return an expression: does ``read_text`` give a tensor with the shape, dtype and ``stop_gradient`` of ``tensor``?"""
    array = tensor._array
    return (
        f"{name(type)}(t := {read_text}) is {name(EagerTensor)} and t._array.shape == {name(array.shape)} "
        f"and t._array.dtype is {name(array.dtype)} and t.stop_gradient is {name(bool(tensor.stop_gradient))}"
    )


def is_fixed(value: object) -> bool:
    """True if a value is plain and immutable."""
    if type(value) is tuple:
        return all(map(is_fixed, value))
    return type(value) is not list and plain_key(value) is not NOTHING


@functools.lru_cache(maxsize=1000)
def is_looked_into(cls: object) -> bool:
    """True for the user's classes, and for those whose objects hold what users put there."""
    module = getattr(cls, "__module__", None)
    module = module if isinstance(module, str) else "builtins"  # classes made in C may have anything there
    return is_user_module(module) or module.split(".")[0] in _INSPECTED or module.startswith(_OURS)


@functools.lru_cache(maxsize=1000)
def _is_holder(cls: type) -> bool:
    """True if methods of a library read the attributes."""
    return any(package_of(base) in _HOLDERS for base in cls.__mro__)


def attributes(value: object) -> Any:
    """Return the ``__dict__`` of an object without calling code of its class; None if it has none."""
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None


def _in_slot(slot: types.MemberDescriptorType, owner: object) -> Any:
    try:
        return slot.__get__(owner)
    except AttributeError:
        return MISSING


def _cell_contents(cell: types.CellType) -> Any:
    return MISSING if cell == _EMPTY else cell.cell_contents


def _is_alive(proxy: Any) -> bool:
    try:
        return proxy.__init__ is not None
    except ReferenceError:
        return False


def _of_this_thread(local: threading.local) -> dict[str, Any]:
    return threading.local.__getattribute__(local, "__dict__")  # type: ignore[no-any-return]


def _in_thread(local: threading.local, name: str) -> Any:
    return _of_this_thread(local).get(name, MISSING)


def _is_absent_in_thread(local: threading.local, names: frozenset[str]) -> bool:
    return _of_this_thread(local).keys().isdisjoint(names)


def _plain_attribute(value: object, name: str) -> Any:
    """An attribute, if it is plain; else `NOTHING`: another object in each call would make another Program in each."""
    try:
        attribute = getattr(value, name)
    except Exception:  # a library may refuse to compute it now: a closed file, a thread that has not begun
        return MISSING
    return attribute if is_fixed(attribute) else NOTHING


@functools.lru_cache(maxsize=1000)
def computed_attributes(cls: Any) -> frozenset[str]:
    """The attributes that classes of libraries compute for their objects, which may be others in each call."""
    members: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-1]):
        if is_watched_library(base):
            members.update(vars(base))
    computed = (types.GetSetDescriptorType, types.MemberDescriptorType, property)
    return frozenset(name for name, member in members.items() if isinstance(member, computed) and not name.startswith("__"))


@functools.lru_cache(maxsize=1000)
def is_watched_library(cls: type) -> bool:
    """True for classes of libraries whose objects change, such as loggers, files and errors."""
    if package_of(cls) == "builtins":
        return issubclass(cls, (BaseException, types.GeneratorType))
    return not is_looked_into(cls) and package_of(cls) not in _UNCHANGING


_interned: dict[Any, Any] = {}  # so that equal states are one object, which the check compares


def _decimal_context(getcontext: Callable[[], Any]) -> Any:
    context = getcontext()
    traps = tuple(context.traps.values())
    state = (context.prec, context.rounding, context.Emin, context.Emax, context.capitals, context.clamp, traps)
    return _interned.setdefault(state, state)


def _numpy_errors() -> Any:
    state = tuple(np.geterr().values())
    return _interned.setdefault(state, state)


def _caller_records() -> bool:
    current = mode.current()
    return current.caller_records if current.building else mode.grad_enabled()
