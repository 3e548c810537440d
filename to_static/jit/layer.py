"""`jit.layer.Layer`: a saved model as functions, as Paddle's C++ code has it."""

from __future__ import annotations

from typing import Any

from to_static.compiler.saved.load import load


class Layer:
    """Loads a saved model, each method of which is an attribute of that name then.

    Example:
        >>> layer = paddle.jit.layer.Layer()
        >>> layer.load('model', paddle.CPUPlace())
        >>> y = layer.forward(x)
    """

    def __init__(self) -> None:
        self.cpp_layer: Any = None
        self.functions: dict[str, Function] = {}

    def load(self, load_path: str, place: Any = None) -> None:
        """Load what `jit.save` wrote; ``place`` is not used. Raises what `jit.load` raises."""
        self.cpp_layer = load(load_path)
        self.cpp_layer.eval()
        for name in self.cpp_layer._methods if hasattr(self.cpp_layer, "_methods") else ("forward",):
            self.functions[name] = Function(getattr(self.cpp_layer, name), name)
            setattr(self, name, self.functions[name])


class Function:
    """A method of a loaded model: its results are a list."""

    def __init__(self, function: Any, name: str) -> None:
        self.function, self._name = function, name

    def name(self) -> str:
        """The name of the function."""
        return self._name

    def __call__(self, *args: Any) -> list[Any]:
        results = self.function(*args)
        return list(results) if isinstance(results, (list, tuple)) else [results]
