"""Passes for how large results get: observed in training, written as attributes for use."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.static.ir_graph import IrGraph
from to_static.static.quantization import scaling
from to_static.static.quantization.inserting import OBSERVER, GraphPass, is_float, put_behind
from to_static.static.quantization.quant_config import SUPPORT_QUANTIZATION_OP_DICT


class OutScaleForTrainingPass(GraphPass):
    """Puts an observer behind each operator whose scale may be asked for: ``RESULT@scale`` follows its largest magnitudes.

    Args:
        scope, place: where the new values are.
        moving_rate: of the average; default: .9.
        is_test: scales stay as they are; default: as the graph says.
        scale_dict: scales by the names of variables; others begin with 1.
    """

    def __init__(
        self, scope: Any = None, place: Any = None, moving_rate: float = 0.9, is_test: bool | None = None, scale_dict: Any = None
    ) -> None:
        super().__init__(scope, place)
        self._moving_rate, self._is_test, self._scale_dict = moving_rate, is_test, scale_dict or {}

    def apply(self, graph: IrGraph) -> IrGraph:
        """Rewrite a graph, which is returned."""
        block = self._block(graph)
        if self._is_test is None:
            self._is_test = graph.is_test()
        for op in [op for op in block.ops if op.type in SUPPORT_QUANTIZATION_OP_DICT]:
            for name in scaling._get_op_output_var_names(op):
                var, scale = block.find(name), f"{name}@scale"
                if var is None or not is_float(var) or "@GRAD" in name or block.find(scale) is not None:
                    continue
                value = np.array(self._scale_dict.get(name, 1.0), var.dtype.np).reshape([1])
                self._persistent(block, scale, value, var.dtype.code)
                inputs, outputs = {"X": [name]}, {"OutScale": [scale]}
                if not self._is_test:
                    average_inputs, out = self._averages(block, var, "scale_state@", "scale_accum@")
                    inputs, outputs = inputs | average_inputs, outputs | out
                attrs = {"moving_rate": self._moving_rate, "is_test": bool(self._is_test)}
                put_behind(block, op, OBSERVER, inputs, outputs, attrs)
        return graph


class OutScaleForInferencePass(GraphPass):
    """Gives operators what was observed of their results as attributes: ``out_threshold``, ``Out0_threshold``.

    Args:
        scope: where the scales are. AssertionError for one that is not there.
    """

    def __init__(self, scope: Any = None) -> None:
        super().__init__(scope)

    def apply(self, graph: IrGraph) -> IrGraph:
        """Rewrite a graph, which is returned."""
        block = self._block(graph)
        for op in block.ops:
            for name in scaling._get_op_output_var_names(op):
                if not is_float(block.find(name)):
                    continue
                scale = self._constant_of(f"{name}@scale")
                if scale is None:
                    raise AssertionError(f"Can not find {name}@scale variable in the scope")
                slot, index = scaling._get_output_name_index(op, name)  # type: ignore[misc]
                for attr in ("out_threshold", f"{slot}{index}_threshold"):
                    op.set_attr(attr, float(scale.reshape(-1)[0]), "FLOAT")
                op.set_attr("with_quant_attr", True)
        return graph
