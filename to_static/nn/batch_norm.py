"""Batch normalisation layers."""

from __future__ import annotations

from typing import Any

from to_static.core.diagnostics.printable import printable
from to_static.core.dtypes import as_dtype, default_dtype, float16, float32
from to_static.nn import functional as F
from to_static.nn.initializer import Constant
from to_static.nn.layer import Layer
from to_static.nn.norm import check_rank
from to_static.nn.op_helper import activated
from to_static.nn.parameter import ParamAttr


class _BatchNormBase(Layer):
    _ranks: tuple[int, ...] = ()
    # what data_format may be -> what nn.functional calls it
    _layouts = dict.fromkeys(("NCHW", "NCL", "NC", "NCDHW"), "NCHW") | dict.fromkeys(("NHWC", "NLC", "NDHWC"), "NHWC")

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
        self._in_place = False
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
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

    def _check_data_format(self, input: str) -> None:
        """Raise ValueError for a layout that there is not; subclasses may check something else."""
        if input not in self._layouts:
            raise ValueError(f"expected {', '.join(self._layouts)} for data_format input, got {input!r}")

    def _check_input_dim(self, input: Any) -> None:
        """Raise ShapeError unless ``input`` has a rank that fits; subclasses may check something else."""
        if self._ranks:
            check_rank(self, input, self._ranks)

    def forward(self, input: Any) -> Any:
        """A tensor like ``input``; in training the running statistics are updated. Raises ShapeError for another rank."""
        self._check_input_dim(input)
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
        return text if self._name is None else f"{text}, name={printable(self._name)}"


_BATCH_DOC = """Batch normalisation of {input} (Ioffe and Szegedy, 2015).

    In training each channel is normalised with its own mean and variance over the batch, and running ones are kept
    (``running = momentum * running + (1 - momentum) * batch``) for evaluation.

    Args:
        num_features: number of channels.
        momentum, epsilon: see above, and what is added to the variance (default 0.9, 1e-5).
        weight_attr, bias_attr: how scale (ones) and shift (zeros) are made; False for none.
        data_format: {layouts}.
        use_global_stats: True to use the running statistics in training too.

    A call raises ShapeError for an input that does not fit.

    Example:
        >>> paddle.nn.{name}(3)(paddle.ones({shape})).shape
        {shape}
    """


class BatchNorm1D(_BatchNormBase):
    __doc__ = _BATCH_DOC.format(
        input="``[N, C]`` or ``[N, C, L]``", layouts="'NCL', 'NC', or 'NLC' for channels last",
        name="BatchNorm1D", shape="[2, 3, 4]"
    )
    _ranks: tuple[int, ...] = (2, 3)
    _layouts = {"NCL": "NCHW", "NC": "NCHW", "NCHW": "NCHW", "NLC": "NHWC", "NHWC": "NHWC"}


class BatchNorm2D(_BatchNormBase):
    __doc__ = _BATCH_DOC.format(
        input="``[N, C, H, W]``", layouts="'NCHW', or 'NHWC' for channels last", name="BatchNorm2D", shape="[2, 3, 4, 4]"
    )
    _ranks = (4,)
    _layouts = {"NCHW": "NCHW", "NHWC": "NHWC"}


class BatchNorm3D(_BatchNormBase):
    __doc__ = _BATCH_DOC.format(
        input="``[N, C, D, H, W]``", layouts="'NCDHW', or 'NDHWC' for channels last", name="BatchNorm3D", shape="[2, 3, 2, 2, 2]"
    )
    _ranks = (5,)
    _layouts = {"NCDHW": "NCHW", "NCHW": "NCHW", "NDHWC": "NHWC", "NHWC": "NHWC"}


class SyncBatchNorm(_BatchNormBase):
    __doc__ = _BATCH_DOC.format(
        input="``[N, C, *]`` over all devices (here always one)", layouts="'NCHW' or 'NHWC'",
        name="SyncBatchNorm", shape="[2, 3, 4, 4]"
    )
    _layouts = {"NCHW": "NCHW", "NHWC": "NHWC"}

    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, None, name)

    def forward(self, x: Any) -> Any:
        """A tensor like ``x``; in training the running statistics are updated."""
        return super().forward(x)

    @classmethod
    def convert_sync_batchnorm(cls, layer: Layer) -> Layer:
        """``layer`` with a SyncBatchNorm in the place of every `BatchNorm1D`, `BatchNorm2D` and `BatchNorm3D` inside of it.

        The new layers have the parameters and statistics of the old ones. A ``layer`` that is one itself is not changed: its
        replacement is returned.

        Example:
            >>> net = paddle.nn.SyncBatchNorm.convert_sync_batchnorm(paddle.nn.Sequential(paddle.nn.BatchNorm2D(4)))
        """
        if isinstance(layer, (BatchNorm1D, BatchNorm2D, BatchNorm3D)):
            synced = cls(
                layer._num_features, layer._momentum, layer._epsilon, layer._weight_attr, layer._bias_attr,
                layer._layouts[layer._data_format], layer._name,
            )  # fmt: skip
            synced.weight, synced.bias, synced._mean, synced._variance = layer.weight, layer.bias, layer._mean, layer._variance
            synced.training = layer.training
            return synced
        for name, child in layer.named_children():
            replaced = cls.convert_sync_batchnorm(child)
            if replaced is not child:
                layer.add_sublayer(name, replaced)
        return layer


class BatchNorm(_BatchNormBase):
    """Batch normalisation of ``[N, C, *]`` with the arguments of Paddle 1; new code takes `BatchNorm2D` and the like.

    Args:
        num_channels: number of channels.
        act: type of an operator applied to the result, ``'relu'`` or ``'hard_swish'``, with the operator's own defaults.
        is_test: True to start in evaluation.
        trainable_statistics: use the batch's statistics in evaluation too.

    See `BatchNorm2D` for the others.

    There, ``param_attr`` and ``bias_attr`` are ``weight_attr`` and ``bias_attr``, and ``data_layout`` is
    ``data_format``: 'NCHW' or 'NHWC'; another one raises ValueError. ``momentum``, ``epsilon`` and
    ``use_global_stats`` are the same. ``dtype``: of the parameters; ``moving_mean_name``, ``moving_variance_name``: names of
    the running statistics. ``in_place`` and ``do_model_average_for_mean_and_var`` change nothing.

    Example:
        >>> paddle.nn.BatchNorm(3)(paddle.ones([2, 3, 4, 4])).shape
        [2, 3, 4, 4]
    """

    _layouts = {"NCHW": "NCHW", "NHWC": "NHWC"}

    _keeps_float32 = True  # where a network becomes one of float16

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
        self._data_layout, self._param_attr, self._bias_attr = data_layout, param_attr, bias_attr
        # here False is the default, and means: the batch's in training, the running ones in evaluation
        self._use_global_stats = True if use_global_stats else False if trainable_statistics else None
        self._trainable_statistics = trainable_statistics
        self.training = not is_test
        self._make(num_channels, param_attr, bias_attr, as_dtype(dtype), moving_mean_name, moving_variance_name)

    def forward(self, input: Any) -> Any:
        """A tensor like ``input``; in training the running statistics are updated."""
        return activated(super().forward(input), self._act)

    def extra_repr(self) -> str:
        return ""
