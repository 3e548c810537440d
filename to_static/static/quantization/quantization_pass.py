"""All passes of quantization, where Paddle has them."""

from to_static.static.quantization.freezing import (
    AddQuantDequantForInferencePass,
    ConvertToInt8Pass,
    QuantizationFreezePass,
    QuantWeightPass,
    ReplaceFakeQuantDequantPass,
    TransformForMobilePass,
)
from to_static.static.quantization.inserting import InsertQuantizeLinear
from to_static.static.quantization.out_scales import OutScaleForInferencePass, OutScaleForTrainingPass
from to_static.static.quantization.transforming import (
    AddQuantDequantForResidual,
    AddQuantDequantPass,
    AddQuantDequantPassV2,
    QuantizationTransformPass,
    QuantizationTransformPassV2,
)

__all__ = [
    "AddQuantDequantForInferencePass", "AddQuantDequantForResidual", "AddQuantDequantPass", "AddQuantDequantPassV2",
    "ConvertToInt8Pass", "InsertQuantizeLinear", "OutScaleForInferencePass", "OutScaleForTrainingPass", "QuantWeightPass",
    "QuantizationFreezePass", "QuantizationTransformPass", "QuantizationTransformPassV2", "ReplaceFakeQuantDequantPass",
    "TransformForMobilePass",
]  # fmt: skip
