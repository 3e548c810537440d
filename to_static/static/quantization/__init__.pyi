"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from to_static.static.quantization import adaround as adaround
from to_static.static.quantization import cal_kl_threshold as cal_kl_threshold
from to_static.static.quantization import calibration as calibration
from to_static.static.quantization import freezing as freezing
from to_static.static.quantization import fusing as fusing
from to_static.static.quantization import inserting as inserting
from to_static.static.quantization import out_scales as out_scales
from to_static.static.quantization import post_training_quantization as post_training_quantization
from to_static.static.quantization import quant_config as quant_config
from to_static.static.quantization import quanter as quanter
from to_static.static.quantization import quantization_pass as quantization_pass
from to_static.static.quantization import scaling as scaling
from to_static.static.quantization import transforming as transforming
from to_static.static.quantization import weight_quantization as weight_quantization
from to_static.static.quantization.freezing import AddQuantDequantForInferencePass as AddQuantDequantForInferencePass
from to_static.static.quantization.freezing import ConvertToInt8Pass as ConvertToInt8Pass
from to_static.static.quantization.freezing import QuantizationFreezePass as QuantizationFreezePass
from to_static.static.quantization.freezing import QuantWeightPass as QuantWeightPass
from to_static.static.quantization.freezing import ReplaceFakeQuantDequantPass as ReplaceFakeQuantDequantPass
from to_static.static.quantization.freezing import TransformForMobilePass as TransformForMobilePass
from to_static.static.quantization.out_scales import OutScaleForInferencePass as OutScaleForInferencePass
from to_static.static.quantization.out_scales import OutScaleForTrainingPass as OutScaleForTrainingPass
from to_static.static.quantization.post_training_quantization import PostTrainingQuantization as PostTrainingQuantization
from to_static.static.quantization.post_training_quantization import PostTrainingQuantizationProgram as PostTrainingQuantizationProgram
from to_static.static.quantization.quanter import convert as convert
from to_static.static.quantization.quanter import quant_aware as quant_aware
from to_static.static.quantization.transforming import AddQuantDequantPass as AddQuantDequantPass
from to_static.static.quantization.transforming import AddQuantDequantPassV2 as AddQuantDequantPassV2
from to_static.static.quantization.transforming import QuantizationTransformPass as QuantizationTransformPass
from to_static.static.quantization.transforming import QuantizationTransformPassV2 as QuantizationTransformPassV2
from to_static.static.quantization.weight_quantization import WeightQuantization as WeightQuantization


__all__ = ["AddQuantDequantForInferencePass", "AddQuantDequantPass", "AddQuantDequantPassV2", "ConvertToInt8Pass", "OutScaleForInferencePass", "OutScaleForTrainingPass", "PostTrainingQuantization", "PostTrainingQuantizationProgram", "QuantWeightPass", "QuantizationFreezePass", "QuantizationTransformPass", "QuantizationTransformPassV2", "ReplaceFakeQuantDequantPass", "TransformForMobilePass", "WeightQuantization", "convert", "quant_aware", "quant_config"]
