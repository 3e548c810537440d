"""The base of passes: a graph, a scope for values, and operators that are put before others.

Source of all passes: PaddlePaddle 2.6, ``paddle.static.quantization.quantization_pass``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.editing import FileBlock, FileOp, FileVar
from to_static.core import unique_name
from to_static.core.dtypes import int8, int32
from to_static.static.ir_graph import IrGraph

FAKE_QUANT = (
    "fake_quantize_abs_max", "fake_quantize_range_abs_max", "fake_quantize_moving_average_abs_max",
    "fake_channel_wise_quantize_abs_max",
)  # fmt: skip
FAKE_DEQUANT = ("fake_dequantize_max_abs", "fake_channel_wise_dequantize_max_abs")
FAKE_BOTH = (
    "fake_quantize_dequantize_moving_average_abs_max", "fake_channel_wise_quantize_dequantize_abs_max",
    "fake_quantize_dequantize_abs_max",
)  # fmt: skip
OBSERVER = "moving_average_abs_max_scale"
FIRST_SCALE = 0.001  # of what nothing is known about
_FLOATS = (4, 5, 6)  # the numbers of float16, float32 and float64
INT8, INT32 = int8.code, int32.code
Slots = dict[str, list[str]]  # names by slot


class GraphPass:
    """To be derived from: what rewrites a graph, with values in a scope."""

    def __init__(self, scope: Any = None, place: Any = None) -> None:
        self._scope, self._place = scope, place

    def _need_scope(self) -> None:
        if self._scope is None or self._place is None:
            raise AssertionError(f"{type(self).__name__} needs a scope and a place")

    def _block(self, graph: Any) -> FileBlock:
        """The block of a graph, of which values are in the scope of this pass from now on. Raises AssertionError for no graph."""
        if not isinstance(graph, IrGraph):
            raise AssertionError(f"graph must be the instance of IrGraph, got {type(graph).__name__}")
        if self._scope is not None:
            graph.scope = self._scope
        return graph.block

    def _load(self, name: str) -> np.ndarray:
        return np.array(self._scope.find_var(name).get_tensor())

    def _constant_of(self, name: str) -> np.ndarray | None:
        variable = self._scope.find_var(name)
        if variable is None:
            return None
        value = np.array(variable.get_tensor())
        return value if value.size else None

    def _store(self, name: str, array: np.ndarray) -> None:
        if hasattr(self._scope, "put"):
            self._scope.put(name, array)
        else:
            self._scope.var(name).get_tensor().set(array, self._place)

    def _persistent(self, block: FileBlock, name: str, value: np.ndarray, dtype: int) -> FileVar:
        """A variable that lives outside of runs, with a value."""
        variable = block.add(name, dtype=dtype, shape=value.shape, persistable=True)
        self._store(name, value)
        return variable

    def _persistent_scalar(self, block: FileBlock, name: str, value: float, template: FileVar) -> FileVar:
        """Add a persistent variable of one element to the block, with a value in the scope."""
        return self._persistent(block, name, np.full([1], value, template.dtype.np), template.dtype.code)

    def _averages(self, block: FileBlock, template: FileVar, state: str, accum: str) -> tuple[Slots, Slots]:
        """The slots of a moving average of which both numbers begin with 1."""
        names = [self._persistent_scalar(block, unique_name.generate(name), 1.0, template).name for name in (state, accum)]
        return {"InState": names[:1], "InAccum": names[1:]}, {"OutState": names[:1], "OutAccum": names[1:]}


def put_before(block: FileBlock, op: FileOp, op_type: str, inputs: Any, outputs: Any, attrs: Any) -> FileOp:
    """A new operator before another one."""
    return _put(block, op, 0, FileOp(block, op_type, inputs, outputs, attrs))


def put_behind(block: FileBlock, op: FileOp, op_type: str, inputs: Any, outputs: Any, attrs: Any) -> FileOp:
    """A new operator behind another one."""
    return _put(block, op, 1, FileOp(block, op_type, inputs, outputs, attrs))


def _put(block: FileBlock, op: FileOp, behind: int, new_op: FileOp) -> FileOp:
    new_op.set_attr("op_role", op.attrs.get("op_role", 0))
    block.ops.insert(block.ops.index(op) + behind, new_op)
    return new_op


def like(block: FileBlock, name: str, var: FileVar) -> str:
    """A new variable of the shape and dtype of another one; its name."""
    block.add(name, var_type=var.var_type, dtype=var.dtype.code, shape=var.shape)
    return name


def is_float(var: FileVar | None) -> bool:
    """Return whether a variable holds floating-point numbers."""
    return var is not None and var._dtype in _FLOATS


def persistable(block: FileBlock, name: str) -> bool:
    """Return whether a name lives between runs."""
    variable = block.find(name)
    return variable is not None and variable.persistable


def skips(op: FileOp, pattern: Any) -> bool:
    """Return whether the name scope of an operator has one of the patterns that exclude it from quantization."""
    scope = op.attrs.get("op_namescope")
    patterns = [pattern] if isinstance(pattern, str) else list(pattern or ())
    return isinstance(scope, str) and any(part in scope for part in patterns)


def drop_unused(block: FileBlock) -> None:
    """Take away variables that no operator names."""
    block.keep_vars(block.program.named())
    block.program.changes += 1


class InsertQuantizeLinear(GraphPass):
    """Puts `quantize_linear` and `dequantize_linear` before operators.

    Args:
        place, scope: where values are.
        quant_bits: how many bits there are.
        quant_axis: the dimension that has a scale for each index, -1: one scale.
        channel_wise: whether there is such a dimension.
        moving_rate: of the scale while it is trained.
        is_test: whether the scale stays as it is.
        scale_dict: scales by the names of variables.
    """

    def __init__(
        self, place: Any, scope: Any, quant_bits: int = 8, quant_axis: int = -1, channel_wise: bool = False,
        moving_rate: float = 0.9, is_test: bool = True, scale_dict: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(scope, place)
        self.quant_bits, self.quant_axis, self.channel_wise = quant_bits, quant_axis, channel_wise
        self._is_test, self._moving_rate, self._scale_dict = is_test, moving_rate, scale_dict

    def both(self, block: FileBlock, op: FileOp, name: str, called: str | None = None) -> tuple[str, str]:
        """Put both before ``op`` for what it reads as ``name``; the names of the result and of the scale."""
        var = block.var(name)
        called = called or name
        quantized = like(block, f"{called}.quantized", var)
        scale = f"{called}@scale"
        count = var.shape[self.quant_axis] if self.channel_wise else 1
        value = np.full([count], FIRST_SCALE, var.dtype.np)
        if self._scale_dict is not None and name in self._scale_dict:
            value = np.array([self._scale_dict[name]], var.dtype.np)
        self._persistent(block, scale, value, var.dtype.code)
        attrs: dict[str, Any] = {"quant_axis": self.quant_axis, "bit_length": self.quant_bits}
        inputs = {"X": [name], "Scale": [scale], "ZeroPoint": [self._zeros(block, quantized, value.shape)]}
        outputs, more = {"Y": [quantized]}, {}
        if not self._is_test:
            average_inputs, out = self._averages(block, var, "state", "accum")
            inputs |= average_inputs
            outputs |= {"OutScale": [scale], **out}
            more = {"is_test": False, "moving_rate": self._moving_rate}
        put_before(block, op, "quantize_linear", inputs, outputs, {**attrs, **more})
        return self._back(block, op, var, quantized, scale, value.shape), scale

    def _back(self, block: FileBlock, op: FileOp, var: FileVar, quantized: str, scale: str, shape: Any) -> str:
        out = like(block, f"{quantized}.dequantized", var)
        inputs = {"X": [quantized], "Scale": [scale], "ZeroPoint": [self._zeros(block, out, shape)]}
        attrs = {"quant_axis": self.quant_axis, "bit_length": self.quant_bits}
        put_before(block, op, "dequantize_linear", inputs, {"Y": [out]}, attrs)
        return out

    def _zeros(self, block: FileBlock, name: str, shape: Any) -> str:
        return self._persistent(block, f"{name}@zero_point", np.zeros(shape, "int32"), INT32).name
