"""Normalisation layers."""

from __future__ import annotations

import math
from typing import Any

from to_static.core.dtypes import as_dtype, default_dtype, float16, float32
from to_static.core.errors import ShapeError
from to_static.nn import functional as F
from to_static.nn.function_layer import REQUIRED, declare
from to_static.nn.initializer import Constant
from to_static.nn.layer import Layer
from to_static.nn.parameter import ParamAttr


def _check_rank(layer: Layer, x: Any, ranks: tuple[int, ...]) -> None:
    if x.ndim not in ranks:
        expected = " or ".join(f"{r}D" for r in ranks)
        raise ShapeError(f"{type(layer).__name__}: expected {expected} input (got {x.ndim}D input)")


class _BatchNormBase(Layer):
    _ranks: tuple[int, ...] = ()
    _layouts: dict[str, str] = {}  # what data_format may be -> what nn.functional calls it

    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str | None = None,
        use_global_stats: bool | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        data_format = data_format or next(iter(self._layouts))
        if data_format not in self._layouts:
            raise ValueError(
                f"{type(self).__name__}: data_format must be one of {', '.join(self._layouts)}, got {data_format!r}"
            )
        self._num_features, self._momentum, self._epsilon = num_features, momentum, epsilon
        self._data_format, self._use_global_stats, self._name = data_format, use_global_stats, name
        names = (None, None) if name is None else (f"{name}_mean", f"{name}_variance")
        self._make(num_features, weight_attr, bias_attr, default_dtype(), *names)

    def _make(
        self, size: int, weight_attr: Any, bias_attr: Any, dtype: Any, mean: str | None, variance: str | None
    ) -> None:
        dtype = float32 if dtype is float16 else dtype  # statistics of float16 data need the wider type
        self.weight = self.create_parameter([size], weight_attr, dtype, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([size], bias_attr, dtype, is_bias=True)
        self._mean = self._statistic(mean, 0.0, size, dtype)
        self._variance = self._statistic(variance, 1.0, size, dtype)

    def _statistic(self, name: str | None, value: float, size: int, dtype: Any) -> Any:
        return self.create_parameter([size], ParamAttr(name=name, initializer=Constant(value), trainable=False), dtype)

    def forward(self, input: Any) -> Any:
        """A tensor like ``input``; in training the running statistics are updated. Raises ShapeError for another rank."""
        if self._ranks:
            _check_rank(self, input, self._ranks)
        return F.batch_norm(
            input,
            self._mean,
            self._variance,
            weight=self.weight,
            bias=self.bias,
            training=self.training,
            momentum=self._momentum,
            epsilon=self._epsilon,
            data_format=self._layouts[self._data_format],
            use_global_stats=self._use_global_stats,
        )

    def extra_repr(self) -> str:
        text = f"num_features={self._num_features}, momentum={self._momentum}, epsilon={self._epsilon}"
        if self._data_format != "NCHW":
            text += f", data_format={self._data_format}"
        return text if self._name is None else f"{text}, name={self._name}"


_BATCH_DOC = """Batch normalisation of {input} (Ioffe and Szegedy, 2015).

    In training each channel is normalised with its own mean and variance over the batch, and running ones are kept
    (``running = momentum * running + (1 - momentum) * batch``) for evaluation.

    Args:
        num_features: number of channels.
        momentum, epsilon: see above, and what is added to the variance (default 0.9, 1e-5).
        weight_attr, bias_attr: how scale (ones) and shift (zeros) are made; False for none.
        data_format: {layouts}.
        use_global_stats: True to use the running statistics in training too.
    """


class BatchNorm1D(_BatchNormBase):
    __doc__ = _BATCH_DOC.format(input="``[N, C]`` or ``[N, C, L]``", layouts="'NCL', 'NC', or 'NLC' for channels last")
    _ranks = (2, 3)
    _layouts = {"NCL": "NCHW", "NC": "NCHW", "NCHW": "NCHW", "NLC": "NHWC", "NHWC": "NHWC"}


class BatchNorm2D(_BatchNormBase):
    __doc__ = _BATCH_DOC.format(input="``[N, C, H, W]``", layouts="'NCHW', or 'NHWC' for channels last")
    _ranks = (4,)
    _layouts = {"NCHW": "NCHW", "NHWC": "NHWC"}


class BatchNorm3D(_BatchNormBase):
    __doc__ = _BATCH_DOC.format(input="``[N, C, D, H, W]``", layouts="'NCDHW', or 'NDHWC' for channels last")
    _ranks = (5,)
    _layouts = {"NCDHW": "NCHW", "NCHW": "NCHW", "NDHWC": "NHWC", "NHWC": "NHWC"}


class SyncBatchNorm(_BatchNormBase):
    __doc__ = _BATCH_DOC.format(input="``[N, C, *]`` over all devices (here always one)", layouts="'NCHW' or 'NHWC'")
    _layouts = {"NCHW": "NCHW", "NHWC": "NHWC"}


class BatchNorm(_BatchNormBase):
    """Batch normalisation of ``[N, C, *]`` with the arguments of Paddle 1; new code takes `BatchNorm2D` and the like.

    Args:
        num_channels: number of channels.
        act: name of an activation in nn.functional applied to the result.
        is_test: True to start in evaluation.
        trainable_statistics: use the batch's statistics in evaluation too.

    See `BatchNorm2D` for the others.
    """

    _layouts = {"NCHW": "NCHW", "NHWC": "NHWC"}

    def __init__(
        self,
        num_channels: int,
        act: str | None = None,
        is_test: bool = False,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
        data_layout: str = "NCHW",
        in_place: bool = False,
        moving_mean_name: str | None = None,
        moving_variance_name: str | None = None,
        do_model_average_for_mean_and_var: bool = True,
        use_global_stats: bool = False,
        trainable_statistics: bool = False,
    ) -> None:
        Layer.__init__(self)
        if data_layout not in self._layouts:
            raise ValueError(f"BatchNorm: data_layout must be 'NCHW' or 'NHWC', got {data_layout!r}")
        self._num_features, self._momentum, self._epsilon, self._act = num_channels, momentum, epsilon, act
        self._data_format, self._name = data_layout, None
        # here False is the default, and means: the batch's in training, the running ones in evaluation
        self._use_global_stats = True if use_global_stats else False if trainable_statistics else None
        self.training = not is_test
        self._make(num_channels, param_attr, bias_attr, as_dtype(dtype), moving_mean_name, moving_variance_name)

    def forward(self, input: Any) -> Any:
        """A tensor like ``input``; in training the running statistics are updated."""
        result = super().forward(input)
        return result if self._act is None else getattr(F, self._act)(result)

    def extra_repr(self) -> str:
        return ""


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
        self._epsilon = epsilon
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
        self.scale = self.create_parameter([num_features], weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([num_features], bias_attr, is_bias=True)

    def forward(self, input: Any) -> Any:
        """A tensor like ``input``. Raises ShapeError for another rank."""
        _check_rank(self, input, self._ranks)
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
    """Normalises each channel of each element of ``[N, C, L]`` by itself; see `InstanceNorm2D`."""

    _ranks, _layout = (2, 3), "NCL"


class InstanceNorm2D(_InstanceNormBase):
    """Normalises each channel of each element of ``[N, C, H, W]`` by itself (Ulyanov et al., 2016).

    Args:
        num_features: number of channels.
        epsilon: added to the variance (default 1e-5).
        weight_attr, bias_attr: how ``scale`` (ones) and ``bias`` (zeros) are made; both False for none.
    """

    _ranks, _layout = (4,), "NCHW"


class InstanceNorm3D(_InstanceNormBase):
    """Normalises each channel of each element of ``[N, C, D, H, W]`` by itself; see `InstanceNorm2D`."""

    _ranks, _layout = (5,), "NCDHW"


LocalResponseNorm = declare(
    __name__, "LocalResponseNorm", "local_response_norm",
    "Divides by a power of the squares of ``size`` neighbouring channels (Krizhevsky et al., 2012).",
    ("size", "alpha", "beta", "k"), size=REQUIRED, alpha=1e-4, beta=0.75, k=1.0, data_format="NCHW",
)  # fmt: skip
