"""`quant_aware` and `convert`: a static Program with quantization in it, and what it becomes for use.

Source: PaddlePaddle 2.6, ``paddle.static.quantization.quanter``.
"""

from __future__ import annotations

from typing import Any

from to_static.static.executor import CompiledProgram, Executor
from to_static.static.ir_graph import Graph, IrGraph
from to_static.static.quantization.post_training_quantization import PostTrainingQuantizationProgram
from to_static.static.quantization.quant_config import (
    SUPPORT_ACT_QUANTIZATION_OP_DICT,
    SUPPORT_WEIGHT_QUANTIZATION_OP_DICT,
)
from to_static.static.quantization.quantization_pass import (
    AddQuantDequantForInferencePass,
    AddQuantDequantForResidual,
    AddQuantDequantPass,
    AddQuantDequantPassV2,
    ConvertToInt8Pass,
    OutScaleForInferencePass,
    OutScaleForTrainingPass,
    QuantizationFreezePass,
    QuantizationTransformPass,
    QuantizationTransformPassV2,
    QuantWeightPass,
)
from to_static.static.scope import global_scope

TRANSFORM_PASS_OP_TYPES = list(SUPPORT_WEIGHT_QUANTIZATION_OP_DICT)
QUANT_DEQUANT_PASS_OP_TYPES = list(SUPPORT_ACT_QUANTIZATION_OP_DICT)
TENSORRT_OP_TYPES = ["mul", "conv2d", "pool2d", "depthwise_conv2d", "elementwise_add", "leaky_relu"]
_TYPES = ("abs_max", "channel_wise_abs_max", "range_abs_max", "moving_average_abs_max")
_DEFAULTS: dict[str, Any] = {
    "weight_quantize_type": "channel_wise_abs_max", "activation_quantize_type": "moving_average_abs_max", "weight_bits": 8,
    "activation_bits": 8, "not_quant_pattern": ["skip_quant"], "quantize_op_types": ["conv2d", "depthwise_conv2d", "mul"],
    "dtype": "int8", "window_size": 10000, "moving_rate": 0.9, "for_tensorrt": False, "is_full_quantize": False,
    "onnx_format": True, "quant_post_first": False, "scale_trainable": True,
}  # fmt: skip


def _settings(config: dict[str, Any] | None) -> dict[str, Any]:
    """The settings with those that are not given. Raises AssertionError for settings that there are not."""
    if config is not None and not isinstance(config, dict):
        raise AssertionError("config must be dict")
    settings = {**_DEFAULTS, **(config or {})}
    defaults = {
        "weight_quantize_type": ("channel_wise_abs_max",) if settings["for_tensorrt"] else _TYPES,
        "activation_quantize_type": ("range_abs_max", "moving_average_abs_max") if settings["for_tensorrt"] else _TYPES,
        "dtype": ("int8",),
    }
    for name, values in defaults.items():
        if settings[name] not in values:
            raise AssertionError(f"Unknown {name}: {settings[name]!r}; it can be {', '.join(values)}")
    for name in ("weight_bits", "activation_bits"):
        if not isinstance(settings[name], int) or not 1 <= settings[name] <= 16:
            raise AssertionError(f"{name} should be between 1 and 16, got {settings[name]!r}")
    every = TRANSFORM_PASS_OP_TYPES + QUANT_DEQUANT_PASS_OP_TYPES
    if settings["for_tensorrt"]:
        settings["quantize_op_types"] = TENSORRT_OP_TYPES
    elif settings["is_full_quantize"]:
        settings["quantize_op_types"] = every
    for op_type in settings["quantize_op_types"]:
        if op_type not in every:
            raise AssertionError(f"{op_type} is not support, now support op types are {', '.join(every)}")
    return settings


def quant_aware(
    program: Any, place: Any, config: dict[str, Any] | None = None, scope: Any = None, for_test: bool = False,
    weight_quantize_func: Any = None, act_quantize_func: Any = None, weight_preprocess_func: Any = None,
    act_preprocess_func: Any = None, optimizer_func: Any = None, executor: Any = None, return_program: bool = False,
    calib_config: Any = None, draw_graph: bool = False, return_scale_dict: bool = False, scale_dict: Any = None,
    model_type: Any = None, pattern_ops: Any = None,
) -> Any:  # fmt: skip
    """A Program with quantization in it, to be trained (a `CompiledProgram`) or, ``for_test``, a `Program` for tests.

    Args:
        program: the Program; one that ``minimize`` was called for is trained in the same way.
        place: not used.
        config: settings by name: ``weight_quantize_type``, ``activation_quantize_type``, ``weight_bits``, ``activation_bits``,
            ``not_quant_pattern``, ``quantize_op_types``, ``window_size``, ``moving_rate``, ``for_tensorrt``, ``is_full_quantize``,
            ``onnx_format``, ``quant_post_first``, ``scale_trainable``.
        scope: where values are; default: `static.global_scope()`.
        weight_quantize_func, act_quantize_func, weight_preprocess_func, act_preprocess_func: see `QuantizationTransformPass`.
        return_program: give a `Program` in any case.
        calib_config: settings of a calibration, with ``quant_post_first``; see `PostTrainingQuantizationProgram`.
        return_scale_dict: give the scales, too, with ``model_type`` and ``pattern_ops`` as they came.
        scale_dict: scales by the names of variables.

    Raises AssertionError for settings that there are not.

    Example:
        >>> quantized = paddle.static.quantization.quant_aware(main, place, {'onnx_format': False})
    """
    settings, scope = _settings(config), scope or global_scope()
    test = for_test or not settings["scale_trainable"]
    if settings["quant_post_first"] and for_test:
        calibration = {"quantizable_op_type": settings["quantize_op_types"], "batch_nums": 10, **(calib_config or {})}
        ptq = PostTrainingQuantizationProgram(
            executor or Executor(), program, scope=scope, freeze_model=False, scale_dict=scale_dict, **calibration
        )
        graph = ptq.quantize()
        scale_dict = ptq._scale_dict
    else:
        graph = IrGraph(Graph(program.desc), for_test=for_test)
        chosen = settings.get("quant_config")
        heavy = [op_type for op_type in settings["quantize_op_types"] if op_type in TRANSFORM_PASS_OP_TYPES]
        light = [op_type for op_type in settings["quantize_op_types"] if op_type not in TRANSFORM_PASS_OP_TYPES]
        if chosen:
            heavy, light = chosen.weight_quant_operation_types, chosen.activation_quant_operation_types
        linear = settings["onnx_format"]
        passes: list[Any] = []
        if heavy:
            transform = QuantizationTransformPassV2 if linear else QuantizationTransformPass
            passes.append(
                transform(
                    scope, place, weight_bits=settings["weight_bits"], activation_bits=settings["activation_bits"],
                    activation_quantize_type=settings["activation_quantize_type"],
                    weight_quantize_type=settings["weight_quantize_type"], window_size=settings["window_size"],
                    moving_rate=settings["moving_rate"], quantizable_op_type=heavy, skip_pattern=settings["not_quant_pattern"],
                    weight_quantize_func=weight_quantize_func, act_quantize_func=act_quantize_func,
                    weight_preprocess_func=weight_preprocess_func, act_preprocess_func=act_preprocess_func, is_test=test,
                )
            )  # fmt: skip
            passes.append(AddQuantDequantForResidual(scope, place, quant_bits=settings["activation_bits"], is_test=test))
        if light:
            add: Any = AddQuantDequantPassV2 if linear else AddQuantDequantPass
            passes.append(
                add(
                    scope, place, moving_rate=settings["moving_rate"], quant_bits=settings["activation_bits"],
                    skip_pattern=settings["not_quant_pattern"], quantizable_op_type=light, is_test=test,
                )
            )  # fmt: skip
        _apply(graph, passes)
    _apply(graph, [OutScaleForTrainingPass(scope, place, settings["moving_rate"], test, scale_dict)])
    if draw_graph:
        graph.draw("./", "graph.pdf")
    quantized = graph.to_program() if for_test or return_program else CompiledProgram(graph.graph)
    return (quantized, scale_dict, model_type, pattern_ops) if return_scale_dict else quantized


def convert(program: Any, place: Any, config: dict[str, Any] | None = None, scope: Any = None, save_int8: bool = False) -> Any:
    """The Program for use of one that was trained: weights are integers.

    Args:
        program: the test Program that `quant_aware` made.
        place: not used.
        config: the settings that it was made with.
        scope: where values are; default: `static.global_scope()`.
        save_int8: give another Program, too, whose weights are int8. AssertionError with ``onnx_format``, where they are anyway.

    Example:
        >>> program = paddle.static.quantization.convert(test_program, place, config)
    """
    settings, scope = _settings(config), scope or global_scope()
    if save_int8 and settings["onnx_format"]:
        raise AssertionError("When onnx_format=True, already saved int8 weight,so you can't set save_int8=True.")
    graph = IrGraph(Graph(program.desc), for_test=True)
    if settings["onnx_format"]:
        observing = AddQuantDequantForInferencePass(scope, place, quant_bits=settings["activation_bits"])
        _apply(graph, [QuantWeightPass(scope, place), observing])
        return graph.to_program()
    freezing = QuantizationFreezePass(
        scope, place, weight_bits=settings["weight_bits"], activation_bits=settings["activation_bits"],
        weight_quantize_type=settings["weight_quantize_type"],
    )  # fmt: skip
    _apply(graph, [OutScaleForInferencePass(scope), freezing])
    frozen = graph.to_program()
    if not save_int8:
        return frozen
    _apply(graph, [ConvertToInt8Pass(scope, place)])
    return frozen, graph.to_program()


def _apply(graph: IrGraph, passes: list[Any]) -> None:
    for each in passes:
        for sub in graph.all_sub_graphs():
            each.apply(sub)
