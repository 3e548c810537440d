"""The objects that a function can reach from outside, and what its trace left in them.

Python code keeps values in attributes, lists, dicts, globals and closures. While tracing, tensors that are kept so are tensors of
the Program. `Heap` notices them, puts the objects back as they were, and says (`Put`) what goes where after every run.
"""

from __future__ import annotations

import collections
import functools
import operator
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from to_static.core import tree
from to_static.ir.tensor import Tensor
from to_static.jit.containers import containers
from to_static.jit.contents import held, kept_by_class
from to_static.jit.handback import Recipes, fields, is_plain_class
from to_static.jit.watch import names_of
from to_static.nn.layer_tree import Table

MISSING = object()
LIMIT = 50_000  # objects that are looked at, at most


class Put(NamedTuple):
    """After a run, ``into`` gets what ``part`` makes, and before that the caller's container ``given`` where there is one."""

    into: Callable[..., None]
    part: Any
    given: int | None = None


class Heap:
    """What can be reached from functions and arguments, with copies of what it holds."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Any]] = {}

    def add(self, *roots: Any) -> None:
        """Look at these before anything changes them."""
        todo = list(roots)
        while todo and len(self._known) < LIMIT:
            value = todo.pop()
            if id(value) in self._known:
                continue
            found = held(value)
            if found is None:
                continue
            self._known[id(value)] = (value, _copy(value))
            todo += found[1]
            if type(value) is types.FunctionType:
                space = value.__globals__
                todo += [space[name] for name in names_of(value.__code__)[1] if name in space]
            todo += kept_by_class(value)

    def objects(self) -> list[Any]:
        """All objects that were there before the trace."""
        return [value for value, _ in self._known.values()]

    def spaces(self) -> list[dict[str, Any]]:
        """The namespaces of the modules that functions are of."""
        return list({id(v.__globals__): v.__globals__ for v in self.objects() if type(v) is types.FunctionType}.values())

    def has(self, value: Any) -> bool:
        """True for objects that were there before the trace."""
        found = self._known.get(id(value))
        return found is not None and found[0] is value

    def restore(self) -> None:
        """Give all objects what they held."""
        for value, before in self._known.values():
            now = _copy(value)
            if now is None or (len(now) == len(before) and not _new(before, now)):
                continue
            if type(value) is types.FunctionType:
                for cell, old in zip(value.__closure__ or (), before, strict=True):
                    if old is not MISSING:
                        cell.cell_contents = old
            elif isinstance(value, (list, set, dict, collections.deque)):
                put(value, before)
            else:
                for name in {**now, **before}:
                    if now.get(name, MISSING) is not before.get(name, MISSING):
                        _restore(value, name, before.get(name, MISSING))

    def holders(self, tensor: Any) -> int:
        """How many of the objects held this tensor."""
        found = (before.values() if isinstance(before, dict) else before or () for _, before in self._known.values())
        return sum(any(x is tensor for x in items) for items in found)

    def restores(self, value: Any) -> bool:
        """Whether `restore` gives this object what it held."""
        kind: Any = type(value)
        return self.has(value) and (kind in _RESTORED or is_plain_class(kind))

    def effects(self, recipes: Recipes, reads: Callable[[Any], bool]) -> tuple[list[Put], bool]:
        """What the trace left in objects, which get back what they held; and whether it goes on from what they held: ``reads``
        tells which tensors from outside the Program reads.

        Only what holds tensors of the Program: other changes stay, as Python made them.
        """
        made: list[Put] = []
        goes_on = False
        for value, before in self._known.values():
            now = _copy(value)
            if now is None or now is before or not any(map(recipes.holds, _new(before, now))):
                continue
            if type(value) is types.FunctionType:
                for cell, old, new in zip(value.__closure__ or (), before, now, strict=True):
                    if new is not old and recipes.holds(new):
                        made.append(Put(functools.partial(setattr, cell, "cell_contents"), recipes.part(new)))
                        cell.cell_contents = old
                        goes_on |= any(isinstance(x, Tensor) and reads(x) for x in tree.flatten(old)[0])
            elif isinstance(value, (list, set, dict, collections.deque)):
                made.append(Put(functools.partial(put, value), recipes.object(_content_kind(value), now)))
                put(value, before)
                goes_on = True
            else:
                for name, new in now.items():
                    if new is not before.get(name, MISSING) and recipes.holds(new):
                        made.append(Put(functools.partial(setattr, value, name), recipes.part(new)))
                        old = before.get(name, MISSING)
                        _restore(value, name, old)
                        goes_on |= any(isinstance(x, Tensor) and reads(x) for x in tree.flatten(old)[0])
        return made, goes_on


class Given:
    """The containers among the arguments: the function gets copies, and what it changes is changed in the caller's."""

    def __init__(self, arguments: Any) -> None:
        self.containers = containers(arguments)
        self._before = [_copy(value) for value in self.containers]

    def has(self, value: Any) -> bool:
        """Whether it is one of them."""
        return any(value is container for container in self.containers)

    def effects(self, recipes: Recipes) -> list[Put]:
        """What changes in the caller's containers."""
        made = []
        for i, (value, before) in enumerate(zip(self.containers, self._before, strict=True)):
            now = _copy(value)
            if isinstance(value, (list, dict)):
                if len(now) != len(before) or _new(before, now) or (isinstance(now, dict) and list(now) != list(before)):
                    made.append(Put(put, recipes.object(_content_kind(value), now), i))
            else:
                for name, new in now.items():
                    if new is not before.get(name, MISSING):
                        made.append(Put(functools.partial(_put_field, name), recipes.part(new), i))
        return made


def _content_kind(value: Any) -> str:
    return "dict" if isinstance(value, dict) else "list"


def _put_field(name: str, owner: Any, value: Any) -> None:
    object.__setattr__(owner, name, value)


def put(container: Any, content: Any) -> None:
    """Make a list, set, deque or dict hold ``content``."""
    container.clear()
    if isinstance(container, (list, collections.deque)):
        container.extend(content)
    else:
        container.update(content)


def _restore(owner: Any, name: str, value: Any) -> None:
    if value is MISSING:
        object.__delattr__(owner, name)
    else:
        object.__setattr__(owner, name, value)


def _new(before: Any, now: Any) -> list[Any]:
    """What is held now and was not before."""
    if isinstance(now, dict):
        return [x for key, x in now.items() if before.get(key, MISSING) is not x]
    same = len(now) == len(before) and all(map(operator.is_, now, before))
    return [] if same else now


def _copy(value: Any) -> Any:
    """A shallow copy of what can be put back: items, attributes or the contents of cells; None for others."""
    kind = type(value)
    if kind in (list, set, collections.deque):
        return list(value)
    if kind in (dict, collections.OrderedDict, collections.defaultdict, Table):
        return dict(value)
    if kind is types.FunctionType:
        return [cell.cell_contents if cell != _EMPTY else MISSING for cell in value.__closure__ or ()]
    return dict(fields(value)) if type(getattr(value, "__dict__", {})) is dict and not isinstance(value, type) else None


_EMPTY = types.CellType()
_RESTORED = (list, set, dict, collections.deque, collections.OrderedDict, collections.defaultdict, types.FunctionType)
