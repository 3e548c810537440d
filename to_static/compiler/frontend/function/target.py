"""`TargetFunction`: the user's function, and the options with which it was made static. `StaticFunction` creates it."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.function.input_spec_binding import declared
from to_static.compiler.frontend.function.settings import Settings
from to_static.compiler.frontend.function.signature import Bound, Signature
from to_static.compiler.frontend.jst import operators
from to_static.compiler.frontend.transpile import transpile_function
from to_static.compiler.ir import mode
from to_static.compiler.ir.input_spec import InputSpec
from to_static.core.diagnostics import source_location
from to_static.core.flags import full_graph as full_graph_flag
from to_static.core.log import tell
from to_static.core.processes.compile_lock import with_compile_lock
from to_static.nn.layer import Layer


class TargetFunction:
    """A function, or a method of the object ``instance``.

    Attributes:
        input_spec: its declared inputs, or None.
        full_graph: whether calls without a Program are errors.
        is_part: whether it is a callee that was made static because its caller runs in Python (`callee_compilation.py`).
        translated: the translated function, None before the first trace.
    """

    def __init__(self, function: Any, instance: Any, input_spec: Any, full_graph: bool, is_part: bool) -> None:
        self.function = function
        self.instance = instance
        self.name: str = getattr(function, "__name__", type(function).__name__)
        self.input_spec = list(input_spec) if isinstance(input_spec, tuple) else input_spec
        self.full_graph = full_graph
        self.is_part = is_part
        self.translated: Callable[..., Any] | None = None
        self._signature: Signature | None = None

    @property
    def python(self) -> Callable[..., Any]:
        """The original function; for a method, bound to the instance."""
        instance = self.instance
        return self.function if instance is None else types.MethodType(self.function, instance)  # type: ignore[no-any-return]

    @property
    def may_break(self) -> bool:
        """True if a call for which there is no Program runs in Python; else it is refused."""
        return not self.full_graph and not full_graph_flag.value

    @property
    def layer(self) -> Layer | None:
        """The Layer of which the function is a method, else None."""
        return self.instance if isinstance(self.instance, Layer) else None

    def signature(self) -> Signature:
        """Return its parameters, with the present default values."""
        if self._signature is None or not self._signature.has_present_defaults():
            self._signature = Signature(self.function, self.instance is not None)
        return self._signature

    @with_compile_lock
    def translate(self) -> Callable[..., Any]:
        """Return the translated function, whose control flow is calls of `jst` operators; translated at the first call."""
        if self.translated is None:
            if not isinstance(self.function, types.FunctionType):  # a partial
                translated = operators.call(self.function)
            else:
                translated, text = transpile_function(self.function, operators)
                if Settings.code_level > 0:
                    tell(text, Settings.code_to_stdout)
            self.translated = translated
        return self.translated  # type: ignore[return-value]

    def call_translated(self, args: tuple[Any, ...], kwargs: dict[str, Any], translated: bool) -> Any:
        """Call the translated function, or the original one, in a running trace or while static functions are switched off."""
        function = self.translate() if translated else self.function
        return function(self.instance, *args, **kwargs) if self.instance is not None else function(*args, **kwargs)

    def declared_specs(self, bound: Bound) -> dict[int, InputSpec]:
        """Return the declared InputSpecs of the arguments that fit them, by leaf position."""
        if self.input_spec is None:
            return {}
        signature = self.signature()
        specs = signature.bind_specs(self.input_spec).arguments[0][: len(self.input_spec)]
        return declared(specs, bound, [p.name for p in signature.parameters], self.name, self)


def target_of(function: Any, instance: Any, input_spec: Any, full_graph: bool, is_part: bool) -> TargetFunction:
    """Return the target for anything that `to_static` takes. Raises TypeError for a class, and for an object without a call."""
    function = getattr(function, "as_method", function)  # of a saved method
    if isinstance(function, types.MethodType):
        instance, function = function.__self__, function.__func__
    elif not isinstance(function, types.FunctionType) and isinstance(
        getattr(type(function), "__call__", None),  # noqa: B004
        types.FunctionType,
    ):
        instance, function = function, type(function).__call__  # a callable object
    if isinstance(function, type):
        method = "forward" if issubclass(function, Layer) else "method"
        rewrite = f"decorate its method, `@to_static` above `def {method}(self, ...)`"
        rewrite += f", or an object of it: `net = to_static({function.__name__}(...))`" if method == "forward" else ""
        text = f"to_static expects a function, a method or a Layer object; {function.__name__!r} is a class"
        raise TypeError(source_location.report(text, None, rewrite))
    if not callable(function):
        by_name = "; of a list it is `@to_static(input_spec=[...])`" if isinstance(function, (list, tuple)) else ""
        raise TypeError(f"to_static expects a function, a method or a Layer, got {type(function).__name__}: {function!r}{by_name}")
    return TargetFunction(function, instance, input_spec, full_graph, is_part)


def with_hooks(layer: Layer, forward: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls a Layer with its hooks, or by the ``__call__`` of its class, in the trace of its ``forward``."""
    return functools.partial(_call, layer, forward)


def _call(layer: Layer, forward: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a Layer with its hooks around ``forward``, or the translated ``__call__`` of its class."""
    call: Any = type(layer).__call__
    if call is Layer.__call__:
        return layer._call_with_hooks(args, kwargs, forward)
    return mode.current().translate(call)(layer, *args, **kwargs)
