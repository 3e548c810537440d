"""Normalisation over parts of one element of the batch: layer, group, instance and local response norm."""

from __future__ import annotations

import math
from typing import Any

from to_static.core.errors import ShapeError
from to_static.nn import functional as F
from to_static.nn.functional.norm import spectrally_normal
from to_static.nn.functional_layer import REQUIRED, declare
from to_static.nn.initializer import Constant, Normal
from to_static.nn.layer import Layer
from to_static.nn.parameter import ParamAttr


def check_rank(layer: Layer, x: Any, ranks: tuple[int, ...]) -> None:
    """Raise ShapeError unless ``x`` has one of ``ranks``."""
    if x.ndim not in ranks:
        expected = " or ".join(f"{r}D" for r in ranks)
        raise ShapeError(f"{type(layer).__name__}: expected {expected} input (got {x.ndim}D input)")


class LayerNorm(Layer):
    """Normalises over the last dimensions of each element of the batch (Ba et al., 2016).

    Args:
        normalized_shape: the sizes of those dimensions (an int for the last one).
        epsilon: added to the variance (default 1e-5).
        weight_attr, bias_attr: how scale (ones) and shift (zeros), 1-D, are made; False for none.

    Example:
        >>> paddle.nn.LayerNorm(8)(paddle.ones([2, 3, 8]))
    """

    def __init__(
        self,
        normalized_shape: Any,
        epsilon: float = 1e-5,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._normalized_shape = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
        self._epsilon, self._weight_attr, self._bias_attr = epsilon, weight_attr, bias_attr
        size = math.prod(self._normalized_shape)
        self.weight = self.create_parameter([size], weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([size], bias_attr, is_bias=True)

    def forward(self, input: Any) -> Any:
        """A tensor like ``input``."""
        return F.layer_norm(input, self._normalized_shape, weight=self.weight, bias=self.bias, epsilon=self._epsilon)

    def extra_repr(self) -> str:
        return f"normalized_shape={self._normalized_shape}, epsilon={self._epsilon}"


class GroupNorm(Layer):
    """Normalises groups of channels of ``[N, C, *]`` (Wu and He, 2018).

    Args:
        num_groups, num_channels: groups and channels; the second is divisible by the first.
        epsilon: added to the variance (default 1e-5).
        weight_attr, bias_attr: how scale and shift are made; False keeps them at ones and zeros.
        data_format: 'NCHW' or 'NHWC'.

    Raises ValueError for another ``data_format``.

    Example:
        >>> paddle.nn.GroupNorm(2, 4)(paddle.ones([1, 4, 2, 2])).shape
        [1, 4, 2, 2]
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        epsilon: float = 1e-5,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        if data_format not in ("NCHW", "NHWC"):
            raise ValueError(f"GroupNorm: data_format must be 'NCHW' or 'NHWC', got {data_format!r}")
        self._num_groups, self._num_channels = num_groups, num_channels
        self._epsilon, self._data_format = epsilon, data_format
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        fixed = ParamAttr(trainable=False)
        one = Constant(1.0)
        size = [num_channels]
        self.weight = self.create_parameter(
            size, fixed if weight_attr is False else weight_attr, default_initializer=one
        )
        self.bias = self.create_parameter(size, fixed if bias_attr is False else bias_attr, is_bias=True)

    def forward(self, input: Any) -> Any:
        """A tensor like ``input``."""
        return F.group_norm(
            input, self._num_groups, self._epsilon, weight=self.weight, bias=self.bias, data_format=self._data_format
        )

    def extra_repr(self) -> str:
        return f"num_groups={self._num_groups}, num_channels={self._num_channels}, epsilon={self._epsilon}"


class _InstanceNormBase(Layer):
    _ranks: tuple[int, ...] = ()
    _layout = ""

    def __init__(
        self,
        num_features: int,
        epsilon: float = 1e-5,
        momentum: float = 0.9,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        if (weight_attr is False) != (bias_attr is False):
            raise ValueError(f"{type(self).__name__}: weight_attr and bias_attr must be False together")
        self._num_features, self._epsilon, self._momentum = num_features, epsilon, momentum
        self._data_format = data_format or self._layout
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        self.scale = self.create_parameter([num_features], weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([num_features], bias_attr, is_bias=True)

    def _check_input_dim(self, input: Any) -> None:
        """Raise ShapeError unless ``input`` has a rank that fits; subclasses may check something else."""
        check_rank(self, input, self._ranks)

    def forward(self, input: Any) -> Any:
        """A tensor like ``input``. Raises ShapeError for another rank."""
        self._check_input_dim(input)
        return F.instance_norm(
            input,
            weight=self.scale,
            bias=self.bias,
            momentum=self._momentum,
            eps=self._epsilon,
            data_format=self._data_format,
        )

    def extra_repr(self) -> str:
        return f"num_features={self._num_features}, epsilon={self._epsilon}"


class InstanceNorm1D(_InstanceNormBase):
    """Normalises each channel of each element of ``[N, C, L]`` by itself; see `InstanceNorm2D`.

    ``num_features``, ``epsilon``, ``weight_attr``, ``bias_attr`` are as there; ``momentum`` has no effect;
    ``data_format``: 'NCL' (default), 'NC' or 'NLC'.

    Example:
        >>> paddle.nn.InstanceNorm1D(3)(paddle.ones([1, 3, 4])).shape
        [1, 3, 4]
    """

    _ranks, _layout = (2, 3), "NCL"


class InstanceNorm2D(_InstanceNormBase):
    """Normalises each channel of each element of ``[N, C, H, W]`` by itself (Ulyanov et al., 2016).

    Args:
        num_features: number of channels.
        epsilon: added to the variance (default 1e-5).
        weight_attr, bias_attr: how ``scale`` (ones) and ``bias`` (zeros) are made; both False for none.
        momentum: without an effect.
        data_format: 'NCHW' (default) or 'NHWC'.

    Example:
        >>> paddle.nn.InstanceNorm2D(3)(paddle.ones([1, 3, 4, 4])).shape
        [1, 3, 4, 4]
    """

    _ranks, _layout = (4,), "NCHW"


class InstanceNorm3D(_InstanceNormBase):
    """Normalises each channel of each element of ``[N, C, D, H, W]`` by itself; see `InstanceNorm2D`.

    ``num_features``, ``epsilon``, ``weight_attr``, ``bias_attr`` are as there; ``momentum`` has no effect;
    ``data_format``: 'NCDHW' (default) or 'NDHWC'.

    Example:
        >>> paddle.nn.InstanceNorm3D(3)(paddle.ones([1, 3, 2, 2, 2])).shape
        [1, 3, 2, 2, 2]
    """

    _ranks, _layout = (5,), "NCDHW"


LocalResponseNorm = declare(
    __name__, "LocalResponseNorm", "local_response_norm",
    "Divides by ``(k + alpha * mean(x ** 2)) ** beta``, over ``size`` neighbouring channels (Krizhevsky et al., 2012).",
    ("size", "alpha", "beta", "k"), inputs="input", size=REQUIRED, alpha=1e-4, beta=0.75, k=1.0, data_format="NCHW",
    example=">>> paddle.nn.LocalResponseNorm(3)(paddle.ones([1, 4, 2, 2])).shape\n[1, 4, 2, 2]",
)  # fmt: skip


class SpectralNorm(Layer):
    """Divides a weight by its largest singular value, which power iteration finds (Miyato et al., 2018).

    Args:
        weight_shape: the shape of the weight.
        dim: the dimension of outputs (default 0; 1 for `Linear` and transposed convolutions).
        power_iters: steps of power iteration in each call (default 1), from ``weight_u`` and ``weight_v``, which stay as they are.
        eps: added to norms (default 1e-12).
        dtype: of the parameters (default 'float32').

    Raises ShapeError for a ``dim`` that is not there, or a shape without elements.

    Example:
        >>> paddle.nn.SpectralNorm([2, 8, 32, 32], dim=1, power_iters=2)(paddle.rand([2, 8, 32, 32])).shape
        [2, 8, 32, 32]
    """

    def __init__(
        self, weight_shape: Any, dim: int = 0, power_iters: int = 1, eps: float = 1e-12, dtype: str = "float32"
    ) -> None:
        super().__init__(dtype=dtype)
        self._weight_shape, self._dim, self._power_iters, self._eps = list(weight_shape), dim, power_iters, eps
        if math.prod(self._weight_shape) <= 0:
            raise ShapeError(f"SpectralNorm: no dimension of weight_shape may be 0, got {self._weight_shape}")
        if not 0 <= dim < len(self._weight_shape):
            raise ShapeError(f"SpectralNorm: dim={dim} is not a dimension of weight_shape {self._weight_shape}")
        height = self._weight_shape[dim]
        width = math.prod(self._weight_shape) // height
        self.weight_u, self.weight_v = (
            self.create_parameter([size], ParamAttr(), dtype=dtype, default_initializer=Normal(0.0, 1.0))
            for size in (height, width)
        )
        self.weight_u.stop_gradient = self.weight_v.stop_gradient = True

    def forward(self, x: Any) -> Any:
        """``x``, of the shape ``weight_shape``, divided by its largest singular value."""
        if x.ndim != len(self._weight_shape):
            raise ShapeError(f"SpectralNorm: expected a weight of shape {self._weight_shape}, got {list(x.shape)}")
        return spectrally_normal(x, self.weight_u, self.weight_v, self._dim, self._power_iters, self._eps)
