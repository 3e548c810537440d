"""Readers of quantized operators that are not one operator here; the others are declared in `ops.quantized`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from to_static.compiler.formats.paddle.operators.lazy_op_lookup import operator
from to_static.compiler.formats.paddle.operators.op_compat import reads
from to_static.compiler.ops import functions as F

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.operators.op_reader import OpReader


def _largest_integer(bits: int) -> float:
    """Return the largest signed integer of ``bits`` bits."""
    return float((1 << (bits - 1)) - 1)


@reads("fake_dequantize_max_abs")
def _(r: OpReader) -> Any:
    scale = r.input("Scale")
    x = F.cast(r.input("X"), scale.dtype)
    return {"Out": x * F.reshape(scale, []) / float(r.attr("max_range", 127.0))}


@reads("fake_channel_wise_dequantize_max_abs")
def _(r: OpReader) -> Any:
    """One scale for each channel of a weight, and perhaps one more for what it was multiplied by."""
    scales, bits, axis = r.inputs("Scales"), list(r.attr("quant_bits", [8])), r.attr("quant_axis", 0)
    x = F.cast(r.input("X"), scales[0].dtype)
    if len(scales) > 2 or len(bits) < len(scales):
        r.refuse(f"{len(scales)} scales of {len(bits)} widths")
    if len(scales) == 2:  # the result of an operator: its channels are in the dimension that the weight's became
        axis = r.attr("x_num_col_dims", 1)
        x = x * F.reshape(scales[1], []) / _largest_integer(bits[1])
    scale_by_axis = F.reshape(scales[0], [-1 if i == axis else 1 for i in range(x.ndim)])
    return {"Out": x * scale_by_axis / _largest_integer(bits[0])}


@reads("fake_quantize_range_abs_max")
def _(r: OpReader) -> Any:
    scale, more = r.input("InScale"), {}
    if not r.attr("is_test", False):
        if not r.has("Iter") or not r.outputs("OutScales"):
            r.refuse("training without Iter and OutScales")
        scale, more["OutScales"] = _of_window(r, scale)
    results = F.fake_quantize_moving_average_abs_max(
        r.input("X"), scale, bit_length=r.attr("bit_length", 8), is_test=True, round_type=r.attr("round_type", 1)
    )
    return {"Out": results[0], "OutScale": scale, **more}


def _of_window(r: OpReader, last: Any) -> tuple[Any, Any]:
    """The largest magnitude in a window of steps, and these of all steps in it."""
    step, scales = F.reshape(r.input("Iter"), []), r.scope.read(r.outs["OutScales"][0])
    now = F.max(F.abs(r.input("X").detach())).astype(scales.dtype)
    indices, size = F.arange(scales.shape[0], dtype="int64"), scales.shape[0]
    scale_now = indices == step % size
    removed = F.sum(F.where(scale_now, scales, scales * 0))
    new = F.where(scale_now, now.expand(scales.shape), scales)
    inside = F.max(F.where(indices < step, F.abs(new), new * 0))
    last_scale = F.reshape(last, [])
    fallen = F.where((removed - last_scale).abs() < 1e-6, inside, last_scale)
    return F.reshape(F.where(last_scale < now, now, fallen), last.shape), new


@reads("moving_average_abs_max_scale")
def _(r: OpReader) -> Any:
    """The operator's result, unchanged: its scale is observed for others, and no value depends on that."""
    x = r.input("X")
    if r.attr("is_test", False):
        return {"Out": x}
    accum, state = r.input("InAccum"), r.input("InState")
    averages = F.moving_average_abs_max_scale(x, accum, state, moving_rate=r.attr("moving_rate", 0.9))
    return dict(zip(_AVERAGES, averages, strict=True)) | {"Out": x}


_AVERAGES = ("Out", "OutScale", "OutState", "OutAccum")


@reads("fake_channel_wise_quantize_abs_max")
def _(r: OpReader) -> Any:
    """In evaluation the scales are those that training has left in the variable, where it has a value."""
    x, bits, axis = r.input("X"), r.attr("bit_length", 8), r.attr("quant_axis", 0)
    round_type, names = r.attr("round_type", 1), r.outs.get("OutScale", ())
    weight = r.scope.find(names[0]) if r.attr("is_test", False) and names else None
    if weight is None:
        quantized, scale = F.fake_channel_wise_quantize_abs_max(x, axis, bits, round_type)
        return {"Out": quantized, "OutScale": scale}
    return {"Out": F.quantize_linear(x, weight.handle, quant_axis=axis, bit_length=bits, round_type=round_type)}


@reads("quantize_linear")
def _(r: OpReader) -> Any:
    """In training it finds the scales: a moving average, or the largest magnitudes of each channel."""
    x, scale, axis = r.input("X"), r.input("Scale"), r.attr("quant_axis", -1)
    outputs: dict[str, Any] = {}
    if r.has("InState") and not r.attr("is_test", True):
        if axis >= 0:
            scale = F.max(F.abs(x), [i for i in range(x.ndim) if i != axis])
            outputs["OutScale"] = scale
        else:
            accum, state = r.input("InAccum"), r.input("InState")
            observed = F.moving_average_abs_max_scale(x, accum, state, moving_rate=r.attr("moving_rate", 0.9))
            outputs = dict(zip(_AVERAGES, observed, strict=True))
            scale = outputs["OutScale"]
    attrs = {"bit_length": r.attr("bit_length", 8), "round_type": r.attr("round_type", 0)}
    watched = r.attr("only_observer", False)
    y = F.quantize_linear(x, scale, r.input("ZeroPoint"), quant_axis=axis, only_observer=watched, **attrs)
    return {**{slot: value for slot, value in outputs.items() if slot != "Out"}, "Y": y}


def _passed(out: str, scale: str) -> Any:
    def straight(r: OpReader, results: dict[str, Any]) -> dict[str, Any]:
        """Straight-through estimator: the rounded values, with the gradient of the values before rounding."""
        x, by = r.input("X"), results.get(scale)
        by = r.input("Scale") if by is None else by
        axis = r.attr("quant_axis", 0 if "channel" in r.type else -1)
        scale_shape = [1] * x.ndim if axis < 0 or by.shape in ([1], []) else [-1 if i == axis else 1 for i in range(x.ndim)]
        rate = _largest_integer(r.attr("bit_length", 8)) / F.reshape(by.detach(), scale_shape)
        return {**results, out: results[out].detach() + (x - x.detach()) * rate}

    return straight


STRAIGHT: dict[str, Any] = {
    "quantize_linear": _passed("Y", "OutScale"),
    "fake_quantize_abs_max": _passed("Out", "OutScale"),
    "fake_quantize_range_abs_max": _passed("Out", "OutScale"),
    "fake_quantize_moving_average_abs_max": _passed("Out", "OutScale"),
    "fake_channel_wise_quantize_abs_max": _passed("Out", "OutScale"),
}


@reads("dequantize_linear")
def _(r: OpReader) -> Any:
    """The same with the sums of an observer beside it, which change nothing: PaddlePaddle 3.3 writes them."""
    for slot in ("InAccum", "InState"):
        r.ins.pop(slot, None)
    return {"Y": r.read_declared(operator("dequantize_linear"))}
