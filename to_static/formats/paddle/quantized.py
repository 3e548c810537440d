"""File operators of quantized models that are not one operator of ours; the others are in `ops.quantized`."""

from __future__ import annotations

from typing import Any

from to_static.formats.paddle.upgrade import reads
from to_static.ir.registry import FUNCTIONS


def _most(bits: int) -> float:
    """The largest number of so many bits."""
    return float((1 << (bits - 1)) - 1)


@reads("fake_dequantize_max_abs")
def _(r: Any) -> Any:
    scale = r.input("Scale")
    x = FUNCTIONS["cast"](r.input("X"), scale.dtype)
    return {"Out": x * FUNCTIONS["reshape"](scale, []) / float(r.attr("max_range", 127.0))}


@reads("fake_channel_wise_dequantize_max_abs")
def _(r: Any) -> Any:
    """One scale for each channel of a weight, and perhaps one more for what it was multiplied by."""
    scales, bits, axis = r.inputs("Scales"), list(r.attr("quant_bits", [8])), r.attr("quant_axis", 0)
    x = FUNCTIONS["cast"](r.input("X"), scales[0].dtype)
    if len(scales) > 2 or len(bits) < len(scales):
        r.refuse(f"{len(scales)} scales of {len(bits)} widths")
    if len(scales) == 2:  # the result of an operator: its channels are in the dimension that the weight's became
        axis = r.attr("x_num_col_dims", 1)
        x = x * FUNCTIONS["reshape"](scales[1], []) / _most(bits[1])
    wide = FUNCTIONS["reshape"](scales[0], [-1 if i == axis else 1 for i in range(x.ndim)])
    return {"Out": x * wide / _most(bits[0])}


@reads("fake_quantize_range_abs_max")
def _(r: Any) -> Any:
    if not r.attr("is_test", False):
        r.refuse("training with a window of scales; export the model for inference")
    scale = r.input("InScale")
    found = FUNCTIONS["fake_quantize_moving_average_abs_max"](
        r.input("X"), scale, bit_length=r.attr("bit_length", 8), is_test=True, round_type=r.attr("round_type", 1)
    )
    return {"Out": found[0], "OutScale": scale}


@reads("moving_average_abs_max_scale")
def _(r: Any) -> Any:
    """What an operator gives, as it is: the scale of it is observed for others, and no number depends on that."""
    if not r.attr("is_test", False):
        r.refuse("training that observes scales; export the model for inference")
    return {"Out": r.input("X")}
