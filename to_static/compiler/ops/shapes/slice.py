"""Basic slices: reads and writes of ``x[1:3, -1, ::2]``. The bounds may be tensors that are known only at run time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.registry import FILE_TYPES
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dimension_args, in_place, operands, shape_rules, traced_values
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.in_place import Donation
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32
from to_static.core.errors import OUT_OF_RANGE, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter

LAST = 2**31 - 1  # an end past every dimension, as files write it
AT = 2**31 - 2  # a bound whose number comes from a tensor
POINT = "int"  # kinds of a cut dimension: one position (the dimension goes) or a span
SPAN = "slice"


def _x(*shape: int) -> np.ndarray:
    return np.arange(math.prod(shape), dtype="float32").reshape(shape) / 4 - 1


class Cuts:
    """The slicing of some dimensions by ``x[...]``: ``axes``, ``starts``, ``ends``, ``steps``, and ``points`` (axes that go).

    `AT` among starts and ends stands for the next tensor in ``tensors``.
    """

    def __init__(self) -> None:
        self.axes: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.steps: list[int] = []
        self.points: list[int] = []
        self.tensors: list[Any] = []

    def add(self, axis: int, start: Tensor | int, end: Any, step: int = 1) -> None:
        """Cut ``axis`` to start:end:step (ints or 0-D integer tensors)."""
        self.axes.append(axis)
        self.starts.append(self._bound(start))
        self.ends.append(self._bound(end))
        self.steps.append(step)

    def point(self, axis: int, position: Tensor | int) -> None:
        """Take one position of ``axis``; the dimension goes."""
        self.axes.append(axis)
        self.starts.append(self._bound(position))
        self.ends.append(LAST)
        self.steps.append(1)
        self.points.append(axis)

    def _bound(self, value: Tensor | int) -> int:
        if isinstance(value, Tensor):
            self.tensors.append(value)
            return AT
        return value

    def attrs(self) -> dict[str, Any]:
        """The attributes of the `slice` and `set_value` operators."""
        return {
            "axes": tuple(self.axes), "starts": tuple(self.starts), "ends": tuple(self.ends), "steps": tuple(self.steps),
            "points": tuple(self.points),
        }  # fmt: skip


def key(
    ndim: int,
    bounds: list[Any],
    axes: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    steps: Sequence[int],
    points: Sequence[int],
) -> tuple[Any, ...]:
    """The array index that the attributes mean, with ints for the tensors."""
    values = iter(bounds)
    index: list[Any] = [slice(None)] * ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        if start == AT:
            start = int(next(values))
        if axis in points:
            index[axis] = start
            continue
        if end == AT:
            end = int(next(values))
        elif end == LAST or (step < 0 and end == -LAST):
            end = None
        index[axis] = slice(None if start == LAST else start, end, step)
    index.append(...)  # so that a full index gives a 0-D array, not a scalar
    return tuple(index)


def cut_shape(
    shape: tuple[int, ...],
    axes: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    steps: Sequence[int],
    points: Sequence[int],
    name: str,
) -> list[int]:
    """The shape of a slice, -1 where it depends on tensors or unknown dimensions. Raises ShapeError, IndexError."""
    result = list(shape)
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        dim = shape[axis]
        if axis in points:
            if dim != UNKNOWN and start != AT and not -dim <= start < dim:
                # as the array modules say it
                raise IndexError(f"index {start} is out of bounds for axis {axis} with size {dim} {OUT_OF_RANGE}")
            continue
        if step == 0:
            raise ShapeError(f"{name}: a step must not be zero")
        if AT in (start, end):
            result[axis] = UNKNOWN
            continue
        stop = None if end == LAST or (step < 0 and end == -LAST) else end
        first = None if start == LAST else start
        if dim == UNKNOWN:
            result[axis] = _unknown_span(first, stop, step)
        else:
            result[axis] = len(range(*slice(first, stop, step).indices(dim)))
    return [d for i, d in enumerate(result) if i not in points]


def _unknown_span(start: int | None, stop: int | None, step: int) -> int:
    if start is not None and start >= 0 and stop is not None and 0 <= stop <= start and step > 0:
        return 0
    return UNKNOWN


@op("slice(Input, Bounds* -> Out) axes starts ends steps points", traits="integral alias view")
def slice_op(input: Any, bounds: Any, axes: Any, starts: Any, ends: Any, steps: Any, points: Any = ()) -> Any:
    """``input`` cut along ``axes``; those in ``points`` are taken at their start and go away. See `Cuts`."""
    return slice_op.emit(input, bounds, axes=axes, starts=starts, ends=ends, steps=steps, points=points)


@slice_op.infer
def _(x: TensorSpec, bounds: Any, **attrs: Any) -> TensorSpec:
    return x.with_shape(cut_shape(x.shape, name="slice", **attrs))


def _may_miss(x: Var, starts: tuple[int, ...], points: tuple[int, ...], axes: tuple[int, ...]) -> bool:
    """True if a single position may lie outside of its dimension."""
    return any(a in points and (start == AT or x.spec.shape[a] == UNKNOWN) for a, start in zip(axes, starts, strict=True))


@slice_op.kernel
def _(xp: ArrayModule, x: Any, bounds: Any, **attrs: Any) -> Any:
    return x[key(x.ndim, bounds, **attrs)]


@slice_op.specialize
def _(out: TensorSpec, x: TensorSpec, **attrs: Any) -> Any:
    return itemgetter(key(x.ndim, [], **attrs))


@slice_op.may_raise
def _(
    x: Any, bounds: Any, starts: tuple[int, ...], points: tuple[int, ...], axes: tuple[int, ...], **attrs: Any
) -> bool:
    return _may_miss(x, starts, points, axes)


@slice_op.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    zeros = F.zeros_like(ctx.inputs[0])
    return set_value.emit(zeros, g, ctx.inputs[1], **ctx.attrs), None


@slice_op.view_inverse
def _(ctx: GradContext, value: Any, k: int) -> Any:
    return set_value.emit(ctx.x, value, ctx.inputs[1], **ctx.attrs)


@slice_op.to_file
def _(w: FileWriter, op: Op) -> None:
    _to_file(w, op, "Input", op.inputs[0], op.inputs[1], {}, {"decrease_axis": ("ints", list(op.attrs["points"]))})


def _to_file(
    w: FileWriter,
    op: Op,
    slot: str,
    x: Var,
    bounds: tuple[Var, ...],
    inputs: Any,
    attrs: dict[str, Any],
    op_type: str | None = None,
) -> None:
    a = op.attrs
    values = iter(bounds)
    starts, ends, start_vars, end_vars = [], [], [], []
    for axis, start, end, step in zip(a["axes"], a["starts"], a["ends"], a["steps"], strict=True):
        point = axis in a["points"]
        var = dimension_args.file_int(w, next(values)) if start == AT else None
        starts.append(-1 if var else start)
        start_vars.append(var or w.constant(np.asarray([start], "int32")))
        if point:
            end = LAST if start == -1 else start + 1
            end_var = _plus_one(w, var) if var else None
        else:
            end_var = dimension_args.file_int(w, next(values)) if end == AT else None
            if step < 0 and end != AT:
                start, end = _backwards(w, x.spec.shape[axis], start, end, op_type)
                starts[-1] = start if start != AT else -1
        ends.append(-1 if end_var else end)
        end_vars.append(end_var or w.constant(np.asarray([end], "int32")))
    traced = AT in a["starts"] or AT in a["ends"]
    op_type = op_type or ("slice" if all(s == 1 for s in a["steps"]) else "strided_slice")
    list_type = "longs" if op_type == "set_value" else "ints"
    parts = {"axes": a["axes"], "starts": starts, "ends": ends}
    if op_type != "slice":
        parts["steps" if op_type == "set_value" else "strides"] = a["steps"]
    if op_type != "set_value":
        attrs["infer_flags"] = ("ints", [-1 if traced else 1] * len(starts))
    inputs = {slot: x, **inputs}
    if traced:
        inputs.update(StartsTensorList=start_vars, EndsTensorList=end_vars)
        if op_type == "set_value":
            inputs["StepsTensorList"] = [w.constant(np.asarray([s], "int32")) for s in a["steps"]]
    w.write(op_type, inputs, {"Out": op.out}, {**{k: (list_type, list(v)) for k, v in parts.items()}, **attrs})


def _backwards(w: FileWriter, dim: int, start: int, end: int, op_type: str | None) -> tuple[int, int]:
    """Bounds of a negative step in Paddle's terms: a stop of -1 is none at all, and a start past the end is not clamped."""
    if start == LAST or (start != AT and dim != UNKNOWN and start >= dim):
        start = -1
    if op_type == "set_value":
        if end < 0 and end != LAST and dim == UNKNOWN:
            w.refuse("assignment to a slice with a negative step whose stop counts from the end of an unknown dimension")
        beyond = end == LAST or _before_first(end, dim)
        return start, -LAST if beyond else end + dim if end < 0 else end
    if end < 0 and dim == UNKNOWN:
        w.refuse("a slice with a negative step whose stop counts from the end of an unknown dimension")
    if end == LAST or _before_first(end, dim):
        return start, -1
    return start, end + dim if end < 0 else end


def _before_first(end: int, dim: int) -> bool:
    return end < 0 and end + dim < 0


def _plus_one(w: FileWriter, var: str) -> str:
    """The end of a point whose start is a variable: start + 1 (so -1, the last position, works for counts up to the end)."""
    end = w.temp(TensorSpec((1,), int32))
    attrs = {"scale": ("float", 1.0), "bias": ("float", 1.0), "bias_after_scale": ("bool", True)}
    w.write("scale", {"X": var}, {"Out": end}, attrs)
    return end


@slice_op.from_file
def _(r: FileReader) -> Any:
    x = r.input("Input")
    if not isinstance(x.spec, TensorSpec):
        r.refuse("a slice of a list of tensors")
    steps = _read_steps(r, "strides", "Strides")
    if any(isinstance(step, Tensor) for step in steps):
        return F.getitem(x, _read_key(r, steps, r.attr("decrease_axis", []), x))
    cuts = read_cuts(r, steps, r.attr("decrease_axis", []), x)
    return slice_op.emit(x, cuts.tensors, **cuts.attrs())


FILE_TYPES["strided_slice"] = slice_op.op


def backwards_end(end: int, dim: int, op_type: str) -> int:
    """The meaning of a negative step's end in Paddle's slicing op ``op_type``: -1 is no stop at all.

    One before the start is none either for `set_value`, but for `strided_slice` the first element is where it stops.
    """
    if end == -1 or (end < -LAST + 2 and op_type == "set_value"):
        return LAST
    if op_type == "strided_slice" and end < 0 and (end + dim < 0 if dim != UNKNOWN else end < -LAST + 2):
        return 0
    return end


def _read_steps(r: FileReader, name: str, slot: str) -> list[Any]:
    """The steps of a file's slicing op, of which tensors may say some."""
    steps = r.integers(name, f"{slot}Tensor", f"{slot}TensorList")
    count = len(r.attr("axes", []))
    return [steps[i] for i in range(count)] if isinstance(steps, Tensor) else steps or [1] * count


def _read_key(r: Any, steps: list[Any], points: Any, x: Any) -> tuple[Any, ...]:
    """The index of a file's slicing op some of whose steps are tensors."""
    starts = r.integers("starts", "StartsTensor", "StartsTensorList")
    ends = r.integers("ends", "EndsTensor", "EndsTensorList")
    index: list[Any] = [slice(None)] * x.ndim
    for i, axis in enumerate(int(a) % x.ndim for a in r.attr("axes", [])):
        start, end = _scalar(starts[i]), _scalar(ends[i])
        index[axis] = start if axis in points else slice(start, end, steps[i])
    return tuple(index)


def read_cuts(r: FileReader, steps: Sequence[int], points: Sequence[int], x: Tensor) -> Cuts:
    """The cuts of a file's slicing op."""
    ndim = x.ndim
    starts = r.integers("starts", "StartsTensor", "StartsTensorList")
    ends = r.integers("ends", "EndsTensor", "EndsTensorList")
    axes = [int(a) % ndim for a in r.attr("axes", [])]
    cuts = Cuts()
    for i, axis in enumerate(axes):
        start, end = (_scalar(bounds[i]) for bounds in (starts, ends))
        if axis in points:
            cuts.point(axis, start)
            continue
        if steps[i] < 0 and not isinstance(end, Tensor):
            end = backwards_end(end, x.spec.shape[axis], r.type)
        if not isinstance(end, Tensor) and end >= AT:
            end = LAST
        if not isinstance(start, Tensor) and start >= AT:
            start = LAST if steps[i] < 0 else AT - 1
        cuts.add(axis, start, end, int(steps[i]))
    return cuts


def _scalar(value: Tensor | int) -> Tensor | int:
    return F.reshape(value, []) if isinstance(value, Tensor) else int(value)


def _cut(**kw: Any) -> dict[str, Any]:
    return {"axes": (), "starts": (), "ends": (), "steps": (), "points": (), **kw}


slice_op.op.reads_no_numbers_of("Input", "Out")


slice_op.samples(
    lambda: [
        Sample(_x(4, 3), [], **_cut(axes=(0,), starts=(1,), ends=(3,), steps=(1,))),
        Sample(_x(4, 3), [], **_cut(axes=(0, 1), starts=(-1, 0), ends=(LAST, 2), steps=(1, 1), points=(0,))),
        Sample(_x(5), [], **_cut(axes=(0,), starts=(LAST,), ends=(LAST,), steps=(-2,))),
        Sample(_x(4, 3), [np.asarray(1), np.asarray(3)], **_cut(axes=(0,), starts=(AT,), ends=(AT,), steps=(1,))),
        Sample(_x(4), [np.asarray(2)], **_cut(axes=(0,), starts=(AT,), ends=(LAST,), steps=(1,), points=(0,))),
    ]
)


@op("set_value(Input, ValueTensor, Bounds* -> Out) axes starts ends steps points", traits="integral")
def set_value(
    input: Any, value: Any, bounds: Any, axes: Any, starts: Any, ends: Any, steps: Any, points: Any = ()
) -> Any:
    """A copy of ``input`` with a slice of it (see `Cuts`) replaced by ``value``, which broadcasts to that slice."""
    return set_value.emit(input, value, bounds, axes=axes, starts=starts, ends=ends, steps=steps, points=points)


@set_value.infer
def _(x: TensorSpec, value: TensorSpec, bounds: Any, **attrs: Any) -> TensorSpec:
    room = tuple(cut_shape(x.shape, name="setitem", **attrs))
    if value.ndim > len(room) and any(d != 1 for d in value.shape[: value.ndim - len(room)]):
        raise ShapeError(f"setitem: a value of shape {show(value.shape)} does not fit {show(room)}")
    have = value.shape[max(value.ndim - len(room), 0) :]
    for a, b in zip(reversed(have), reversed(room), strict=False):
        if a not in (1, b, UNKNOWN) and b != UNKNOWN:
            raise ShapeError(f"setitem: a value of shape {show(value.shape)} does not fit {show(room)}")
    return x


@set_value.kernel
def _(
    xp: ArrayModule, x: Any, value: Any, bounds: Any, out: Array | None = None, donated: Donation = False, **attrs: Any
) -> Any:
    position = key(x.ndim, bounds, **attrs)
    if out is None:
        out = in_place.writable(x, donated, position)
    elif out is not x:
        out[...] = x
    extra = value.ndim - out[position].ndim
    out[position] = value.reshape(value.shape[extra:]) if extra > 0 else value
    return out


@set_value.specialize
def _(out: TensorSpec, x: TensorSpec, value: TensorSpec, **attrs: Any) -> Any:
    position = key(x.ndim, [], **attrs)
    if value.ndim > len(cut_shape(x.shape, name="setitem", **attrs)):
        return None

    def write(x: Array, value: Array) -> Array:
        result = x.copy()
        result[position] = value
        return result

    return write


set_value.op.reads_no_numbers_of("Input", "ValueTensor", "Out")


@set_value.may_raise
def _(
    x: Any,
    value: Any,
    bounds: Any,
    starts: tuple[int, ...],
    points: tuple[int, ...],
    axes: tuple[int, ...],
    **attrs: Any,
) -> bool:
    return (
        _may_miss(x, starts, points, axes)
        or traced_values.has_unknown_size(value)
        or (value.spec.size != 1 and (AT in starts or traced_values.has_unknown_size(x)))
    )


@set_value.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    value, bounds = ctx.inputs[1:]
    gx = set_value.emit(g, operands.constant(0, g.dtype), bounds, **ctx.attrs) if ctx.needs[0] else None
    gv = None
    if ctx.needs[1]:
        gv = slice_op.emit(g, bounds, **ctx.attrs)
        extra = value.ndim - gv.ndim  # leading dimensions of size 1 that the slice does not have
        narrow = F.squeeze(value, list(range(extra))) if extra > 0 else value
        gv = F.reshape_as(shape_rules.unbroadcast(gv, narrow), value)
    return gx, gv, None


@set_value.to_file
def _(w: FileWriter, op: Op) -> None:
    attrs = {
        "decrease_axes": ("longs", list(op.attrs["points"])), "none_axes": ("longs", []), "shape": ("longs", []),
        "values": ("scalars", []), "dtype": ("dtype", op.inputs[0].spec.dtype),
    }  # fmt: skip
    _to_file(w, op, "Input", op.inputs[0], op.inputs[2], {"ValueTensor": op.inputs[1]}, attrs, "set_value")


@set_value.from_file
def _(r: FileReader) -> Any:
    x = r.input("Input")
    if r.attr("none_axes", []):
        r.refuse("set_value with none_axes")
    if r.has("ValueTensor"):
        value = r.input("ValueTensor")
    else:
        values = np.asarray(r.attr("values", []), x.dtype.np).reshape(r.attr("shape", []) or [-1])
        value = F.to_tensor(values if values.size > 1 else values.reshape(()))
    steps = _read_steps(r, "steps", "Steps")
    if any(isinstance(step, Tensor) for step in steps):
        return F.setitem(x, _read_key(r, steps, r.attr("decrease_axes", []), x), F.cast(value, x.dtype))
    cuts = read_cuts(r, steps, r.attr("decrease_axes", []), x)
    return set_value.emit(x, F.cast(value, x.dtype), cuts.tensors, **cuts.attrs())


set_value.samples(
    lambda: [
        Sample(_x(4, 3), _x(2, 3) * 3, [], **_cut(axes=(0,), starts=(1,), ends=(3,), steps=(1,))),
        Sample(_x(4, 3), _x(), [], **_cut(axes=(0, 1), starts=(-1, 0), ends=(LAST, 2), steps=(1, 1), points=(0,))),
        Sample(_x(5), _x(1), [], **_cut(axes=(0,), starts=(LAST,), ends=(LAST,), steps=(-2,))),
        Sample(_x(4), _x(), [np.asarray(2)], **_cut(axes=(0,), starts=(AT,), ends=(LAST,), steps=(1,), points=(0,))),
    ]
)
