"""`WeightNormParamAttr`: weights of a Program as a length and a direction."""

from __future__ import annotations

from typing import Any

from to_static.nn.parameter import ParamAttr


class WeightNormParamAttr(ParamAttr):
    """For functions of `static.nn`: the weight is ``g * v / |v|``, of two parameters ``name_g`` and ``name_v``.

    Args:
        dim: the dimension along which each index has a length of its own; None: the weight has one.
        name, initializer, learning_rate, regularizer, trainable, do_model_average, need_clip: as of `ParamAttr`; ``g`` starts with
            the length of ``v``, so that the weight is what ``initializer`` makes.

    Example:
        >>> y = paddle.static.nn.fc(x, 10, weight_attr=paddle.static.WeightNormParamAttr(dim=None, name='w'))

    Source: Salimans and Kingma, "Weight Normalization", NeurIPS 2016.
    """

    params_with_weight_norm: list[Any] = []  # the weights that were made so

    def __init__(
        self, dim: int | None = None, name: str | None = None, initializer: Any = None, learning_rate: float = 1.0,
        regularizer: Any = None, trainable: bool = True, do_model_average: bool = False, need_clip: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(name, initializer, learning_rate, regularizer, trainable, do_model_average, need_clip)
        self.dim = dim

    def part(self, name: str, initializer: Any) -> ParamAttr:
        """The attributes of one of both."""
        return ParamAttr(name, initializer, self.learning_rate, self.regularizer, self.trainable, need_clip=self.need_clip)
