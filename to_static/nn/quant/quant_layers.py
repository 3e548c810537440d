"""Layers that compute as if with few bits, as `quantization.ImperativeQuantAware` and `ImperativePTQ` put them into networks.

Each quantized layer has the weight and bias of the layer that was there, a quanter of its weight (``_fake_quant_weight``) and one
of what comes in (``_fake_quant_input``). A number of ``quant_bits`` bits is a whole one of at most
``most = 2 ** (quant_bits - 1) - 1``, and stands for ``number * scale / most``; gradients pass as if nothing were rounded.

Source: PaddlePaddle 2.6, ``paddle.nn.quant.quant_layers``; Jacob et al., "Quantization and Training of Neural Networks", CVPR 2018.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import arguments, functions
from to_static.nn import functional as F
from to_static.nn.layer import Layer
from to_static.nn.quant.lsq import FakeQuantActLSQPlus, FakeQuantWeightLSQPlus
from to_static.nn.quant.quanter_parameters import quanter_parameter

__all__ = [
    "FakeQuantAbsMax", "FakeQuantChannelWiseAbsMax", "FakeQuantMAOutputScaleLayer", "FakeQuantMovingAverageAbsMax",
    "MAOutputScaleLayer", "MovingAverageAbsMaxScale", "QuantStub", "QuantizedColumnParallelLinear", "QuantizedConv2D",
    "QuantizedConv2DTranspose", "QuantizedLinear", "QuantizedMatmul", "QuantizedRowParallelLinear",
]  # fmt: skip


class _Observing(Layer):
    """The base of layers that observe statistics: these are parameters that no optimizer trains."""

    def _create_state(
        self, name: str | None, state_name: str, value: float, shape: Any = (1,), dtype: Any = None, around: str = ""
    ) -> Any:
        full = f"{name or around or 'quant_dequant'}.{state_name}"
        return quanter_parameter(self, full, value, list(shape), dtype or self._dtype, trainable=False)


class FakeQuantAbsMax(_Observing):
    """Rounds to whole multiples of ``scale / most``; the scale is the largest magnitude of what comes in, each time.

    Args:
        name: what the scale is called: ``NAME.scale_0``.
        quant_bits: how many bits there are.
        dtype: not used; the scale has the layer's dtype.
        quant_on_weight: keep the scale as a parameter ``_scale`` [1], which files and converters read.
        reduce_type: 'max' for the largest of all processes; there is one.

    Example:
        >>> y = paddle.nn.quant.quant_layers.FakeQuantAbsMax()(x)
    """

    def __init__(
        self, name: str | None = None, quant_bits: int = 8, dtype: Any = "float32", quant_on_weight: bool = False,
        reduce_type: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._quant_bits, self._name, self._reduce_type = quant_bits, name, reduce_type
        self._scale = self._create_state(name, "scale", 0.001) if quant_on_weight else None
        self._scale_name = f"{name or 'quant_dequant'}.scale" if self._scale is None else self._scale.name

    def forward(self, input: Any) -> Any:
        out, scale = functions.fake_quantize_dequantize_abs_max(input, bit_length=self._quant_bits)
        if self._scale is not None:
            self._scale.set_value(scale.detach())
        return out


class FakeQuantMovingAverageAbsMax(_Observing):
    """Rounds to whole multiples of ``scale / most``; in training the scale follows the largest magnitudes.

    ``state = rate * state + 1``, ``accum = rate * accum + max(abs(x))``, ``scale = accum / state``.

    Args:
        name: what the numbers are called: ``NAME.scale_0``, ``NAME.state_0``, ``NAME.accum_0``.
        moving_rate: the rate.
        quant_bits: how many bits there are.
        dtype: of scale, state and accum, parameters [1] that are not trained.
        reduce_type: 'max' for the largest of all processes; there is one.

    Example:
        >>> y = paddle.nn.quant.quant_layers.FakeQuantMovingAverageAbsMax()(x)
    """

    def __init__(
        self, name: str | None = None, moving_rate: float = 0.9, quant_bits: int = 8, dtype: Any = "float32",
        reduce_type: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._moving_rate, self._quant_bits, self._reduce_type = moving_rate, quant_bits, reduce_type
        self._scale = self._create_state(name, "scale", 0.001, dtype=dtype)
        self._state = self._create_state(name, "state", 1.0, dtype=dtype)
        self._accum = self._create_state(name, "accum", 1.0, dtype=dtype)

    def forward(self, input: Any) -> Any:
        rates = {"moving_rate": self._moving_rate, "bit_length": self._quant_bits}
        function = functions.fake_quantize_dequantize_moving_average_abs_max
        if not self.training:
            return function(input, self._scale, is_test=True, **rates)[0]
        out, scale, state, accum = function(input, self._scale, self._accum, self._state, is_test=False, **rates)
        _keep(self, scale, state, accum)
        return out


class FakeQuantChannelWiseAbsMax(_Observing):
    """Rounds weights with a scale for each index of a dimension, the largest magnitude there.

    Args:
        name: what the scales are called.
        channel_num: how many there are.
        quant_bits: how many bits there are.
        quant_axis: the dimension.
        dtype: of the scales, a parameter [channel_num] that is not trained.
        quant_on_weight: has to be True. AssertionError otherwise.
        reduce_type: 'max' for the largest of all processes; there is one.

    Example:
        >>> quanter = FakeQuantChannelWiseAbsMax(channel_num=3, quant_on_weight=True)
        >>> y = quanter(conv.weight)
    """

    def __init__(
        self, name: str | None = None, channel_num: int | None = None, quant_bits: int = 8, quant_axis: int = 0,
        dtype: Any = "float32", quant_on_weight: bool = False, reduce_type: str | None = None,
    ) -> None:  # fmt: skip
        if not quant_on_weight:
            raise AssertionError("Channel_wise only can be used on weight quantization.")
        super().__init__()
        self._quant_bits, self._quant_axis, self._dtype = quant_bits, quant_axis, dtype
        self._name, self._channel_num, self._reduce_type = name, channel_num, reduce_type
        self._scale = self._create_state(name, "scale", 0.0, [channel_num], dtype)
        self._scale_name = self._scale.name

    def forward(self, input: Any) -> Any:
        function = functions.fake_channel_wise_quantize_dequantize_abs_max
        out, scale = function(input, quant_axis=self._quant_axis, bit_length=self._quant_bits)
        self._scale.set_value(scale.detach())
        return out


class MovingAverageAbsMaxScale(_Observing):
    """Gives its input as it is; in training a scale follows its largest magnitudes, as `FakeQuantMovingAverageAbsMax` has it.

    ``moving_rate``: how much of the scale stays in each step; ``dtype``: of the scale; ``reduce_type``: None, or
    'max': the largest of all processes.

    Example:
        >>> y = paddle.nn.quant.quant_layers.MovingAverageAbsMaxScale()(x)
    """

    def __init__(
        self, name: str | None = None, moving_rate: float = 0.9, dtype: Any = "float32", reduce_type: str | None = None
    ) -> None:
        super().__init__()
        self._moving_rate, self._reduce_type = moving_rate, reduce_type
        self._scale = self._create_state(name, "scale", 0.0, dtype=dtype, around="outscale")
        self._state = self._create_state(name, "state", 0.0, dtype=dtype, around="outscale")
        self._accum = self._create_state(name, "accum", 0.0, dtype=dtype, around="outscale")

    def forward(self, input: Any) -> Any:
        function = functions.moving_average_abs_max_scale
        if not self.training:
            return function(input, None, None, self._scale, moving_rate=self._moving_rate, is_test=True)[0]
        out, scale, state, accum = function(input, self._accum, self._state, moving_rate=self._moving_rate, is_test=False)
        _keep(self, scale, state, accum)
        return out


QuantStub = MovingAverageAbsMaxScale


def _keep(layer: Any, scale: Any, state: Any, accum: Any) -> None:
    layer._scale.set_value(scale.detach())
    layer._state.set_value(state.detach())
    layer._accum.set_value(accum.detach())


class _Quantized(Layer):
    """The base of quantized layers.

    Args:
        layer: the layer that it stands for; its parameters are shared.
        weight_bits, activation_bits: how many bits weights and what comes in have.
        moving_rate: of the scale of what comes in.
        weight_quantize_type: 'abs_max', 'channel_wise_abs_max', 'lsq_weight' or 'channel_wise_lsq_weight'.
        activation_quantize_type: 'abs_max', 'moving_average_abs_max' or 'lsq_act'.
        weight_pre_layer, act_pre_layer: classes of layers through which both go before.
        weight_quant_layer, act_quant_layer: classes of layers that quantize in place of those.
    """

    def _quanters(
        self, layer: Any, axis: int, weight_bits: int = 8, activation_bits: int = 8, moving_rate: float = 0.9,
        weight_quantize_type: str = "abs_max", activation_quantize_type: str = "abs_max", weight_pre_layer: Any = None,
        act_pre_layer: Any = None, weight_quant_layer: Any = None, act_quant_layer: Any = None, linear: bool = False,
        reduce_weight: str | None = None, reduce_input: str | None = None,
    ) -> None:  # fmt: skip
        self.weight, self.bias = layer.weight, layer.bias
        common = {"moving_rate": moving_rate, "dtype": self._dtype}
        self._fake_quant_weight = (
            weight_quant_layer()
            if weight_quant_layer is not None
            else _get_fake_quant_type(
                weight_quantize_type, name=self.weight.name, quant_bits=weight_bits, quant_on_weight=True,
                channel_num=self.weight.shape[axis], quant_axis=axis, quant_linear=linear, reduce_type=reduce_weight, **common,
            )
        )  # fmt: skip
        self._fake_quant_input = (
            act_quant_layer()
            if act_quant_layer is not None
            else _get_fake_quant_type(
                activation_quantize_type, name=layer.full_name(), quant_bits=activation_bits, quant_on_weight=False,
                reduce_type=reduce_input, **common,
            )
        )  # fmt: skip
        self._act_preprocess = None if act_pre_layer is None else act_pre_layer()
        self._weight_preprocess = None if weight_pre_layer is None else weight_pre_layer()

    def _rounded(self, input: Any) -> tuple[Any, Any]:
        """Return the input and the weight, quantized."""
        if self._act_preprocess is not None:
            input = self._act_preprocess(input)
        quant_input = self._fake_quant_input(input)
        weight = self.weight if self._weight_preprocess is None else self._weight_preprocess(self.weight)
        return quant_input, self._fake_quant_weight(weight)


class QuantizedConv2D(_Quantized):
    """`nn.Conv2D` with what comes in and its weight quantized.

    Example:
        >>> layer = QuantizedConv2D(paddle.nn.Conv2D(3, 4, 3), weight_quantize_type='channel_wise_abs_max')
    """

    def __init__(self, layer: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self._groups, self._stride, self._padding = layer._groups, layer._stride, layer._padding
        self._padding_mode, self._dilation, self._data_format = layer._padding_mode, layer._dilation, layer._data_format
        if self._padding_mode != "zeros":
            sizes = arguments.repeat_ints(layer._padding, 2, "padding")
            self._reversed_padding_repeated_twice = [size for size in reversed(sizes) for _ in range(2)]
        self._conv2d_quant_axis = 0
        self._quanters(layer, self._conv2d_quant_axis, *args, **kwargs)

    def forward(self, input: Any) -> Any:
        quant_input, quant_weight = self._rounded(input)
        padding = self._padding
        if self._padding_mode != "zeros":
            sizes = self._reversed_padding_repeated_twice
            quant_input, padding = F.pad(quant_input, sizes, mode=self._padding_mode, data_format=self._data_format), 0
        return F.conv2d(
            quant_input, quant_weight, self.bias, self._stride, padding, self._dilation, self._groups, self._data_format
        )  # fmt: skip


class QuantizedConv2DTranspose(_Quantized):
    """`nn.Conv2DTranspose` with what comes in and its weight quantized.

    Example:
        >>> layer = QuantizedConv2DTranspose(paddle.nn.Conv2DTranspose(4, 6, (3, 3)))
    """

    def __init__(self, layer: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self._groups, self._stride, self._padding = layer._groups, layer._stride, layer._padding
        self._output_padding, self._dilation, self._data_format = layer.output_padding, layer._dilation, layer._data_format
        self._conv2d_transpose_quant_axis = 1
        self._quanters(layer, self._conv2d_transpose_quant_axis, *args, **kwargs)

    def forward(self, input: Any, output_size: Any = None) -> Any:
        quant_input, quant_weight = self._rounded(input)
        return F.conv2d_transpose(
            quant_input, quant_weight, bias=self.bias, padding=self._padding,
            output_padding=self._output_padding if output_size is None else 0, stride=self._stride, dilation=self._dilation,
            groups=self._groups, output_size=output_size, data_format=self._data_format,
        )  # fmt: skip


class QuantizedLinear(_Quantized):
    """`nn.Linear` with what comes in and its weight quantized.

    Example:
        >>> layer = QuantizedLinear(paddle.nn.Linear(3, 4), activation_quantize_type='moving_average_abs_max')
    """

    def __init__(self, layer: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.name = getattr(layer, "name", None)
        self._linear_quant_axis = 1
        self._quanters(layer, self._linear_quant_axis, *args, **{**kwargs, "linear": True})

    def forward(self, input: Any) -> Any:
        quant_input, quant_weight = self._rounded(input)
        return F.linear(quant_input, quant_weight, self.bias)


class _Parallel(_Quantized):
    """Linear layers of which each process has a part; one process has all of it."""

    def __init__(self, layer: Any, *args: Any, weight_quant_layer: Any = None, act_quant_layer: Any = None, **kwargs: Any) -> None:
        class_name = type(self).__name__.removeprefix("Quantized")
        for factory, what in ((weight_quant_layer, "weight_quant_layer"), (act_quant_layer, "act_quant_layer")):
            if factory is not None:
                raise AssertionError(f"When quantizing {class_name}, {what} should be None.")
        super().__init__()
        self.name = getattr(layer, "_name", None)
        self.is_mp, self.model_parallel_group = layer.is_mp, getattr(layer, "model_parallel_group", None)
        self._linear_quant_axis = 1
        self._quanters(layer, self._linear_quant_axis, *args, **kwargs)


class QuantizedColumnParallelLinear(_Parallel):
    """`fleet.meta_parallel.ColumnParallelLinear` with what comes in and its weight quantized."""

    def __init__(self, layer: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(layer, *args, **kwargs)
        self.gather_output = layer.gather_output

    def forward(self, input: Any) -> Any:
        quant_input, quant_weight = self._rounded(input)
        return F.linear(quant_input, quant_weight, self.bias)


class QuantizedRowParallelLinear(_Parallel):
    """`fleet.meta_parallel.RowParallelLinear` with what comes in and its weight quantized."""

    def __init__(self, layer: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(layer, *args, **kwargs)
        self.input_is_parallel = layer.input_is_parallel

    def forward(self, input: Any) -> Any:
        quant_input, quant_weight = self._rounded(input)
        out = F.linear(quant_input, quant_weight)
        return out if self.bias is None else out + self.bias


class QuantizedMatmul(Layer):
    """`nn.quant.matmul` with both of its inputs quantized."""

    def __init__(
        self, layer: Any = None, weight_bits: int = 8, activation_bits: int = 8, moving_rate: float = 0.9,
        weight_quantize_type: str = "abs_max", activation_quantize_type: str = "abs_max", weight_pre_layer: Any = None,
        act_pre_layer: Any = None, weight_quant_layer: Any = None, act_quant_layer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()

        def quanter() -> Any:
            if act_quant_layer is not None:
                return act_quant_layer()
            return _get_fake_quant_type(activation_quantize_type, moving_rate=moving_rate, quant_bits=activation_bits)

        self._fake_quant_x, self._fake_quant_y = quanter(), quanter()
        self._act_preprocess_x = None if act_pre_layer is None else act_pre_layer()
        self._act_preprocess_y = None if act_pre_layer is None else act_pre_layer()

    def forward(self, x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None) -> Any:
        x = self._fake_quant_x(x if self._act_preprocess_x is None else self._act_preprocess_x(x))
        y = self._fake_quant_y(y if self._act_preprocess_y is None else self._act_preprocess_y(y))
        return functions.matmul(x, y, transpose_x, transpose_y)


class MAOutputScaleLayer(Layer):
    """A layer, and behind it a `MovingAverageAbsMaxScale` of what it gives, unless that is several tensors."""

    def __init__(
        self, layer: Any = None, moving_rate: float = 0.9, name: str | None = None, dtype: Any = "float32",
        reduce_type: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._layer = layer
        name = layer.full_name() if name is None else name
        self._ma_output_scale = MovingAverageAbsMaxScale(name, moving_rate, dtype, reduce_type)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        out = self._layer(*inputs, **kwargs)
        return out if isinstance(out, (list, tuple, dict)) else self._ma_output_scale(out)


class FakeQuantMAOutputScaleLayer(Layer):
    """A layer, and behind it a `FakeQuantMovingAverageAbsMax` of what it gives, unless that is several tensors."""

    def __init__(
        self, layer: Any, weight_bits: int = 8, activation_bits: int = 8, moving_rate: float = 0.9, name: str | None = None,
        reduce_type: str | None = None, *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        self._layer = layer
        self._fake_quant_output = _get_fake_quant_type(
            "moving_average_abs_max", name=layer.full_name() if name is None else name, moving_rate=moving_rate,
            quant_bits=activation_bits, dtype=self._dtype, reduce_type=reduce_type,
        )  # fmt: skip

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        out = self._layer(*inputs, **kwargs)
        return out if isinstance(out, (list, tuple)) and len(out) > 1 else self._fake_quant_output(out)


# what each kind takes besides the name, bits, dtype and `reduce_type`
_KINDS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "abs_max": (FakeQuantAbsMax, ("quant_on_weight",)),
    "moving_average_abs_max": (FakeQuantMovingAverageAbsMax, ("moving_rate",)),
    "channel_wise_abs_max": (FakeQuantChannelWiseAbsMax, ("quant_on_weight", "channel_num", "quant_axis")),
    "lsq_weight": (FakeQuantWeightLSQPlus, ("all_postive", "quant_linear")),
    "channel_wise_lsq_weight": (FakeQuantWeightLSQPlus, ("all_postive", "channel_num", "quant_linear")),
    "lsq_act": (FakeQuantActLSQPlus, ("all_postive", "symmetric")),
}


def _get_fake_quant_type(quant_type: str, **kwargs: Any) -> Any:
    """The layer that quantizes so; what it does not take of ``kwargs`` is left out. KeyError for a type that there is not."""
    layer_class, names = _KINDS[quant_type]
    common_names = ("name", "quant_bits", "dtype", "reduce_type")
    settings = {"quant_bits": 8, **{name: kwargs[name] for name in (*common_names, *names) if name in kwargs}}
    if quant_type.startswith("channel_wise") and settings.get("channel_num") is None:
        raise AssertionError("You need to input channel_num when you use channel_wise_abs_max strategy.")
    if layer_class is FakeQuantWeightLSQPlus:
        per_channel = quant_type.startswith("channel_wise")
        settings.update(per_channel=per_channel, **({} if per_channel else {"channel_num": 1}))
    if quant_type == "lsq_act":
        settings.setdefault("symmetric", True)
    return layer_class(**settings)
