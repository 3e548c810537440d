"""Methods that Python calls by itself: operators, items, properties, `__init__` of the user's classes.

No call of them stands in translated code. While a function is traced, the classes that it meets have, in their place, methods that
lead to the translated ones; afterwards they have their own again.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import functools
import inspect
import threading
import weakref
from types import FunctionType, MethodType, ModuleType
from typing import Any

from to_static.ir import mode
from to_static.jit.jst.blocks import touch
from to_static.jit.jst.logic import not_
from to_static.jit.jst.sequences import COMPARE
from to_static.jit.jst.text import plainly
from to_static.jit.recording import meet_all
from to_static.transpile.resolve import is_library

# Python takes a plain bool, int or string from these (`special` has the first three), or they are called to make the class work
_OWN = frozenset([
    "__bool__", "__len__", "__contains__", "__hash__", "__index__", "__int__", "__float__", "__complex__", "__bytes__",
    "__new__", "__del__", "__init_subclass__", "__class_getitem__", "__getattribute__",
    "__dir__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__sizeof__",
    "__set_name__", "__instancecheck__", "__subclasscheck__", "__length_hint__",
    "__enter__", "__exit__",  # `contexts` looks at these
])  # fmt: skip
_TEXTS = frozenset(["__repr__", "__str__", "__format__"])
_SIGNS = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
_DEPTH = 3  # of attributes that are looked into for more objects

_lock = threading.Lock()
_installed: dict[type, tuple[list[int], dict[str, Any]]] = {}  # class -> how many traces use it, what it has of its own


class Methods:
    """The classes that one trace has met."""

    def __init__(self) -> None:
        # whether it has a class of the user's among its bases; those of the call go with it, and with them what their methods see
        self._classes: weakref.WeakKeyDictionary[type, bool] = weakref.WeakKeyDictionary()
        self._mine: list[type] = []
        self._known: dict[int, Any] = {}  # id -> weak reference to an object that was looked into

    def see(self, value: Any, depth: int = _DEPTH) -> None:
        """Meet an object, what its attributes hold, and their classes."""
        kind = type(value)
        if kind is FunctionType:
            self._names(value)
        elif kind is MethodType:
            self.see(value.__self__)
        elif kind is functools.partial:
            for part in (value.func, *value.args):
                self.see(part)
        elif issubclass(kind, type):
            self._class(value)
        elif self._class(kind) and self._is_new(value):
            for held in list(getattr(value, "__dict__", {}).values()) if depth else ():
                self.see(held, depth - 1)

    def restore(self) -> None:
        """Give the classes their own methods back."""
        with _lock:
            for kind in self._mine:
                users, own = _installed[kind]
                users[0] -= 1
                if not users[0]:
                    del _installed[kind]
                    _give_back(kind, own)
        self._mine.clear()

    def _is_new(self, value: Any) -> bool:
        known = self._known.get(id(value))
        if known is not None and known() is value:
            return False
        with contextlib.suppress(TypeError):  # of a class with `__slots__`: looked into again and again
            self._known[id(value)] = weakref.ref(value)
        return True

    def _names(self, function: FunctionType) -> None:
        """What a function reads from outside."""
        if not self._is_new(function):
            return
        space = function.__globals__
        for name in function.__code__.co_names:
            if not isinstance(space.get(name), (FunctionType, ModuleType)):
                self.see(space.get(name))
        for cell in function.__closure__ or ():
            try:
                held = cell.cell_contents
            except ValueError:  # nothing assigned yet
                continue
            if type(held) is not FunctionType:
                self.see(held)

    def _class(self, kind: type) -> bool:
        """Install the methods of the user's classes among its bases; False where there are none."""
        known = self._classes.get(kind)
        if known is None:
            is_enum = issubclass(kind, enum.Enum)
            theirs = [] if is_enum else [base for base in kind.__mro__ if not is_library(base)]
            known = self._classes[kind] = bool(theirs)
            for base in theirs:
                self._install(base)
                self._class(type(base))
                for held in {type(value) for value in vars(base).values()}:  # descriptors
                    self._class(held)
        return known

    def _install(self, kind: type) -> None:
        if kind in self._mine:
            return
        with _lock:
            if kind in _installed:
                _installed[kind][0][0] += 1
                self._mine.append(kind)
                return
            own = {name: value for name, value in vars(kind).items() if _is_special(name, value)}
            if not own:
                return
            try:
                for name, value in own.items():
                    made = _of_fields(kind, name, value) or _leading(value)
                    type.__setattr__(kind, name, made)
                    if type(made) in (property, functools.cached_property) and hasattr(made, "__set_name__"):
                        made.__set_name__(kind, name)  # what errors call it
                if "__eq__" in own and "__ne__" not in vars(kind):
                    type.__setattr__(kind, "__ne__", _differs)
            except (AttributeError, TypeError):  # a class that can't be changed
                with contextlib.suppress(AttributeError, TypeError):
                    _give_back(kind, own)
                return
            _installed[kind] = [1], own
            self._mine.append(kind)


def _give_back(kind: type, own: dict[str, Any]) -> None:
    for name, value in own.items():
        if vars(kind)[name] is not value:
            type.__setattr__(kind, name, value)
    if vars(kind).get("__ne__") is _differs:
        type.__delattr__(kind, "__ne__")


def _differs(a: Any, b: Any) -> Any:
    """``!=`` as Python makes it of `__eq__`, which may give a number of the Program."""
    found = a.__eq__(b)
    return found if found is NotImplemented else not_(found)


def _is_special(name: str, value: Any) -> bool:
    if type(value) is property:
        return any(type(f) is FunctionType for f in (value.fget, value.fset, value.fdel))
    if type(value) is functools.cached_property:
        return type(value.func) is FunctionType
    if name == "__new__" and type(value) is staticmethod:
        return type(value.__func__) is FunctionType and not value.__func__.__code__.co_filename.startswith("<")
    if type(value) is not FunctionType or value.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE):
        return False
    return name.startswith("__") and name.endswith("__") and name not in _OWN


def _of_fields(kind: type, name: str, value: Any) -> Any:
    """A comparison that `dataclasses` wrote, which has no source, over tensors; None for others."""
    sign = _SIGNS.get(name)
    if sign is None or "__dataclass_fields__" not in vars(kind) or value.__code__.co_filename != "<string>":
        return None
    names = [field.name for field in dataclasses.fields(kind) if field.compare]  # type: ignore[arg-type]

    def run(a: Any, b: Any) -> Any:
        if not mode.building() or type(a) is not type(b):
            return value(a, b)
        meet_all(value)
        return COMPARE[sign](tuple(getattr(a, name) for name in names), tuple(getattr(b, name) for name in names))

    return run


def _announced(function: Any, name: Any) -> Any:
    """The function of a cached property, which Python keeps the result of as an attribute."""

    def run(owner: Any) -> Any:
        made = function(owner)
        if mode.building():
            touch(owner, name)
        return made

    return run


def _leading(value: Any) -> Any:
    """A method or property that leads to the translated one where a Program is being built."""
    if type(value) is property:
        parts: list[Any] = [_leading(f) if type(f) is FunctionType else f for f in (value.fget, value.fset, value.fdel)]
        return property(parts[0], parts[1], parts[2], value.__doc__)
    if type(value) is functools.cached_property:
        return functools.cached_property(_announced(_leading(value.func), value.attrname))
    if type(value) is staticmethod:
        return staticmethod(_leading(value.__func__))

    @functools.wraps(value)
    def run(*args: Any, **kwargs: Any) -> Any:
        if not mode.building() or (value.__name__ == "__getattr__" and args[1].startswith("__")):  # which Python looks for
            return value(*args, **kwargs)
        made = mode.state.mode.translate(value)(*args, **kwargs)
        return plainly(made) if value.__name__ in _TEXTS else made

    run.__leads_to__ = value  # type: ignore[attr-defined]
    return run
