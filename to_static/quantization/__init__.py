"""Networks that compute as if with few bits: trained so (`QAT`), or with scales that were observed (`PTQ`)."""

from to_static.core.importing.lazy_module import attach

_HOMES = {
    "to_static.quantization.config": "QuantConfig SingleLayerConfig",
    "to_static.quantization.factory": "BaseObserver BaseQuanter ObserverFactory QuanterFactory quanter",
    "to_static.quantization.quantize": "PTQ QAT Quantization",
    "to_static.quantization.imperative": (
        "AbsmaxQuantizer BaseQuantizer HistQuantizer ImperativePTQ ImperativeQuantAware KLQuantizer PTQConfig PTQRegistry "
        "PerChannelAbsmaxQuantizer SUPPORT_ACT_QUANTIZERS SUPPORT_WT_QUANTIZERS default_ptq_config"
    ),
}
__getattr__, __dir__, __all__ = attach(__name__, _HOMES, "imperative observers quanters")
