"""Functions as Layers, so that quantization can give each its own settings, and hooks can be put around them."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import functions
from to_static.nn.layer import Layer


class FloatFunctionalLayer(Layer):
    """A function as a Layer.

    Example:
        >>> self.add = paddle.nn.quant.add()
        >>> y = self.add(x, shortcut)
    """


class add(FloatFunctionalLayer):
    """`paddle.add`."""

    def forward(self, x: Any, y: Any, name: str | None = None) -> Any:
        return functions.add(x, y)


class subtract(FloatFunctionalLayer):
    """`paddle.subtract`."""

    def forward(self, x: Any, y: Any, name: str | None = None) -> Any:
        return functions.subtract(x, y)


class multiply(FloatFunctionalLayer):
    """`paddle.multiply`."""

    def forward(self, x: Any, y: Any, name: str | None = None) -> Any:
        return functions.multiply(x, y)


class divide(FloatFunctionalLayer):
    """`paddle.divide`."""

    def forward(self, x: Any, y: Any, name: str | None = None) -> Any:
        return functions.divide(x, y)


class reshape(FloatFunctionalLayer):
    """`paddle.reshape`."""

    def forward(self, x: Any, shape: Any, name: str | None = None) -> Any:
        return functions.reshape(x, shape)


class transpose(FloatFunctionalLayer):
    """`paddle.transpose`."""

    def forward(self, x: Any, perm: Any, name: str | None = None) -> Any:
        return functions.transpose(x, perm)


class concat(FloatFunctionalLayer):
    """`paddle.concat`."""

    def forward(self, x: Any, axis: Any = 0, name: str | None = None) -> Any:
        return functions.concat(x, axis)


class flatten(FloatFunctionalLayer):
    """`paddle.flatten`."""

    def forward(self, x: Any, start_axis: int = 0, stop_axis: int = -1, name: str | None = None) -> Any:
        return functions.flatten(x, start_axis, stop_axis)


class matmul(FloatFunctionalLayer):
    """`paddle.matmul`."""

    def forward(self, x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None) -> Any:
        return functions.matmul(x, y, transpose_x, transpose_y)
