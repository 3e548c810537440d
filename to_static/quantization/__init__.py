"""Networks that compute as if with few bits: trained so (`QAT`), or with scales that were observed (`PTQ`)."""

from to_static.core.missing import names_missing
from to_static.quantization import observers, quanters
from to_static.quantization.config import QuantConfig, SingleLayerConfig
from to_static.quantization.factory import BaseObserver, BaseQuanter, ObserverFactory, QuanterFactory, quanter
from to_static.quantization.quantize import PTQ, QAT, Quantization

__all__ = [
    "PTQ", "QAT", "BaseObserver", "BaseQuanter", "ObserverFactory", "QuantConfig", "QuanterFactory", "Quantization",
    "SingleLayerConfig", "observers", "quanter", "quanters",
]  # fmt: skip

__getattr__ = names_missing(__name__)
