"""Writers for operators whose Paddle kernels accept fewer inputs than the kernels here: rewritten for Paddle, or refused.

Each case was found by running a program in Paddle 2.6.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.paddle.programs.control_writer import constant_scalar, lowers
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.spec import UNKNOWN, Spec, TensorSpec
from to_static.compiler.ir.uses import Uses
from to_static.compiler.ops import shape_rules
from to_static.compiler.ops.layers import windows
from to_static.core.dtypes import float32, float64, int32, int64

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.programs.program_writer import ProgramWriter


def in_float64(w: ProgramWriter, op: Op, write: Callable[[ProgramWriter, Op], None] | None = None) -> None:
    """Write a float32 operator with casts around it: oneDNN, which gets some cases wrong, takes no float64."""
    write = write or type(w).as_declared
    if not w.around_onednn:
        write(w, op)
        return
    saved = {v: w.names[v] for v in op.operands() if v.spec.dtype is float32}
    for var in saved:
        assert isinstance(var.spec, TensorSpec)
        w.names[var] = w.cast(saved[var], var.spec, float64)
    write(w, op)
    for var in op.outputs:
        if var.spec.dtype is float32 and isinstance(var.spec, TensorSpec):
            double_result = w.declare(w.names[var], var.spec.with_dtype(float64))
            w.names[var] = w.cast(double_result, var.spec.with_dtype(float64), float32)
    w.names.update(saved)


def _stretched(var: Var, spec: Spec) -> int:
    """The number of dimensions of a shape along which ``var`` is repeated."""
    assert isinstance(spec, TensorSpec)
    shape = (1,) * (spec.ndim - len(var.shape)) + var.shape
    return sum(a == 1 and b != 1 for a, b in zip(shape, spec.shape, strict=True))


@lowers("expand")
def _expand(w: ProgramWriter, op: Op) -> None:
    if op.out.spec.dtype is float32 and _stretched(op.inputs[0], op.out.spec) > 1:
        in_float64(w, op)
    else:
        w.as_declared(op)


@lowers("round")
def _round(w: ProgramWriter, op: Op) -> None:
    if op.out.spec.dtype is float32:  # oneDNN rounds halves to even numbers
        in_float64(w, op)
    else:
        w.default(op)


@lowers("softplus")
def _softplus(w: ProgramWriter, op: Op) -> None:
    if op.attrs["threshold"] < 15 and op.out.spec.dtype is float32:  # oneDNN knows no threshold, which shows below that
        in_float64(w, op)
    else:
        w.default(op)


@lowers("nearest_interp")
def _nearest(w: ProgramWriter, op: Op) -> None:
    factors = op.attrs["scale"] or [0.5]
    if op.inputs[2] is not None:  # with factors in a tensor, which has to be float32, it is not oneDNN that computes
        w.as_declared(op)
    elif op.out.spec.dtype is float32 and any(f != int(f) for f in factors):  # oneDNN rounds positions in another way
        in_float64(w, op)
    else:
        w.as_declared(op)


def broadcast(w: ProgramWriter, var: Var, spec: Spec, full: Any, in_double: bool = False) -> Any:
    """Return the value expanded to the shape of ``spec``. ``full``: a value of that shape, in case the shape is not known.

    ``in_double``: float32 values are under names that hold float64 ones (see `in_float64`).
    """
    assert isinstance(spec, TensorSpec)
    shape = spec.shape
    if var.spec.shape == shape and UNKNOWN not in shape:
        return var
    if _is_number(var, spec):
        dtype = float64 if in_double and var.spec.dtype is float32 else var.spec.dtype
        return w.constant(np.full(shape, constant_scalar(var), dtype.np))
    out = w.temp(var.spec.with_shape(shape))
    if UNKNOWN not in shape:
        w.write("expand_v2", {"X": var}, {"Out": out}, {"shape": ("ints", list(shape))})
    else:
        w.write("expand_as_v2", {"X": var, "Y": full}, {"Out": out}, {"target_shape": ("ints", list(shape))})
    return out


def _zeros(w: ProgramWriter, values: Any) -> str:
    """A value of the shape that others have together: zeros of each, added up, as Paddle's own `where` does."""
    total, shape = "", ()
    for var in values:
        zeros = w.temp(TensorSpec(var.spec.shape, int32))
        w.write("fill_any_like", {"X": var}, {"Out": zeros}, {"value": ("float", 0.0), "dtype": ("dtype", int32)})
        shape = shape_rules.broadcast(shape, var.spec.shape, "broadcast") if total else var.spec.shape
        if total:
            both = w.temp(TensorSpec(shape, int32))
            w.write("elementwise_add", {"X": total, "Y": zeros}, {"Out": both}, {"axis": ("int", -1)})
            zeros = both
        total = zeros
    return total


def _is_number(var: Var, spec: TensorSpec) -> bool:
    """True if ``var`` expanded to ``spec`` is a constant."""
    return constant_scalar(var) is not None and UNKNOWN not in spec.shape


@lowers("where", "atan2", "nextafter")
def _broadcasting(w: ProgramWriter, op: Op) -> None:
    slots = ("X1", "X2") if op.name == "atan2" else tuple(slot.name for slot in op.opdef.inputs)
    out = op.opdef.outputs[0].name

    spec = op.out.spec
    assert isinstance(spec, TensorSpec)

    def write(w: ProgramWriter, op: Op, in_double: bool = True) -> None:
        full = next((v for v in op.inputs if v.spec.shape == spec.shape), None)
        if full is None and UNKNOWN in spec.shape:
            full = _zeros(w, op.inputs)
        parts = [broadcast(w, v, spec, full, in_double) for v in op.inputs]
        w.write(op.name, dict(zip(slots, parts, strict=True)), {out: op.out}, {})

    if len({v.spec.shape for v in op.operands()}) == 1:
        w.write(op.name, dict(zip(slots, op.inputs, strict=True)), {out: op.out}, {})
    elif w.around_onednn and spec.dtype is float32 and any(_stretched(v, spec) > 1 and not _is_number(v, spec) for v in op.inputs):
        in_float64(w, op, write)
    else:
        write(w, op, False)


@lowers("sigmoid_cross_entropy_with_logits")
def _sigmoid_cross_entropy(w: ProgramWriter, op: Op) -> None:
    x, _, weight = op.inputs
    w.default(op, inputs={} if weight is None else {"pos_weight": broadcast(w, weight, x.spec, x)})


@lowers("deg2rad", "rad2deg")
def _degrees(w: ProgramWriter, op: Op) -> None:
    factor = math.pi / 180 if op.name == "deg2rad" else 180 / math.pi
    attrs = {"scale": ("float", factor), "bias": ("float", 0.0), "bias_after_scale": ("bool", True)}
    w.write("scale", {"X": op.inputs[0], "ScaleTensor": None}, {"Out": op.out}, attrs)


@lowers("maxout")
def _maxout(w: ProgramWriter, op: Op) -> None:
    (x,) = op.inputs
    ndim = x.spec.ndim
    attrs = {"axis": ("int", op.attrs["axis"] % ndim), "groups": ("int", op.attrs["groups"])}
    if ndim == 4:
        w.default(op, attrs=attrs)
        return
    if ndim > 4:
        w.refuse("Paddle's maxout needs 4 dimensions")
    extra = ("ints", list(range(ndim, 4)))
    tail = (1,) * (4 - ndim)
    unsqueezed, result = w.temp(x.spec.with_shape(x.spec.shape + tail)), w.temp(op.out.spec.with_shape(op.out.spec.shape + tail))
    w.write("unsqueeze2", {"X": x}, {"Out": unsqueezed}, {"axes": extra})
    w.write("maxout", {"X": unsqueezed}, {"Out": result}, attrs)
    w.write("squeeze2", {"X": result}, {"Out": op.out}, {"axes": extra})


@lowers("prelu")
def _prelu(w: ProgramWriter, op: Op) -> None:
    x, alpha = op.inputs
    attrs = {"data_format": ("str", "NHWC" if op.attrs["data_format"][-1] == "C" else "NCHW")}
    if op.attrs["mode"] == "element" and alpha.spec.ndim != x.spec.ndim:
        shape = [1, *x.spec.shape[1:]]
        alpha_by_axis = w.temp(alpha.spec.with_shape(shape))
        w.write("reshape2", {"X": alpha}, {"Out": alpha_by_axis, "XShape": w.unused()}, {"shape": ("ints", shape)})
        w.default(op, inputs={"Alpha": alpha_by_axis}, attrs=attrs)
        return
    w.default(op, attrs=attrs)


@lowers("pool2d", "pool3d")
def _pool(w: ProgramWriter, op: Op) -> None:
    a = op.attrs
    if a["adaptive"] and a["pooling_type"] == "max":  # Paddle's own layer uses the other operator, and only that one is right
        if a["data_format"][-1] == "C":
            w.refuse("adaptive maximum pooling with channels last")
        _with_index(w, op, f"max_{op.name}_with_index", w.unused())
        return
    beyond = a["ceil_mode"] or a["padding_algorithm"] == "SAME"
    if a["pooling_type"] == "avg" and not a["exclusive"] and beyond and op.out.spec.dtype is float32:
        in_float64(w, op)  # oneDNN counts what the last windows have beyond the padding
        return
    w.default(op)


@lowers("max_pool2d_with_index", "max_pool3d_with_index")
def _max_pool(w: ProgramWriter, op: Op) -> None:
    a, n = op.attrs, op.inputs[0].spec.ndim - 2
    if not (a["adaptive"] or a["global_pooling"]) and not _is_read(op, op.outputs[1]):
        mask = w.unused()
        w.default(op, op.name.removeprefix("max_").removesuffix("_with_index"), outputs={"Mask": None})
        w.names[op.outputs[1]] = mask
        return
    rounded = a["ceil_mode"] and max(a["stride"]) > 1
    if len(a["padding"]) != n or a["padding_algorithm"] == "SAME" or rounded:
        if op.inputs[0].spec.dtype is float32:  # oneDNN pads other dimensions
            in_float64(w, op, _padded_maxima)
        else:
            _padded_maxima(w, op)
        return
    _with_index(w, op, op.name, op.outputs[1])


def _padded_maxima(w: ProgramWriter, op: Op) -> None:
    """Write a max pooling with indices whose padding Paddle's operator cannot express: pad the image first, then pool.

    The indices of the padded image become those of the image: each coordinate is shifted by the padding.
    """
    a, spec = op.attrs, op.inputs[0].spec
    assert isinstance(spec, TensorSpec)
    sizes, kernel, stride = spec.shape[2:], a["kernel_size"], a["stride"]
    if UNKNOWN in sizes and a["padding_algorithm"] == "SAME":
        w.refuse("positions of maxima with 'SAME' padding, of an image of unknown size")
    pads = windows.resolve(a["padding"], a["padding_algorithm"], sizes, kernel, stride)
    if a["ceil_mode"] and a["padding_algorithm"] != "SAME":  # so much more padding rounds the number of windows up
        pads = [(pad_before, pad_after + s - 1) for (pad_before, pad_after), s in zip(pads, stride, strict=True)]
    padded_sizes = [
        UNKNOWN if i == UNKNOWN else i + pad_before + pad_after
        for i, (pad_before, pad_after) in zip(sizes, pads, strict=True)
    ]
    padded_spec = spec.with_dtype(float64) if spec.dtype is float32 and w.around_onednn else spec
    padded = w.temp(padded_spec.with_shape((*spec.shape[:2], *padded_sizes)), "padded")
    margins = [0, 0, 0, 0, *(p for pair in pads for p in pair)]
    w.write("pad", {"X": op.inputs[0]}, {"Out": padded}, {"paddings": ("ints", margins), "pad_value": ("float", -math.inf)})
    indices = TensorSpec(op.out.spec.shape, int32)
    flat_index = w.temp(indices, "place")
    attrs = {"ksize": kernel, "strides": stride, "paddings": [0] * len(sizes)}
    flags = {"adaptive": ("bool", False), "global_pooling": ("bool", False)}
    w.write(
        op.name, {"X": padded}, {"Out": op.outputs[0], "Mask": flat_index}, {**{k: ("ints", v) for k, v in attrs.items()}, **flags}
    )

    def compute(function: str, x: Any, y: Any, out: Any = None) -> Any:
        x, y = (w.constant(np.asarray([v], "int32")) if isinstance(v, int) else v for v in (x, y))
        out = w.temp(indices, "place") if out is None else out
        w.write(f"elementwise_{function}", {"X": x, "Y": y}, {"Out": out}, {"axis": ("int", -1)})
        return out

    total: Any = None
    step: Any = 1
    for axis in reversed(range(len(sizes))):  # the coordinates of a place in the padded image, the last one first
        size: Any = sizes[axis]
        if axis and size == UNKNOWN:
            size = w.cast(w.size(op.inputs[0], axis + 2), TensorSpec((1,), int64), int32)
        width = size + sum(pads[axis]) if isinstance(size, int) else compute("add", size, sum(pads[axis]))
        coordinate = compute("mod", flat_index, width) if axis else flat_index
        flat_index = compute("floordiv", flat_index, width) if axis else flat_index
        part = compute("mul", compute("sub", coordinate, pads[axis][0]), step)
        total = part if total is None else compute("add", total, part, None if axis else op.outputs[1])
        if axis:
            step = step * size if isinstance(step, int) and isinstance(size, int) else compute("mul", size, step)


def _with_index(w: ProgramWriter, op: Op, op_type: str, mask: Any) -> None:
    """Write a pooling that tells where its maxima stand: Paddle's operator has fewer attributes than the others."""
    a = op.attrs
    attrs = {"ksize": ("ints", a["kernel_size"]), "strides": ("ints", a["stride"]), "paddings": ("ints", a["padding"])}
    flags = {name: ("bool", a[name]) for name in ("adaptive", "global_pooling")}
    w.write(op_type, {"X": op.inputs[0]}, {"Out": op.outputs[0], "Mask": mask}, {**attrs, **flags})


def _is_read(op: Op, var: Var) -> bool:
    block = op.out.block
    assert block is not None
    return var in Uses(block)


@lowers("nll_loss")
def _nll_loss(w: ProgramWriter, op: Op) -> None:
    x, label, _ = op.inputs
    if x.spec.ndim in (2, 4):
        w.default(op)
        return
    # Paddle takes a row, or an image per row: here one of a single line
    n, c = x.spec.shape[:2]
    four_dimensional, lines = w.temp(x.spec.with_shape((n, c, 1, UNKNOWN))), w.temp(label.spec.with_shape((n, 1, UNKNOWN)))
    w.write("reshape2", {"X": x}, {"Out": four_dimensional, "XShape": w.unused()}, {"shape": ("ints", [0, 0, 1, -1])})
    w.write("reshape2", {"X": label}, {"Out": lines, "XShape": w.unused()}, {"shape": ("ints", [0, 1, -1])})
    parts = {"X": four_dimensional, "Label": lines}
    if op.attrs["reduction"] != "none":
        w.default(op, inputs=parts)
        return
    loss = w.temp(x.spec.with_shape((n, 1, UNKNOWN)))
    w.default(op, inputs=parts, outputs={"Out": loss})
    shape = list(op.out.spec.shape)
    if shape.count(UNKNOWN) > 1:
        w.refuse("Paddle's nll_loss needs 2 or 4 dimensions, and the shape of its result has several unknown ones")
    w.write("reshape2", {"X": loss}, {"Out": op.out, "XShape": w.unused()}, {"shape": ("ints", shape)})


@lowers("log_loss")
def _log_loss(w: ProgramWriter, op: Op) -> None:
    shape = op.out.spec.shape
    if len(shape) == 2 and shape[1] == 1:
        w.default(op)
        return
    if shape.count(UNKNOWN) > 1:
        w.refuse("Paddle's log_loss needs a column, and the shape of its result has several unknown dimensions")
    column = TensorSpec((UNKNOWN, 1), op.out.spec.dtype)
    parts = {}
    for slot, var in zip(("Predicted", "Labels"), op.inputs, strict=True):
        parts[slot] = w.temp(column)
        w.write("reshape2", {"X": var}, {"Out": parts[slot], "XShape": w.unused()}, {"shape": ("ints", [-1, 1])})
    loss = w.temp(column)
    w.default(op, inputs=parts, outputs={"Loss": loss})
    w.write("reshape2", {"X": loss}, {"Out": op.out, "XShape": w.unused()}, {"shape": ("ints", list(shape))})


@lowers("pad")
def _pad(w: ProgramWriter, op: Op) -> None:
    if op.out.spec.dtype is float32:  # oneDNN pads other dimensions
        in_float64(w, op)
    else:
        w.default(op)


@lowers("fold")
def _fold(w: ProgramWriter, op: Op) -> None:
    top, left, bottom, right = op.attrs["paddings"]
    if (top, left) != (bottom, right):
        w.refuse("Paddle's fold counts twice the top and left padding")
    w.default(op)


@lowers("batch_norm")
def _batch_norm(w: ProgramWriter, op: Op) -> None:
    test = w.inference or op.attrs["is_test"]
    outputs: dict[str, Any] = {}
    for i, (var, slot) in enumerate(zip(op.inputs[3:5], ("MeanOut", "VarianceOut"), strict=True)):
        name = w.name(var)
        if not test and not _becomes(w, op.outputs[i + 1], var):
            name = w.temp(var.spec, "statistics")  # Paddle updates in place: only a copy may change
            w.write("assign", {"X": var}, {"Out": name}, {})
        outputs[slot] = name
        w.names[op.outputs[i + 1]] = name
    if not test or op.attrs["trainable_statistics"]:
        outputs["ReserveSpace"] = w.unused()
    w.default(op, inputs={"Mean": outputs["MeanOut"], "Variance": outputs["VarianceOut"]}, outputs=outputs)


def _becomes(w: ProgramWriter, new: Var, old: Var) -> bool:
    """True if ``old`` is a root value whose next value is ``new`` and that nothing else reads after it."""
    program = w.program
    pairs = dict(zip(program.state, program.state_values, strict=True))
    return pairs.get(old) is new and len(Uses(program.block).users(old)) == 1 and old not in program.outputs
