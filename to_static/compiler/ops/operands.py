"""Conversions of operands: Python numbers and arrays become tensors, and two operands get one dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import NotATensor, Tensor
from to_static.compiler.ops import functions as F
from to_static.core import backend
from to_static.core.arrays.fitting import array_of, as_array_of
from to_static.core.diagnostics.printable import quoted
from to_static.core.dtypes import DType, default_dtype, float32, promote, scalar_dtype
from to_static.core.errors import ArgumentTypeError
from to_static.core.log import warn_once


def constant(value: Any, dtype: DType) -> Tensor:
    """A 0-D (or array-shaped) constant tensor of the current mode."""
    return mode.current().constant(as_array_of(value, dtype.np))


def tensor(value: Tensor | float, like: Tensor | None = None) -> Tensor:
    """``value`` as a tensor; a Python number takes the dtype that Paddle gives it next to a tensor ``like``."""
    if isinstance(value, Tensor):
        return value if value.python_type is None else _tensor_of_traced_number(value, like)
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


def first_of_tuple(value: Tensor) -> Tensor:
    """Return the first tensor of a tuple of tensors, as Paddle's operators do; return any other value unchanged."""
    return value[0] if type(value) is tuple and value and isinstance(value[0], Tensor) else value


def need_tensor(value: Tensor, name: str) -> None:
    """Raise ArgumentTypeError for anything but a tensor, where no array or list is made one."""
    if not isinstance(value, Tensor):
        raise ArgumentTypeError(f"{name}: expected a Tensor, got {type(value).__name__}")


def _tensor_of_traced_number(value: Tensor, like: Any = None) -> Tensor:
    """A traced Python number as the tensor that the number would become."""
    cls = value.python_type
    if like is None or like.python_type is not None:
        return F.cast(value, default_dtype()) if cls is float else value
    return F.cast(value, scalar_next_to(cls(), like.dtype))


FLOAT_OF_INTEGERS = float32  # what integers and booleans become beside a float or in `exp`, whatever the default dtype is


def scalar_next_to(value: float, dtype: DType) -> DType:
    """Dtype of a Python number beside a tensor: the tensor's own, unless the number's kind is higher (int tensor + 0.5)."""
    result_dtype = scalar_dtype(value).kind
    if result_dtype == "c":
        return dtype if dtype.kind == "c" else scalar_dtype(1j)
    if result_dtype == "f" and dtype.kind not in "fc":
        return FLOAT_OF_INTEGERS
    return dtype


_cached_numbers: dict[tuple[Any, ...], Any] = {}  # eager constants of binary operators, which no user ever holds


def scalar_operand(value: Tensor | float, like: Tensor) -> Tensor:
    """`tensor` for a Python number beside a tensor, in eager mode without its questions."""
    cls = type(value)
    current = mode.current()
    if current.building or not (cls is int or cls is float):
        return tensor(value, like)
    dtype = like.dtype
    if cls is float and dtype.kind not in "fc":
        dtype = FLOAT_OF_INTEGERS
    return current.constant(array_of(value, dtype.np))


def _cache_number(key: tuple[Any, ...], value: Tensor) -> Tensor:
    if len(_cached_numbers) > 500:
        _cached_numbers.clear()
    _cached_numbers[key] = value
    return value


def hidden_constant(value: Any, dtype: DType) -> Tensor:
    """`constant` for an input of an operator that users don't see: of ints and floats remembered in eager mode."""
    cls = type(value)
    if mode.current().building or not (cls is int or cls is float):
        return constant(value, dtype)
    key = (value or str(value), cls, dtype, backend.current())
    cached = _cached_numbers.get(key)
    return _cache_number(key, constant(value, dtype)) if cached is None else cached


def binary_operands(x: Any, y: Any, name: str, widen: bool = True) -> tuple[Any, Any]:
    """Both operands of a binary operator as tensors of one dtype (Paddle 2.6: the right one takes the left one's).

    Of two floating types the wider wins, unless ``widen`` is False and neither is complex, which wins over integers, too. A Python
    number takes the tensor's dtype; a float beside an integer tensor makes both float32. Raises TypeError for anything
    that is no tensor, array or number.
    """
    cls, second_class = type(x), type(y)
    if (second_class is float or second_class is int) and isinstance(x, Tensor) and x.python_type is None:
        dtype = x.dtype
        if (second_class is int or dtype.kind in "fc") and not (current := mode.current()).building:
            return x, current.constant(array_of(y, dtype.np))
        y = scalar_operand(y, x)
        return (x if y.dtype is dtype else F.cast(x, y.dtype)), y
    if (cls is float or cls is int) and isinstance(y, Tensor) and y.python_type is None:
        dtype = y.dtype
        if (cls is int or dtype.kind in "fc") and not (current := mode.current()).building:
            return current.constant(array_of(x, dtype.np)), y
        x = scalar_operand(x, y)
        return x, (y if x.dtype is dtype else F.cast(y, x.dtype))
    if isinstance(x, Tensor) and isinstance(y, Tensor) and x.dtype is y.dtype and x.python_type is None is y.python_type:
        return x, y
    if type(x) is tuple or type(y) is tuple:
        x, y = first_of_tuple(x), first_of_tuple(y)
    x, y = python_number(x), python_number(y)
    if not (isinstance(x, Tensor) and x.python_type is None) and not (isinstance(y, Tensor) and y.python_type is None):
        x, y = tensor(x), tensor(y) if isinstance(y, Tensor) else y  # numbers, perhaps traced ones
    if not isinstance(x, Tensor):
        if not isinstance(y, Tensor):
            x = tensor(x)
        else:
            x = scalar_operand(x, y)
            if x.dtype is not y.dtype and y.dtype.kind not in "fc":
                return x, F.cast(y, x.dtype)
    if not isinstance(y, Tensor):
        is_no_array = not isinstance(y, (np.ndarray, np.generic, list, tuple))
        y = scalar_operand(y, x)
        if is_no_array and y.dtype is not x.dtype:
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


def as_dtype_of(gradient: Tensor, x: Tensor) -> Tensor:
    """A gradient of ``x`` that a division of integers made a float."""
    return gradient if gradient.dtype is x.dtype else F.cast(gradient, x.dtype)


def python_number(value: Any) -> Any:
    """A NumPy scalar that counts as Python's int or float beside a tensor: whole numbers and float64, which is a float."""
    return value.item() if isinstance(value, (np.integer, np.float64)) else value


def number_operands(x: Tensor, y: Tensor) -> tuple[Any, Any]:
    """Operands of which at least one stands for a Python number: it takes the dtype that the number would."""
    strong = y if x.python_type is not None else x
    weak = x if strong is y else y
    dtype = scalar_next_to(weak.python_type(), strong.dtype)
    return F.cast(x, dtype), F.cast(y, dtype)
