"""Shared parts of `static.quantization`: numbers as whole multiples of a scale, and names in slots.

Source: PaddlePaddle 2.6, ``paddle.static.quantization.utils``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.editing import FileOp
from to_static.static.ir_graph import IrOpNode
from to_static.static.quantization.quant_config import SUPPORT_QUANTIZATION_OP_DICT

_channelwise_quant_axis1_ops = ["conv2d_transpose", "mul", "matmul", "matmul_v2"]
_LEAST = 1e-8  # scales of 0 count as this


def _slots(op: Any, side: int) -> list[str]:
    if isinstance(op, IrOpNode):
        op = op.node
    op_type = op.type() if callable(op.type) else op.type
    slots = SUPPORT_QUANTIZATION_OP_DICT.get(op_type)
    return [] if slots is None else slots[side]


def _filled(op: Any, slot: str, inputs: bool) -> list[str]:
    slots = op.node if isinstance(op, IrOpNode) else op
    if isinstance(slots, FileOp):
        return (slots.inputs if inputs else slots.outputs).get(slot, [])
    return op.input(slot) if inputs else op.output(slot)  # type: ignore[no-any-return]


def _get_op_input_var_names(op: Any) -> list[str]:
    """The names that an operator reads in the slots that are quantized; none of one that is not known."""
    return [name for slot in _slots(op, 0) for name in _filled(op, slot, True)]


def _get_op_output_var_names(op: Any) -> list[str]:
    """The names that an operator writes in the slots that are observed; none of one that is not known."""
    return [name for slot in _slots(op, 1) for name in _filled(op, slot, False)]


def _get_input_name_index(op: Any, input_var_name: str) -> tuple[str, int] | None:
    """The slot in which an operator reads a name, and its place there; None: in none that is quantized."""
    return _place(op, input_var_name, 0)


def _get_output_name_index(op: Any, output_var_name: str) -> tuple[str, int] | None:
    """The slot in which an operator writes a name, and its place there; None: in none that is observed."""
    return _place(op, output_var_name, 1)


def _place(op: Any, name: str, side: int) -> tuple[str, int] | None:
    for slot in _slots(op, side):
        names = _filled(op, slot, side == 0)
        if name in names:
            return slot, names.index(name)
    return None


def weight_axis(op_type: str) -> int:
    """The dimension of an operator's weight that has the channels."""
    return 1 if op_type in _channelwise_quant_axis1_ops else 0


def op_type_of(op: FileOp) -> str:
    """The type of an operator, which of a product says whether its weight is transposed: then channels come first."""
    return f"{op.type}_trans_y" if op.type == "matmul_v2" and op.attrs.get("trans_y") else op.type


def load_variable_data(scope: Any, var_name: str) -> np.ndarray:
    """The value of a name in a scope. Raises AssertionError when there is none."""
    variable = scope.find_var(var_name)
    if variable is None:
        raise AssertionError(f"Can not find {var_name} in the scope.")
    return np.array(variable.get_tensor())


def set_variable_data(scope: Any, place: Any, var_name: str, np_value: np.ndarray) -> None:
    """Give a name in a scope a value. Raises AssertionError for what is no array."""
    if not isinstance(np_value, np.ndarray):
        raise AssertionError("The type of value should be numpy array.")
    scope.var(var_name).get_tensor().set(np_value, place)


def quant_tensor(
    x: np.ndarray, scale: Any, quant_axis: int = 0, weight_bits: int = 8, onnx_format: bool = False
) -> np.ndarray:
    """Numbers as multiples of ``scale / most``, most ``2 ** (weight_bits - 1) - 1``.

    Args:
        x: an array.
        scale: the largest magnitude, or a list of those along ``quant_axis``.
        quant_axis: 0 or 1 (-1: 0). AssertionError otherwise.
        weight_bits: how many bits there are.
        onnx_format: round, and allow the least integer; else the multiples keep their fractions, cut off at ``scale``.
    """
    if quant_axis not in (-1, 0, 1):
        raise AssertionError("quant_axis should be 0 or 1 for now.")
    max_level = (1 << (weight_bits - 1)) - 1
    broadcast_scale = _along(scale, x, max(quant_axis, 0))
    if onnx_format:
        return np.clip(np.round(x / broadcast_scale * max_level), -max_level - 1, max_level).astype(x.dtype)
    return (np.clip(x, -broadcast_scale, broadcast_scale) / broadcast_scale * max_level).astype(x.dtype)


def dequant_tensor(x: np.ndarray, scale: Any, quant_axis: int = 0, weight_bits: int = 8) -> np.ndarray:
    """Return the floating-point numbers for multiples of ``scale / most``."""
    if quant_axis not in (0, 1):
        raise AssertionError("quant_axis should be 0 or 1 for now.")
    return (x * _along(scale, x, quant_axis) / ((1 << (weight_bits - 1)) - 1)).astype(x.dtype)


def _along(scale: Any, x: np.ndarray, axis: int) -> Any:
    scales = np.asarray(scale, x.dtype)
    scales = np.where(scales == 0, x.dtype.type(_LEAST), scales)
    if not isinstance(scale, list) or len(scale) == 1:
        return scales.reshape(())
    return scales.reshape([-1 if i == axis else 1 for i in range(x.ndim)])


def bias_correction_w(
    x: np.ndarray, x_quant: np.ndarray, scale_v: Any, quant_axis: int, weight_bits: int = 8
) -> np.ndarray:
    """Whole multiples that stand for numbers of the mean and deviation that ``x`` has, channel by channel.

    Source: Banner et al., "Post training 4-bit quantization of convolutional networks", NeurIPS 2019.
    """
    max_level = (1 << (weight_bits - 1)) - 1
    dequantized = x_quant * _along(scale_v, x, max(quant_axis, 0)) / max_level
    if isinstance(scale_v, list):
        axes = tuple(i for i in range(x.ndim) if i != max(quant_axis, 0))
        mean, rate = (x - dequantized).mean(axes), x.std(axes) / (dequantized.std(axes) + _LEAST)
        mean, rate = np.resize(mean, x.shape), np.resize(rate, x.shape)  # as Paddle has it: along the last dimensions first
    else:
        mean, rate = (x - dequantized).mean(), x.std() / (dequantized.std() + _LEAST)
    return quant_tensor(((mean + dequantized) * rate).astype(x.dtype), scale_v, quant_axis, weight_bits)


def stable_sigmoid(x: np.ndarray) -> np.ndarray:
    """``1 / (1 + exp(-x))`` without overflow."""
    small = np.exp(-np.abs(x))
    return np.where(x < 0, small / (1 + small), 1 / (1 + small))


def calculate_quant_cos_error(orig_tensor: np.ndarray, qdq_tensor: np.ndarray) -> float:
    """The cosine of the angle between two arrays as vectors."""
    a, b = orig_tensor.reshape(-1), qdq_tensor.reshape(-1)
    return float(np.inner(a, b) / (np.linalg.norm(a) * np.linalg.norm(b)))


def l2_loss(gt: np.ndarray, pred: np.ndarray) -> float:
    """The mean squared difference."""
    return float(((gt - pred) ** 2).mean())


class tqdm:
    """Counts steps and shows nothing: what code puts around loops of passes.

    Args:
        total: how many steps there will be.
        bar_format, ncols: not used.
    """

    def __init__(self, total: int, bar_format: str = "Loading|{bar}", ncols: int = 80) -> None:
        self.total, self.bar_format, self.ncols, self.n = total, bar_format, ncols, 0

    def update(self, n: int = 1) -> None:
        """Count ``n`` more."""
        self.n += n

    def __enter__(self) -> tqdm:
        return self

    def __exit__(self, *error: Any) -> None:
        """Nothing."""


def move_persistable_var_to_global_block(program: Any) -> None:
    """Nothing: what lives outside of runs is of the root block here."""
