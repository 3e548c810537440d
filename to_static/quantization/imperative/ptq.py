"""`ImperativePTQ`: scales that are observed on a network that is trained already, by layers."""

from __future__ import annotations

import contextlib
import copy
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.compiler.ops import functions
from to_static.core import unique_name
from to_static.nn.initializer import Constant
from to_static.nn.layer import Layer
from to_static.nn.parameter import ParamAttr
from to_static.quantization.imperative import files, fusing
from to_static.quantization.imperative.layers import (
    find_parent_layer_and_sub_name,
    is_leaf_layer,
    layer_name_map,
    need_layer,
    quantized,
)
from to_static.quantization.imperative.ptq_config import PTQConfig, default_ptq_config
from to_static.quantization.imperative.ptq_quantizer import AbsmaxQuantizer
from to_static.quantization.imperative.ptq_registry import PTQRegistry


def quant_forward_post_hook(layer: Any, inputs: Any, outputs: Any) -> None:
    """Show the quantizers of a layer what went through it."""
    config = layer._quant_config
    if config.enable_in_act_quantizer:
        config.in_act_quantizer.sample_data(layer, inputs)
    config.out_act_quantizer.sample_data(layer, (outputs,))


class ImperativePTQ:
    """Observes a network, and saves it for few bits.

    Args:
        quant_config: a `PTQConfig`; default: `default_ptq_config`, `KLQuantizer` and `PerChannelAbsmaxQuantizer`.

    Raises AssertionError for another ``quant_config``.

    Example:
        >>> Q = paddle.quantization
        >>> ptq = Q.ImperativePTQ(Q.PTQConfig(Q.AbsmaxQuantizer(), Q.PerChannelAbsmaxQuantizer()))
        >>> observed = ptq.quantize(model)
        >>> for batch in some_batches: observed(batch)
        >>> ptq.save_quantized_model(observed, 'model', input_spec=[paddle.static.InputSpec([None, 3, 32, 32])])

        ce: PaddlePaddle 2.6, ``paddle.quantization.ImperativePTQ``.
    """

    def __init__(self, quant_config: PTQConfig = default_ptq_config) -> None:
        super().__init__()
        if not isinstance(quant_config, PTQConfig):
            raise AssertionError(f"quant_config must be a PTQConfig, got {type(quant_config).__name__}")
        self._quant_config = quant_config

    def quantize(self, model: Layer, inplace: bool = False, fuse: bool = False, fuse_list: Any = None) -> Layer:
        """A network whose layers are observed.

        Args:
            model: the network. AssertionError for what is no Layer.
            inplace: observe ``model`` itself, and no copy.
            fuse: make one layer of those that ``fuse_list`` names: ``[['conv1', 'bn1'], ...]``.
        """
        need_layer(model)
        if not inplace:
            model = copy.deepcopy(model)
        if fuse:
            model.eval()
            model = fusing.fuse_layers(model, fuse_list)
        for _, layer in model.named_sublayers():
            skipped = getattr(layer, "skip_quant", None) is True
            if not PTQRegistry.is_supported_layer(layer) or not is_leaf_layer(layer) or skipped:
                continue
            config = copy.deepcopy(self._quant_config)
            config.enable_in_act_quantizer = PTQRegistry.is_simulated_quant_layer(layer)
            layer._quant_config = config  # type: ignore[assignment]
            config.quant_hook_handle = layer.register_forward_post_hook(quant_forward_post_hook)
            layer._forward_post_hooks.move_to_end(config.quant_hook_handle._hook_id, last=False)
        return model

    def save_quantized_model(self, model: Layer, path: str | os.PathLike[str], input_spec: Any = None, **config: Any) -> None:
        """Write ``PATH.pdmodel`` and ``PATH.pdiparams``, in which operators know the scales of what they read and give.

        The layers of ``model`` that have weights become quantized ones. ``input_spec``, ``config``: as `jit.save` takes them.
        """
        need_layer(model)
        thresholds = self._convert(model)
        with _marked(model, thresholds), files.rewritten(model, path, input_spec, config) as program:
            files.gather_thresholds(program)

    def _convert(self, model: Layer) -> dict[str, float]:
        """End the observation, and put quantized layers in; the thresholds of what layers give, by their names."""
        observed = [(name, layer) for name, layer in model.named_sublayers() if hasattr(layer, "_quant_config")]
        thresholds: dict[str, float] = {}
        for name, layer in observed:
            config = layer._quant_config
            config.quant_hook_handle.remove()
            if config.enable_in_act_quantizer:
                config.in_act_quantizer.cal_thresholds()
            config.out_act_quantizer.cal_thresholds()
            if len(config.out_act_quantizer.thresholds) == 1:
                thresholds[name] = float(config.out_act_quantizer.thresholds[0])
            if PTQRegistry.is_simulated_quant_layer(layer):
                config.wt_quantizer.sample_data(layer, (layer.weight,))
                config.wt_quantizer.cal_thresholds()
                self._wrap(model, name, layer)
        return thresholds

    def _wrap(self, model: Layer, name: str, layer: Any) -> None:
        config = layer._quant_config
        per_tensor = isinstance(config.wt_quantizer, AbsmaxQuantizer)
        wrapped = quantized(
            layer, layer_name_map, weight_quantize_type="abs_max" if per_tensor else "channel_wise_abs_max",
            activation_quantize_type="moving_average_abs_max", weight_bits=config.wt_quantizer.quant_bits,
            activation_bits=config.in_act_quantizer.quant_bits,
        )  # fmt: skip
        if len(config.in_act_quantizer.thresholds) == 1:
            wrapped._fake_quant_input._scale.set_value(np.asarray(config.in_act_quantizer.thresholds, np.float32))
        wrapped._fake_quant_weight._scale.set_value(np.asarray(config.wt_quantizer.thresholds[0], np.float32).reshape(-1))
        parent, sub_name = find_parent_layer_and_sub_name(model, name)
        setattr(parent, sub_name, wrapped)


@contextlib.contextmanager
def _marked(model: Layer, thresholds: dict[str, float]) -> Iterator[None]:
    """While it is saved, what layers give goes through operators that know their thresholds, for `files`."""
    layers = dict(model.named_sublayers())
    handles = []
    for name, threshold in thresholds.items():
        attr = ParamAttr(name=unique_name.generate("out_threshold"), initializer=Constant(threshold), trainable=False)
        scale = layers[name].create_parameter(shape=[1], attr=attr, dtype="float32")
        handles.append(layers[name].register_forward_post_hook(_Mark(scale)))
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


class _Mark:
    """A hook: what a layer gives, through an operator that knows how large it gets."""

    def __init__(self, scale: Any) -> None:
        self._scale = scale

    def __call__(self, layer: Any, inputs: Any, outputs: Any) -> Any:
        return functions.moving_average_abs_max_scale(outputs, None, None, self._scale, is_test=True)[0]
