"""`QAT` and `PTQ`: networks with quanters in them, and what becomes of these in the end."""

from __future__ import annotations

import copy
from typing import Any

from to_static.nn.layer import Layer
from to_static.nn.quant.format import ConvertibleQuantedLayer, LinearQuanterDequanter
from to_static.quantization.config import QuantConfig
from to_static.quantization.factory import BaseQuanter


class ObserveWrapper(Layer):
    """A layer with an observer before it (or, ``observe_input=False``, behind it)."""

    def __init__(self, observer: Any, observed: Layer, observe_input: bool = True) -> None:
        super().__init__()
        self._observer, self._observed, self._observe_input = observer, observed, observe_input

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        if self._observe_input:
            return self._observed(self._observer(*inputs), **kwargs)
        return self._observer(self._observed(*inputs, **kwargs))


class Quantization:
    """The base of `QAT` and `PTQ`.

    ``config``: which layers get which quanters.

    Example:
        >>> issubclass(paddle.quantization.QAT, paddle.quantization.Quantization)
        True
    """

    def __init__(self, config: QuantConfig) -> None:
        self._config = copy.deepcopy(config)

    def quantize(self, model: Layer, inplace: bool = False) -> Layer:
        """A network with quanters in it."""
        raise NotImplementedError("abstract: use QAT or PTQ")

    def convert(self, model: Layer, inplace: bool = False, remain_weight: bool = False) -> Layer:
        """The network for use: weights are whole numbers (unless ``remain_weight``), quanters use the scales that they have found.

        Example:
            >>> model = qat.convert(quantized)
            >>> paddle.jit.save(model, 'model', input_spec=[...])
        """
        result = model if inplace else copy.deepcopy(model)
        for name, child in list(result.named_children()):
            if isinstance(child, ConvertibleQuantedLayer):
                quanter = getattr(child, "weight_quanter", None)
                if not child.converted and quanter is not None and quanter.scales() is not None:
                    child._convert(remain_weight=remain_weight)
            elif isinstance(child, BaseQuanter):
                setattr(result, name, LinearQuanterDequanter.from_quanter(child))
            else:
                self.convert(child, True, remain_weight)
        return result

    def _prepared(self, model: Layer) -> Layer:
        self._config._specify(model)
        _replace(model, self._config._replacement)

        def wrapped(layer: Layer) -> Any:
            observer = self._config._observer(layer)
            return None if observer is None else ObserveWrapper(observer, layer)

        _replace(model, wrapped)
        return model

    def _details(self) -> str:
        return self._config.details()

    def __str__(self) -> str:
        return self._details()

    __repr__ = __str__


def _replace(model: Layer, make_layer: Any) -> None:
    for name, child in list(model.named_children()):
        replacement = make_layer(child)
        if replacement is not None:
            model.add_sublayer(name, replacement)
        else:
            _replace(child, make_layer)


class QAT(Quantization):
    """Training with the errors that few bits would make.

    ``config``: which layers get which quanters.

    Example:
        >>> quanter = paddle.quantization.quanters.FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
        >>> qat = paddle.quantization.QAT(paddle.quantization.QuantConfig(activation=quanter, weight=quanter))
        >>> quantized = qat.quantize(model)
        >>> train(quantized)
        >>> model = qat.convert(quantized)

        ce: PaddlePaddle 2.6, ``paddle.quantization.QAT``.
    """

    def quantize(self, model: Layer, inplace: bool = False) -> Layer:
        """A copy of the network (itself with ``inplace``) with quanters. Raises AssertionError when it is in evaluation mode."""
        if not model.training:
            raise AssertionError(
                "Quantization-Aware Training shoud work on training models. Please set training mode by model.train()."
            )
        return self._prepared(model if inplace else copy.deepcopy(model))


class PTQ(Quantization):
    """Scales that are observed, on a network that is trained already.

    ``config``: which layers get which observers.

    Example:
        >>> observer = paddle.quantization.observers.AbsmaxObserver()
        >>> ptq = paddle.quantization.PTQ(paddle.quantization.QuantConfig(activation=observer, weight=observer))
        >>> observed = ptq.quantize(model)
        >>> for batch in some_batches: observed(batch)
        >>> model = ptq.convert(observed)

        ce: PaddlePaddle 2.6, ``paddle.quantization.PTQ``.
    """

    def quantize(self, model: Layer, inplace: bool = False) -> Layer:
        """A copy of the network, in evaluation mode, with observers; with ``inplace`` itself, which has to be in that mode."""
        if inplace and model.training:
            raise AssertionError(
                "Post-Training Quantization shoud not work on training models. Please set evaluation mode by model.eval()."
            )
        result = model
        if not inplace:
            result = copy.deepcopy(model)
            result.eval()
        return self._prepared(result)
