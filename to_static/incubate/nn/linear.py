"""`FusedLinear`."""

from __future__ import annotations

from typing import Any

from to_static.nn import functional as F
from to_static.nn.layer import Layer


class FusedLinear(Layer):
    """`Linear`, whose weight may be stored transposed.

    Args:
        in_features, out_features, weight_attr, bias_attr: as of `Linear`.
        transpose_weight: store ``weight`` as ``[out_features, in_features]`` (default False).

    Example:
        >>> paddle.incubate.nn.FusedLinear(3, 4)(paddle.ones([2, 3])).shape
        [2, 4]
    """

    def __init__(
        self, in_features: int, out_features: int, weight_attr: Any = None, bias_attr: Any = None,
        transpose_weight: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        shape = [out_features, in_features] if transpose_weight else [in_features, out_features]
        self.weight = self.create_parameter(shape, weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)
        self.transpose_weight, self.name = transpose_weight, name

    def forward(self, input: Any) -> Any:
        """``[*, in_features]`` to ``[*, out_features]``."""
        return F.linear(input, self.weight.t() if self.transpose_weight else self.weight, self.bias)
