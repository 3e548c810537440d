"""Functions as Layers, so that quantization can give each its own settings, and hooks can be put around them."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import functions
from to_static.nn.layer import Layer


class FloatFunctionalLayer(Layer):
    """A function as a Layer.

    ``name_scope``, ``dtype``: as for `Layer`.

    Example:
        >>> self.add = paddle.nn.quant.add()
        >>> y = self.add(x, shortcut)
    """


class add(FloatFunctionalLayer):
    """`paddle.add`.

    A Layer, so that quantization can replace it. ``name_scope``, ``dtype``: as for `Layer`.

    Example:
        >>> paddle.nn.quant.add()(paddle.ones([2]), paddle.ones([2])).tolist()
        [2.0, 2.0]
    """

    def forward(self, x: Any, y: Any, name: str | None = None) -> Any:
        return functions.add(x, y)


class subtract(FloatFunctionalLayer):
    """`paddle.subtract`.

    A Layer, so that quantization can replace it. ``name_scope``, ``dtype``: as for `Layer`.

    Example:
        >>> paddle.nn.quant.subtract()(paddle.ones([2]), paddle.ones([2])).tolist()
        [0.0, 0.0]
    """

    def forward(self, x: Any, y: Any, name: str | None = None) -> Any:
        return functions.subtract(x, y)


class multiply(FloatFunctionalLayer):
    """`paddle.multiply`.

    A Layer, so that quantization can replace it. ``name_scope``, ``dtype``: as for `Layer`.

    Example:
        >>> paddle.nn.quant.multiply()(paddle.ones([2]), paddle.full([2], 2.0)).tolist()
        [2.0, 2.0]
    """

    def forward(self, x: Any, y: Any, name: str | None = None) -> Any:
        return functions.multiply(x, y)


class divide(FloatFunctionalLayer):
    """`paddle.divide`.

    A Layer, so that quantization can replace it. ``name_scope``, ``dtype``: as for `Layer`.

    Example:
        >>> paddle.nn.quant.divide()(paddle.ones([2]), paddle.full([2], 2.0)).tolist()
        [0.5, 0.5]
    """

    def forward(self, x: Any, y: Any, name: str | None = None) -> Any:
        return functions.divide(x, y)


class reshape(FloatFunctionalLayer):
    """`paddle.reshape`.

    A Layer, so that quantization can replace it. ``name_scope``, ``dtype``: as for `Layer`.

    Example:
        >>> paddle.nn.quant.reshape()(paddle.ones([4]), [2, 2]).shape
        [2, 2]
    """

    def forward(self, x: Any, shape: Any, name: str | None = None) -> Any:
        return functions.reshape(x, shape)


class transpose(FloatFunctionalLayer):
    """`paddle.transpose`.

    A Layer, so that quantization can replace it. ``name_scope``, ``dtype``: as for `Layer`.

    Example:
        >>> paddle.nn.quant.transpose()(paddle.ones([2, 3]), [1, 0]).shape
        [3, 2]
    """

    def forward(self, x: Any, perm: Any, name: str | None = None) -> Any:
        return functions.transpose(x, perm)


class concat(FloatFunctionalLayer):
    """`paddle.concat`.

    A Layer, so that quantization can replace it. ``name_scope``, ``dtype``: as for `Layer`.

    Example:
        >>> paddle.nn.quant.concat()([paddle.ones([1]), paddle.zeros([1])]).tolist()
        [1.0, 0.0]
    """

    def forward(self, x: Any, axis: Any = 0, name: str | None = None) -> Any:
        return functions.concat(x, axis)


class flatten(FloatFunctionalLayer):
    """`paddle.flatten`.

    A Layer, so that quantization can replace it. ``name_scope``, ``dtype``: as for `Layer`.

    Example:
        >>> paddle.nn.quant.flatten()(paddle.ones([2, 3])).shape
        [6]
    """

    def forward(self, x: Any, start_axis: int = 0, stop_axis: int = -1, name: str | None = None) -> Any:
        return functions.flatten(x, start_axis, stop_axis)


class matmul(FloatFunctionalLayer):
    """`paddle.matmul`.

    A Layer, so that quantization can replace it. ``name_scope``, ``dtype``: as for `Layer`.

    Example:
        >>> paddle.nn.quant.matmul()(paddle.ones([2, 3]), paddle.ones([3, 4])).shape
        [2, 4]
    """

    def forward(self, x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None) -> Any:
        return functions.matmul(x, y, transpose_x, transpose_y)
