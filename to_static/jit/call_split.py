"""The split at calls: a function runs in Python after a graph break, and what it calls is static on its own.

A callee gets a static function of its own where that is surely the same to Python: a Layer, or a function or method of the user's,
that is called with tensors and plain values. When in doubt Python calls it.
"""

from __future__ import annotations

import functools
import inspect
import types
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from to_static.eager.tensor import EagerTensor
from to_static.jit.binding import can_keep
from to_static.jit.jst.convert import is_translatable
from to_static.nn.layer import Layer

_PLAIN = frozenset((bool, int, float, str, type(None)))
_LEFT = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_KEPT = "__static_part__"  # in the attributes of a function


class Parts:
    """What the calls of one function are handed to; ``made``: the static functions that it called, by name, in order."""

    def __init__(self, make: Callable[[types.FunctionType], Any]) -> None:
        self._make = make
        self.made: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()

    def __call__(self, target: Any) -> Any:
        """What to call in place of ``target``."""
        kind = type(target)
        if kind is types.FunctionType:
            return functools.partial(self._run, target, target, None) if _is_lasting(target) else target
        if kind is types.MethodType:
            function, instance = target.__func__, target.__self__
            if type(function) is not types.FunctionType or isinstance(instance, type) or not _is_users(function):
                return target
            return functools.partial(self._run, target, function, instance)
        if isinstance(target, Layer) and kind.__call__ is Layer.__call__:
            forward = target.forward
            if type(forward) is types.MethodType and forward.__self__ is target and type(forward.__func__) is types.FunctionType:
                function = forward.__func__
                if _is_users(function) or (target._sub_layers and _is_whole(function)):
                    return functools.partial(self._run, target, function, target)
        return target

    def _run(self, target: Any, function: Any, instance: Any, /, *args: Any, **kwargs: Any) -> Any:
        if not (_has_tensor(args) or _has_tensor(kwargs.values())) or not (_plain(args) and _plain(kwargs.values())):
            return target(*args, **kwargs)
        part = vars(function).get(_KEPT)
        if part is None or part._function is not function:
            part = self._make(function)
            setattr(function, _KEPT, part)
        if instance is not None:
            if not can_keep(instance):
                return target(*args, **kwargs)
            part = part.__get__(instance)
        if part not in self.made:
            self.made[part] = function.__qualname__.rpartition("<locals>.")[2]
        if target is instance and (instance._forward_pre_hooks or instance._forward_post_hooks):
            return instance._call_with_hooks(args, kwargs, part)
        return part(*args, **kwargs)


_users: weakref.WeakKeyDictionary[types.FunctionType, bool] = weakref.WeakKeyDictionary()


def _is_users(function: types.FunctionType) -> bool:
    found = _users.get(function)
    if found is None:
        found = _users[function] = _is_whole(function) and is_translatable(function)
    return found


def _is_lasting(function: types.FunctionType) -> bool:
    """Whether a function is the user's, and is not made anew in each call."""
    return "<locals>" not in function.__qualname__ and _is_users(function)


def _is_whole(function: types.FunctionType) -> bool:
    """Whether a function is no generator, and shares no variables with others."""
    code = function.__code__
    return not code.co_flags & _LEFT and code.co_freevars in ((), ("__class__",))


def _has_tensor(values: Iterable[Any]) -> bool:
    return any((type(x) in (list, tuple) and _has_tensor(x)) or isinstance(x, EagerTensor) for x in values)


def _plain(values: Iterable[Any]) -> bool:
    """Whether these are tensors, numbers, strings and None, in lists, tuples and dicts."""
    for x in values:
        kind = type(x)
        if kind is dict:
            if not _plain(x.values()):
                return False
        elif kind in (list, tuple):
            if not _plain(x):
                return False
        elif kind not in _PLAIN and not isinstance(x, (EagerTensor, Layer)):
            return False
    return True
