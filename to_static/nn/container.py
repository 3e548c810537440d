"""Layers that hold other layers or parameters: Sequential, LayerList, LayerDict, ParameterList."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from to_static.nn.layer import Layer
from to_static.nn.parameter import Parameter


def _position(index: Any, length: int, what: str) -> int:
    if not -length <= index < length:
        raise IndexError(f"{what} index {index} is out of range for {length} entries")
    return int(index) % length


class Sequential(Layer):
    """Layers called one after the other.

    Args:
        layers: layers, named ``'0'``, ``'1'``, ...; or pairs (name, layer).

    Raises TypeError for a list of layers.

    Example:
        >>> net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.ReLU(), paddle.nn.Linear(8, 2))
    """

    def __init__(self, *layers: Any) -> None:
        super().__init__()
        pairs = layers if layers and isinstance(layers[0], (list, tuple)) else enumerate(layers)
        if layers and isinstance(layers[0], (list, tuple)) and any(isinstance(part, Layer) for part in layers[0][:1]):
            raise TypeError("Sequential: layers are given one by one, `Sequential(*layers)`, or as pairs (name, layer), got a list")
        for name, layer in pairs:
            self.add_sublayer(str(name), layer)

    def __getitem__(self, name: Any) -> Any:
        """A layer by position or name, or a Sequential of the layers of a slice."""
        if isinstance(name, str):
            return self._sub_layers[name]
        layers = list(self._sub_layers.values())
        if isinstance(name, slice):
            return type(self)(*layers[name])
        return layers[_position(name, len(layers), "Sequential")]

    def __setitem__(self, name: Any, layer: Layer) -> None:
        self.add_sublayer(str(name), layer)

    def __delitem__(self, name: Any) -> None:
        del self._sub_layers[str(name)]

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._sub_layers.values())

    def __bool__(self) -> bool:
        return True

    def forward(self, input: Any) -> Any:
        """The input passed through all layers in order."""
        for layer in self._sub_layers.values():
            input = layer(input)
        return input


class LayerList(Layer):
    """A list of layers, all of which are sublayers.

    Raises TypeError for layers that are not in a list.

    Example:
        >>> layers = paddle.nn.LayerList([paddle.nn.Linear(4, 4) for _ in range(3)])
        >>> for layer in layers:
        ...     x = layer(x)
    """

    def __init__(self, sublayers: Iterable[Layer] | None = None) -> None:
        super().__init__()
        if not isinstance(sublayers, (Iterable, type(None))):
            raise TypeError(f"LayerList: expected a list of layers, `LayerList([...])`, got {type(sublayers).__name__}")
        self.extend(sublayers or [])

    def __getitem__(self, index: Any) -> Any:
        """A layer by position, as a number or its text (``'0'``), or a LayerList of the layers of a slice."""
        if isinstance(index, slice):
            return type(self)(list(self._sub_layers.values())[index])
        if isinstance(index, str):
            return self._sub_layers[index]
        return self._sub_layers[str(_position(index, len(self), "LayerList"))]

    def __setitem__(self, index: int | str, sublayer: Layer) -> None:
        self.add_sublayer(index if isinstance(index, str) else str(_position(index, len(self), "LayerList")), sublayer)

    def __delitem__(self, index: Any) -> None:
        layers = list(self._sub_layers.values())
        del layers[index]
        self._renumber(layers)

    def _renumber(self, layers: list[Layer]) -> None:
        self._sub_layers.clear()
        self._sub_layers.update((str(i), layer) for i, layer in enumerate(layers))

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._sub_layers.values())

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Raises NotImplementedError: a list says nothing of the order and the results of calls."""
        raise NotImplementedError(
            "LayerList holds layers, which are called one by one, `for layer in layers: x = layer(x)`; "
            "nn.Sequential calls them itself"
        )

    def append(self, sublayer: Layer) -> LayerList:
        """Add a layer at the end; returns the list."""
        self.add_sublayer(str(len(self)), sublayer)
        return self

    def insert(self, index: int, sublayer: Layer) -> None:
        """Put a layer before position ``index``."""
        layers = list(self._sub_layers.values())
        layers.insert(_position(index, len(layers) + (index == len(layers)), "LayerList"), sublayer)
        self._renumber(layers)

    def extend(self, sublayers: Iterable[Layer]) -> LayerList:
        """Add layers at the end; returns the list."""
        for layer in sublayers:
            self.append(layer)
        return self


class LayerDict(Layer):
    """Layers by name, all of which are sublayers.

    Args:
        sublayers: a mapping, another LayerDict, or pairs (name, layer).

    Example:
        >>> layers = paddle.nn.LayerDict({"linear": paddle.nn.Linear(4, 4), "act": paddle.nn.ReLU()})
        >>> list(layers.keys())
        ['linear', 'act']
    """

    def __init__(self, sublayers: Any = None) -> None:
        super().__init__()
        if sublayers is not None:
            self.update(sublayers)

    def __getitem__(self, key: str) -> Any:
        return self._sub_layers[key]

    def __setitem__(self, key: str, sublayer: Layer) -> None:
        self.add_sublayer(key, sublayer)

    def __delitem__(self, key: str) -> None:
        del self._sub_layers[key]

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[str]:
        return iter(self._sub_layers)

    def __contains__(self, key: str) -> bool:
        return key in self._sub_layers

    def clear(self) -> None:
        """Remove all layers."""
        self._sub_layers.clear()

    def pop(self, key: str) -> Any:
        """Remove and return a layer. Raises KeyError when there is none of that name."""
        return self._sub_layers.pop(key)

    def keys(self) -> Any:
        """The names."""
        return self._sub_layers.keys()

    def values(self) -> Any:
        """The layers."""
        return self._sub_layers.values()

    def items(self) -> Any:
        """Pairs (name, layer)."""
        return self._sub_layers.items()

    def update(self, sublayers: Any) -> None:
        """Add or replace layers from a mapping, a LayerDict or pairs (name, layer)."""
        pairs = sublayers.items() if isinstance(sublayers, (Mapping, LayerDict)) else sublayers
        for key, layer in OrderedDict(pairs).items():
            self.add_sublayer(key, layer)


class ParameterList(Layer):
    """A list of parameters, all of which belong to this layer.

    Example:
        >>> params = paddle.nn.ParameterList([paddle.create_parameter([2, 3], "float32")])
        >>> len(params)
        1
    """

    def __init__(self, parameters: Iterable[Parameter] | None = None) -> None:
        super().__init__()
        for parameter in parameters or []:
            self.append(parameter)

    def __getitem__(self, index: int) -> Any:
        return self._parameters[str(_position(index, len(self), "ParameterList"))]

    def __setitem__(self, index: int, parameter: Parameter) -> None:
        self.add_parameter(str(_position(index, len(self), "ParameterList")), parameter)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parameters.values())

    def append(self, parameter: Parameter) -> ParameterList:
        """Add a parameter at the end; returns the list."""
        self.add_parameter(str(len(self)), parameter)
        return self
