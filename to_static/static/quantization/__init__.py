"""Quantization of static Programs: passes, and what calls them (`PostTrainingQuantization`, `WeightQuantization`)."""

from to_static.core.on_demand import on_demand

_HOMES = {
    "to_static.static.quantization.quantization_pass": (
        "AddQuantDequantForInferencePass AddQuantDequantPass AddQuantDequantPassV2 ConvertToInt8Pass OutScaleForInferencePass "
        "OutScaleForTrainingPass QuantWeightPass QuantizationFreezePass QuantizationTransformPass QuantizationTransformPassV2 "
        "ReplaceFakeQuantDequantPass TransformForMobilePass"
    ),
}
__getattr__, __dir__, __all__ = on_demand(__name__, _HOMES)
