"""`to_static` and the switches around it."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable
from typing import Any

from to_static.compiler.frontend.function.settings import Settings
from to_static.compiler.frontend.function.signature import check_specs
from to_static.compiler.frontend.function.static_function import StaticFunction
from to_static.compiler.frontend.jst import operators
from to_static.compiler.ir.program import Program
from to_static.core import flags
from to_static.core.caching.version_counter import epoch
from to_static.core.diagnostics.error_hints import close_to
from to_static.core.diagnostics.tracebacks import for_users
from to_static.core.log import Log, warn_once
from to_static.nn.layer import Layer


@for_users
def to_static(
    function: Any = None,
    input_spec: Any = None,
    build_strategy: Any = None,
    backend: Any = None,
    **kwargs: Any,
) -> Any:
    """Make a function, a method or a Layer's ``forward`` run as a static Program.

    Works as a decorator, with or without parentheses, and as a call: ``net = to_static(net)`` (the same Layer, its
    ``forward`` replaced). ``if``, ``for``, ``while``, ``and``, ``assert``, ``print``... on tensors become part of the Program.

    What can't become part of it is a *graph break*: that call, and all later ones of its kind, run in Python, with Python's result.
    One warning says why, where, and what to write instead; `StaticFunction.explain` tells it again. `save` refuses it.

    Args:
        function: function, method or Layer.
        input_spec: list of `InputSpec` (or nested structures of them), one per argument; None: taken from each call.
        build_strategy, property: accepted for Paddle's sake.
        backend: must be None.
        full_graph: False: graph breaks run in Python (the default); True: they are refused, with a `TranslationError` or another
            `ToStaticError`. ``TO_STATIC_FULL_GRAPH=1`` has the same effect for all functions.

    Returns a `StaticFunction`, or the Layer; a staticmethod, classmethod, property, cached property or partialmethod stays one.
    Raises TypeError for anything else (a class, a number), ValueError for an unknown backend.

    Example:
        >>> @to_static
        ... def f(x):
        ...     if x.sum() > 0:
        ...         return x * 2
        ...     return -x
    """
    if backend is not None:
        raise ValueError(f"to_static: backend must be None (NumPy or CuPy are chosen with set_device), got {backend!r}")
    for name in kwargs.keys() - {"full_graph", "property"}:
        advice = close_to(name, ("function", "input_spec", "build_strategy", "full_graph"))
        raise TypeError(f"to_static() got an unexpected keyword argument {name!r}{advice}")
    full_graph = kwargs.get("full_graph", False)
    if full_graph is not None and not isinstance(full_graph, bool):
        raise TypeError(f"to_static: full_graph must be True or False, got {full_graph!r}")
    if input_spec is not None and not isinstance(input_spec, (list, tuple)):
        raise TypeError(f"to_static: input_spec must be a list or tuple, got {type(input_spec).__name__}")

    check_specs(input_spec)
    full_graph = bool(full_graph)

    def decorate(target: Any) -> Any:
        if isinstance(target, StaticFunction):
            warn_once("twice", f"{target.__name__} is already a static function", target)
            if input_spec is None and not full_graph:
                return target
            return StaticFunction(target.dygraph_function, input_spec or target._target.input_spec, None, full_graph)
        if isinstance(target, Layer):
            forward = target.forward
            if isinstance(forward, StaticFunction):
                warn_once("twice", f"{type(target).__name__}.forward is already a static function", target)
                forward = forward.dygraph_function
            target.forward = StaticFunction(forward, input_spec, None, full_graph)  # type: ignore[method-assign]
            return target
        if isinstance(target, (staticmethod, classmethod)):
            return type(target)(decorate(target.__func__))
        if isinstance(target, property):
            return property(decorate(target.fget), target.fset, target.fdel, target.__doc__)
        if isinstance(target, functools.cached_property):
            return functools.cached_property(decorate(target.func))
        if isinstance(target, functools.partialmethod):
            return functools.partialmethod(decorate(target.func), *target.args, **target.keywords)
        static = StaticFunction(target, input_spec, None, full_graph)
        static.is_property = bool(kwargs.get("property", False))
        return static

    return decorate if function is None else decorate(function)


def not_to_static(func: Any = None) -> Any:
    """Leave a function as it is: it runs as plain Python while tracing (a decorator, with or without parentheses).

    A tensor condition inside it raises `TracedValueError`, because plain Python can't decide it. What it writes (attributes, items,
    prints) is done in every run, as what other functions write: so a function that writes something is translated all the same.
    ``func``: the function to decorate.

    Example:
        >>> @paddle.jit.not_to_static
        ... def doubled(x):
        ...     return x * 2
        ...
    """
    if func is None:
        return not_to_static
    if not callable(func):
        raise TypeError(f"not_to_static expects a function, got {type(func).__name__}: {func!r}")
    func.__not_to_static__ = True
    return func


def enable_to_static(enable_to_static_bool: bool) -> None:
    """Run static functions statically (True) or as the plain Python they were written in (False), to debug them.

    ``enable_to_static_bool``: True or False; anything else raises TypeError.

    Example:
        >>> paddle.jit.enable_to_static(False)
        >>> paddle.jit.enable_to_static(True)
    """
    if not isinstance(enable_to_static_bool, bool):
        raise TypeError(f"enable_to_static expects True or False, got {enable_to_static_bool!r}")
    Settings.enabled = enable_to_static_bool
    epoch[0] += 1


def ignore_module(modules: Iterable[Any]) -> None:
    """Never translate functions of these modules (a list of module objects). Raises TypeError for anything else.

    Example:
        >>> paddle.jit.ignore_module([scipy])
    """
    module_list = list(modules) if isinstance(modules, Iterable) else [modules]
    wrong = [m for m in module_list if not isinstance(m, types.ModuleType)]
    if wrong:
        raise TypeError(f"ignore_module expects a list of modules, `ignore_module([scipy])`, got {modules!r}")
    operators.ignore_modules(module_list)


def set_verbosity(level: int = 0, also_to_stdout: bool = False) -> None:
    """Set how much is logged while translating and tracing: the TO_STATIC_DEBUG ladder, 0 to 5 (more is as 5).

    It goes to standard error, with ``also_to_stdout`` to standard output as well. Raises TypeError for a level that is no int.

    Example:
        >>> paddle.jit.set_verbosity(1)           # why a call makes a new Program
    """
    flags.debug.value = _level("set_verbosity", level)
    Log.also_to_stdout = bool(also_to_stdout)


def set_code_level(level: int = 100, also_to_stdout: bool = False) -> None:
    """Show the translated code of each static function when it is translated; 0 shows nothing.

    Paddle's levels below 100 show the code after its first transformers; here any level above 0 shows the final code. It goes to
    standard error, with ``also_to_stdout`` to standard output as well. Raises TypeError for a level that is no int.

    Example:
        >>> paddle.jit.set_code_level()
    """
    Settings.code_level = _level("set_code_level", level)
    Settings.code_to_stdout = bool(also_to_stdout)


def _level(what: str, level: Any) -> int:
    if isinstance(level, bool) or not isinstance(level, int):
        raise TypeError(f"{what} expects an int, got {level!r}")
    return level


class ProgramTranslator:
    """The translator as an object (Paddle's singleton): `enable`, `get_output`, `get_func`, `get_program`, `get_code`.

    Example:
        >>> ProgramTranslator().get_code(f)       # translated source of a function
    """

    _instance: ProgramTranslator | None = None

    def __new__(cls) -> ProgramTranslator:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    @classmethod
    def get_instance(cls) -> ProgramTranslator:
        """The one translator."""
        return cls()

    @property
    def enable_to_static(self) -> bool:
        """Choose whether static functions run statically (default True)."""
        return Settings.enabled

    def enable(self, enable_to_static: bool) -> None:
        """Run static functions statically, or as plain Python."""
        enable_to_static_function(enable_to_static)

    def get_output(self, dygraph_func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a dynamic function statically."""
        if not Settings.enabled:
            return dygraph_func(*args, **kwargs)
        return _static(dygraph_func)(*args, **kwargs)

    def get_func(self, dygraph_func: Callable[..., Any]) -> Callable[..., Any]:
        """The translated Python function, to be called while a Program is being built."""
        static = _static(dygraph_func)
        return static._target.translate() if Settings.enabled else dygraph_func

    def get_program(self, dygraph_func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """(main program, startup program, input Vars, output Vars) of a dynamic function for these arguments."""
        concrete, _ = _static(dygraph_func).get_concrete_program(*args, **kwargs)
        return concrete.main_program, Program(), concrete.inputs, concrete.outputs

    def get_code(self, dygraph_func: Callable[..., Any]) -> str:
        """Translated source of a dynamic function."""
        return _static(dygraph_func).code


enable_to_static_function = enable_to_static


def _static(function: Any) -> StaticFunction:
    return function if isinstance(function, StaticFunction) else StaticFunction(function)
