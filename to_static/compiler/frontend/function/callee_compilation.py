"""Functions that are called after a graph break: the function itself runs in Python, its callees can still be static.

A callee becomes a static function if that cannot change its meaning: a Layer, or a user's function or method, that is called
with tensors and plain values. Otherwise Python calls it.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterable
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.jst.calls.converted_call import is_translatable
from to_static.core.caching.weak_tables import WeakKeys, WeakValues
from to_static.core.importing.skiplist import is_user_module
from to_static.nn.layer import Layer

_PLAIN = frozenset((bool, int, float, str, type(None)))
_GENERATORS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_MOST = 512  # static functions in one table


class CalleeCache:
    """The static functions for the callees of one user function that runs in Python, and for their callees.

    They live as long as that function does. A Layer that is not below the object of the function may exist for one call only: it
    gets a static function when it is called again.
    """

    def __init__(self, instance: Any) -> None:
        self._instance = instance
        self._parts: dict[tuple[types.FunctionType, int], Any] = {}
        self._called_layers: WeakValues[int, Layer] = WeakValues()

    def part(self, function: types.FunctionType, instance: Any, make: Callable[..., Any]) -> Any:
        """Return the static function for a function, or for a method of a Layer; None if it should have none."""
        key = function, id(instance)
        static_part = self._parts.get(key)
        if static_part is None and len(self._parts) < _MOST and self._is_reused(instance):
            static_part = self._parts[key] = make(function, None, instance, table=self)
        return static_part

    def _is_reused(self, instance: Any) -> bool:
        """True if an object may be called again: it is below the instance of the function, or has been called before."""
        if instance is None or self._called_layers.get(id(instance)) is instance:
            return True
        self._called_layers[id(instance)] = instance
        top = self._instance
        return isinstance(top, Layer) and any(layer is instance for layer in top.sublayers(include_self=True))


class SplitCalls:
    """Intercepts the calls that one function makes in Python.

    ``compiled``: the static functions that were called, in order, with their names.
    """

    def __init__(self, make: Callable[..., Any], table: CalleeCache) -> None:
        self._make = make
        self._table = table
        self.compiled: dict[Any, str] = {}

    def __call__(self, target: Any) -> Any:
        """Return the callable to call in place of ``target``: a static function if possible, else ``target``."""
        cls = type(target)
        if (target if cls is types.FunctionType else cls) in _library and not (isinstance(target, Layer) and target._sub_layers):
            return target
        if cls is types.FunctionType:
            if not is_user_module(target.__module__):
                _library[target] = True
                return target
            return functools.partial(self._run, target, target, None) if _is_lasting(target) else target
        if cls is types.MethodType:
            function, instance = target.__func__, target.__self__
            if type(function) is not types.FunctionType or not isinstance(instance, Layer) or not _is_users(function):
                return target
            return functools.partial(self._run, target, function, instance)
        if isinstance(target, Layer) and cls.__call__ is Layer.__call__:
            if not is_user_module(cls.__module__) and not target._sub_layers:
                _library[cls] = True
                return target
            forward = target.forward
            if type(forward) is types.MethodType and forward.__self__ is target and type(forward.__func__) is types.FunctionType:
                function = forward.__func__
                if _is_users(function) or (target._sub_layers and _is_self_contained(function)):
                    return functools.partial(self._run, target, function, target)
        return target

    def _run(self, target: Any, function: Any, instance: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call ``target`` as a static function if its arguments are tensors and plain values, else in Python."""
        if not (_has_tensor(args) or _has_tensor(kwargs.values())):
            return target(*args, **kwargs)
        if not (_has_only_plain_values(args) and _has_only_plain_values(kwargs.values())):
            return target(*args, **kwargs)
        part = self._table.part(function, instance, self._make)
        if part is None:
            return target(*args, **kwargs)
        if part not in self.compiled:
            self.compiled[part] = function.__qualname__.rpartition("<locals>.")[2]
        if target is instance and (instance._forward_pre_hooks or instance._forward_post_hooks):
            return instance._call_with_hooks(args, kwargs, part)
        return part(*args, **kwargs)


_library: WeakKeys[Any, bool] = WeakKeys()  # functions of libraries, and classes of their Layers, which Python calls
_translatable: WeakKeys[types.FunctionType, bool] = WeakKeys()  # results of `_is_users`


def _is_users(function: types.FunctionType) -> bool:
    """True for a function of the user that can be translated."""
    translatable = _translatable.get(function)
    if translatable is None:
        translatable = _translatable[function] = _is_self_contained(function) and is_translatable(function)
    return translatable


def _is_lasting(function: types.FunctionType) -> bool:
    """True if a function is the user's, and is not a local function, which each call may create again."""
    return "<locals>" not in function.__qualname__ and _is_users(function)


def _is_self_contained(function: types.FunctionType) -> bool:
    """True if a function is not a generator or coroutine, and shares no variables with other functions."""
    code = function.__code__
    return not code.co_flags & _GENERATORS and code.co_freevars in ((), ("__class__",))


def _has_tensor(values: Iterable[Any]) -> bool:
    """True if one of these is a tensor, also in lists and tuples."""
    return any((type(x) in (list, tuple) and _has_tensor(x)) or isinstance(x, EagerTensor) for x in values)


def _has_only_plain_values(values: Iterable[Any]) -> bool:
    """True if these are only tensors, Layers, numbers, strings and None, also in lists, tuples and dicts."""
    for x in values:
        cls = type(x)
        if cls is dict:
            if not _has_only_plain_values(x.values()):
                return False
        elif cls in (list, tuple):
            if not _has_only_plain_values(x):
                return False
        elif cls not in _PLAIN and not isinstance(x, (EagerTensor, Layer)):
            return False
    return True
