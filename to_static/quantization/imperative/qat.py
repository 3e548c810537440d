"""`ImperativeQuantAware`: training with the errors that few bits would make, by layers."""

from __future__ import annotations

import os
from typing import Any

from to_static.nn.layer import Layer
from to_static.nn.quant import quant_layers
from to_static.nn.quant.functional_layers import FloatFunctionalLayer
from to_static.quantization.imperative import files, fusing
from to_static.quantization.imperative.layers import (
    fake_quant_leaf_layers,
    fake_quant_output_layers,
    fake_quant_wrap_layers,
    find_parent_layer_and_sub_name,
    is_leaf_layer,
    need_layer,
    quantized,
    with_parallel_layers,
)

_WEIGHT_TYPES = ("abs_max", "channel_wise_abs_max", "lsq_weight", "channel_wise_lsq_weight")
_INPUT_TYPES = ("moving_average_abs_max", "lsq_act")
_LAYERS = ("Conv2D", "Linear", "Conv2DTranspose", "ColumnParallelLinear", "RowParallelLinear")


class ImperativeQuantAware:
    """Puts quantizers into a network, which is trained then, and saves it for few bits.

    Args:
        quantizable_layer_type: layers whose inputs and weights are quantized: names or classes; default: `nn.Conv2D`, `nn.Linear`,
            `nn.Conv2DTranspose` and `fleet`'s parallel linear layers. One with ``skip_quant = True`` is left as it is.
        weight_quantize_type: 'abs_max' (default), 'channel_wise_abs_max', 'lsq_weight' or 'channel_wise_lsq_weight'.
        activation_quantize_type: 'moving_average_abs_max' (default) or 'lsq_act'.
        weight_bits, activation_bits: how many bits there are; default: 8.
        moving_rate: of moving averages; default: .9.
        fuse_conv_bn: fold 2-D normalizations into the convolutions before them first.
        weight_preprocess_layer, act_preprocess_layer: classes of layers through which weights and inputs go before.
        weight_quantize_layer, act_quantize_layer: classes of layers that quantize in place of those.
        onnx_format: save with `quantize_linear` and `dequantize_linear`, and weights of eight bits.

    Raises AssertionError for types and layers that there are not.

    Example:
        >>> quantizer = paddle.quantization.ImperativeQuantAware(weight_quantize_type='channel_wise_abs_max')
        >>> quantizer.quantize(model)
        >>> train(model)
        >>> quantizer.save_quantized_model(model, 'model', input_spec=[paddle.static.InputSpec([None, 3, 32, 32])])

    Source: PaddlePaddle 2.6, ``paddle.quantization.ImperativeQuantAware``.
    """

    def __init__(
        self, quantizable_layer_type: Any = _LAYERS, weight_quantize_type: str = "abs_max",
        activation_quantize_type: str = "moving_average_abs_max", weight_bits: int = 8, activation_bits: int = 8,
        moving_rate: float = 0.9, fuse_conv_bn: bool = False, weight_preprocess_layer: Any = None, act_preprocess_layer: Any = None,
        weight_quantize_layer: Any = None, act_quantize_layer: Any = None, onnx_format: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.fuse_conv_bn = fuse_conv_bn
        self._quantize_inputs = ImperativeQuantizeInputs(
            quantizable_layer_type, weight_quantize_type, activation_quantize_type, weight_bits, activation_bits, moving_rate,
            weight_preprocess_layer, act_preprocess_layer, weight_quantize_layer, act_quantize_layer,
        )  # fmt: skip
        self._quantize_outputs = ImperativeQuantizeOutputs(moving_rate, activation_bits, onnx_format)

    def quantize(self, model: Layer) -> Layer:
        """Put quantizers into ``model`` itself, which is returned. Raises AssertionError for what is no Layer."""
        need_layer(model)
        if self.fuse_conv_bn:
            fusing.fuse_conv_bn(model)
        self._quantize_inputs.apply(model)
        self._quantize_outputs.apply(model)
        return model

    def save_quantized_model(self, layer: Layer, path: str | os.PathLike[str], input_spec: Any = None, **config: Any) -> None:
        """Write ``PATH.pdmodel`` and ``PATH.pdiparams``, in which operators know the scales of what they read and give.

        ``input_spec``, ``config``: as `jit.save` takes them.
        """
        self._quantize_outputs.save_quantized_model(layer, path, input_spec, **config)


class ImperativeQuantizeInputs:
    """Quantizes what comes into layers with weights, and these. Arguments: see `ImperativeQuantAware`."""

    def __init__(
        self, quantizable_layer_type: Any = _LAYERS[:3], weight_quantize_type: str = "abs_max",
        activation_quantize_type: str = "moving_average_abs_max", weight_bits: int = 8, activation_bits: int = 8,
        moving_rate: float = 0.9, weight_preprocess_layer: Any = None, act_preprocess_layer: Any = None,
        weight_quantize_layer: Any = None, act_quantize_layer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.layer_name_map, self.fake_quant_input_layers = with_parallel_layers()
        self._quantizable_layer_type = tuple(
            self.layer_name_map.get(layer_type, layer_type) for layer_type in quantizable_layer_type
        )
        for layer_type in self._quantizable_layer_type:
            if isinstance(layer_type, str) or layer_type not in self.fake_quant_input_layers:
                raise AssertionError(f"{layer_type} is unspported to be quantized.")
        for what, value, allowed in (
            ("weight", weight_quantize_type, _WEIGHT_TYPES),
            ("activation", activation_quantize_type, _INPUT_TYPES),
        ):
            if value not in allowed:
                raise AssertionError(f"Unsupported {what}_quantize_type: {value}. It can only be {' or '.join(allowed)}.")
        for what, bits in (("weight", weight_bits), ("activation", activation_bits)):
            if not isinstance(bits, int) or not 0 <= bits <= 16:
                raise AssertionError(f"{what}_bits should be 1, 2,... or 16, got {bits!r}")
        classes = {
            "weight_pre_layer": weight_preprocess_layer, "act_pre_layer": act_preprocess_layer,
            "weight_quant_layer": weight_quantize_layer, "act_quant_layer": act_quantize_layer,
        }  # fmt: skip
        for name, layer_type in classes.items():
            if layer_type is not None and not (isinstance(layer_type, type) and issubclass(layer_type, Layer)):
                raise AssertionError(f"{name} should be a class of nn.Layer, got {layer_type!r}")
        self._kwargs: dict[str, Any] = {
            "weight_quantize_type": weight_quantize_type, "activation_quantize_type": activation_quantize_type,
            "weight_bits": weight_bits, "activation_bits": activation_bits, "moving_rate": moving_rate, **classes,
        }  # fmt: skip

    def apply(self, model: Layer) -> None:
        """Put quantized layers in the place of those that are there."""
        need_layer(model)
        for name, layer in list(model.named_sublayers()):
            if isinstance(layer, self._quantizable_layer_type) and getattr(layer, "skip_quant", None) is not True:
                parent, sub_name = find_parent_layer_and_sub_name(model, name)
                setattr(parent, sub_name, quantized(layer, self.layer_name_map, **self._kwargs))


class ImperativeQuantizeOutputs:
    """Observes what layers give, and saves networks.

    Args:
        moving_rate: of the moving averages.
        activation_bits: how many bits what comes in has.
        onnx_format: see `ImperativeQuantAware`.
    """

    def __init__(self, moving_rate: float = 0.9, activation_bits: int = 8, onnx_format: bool = False) -> None:
        super().__init__()
        self._moving_rate, self._activation_bits, self._onnx_format = moving_rate, activation_bits, onnx_format

    def apply(self, model: Layer) -> None:
        """Put an observer behind each layer of a network that has none in it."""
        need_layer(model)
        for name, layer in list(model.named_sublayers()):
            if "_act_preprocess" in name or not self._is_target_layer(layer):
                continue
            parent, sub_name = find_parent_layer_and_sub_name(model, name)
            is_fake_quant = isinstance(layer, fake_quant_output_layers)
            around: Any = quant_layers.FakeQuantMAOutputScaleLayer if is_fake_quant else quant_layers.MAOutputScaleLayer
            setattr(parent, sub_name, around(layer, moving_rate=self._moving_rate))

    def _is_target_layer(self, layer: Any) -> bool:
        if self._onnx_format:
            return isinstance(layer, fake_quant_wrap_layers)
        leaf = is_leaf_layer(layer) and not isinstance(layer, fake_quant_leaf_layers)
        return leaf or isinstance(layer, (*fake_quant_wrap_layers, FloatFunctionalLayer))

    def save_quantized_model(self, model: Layer, path: str | os.PathLike[str], input_spec: Any = None, **config: Any) -> None:
        """See `ImperativeQuantAware.save_quantized_model`."""
        need_layer(model)
        with files.rewritten(model, path, input_spec, config) as program:
            if self._onnx_format:
                files.as_linear(program, self._activation_bits)
            else:
                files.gather_scales(program)
                files.mark_skipped(program)
