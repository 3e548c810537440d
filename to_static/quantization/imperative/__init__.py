"""Quantization by layers, as it was before `QAT` and `PTQ`: `ImperativeQuantAware` and `ImperativePTQ`.

Source: PaddlePaddle 2.6, ``paddle.quantization.imperative``.
"""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.quantization.imperative.ptq import ImperativePTQ
from to_static.quantization.imperative.ptq_config import PTQConfig, default_ptq_config
from to_static.quantization.imperative.ptq_quantizer import (
    SUPPORT_ACT_QUANTIZERS,
    SUPPORT_WT_QUANTIZERS,
    AbsmaxQuantizer,
    BaseQuantizer,
    HistQuantizer,
    KLQuantizer,
    PerChannelAbsmaxQuantizer,
)
from to_static.quantization.imperative.ptq_registry import PTQRegistry
from to_static.quantization.imperative.qat import ImperativeQuantAware

__all__ = [
    "SUPPORT_ACT_QUANTIZERS", "SUPPORT_WT_QUANTIZERS", "AbsmaxQuantizer", "BaseQuantizer", "HistQuantizer", "ImperativePTQ",
    "ImperativeQuantAware", "KLQuantizer", "PTQConfig", "PTQRegistry", "PerChannelAbsmaxQuantizer", "default_ptq_config",
]  # fmt: skip

__getattr__ = names_missing(__name__)
