"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from to_static.quantization import config as config
from to_static.quantization import factory as factory
from to_static.quantization import imperative as imperative
from to_static.quantization import observers as observers
from to_static.quantization import quanters as quanters
from to_static.quantization import quantize as quantize
from to_static.quantization.config import QuantConfig as QuantConfig
from to_static.quantization.config import SingleLayerConfig as SingleLayerConfig
from to_static.quantization.factory import BaseObserver as BaseObserver
from to_static.quantization.factory import BaseQuanter as BaseQuanter
from to_static.quantization.factory import quanter as quanter
from to_static.quantization.factory import QuanterFactory as ObserverFactory
from to_static.quantization.factory import QuanterFactory as QuanterFactory
from to_static.quantization.imperative.ptq import ImperativePTQ as ImperativePTQ
from to_static.quantization.imperative.ptq_config import PTQConfig as PTQConfig
from to_static.quantization.imperative.ptq_quantizer import AbsmaxQuantizer as AbsmaxQuantizer
from to_static.quantization.imperative.ptq_quantizer import BaseQuantizer as BaseQuantizer
from to_static.quantization.imperative.ptq_quantizer import HistQuantizer as HistQuantizer
from to_static.quantization.imperative.ptq_quantizer import KLQuantizer as KLQuantizer
from to_static.quantization.imperative.ptq_quantizer import PerChannelAbsmaxQuantizer as PerChannelAbsmaxQuantizer
from to_static.quantization.imperative.ptq_registry import PTQRegistry as PTQRegistry
from to_static.quantization.imperative.qat import ImperativeQuantAware as ImperativeQuantAware
from to_static.quantization.quantize import PTQ as PTQ
from to_static.quantization.quantize import QAT as QAT
from to_static.quantization.quantize import Quantization as Quantization

SUPPORT_ACT_QUANTIZERS: list
SUPPORT_WT_QUANTIZERS: list
default_ptq_config: Any

__all__ = ["AbsmaxQuantizer", "BaseObserver", "BaseQuanter", "BaseQuantizer", "HistQuantizer", "ImperativePTQ", "ImperativeQuantAware", "KLQuantizer", "ObserverFactory", "PTQ", "PTQConfig", "PTQRegistry", "PerChannelAbsmaxQuantizer", "QAT", "QuantConfig", "QuanterFactory", "Quantization", "SUPPORT_ACT_QUANTIZERS", "SUPPORT_WT_QUANTIZERS", "SingleLayerConfig", "default_ptq_config", "imperative", "observers", "quanter", "quanters"]
