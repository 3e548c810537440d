"""`PostTrainingQuantization`: a saved model, quantized by what calibration data does in it; `WeightQuantization`: its weights only.

Source: PaddlePaddle 2.6, ``paddle.static.quantization``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.editing import FileOp, FileProgram
from to_static.io.loader import DataLoader
from to_static.static.file_program import form_of, program_of
from to_static.static.ir_graph import Graph, IrGraph
from to_static.static.quantization import scaling
from to_static.static.quantization.adaround import learned_rounding
from to_static.static.quantization.calibration import ALGORITHMS, Calibration, weight_range, weight_scale
from to_static.static.quantization.fusing import fold_norms
from to_static.static.quantization.quant_config import (
    SUPPORT_QUANTIZATION_OP_DICT,
    ARMCPUQuantizer,
    BaseQuantizer,
    MKLDNNQuantizer,
    TensorRTQuantizer,
)
from to_static.static.quantization.quantization_pass import (
    AddQuantDequantForInferencePass,
    AddQuantDequantPass,
    AddQuantDequantPassV2,
    QuantizationFreezePass,
    QuantizationTransformPass,
    QuantizationTransformPassV2,
    QuantWeightPass,
)
from to_static.static.quantization.weight_quantization import WeightQuantization
from to_static.static.saving import load_inference_model, save_inference_model
from to_static.static.scope import global_scope

__all__ = ["PostTrainingQuantization", "PostTrainingQuantizationProgram", "WeightQuantization"]

_BACKENDS = {"tensorrt": TensorRTQuantizer, "mkldnn": MKLDNNQuantizer, "arm": ARMCPUQuantizer}
_INPUT_TYPES = ("range_abs_max", "moving_average_abs_max", "abs_max")
_WEIGHT_TYPES = ("abs_max", "channel_wise_abs_max")


def _need(condition: Any, words: str) -> None:
    if not condition:
        raise AssertionError(words)


class PostTrainingQuantization:
    """A saved model, quantized.

    Args:
        executor: runs the model.
        model_dir: the folder of the model, or its prefix.
        scope: where values are; default: `static.global_scope()`.
        model_filename, params_filename: names of the files in ``model_dir``.
        data_loader: a `io.DataLoader` of calibration data: its batches are what ``executor.run`` is fed.
        batch_size: not used; the loader has one.
        batch_nums: how many batches; default: all.
        algo: how thresholds are found: 'KL' (default), 'hist' (``hist_percent`` of all magnitudes), 'avg', 'mse', 'emd', 'abs_max',
            'min_max' (written as attributes, nothing else is changed) or 'ptf'.
        quantizable_op_type: types of operators; default: those of the backend.
        round_type: 'round' (default), or 'adaround': 1,000 steps of Adam decide for each number of a weight whether it is rounded
            down or up, so that the outputs of its operator stay near (`adaround`).
        is_full_quantize: all types that are known.
        bias_correction: give integers the mean and deviation of the weight.
        activation_bits, weight_bits: how many bits there are; they have to be the same.
        activation_quantize_type: 'range_abs_max' (default), 'moving_average_abs_max' or 'abs_max'.
        weight_quantize_type: 'channel_wise_abs_max' (default) or 'abs_max'.
        onnx_format: use `quantize_linear` and `dequantize_linear`.
        freeze_model: make integers of the weights.
        optimize_model: fold normalizations into convolutions first.
        skip_tensor_list: operators that read one of these names are left as they are.
        same_scale_tensor_list: lists of names that get the largest of their scales.
        scale_dict: scales by name, in place of those that are found.
        return_graph: `quantize` gives an `IrGraph`.
        deploy_backend: 'TensorRT', 'MKLDNN' or 'ARM'; default: none of them.
        learning_rate: of 'adaround' (default 0.001).
        batch_generator, sample_generator, is_use_cache_file, cache_dir: not used.

    Raises AssertionError for settings that there are not.

    Example:
        >>> ptq = paddle.static.quantization.PostTrainingQuantization(
        ...     exe, 'model_folder', model_filename='m.pdmodel', params_filename='m.pdiparams', data_loader=loader, algo='abs_max')
        >>> ptq.quantize()
        >>> ptq.save_quantized_model('quantized_folder')
    """

    def __init__(
        self, executor: Any, model_dir: Any, scope: Any = None, model_filename: str | None = None,
        params_filename: str | None = None, batch_generator: Any = None, sample_generator: Any = None, data_loader: Any = None,
        batch_size: int = 10, batch_nums: int | None = None, algo: str = "KL", hist_percent: float = 0.99999,
        quantizable_op_type: Any = (), round_type: str = "round", learning_rate: float = 0.001, is_full_quantize: bool = False,
        bias_correction: bool = False, activation_bits: int = 8, weight_bits: int = 8,
        activation_quantize_type: str = "range_abs_max", weight_quantize_type: str = "channel_wise_abs_max",
        onnx_format: bool = False, freeze_model: bool = True, optimize_model: bool = False, is_use_cache_file: bool = False,
        skip_tensor_list: Any = None, same_scale_tensor_list: Any = None, cache_dir: Any = None, scale_dict: Any = None,
        return_graph: bool = False, deploy_backend: str | None = None,
    ) -> None:  # fmt: skip
        _need(round_type in ("adaround", "round"), f"round_type should be 'round' or 'adaround', got {round_type!r}")
        _need(round_type == "round" or algo != "min_max", "The algo should not be min_max.")
        _need(executor is not None, "The executor cannot be None.")
        _need(data_loader is not None, "data_loader cannot be None.")
        _need(isinstance(data_loader, DataLoader), "data_loader only accepts `paddle.io.DataLoader`.")
        _need(batch_size > 0, "The batch_size should be greater than 0.")
        _need(algo in ALGORITHMS, f"The algo should be one of {', '.join(ALGORITHMS)}, got {algo!r}")
        for what, value, allowed in (
            ("activation", activation_quantize_type, _INPUT_TYPES),
            ("weight", weight_quantize_type, _WEIGHT_TYPES),
        ):
            _need(value in allowed, f"The {what}_quantize_type ({value}) should be in ({', '.join(allowed)}).")
        _need(activation_bits == weight_bits, "activation_bits and weight_bits must be the same, other cases are not supported.")
        if is_full_quantize:
            quantizable_op_type = list(SUPPORT_QUANTIZATION_OP_DICT)
        for op_type in quantizable_op_type:
            _need(op_type in SUPPORT_QUANTIZATION_OP_DICT, f"{op_type} is not supported for quantization.")
        backend = (deploy_backend or "").lower()
        _need(not backend or backend in _BACKENDS, f"Deploy Backend {deploy_backend} not support; it is TensorRT, MKLDNN or ARM")
        self.quant_config: BaseQuantizer = _BACKENDS.get(backend, BaseQuantizer)(quantizable_op_type, weight_bits)
        self._executor, self._place = executor, executor.place
        self._scope = global_scope() if scope is None else scope
        self._model = model_dir, model_filename, params_filename
        self._data_loader, self._batch_nums, self._algo = data_loader, batch_nums, algo
        self._bits, self._bias_correction = weight_bits, bias_correction
        self._round_type, self._learning_rate = round_type, learning_rate
        self._activation_quantize_type, self._weight_quantize_type = activation_quantize_type, weight_quantize_type
        self._onnx_format, self._freeze_model, self._optimize_model = onnx_format, freeze_model, optimize_model
        self._skip_tensor_list, self._same_scale_tensor_list = skip_tensor_list or (), same_scale_tensor_list or ()
        self._scale_dict, self._return_graph = scale_dict, return_graph
        self._program: Any = None
        self._feed_list: Any = None
        self._fetch_list: Any = None
        self._from_program = False  # whether the Program was, and no files
        self._calibration = Calibration(algo, weight_bits, hist_percent, onnx_format)
        self._calibration_scales: dict[str, Any] = {}

    def quantize(self) -> Any:
        """Run the calibration data and quantize; the Program, or an `IrGraph` with ``return_graph``."""
        self._load()
        form = form_of(self._program)
        weights, inputs, op_types = self._targets(form)
        self._run(sorted(inputs))
        by_channel = self._weight_quantize_type == "channel_wise_abs_max"
        calibration = self._calibration
        for name in sorted(weights):
            if self._algo == "min_max":
                value_range = weight_range(form.arrays[name], by_channel, op_types[name])
                calibration.min_values[name], calibration.max_values[name] = value_range
            else:
                calibration.thresholds[name] = weight_scale(form.arrays[name], by_channel, op_types[name])
        calibration.finish()
        if self._round_type == "adaround":
            self._learn_rounding(form)
        graph = self._graph(form)
        if self._algo == "min_max":
            self._write_ranges(form)
        else:
            self._rewrite(graph)
        if not self._from_program:
            self._write_outputs(form)
        for op in form.ops():
            if op.type == "lstm" and "lstm" in self.quant_config.activation_quant_operation_types:
                self._write_recurrent(form, op)
        self._program = program_of(form, self._scope, graph.graph.holders)
        return IrGraph(Graph(self._program.desc), for_test=True) if self._return_graph else self._program

    def save_quantized_model(
        self, save_model_path: str, model_filename: str | None = None, params_filename: str | None = None
    ) -> None:
        """Write ``SAVE_MODEL_PATH/NAME.pdmodel`` and ``.pdiparams``; ``model_filename`` is NAME, with or without ``.pdmodel``."""
        name = "model" if model_filename is None else model_filename.removesuffix(".pdmodel")
        feeds = [self._program.global_block().var(feed) for feed in self._feed_list]
        fetches = [item if isinstance(item, str) else item.name for item in self._fetch_list]
        targets = [self._program.global_block().var(fetch) for fetch in fetches]
        prefix = os.path.join(save_model_path, name)
        save_inference_model(prefix, feeds, targets, executor=self._executor, program=self._program)

    def _load(self) -> None:
        if self._program is None:
            folder, model, params = self._model
            self._program, self._feed_list, self._fetch_list = load_inference_model(
                folder, self._executor, model_filename=model, params_filename=params
            )  # fmt: skip
            self._scope.name(self._program.builder.program)
        if self._optimize_model:
            form = form_of(self._program)
            fold_norms(form)
            self._program = program_of(form, self._scope, self._program.holders())

    def _graph(self, form: FileProgram) -> IrGraph:
        graph = Graph(form)
        graph.holders, graph.scope = self._program.holders(), self._scope
        return IrGraph(graph, for_test=True)

    def _quantized_op_types(self, observed: bool) -> list[str]:
        config = self.quant_config
        op_types = [*config.weight_quant_operation_types, *config.activation_quant_operation_types]
        return [*op_types, *config.observer_operation_types] if observed else op_types

    def _targets(self, form: FileProgram) -> tuple[set[str], set[str], dict[str, str]]:
        """The weights that are quantized, what is looked at, and by which operator each weight is read."""
        weights: set[str] = set()
        inputs: set[str] = set()
        op_type_of: dict[str, str] = {}
        persistable = {var.name for var in form.persistables()}
        quantized, observed = set(self._quantized_op_types(False)), set(self._quantized_op_types(True))
        for op in form.ops():
            read, written = scaling._get_op_input_var_names(op), scaling._get_op_output_var_names(op)
            if any(name in self._skip_tensor_list for name in read):
                op.set_attr("op_namescope", "skip_quant")
            if op.type == "conv2d_transpose":
                maker = op.block.writer_of(op.input("Filter")[0])
                if maker is not None and any(name not in persistable for name in scaling._get_op_input_var_names(maker)):
                    op.set_attr("op_namescope", "skip_quant")
                    maker.set_attr("op_namescope", "skip_quant")
            of_conv1d = op.type == "unsqueeze2" and bool(read) and read[0] in persistable and "conv1d" in read[0]
            if op.type in quantized or of_conv1d:
                op_type = scaling.op_type_of(op)
                for name in (*read, *written):
                    (weights if name in persistable else inputs).add(name)
                    op_type_of.setdefault(name, op_type)
                    op_type_of[name] = op_type if name in persistable else op_type_of[name]
            elif op.type in observed:
                inputs.update(written)
        return weights, inputs, op_type_of

    def _run(self, names: list[str]) -> None:
        looks = [self._calibration.prepare] if self._algo in ("KL", "hist") else []
        for look in (*looks, self._calibration.sample):
            for arrays in self._batches(names):
                for name, array in zip(names, arrays, strict=True):
                    look(name, np.asarray(array))

    def _batches(self, names: list[str]) -> Iterator[list[np.ndarray]]:
        """The values of variables for each batch of the calibration data."""
        for batch_index, batch in enumerate(self._data_loader()):
            if self._batch_nums and batch_index >= self._batch_nums:
                return
            yield self._executor.run(self._program, feed=batch, fetch_list=names, scope=self._scope)

    def _learn_rounding(self, form: FileProgram) -> None:
        """Move weights to those multiples of their steps that AdaRound chooses: what rounds them later keeps these."""
        config, learned = self.quant_config, {}
        for op in form.blocks[0].ops:
            if op.type not in config.weight_quant_operation_types or op.attrs.get("op_namescope") == "skip_quant":
                continue
            weights = [name for name in scaling._get_op_input_var_names(op) if name in form.arrays and name not in learned]
            read = [name for name in op.input_arg_names if name not in form.arrays]
            if len(weights) != 1:
                continue
            [name] = weights
            fixed = {each: form.arrays[each] for each in op.input_arg_names if each in form.arrays}
            names = [*read, *scaling._get_op_output_var_names(op)]
            batches = [{**fixed, **dict(zip(names, arrays, strict=True))} for arrays in self._batches(names)]
            scale, axis = self._calibration.thresholds[name], scaling.weight_axis(scaling.op_type_of(op))
            weight = learned_rounding(self._executor, op, name, scale, batches, self._learning_rate, self._bits)
            if self._bias_correction:
                original = form.arrays[name]
                integers = np.round(scaling.quant_tensor(weight, scale, axis, self._bits))
                integers = np.round(scaling.bias_correction_w(original, integers, scale, axis, self._bits))
                weight = scaling.dequant_tensor(integers, scale, axis, self._bits)
            learned[name] = weight
        for name, weight in learned.items():
            form.arrays[name] = weight
            self._scope.put(name, weight)

    def _rewrite(self, graph: IrGraph) -> None:
        config, linear = self.quant_config, self._onnx_format
        transform = (QuantizationTransformPassV2 if linear else QuantizationTransformPass)(
            self._scope, self._place, weight_bits=self._bits, activation_bits=self._bits,
            activation_quantize_type=self._activation_quantize_type, weight_quantize_type=self._weight_quantize_type,
            quantizable_op_type=config.weight_quant_operation_types,
        )  # fmt: skip
        add = (AddQuantDequantPassV2 if linear else AddQuantDequantPass)(
            self._scope, self._place, quantizable_op_type=config.activation_quant_operation_types
        )
        passes: list[Any] = [transform, add]
        for each in passes:
            for sub in graph.all_sub_graphs():
                sub._for_test = True
                each.apply(sub)
        if self._scale_dict is None:
            self._scale_dict = self._calibration.thresholds
            self._same_scales()
        for name, value in self._scale_dict.items():
            for scale_name in (f"{name}@scale", f"{name}.quant_dequant@scale"):
                if self._scope.find_var(scale_name) is not None:
                    self._scope.put(scale_name, np.array([value], np.float32))
        final_passes: list[Any] = []
        if linear:
            observing = AddQuantDequantForInferencePass(
                self._scope, self._place, quant_bits=self._bits, quantizable_op_type=self._quantized_op_types(True),
                calibration_range_dict=self._scale_dict,
            )  # fmt: skip
            final_passes = [QuantWeightPass(self._scope, self._place), observing]
        elif self._freeze_model:
            final_passes = [
                QuantizationFreezePass(
                    self._scope, self._place, bias_correction=self._bias_correction, weight_bits=self._bits,
                    activation_bits=self._bits, weight_quantize_type=self._weight_quantize_type,
                )
            ]  # fmt: skip
        for each in final_passes:
            for sub in graph.all_sub_graphs():
                each.apply(sub)
        graph.update_variables()

    def _same_scales(self) -> None:
        """Give the tensors of each list one scale; ``name#*#2.0`` counts as twice (``/``: half) of what it is."""
        scales = self._scale_dict
        for names in self._same_scale_tensor_list:
            parts = [(*name.split("#"), "", "1")[:3] for name in names]
            parts = [(name, sign, float(factor)) for name, sign, factor in parts if name in scales]
            for name, sign, factor in parts:
                if sign:
                    scales[name] = float(scales[name]) * (factor if sign == "*" else 1 / factor)
            max_scale: Any = max((scales[name] for name, _, _ in parts), default=None)
            for name, sign, factor in parts:
                scales[name] = max_scale if not sign else max_scale / factor if sign == "*" else max_scale * factor

    def _write_ranges(self, form: FileProgram) -> None:
        for op in form.ops():
            if op.type in self._quantized_op_types(False):
                for name in scaling._get_op_input_var_names(op):
                    op.set_attr(f"{name}.min", self._calibration.min_values[name])
                    op.set_attr(f"{name}.max", self._calibration.max_values[name])
                    op.set_attr("with_quant_attr", True)

    def _write_outputs(self, form: FileProgram) -> None:
        calibration, quantized, observed = self._calibration, self._quantized_op_types(False), set(self._quantized_op_types(True))
        tables = {"out_threshold": calibration.thresholds}
        if self._algo == "min_max":
            tables = {"out_min": calibration.min_values, "out_max": calibration.max_values}
        for op in [op for op in form.ops() if op.type in observed]:
            for name in scaling._get_op_output_var_names(op):
                for said, table in tables.items():
                    if name not in table:
                        continue
                    if self._onnx_format:
                        self._calibration_scales[name] = {"scale": table[name]}
                        continue
                    slot, index = scaling._get_output_name_index(op, name)  # type: ignore[misc]
                    op.set_attr(said, table[name])
                    op.set_attr(f"{slot}{index}_threshold", table[name])
                    op.set_attr("with_quant_attr", True)
                    if op.type in quantized:
                        op.set_attr("quantization_type", f"post_{self._algo.lower()}")

    def _write_recurrent(self, form: FileProgram, op: FileOp) -> None:
        for name in scaling._get_op_input_var_names(op):
            if name in form.arrays:
                slot, index = scaling._get_input_name_index(op, name)  # type: ignore[misc]
                op.set_attr(f"{slot}{index}_threshold", float(np.max(np.abs(form.arrays[name]))))
                op.set_attr("quantization_type", f"post_{self._algo}".lower())
                op.set_attr("bit_length", self._bits)
                op.set_attr("with_quant_attr", True)


class PostTrainingQuantizationProgram(PostTrainingQuantization):
    """The same of a Program that is there.

    Args:
        executor: runs it.
        program: the Program.
        feed_list, fetch_list: names of what is fed, and what is fetched. AssertionError when they are None.
        settings: see `PostTrainingQuantization`.
    """

    def __init__(
        self, executor: Any, program: Any, feed_list: Any = None, fetch_list: Any = None, scope: Any = None,
        return_graph: bool = True, quantizable_op_type: Any = ("conv2d", "depthwise_conv2d", "mul"), **settings: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            executor, None, scope, quantizable_op_type=quantizable_op_type, return_graph=return_graph, **settings
        )  # fmt: skip
        _need(feed_list is not None, "Feed list should not be None.")
        _need(fetch_list is not None, "Fetch list should not be None.")
        self._program, self._from_program = program, program is not None
        self._feed_list, self._fetch_list = feed_list, fetch_list
