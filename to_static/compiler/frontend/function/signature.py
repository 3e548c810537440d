"""Arguments of a call: binds and flattens them, and makes the part of the Program's key that describes them.

The key contains everything that is constant in a trace: the structure of the arguments, specs of tensors, values of Python
arguments, train and eval modes, the device, the default dtype.
"""

from __future__ import annotations

import ast
import copy
import inspect
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.frontend.function.program.containers import containers
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core import backend, dtypes, tree
from to_static.core.code_generation import compiled
from to_static.core.diagnostics.printable import printable, quoted
from to_static.core.diagnostics.source_location import report
from to_static.core.errors import DTypeError, ShapeError


class Bound:
    """Arguments of one call, bound to parameter names and flattened.

    Attributes:
        leaves: all leaves, in the order of the parameters; then the tensors and numbers from outside that are inputs.
        outside_count: how many leaves at the end come from outside.
        paths: a readable name of each leaf (``x``, ``batch[0]``).
        recipe: the structure of the arguments.
        tensors: positions of tensor leaves. inputs: positions of number inputs.
        arguments: the positional and keyword arguments as the caller passes them.
        containers: the lists, dicts and dataclass objects among them. container_aliases: which are one object (`aliases`).
        state_key: the flags and the environment in the key that was made last.
    """

    __slots__ = (
        "arguments", "container_aliases", "containers", "inputs", "leaves", "outside_count", "paths", "recipe", "state_key",
        "tensors",
    )  # fmt: skip

    def __init__(self, leaves: list[Any], recipe: Any, paths: list[str], arguments: Any = ()) -> None:
        self.arguments = arguments
        self.containers = containers(arguments)
        self.container_aliases = aliases(self.containers)
        self.leaves = leaves
        self.recipe = recipe
        self.paths = paths
        self.tensors = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]
        self.outside_count = 0
        self.inputs: list[int] = []
        self.state_key: Any = None

    def add_from_outside(self, values: list[Any], paths: list[str]) -> None:
        """Append tensors and numbers from outside to the leaves of the arguments; replaces those that were appended before."""
        if not values and not self.outside_count:
            return
        count = len(self.leaves) - self.outside_count
        self.leaves, self.paths, self.outside_count = [*self.leaves[:count], *values], [*self.paths[:count], *paths], len(values)
        tensors = [i for i, value in enumerate(values, count) if isinstance(value, Tensor)]
        self.tensors = [*(i for i in self.tensors if i < count), *tensors]

    @property
    def leaf_state(self) -> tuple[Any, ...]:
        """All attributes that describe the leaves, to restore them later."""
        return self.leaves, self.paths, self.tensors, self.inputs, self.outside_count

    @leaf_state.setter
    def leaf_state(self, state: tuple[Any, ...]) -> None:
        self.leaves, self.paths, self.tensors, self.inputs, self.outside_count = state

    def specs(self) -> list[Any]:
        """Return the leaves of the arguments, specs in place of tensors."""
        count = len(self.leaves) - self.outside_count
        named_leaves = zip(self.leaves[:count], self.paths, strict=False)
        return [InputSpec(x.shape, x.dtype, name, x.stop_gradient) if isinstance(x, Tensor) else x for x, name in named_leaves]

    def take_as_tensor(self, i: int) -> None:
        """Make leaf ``i``, for which a tensor is declared, a tensor if it is a NumPy number."""
        if isinstance(self.leaves[i], np.generic):
            self.leaves[i] = F.to_tensor(self.leaves[i])
            self.tensors = sorted([*self.tensors, i])

    def rebuild(self, leaves: list[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return positional and keyword arguments with these leaves in the structure of this call."""
        args, kwargs = tree.unflatten(self.recipe, leaves[: len(leaves) - self.outside_count])
        return args, kwargs


def _signature_of(function: Any) -> inspect.Signature:
    """Return the signature of a function; ``(*args, **kwargs)`` if Python does not know it."""
    try:
        return inspect.signature(function)
    except ValueError:  # a builtin without a signature, such as `print` before Python 3.11
        parameter_kinds = {"args": inspect.Parameter.VAR_POSITIONAL, "kwargs": inspect.Parameter.VAR_KEYWORD}
        return inspect.Signature([inspect.Parameter(name, parameter_kind) for name, parameter_kind in parameter_kinds.items()])


def _empty_function(parameters: list[inspect.Parameter]) -> types.FunctionType:
    """Return a function with these parameters, None as default values, and no body."""
    none = ast.Constant(None)
    p = inspect.Parameter
    parameter_kinds = (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.VAR_POSITIONAL, p.KEYWORD_ONLY, p.VAR_KEYWORD)
    positional_only, positional, var_positional, keyword_only, var_keyword = (
        [ast.arg(x.name) for x in parameters if x.kind is parameter_kind] for parameter_kind in parameter_kinds
    )
    with_default = [x for x in parameters if x.default is not p.empty]
    keyword_defaults = [x for x in with_default if x.kind is p.KEYWORD_ONLY]
    nones: list[Any] = [none] * (len(with_default) - len(keyword_defaults))
    star_args, star_kwargs = next(iter(var_positional), None), next(iter(var_keyword), None)
    lambda_arguments = ast.arguments(
        positional_only, positional, star_args, keyword_only, [None] * len(keyword_only), star_kwargs, nones
    )
    tree = ast.fix_missing_locations(ast.Module([ast.Expr(ast.Lambda(lambda_arguments, none))], []))
    code = next(c for c in compiled(tree, "<signature>").co_consts if isinstance(c, types.CodeType))
    function = types.FunctionType(code, {}, "same", (None,) * len(nones))
    function.__kwdefaults__ = {x.name: None for x in keyword_defaults}
    return function


class Signature:
    """The parameters of a function (without ``self`` for methods)."""

    def __init__(self, function: Callable[..., Any], bound_to_instance: bool) -> None:
        # the parameters of a wrapper itself, not those of the function that it wraps
        try:
            signature = inspect.signature(function, follow_wrapped=False)
        except ValueError:  # a `functools.lru_cache` has no signature
            signature = _signature_of(function)
        parameters = list(signature.parameters.values())
        self.function = function
        self.all_parameters = parameters  # with the instance
        if bound_to_instance and parameters and parameters[0].kind not in (inspect.Parameter.VAR_POSITIONAL,):
            parameters = parameters[1:]
        self.signature = signature.replace(parameters=parameters)
        self.parameters = parameters
        self.name = getattr(function, "__name__", "function")
        self._defaults = _defaults_of(function)

    def has_present_defaults(self) -> bool:
        """True if the function still has the default values that it had when this object was created."""
        defaults = _defaults_of(self.function)
        return len(defaults) == len(self._defaults) and all(map(operator.is_, defaults, self._defaults))

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Bound:
        """Bind a call's arguments, with defaults; arrays become tensors. Raises TypeError as the function itself would."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(self._in_pythons_words(args, kwargs) or f"{self.name}(): {error}") from None
        bound.apply_defaults()
        paths: list[str] = []
        for name, value in bound.arguments.items():
            flat, _ = tree.flatten(value)
            paths.extend(leaf_names(name, value, len(flat)))
        # flatten in call form, so that *args and keyword-only parameters go back to where they came from: the same order
        call_leaves, recipe = tree.flatten((bound.args, bound.kwargs))
        leaves = [F.to_tensor(x) if isinstance(x, np.ndarray) else x for x in call_leaves]
        return Bound(leaves, recipe, paths, (bound.args, bound.kwargs))

    def bind_around(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Bound:
        """Bind the arguments of a call of a Layer, whose hooks or ``__call__`` may pass other arguments to the function."""
        try:
            return self.bind(args, kwargs)
        except TypeError:
            return self._bind_freely(args, kwargs)

    def _bind_freely(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Bound:
        """Flatten arguments that need not fit the parameters, and name their leaves."""
        positional = [p.name for p in self.parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        names = [*positional, *(f"input_{i}" for i in range(len(positional), len(args)))]
        pairs = [*zip(names, args, strict=False), *kwargs.items()]
        paths = [path for name, value in pairs for path in leaf_names(name, value, len(tree.flatten(value)[0]))]
        leaves, recipe = tree.flatten((args, kwargs))
        for leaf, path in zip(leaves, paths, strict=True):
            if isinstance(leaf, InputSpec) and leaf.name is None:
                leaf.name = path
        leaves = [F.to_tensor(x) if isinstance(x, np.ndarray) else x for x in leaves]
        return Bound(leaves, recipe, paths, (args, kwargs))

    def _in_pythons_words(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """Return Python's error message for a call that does not fit, from a function with the same parameters and no body."""
        empty = inspect.Parameter.empty
        parameters = [p.replace(annotation=empty, default=p.default if p.default is empty else None) for p in self.all_parameters]
        empty_function = _empty_function(parameters)
        empty_function.__qualname__ = getattr(self.function, "__qualname__", self.name)
        try:
            empty_function(*[None] * (len(self.all_parameters) - len(self.parameters)), *args, **kwargs)
        except TypeError as error:
            return str(error)
        return ""

    def bind_specs(self, specs: Any, around: bool = False) -> Bound:
        """Bind an ``input_spec`` list: one spec (or structure of specs) for each parameter, in order; then default values.

        ``around``: the specs are those of a call of the Layer, whose hooks or ``__call__`` may pass more or fewer arguments.
        Raises TypeError if it is not a list or tuple, ValueError if there are more specs than parameters, or if a parameter
        without a default value has no spec.
        """
        if not isinstance(specs, (list, tuple)):
            raise TypeError(f"input_spec must be a list or tuple of InputSpec, got {type(specs).__name__}")
        positional = [p for p in self.parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        has_star = any(p.kind is p.VAR_POSITIONAL for p in self.parameters)
        missing = [p.name for p in positional[len(specs) :] if p.default is p.empty]
        if around and (missing or (len(specs) > len(positional) and not has_star)):
            return self._bind_freely(tuple(tree.map_tree(copy.copy, list(specs))), {})
        if len(specs) > len(positional) and not has_star:
            names = ", ".join(p.name for p in positional) or "none"
            raise ValueError(f"{self.name}(): input_spec has {len(specs)} entries, the function takes {len(positional)} ({names})")
        if missing:
            raise ValueError(f"{self.name}(): input_spec has no entry for {', '.join(missing)}")
        named = tree.map_tree(lambda leaf: copy.copy(leaf) if isinstance(leaf, InputSpec) else leaf, list(specs))
        for p, value in zip(positional, named, strict=False):
            leaves, _ = tree.flatten(value)
            for leaf, path in zip(leaves, leaf_names(p.name, value, len(leaves)), strict=True):
                if isinstance(leaf, InputSpec) and leaf.name is None:
                    leaf.name = path
        arguments: Any = (tuple(named) + tuple(p.default for p in positional[len(specs) :]), {})
        leaves, recipe = tree.flatten(arguments)
        paths = [str(leaf.name) if isinstance(leaf, InputSpec) else f"arg{i}" for i, leaf in enumerate(leaves)]
        return Bound(leaves, recipe, paths, arguments)


def _defaults_of(function: Any) -> list[Any]:
    """The default values of a function, with the names of those of keyword-only parameters."""
    named = getattr(function, "__kwdefaults__", None) or {}
    return [*(getattr(function, "__defaults__", None) or ()), *named, *named.values()]


def leaf_names(name: str, value: Any, count: int) -> list[str]:
    """Return names for the leaves of one argument: its name for a single leaf, ``name_0`` or ``name_key`` for items."""
    if count == 1 and not isinstance(value, (list, tuple, dict)):
        return [name]
    if isinstance(value, (list, tuple, dict)):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        return [path for key, item in parts for path in leaf_names(f"{name}_{key}", item, len(tree.flatten(item)[0]))]
    return [f"{name}_{i}" for i in range(count)]


def leaf_key(leaf: Any) -> Any:
    """Return the part of a key for one leaf: the spec of a tensor, the value of everything else."""
    if isinstance(leaf, Tensor):
        return (leaf.spec, leaf.stop_gradient)  # type: ignore[attr-defined]
    if isinstance(leaf, (bool, int, float, complex, str, bytes, type(None), np.number)):
        # 1, 1.0 and True are equal but mean different programs; -0.0 equals 0.0 and NaN nothing
        return (type(leaf), repr(leaf)) if isinstance(leaf, (float, complex, np.inexact)) else (type(leaf), leaf)
    try:
        hash(leaf)
    except TypeError:
        return IdentityKey(leaf)
    return (type(leaf), leaf)


def constant_leaf_key(leaf: Any) -> Any:
    """Return the part of a key for a leaf that is a constant of the Program: a tensor counts by identity."""
    return IdentityKey(leaf) if isinstance(leaf, Tensor) else leaf_key(leaf)


class IdentityKey:
    """An object as part of a key, compared by identity. The key keeps the object alive, so that its id stays unique."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"<{type(self.value).__name__} at {id(self.value):#x}>"


def environment_key() -> tuple[Any, ...]:
    """Return the settings that are constant in a trace: the device and the default dtype."""
    return (backend.current(), dtypes.default_dtype())


def aliases(tensors: list[Any]) -> tuple[int, ...]:
    """Return for each object the position of its first occurrence; an empty tuple if no object occurs twice."""
    if len(tensors) < 2:
        return ()
    first: dict[int, int] = {}
    positions = tuple(first.setdefault(id(t), i) for i, t in enumerate(tensors))
    return positions if len(first) != len(tensors) else ()


def check_specs(input_spec: Any) -> None:
    """Raise TypeError if ``input_spec`` has a shape, ``[None, 3]``, in place of an InputSpec."""
    for i, item in enumerate(input_spec if isinstance(input_spec, (list, tuple)) else ()):
        if isinstance(item, (list, tuple)) and None in item and all(d is None or type(d) is int for d in item):
            shape = list(item)
            write = f"`input_spec=[InputSpec({shape}, 'float32')]`"
            raise TypeError(f"input_spec: expected an InputSpec for argument {i}, got the shape {shape}: write {write}")


def check_against(spec: InputSpec, actual: TensorSpec, name: str, function: str, vary: str = "let these dimensions vary,") -> None:
    """Raise DTypeError or ShapeError, with the argument's name, if a tensor does not fit its InputSpec.

    ``vary``: the beginning of the advice that other sizes may be declared.
    """
    check_dtype(spec, actual, name, function)
    declared = spec.tensor_spec
    if declared.accepts(actual):
        return
    text = f"{function}(): argument {quoted(name)} is {actual}, which does not fit its InputSpec {declared}"
    if len(declared.shape) == len(actual.shape):
        pairs = zip(declared.shape, actual.shape, strict=True)
        shape = [None if d in (None, -1) or d != a else d for d, a in pairs]
        rewrite = f"pass {declared}, or {vary} `InputSpec({shape}, '{declared.dtype.name}', {quoted(name)})`"
    else:
        count = len(declared.shape)
        call = f"`{printable(name)}.reshape([...])`"
        rewrite = f"pass a tensor of {count} dimension{'s' * (count != 1)}, {call}, or change the InputSpec"
    raise ShapeError(report(text, None, rewrite))


def check_is_tensor(leaf: Any, name: str, function: str) -> None:
    """Raise TypeError for an argument that has an InputSpec and is not a tensor."""
    if not hasattr(leaf, "spec"):
        text = f"{function}(): argument {quoted(name)} has an InputSpec, so it must be a Tensor, got {leaf!r}"
        is_number = isinstance(leaf, (int, float))
        rewrite = f"`paddle.to_tensor({leaf!r})`, or " if is_number else ""
        raise TypeError(report(text, None, f"{rewrite}put the value itself in place of the InputSpec"))


def check_dtype(spec: InputSpec, actual: TensorSpec, name: str, function: str) -> None:
    """Raise DTypeError, with the argument's name, if a tensor does not have the dtype of its InputSpec."""
    declared = spec.tensor_spec
    if declared.dtype is not actual.dtype:
        text = f"{function}(): argument {quoted(name)} is {actual}, but its InputSpec says {declared}"
        call = f"`{printable(name)}.astype('{declared.dtype.name}')`"
        raise DTypeError(report(text, None, f"convert it, {call}, or change the InputSpec"))
