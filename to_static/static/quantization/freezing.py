"""Passes that make Programs for use of those that were trained or calibrated: weights become integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.editing import FileBlock, FileOp
from to_static.core import unique_name
from to_static.static.ir_graph import IrGraph
from to_static.static.quantization import scaling
from to_static.static.quantization.inserting import (
    FAKE_BOTH,
    FAKE_DEQUANT,
    FAKE_QUANT,
    INT8,
    INT32,
    OBSERVER,
    GraphPass,
    drop_unused,
    is_float,
    like,
    persistable,
    put_behind,
)
from to_static.static.quantization.quant_config import SUPPORT_QUANTIZATION_OP_DICT


class QuantizationFreezePass(GraphPass):
    """Makes of ``weight -> quantize -> dequantize -> conv`` an integer weight, and dequantizes what the operator gives.

    Args:
        scope, place: where values are. AssertionError when they are None.
        bias_correction: give the integers the mean and deviation of the weight.
        weight_bits, activation_bits: how many bits there are; default: 8.
        round_type: 'round' (default); with 'adaround' the weights are integers already.
        weight_quantize_type: 'abs_max' (default) or 'channel_wise_abs_max'.
        quantizable_op_type: not used.

    Example:
        >>> graph = IrGraph(core.Graph(test_program.desc), for_test=True)
        >>> QuantizationFreezePass(scope, place, weight_quantize_type='abs_max').apply(graph)
    """

    def __init__(
        self, scope: Any, place: Any, bias_correction: bool = False, weight_bits: int = 8, activation_bits: int = 8,
        round_type: str = "round", weight_quantize_type: str = "abs_max", quantizable_op_type: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(scope, place)
        self._need_scope()
        self._bias_correction, self._round_type = bias_correction, round_type
        self._weight_bits, self._activation_bits = weight_bits, activation_bits
        self._weight_quantize_type = weight_quantize_type
        self._quantized: set[str] = set()

    def apply(self, graph: IrGraph) -> IrGraph:
        """Rewrite a graph, which is returned."""
        block = self._block(graph)
        scales: dict[str, Any] = {}  # of what was quantized: a name, or the numbers of a weight
        names: dict[str, str] = {}  # what was quantized and back, by what it is now
        for op in [op for op in block.ops if op.type in FAKE_QUANT]:
            name = op.input("X")[0]
            if persistable(block, name):
                scales[name] = self._weight(op, name)
                names[op.output("Out")[0]] = name
                block.ops.remove(op)
            else:
                scales[name] = op.output("OutScale")[0]
        for op in [op for op in block.ops if op.type in FAKE_DEQUANT]:
            name = op.input("X")[0]
            names[op.output("Out")[0]] = names.get(name, name)
            block.ops.remove(op)
        renamed: dict[str, str] = {}
        fake_inputs = {op.output("Out")[0]: op.input("X")[0] for op in block.ops if op.type in FAKE_QUANT}
        for op in [op for op in block.ops if op.attrs.get("quantization_type") == "qat_with_weight"]:
            scale_of: dict[str, Any] = {}
            for name in op.input_arg_names:
                current_name = names.get(name, name)
                op.rename_input(name, current_name)
                origin = fake_inputs.get(current_name, current_name)
                scale_of[origin] = scales[origin]
            out = op.output_arg_names
            if len(out) != 1:
                raise ValueError(f"Only support one output, but op {op.type} has more than one output.")
            dequantize = self._channels if self._weight_quantize_type == "channel_wise_abs_max" else self._quantized_product
            renamed[out[0]] = dequantize(block, op, out[0], scale_of)
        new_names = set(renamed.values())
        for op in block.ops:
            if not new_names & set(op.output_arg_names):
                for old, new in renamed.items():
                    op.rename_input(old, new)
        for op in block.ops:
            for name in op.input_arg_names:
                if name in names:
                    op.rename_input(name, fake_inputs.get(names[name], names[name]))
        drop_unused(block)
        return graph

    def _weight(self, op: FileOp, name: str) -> Any:
        """Make the weight integers; its scale, or a list of them."""
        scale: Any = self._load(op.output("OutScale")[0])
        scale = scale[0] if scale.ndim == 2 else scale
        scale = float(scale[0]) if scale.size == 1 and self._weight_quantize_type == "abs_max" else scale.tolist()
        if self._round_type == "round" and name not in self._quantized:
            self._quantized.add(name)
            axis, weight = op.attrs.get("quant_axis", 0), self._load(name)
            levels = np.round(scaling.quant_tensor(weight, scale, axis, self._weight_bits))
            if self._bias_correction:
                levels = np.round(scaling.bias_correction_w(weight, levels, scale, axis, self._weight_bits))
            self._store(name, levels)
        return scale

    def _quantized_product(self, block: FileBlock, op: FileOp, out: str, scales: dict[str, Any]) -> str:
        max_range, name = 1.0, ""
        for scale in scales.values():
            if isinstance(scale, str):
                max_range, name = max_range * ((1 << (self._activation_bits - 1)) - 1), scale
            else:
                max_range *= ((1 << (self._weight_bits - 1)) - 1) / (scale or 1e-8)
        dequantized = like(block, f"{out}.dequantized", block.var(out))
        put_behind(
            block,
            op,
            "fake_dequantize_max_abs",
            {"X": [out], "Scale": [name]},
            {"Out": [dequantized]},
            {"max_range": float(max_range)},
        )
        return dequantized

    def _channels(self, block: FileBlock, op: FileOp, out: str, scales: dict[str, Any]) -> str:
        var = block.var(out)
        of_weight = next(scale for scale in scales.values() if not isinstance(scale, str))
        of_input = next(scale for scale in scales.values() if isinstance(scale, str))
        scale_var = self._persistent(
            block, unique_name.generate("channel_scale"), np.array(of_weight, var.dtype.np), var.dtype.code
        )
        dims = len(var.shape) - 1 if op.type in ("matmul", "matmul_v2", "mul") else 1
        attrs = {
            "quant_bits": [self._weight_bits, self._activation_bits],
            "quant_axis": scaling.weight_axis(op.type),
            "x_num_col_dims": op.attrs.get("x_num_col_dims", dims),
        }
        dequantized = like(block, f"{out}.dequantized", var)
        inputs = {"X": [out], "Scales": [scale_var.name, of_input]}
        put_behind(block, op, "fake_channel_wise_dequantize_max_abs", inputs, {"Out": [dequantized]}, attrs)
        return dequantized


class ConvertToInt8Pass(GraphPass):
    """Keeps the integers that weights are as int8, under the name ``WEIGHT.int8``.

    Args:
        scope, place: where values are. AssertionError when they are None.
        quantizable_op_type: not used.
    """

    def __init__(self, scope: Any, place: Any, quantizable_op_type: Any = None) -> None:
        super().__init__(scope, place)
        self._need_scope()

    def apply(self, graph: IrGraph) -> IrGraph:
        """Rewrite a graph, which is returned."""
        block = self._block(graph)
        for op in [op for op in block.ops if op.attrs.get("quantization_type") == "qat_with_weight"]:
            for name in [name for name in op.input_arg_names if persistable(block, name)]:
                if block.find(f"{name}.int8") is None:
                    self._persistent(block, f"{name}.int8", self._load(name).astype(np.int8), INT8)
                op.rename_input(name, f"{name}.int8")
        drop_unused(block)
        return graph


class TransformForMobilePass:
    """Calls operators as Paddle Mobile does: `quantize` and `dequantize`."""

    def apply(self, graph: IrGraph) -> IrGraph:
        """Rewrite a graph, which is returned. Raises AssertionError for no graph."""
        block = GraphPass()._block(graph)
        for op in block.ops:
            if op.type in FAKE_QUANT:
                op.set_type("quantize")
            elif op.type in FAKE_DEQUANT:
                op.set_type("dequantize")
        return graph


class ReplaceFakeQuantDequantPass(GraphPass):
    """Makes `quantize_linear` and `dequantize_linear` of fake quantization, and of what observes.

    Args:
        scope, place: where values are. AssertionError when they are None.
        quant_bits: how many bits what is observed has; default: 8.
    """

    def __init__(self, scope: Any, place: Any, quant_bits: int = 8) -> None:
        super().__init__(scope, place)
        self._need_scope()
        self._quant_bits = quant_bits

    def apply(self, graph: IrGraph) -> IrGraph:
        """Rewrite a graph, which is returned."""
        block = self._block(graph)
        observed = {op.output("Out")[0]: op.input("X")[0] for op in block.ops if op.type == OBSERVER}
        for op in [op for op in block.ops if op.type in (*FAKE_BOTH, OBSERVER)]:
            name = op.input("X")[0]
            if name in observed:  # what is observed is quantized there already: one that follows at once goes
                for reader in block.readers_of(op.output("Out")[0]):
                    reader.rename_input(op.output("Out")[0], name)
                block.ops.remove(op)
        for op in [op for op in block.ops if op.type in (*FAKE_BOTH, OBSERVER)]:
            self._replace(block, op)
        return graph

    def _replace(self, block: FileBlock, op: FileOp) -> None:
        name, scale = op.input("X")[0], op.output("OutScale")[0]
        shape = block.var(scale).shape
        zeros = self._persistent(block, f"{name}@zero_point", np.zeros(shape, "int32"), INT32).name
        quantized = like(block, f"{name}.quantized", block.var(name))
        attrs = {"quant_axis": op.attrs.get("quant_axis", -1), "bit_length": op.attrs.get("bit_length", self._quant_bits)}
        at = block.ops.index(op)
        scale_inputs = {"Scale": [scale], "ZeroPoint": [zeros]}
        block.ops[at : at + 1] = [
            FileOp(block, "quantize_linear", {"X": [name], **scale_inputs}, {"Y": [quantized]}, attrs),
            FileOp(block, "dequantize_linear", {"X": [quantized], **scale_inputs}, {"Y": op.output("Out")}, attrs),
        ]


class QuantWeightPass(GraphPass):
    """Makes integers of weights that go through `quantize_linear`, which goes away.

    Args:
        scope, place: where values are. AssertionError when they are None.
        bias_correction: give the integers the mean and deviation of the weight.
        quant_bits: 8 where integers are kept as such.
        save_int_weight: keep them as int8 (default), else in the weight's dtype.
    """

    def __init__(
        self, scope: Any, place: Any, bias_correction: bool = False, quant_bits: int = 8, save_int_weight: bool = True
    ) -> None:
        super().__init__(scope, place)
        self._need_scope()
        self._bias_correction, self._quant_bits, self._save_int_weight = bias_correction, quant_bits, save_int_weight
        self._quantized_ops: set[str] = set()

    def apply(self, graph: IrGraph) -> None:
        """Rewrite a graph."""
        block = self._block(graph)
        for op in [op for op in block.ops if op.type == "quantize_linear"]:
            name, out = op.input("X")[0], op.output("Y")[0]
            if not persistable(block, name):
                continue
            if name not in self._quantized_ops:
                self._quantized_ops.add(name)
                self._store(name, self._quantized_product(op, name))
            for reader in block.readers_of(out):
                reader.rename_input(out, name)
            block.ops.remove(op)
        drop_unused(block)

    def _quantized_product(self, op: FileOp, name: str) -> np.ndarray:
        scale: Any = self._load(op.input("Scale")[0])
        scale = (scale[0] if scale.ndim == 2 else scale).tolist()
        axis, bits, weight = op.attrs["quant_axis"], op.attrs["bit_length"], self._load(name)
        quantized = scaling.quant_tensor(weight, scale, axis, bits, onnx_format=True)
        if self._bias_correction:
            quantized = scaling.bias_correction_w(weight, quantized, scale, axis, weight_bits=bits)
        return quantized.astype(np.int8) if self._save_int_weight else quantized


class AddQuantDequantForInferencePass(GraphPass):
    """Puts `quantize_linear` and `dequantize_linear` behind operators whose results were observed.

    Args:
        scope, place: where values are.
        quant_bits: how many bits there are; default: 8.
        quantizable_op_type: types of operators; default: all that are known.
        calibration_range_dict: scales by the names of variables.
        only_observer: both only tell the scale, and change no number.
    """

    def __init__(
        self, scope: Any, place: Any, quant_bits: int = 8, quantizable_op_type: Any = (), calibration_range_dict: Any = None,
        only_observer: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(scope, place)
        self._quant_bits, self._only_observer = quant_bits, only_observer
        self._teller_set = list(quantizable_op_type) or list(SUPPORT_QUANTIZATION_OP_DICT)
        self._calibration_range_dict = calibration_range_dict or {}

    def apply(self, graph: IrGraph) -> IrGraph:
        """Rewrite a graph, which is returned."""
        block = self._block(graph)
        done: dict[str, str | None] = {}
        handled_ops: set[int] = set()
        for op in [op for op in block.ops if op.type in self._teller_set]:
            for name in scaling._get_op_output_var_names(op):
                if is_float(block.find(name)) and name not in done:
                    done[name] = self._both(block, op, name, handled_ops)
        for op in list(block.ops):
            if op.type == OBSERVER:
                block.ops.remove(op)
            elif id(op) not in handled_ops:
                for name in scaling._get_op_input_var_names(op):
                    new = done.get(name)
                    if new is not None:
                        op.rename_input(name, new)
        return graph

    def _both(self, block: FileBlock, op: FileOp, name: str, new_ops: set[int]) -> str | None:
        var, scale = block.var(name), f"{name}@scale"
        if not persistable(block, scale):
            if name not in self._calibration_range_dict:
                return None
            self._persistent(block, scale, np.array(self._calibration_range_dict[name], var.dtype.np).reshape([1]), var.dtype.code)
        is_quantized = f"{name}.quantized" in block.vars  # what comes into some operators is quantized already, under that name
        quantized = like(block, f"{name}.observed.quantized" if is_quantized else f"{name}.quantized", var)
        zero = f"{quantized}@zero_point"
        if not persistable(block, zero):
            self._persistent(block, zero, np.zeros(block.var(scale).shape, "int32"), INT32)
        out = like(block, f"{quantized}.dequantized", var)
        scale_inputs = {"Scale": [scale], "ZeroPoint": [zero]}
        attrs = {"quant_axis": -1, "bit_length": self._quant_bits, "only_observer": self._only_observer}
        first = put_behind(block, op, "quantize_linear", {"X": [name], **scale_inputs}, {"Y": [quantized]}, attrs)
        second = put_behind(block, first, "dequantize_linear", {"X": [quantized], **scale_inputs}, {"Y": [out]}, attrs)
        new_ops.update((id(first), id(second)))
        return out
