"""The operators that are quantized (with weights, or their inputs only) and those that are observed, by the machine that runs them.

Source: PaddlePaddle 2.6, ``paddle.static.quantization.quant_config``.
"""

from __future__ import annotations

from typing import Any

# operators, by the slots that are quantized and those that are observed
_WEIGHT = """
Input Filter -> Output: conv2d depthwise_conv2d conv2d_transpose
X Y -> Out: mul matmul matmul_v2
"""
_ACT = """
X Y -> Out: mul matmul matmul_v2
X -> Out: pool2d
X Y -> Out: elementwise_add
X -> Out: concat softmax argmax transpose
X Y -> Out: equal
X -> Out: gather
X Y -> Out: greater_equal greater_than less_equal less_than
X -> Out: mean
X Y -> Out: not_equal
X -> Out: reshape reshape2 transpose2 nearest_interp trilinear_interp
Input -> Out: slice
X -> Out: squeeze
X Y -> Out: elementwise_sub
X -> Out: relu relu6 leaky_relu
X Alpha -> Out: prelu
X -> Out: tanh swish dropout
X -> Y: batch_norm layer_norm
X -> Out: sigmoid
X Y -> Out: elementwise_mul elementwise_pow
X -> Out: hard_swish hard_sigmoid
Input Weight -> Hidden: gru lstm
X -> Out: pad2d pad3d flatten flatten2 unsqueeze2 flatten_contiguous_range split squeeze2 nearest_interp_v2 bilinear_interp
X -> Out: bilinear_interp_v2
Input -> Out: fill_constant_batch_size_like
X -> Out: arg_max abs assign cast clip
PriorBox -> OutputBox: box_coder
X -> Out: crop cumsum expand_v2 fill_any_like
-> Out: fill_constant
X -> Out: gelu
X -> Y: instance_norm
W Ids -> Out: lookup_table lookup_table_v2
X -> Norm: norm
X -> Out: p_norm pow reduce_mean
X -> Y: stack
X -> Out Indices: top_k_v2
X Y -> Out: logical_and
X -> Out: logical_not meshgrid
X ROIs -> Out: roi_align
Input -> Out: strided_slice
Condition X Y -> Out: where
X Grid -> Output: grid_sampler
X -> Out: tile
X -> Y Mean Variance: group_norm
X -> Out: reduce_sum square softplus shuffle_channel reduce_max scale
"""


def _table(text: str) -> dict[str, list[list[str]]]:
    table = {}
    for line in text.strip().splitlines():
        slots, _, op_types = line.partition(":")
        ins, _, outs = slots.partition("->")
        table.update({op_type: [ins.split(), outs.split()] for op_type in op_types.split()})
    return table


SUPPORT_WEIGHT_QUANTIZATION_OP_DICT = _table(_WEIGHT)
SUPPORT_ACT_QUANTIZATION_OP_DICT = _table(_ACT)
SUPPORT_QUANTIZATION_OP_DICT = {**SUPPORT_WEIGHT_QUANTIZATION_OP_DICT, **SUPPORT_ACT_QUANTIZATION_OP_DICT}


class BaseQuantizer:
    """The operators that are quantized.

    Args:
        quantizable_op_type: types; default: those with weights, and products.
        quant_bits: how many bits there are.

    Example:
        >>> config = paddle.static.quantization.quant_config.BaseQuantizer(['conv2d', 'matmul_v2'])
    """

    _acts: Any = None
    _least = -128

    def __init__(self, quantizable_op_type: Any = (), quant_bits: int = 8) -> None:
        super().__init__()
        self._quantizable_op_type, self._quant_bits = list(quantizable_op_type), quant_bits
        self._quant_min, self._quant_max = self._least, 127

    @property
    def weight_quant_operation_types(self) -> list[str]:
        """Return the types of operators whose weights and inputs are quantized."""
        supported = list(SUPPORT_WEIGHT_QUANTIZATION_OP_DICT)
        return (
            [op_type for op_type in self._quantizable_op_type if op_type in supported]
            if self._quantizable_op_type
            else supported
        )

    @property
    def activation_quant_operation_types(self) -> list[str]:
        """Return the types of operators whose inputs are quantized."""
        if self._acts is not None:
            return str(self._acts).split()
        if not self._quantizable_op_type:
            return ["mul", "matmul", "matmul_v2"]
        return [op_type for op_type in self._quantizable_op_type if op_type in SUPPORT_ACT_QUANTIZATION_OP_DICT]

    @property
    def observer_operation_types(self) -> list[str]:
        """Return the types of operators whose results are observed."""
        return list(SUPPORT_ACT_QUANTIZATION_OP_DICT)


class TensorRTQuantizer(BaseQuantizer):
    """The operators that TensorRT runs in eight bits."""

    _acts = (
        "pool2d elementwise_add elementwise_sub elementwise_mul elementwise_pow concat softmax argmax mean relu relu6 leaky_relu "
        "tanh swish softplus gelu hard_sigmoid hard_swish sigmoid layer_norm matmul_v2 split bilinear_interp nearest_interp "
        "trilinear_interp nearest_interp_v2 bilinear_interp bilinear_interp_v2 clip pow reduce_mean reduce_sum reduce_max"
    )


class MKLDNNQuantizer(BaseQuantizer):
    """The operators that oneDNN runs in eight bits."""

    _acts = "pool2d elementwise_add elementwise_mul concat nearest_interp nearest_interp_v2 split"


class ARMCPUQuantizer(BaseQuantizer):
    """The operators that Paddle Lite runs in eight bits on ARM processors."""

    _least = -127
