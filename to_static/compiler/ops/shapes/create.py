"""Creation of tensors: to_tensor, full, zeros, ones and their `_like` forms; cast."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.opdef import GradContext, Sample, in_place, method, op
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN, ListSpec, TensorSpec
from to_static.compiler.ir.tensor import AnyTensor, Tensor, declare_method
from to_static.compiler.ops import dimension_args
from to_static.compiler.ops import functions as F
from to_static.core import backend
from to_static.core.array_types import Array, ArrayModule
from to_static.core.arrays.fitting import need_fit
from to_static.core.dtypes import DType, as_dtype, bool_, default_dtype, float32, int64
from to_static.core.errors import ArgumentTypeError, DeviceError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter

_numbers = itertools.count()


def to_tensor(
    data: Any,
    dtype: Any = None,
    place: Any = None,
    stop_gradient: bool = True,
) -> Tensor:
    """A new tensor that holds a copy of ``data``: a number, a nested list or tuple, an array or a tensor.

    Args:
        dtype: element type; by default Python floats get the default dtype, ints int64, and arrays keep theirs.
        place: device, such as ``'gpu:0'`` or ``CPUPlace()``; by default the current one.
        stop_gradient: whether the tensor is left out of differentiation.

    A list may hold tensors (they are stacked); while a Program is being built the result is a constant of the Program.
    Raises TypeError for data that holds no numbers, ShapeError for a ragged list.

    Example:
        >>> paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]).shape
        [2, 2]
    """
    wanted = None if dtype is None else as_dtype(dtype)
    if isinstance(data, Tensor) or (isinstance(data, (list, tuple)) and _holds_tensor(data)):
        tensor = _stacked(data, wanted)
    else:
        tensor = mode.current().constant(host_array(data, wanted))
    if mode.building():
        if tensor.stop_gradient != stop_gradient:
            tensor.stop_gradient = stop_gradient
        return tensor
    if place is not None:
        tensor = tensor._on(backend.get_backend(place).place)
    tensor.stop_gradient = stop_gradient
    tensor.name = f"generated_tensor_{next(_numbers)}"
    return tensor


FUNCTIONS["to_tensor"] = to_tensor


def host_array(data: Any, dtype: DType | None = None) -> np.ndarray:
    """A fresh NumPy array of numbers with the dtype that `to_tensor` gives them."""
    if not isinstance(data, (bool, int, float, complex, list, tuple, np.ndarray, np.generic)):
        try:
            data = backend.backend_of(data).to_numpy(data)  # an array of another device
        except DeviceError:
            if not hasattr(data, "__array__"):
                raise ArgumentTypeError(
                    f"to_tensor: expected a number, list, tuple, array or tensor, got {type(data).__name__}"
                ) from None
            data = data.__array__()
    try:
        array = np.array(data)
    except ValueError as error:
        raise ShapeError(f"to_tensor: the list is ragged: its items have different lengths ({error})") from None
    if array.dtype.kind in "OUSV":
        raise ArgumentTypeError(f"to_tensor: expected numbers, got {data!r}")
    if dtype is None:
        python = not isinstance(data, (np.ndarray, np.generic)) or type(data) is float
        if python and array.dtype == np.float64:
            dtype = default_dtype()
        elif python and array.dtype == np.complex128:
            dtype = as_dtype("complex128" if default_dtype().itemsize == 8 else "complex64")
        else:
            dtype = as_dtype(array.dtype)
    return array.astype(dtype.np, copy=False)


def _holds_tensor(items: Any) -> bool:
    return any(isinstance(x, Tensor) or (isinstance(x, (list, tuple)) and _holds_tensor(x)) for x in items)


def _stacked(data: Any, dtype: DType | None) -> Any:
    if isinstance(data, Tensor) and isinstance(data.spec, ListSpec):
        return data.to_tensor(dtype)  # type: ignore[attr-defined]  # of the lists that tensors make, see `jst.objects.tensor_list`
    if isinstance(data, Tensor):
        copy = F.assign(data.detach())  # type: ignore[attr-defined]
        if data.python_type is float and dtype is None:
            dtype = default_dtype()
        return copy if dtype is None else converted(copy, dtype)
    if not isinstance(data, (list, tuple)):
        return mode.current().constant(host_array(data, dtype))
    parts = [_stacked(x, dtype) for x in data]
    if dtype is None:
        floats = [p for p in parts if p.dtype.is_floating]
        parts = [converted(p, (floats or parts)[0].dtype) for p in parts]
    shapes = {p.spec.shape for p in parts}
    if len({len(s) for s in shapes}) != 1:
        parts = [F.reshape(p, []) if p.spec.size == 1 else p for p in parts]  # [x, 0.5] with x of shape [1]
    return F.stack(parts)


@op("cast(X -> Out) dtype=out_dtype:dtype", traits="integral elementwise complex_gradient")
def converted(x: Any, dtype: Any) -> Any:
    """``x`` converted to ``dtype``, as `cast` does it; ``x`` itself when it has that dtype: for who does not change it."""
    if type(dtype) is not DType:
        if getattr(dtype, "is_union", False):  # one of several, which tensors decide
            return dtype.each(lambda option: converted(x, option))
        dtype = as_dtype(dtype)
    if x.dtype is dtype:
        return x
    if x.python_type is int and dtype.kind in "iu":
        return narrow.emit(x, dtype=dtype)
    return converted.emit(x, dtype=dtype)


def cast(x: Tensor, dtype: DType | str) -> Tensor:
    """``x`` converted to ``dtype``, a copy in any case; gradients flow between floating types.

    Example:
        >>> paddle.cast(x, 'int64')
    """
    result = converted(x, dtype)
    return F.assign(result) if result is x else result


@converted.infer
def _(x: TensorSpec, dtype: DType) -> TensorSpec:
    return TensorSpec(x.shape, dtype)


@converted.kernel
def _(xp: ArrayModule, x: Array, dtype: DType, out: Array | None = None) -> Array:
    if x.dtype.kind == "c" and dtype.kind not in "cb":
        x = x.real
    if out is None:
        return x.astype(dtype.np)
    out[...] = x
    return out


@converted.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return converted(g, ctx.x.dtype)


@converted.to_file
def _write_cast(w: FileWriter, op: Op) -> None:
    w.write(
        "cast", {"X": op.inputs[0]}, {"Out": op.out},
        {"in_dtype": ("dtype", op.inputs[0].spec.dtype), "out_dtype": ("dtype", op.attrs["dtype"])},
    )  # fmt: skip


converted.samples(
    lambda: [
        Sample(np.asarray([1.5, -2.0], "float32"), dtype=as_dtype("int64")),
        Sample(np.asarray([1, 0, 2]), dtype=bool_),
        Sample(np.asarray([1.5, -2.0], "float32"), dtype=as_dtype("float64")),
    ]
)
method("astype")(cast)
declare_method("cast", cast, __name__)
in_place(cast, "cast_")


@op("narrow(X -> Out) dtype", file=None, traits="may_raise nodiff")
def narrow(x: Tensor, dtype: DType) -> Any:
    """A traced Python integer as the tensor of ``dtype`` that NumPy makes of it: OverflowError where it does not fit."""
    return narrow.emit(x, dtype=dtype)


@narrow.infer
def _(x: TensorSpec, dtype: DType) -> TensorSpec:
    return TensorSpec(x.shape, dtype)


@narrow.kernel
def _(xp: ArrayModule, x: Array, dtype: DType) -> Array:
    need_fit(int(x), dtype.np)
    return x.astype(dtype.np)


narrow.to_file(_write_cast)
narrow.samples(lambda: [Sample(np.asarray(100), dtype=as_dtype("int8")), Sample(np.asarray(0), dtype=as_dtype("uint8"))])


_PLAIN = frozenset((bool, int, float))


def _check_number(value: complex | Sequence[float], dtype: DType, name: str) -> None:
    """Raise ArgumentTypeError for several numbers, for a complex one that is to be real; OverflowError for an integer too large."""
    if type(value) in _PLAIN:
        need_fit(value, dtype.np)
        return
    if np.size(value) != 1 or (isinstance(value, (complex, np.complexfloating)) and dtype.kind != "c"):
        raise ArgumentTypeError(f"{name}: expected a number that {dtype.name} can hold, got {value!r}")


@op("full_like(X -> Out) value:float dtype:dtype", file="fill_any_like", traits="nodiff")
def full_like(x: Tensor, fill_value: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor shaped as ``x`` filled with a number or 0-D tensor; dtype of ``x`` unless given.

    ``dtype``: default is that of ``x``.
    ``fill_value``: the number.

    Example:
        >>> paddle.full_like(paddle.ones([2]), 7.0).tolist()
        [7.0, 7.0]
    """
    wanted = x.dtype if dtype is None else as_dtype(dtype)
    if isinstance(fill_value, Tensor):
        return F.expand_as(F.reshape(converted(fill_value, wanted), []), x)
    _check_number(fill_value, wanted, "full_like")
    return full_like.emit(x, value=fill_value, dtype=wanted)


@full_like.infer
def _(x: TensorSpec, value: float, dtype: DType) -> TensorSpec:
    return x.with_dtype(dtype)


@full_like.kernel
def _(xp: ArrayModule, x: Array, value: float, dtype: DType, out: Array | None = None) -> Array:
    if out is None:
        return xp.full(x.shape, value, dtype.np)
    out[...] = value
    return out


@full_like.specialize
def _(out: TensorSpec, x: TensorSpec, dtype: DType) -> Any:
    make = _constant_filler(out.shape, dtype)
    return lambda x, value: make(value)


def _constant_filler(shape: tuple[int, ...], dtype: DType) -> Any:
    """Return a function ``(value)`` that makes an array of this shape and dtype with ``value`` in every element."""
    zeros, full, empty, np_dtype, floating = np.zeros, np.full, np.empty, dtype.np, dtype.kind == "f"

    def filling_run(value: Any) -> Array:
        if not value and type(value) in (int, bool):  # not 0.0, which may be -0.0
            return zeros(shape, np_dtype)
        if not floating or type(value) not in _PLAIN:
            return full(shape, value, np_dtype)
        array = empty(shape, np_dtype)
        array.fill(value)
        return array

    return filling_run


full_like.samples(
    lambda: [Sample(np.ones((2, 3), "float32"), value=1.5, dtype=float32), Sample(np.ones(2), value=3, dtype=int64)]
)


def zeros_like(x: Tensor, dtype: Any = None, name: str | None = None) -> Tensor:
    """Zeros shaped as ``x``, of its dtype unless ``dtype`` is given.

    Example:
        >>> paddle.zeros_like(paddle.ones([2, 1])).tolist()
        [[0.0], [0.0]]
    """
    return full_like(x, 0, dtype)


def ones_like(x: Tensor, dtype: Any = None, name: str | None = None) -> Tensor:
    """Ones shaped as ``x``, of its dtype unless ``dtype`` is given.

    Example:
        >>> paddle.ones_like(paddle.zeros([2, 1])).tolist()
        [[1.0], [1.0]]
    """
    return full_like(x, 1, dtype)


method()(zeros_like)
method()(ones_like)


@op("full(Dims* -> Out) shape value! dtype", file="fill_constant", traits="nodiff")
def full(
    shape: Tensor | Sequence[Tensor | int], fill_value: Any, dtype: DType | str | None = None, name: str | None = None
) -> Tensor:
    """A tensor of ``shape`` (ints, or a list that mixes ints and integer tensors) filled with a number or 0-D tensor.

    The dtype is the default float unless given. Raises ArgumentTypeError for several numbers, and for a complex one that is to
    be a real number.
    ``fill_value``: the number.

    Example:
        >>> paddle.full([2, 3], 0.5)
    """
    wanted = default_dtype() if dtype is None else as_dtype(dtype)
    if isinstance(fill_value, Tensor):
        return F.expand(F.reshape(converted(fill_value, wanted), []), shape)
    _check_number(fill_value, wanted, "full")
    sizes, tensors = dimension_args.parse_dims(shape, "full")
    return full.emit(tensors, shape=sizes, value=fill_value, dtype=wanted)


@full.infer
def _(tensors: list[TensorSpec], shape: tuple[int, ...], value: float, dtype: DType) -> TensorSpec:
    shape = dimension_args.unknown_for_holes(shape)
    if any(d < UNKNOWN or (d == UNKNOWN and not tensors) for d in shape):
        raise ShapeError(f"full: the shape {list(shape)} has a negative dimension")
    return TensorSpec(shape, dtype)


@full.kernel
def _(
    xp: ArrayModule, tensors: list[Array], shape: tuple[int, ...], value: float, dtype: DType, out: Array | None = None
) -> Array:
    if out is None:
        return xp.full(dimension_args.fill_holes(shape, tensors), value, dtype.np)
    out[...] = value
    return out


@full.specialize
def _(out: TensorSpec, shape: tuple[int, ...], dtype: DType) -> Any:
    return _constant_filler(out.shape, dtype)


@full.may_raise
def _(tensors: tuple[Var, ...], shape: tuple[int, ...], value: float, dtype: DType) -> bool:
    return bool(tensors)


@full.to_file
def _(w: FileWriter, op: Op) -> None:
    value = op.attrs["value"]
    exact = int(value) if isinstance(value, (int, np.integer)) else float(value)  # as text: a float attr would round it
    w.write(
        "fill_constant",
        {"ShapeTensorList": dimension_args.file_dims(w, op.attrs["shape"], op.inputs[0])},
        {"Out": op.out},
        {
            "shape": ("longs", list(dimension_args.unknown_for_holes(op.attrs["shape"]))), "dtype": ("dtype", op.attrs["dtype"]),
            "value": ("float", float(value)), "str_value": ("str", repr(exact)), "force_cpu": ("bool", False),
            "place_type": ("int", -1),
        },
    )  # fmt: skip


@full.from_file
def _(r: FileReader) -> Tensor:
    dtype = r.dtype("dtype")
    text = r.attr("str_value", "")
    value: Any = r.attr("value", 0.0)
    if r.has("ValueTensor"):
        value = r.input("ValueTensor")
    elif text:
        value = int(text) if text.lstrip("-").isdigit() else float(text)
    return full(r.integers("shape", "ShapeTensor", "ShapeTensorList"), value, dtype)


full.samples(
    lambda: [
        Sample([], shape=(2, 3), value=1.5, dtype=float32),
        Sample([np.asarray(2)], shape=(dimension_args.HOLE, 3), value=7, dtype=int64),
        Sample([], shape=(), value=True, dtype=bool_),
    ]
)


def zeros(shape: Tensor | Sequence[Tensor | int], dtype: DType | str | None = None, name: str | None = None) -> Tensor:
    """Zeros; ``shape`` may mix ints and integer tensors. Default float unless ``dtype`` is given.

    Example:
        >>> paddle.zeros([2, 1]).tolist()
        [[0.0], [0.0]]
    """
    return full(shape, 0, dtype)


def ones(shape: Tensor | Sequence[Tensor | int], dtype: DType | str | None = None, name: str | None = None) -> Tensor:
    """Ones; ``shape`` may mix ints and integer tensors. Default float unless ``dtype`` is given.

    Example:
        >>> paddle.ones([2, 1], "int32").tolist()
        [[1], [1]]
    """
    return full(shape, 1, dtype)


def empty(shape: Tensor | Sequence[Tensor | int], dtype: DType | str | None = None, name: str | None = None) -> Tensor:
    """A tensor whose contents do not matter (here: zeros).

    ``shape``: integers, some of which may be tensors; ``dtype``: default is the default dtype.

    Example:
        >>> paddle.empty([2, 3]).shape
        [2, 3]
    """
    return full(shape, 0, dtype)


def empty_like(x: Tensor, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor shaped as ``x`` whose contents do not matter (here: zeros).

    ``dtype``: default is that of ``x``.

    Example:
        >>> paddle.empty_like(paddle.ones([2, 3])).shape
        [2, 3]
    """
    return full_like(x, 0, dtype)


@method()
def is_tensor(x: Any) -> bool:
    """True for tensors of both modes, dense and sparse.

    ``x``: any object.

    Example:
        >>> paddle.is_tensor(paddle.ones([1])), paddle.is_tensor([1.0])
        (True, False)
    """
    if getattr(x, "is_union", False):
        return x.each(is_tensor)  # type: ignore[no-any-return]
    python = getattr(x, "python_type", None) is not None or getattr(x, "is_list", False)  # traced numbers and lists
    return isinstance(x, AnyTensor) and not python


@method("fill_")
def fill_in_place(x: Tensor, value: float) -> Tensor:
    """Set every element of ``x`` to a number, in place; its gradient is zeros then.

    Raises OverflowError for an integer that the dtype of ``x`` cannot hold.
    """
    if x.stop_gradient and type(value) in (int, float):
        need_fit(value, x.dtype.np)
        if x._fill(value):
            return x
    filled = full_like(x, value)
    if not x.stop_gradient:
        filled = F.where(full_like(x, True, "bool"), filled, x)
    return x._become(filled)


@method("zero_")
def zero_in_place(x: Tensor) -> Tensor:
    """Set every element of ``x`` to 0, in place; its gradient is zeros then."""
    return fill_in_place(x, 0)
