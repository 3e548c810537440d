"""`WeightQuantization`: a saved model whose weights are kept as integers."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from to_static.compiler.formats.atomic_write import writing
from to_static.compiler.formats.paddle.editing import FileOp, FileProgram
from to_static.compiler.formats.paddle.model_reader import MODEL, PARAMS, SavedModel
from to_static.compiler.formats.paddle.weights.params_writer import write_folder, write_params

_OPERATORS = ("conv2d", "depthwise_conv2d", "mul")
_TYPES = ("channel_wise_abs_max", "abs_max")


class WeightQuantization:
    """Makes a model smaller: its weights become integers of 8 or 16 bits.

    Args:
        model_dir: the folder of the model, or its prefix.
        model_filename, params_filename: names of the files in it.

    Example:
        >>> quantizer = paddle.static.quantization.WeightQuantization('folder', 'm.pdmodel', 'm.pdiparams')
        >>> quantizer.quantize_weight_to_int('smaller', 'm.pdmodel', 'm.pdiparams', quantizable_op_type=['conv2d', 'mul'])
    """

    _supported_quantizable_op_type = list(_OPERATORS)
    _supported_weight_quantize_type = list(_TYPES)

    def __init__(self, model_dir: Any, model_filename: str | None = None, params_filename: str | None = None) -> None:
        self._model_dir, self._model_filename, self._params_filename = os.fspath(model_dir), model_filename, params_filename

    def quantize_weight_to_int(
        self, save_model_dir: str, save_model_filename: str | None = None, save_params_filename: str | None = None,
        quantizable_op_type: Any = ("conv2d", "mul"), weight_bits: int = 8, weight_quantize_type: str = "channel_wise_abs_max",
        generate_test_model: bool = False, threshold_rate: float = 0.0,
    ) -> None:  # fmt: skip
        """Write the model into ``SAVE_MODEL_DIR/quantized_model``.

        Args:
            save_model_dir: the folder.
            save_model_filename: the name of the files there; default: ``model``.
            save_params_filename: not used; it is that name with ``.pdiparams``.
            quantizable_op_type: operators whose weights are quantized: 'conv2d', 'depthwise_conv2d', 'mul'.
            weight_bits: 8 or 16.
            weight_quantize_type: 'channel_wise_abs_max' (default) or 'abs_max'.
            generate_test_model: write ``SAVE_MODEL_DIR/test_model``, too, with what the integers stand for.
            threshold_rate: with 'abs_max': cut so large a part of the largest magnitudes off.

        Raises AssertionError for settings that there are not.
        """
        for op_type in quantizable_op_type:
            if op_type not in _OPERATORS:
                raise AssertionError(f"Input error: {op_type} is not supported for weight quantization.")
        if weight_bits not in (8, 16):
            raise AssertionError(f"Input error: weight_bits should be 8 or 16, got {weight_bits!r}")
        if weight_quantize_type not in _TYPES:
            raise AssertionError(f"Input error: weight_quantize_type should be in {', '.join(_TYPES)}")
        name = (save_model_filename or "model").removesuffix(MODEL)
        for folder, dequantize in (("quantized_model", False), ("test_model", True))[: 1 + generate_test_model]:
            form = self._form()
            for op in [op for op in form.ops() if op.type in quantizable_op_type]:
                for weight in [name for name in op.input_arg_names if name in form.arrays]:
                    _quantize(form, op, weight, weight_bits, weight_quantize_type, threshold_rate, dequantize)
            form.save(os.path.join(save_model_dir, folder, name))

    def convert_weight_to_fp16(self, save_model_dir: str) -> None:
        """Write the model into a folder, with weights of half precision; the Program stays as it is.

        Without ``params_filename`` each has a file of its own; raises FormatError for a name that points out of the folder.
        """
        form = self._form()
        arrays = {var.name: form.arrays[var.name] for var in form.persistables()}
        float16_arrays = {name: array.astype(np.float16) if array.dtype == np.float32 else array for name, array in arrays.items()}
        with writing(os.path.join(save_model_dir, self._model_filename or "__model__")) as file:
            file.write(form.data())
        if self._params_filename is not None:
            write_params(os.path.join(save_model_dir, self._params_filename), float16_arrays.values())
        else:
            write_folder(save_model_dir, float16_arrays)

    def _form(self) -> FileProgram:
        prefix = self._model_dir
        if self._model_filename:
            model = os.path.join(prefix, self._model_filename)
            params = os.path.join(prefix, self._params_filename) if self._params_filename else prefix
        elif os.path.isdir(prefix):
            model, params = os.path.join(prefix, "__model__"), prefix
        else:
            model, params = prefix + MODEL, prefix + PARAMS
        saved = SavedModel(model, params)
        return FileProgram.of_message(saved.desc, saved.arrays)


def _quantize(form: FileProgram, op: FileOp, name: str, bits: int, quantize_type: str, rate: float, dequantize: bool) -> None:
    max_level, int_dtype = (1 << (bits - 1)) - 1, np.int8 if bits == 8 else np.int16
    weight = form.arrays[name]
    if quantize_type == "abs_max":
        threshold = np.max(np.abs(weight)) if abs(rate) < 1e-10 else _threshold(weight, rate)
        weight = np.clip(weight, -threshold, threshold)
        scale: Any = threshold / max_level
        said = [float(scale)]
    else:
        axis = weight.ndim - 1 if op.type == "mul" else 0
        axes = tuple(i for i in range(weight.ndim) if i != axis)
        scale = np.abs(weight).max(axes, keepdims=True) / max_level
        said = [float(v) for v in scale.reshape(-1)]
    quantized = np.around(weight / scale).astype(int_dtype)
    form.arrays[name] = (quantized * scale).astype(np.float32) if dequantize else quantized
    op.set_attr("quantization_type", f"post_weight_{quantize_type}")
    op.set_attr("quantize_weight_bits", bits)
    op.set_attr(f"{name}_quant_scale", said, "FLOATS")
    op.set_attr("with_quant_attr", True)


def _threshold(weight: np.ndarray, rate: float) -> float:
    """The magnitude that so large a part of all is above."""
    sizes = np.abs(weight)
    counts, edges = np.histogram(sizes, bins=5000, range=(0, float(sizes.max())))
    shares = np.cumsum(counts / float(counts.sum()))
    return float((int(np.argmax(shares >= 1.0 - rate)) + 1) * (edges[1] - edges[0]))
