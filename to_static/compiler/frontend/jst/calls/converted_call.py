"""`call`: returns the function that translated code calls in place of another one."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import itertools
import logging
import operator
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.frontend.jst.calls.drawing import draws, note_drawing
from to_static.compiler.frontend.jst.calls.logging_calls import twin as record_twin
from to_static.compiler.frontend.jst.calls.math_calls import mathematical
from to_static.compiler.frontend.jst.calls.outside_state import (
    check_owner,
    check_untranslated,
    enters_lock,
    reaches_hidden_state,
)
from to_static.compiler.frontend.jst.calls.side_effects import check_classes, names_read, reads, watch_reads, writes
from to_static.compiler.frontend.jst.calls.special import SYNTAX, syntax_of
from to_static.compiler.frontend.jst.control.assertions import entering
from to_static.compiler.frontend.jst.iteration.iterate import ask_items
from to_static.compiler.frontend.jst.iteration.outside_iterators import check_iterators
from to_static.compiler.frontend.jst.objects.union import by_option
from to_static.compiler.frontend.jst.objects.write_barrier import touch
from to_static.compiler.frontend.jst.tracer_queries import is_traced
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.object_graph import functions_from, names_in, referents
from to_static.compiler.frontend.tracing.rewritten_attributes import is_plain_lookup
from to_static.compiler.frontend.tracing.side_effects import BUFFERS, CONTAINERS, POISON
from to_static.compiler.frontend.tracing.trace_context import current, inside_block
from to_static.compiler.frontend.transpile import is_translated, transpile_function
from to_static.compiler.frontend.transpile.analysis.activity import MUTATORS
from to_static.compiler.frontend.transpile.analysis.side_effects import reads_environment, touches_outside
from to_static.compiler.frontend.transpile.source_code.source import source_of
from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.core import callables
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.errors import TranslationError
from to_static.core.importing.skiplist import SKIPPED_PACKAGES, package_of
from to_static.nn.layer import Layer

_ignored: set[str] = set()
_BUILTIN = (types.BuiltinFunctionType, types.BuiltinMethodType)
_PYTHONS = (types.BuiltinFunctionType, types.FunctionType, types.MethodType)
_ORDERINGS = frozenset(synthesized for derived in getattr(functools, "_convert", {}).values() for _, synthesized in derived)
_HARMLESS = frozenset([logging.getLogger, logging.getLevelName])
_operators: list[types.ModuleType] = []

# What stands for functions that translated code calls (`jst.calls.builtin_overrides` has the tables).
BUILTIN_OVERRIDES: dict[Any, Callable[..., Any]] = {}
WHILE_TRACING: dict[Any, Callable[..., Any]] = {}  # only while a Program is built
METHODS: list[tuple[tuple[type, ...], Callable[[Any, Any], Any]]] = []  # of objects of some types: from the method and the object


def use_operators(module: types.ModuleType) -> None:
    """Set the module that translated functions call ``_jst``."""
    _operators[:] = [module]


def ignore_modules(modules: list[Any]) -> None:
    """Never translate functions of these modules (module objects or names), nor of modules inside them."""
    _ignored.update(m if isinstance(m, str) else m.__name__ for m in modules)


def call(target: Any) -> Any:
    """``target`` in the form to call from translated code.

    The user's functions, methods, callable objects and partials are translated, once per code object; builtins that must
    understand tensors are replaced; library code, classes and generators stay as they are. What changes a container is announced
    first.
    """
    cls = type(target)
    if cls in _PYTHONS and mode.building() and (record := record_twin(target)) is not None:
        return record
    if mode.building() and (owner_layer := callables.owner(target)) is not None:
        if (special := syntax_of(target, owner_layer)) is not None:
            return functools.partial(call(special), owner_layer)
        if draws(target):
            note_drawing(target)
        elif type(owner_layer) is list and current().effects.resolved(owner_layer) is not owner_layer:
            return getattr(current().effects.resolved(owner_layer), callables.name(target))
        elif cls is types.MethodWrapperType and _is_setter(target):
            raise broken(
                f"{callables.name(target)}() of a base class is called{in_expression()}",
                "the statement: `obj.name = value`",
            )
    if target is functools.reduce:
        return functools.partial(_calling, target)
    if cls in _BUILTIN:
        return _builtin(target)
    if cls is np.ufunc:
        return _watching(target)
    if cls is types.FunctionType:
        return BUILTIN_OVERRIDES.get(target) or _function(target)
    if cls is types.MethodType:
        owner, function = target.__self__, target.__func__
        if mode.building() and isinstance(owner, _stateful()):
            if in_runs := getattr(owner, "_in_runs", {}).get(callables.name(function)):
                return functools.partial(in_runs, target)
            if callables.name(function) not in getattr(owner, "_in_programs", ("qsize", "empty", "full")):  # these are a queue's
                name = callables.full_name(function)
                raise broken(
                    f"{name}() is called{in_expression()}, which changes the {type(owner).__name__} in every call",
                    "call it outside of the static function",
                )
        if mode.building():
            check_owner(owner, callables.name(function))
        if type(function) is not types.FunctionType:
            return functools.partial(call(function), owner)
        if mode.building() and isinstance(owner, CONTAINERS) and function.__name__ in MUTATORS:
            touch(owner)
        if function is contextlib.ExitStack.enter_context:
            return lambda manager: target(entering(manager))
        if mode.building() and _is_setter(target):
            raise broken(f"{function.__qualname__}() sets an attribute{in_expression()}", "set it by name: `obj.name = value`")
        converted = _function(function, owner)
        return _watching(target) if converted is function else types.MethodType(converted, owner)
    if isinstance(target, type):
        if target not in BUILTIN_OVERRIDES and mode.building() and _is_made_plainly(target):
            return functools.partial(_instance, target)
        return (
            functools.partial(_calling, target)
            if target in _CALLING
            else BUILTIN_OVERRIDES.get(target) or _traceable_class(target)
        )
    if cls is _CACHE and mode.building():
        return functools.partial(_cached, target)
    if cls in (operator.attrgetter, operator.methodcaller) and mode.building():
        parts = [part for name in target.__reduce__()[1] for part in str(name).split(".")]
        current().effects.untranslated_reads.mention(parts)
        if (guards := current().guards) is not None:
            for part in parts:
                guards.track_name(part)
        return target
    if isinstance(target, weakref.ref) and mode.building():
        raise broken(
            f"a weak reference is dereferenced{in_expression()}: no guard can tell whether its object exists in the next call",
            "dereference it before the call, and pass the object",
        )
    if cls is functools.partial:
        converted = call(target.func)
        return target if converted is target.func else functools.partial(converted, *target.args, **target.keywords)
    if hasattr(cls, "dygraph_function"):  # a function that is static by itself: traced into this Program
        return call(target.dygraph_function)
    if cls in _OF_TYPES:
        by_type = mode.building() and target.__name__ in SYNTAX and target.__objclass__ is not object
        return functools.partial(_bound, target) if by_type else _watching(target)
    method = getattr(cls, "__call__", None)  # noqa: B004
    if isinstance(target, Tensor):
        return target
    if mode.building():
        check_owner(target, "__call__")
    if type(method) is not types.FunctionType:  # a function of a library: in C, in Cython, one of NumPy's
        return _watching(target) if _is_found(target) else target
    converted = _function(method, target)
    return target if converted is method else types.MethodType(converted, target)


_CALLING = frozenset(
    [itertools.accumulate, itertools.dropwhile, itertools.filterfalse, itertools.groupby, itertools.starmap, itertools.takewhile]
)


def _calling(target: Callable[..., Any], *args: Any, **kwargs: object) -> Any:
    """Call a library function that only calls its arguments; functions among these are translated first."""
    ask_items(*args)
    check_iterators(args)
    converted_kwargs = {name: call(value) if callable(value) else value for name, value in kwargs.items()}
    converted_args = (call(value) if callable(value) and not isinstance(value, Tensor) else value for value in args)
    return target(*converted_args, **converted_kwargs)


def _bound(target: Callable[..., Any], owner: Any, *args: Any) -> Any:
    """``dict.__setitem__(owner, k, v)``"""
    return call(target.__get__(owner, type(owner)))(*args)


def _is_made_plainly(cls: Any) -> bool:
    """True if ``cls(...)`` calls a user's constructor that sets attributes as Python does."""
    if type(cls).__call__ is not type.__call__ or type(cls.__init__) is not types.FunctionType:
        return False
    if issubclass(cls, Layer) or cls.__setattr__ is not object.__setattr__ or not is_translatable(cls.__init__):
        return False
    members = [member for base in cls.__mro__ for member in vars(base).values()]
    return not any(isinstance(member, property) and member.fset is not None for member in members)


def _instance(cls: type, *args: object, **kwargs: object) -> Any:
    """``cls(*args, **kwargs)`` with the constructor translated."""
    instance = cls.__new__(cls, *args, **kwargs)
    if isinstance(instance, cls):
        call(types.MethodType(type(instance).__init__, instance))(*args, **kwargs)
    watch_reads(instance)
    return instance


def _traceable_class(cls: type) -> Any:
    """Return a class for a call, after recording which attributes Python reads of its objects."""
    takes = package_of(cls) in ("itertools", "collections") or issubclass(cls, (*CONTAINERS, tuple, frozenset))  # items
    if not mode.building() or not (takes or reads(cls)):
        return cls

    def watched_class(*args: Any, **kwargs: Any) -> Any:
        if takes and any(map(current().effects.traced_lists.get, map(id, args))):
            raise POISON.error()
        if takes:
            check_iterators(args)
        new = cls(*args, **kwargs)
        watch_reads(new)
        return new

    return watched_class


_OF_TYPES = (types.MethodDescriptorType, types.WrapperDescriptorType)


_STATEFUL = "logging.Logger queue.Queue to_static.metric.Metric to_static.optimizer.Optimizer to_static.optimizer.lr.LRScheduler"


def _stateful() -> tuple[type, ...]:
    """Return classes whose methods change state in every call. Modules that are not loaded have no objects, and are left out."""
    parts = [name.rpartition(".") for name in _STATEFUL.split()]
    return tuple(getattr(sys.modules[module], name) for module, _, name in parts if module in sys.modules)


def _builtin(target: Any) -> Any:
    tracing = mode.building()
    twin = BUILTIN_OVERRIDES.get(target) or (WHILE_TRACING.get(target) if tracing else None)
    if twin is not None or not tracing:
        return twin or target
    owner, name = target.__self__, target.__name__
    if target.__module__ == "math":
        return mathematical(target)
    if enters_lock(owner, name):
        return target
    if reaches_hidden_state(target):
        raise broken(f"{name}() is called{in_expression()}: its effect cannot be traced", "an argument of the function")
    for classes, method in METHODS:
        if isinstance(owner, classes):
            return method(target, owner)
    if isinstance(owner, BUFFERS):
        touch(owner)
    if isinstance(owner, io.IOBase):
        raise broken(
            f"{name}() of a {type(owner).__name__} is called{in_expression()}: it would happen once, "
            f"during the trace, and not in every run",
            "`print()`; or read and write outside of the static function",
        )
    return _watching(target)


_CACHE = type(functools.lru_cache(lambda: None))


def _cached(target: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a cached function in Python. Breaks the graph if its cache would store traced tensors."""
    if any(map(is_traced, [*args, *kwargs.values()])) or inside_block():
        name = callables.name(target)
        raise broken(f"the cache of {name}() would store traced tensors{in_expression()}", "the function itself")
    with mode.default_mode():
        result = target(*args, **kwargs)
    current().roots.append(result)  # it lives on
    return result


def _is_found(target: object) -> bool:
    """True if a callable has a name."""
    return hasattr(target, "__name__")


def _is_setter(method: object) -> bool:
    return callables.name(method) in ("__setattr__", "__delattr__")


def _watching(target: Callable[..., Any]) -> Any:
    """Return a library function that records its arguments before the call, because it may change them."""
    if not mode.building():
        return target
    module = callables.module(target)
    if module.split(".")[0] == "to_static" and not reads_environment(target):
        return target if target is Layer.__call__ else functools.partial(by_option, target)
    if module.split(".")[0].strip("_") in ("logging", "warnings") and target not in _HARMLESS:
        name = callables.full_name(target)
        raise broken(f"`{name}()` is called{in_expression()}: it writes in every call", "do it outside of the static function")
    if draws(target):
        note_drawing(target)
    elif type(target) in _PYTHONS and (reads_environment(target) or touches_outside(target)):
        raise broken(
            f"{callables.name(target)}() is called{in_expression()}: it would happen once, during the "
            "trace, and the Program would use its result in every run",
            "call it before the static function, and pass the result as an argument",
        )
    check_owner(callables.owner(target), callables.name(target))

    def called(*args: Any, **kwargs: Any) -> Any:
        effects = current().effects
        check_iterators(args)
        effects.record_reachable([*args, *kwargs.values()])
        if effects.traced_lists:
            effects.expect_python(args, kwargs)
        result = by_option(target, *args, **kwargs)
        watch_reads(result)
        if target is logging.getLogger and (guards := current().guards) is not None:
            guards.track_object(result)
        return result

    return called


def _is_ignored(function: object) -> bool:
    module = getattr(function, "__module__", None) or ""
    if module.split(".")[0] in SKIPPED_PACKAGES:
        return function not in _ORDERINGS
    return any(module == name or module.startswith(name + ".") for name in _ignored)


def is_translatable(function: types.FunctionType) -> bool:
    """True if a function is the user's, has a source, and is not marked `not_to_static`."""
    return not getattr(function, "__not_to_static__", False) and _has_a_form(function)


def _has_a_form(function: types.FunctionType) -> bool:
    code = function.__code__
    if _is_ignored(function) or code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_GENERATOR):
        return False
    return not code.co_filename.startswith("<") or is_translated(code) or _has_source(function)


def _function(function: types.FunctionType, owner: object = None) -> Any:
    function = getattr(function, "__leads_to__", function)
    # what one writes that is to be left alone is an effect of every run, so it is translated
    if not (is_translatable(function) or (mode.building() and _has_a_form(function) and writes(function))):
        _track_all(function, owner)
        if mode.building() and not _is_ignored(function) and writes(function):
            raise broken(
                f"`{function.__name__}()` is called{in_expression()}, which is not translated (for example, a "
                "generator) and changes "
                "or prints something",
                "a plain function that returns its results",
            )
        return _watching(function) if _is_ignored(function) else _natively(function) if mode.building() else function
    if is_translated(function.__code__):
        return function
    track_function(function, names=False)
    converted = transpile_function(function, _operators[0])[0]
    if mode.building():
        current().effects.untranslated_reads.mention(names_in(converted.__code__))
    return converted


def attribute(owner: object, name: str) -> Any:
    """Return ``owner.name``; if a class has a property of this name, the translated property runs."""
    cls = type(owner)
    member = inspect.getattr_static(cls, name, None)
    if mode.building() and not isinstance(owner, Tensor):
        has_plain_lookup = is_plain_lookup(cls) and getattr(cls, "__getattr__", _OF_LAYERS) is _OF_LAYERS
        if has_plain_lookup and type(member) is property and type(member.fget) is types.FunctionType:
            try:
                return call(member.fget)(owner)
            except AttributeError:
                if not isinstance(owner, Layer):  # these are asked by `__getattr__` then
                    raise
        if not has_plain_lookup or hasattr(type(member), "__get__"):
            current().effects.untranslated_reads.mention([name])
    return getattr(owner, name)


_OF_LAYERS = Layer.__getattr__


def _natively(function: types.FunctionType) -> Any:
    """Return a user's function that is not translated, after recording the names that it reads."""
    names, whose = frozenset(names_read(function)), f"`{function.__name__}()`, which is not translated,"

    @functools.wraps(function)
    def called(*args: object, **kwargs: object) -> Any:
        untranslated_reads, arguments = current().effects.untranslated_reads, (args, kwargs, *referents(function))
        untranslated_reads.check(arguments, names, whose)
        result = function(*args, **kwargs)
        if isinstance(result, types.GeneratorType):
            untranslated_reads.add(result, "__next__", names, whose, arguments)
        return result

    return called


def track_function(function: types.FunctionType, names: bool = True) -> None:
    """Record that the trace calls a function, so that its reads are guarded; ``names``: those of untranslated code."""
    if mode.building():
        current().functions.append(function)
        if names:
            current().effects.untranslated_reads.mention(names_in(function.__code__))
        if not _is_ignored(function):
            check_classes([function])
        if (guards := current().guards) is not None:
            guards.track_function(function)


def _track_all(function: types.FunctionType, owner: object = None) -> None:
    """Track a function (or method of ``owner``) that Python runs untranslated, with all functions that it mentions."""
    if mode.building() and not _is_ignored(function):
        check_untranslated(function, owner)
        for inner in functions_from(function):
            track_function(inner)


def _has_source(function: types.FunctionType) -> bool:
    try:
        return bool(source_of(function).lines)
    except TranslationError:
        return False
