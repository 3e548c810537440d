"""Layers without parameters: a function of `nn.functional`, or another such module, with some arguments fixed.

Each is one `declare` row.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

from to_static.compiler.ir.tensor import Tensor
from to_static.core.diagnostics.printable import printable
from to_static.nn import functional as F
from to_static.nn.layer import Layer

REQUIRED = inspect.Parameter.empty
# settings that mean the same in every layer; a row says in its text what others mean
_MEANINGS = {
    "align_corners": "whether the corner elements of input and result are aligned",
    "ceil_mode": "round sizes of the result up",
    "data_format": "layout of the input; channels last ends in 'C'",
    "dilations": "distance of the elements of a window, an int or one per dimension",
    "divisor_override": "divide sums by this number (None: by the number of elements)",
    "dtype": "dtype of the result",
    "epsilon": "a small number that keeps divisions and logarithms finite",
    "eps": "a small number that keeps divisions finite",
    "exclusive": "whether padding does not count",
    "full": "whether to add the term that does not depend on the input",
    "groups": "number of groups of channels",
    "ignore_index": "a label that does not count",
    "keepdim": "keep the dimension with size 1",
    "kernel_size": "size of a window, an int or one per dimension",
    "kernel_sizes": "size of a window, an int or one per dimension",
    "margin": "distance from which on there is no loss",
    "output_size": "spatial size of the result",
    "output_sizes": "spatial size of the result",
    "padding": "zeros (of a maximum: nothing) around the input, an int or one per dimension",
    "paddings": "zeros around the input, an int or one per dimension",
    "reduction": "'mean', 'sum', or 'none' for one loss per element",
    "return_mask": "also return the positions of the largest elements",
    "stride": "distance of windows, an int or one per dimension (None: ``kernel_size``)",
    "strides": "distance of windows, an int or one per dimension",
    "swap": "use the distance of positive and negative where that is smaller",
    "weight": "factors of the losses, of each class or element",
}
_OF_TENSORS = ("weight", "pos_weight", "padding", "size", "scale_factor", "output_size")  # settings that tensors are meant for
_KIND = inspect.Parameter.POSITIONAL_OR_KEYWORD
_SELF = inspect.Parameter("self", _KIND)


class FunctionLayer(Layer):
    """Calls one function with the settings given to the constructor (which are attributes, and may be changed)."""

    _home: Any = F
    _function = ""  # its name there
    _inputs = ("x",)  # the arguments that a call of the layer takes
    _settings: Mapping[str, str] = {}  # attribute -> the function's name for that argument
    _repr_settings: Mapping[str, str] = {}  # label in repr -> attribute
    _labelled = "name"  # the attribute that has the layer's name
    _takes_training = False  # whether the function also wants to know about training

    def _call(self, inputs: tuple[Any, ...]) -> Any:
        arguments = {argument: getattr(self, name) for name, argument in self._settings.items()}
        if self._takes_training:
            arguments["training"] = self.training
        return getattr(self._home, self._function)(*inputs, **arguments)

    def extra_repr(self) -> str:
        settings = [f"{label}={getattr(self, name)}" for label, name in self._repr_settings.items()]
        if name := getattr(self, self._labelled, None):
            settings.append(f"name={printable(name)}")
        return ", ".join(settings)


def declare(
    module: str,
    name: str,
    function: str,
    doc: str,
    repr_settings: Mapping[str, str] | tuple[str, ...] | None = None,
    takes_training: bool = False,
    inputs: str = "x",
    attributes: Mapping[str, str] | str = "{}",
    named: bool = True,
    home: Any = F,
    example: str = "",
    **settings: Any,
) -> Any:
    """A `FunctionLayer` class.

    ``settings``: its constructor's arguments in order with their defaults (`REQUIRED` for none); a last argument ``name`` is
    added where it is ``named``. ``repr_settings``: the settings that repr shows (default: all), by their labels if those are
    different.
    ``inputs``: the arguments of a call, by the names that they may be given by. ``attributes``: what the attributes are called that
    hold the settings: a form for all of them, or the names of those that are not called as the setting is.
    ``home``: the module that has the function. ``example``: an example with its output, for the docstring.
    """
    input_names = tuple(inputs.split())
    every = {**settings, "name": None} if named else settings
    if isinstance(attributes, str):
        attributes = {key: attributes.format(key) for key in every}
    homes = {key: attributes.get(key, key) for key in every}
    if not isinstance(repr_settings, Mapping):
        repr_settings = {key: key for key in (settings if repr_settings is None else repr_settings)}
    init_signature = inspect.Signature([inspect.Parameter(key, _KIND, default=value) for key, value in every.items()])
    called = inspect.Signature([inspect.Parameter(key, _KIND) for key in input_names])

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        Layer.__init__(self)
        bound = _bound(init_signature, name, args, kwargs)
        if any(isinstance(value, Tensor) and key not in _OF_TENSORS for key, value in bound.arguments.items()):
            call = f"nn.{name}()({', '.join(input_names)})"
            raise TypeError(f"{name}: got a Tensor; a layer is made first, and called then: `{call}`")
        bound.apply_defaults()
        for key, value in bound.arguments.items():
            setattr(self, homes[key], value)

    def forward(self: Any, *args: Any, **kwargs: Any) -> Any:
        """The function of the inputs."""
        if kwargs or len(args) != len(input_names):
            args = _bound(called, f"{name}.forward", args, kwargs).args
        return self._call(args)

    members: dict[str, Any] = {"__init__": __init__, "forward": forward}
    for key, (method, signature) in {"__init__": (__init__, init_signature), "forward": (forward, called)}.items():
        method.__signature__ = signature.replace(parameters=[_SELF, *signature.parameters.values()])  # type: ignore[attr-defined]
        method.__module__, method.__qualname__ = module, f"{name}.{key}"
    members |= {
        "__module__": module,
        "__qualname__": name,
        "__doc__": _docstring(doc, function, input_names, settings, example),
        "_home": home,
        "_function": function,
        "_inputs": input_names,
        "_settings": {homes[key]: key for key in settings},
        "_repr_settings": {label: homes[key] for label, key in repr_settings.items()},
        "_labelled": homes.get("name", "name"),
        "_takes_training": takes_training,
    }
    return type(name, (FunctionLayer,), members)


def _docstring(doc: str, function: str, inputs: tuple[str, ...], settings: Mapping[str, Any], example: str) -> str:
    """The text of a row with the arguments that it does not mention, what a call takes, and an example."""
    text, _, own_example = doc.rstrip().partition("\n\n    Example:\n")
    parts = [text]
    arguments = [
        f"        {name}: {_MEANINGS[name]}{'' if default is REQUIRED else f' (default {default!r})'}."
        for name, default in settings.items()
        if not re.search(rf"\b{name}\b", text)
    ]
    if arguments:
        parts.append("\n".join(["    Args:", *arguments]))
    called = ", ".join(f"``{name}``" for name in inputs)
    parts.append(f"    A layer is called with {called}; results and errors are those of `{function}`.")
    if example_text := own_example or "\n".join(f"        {line}" for line in example.splitlines()):
        parts.append(f"    Example:\n{example_text}")
    return "\n\n".join(parts) + "\n    "


def _bound(signature: inspect.Signature, what: str, args: Any, kwargs: Any) -> inspect.BoundArguments:
    try:
        return signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{what}: {error}") from None
