"""Layers without parameters: a function of `nn.functional` with some arguments fixed. Each is one `declare` row."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from to_static.nn import functional as F
from to_static.nn.layer import Layer

REQUIRED = inspect.Parameter.empty


class FunctionLayer(Layer):
    """Calls one function with the settings given to the constructor (which are attributes, and may be changed)."""

    _function = ""  # its name in nn.functional
    _settings: tuple[str, ...] = ()  # arguments that the constructor takes, by the names the function has for them
    _shown: Mapping[str, str] = {}  # label in repr -> setting
    _takes_training = False  # whether the function also wants to know about training
    __signature__: inspect.Signature

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        try:
            bound = type(self).__signature__.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}: {error}") from None
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            setattr(self, name, value)

    def forward(self, *inputs: Any) -> Any:
        """The function of the inputs."""
        arguments = {name: getattr(self, name) for name in self._settings}
        if self._takes_training:
            arguments["training"] = self.training
        return getattr(F, self._function)(*inputs, **arguments)

    def extra_repr(self) -> str:
        shown = [f"{label}={getattr(self, name)}" for label, name in self._shown.items()]
        if self.name:
            shown.append(f"name={self.name}")
        return ", ".join(shown)


def declare(
    module: str,
    name: str,
    function: str,
    doc: str,
    shown: Mapping[str, str] | tuple[str, ...] | None = None,
    takes_training: bool = False,
    **settings: Any,
) -> Any:
    """A `FunctionLayer` class.

    ``settings``: its constructor's arguments in order with their defaults (`REQUIRED` for none); a last argument ``name`` is
    added. ``shown``: the settings that repr shows (default: all), by their labels if those are different.
    """
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(key, kind, default=value) for key, value in {**settings, "name": None}.items()]
    return type(
        name,
        (FunctionLayer,),
        {
            "__module__": module,
            "__qualname__": name,
            "__doc__": doc,
            "__signature__": inspect.Signature(parameters),
            "_function": function,
            "_settings": tuple(settings),
            "_shown": shown if isinstance(shown, Mapping) else {n: n for n in (settings if shown is None else shown)},
            "_takes_training": takes_training,
        },
    )
