"""Parameters of the functions of `static.nn`."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.spec import UNKNOWN
from to_static.core import unique_name
from to_static.core.errors import ShapeError
from to_static.nn.initializer import Assign
from to_static.nn.parameter import make_parameter
from to_static.static.param_attr import WeightNormParamAttr


class Maker:
    """Makes the parameters of one call: ``fc_0.w_0``, ``fc_0.b_0``; with a ``name`` of the user's ``name.w_0``, ``name.b_0``."""

    def __init__(self, op_type: str, name: str | None, dtype: Any) -> None:
        self.owner = name or unique_name.generate(op_type)
        self.dtype = dtype.name

    def weight(self, shape: Any, attr: Any = None, initializer: Any = None) -> Any:
        """A weight, or None if ``attr`` is False."""
        if not isinstance(attr, WeightNormParamAttr):
            return make_parameter(self.owner, shape, attr, self.dtype, False, initializer)
        name = attr.name or unique_name.generate(f"{self.owner}.w")
        direction_attr = attr.part(f"{name}_v", attr.initializer or initializer)
        direction: Any = make_parameter(self.owner, shape, direction_attr, self.dtype, False, initializer)
        first = np.asarray(direction._array)
        axes = tuple(i for i in range(first.ndim) if attr.dim is None or i != attr.dim % first.ndim)
        start = Assign(np.sqrt((first**2).sum(axes)).reshape(-1))
        count = 1 if attr.dim is None else shape[attr.dim]
        length: Any = make_parameter(self.owner, [count], attr.part(f"{name}_g", start), self.dtype)
        broadcast_shape = [-1 if i not in axes else 1 for i in range(first.ndim)]
        normalized = direction * (length.reshape(broadcast_shape) / (direction * direction).sum(axes, keepdim=True).sqrt())
        WeightNormParamAttr.params_with_weight_norm.append(normalized)
        return normalized

    def bias(self, shape: Any, attr: Any = None) -> Any:
        """A bias, or None if ``attr`` is False."""
        return make_parameter(self.owner, shape, attr, self.dtype, True)


def channels_of(name: str, x: Any, last: bool) -> int:
    """The number of channels, dimension 1 or the last one.

    Raises:
        ShapeError: it is unknown, or ``x`` has less than two dimensions.
    """
    if x.spec.ndim < 2:
        raise ShapeError(f"{name}: the input must have at least 2 dimensions, it is {x.spec}")
    channels = x.spec.shape[-1 if last else 1]
    if channels == UNKNOWN:
        raise ShapeError(f"{name}: the number of channels must be known, the input is {x.spec}")
    return int(channels)
