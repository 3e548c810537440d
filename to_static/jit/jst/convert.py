"""``call``: the translated form of whatever translated code is about to call."""

from __future__ import annotations

import builtins
import collections
import contextlib
import enum
import functools
import inspect
import operator
import sys
import types
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.libraries import LIBRARIES
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.ir.number import Number
from to_static.jit import recording
from to_static.jit.contents import member
from to_static.jit.jst import (
    caches,
    casts,
    checks,
    collect,
    displays,
    enums,
    folds,
    formatting,
    functional,
    generators,
    items,
    iterate,
    iterators,
    list_methods,
    positions,
    questions,
    ranges,
    setting,
    streams,
    text,
    updates,
    wholes,
    world,
)
from to_static.jit.jst.blocks import reach, touch
from to_static.jit.jst.chosen import over, over_items
from to_static.jit.jst.iterate import members_of, view_of
from to_static.jit.jst.levels import CALLS, level, ways
from to_static.jit.jst.mathematics import mathematical, pow_
from to_static.jit.jst.pure import form_of
from to_static.jit.jst.table_kinds import KINDS
from to_static.jit.jst.traced import is_tensor, is_traced
from to_static.transpile import is_translated, transpile_function, widened
from to_static.transpile.scopes import MUTATORS
from to_static.transpile.source import source_of

_ignored: set[str] = set()
# what `functools.total_ordering` gives to classes of the user's: they ask for the truth of the user's own comparison
_ORDERINGS = frozenset(made for derived in getattr(functools, "_convert", {}).values() for _, made in derived)


def ignore_modules(modules: list[Any]) -> None:
    """Never translate functions of these modules (module objects or names), nor of modules inside them."""
    _ignored.update(m if isinstance(m, str) else m.__name__ for m in modules)


def _is_ignored(function: Any) -> bool:
    module = getattr(function, "__module__", None) or ""  # none where exec() made it in a namespace without a name
    if module.split(".")[0] in LIBRARIES:
        return function not in _ORDERINGS
    return any(module == name or module.startswith(name + ".") for name in _ignored)


def _asking(function: Any) -> Any:
    """`getattr` or `hasattr`, which may read an attribute that nothing else mentions."""

    @over
    def asked(*args: Any) -> Any:
        recording.ask(args[1] if len(args) > 1 else None)
        return function(*args)

    return asked


def _write(text: Any) -> int:
    """``sys.stdout.write`` at every run of the Program."""
    checks.print_(text, end="")
    return len(text)


_TEXTS = {"format": formatting.format_of, "format_map": formatting.format_map_of, "join": formatting.join_of}
_TWINS: dict[Any, Any] = {
    builtins.print: checks.print_, builtins.len: casts.len_, builtins.int: casts.int_, builtins.float: casts.float_,
    builtins.bool: casts.bool_, builtins.range: ranges.range_, builtins.enumerate: iterate.enumerate_,
    builtins.zip: iterate.zip_, builtins.reversed: iterate.reversed_, builtins.map: iterators.map_,
    builtins.filter: iterators.filter_,
    builtins.sorted: folds.sorted_, builtins.any: folds.any_, builtins.all: folds.all_, builtins.max: folds.max_,
    builtins.min: folds.min_, builtins.sum: folds.sum_, builtins.isinstance: questions.isinstance_, builtins.str: text.str_,
    builtins.repr: text.repr_, builtins.setattr: setting.setattr_,
    builtins.delattr: setting.delattr_,
    builtins.getattr: _asking(questions.getattr_), builtins.hasattr: _asking(questions.hasattr_), builtins.id: questions.id_,
    builtins.next: iterators.next_, builtins.iter: iterators.iter_,
    builtins.pow: pow_, builtins.tuple: collect.tuple_, builtins.format: formatting.format_,
    builtins.open: streams.open_, builtins.list: collect.list_,
    collections.Counter: displays.counter,
    builtins.dict: displays.dict_, builtins.set: displays.set_, **functional.TWINS, **updates.TWINS,
}  # fmt: skip


def call(target: Any) -> Any:
    """``target`` in the form to call from translated code.

    The user's functions, methods, callable objects, partials and Layers' ``forward`` are translated, once per code object;
    builtins that must understand tensors are replaced; library code, classes, generator functions, functions without source
    and those marked ``not_to_static`` stay as they are. Where values exist that are one of several kinds, the result calls the
    function with each of them. Raises TranslationError for a user's function without translation.
    """
    kind = type(target)
    if world.is_refused(target):
        return world.refuse
    if world.is_asked(target):
        return world.asking(target)
    if kind is types.BuiltinFunctionType or kind is types.BuiltinMethodType:
        twin = _TWINS.get(target)
        if twin is not None:
            return twin
        python = form_of(target) if mode.building() else None
        if python is not None:
            return call(python)
        if target.__module__ == "math" and mode.building():
            function = mathematical(target)
            return over(function) if mode.state.mode.choices else function
        owner = target.__self__
        if owner is dict and target.__name__ == "fromkeys" and mode.building():
            return displays.from_keys
        if isinstance(owner, (dict, set)) and type_of(owner) in KINDS and target.__name__ in _KEYED and mode.building():
            return _of_table(target, owner)
        if type(owner) is list and target.__name__ == "extend" and mode.building():
            return over(list_methods.extend(owner))
        if target.__name__ in MUTATORS and isinstance(owner, (list, dict, set, bytearray, collections.deque)):
            touch(owner)
        if type(owner) in (list, tuple) and target.__name__ in positions.METHODS and mode.building():
            made = positions.method(owner, target.__name__)
            return over(made) if mode.state.mode.choices else made
        if isinstance(owner, str) and target.__name__ in _TEXTS and mode.building():
            return _TEXTS[target.__name__](owner)
        written = streams.twin(target)
        if written is not None:
            return written
        if owner is sys.stdout and target.__name__ == "write" and mode.building():
            return _write
        if mode.building() and (mode.state.mode.choices or level()) and isinstance(owner, (str, bytes, types.ModuleType)):
            return over(target)
        return target
    setter = setting.plainly(target)
    if setter is not None:
        return setter
    if kind in (types.FunctionType, types.MethodType) and target.__name__ in streams.NAMES:
        written = streams.twin(target)
        if written is not None:
            return written
    if kind is types.MethodType and isinstance(target.__self__, contextlib.ExitStack) and target.__name__ == "callback":
        return lambda function, /, *args, **kwargs: target(call(function), *args, **kwargs)
    made = _called(target, kind)
    return wholes.noting(made) if kind is types.FunctionType and target in wholes.READERS else made


def _called(target: Any, kind: type) -> Any:
    current = mode.state.mode
    made = converted(target)
    generator = type(made) is functools.partial and made.func is generators.start
    if not current.building or isinstance(target, type) or generator:
        return made
    if level() >= CALLS and made is target and (kind is types.FunctionType or _of_tensor(target)) and _is_ignored(target):
        return over_items(made)
    return over(made) if current.choices else made


def _of_tensor(method: Any) -> bool:
    """Whether this is a method of a tensor that is nothing else."""
    owner: Any = method.__self__ if type(method) is types.MethodType else None
    return is_tensor(owner) and hasattr(owner.spec, "shape")


_KEYED = MUTATORS | {"get"}  # methods that may be given a key


def _of_table(target: Any, owner: Any) -> Any:
    """A method of a dict or set whose first argument may be a key that tensors decide."""
    name = target.__name__

    def called(*args: Any, **kwargs: Any) -> Any:
        traced = any(map(is_traced, args)) and name not in ("update", "clear", "popitem") and is_traced(args[0])
        if name == "get":
            return items.looked_up(owner, *args) if traced else target(*args, **kwargs)
        if traced or (name == "update" and any(is_traced(arg) or view_of(members_of(arg)) is not None for arg in args)):
            return getattr(items.with_any_key(owner), name)(*args, **kwargs)
        touch(owner)
        return target(*args, **kwargs)

    return called


def converted(target: Any) -> Any:
    """``target`` translated, if it is a function or something that leads to one."""
    current, kind = mode.state.mode, type(target)
    if current.building and current.methods is not None:
        current.methods.see(target)
    if kind is types.FunctionType:
        return _TWINS.get(target) or _function(target)
    if kind is types.MethodType:
        function = target.__func__
        if type(function) is types.FunctionType:
            made = _function(function)
            return target if made is function else types.MethodType(made, target.__self__)
        return call(function) if function is target else functools.partial(call(function), target.__self__)
    if isinstance(target, type):
        return enums.looked_up(target) if isinstance(target, enum.EnumMeta) and current.building else _TWINS.get(target, target)
    if kind is functools.partial:
        made = call(target.func)
        return target if made is target.func else functools.partial(made, *target.args, **target.keywords)
    if kind is operator.methodcaller:
        return functional.method_caller(target)
    if kind is operator.attrgetter:
        return functional.attribute_getter(target)
    if kind is caches.KIND:
        return caches.cached(target)
    if member(kind, "dygraph_function") is not None:  # a function that is static by itself: traced into this Program
        return call(target.dygraph_function)
    return _object(target)


def _object(target: Any) -> Any:
    """A callable object: its class's ``__call__``; for a Layer that leads to `forward`."""
    method = getattr(type(target), "__call__", None)  # noqa: B004
    if any(target is end for end in _ENDS):
        return sys.exit  # they close the terminal's input before, now
    if isinstance(target, Number):
        return functools.partial(_not_callable, target.python_type.__name__)
    if type(method) is not types.FunctionType:
        return target
    made = _function(method)
    return target if made is method else types.MethodType(made, target)


_ENDS = [vars(builtins)[name] for name in ("exit", "quit") if name in vars(builtins)]  # not without the module `site`


def _not_callable(kind: str, *args: Any, **kwargs: Any) -> Any:
    raise TypeError(f"{kind!r} object is not callable")


def is_translatable(function: types.FunctionType) -> bool:
    """Whether a function is the user's, and has a source."""
    if _is_ignored(function) or getattr(function, "__not_to_static__", False):
        return False
    code = function.__code__
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return False
    return not code.co_filename.startswith("<") or is_translated(code) or _has_source(function)


def _function(function: types.FunctionType) -> Any:
    function = getattr(function, "__leads_to__", function)
    code = function.__code__
    if not is_translatable(function):  # of a library, or made by exec: a dataclass's __init__, a namedtuple's __new__
        if not code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
            recording.meet_all(function)
        return function
    if is_translated(code):
        return _begun(widened(function, **ways()))
    from to_static.jit import jst

    recording.meet(function)
    reach(function)
    try:
        return _begun(transpile_function(function, jst, entry=False, **ways())[0])
    except TranslationError:
        if code.co_flags & inspect.CO_GENERATOR:
            return function
        raise


def _begun(function: Any) -> Any:
    """``function``, whose generator the trace knows if it is a generator function."""
    return functools.partial(generators.start, function) if function.__code__.co_flags & inspect.CO_GENERATOR else function


def _has_source(function: types.FunctionType) -> bool:
    try:
        return bool(source_of(function).lines)
    except TranslationError:
        return False
