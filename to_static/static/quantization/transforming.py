"""Passes that put quantization into a Program, to be trained or calibrated."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.editing import FileBlock, FileOp, FileVar
from to_static.compiler.ir import mode
from to_static.core import unique_name
from to_static.static.file_program import form_of
from to_static.static.inputs import data
from to_static.static.ir_graph import IrGraph
from to_static.static.program import Program, program_guard
from to_static.static.quantization import scaling
from to_static.static.quantization.inserting import (
    FIRST_SCALE,
    GraphPass,
    InsertQuantizeLinear,
    is_float,
    like,
    persistable,
    put_before,
    skips,
)
from to_static.static.quantization.quant_config import (
    SUPPORT_ACT_QUANTIZATION_OP_DICT,
    SUPPORT_WEIGHT_QUANTIZATION_OP_DICT,
)

_WITH_WEIGHTS = ("conv2d", "depthwise_conv2d", "mul")
_TYPES = ("abs_max", "channel_wise_abs_max", "range_abs_max", "moving_average_abs_max")


class QuantizationTransformPass(GraphPass):
    """Puts quantization and its reverse before operators with weights: before the weight and what else they read.

    Args:
        scope, place: where the new values are.
        weight_bits, activation_bits: how many bits there are; default: 8.
        activation_quantize_type: 'abs_max' (default), 'range_abs_max' or 'moving_average_abs_max'.
        weight_quantize_type: one of these, or 'channel_wise_abs_max'.
        window_size: of 'range_abs_max'.
        moving_rate: of 'moving_average_abs_max'.
        skip_pattern: operators with this in their name scope are left as they are.
        quantizable_op_type: types of operators; AssertionError for others than those with weights.
        weight_quantize_func, act_quantize_func: functions of a tensor that quantize in place of those.
        weight_preprocess_func, act_preprocess_func: functions through which weights and what comes in go before.
        optimizer_func, executor: not used; parameters of these functions are trained as others are.
        is_test: scales stay as they are; default: as the graph says.

    Raises ValueError for types of scales that there are not.

    Example:
        >>> graph = IrGraph(core.Graph(program.desc), for_test=False)
        >>> QuantizationTransformPass(scope, place, activation_quantize_type='moving_average_abs_max').apply(graph)
    """

    _says_so = True  # whether operators get `with_quant_attr`

    def __init__(
        self, scope: Any = None, place: Any = None, weight_bits: int = 8, activation_bits: int = 8,
        activation_quantize_type: str = "abs_max", weight_quantize_type: str = "abs_max", window_size: int = 10000,
        moving_rate: float = 0.9, skip_pattern: Any = ("skip_quant",), quantizable_op_type: Any = _WITH_WEIGHTS,
        weight_quantize_func: Any = None, act_quantize_func: Any = None, weight_preprocess_func: Any = None,
        act_preprocess_func: Any = None, optimizer_func: Any = None, executor: Any = None, is_test: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__(scope, place)
        if activation_quantize_type == "channel_wise_abs_max":
            raise AssertionError("The activation quantization type does not support 'channel_wise_abs_max'.")
        for what, quantize_type in (("activation", activation_quantize_type), ("weight", weight_quantize_type)):
            if quantize_type not in _TYPES:
                raise ValueError(f"Unknown {what}_quantize_type: {quantize_type!r}. It can only be one of {', '.join(_TYPES)}.")
        for op_type in quantizable_op_type:
            if op_type not in SUPPORT_WEIGHT_QUANTIZATION_OP_DICT:
                raise AssertionError(f"{op_type} is not supported for quantization.")
        self._weight_bits, self._activation_bits = weight_bits, activation_bits
        self._activation_quantize_type, self._weight_quantize_type = activation_quantize_type, weight_quantize_type
        self._window_size, self._moving_rate, self._skip_pattern = window_size, moving_rate, skip_pattern
        self._quantizable_ops = list(quantizable_op_type)
        self._quant_funcs = {True: weight_quantize_func, False: act_quantize_func}
        self._before_funcs = {True: weight_preprocess_func, False: act_preprocess_func}
        self._optimizer, self._exe, self._is_test = optimizer_func, executor, is_test

    def apply(self, graph: IrGraph) -> IrGraph:
        """Rewrite a graph, which is returned."""
        block = self._block(graph)
        if self._is_test is None:
            self._is_test = graph.is_test()
        self._done: dict[str, str] = {}
        self._weights = self._all_weights(block)
        graph.out_node_mapping_table = {}  # type: ignore[attr-defined]
        ops = list(block.ops)
        for op in ops:
            if op.type in self._quantizable_ops and skips(op, self._skip_pattern):
                op.set_attr("skip_quant", True)
                op.set_attr("with_quant_attr", True)
        for op in ops:
            if op.type in self._quantizable_ops:
                if not self._skipped(block, op) and any(name in self._weights for name in op.input_arg_names):
                    self._transform(graph, block, op)
                else:
                    self._without_weight(graph, block, op)
        return graph

    def _all_weights(self, block: FileBlock) -> set[str]:
        named = {name for op in block.ops for name in op.input_arg_names}
        return {name for name in named if persistable(block, name)}

    def _skipped(self, block: FileBlock, op: FileOp) -> bool:
        if op.attrs.get("skip_quant") or op.attrs.get("quantization_type") == "qat_without_weight":
            return True
        names = scaling._get_op_input_var_names(op)
        return op.type in ("mul", "matmul") and not any(persistable(block, name) for name in names)

    def _without_weight(self, graph: IrGraph, block: FileBlock, op: FileOp) -> None:
        """Operators that read no weight are left as they are."""

    def _transform(self, graph: IrGraph, block: FileBlock, op: FileOp) -> None:
        op.set_attr("quantization_type", "qat_with_weight")
        if self._says_so:
            op.set_attr("with_quant_attr", True)
        for name in dict.fromkeys(op.input_arg_names):
            if name not in self._done:
                weight, source = name in self._weights, name
                if self._before_funcs[weight] is not None:
                    source = self._called(graph, block, op, name, self._before_funcs[weight])
                if self._quant_funcs[weight] is not None:
                    self._done[name] = self._called(graph, block, op, source, self._quant_funcs[weight])
                else:
                    self._done[name] = self._quantized(block, op, source, name, weight)
            op.rename_input(name, self._done[name])

    def _quantized(self, block: FileBlock, op: FileOp, source: str, name: str, weight: bool) -> str:
        """Quantize a name before an operator; the name of the result."""
        var = block.var(source)
        bits = self._weight_bits if weight else self._activation_bits
        quantize_type = self._weight_quantize_type if weight else self._activation_quantize_type
        quantized, scale = like(block, f"{name}.quantized", var), f"{name}@scale"
        out = like(block, f"{quantized}.dequantized", var)
        if quantize_type == "channel_wise_abs_max":
            axis = scaling.weight_axis(scaling.op_type_of(op))
            self._scale(block, scale, np.zeros([var.shape[axis]], var.dtype.np), var)
            attrs = {"bit_length": bits, "quant_axis": axis, "is_test": bool(self._is_test)}
            put_before(
                block, op, "fake_channel_wise_quantize_abs_max", {"X": [source]}, {"Out": [quantized], "OutScale": [scale]}, attrs
            )  # fmt: skip
            attrs = {"quant_bits": [bits], "quant_axis": axis}
            put_before(
                block, op, "fake_channel_wise_dequantize_max_abs", {"X": [quantized], "Scales": [scale]}, {"Out": [out]}, attrs
            )  # fmt: skip
            return out
        self._rounded(block, op, quantize_type, source, quantized, scale, bits, var)
        attrs = {"max_range": float((1 << (bits - 1)) - 1)}
        put_before(block, op, "fake_dequantize_max_abs", {"X": [quantized], "Scale": [scale]}, {"Out": [out]}, attrs)
        return out

    def _rounded(
        self, block: FileBlock, op: FileOp, quantize_type: str, source: str, quantized: str, scale: str, bits: int, var: FileVar
    ) -> None:
        """The operator that rounds to whole multiples of one scale."""
        test = bool(self._is_test)
        inputs, outputs = {"X": [source]}, {"Out": [quantized], "OutScale": [scale]}
        if quantize_type == "abs_max":
            self._scale(block, scale, np.zeros([1], var.dtype.np), var)
            put_before(block, op, "fake_quantize_abs_max", inputs, outputs, {"bit_length": bits})
            return
        self._scale(block, scale, np.full([1], FIRST_SCALE, var.dtype.np), var)
        inputs["InScale"] = [scale]
        attrs: dict[str, Any] = {"bit_length": bits, "is_test": test}
        if quantize_type == "moving_average_abs_max":
            if not test:
                average_inputs, out = self._averages(block, var, "state", "accum")
                inputs, outputs = inputs | average_inputs, outputs | out
            attrs["moving_rate"] = self._moving_rate
        else:
            if not test:
                window = np.zeros([self._window_size], var.dtype.np)
                outputs["OutScales"] = [self._persistent(block, unique_name.generate("scales"), window, var.dtype.code).name]
                inputs["Iter"] = [self._step(block)]
            attrs["window_size"] = self._window_size
        put_before(block, op, f"fake_quantize_{quantize_type}", inputs, outputs, attrs)

    def _step(self, block: FileBlock) -> str:
        name = "@STEP_COUNTER@"
        if block.find(name) is None:
            self._persistent(block, name, np.zeros([1], "int64"), 3)
            block.ops.insert(0, FileOp(block, "increment", {"X": [name]}, {"Out": [name]}, {"step": 1.0, "op_role": 0}))
        return name

    def _scale(self, block: FileBlock, name: str, first: np.ndarray, var: FileVar) -> None:
        """A scale that has the value of before where there is one."""
        quantized = self._constant_of(name)
        if quantized is not None and quantized.shape == first.shape:
            first = quantized.astype(first.dtype)
        self._persistent(block, name, first, var.dtype.code)

    def _called(self, graph: IrGraph, block: FileBlock, op: FileOp, name: str, function: Any) -> str:
        """Apply a function to a variable before an operator; return the name of the result."""
        var = block.var(name)
        program, startup = Program(), Program()
        with program_guard(program, startup), mode.use(program.builder):
            input_var = data(f"{name}_tmp_input", list(var.shape), var.dtype)
            input_var.stop_gradient = False
            new_var = function(input_var)
        form = form_of(program, [new_var])
        graph.graph.holders.update(program.holders())
        mine = unique_name.generate(f"{name}_func")
        inner = form.blocks[0]
        result = next(o.input("X")[0] for o in inner.ops if o.type == "fetch")
        called = {input_var.name: name}
        for old in inner.vars.values():
            if old.name in called or old.name in ("feed", "fetch"):
                continue
            if old.persistable:
                called[old.name] = old.name
                self._persistent(block, old.name, np.asarray(form.arrays[old.name]), old.dtype.code)
            else:
                called[old.name] = like(block, f"{mine}.{old.name}", old)
        for each in inner.ops:
            if each.type in ("feed", "fetch"):
                continue
            ins, outs = ({s: [called[n] for n in names] for s, names in side.items()} for side in (each.inputs, each.outputs))
            added = put_before(block, op, each.type, ins, outs, {})
            added.attrs, added.attr_types, added.saved_message = dict(each.attrs), dict(each.attr_types), dict(each.saved_message)
        return called[result]


class QuantizationTransformPassV2(QuantizationTransformPass):
    """The same with `quantize_linear` and `dequantize_linear`, which ONNX has, too. Arguments: see `QuantizationTransformPass`."""

    _says_so = False

    def _all_weights(self, block: FileBlock) -> set[str]:
        weights = super()._all_weights(block)
        cast = {op.output("Out")[0] for op in block.ops if op.type == "cast" and op.input("X")[0] in weights}
        return weights | cast

    def _quantized(self, block: FileBlock, op: FileOp, source: str, name: str, weight: bool) -> str:
        channels = weight and self._weight_quantize_type == "channel_wise_abs_max"
        inserting = InsertQuantizeLinear(
            self._place, self._scope, quant_bits=self._weight_bits if weight else self._activation_bits,
            quant_axis=scaling.weight_axis(op.type) if channels else -1, channel_wise=channels,
            moving_rate=self._moving_rate, is_test=bool(self._is_test),
        )  # fmt: skip
        return inserting.both(block, op, source, name)[0]

    def _without_weight(self, graph: IrGraph, block: FileBlock, op: FileOp) -> None:
        """A 1-D convolution is a 2-D one whose weight goes through `unsqueeze2` before: both are quantized."""
        filters = op.inputs.get("Filter", [])
        if "conv2d" not in op.type or not filters or self._skipped(block, op):
            return
        maker = block.writer_of(filters[0])
        if maker is not None and maker.type == "unsqueeze2" and any(name in self._weights for name in maker.input_arg_names):
            self._transform(graph, block, op)


class _OnInputs(GraphPass):
    """Base class of passes that quantize the inputs of operators without weights.

    Args:
        scope, place: where the new values are. AssertionError when they are None.
        moving_rate: of the scales while they are trained.
        quant_bits: how many bits there are.
        skip_pattern: operators with this in their name scope are left as they are.
        quantizable_op_type: types of operators; default: sums and pooling.
        is_test: scales stay as they are; default: as the graph says.
        scale_dict: scales by the names of variables.
    """

    _activation_type = ("relu", "relu6", "leaky_relu", "tanh", "swish")

    def __init__(
        self, scope: Any = None, place: Any = None, moving_rate: float = 0.9, quant_bits: int = 8,
        skip_pattern: Any = ("skip_quant",), quantizable_op_type: Any = ("elementwise_add", "pool2d"), is_test: bool | None = None,
        scale_dict: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(scope, place)
        self._need_scope()
        for op_type in quantizable_op_type:
            if op_type not in SUPPORT_ACT_QUANTIZATION_OP_DICT:
                raise AssertionError(f"{op_type} is not supported for quantization.")
        self._moving_rate, self._quant_bits, self._is_test = moving_rate, quant_bits, is_test
        self._skip_pattern, self._scale_dict, self._quantizable_op_type = skip_pattern, scale_dict, list(quantizable_op_type)

    def apply(self, graph: IrGraph) -> IrGraph:
        """Rewrite a graph, which is returned."""
        block = self._block(graph)
        if self._is_test is None:
            self._is_test = graph.is_test()
        done: dict[str, str] = {}
        for op in list(block.ops):
            if op.type not in self._quantizable_op_type or skips(op, self._skip_pattern):
                continue
            if op.attrs.get("quantization_type") == "qat_with_weight" or self._left_out(block, op):
                continue
            names = scaling._get_op_input_var_names(op)
            if any("quantized.dequantized" in name for name in names):
                continue
            for name in names:
                if not self._takes(block, name):
                    if not persistable(block, name):
                        break
                    continue
                if name not in done:
                    done[name] = self._quantized(block, op, name)
                op.rename_input(name, done[name])
        return graph

    def _left_out(self, block: FileBlock, op: FileOp) -> bool:
        raise NotImplementedError("a subclass must define this method")

    def _takes(self, block: FileBlock, name: str) -> bool:
        raise NotImplementedError("a subclass must define this method")

    def _quantized(self, block: FileBlock, op: FileOp, name: str) -> str:
        raise NotImplementedError("a subclass must define this method")


class AddQuantDequantPass(_OnInputs):
    """Puts a quantization that is taken back at once before operators that read no weight."""

    def _left_out(self, block: FileBlock, op: FileOp) -> bool:
        names = scaling._get_op_input_var_names(op)
        if any(persistable(block, name) for name in names):
            return True
        op.set_attr("quantization_type", "qat_without_weight")
        op.set_attr("activation_bits", self._quant_bits)
        op.set_attr("with_quant_attr", True)
        return False

    def _takes(self, block: FileBlock, name: str) -> bool:
        return True

    def _quantized(self, block: FileBlock, op: FileOp, name: str) -> str:
        var = block.var(name)
        out, scale = like(block, f"{name}.quant_dequant", var), f"{name}.quant_dequant@scale"
        scale_value = self._constant_of(scale)
        value = np.full([1], FIRST_SCALE, var.dtype.np) if scale_value is None else scale_value.astype(var.dtype.np).reshape([1])
        if self._scale_dict is not None and name in self._scale_dict:
            value = np.array([self._scale_dict[name]], var.dtype.np).reshape([1])
        self._persistent(block, scale, value, var.dtype.code)
        inputs, outputs = {"X": [name], "InScale": [scale]}, {"Out": [out], "OutScale": [scale]}
        if not self._is_test:
            average_inputs, more = self._averages(block, var, "quant_dequant.state", "quant_dequant.accum")
            inputs, outputs = inputs | average_inputs, outputs | more
        attrs = {"bit_length": self._quant_bits, "moving_rate": self._moving_rate, "is_test": bool(self._is_test)}
        put_before(block, op, "fake_quantize_dequantize_moving_average_abs_max", inputs, outputs, attrs)
        return out


class AddQuantDequantPassV2(_OnInputs):
    """The same with `quantize_linear` and `dequantize_linear`; weights that are read are left as they are."""

    def _left_out(self, block: FileBlock, op: FileOp) -> bool:
        return False

    def _takes(self, block: FileBlock, name: str) -> bool:
        return not persistable(block, name) and is_float(block.find(name))

    def _quantized(self, block: FileBlock, op: FileOp, name: str) -> str:
        inserting = InsertQuantizeLinear(
            self._place, self._scope, quant_bits=self._quant_bits, moving_rate=self._moving_rate, is_test=bool(self._is_test),
            scale_dict=self._scale_dict,
        )  # fmt: skip
        return inserting.both(block, op, name)[0]


class AddQuantDequantForResidual(GraphPass):
    """Quantizes the shortcut of sums: the one of their two terms that is there first.

    Args:
        scope, place: where the new values are. AssertionError when they are None.
        quant_bits: how many bits there are.
        is_test: scales stay as they are.
    """

    def __init__(self, scope: Any, place: Any, quant_bits: int = 8, is_test: bool = True) -> None:
        super().__init__(scope, place)
        self._need_scope()
        self._quant_bits, self._is_test = quant_bits, is_test

    def apply(self, graph: IrGraph) -> None:
        """Rewrite a graph."""
        block = self._block(graph)
        weights = {name for op in block.ops for name in op.input_arg_names if persistable(block, name)}
        weights |= {op.output("Out")[0] for op in block.ops if op.type == "cast" and op.input("X")[0] in weights}
        order: dict[str, int] = {}
        for i, op in enumerate(block.ops):
            for name in op.input_arg_names:
                order.setdefault(name, i)
        for op in [op for op in block.ops if op.type == "elementwise_add"]:
            first, second = op.input_arg_names[:2]
            if first in weights or second in weights:
                continue
            name = first if order[first] < order[second] else second
            inserting = InsertQuantizeLinear(self._place, self._scope, quant_bits=self._quant_bits, is_test=self._is_test)
            op.rename_input(name, inserting.both(block, op, name, f"{name}.skip")[0])
