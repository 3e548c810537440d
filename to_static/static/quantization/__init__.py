"""Quantization of static Programs: passes, and what calls them (`PostTrainingQuantization`, `WeightQuantization`)."""

from to_static.core.importing.lazy_module import attach

_HOMES = {
    "to_static.static.quantization.quantization_pass": (
        "AddQuantDequantForInferencePass AddQuantDequantPass AddQuantDequantPassV2 ConvertToInt8Pass OutScaleForInferencePass "
        "OutScaleForTrainingPass QuantWeightPass QuantizationFreezePass QuantizationTransformPass QuantizationTransformPassV2 "
        "ReplaceFakeQuantDequantPass TransformForMobilePass"
    ),
    "to_static.static.quantization.post_training_quantization": "PostTrainingQuantization PostTrainingQuantizationProgram",
    "to_static.static.quantization.weight_quantization": "WeightQuantization",
    "to_static.static.quantization.quanter": "convert quant_aware",
}
__getattr__, __dir__, __all__ = attach(__name__, _HOMES, "quant_config")
