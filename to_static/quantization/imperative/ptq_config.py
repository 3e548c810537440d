"""`PTQConfig`: by which quantizers layers are observed."""

from __future__ import annotations

import copy
from typing import Any

from to_static.quantization.imperative.ptq_quantizer import (
    SUPPORT_ACT_QUANTIZERS,
    SUPPORT_WT_QUANTIZERS,
    KLQuantizer,
    PerChannelAbsmaxQuantizer,
)


class PTQConfig:
    """The quantizers of what comes into a layer, of what comes out, and of its weight.

    Args:
        activation_quantizer: one of `SUPPORT_ACT_QUANTIZERS`, of which each layer gets copies.
        weight_quantizer: one of `SUPPORT_WT_QUANTIZERS`.

    Raises AssertionError for others.

    Example:
        >>> Q = paddle.quantization
        >>> config = Q.PTQConfig(Q.AbsmaxQuantizer(), Q.PerChannelAbsmaxQuantizer())
    """

    def __init__(self, activation_quantizer: Any, weight_quantizer: Any) -> None:
        super().__init__()
        for quantizer, classes in ((activation_quantizer, SUPPORT_ACT_QUANTIZERS), (weight_quantizer, SUPPORT_WT_QUANTIZERS)):
            if not isinstance(quantizer, tuple(classes)):
                names = ", ".join(cls.__name__ for cls in classes)
                raise AssertionError(f"PTQConfig: one of {names} was expected, got {type(quantizer).__name__}")
        self.in_act_quantizer = copy.deepcopy(activation_quantizer)
        self.out_act_quantizer = copy.deepcopy(activation_quantizer)
        self.wt_quantizer = copy.deepcopy(weight_quantizer)
        self.quant_hook_handle: Any = None
        self.enable_in_act_quantizer = False  # of layers with weights only


default_ptq_config = PTQConfig(KLQuantizer(), PerChannelAbsmaxQuantizer())
