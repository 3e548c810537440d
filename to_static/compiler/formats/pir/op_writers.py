"""Writers of operators whose operation in Paddle 3 has another form than the table says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.paddle.programs.program_writer import SMALL
from to_static.compiler.formats.pir.file_values import PLACE, array_of, dtype_of
from to_static.compiler.ir.spec import TensorSpec, spec_of
from to_static.core.dtypes import BY_CODE, as_dtype, bool_, int64

if TYPE_CHECKING:
    from to_static.compiler.formats.pir.program_writer import PirWriter

Slots = dict[str, list[str]]
Attributes = Mapping[str, tuple[str, Any]]
WRITERS: dict[str, Callable[[PirWriter, Slots, Slots, Attributes], None]] = {}
BEFORE_FIRST = -(1 << 31)  # an end of a slice that is before the first element, whatever the size
_EXACT = 1 << 53  # integers up to which a double is exact


def writes(*types: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register how operators are written."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        WRITERS.update(dict.fromkeys(types, function))
        return function

    return decorate


def constant(w: PirWriter, array: np.ndarray, name: str) -> str:
    """Write a constant under a name: one number, few numbers, or a parameter."""
    spec = spec_of(array)
    first = array.reshape(-1)[0] if array.size else None
    is_one = first is not None and bool((array == first).all() or (array != array).all())
    if is_one and spec.dtype.kind != "c" and (spec.dtype.kind == "f" or abs(int(first)) < _EXACT):  # type: ignore[arg-type]
        w.value_ids[name] = w.value_ids[w.full(first.item(), spec.dtype, spec.shape)]  # type: ignore[union-attr]
    elif array.size and array.size <= SMALL and spec.dtype.kind != "c" and np.isfinite(array).all():
        type_code = "f64" if spec.dtype.kind == "f" else "i64" if spec.dtype.kind in "iu" else "bool"
        target = w.full(0.0, spec.dtype, spec.shape)
        values = array_of(type_code, array.reshape(-1).tolist())
        attributes = {"shape": array_of("i32", spec.shape), "dtype": dtype_of(spec.dtype), "values": values, "place": PLACE}
        w.emit("assign_value_", [w.value_ids[target]], [(name, spec)], attributes)
    else:
        w.value_ids[name] = w.value_ids[w.param(array, None)]
    return name


def _value(attrs: Attributes, name: str, default: Any = None) -> Any:
    return attrs[name][1] if name in attrs else default


@writes("fill_constant")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    (out,) = outs["Out"]
    spec = w.specs[out]
    text = _value(attrs, "str_value", "")
    value = float(text) if text else float(_value(attrs, "value", 0.0))
    sources = ins.get("ShapeTensor") or ins.get("ShapeTensorList")
    if not sources and not ins.get("ValueTensor"):
        shape = list(_value(attrs, "shape", []))
        exact = spec.dtype.kind in "iu" and text and abs(int(float(text))) >= _EXACT
        if exact and -1 not in shape:
            constant(w, np.full(shape, int(text), spec.dtype.np), out)
        else:
            w.value_ids[out] = w.value_ids[w.full(value, spec.dtype, shape)]
        return
    slots = {"ValueTensor": ins.get("ValueTensor") or [w.full(value, spec.dtype)]}
    shape_of = {slot: ins.get(slot, []) for slot in ("ShapeTensor", "ShapeTensorList")}
    dims = shape_of["ShapeTensor"] or ([w.joined(sources)] if sources else [w.int_array(list(_value(attrs, "shape", [])))])
    operands = [w.value_ids[slots["ValueTensor"][0]], w.value_ids[dims[0]]]
    w.emit("full_with_tensor", operands, [(out, spec)], {"dtype": dtype_of(spec.dtype)})


@writes("assign_value")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    (out,) = outs["Out"]
    lists = [value for name, (_, value) in attrs.items() if name.endswith("_values") and value]
    dtype = _dtype(attrs)
    constant(w, np.asarray(lists[0] if lists else [], dtype.np).reshape(_value(attrs, "shape", [])), out)


def _dtype(attrs: Attributes) -> Any:
    type_code, value = attrs["dtype"]
    return as_dtype(value) if type_code == "dtype" else BY_CODE[int(value)]


@writes("assign")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    (source,), (out,) = ins["X"], outs["Out"]
    w.emit("assign", [w.value_ids[source]], [(out, w.specs[out])])


@writes("shape")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    (source,), (out,) = ins["Input"], outs["Out"]
    spec = w.specs[out]
    int64_shape = w.temp(spec.with_dtype(int64), "shape")
    w.emit("shape64", [w.value_ids[source]], [(int64_shape, spec.with_dtype(int64))])
    w.by_row("cast", {"X": [int64_shape]}, {"Out": [out]}, {"out_dtype": ("dtype", spec.dtype)})


@writes("range")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    (out,) = outs["Out"]
    w.by_row("arange", ins, outs, {"dtype": ("dtype", w.specs[out].dtype)})


@writes("increment")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    step = float(_value(attrs, "step", 1.0))
    w.by_row("scale", ins, outs, {"scale": ("float", 1.0), "bias": ("float", step), "bias_after_scale": ("bool", True)})


@writes("tril_triu")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    w.by_row("tril" if _value(attrs, "lower", True) else "triu", ins, outs, attrs)


@writes("split")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    by_number = bool(_value(attrs, "num", 0)) and not _value(attrs, "sections", []) and not ins.get("SectionsTensorList")
    w.by_row("split_with_num" if by_number else "split", ins, outs, attrs)


@writes("slice")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    """PaddlePaddle's engine makes tensors of shape [1] of those that are to be 0-D."""
    (out,) = outs["Out"]
    spec = w.specs[out]
    if spec.shape or spec.dtype.kind != "f":
        w.by_row("slice", ins, outs, attrs)
        return
    element = w.temp(spec)
    w.by_row("slice", ins, {"Out": [element]}, attrs)
    w.by_row("reshape", {"X": [element]}, {"Out": [out]}, {"shape": ("ints", [])})


@writes("set_value")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    if ins.get("ValueTensor"):
        w.by_row("set_value_with_tensor", ins, outs, attrs)
        return
    (source,) = ins["Input"]
    values = np.asarray(_value(attrs, "values", []), w.specs[source].dtype.np).reshape(_value(attrs, "shape", []))
    name = constant(w, values, w.temp(spec_of(values), "constant"))
    w.by_row("set_value_with_tensor", {**ins, "ValueTensor": [name]}, outs, attrs)


@writes("round")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    """Halves go away from zero, as in Paddle 2: that of Paddle 3.1 and later takes them to the even number.

    ``floor(size + 0.5)`` is wrong just below a half and for large odd numbers, where the sum is rounded. Therefore it is compared
    with the size, and a size that is whole stays.
    """
    (out,) = outs["Out"]
    spec = w.specs[out]
    assert isinstance(spec, TensorSpec)
    size, below, midpoint, step, rounded, sign = (w.temp(spec) for _ in range(6))
    is_past_half, has_fraction, is_up = (w.temp(spec.with_dtype(bool_)) for _ in range(3))
    w.by_row("abs", ins, {"Out": [size]}, {})
    w.by_row("floor", {"X": [size]}, {"Out": [below]}, {})
    scale_attrs = {"scale": ("float", 1.0), "bias": ("float", 0.5), "bias_after_scale": ("bool", True)}
    w.by_row("scale", {"X": [below]}, {"Out": [midpoint]}, scale_attrs)
    w.by_row("greater_equal", {"X": [size], "Y": [midpoint]}, {"Out": [is_past_half]}, {})
    w.by_row("greater_than", {"X": [size], "Y": [below]}, {"Out": [has_fraction]}, {})
    w.by_row("logical_and", {"X": [is_past_half], "Y": [has_fraction]}, {"Out": [is_up]}, {})
    w.by_row("cast", {"X": [is_up]}, {"Out": [step]}, {"out_dtype": ("dtype", spec.dtype)})
    w.by_row("add", {"X": [below], "Y": [step]}, {"Out": [rounded]}, {})
    w.by_row("sign", ins, {"Out": [sign]}, {})
    w.by_row("multiply", {"X": [rounded], "Y": [sign]}, outs, {})


@writes("strided_slice")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    """The end -1 of a negative step is before the first element in Paddle 2, and the last one here."""
    ends = [
        BEFORE_FIRST if step < 0 and end == -1 else end
        for end, step in zip(_value(attrs, "ends", []), _value(attrs, "strides", []), strict=True)
    ]
    w.by_row("strided_slice", ins, outs, {**attrs, "ends": ("ints", ends)})


@writes("matmul_v2")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    """A vector is not transposed: PaddlePaddle's engine fails at it."""
    vectors = [name for slot, name in (("X", "trans_x"), ("Y", "trans_y")) if len(w.specs[ins[slot][0]].shape) == 1]
    w.by_row("matmul", ins, outs, {**attrs, **dict.fromkeys(vectors, ("bool", False))})


@writes("deformable_conv_v1")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    w.by_row("deformable_conv", ins, outs, attrs)


@writes("matrix_rank")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    """Its result is int64 in Paddle 3."""
    (out,) = outs["Out"]
    int64_result = w.temp(w.specs[out].with_dtype(int64))
    w.by_row("matrix_rank_tol" if ins.get("TolTensor") else "matrix_rank", ins, {"Out": [int64_result]}, attrs)
    w.by_row("cast", {"X": [int64_result]}, {"Out": [out]}, {"out_dtype": ("dtype", w.specs[out].dtype)})


@writes("rnn")
def _(w: PirWriter, ins: Slots, outs: Slots, attrs: Attributes) -> None:
    """Paddle 3 wants a place for the state of dropout."""
    state = w.full(0, "uint8", [])
    w.by_row("rnn", {**ins, "DropoutState": [state]}, outs, attrs)
