"""Rules that many operators share: operand conversion, broadcasting, axes, and their inverses for gradients."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.opdef import FrozenAttrs
from to_static.compiler.ir.rewriter import has
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import NotATensor, Tensor
from to_static.compiler.ops import functions as F
from to_static.core import backend
from to_static.core.dtypes import DType, bool_, default_dtype, float32, int32, promote, scalar_dtype
from to_static.core.errors import ArgumentTypeError, DTypeError, ShapeError
from to_static.core.fitting import array_of, as_array_of
from to_static.core.log import warn_once
from to_static.core.printable import quoted


def constant(value: Any, dtype: DType) -> Any:
    """A 0-D (or array-shaped) constant tensor of the current mode."""
    return mode.current().constant(as_array_of(value, dtype.np))


def tensor(value: Any, like: Any = None) -> Any:
    """``value`` as a tensor; a Python number takes the dtype that Paddle gives it next to a tensor ``like``."""
    if isinstance(value, Tensor):
        return value if value.python_type is None else _of_number(value, like)
    if isinstance(value, (bool, int, float, complex)):
        return constant(value, scalar_dtype(value) if like is None else scalar_next_to(value, like.dtype))
    if isinstance(value, np.generic):
        return constant(value, scalar_dtype(value))
    if isinstance(value, (np.ndarray, list, tuple)):
        if type(value) is not np.ndarray and any(isinstance(item, Tensor) and item.python_type is None for item in value):
            got = f"a {type(value).__name__} of tensors; is one of them meant, `batch[0]`, or `paddle.stack(...)` of them?"
            raise NotATensor(f"expected a Tensor or a number, got {got}")
        return F.to_tensor(value)
    what = f"the string {quoted(value)}" if isinstance(value, str) else type(value).__name__
    advice = "; `paddle.to_tensor(...)` makes tensors of numbers, lists and arrays"
    raise NotATensor(f"expected a Tensor or a number, got {what}{'' if value is None else advice}")


def first(value: Any) -> Any:
    """What an operator of Paddle's takes for its tensor: of a tuple of tensors the first."""
    return value[0] if type(value) is tuple and value and isinstance(value[0], Tensor) else value


def need_tensor(value: Any, name: str) -> None:
    """Raise ArgumentTypeError for anything but a tensor, where no array or list is made one."""
    if not isinstance(value, Tensor):
        raise ArgumentTypeError(f"{name}: expected a Tensor, got {type(value).__name__}")


def _of_number(value: Any, like: Any = None) -> Any:
    """A traced Python number as the tensor that the number would become."""
    kind = value.python_type
    if like is None or like.python_type is not None:
        return F.cast(value, default_dtype()) if kind is float else value
    return F.cast(value, scalar_next_to(kind(), like.dtype))


FLOAT_OF_INTEGERS = float32  # what integers and booleans become beside a float or in `exp`, whatever the default dtype is


def scalar_next_to(value: Any, dtype: DType) -> DType:
    """Dtype of a Python number beside a tensor: the tensor's own, unless the number's kind is higher (int tensor + 0.5)."""
    kind = scalar_dtype(value).kind
    if kind == "c":
        return dtype if dtype.kind == "c" else scalar_dtype(1j)
    if kind == "f" and dtype.kind not in "fc":
        return FLOAT_OF_INTEGERS
    return dtype


_INT = {int}
_numbers: dict[tuple[Any, ...], Any] = {}  # eager constants of binary operators, which no user ever holds


def number(value: Any, like: Any) -> Any:
    """`tensor` for a Python number beside a tensor, in eager mode without its questions."""
    kind = type(value)
    current = mode.current()
    if current.building or not (kind is int or kind is float):
        return tensor(value, like)
    dtype = like.dtype
    if kind is float and dtype.kind not in "fc":
        dtype = FLOAT_OF_INTEGERS
    return current.constant(array_of(value, dtype.np))


def _kept(key: tuple[Any, ...], made: Any) -> Any:
    if len(_numbers) > 500:
        _numbers.clear()
    _numbers[key] = made
    return made


def inner(value: Any, dtype: DType) -> Any:
    """`constant` for an input of an operator that users don't see: of ints and floats remembered in eager mode."""
    kind = type(value)
    if mode.current().building or not (kind is int or kind is float):
        return constant(value, dtype)
    key = (value or str(value), kind, dtype, backend.current())
    cached = _numbers.get(key)
    return _kept(key, constant(value, dtype)) if cached is None else cached


def operands(x: Any, y: Any, name: str, widen: bool = True) -> tuple[Any, Any]:
    """Both operands of a binary operator as tensors of one dtype (Paddle 2.6: the right one takes the left one's).

    Of two floating types the wider wins, unless ``widen`` is False and neither is complex, which wins over integers, too. A Python
    number takes the tensor's dtype; a float beside an integer tensor makes both float32. Raises TypeError for anything
    that is no tensor, array or number.
    """
    kind, other = type(x), type(y)
    if (other is float or other is int) and isinstance(x, Tensor) and x.python_type is None:
        dtype = x.dtype
        if (other is int or dtype.kind in "fc") and not (current := mode.current()).building:
            return x, current.constant(array_of(y, dtype.np))
        y = number(y, x)
        return (x if y.dtype is dtype else F.cast(x, y.dtype)), y
    if (kind is float or kind is int) and isinstance(y, Tensor) and y.python_type is None:
        dtype = y.dtype
        if (kind is int or dtype.kind in "fc") and not (current := mode.current()).building:
            return current.constant(array_of(x, dtype.np)), y
        x = number(x, y)
        return x, (y if x.dtype is dtype else F.cast(y, x.dtype))
    if isinstance(x, Tensor) and isinstance(y, Tensor) and x.dtype is y.dtype and x.python_type is None is y.python_type:
        return x, y
    if type(x) is tuple or type(y) is tuple:
        x, y = first(x), first(y)
    x, y = python_number(x), python_number(y)
    if not (isinstance(x, Tensor) and x.python_type is None) and not (isinstance(y, Tensor) and y.python_type is None):
        x, y = tensor(x), tensor(y) if isinstance(y, Tensor) else y  # numbers, perhaps traced ones
    if not isinstance(x, Tensor):
        if not isinstance(y, Tensor):
            x = tensor(x)
        else:
            x = number(x, y)
            if x.dtype is not y.dtype and y.dtype.kind not in "fc":
                return x, F.cast(y, x.dtype)
    if not isinstance(y, Tensor):
        plain = not isinstance(y, (np.ndarray, np.generic, list, tuple))
        y = number(y, x)
        if plain and y.dtype is not x.dtype:
            return F.cast(x, y.dtype), y
    a, b = x.dtype, y.dtype
    if a is b:
        return x, y
    if x.python_type is not None or y.python_type is not None:
        return number_operands(x, y)
    if b.kind == "c" and a.kind in "biu":
        return F.cast(x, b), y
    if (widen or "c" in (a.kind, b.kind)) and b.kind in "fc" and a.kind in "fc" and promote(a, b) is not a:
        return F.cast(x, promote(a, b)), F.cast(y, promote(a, b))
    if a.kind != "f" or b.kind != "f":
        warn_once(
            f"dtype:{name}:{a.name}:{b.name}",
            f"{name}: the left operand is {a.name} and the right one {b.name}; the right one is converted to {a.name}",
        )
    return x, F.cast(y, a)


def gradient_traits(grad: Callable[..., Any] | None, kinds: str) -> str:
    """Traits that say which results have a gradient: none without a rule, those of integers too where these are taken."""
    return "nodiff" if grad is None else "integral" if "i" in kinds else ""


def as_dtype_of(gradient: Any, x: Any) -> Any:
    """A gradient of ``x`` that a division of integers made a float."""
    return gradient if gradient.dtype is x.dtype else F.cast(gradient, x.dtype)


def python_number(value: Any) -> Any:
    """A NumPy scalar that counts as Python's int or float beside a tensor: whole numbers and float64, which is a float."""
    return value.item() if isinstance(value, (np.integer, np.float64)) else value


def number_operands(x: Any, y: Any) -> tuple[Any, Any]:
    """Operands of which at least one stands for a Python number: it takes the dtype that the number would."""
    strong = y if x.python_type is not None else x
    weak = x if strong is y else y
    dtype = scalar_next_to(weak.python_type(), strong.dtype)
    return F.cast(x, dtype), F.cast(y, dtype)


def changing(x: Any, own: Any, place: Any) -> Any:
    """What a kernel that changes ``x`` at ``place`` writes to: a copy; with ``own`` itself, or what `runtime.written_rows` says."""
    if own is True:
        return x
    return x.copy() if own is False else own.writing(x, place)


def broadcast(a: tuple[int, ...], b: tuple[int, ...], name: str) -> tuple[int, ...]:
    """The NumPy broadcast of two shapes, -1 where it can't be known. Raises ShapeError naming both shapes."""
    if a == b:
        return a
    whole = a, b
    if len(a) < len(b):
        a = (1,) * (len(b) - len(a)) + a
    elif len(b) < len(a):
        b = (1,) * (len(a) - len(b)) + b
    result = []
    for p, q in zip(a, b, strict=True):
        if p == q or q == 1:
            result.append(p)
        elif p == 1:
            result.append(q)
        elif p == UNKNOWN or q == UNKNOWN:
            result.append(max(p, q))  # one of them is known and not 1, so the other must be equal to it or 1
        else:
            raise ShapeError(f"{name}: shapes {show(whole[0])} and {show(whole[1])} do not broadcast ({p} against {q})")
    return tuple(result)


def compatible(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """True when two shapes can be the same: equal in every dimension that both know."""
    return len(a) == len(b) and all(p == q or UNKNOWN in (p, q) for p, q in zip(a, b, strict=True))


def show(shape: tuple[int, ...]) -> str:
    """A shape for messages, ``[?, 4]``."""
    return f"[{', '.join('?' if d == UNKNOWN else str(d) for d in shape)}]"


def axis_index(axis: Any, ndim: int, name: str, kind: str = "") -> int:
    """A non-negative axis; 0 and -1 name the one of a number. Raises ShapeError out of range, DTypeError for no integer.

    ``kind``: Paddle's class of the first of these, where it is another.
    """
    if type(axis) is int and -ndim <= axis < ndim:
        return axis % ndim
    if isinstance(axis, Tensor) and (number := known_int(axis)) is not None:
        axis = number
    if isinstance(axis, (bool, np.bool_)) or not isinstance(axis, (int, np.integer)):
        if isinstance(axis, Tensor) and mode.current().building:
            from to_static.compiler.ops.dynamic_sizes import known_axis

            raise known_axis(name)
        raise ArgumentTypeError(f"{name}: axis must be an integer, got {axis!r}")
    if not -max(ndim, 1) <= axis < max(ndim, 1):
        raise ShapeError(f"{name}: axis {axis} is out of range for a tensor of {ndim} dimensions{kind and f' {kind}'}")
    return int(axis) + max(ndim, 1) if axis < 0 else int(axis)


def axes_tuple(axis: Any, ndim: int, name: str) -> tuple[int, ...]:
    """Sorted non-negative axes from None (all), an int or a sequence; of a number none. Raises ShapeError on repeats."""
    if axis is None:
        return tuple(range(ndim))
    if type(axis) is int and -ndim <= axis < ndim:
        return (axis % ndim,)
    items = list(axis) if isinstance(axis, (list, tuple, range, np.ndarray)) else [axis]
    if not items:
        return tuple(range(ndim))
    axes = sorted(axis_index(a, ndim, name) for a in items)
    if len(set(axes)) != len(axes):
        raise ShapeError(f"{name}: axis {list(items)} names a dimension twice")
    return tuple(axes) if ndim else ()


def known_int(tensor: Any) -> int | None:
    """The number in an integer tensor of one element: of an eager one, or a constant of the Program; else None."""
    if not tensor.spec.dtype.is_integer or tensor.spec.size != 1:
        return None
    var = getattr(tensor, "ssa", None)
    if var is None:
        return int(tensor)
    value = known_value(var)
    return None if value is None else int(value.item())


def known_ints(tensor: Any) -> list[int] | None:
    """The integers of a 1-D tensor that is a constant of the Program; None for any other."""
    op = getattr(getattr(tensor, "ssa", None), "op", None)
    if op is None or op.name != "constant" or tensor.spec.ndim != 1 or not tensor.spec.dtype.is_integer:
        return None
    return [int(v) for v in op.attrs["value"]]


_FAR = 16  # operators that are looked through for a number, or to see whether two values have the same sizes


def known_value(var: Any, far: int = _FAR) -> Any:
    """The array of a constant of the Program, also of a number that is computed from some of these alone, or None."""
    op = var.op
    if op is None or op.name == "constant":
        return None if op is None else op.attrs["value"]
    if var.spec.size != 1 or not far:
        return None
    if op.name == "full":
        return np.full(var.spec.shape, op.attrs["value"], var.spec.dtype.np)
    if "elementwise" not in op.opdef.traits or has(op, "may_raise"):
        return None
    known = [known_value(v, far - 1) if hasattr(v, "op") else None for v in op.inputs]
    return None if any(v is None for v in known) else op.opdef.kernel_for("numpy")(np, *known, **op.attrs)


def open_sizes(*operands: Any) -> bool:
    """Whether dimensions of these values of the Program are unknown, so that the shape rule can't tell whether they fit."""
    return any(UNKNOWN in var.spec.shape for var in operands)


def _sized_as(var: Any) -> Any:
    """The value from which ``var`` has its sizes, some elementwise operators before it."""
    for _ in range(_FAR):
        if var.op is None or "elementwise" not in var.op.opdef.traits:
            break
        wide = {operand for operand in var.op.operands() if operand.spec.shape}
        if len(wide) != 1:
            break
        (var,) = wide
    return var


def sized_alike(x: Any, y: Any) -> bool:
    """Whether two tensors being traced have their sizes from one value of the Program: ``x > 0`` and ``x``."""
    if not mode.current().building:
        return False
    a, b = getattr(x, "ssa", None), getattr(y, "ssa", None)
    return a is not None and b is not None and _sized_as(a) is _sized_as(b)


def may_differ(x: Any, y: Any) -> bool:
    """Whether two values of the Program may have shapes that do not broadcast: some dimension is unknown beside another size."""
    if (UNKNOWN not in x.spec.shape and UNKNOWN not in y.spec.shape) or _sized_as(x) is _sized_as(y):
        return False
    pairs = zip(reversed(x.spec.shape), reversed(y.spec.shape), strict=False)
    return any(UNKNOWN in pair and 1 not in pair for pair in pairs)


HOLE = -2  # in a list of dimensions: the number comes from a tensor, known when the Program runs


def plain(value: Any) -> tuple[int, ...] | None:
    """An int of Python's, or a list or tuple of these, as a tuple; None for anything else."""
    kind = type(value)
    if kind is list or kind is tuple:
        for item in value:
            if type(item) is not int:
                return None
        return tuple(value)
    return (value,) if kind is int else None


def dims(
    value: Any, name: str, copies: Callable[[Any, int], int | None] | None = None, negative: bool = False
) -> tuple[tuple[int, ...], list[Any]]:
    """Dimensions given as an int, a sequence of ints and integer tensors, or a 1-D tensor: ints, and the tensors of its `HOLE`s.

    Eager tensors are read at once. ``copies(tensor, position)`` may give an int to use in place of a tensor.
    Raises DTypeError for anything that is not an integer, ShapeError for one below -1 unless they may be ``negative``, as axes may.
    """
    if type(value) in (list, tuple) and {*map(type, value)} == _INT and (negative or min(value) >= UNKNOWN):
        return tuple(value), []
    if isinstance(value, Tensor):
        spec = value.spec
        if spec.ndim > 1 or UNKNOWN in spec.shape:
            raise ShapeError(f"{name}: a shape must be a 1-D integer tensor of known length, got {spec}")
        items: Any = [value] if spec.ndim == 0 else [value[i] for i in range(spec.shape[0])]
    elif isinstance(value, (int, np.integer)):
        items = [value]
    else:
        items = value
    sizes: list[int] = []
    tensors: list[Any] = []
    building = mode.current().building
    for i, item in enumerate(items):
        if type(item) is int:
            sizes.append(item)
        elif isinstance(item, Tensor):
            open_length = item.spec.shape == (UNKNOWN,)  # a file's or a user's spec may leave the one element's dimension open
            if not item.spec.dtype.is_integer or (item.spec.size != 1 and not open_length):
                raise DTypeError(
                    f"{name}: a dimension must be an integer or an integer tensor of one element, got {item.spec}"
                )
            known = None if copies is None else copies(item, i)
            if not building:
                sizes.append(int(item))  # type: ignore[call-overload]
            elif known is not None:
                sizes.append(known)
            else:
                sizes.append(HOLE)
                tensors.append(F.reshape(item, []) if item.spec.ndim else item)
        else:
            try:
                sizes.append(operator.index(item))
            except TypeError:
                raise ArgumentTypeError(f"{name}: a dimension must be an integer, got {item!r}") from None
    if sizes and min(sizes) < UNKNOWN and not negative and sum(d < UNKNOWN for d in sizes) > len(tensors):
        raise ShapeError(f"{name}: a dimension must not be negative, except -1 where one is computed, got {sizes}")
    return tuple(sizes), tensors


def filled(shape: Any, tensors: list[Any]) -> list[int]:
    """The dimensions with numbers from arrays in place of the holes (for kernels)."""
    values = iter(tensors)
    return [int(next(values)) if d == HOLE else d for d in shape]


def open_dims(shape: Any) -> tuple[int, ...]:
    """The dimensions with -1 in place of the holes (for shape rules)."""
    return tuple(UNKNOWN if d == HOLE else d for d in shape)


def file_dims(w: Any, shape: Any, tensors: list[Any]) -> list[Any]:
    """The values of a file's ``...TensorList`` slot: a [1]-shaped int32 variable per dimension; empty without holes."""
    if not tensors:
        return []
    values = iter(tensors)
    return [file_int(w, next(values)) if d == HOLE else w.constant(np.asarray([d], "int32")) for d in shape]


def file_int(w: Any, var: Any) -> Any:
    """A one-element integer as the int32 variable of shape [1] that files use where we use a 0-D tensor."""
    name = w.temp(TensorSpec((1,), var.spec.dtype))
    w.write("reshape2", {"X": var}, {"Out": name, "XShape": w.unused()}, {"shape": ("ints", [1])})
    return w.cast(name, TensorSpec((1,), var.spec.dtype), int32)


def is_dim_of(tensor: Any, x: Any, axis: int) -> bool:
    """True when a traced ``tensor`` is known to be dimension ``axis`` of the traced ``x``."""
    op = getattr(getattr(tensor, "ssa", None), "op", None)
    return (
        op is not None
        and op.name == "dim_size"
        and op.attrs["axis"] == axis
        and op.inputs[0] is getattr(x, "ssa", None)
    )


def count(x: Any, axes: tuple[int, ...], dtype: DType) -> Any:
    """Number of elements along ``axes``: an int, or a 0-D tensor of ``dtype`` when it is known only at run time."""
    total: Any = 1
    for axis in axes:
        dim = x.spec.shape[axis]
        total = total * (F.dim_size(x, axis) if dim == UNKNOWN else dim)
    return F.cast(total, dtype) if isinstance(total, Tensor) else total


def reduced(shape: tuple[int, ...], axes: tuple[int, ...], keepdim: bool) -> tuple[int, ...]:
    """Shape after reducing over ``axes``."""
    if keepdim:
        return tuple(1 if i in axes else d for i, d in enumerate(shape))
    return tuple(d for i, d in enumerate(shape) if i not in axes)


def same(x: TensorSpec, **attrs: Any) -> TensorSpec:
    """Shape rule of operators whose result is like their first input."""
    return x


def boolean(x: TensorSpec, y: TensorSpec, name: str) -> TensorSpec:
    """Shape rule of comparisons."""
    return TensorSpec(broadcast(x.shape, y.shape, name), bool_)


def unbroadcast(grad: Any, x: Any) -> Any:
    """Sum a gradient over the dimensions along which ``x`` was broadcast."""
    want, have = x.spec.shape, grad.spec.shape
    if want == have and UNKNOWN not in want:
        return grad
    return F.sum_to(grad, x)


def two_dtypes(name: str, a: DType, b: DType) -> DTypeError:
    """The error for tensors of two dtypes: it says to convert to the default dtype where one has it, else to the wider float."""
    wanted = b if (b is default_dtype(), b.kind in "fc", b.itemsize) > (a is default_dtype(), a.kind in "fc", a.itemsize) else a
    which = "the first" if wanted is b else "the second"
    return DTypeError(
        f"{name}: expected two tensors of one dtype, such as inputs and weights, got {a.name} and {b.name}; convert {which}: "
        f"`.astype({wanted.name!r})`"
    )


def need_one_dtype(name: str, x: Any, *others: Any, wide: str = "") -> None:
    """Raise DTypeError where tensors are not of the dtype of ``x``: Paddle's kernels refuse them, and a conversion would be silent.

    ``wide``: in which the result is of the wider one: 'fc', floating and complex ones, or 'c', only where one is complex.
    Numbers, and None, are of any dtype; specs are taken for their tensors.
    """
    if not isinstance(x, (Tensor, TensorSpec)) or getattr(x, "python_type", None) is not None:
        return
    for other in others:
        if not isinstance(other, (Tensor, TensorSpec)) or other.dtype is x.dtype:
            continue
        a, b = x.dtype, other.dtype
        widens = a.kind in "fc" and b.kind in "fc" and bool({a.kind, b.kind} & {*wide})
        if getattr(other, "python_type", None) is None and not widens:
            raise two_dtypes(name, a, b)


def need_whole(x: Any, what: str) -> None:
    """Raise DTypeError where ``what`` is a tensor of anything but whole numbers."""
    if not x.dtype.is_integer:
        raise DTypeError(f"{what} must be integers, `.astype('int64')`, got {x.dtype.name}")


def need_order(x: TensorSpec, name: str) -> TensorSpec:
    """The spec itself; raises DTypeError for complex numbers, none of which is larger than another."""
    if x.dtype.kind == "c":
        raise DTypeError(f"{name}: complex numbers have no order; take x.real(), x.imag() or x.abs()")
    return x


def need_float(x: TensorSpec, name: str) -> TensorSpec:
    """The spec itself; raises DTypeError when its dtype is not floating or complex."""
    if not x.dtype.is_floating:
        raise DTypeError(
            f"{name}: expected a floating-point tensor, got {x.dtype.name}; convert it with x.astype('float32')"
        )
    return x


def ints(value: Any) -> list[int]:
    """A list of Python ints from an int or a sequence. Raises ArgumentTypeError for what is no whole number."""
    return [one_int(v) for v in ([value] if _is_int(value) else value)]


def one_int(value: Any) -> int:
    """A Python int from an integer, a whole float or a tensor of one element. Raises ArgumentTypeError for what is none of them."""
    if isinstance(value, Tensor) or (isinstance(value, float) and value.is_integer()):
        return int(value)  # type: ignore[call-overload, no-any-return]
    try:
        return operator.index(value)
    except TypeError:
        raise ArgumentTypeError(f"expected an integer, got {value!r}") from None


def _is_int(value: Any) -> bool:
    if isinstance(value, Tensor):
        return value.python_type is int or value.spec.shape == ()
    return isinstance(value, (int, np.integer))


def pair(value: Any, n: int, name: str) -> list[int]:
    """``value`` repeated to ``n`` entries when it is one integer. Raises ShapeError on a wrong length."""
    if _is_int(value):
        return [int(value)] * n
    numbers = [one_int(v) for v in value]
    if len(numbers) == 1:
        return numbers * n
    if len(numbers) != n:
        raise ShapeError(f"{name}: expected an integer or {n} of them, got {list(value)!r}")
    return numbers


_WRITTEN = frozenset((int, bool, str, type(None)))
_MOST_SETTLED = 1024
_settled: dict[Any, FrozenAttrs] = {}


def frozen_attrs(make: Callable[..., dict[str, Any]], *args: Any) -> FrozenAttrs | None:
    """The attributes ``make(*args)``, worked out once for arguments that are plain numbers, texts, flags, None and lists of ints.

    None for others, and while a Program is built, where each operation has attributes of its own.
    """
    if mode.current().building:
        return None
    key: list[Any] = [make]
    for arg in args:
        if type(arg) is list or type(arg) is tuple:
            if not _INT.issuperset(map(type, arg)):
                return None
            arg = tuple(arg)
        elif type(arg) is float:
            arg = (float, arg or str(arg))  # not an int; -0.0 is not 0.0
        elif type(arg) not in _WRITTEN:
            return None
        key.append(arg)
    cached = _settled.get(tuple(key))
    if cached is None:
        if len(_settled) >= _MOST_SETTLED:
            _settled.clear()
        cached = _settled[tuple(key)] = FrozenAttrs(make(*args))
    return cached


def in_one_list() -> str:
    """What to write for ``x.reshape(3, 2)``, to be put behind the text of an error; see `hints.in_one_list`."""
    from to_static.core import error_hints  # only for errors: it costs start-up time

    return error_hints.in_one_list(takes_tensor=True)
