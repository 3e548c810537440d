"""Affine layers: Linear, Bilinear, Embedding; and Identity."""

from __future__ import annotations

from typing import Any

from to_static.nn import functional as F
from to_static.nn.layer import Layer


class Identity(Layer):
    """Returns its input. Arguments of the constructor are ignored."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        """``input``."""
        return input


class Linear(Layer):
    """``x @ weight + bias``.

    Args:
        in_features: size of the last dimension of the input.
        out_features: size of the last dimension of the result.
        weight_attr: how ``weight`` ``[in_features, out_features]`` is made (default: Xavier uniform).
        bias_attr: how ``bias`` ``[out_features]`` is made (default: zeros); False for none.

    Example:
        >>> paddle.nn.Linear(4, 3)(paddle.ones([2, 4])).shape
        [2, 3]
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.name = name
        self.weight = self.create_parameter([in_features, out_features], weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)

    def forward(self, input: Any) -> Any:
        """``[*, in_features]`` to ``[*, out_features]``."""
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        name = f", name={self.name}" if self.name else ""
        dtype = self.weight.dtype.name
        return f"in_features={self.in_features}, out_features={self.out_features}, dtype={dtype}{name}"
