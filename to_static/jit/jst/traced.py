"""What the operators ask about values: is it a traced tensor, what is its truth, which tensor is a Python number."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.core.conditions import of_several
from to_static.core.dtypes import DType, bool_, float64, int64
from to_static.core.errors import SeveralValuesError
from to_static.core.site import capture, report
from to_static.ir import mode
from to_static.ir.arithmetic import check_size
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN, TensorSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable

_ARRAYS = (np.bool_, np.integer, np.floating)
NUMBERS = (bool, int, float, *_ARRAYS)


def is_traced(value: Any) -> bool:
    """True for tensors while a Program is being built: Python can't see their numbers. Captured eager tensors count."""
    return isinstance(value, Tensor) and mode.state.mode.building


def is_tensor(value: Any) -> bool:
    """True for tensors, not for values that may be something else."""
    return isinstance(value, Tensor) and not getattr(value, "undecided", False)


def has_open_length(value: Any) -> bool:
    """Whether this is a tensor of which only the Program knows how many rows it has."""
    return is_tensor(value) and isinstance(value.spec, TensorSpec) and value.spec.shape[:1] == (UNKNOWN,)


def is_number(value: Any) -> bool:
    """True for Python and NumPy numbers, which may become constants of the Program: not for those of other classes (an IntEnum)."""
    return type(value) in (bool, int, float) or isinstance(value, _ARRAYS)


def inside_block() -> bool:
    """True while a branch or loop body is being traced: what happens now may not happen when the Program runs."""
    current = mode.state.mode
    return current.building and current.frame is not current.root


def has_several(value: Any) -> bool:
    """Whether this is a tensor that is known to have several elements, or none: it has no truth."""
    return is_tensor(value) and isinstance(value.spec, TensorSpec) and value.spec.size not in (1, UNKNOWN)


def truth(value: Any, what: str = "a condition", operands: Sequence[int] = ()) -> Variable:
    """The truth of a traced tensor as a 0-D boolean tensor; raises SeveralValuesError unless it has one element.

    ``operands``: which one of ``a and b`` it is, and which others have several elements: for the words of the error.
    """
    if getattr(value, "undecided", False):
        from to_static.jit.jst.casts import bool_ as decide

        answer = decide(value)
        return answer if isinstance(answer, Variable) else constant(answer, bool_)
    spec = value.spec
    if not isinstance(spec, TensorSpec):  # a list: true unless empty
        return FUNCTIONS["greater_than"](FUNCTIONS["list_len"](getattr(value, "main", value)), 0)
    if has_several(value):
        raise failure(SeveralValuesError, *of_several(what, spec, operands))
    if spec.size == UNKNOWN:
        from to_static.jit.jst.catching import check

        one = FUNCTIONS["equal"](FUNCTIONS["numel"](value), 1)
        check(one, ValueError("bool() needs a tensor of one element, this one has another size; use any(), all() or item(i)"))
    if spec.dtype is not bool_:
        value = FUNCTIONS["cast"](value, bool_)
    return value if spec.shape == () else FUNCTIONS["reshape"](value, [])


def is_numeric(value: Any) -> bool:
    """True for Python numbers, whether they are known now (`is_number`) or when the Program runs (`Number`)."""
    return is_number(value) or isinstance(value, Number)


def python_type(value: Any) -> type:
    """bool, int or float: what a value that `is_numeric` is, or will be, in Python."""
    if isinstance(value, Number):
        return value.python_type
    return bool if isinstance(value, (bool, np.bool_)) else int if isinstance(value, (int, np.integer)) else float


DTYPES: dict[type, DType] = {bool: bool_, int: int64, float: float64}  # of Python numbers in the Program


def as_number(value: Variable) -> Variable:
    """The handle of a value that stands for a Python number."""
    if isinstance(value, Number):
        return value
    made = Number(value.ssa, value.builder)
    made.frame = value.frame
    return made


def as_index(value: Any, message: str = "slice indices must be integers or None or have an __index__ method") -> Any:
    """A bound of a slice, or an index, as the int that it stands for; Python's error for what is no integer."""
    if not is_traced(value):
        return value
    if isinstance(value, Number) and value.python_type is float:
        raise TypeError(message)
    if not isinstance(value, Number) and value.dtype.kind not in "iub":
        raise TypeError(f"only integer tensors can be used as an index, this one is {value.dtype.name}")
    return number(value, int)


def as_place(index: Any, message: str = "list indices must be integers or slices, not {}") -> Any:
    """A place in a list as a tensor; Python's error for what is no integer."""
    if isinstance(index, Tensor):
        kind = index.python_type if isinstance(index, Number) else None
        return as_index(index, message.format(float.__name__) if kind is float else message)
    if not hasattr(type(index), "__index__"):
        raise TypeError(message.format(type(index).__name__))
    return mode.state.mode.constant(np.asarray(operator.index(index), int64.np))


def constant(value: Any, dtype: DType, shape: tuple[int, ...] = ()) -> Variable:
    """A number as a tensor; unknown dimensions of ``shape`` become 1, which broadcasts alike."""
    if dtype is int64:
        check_size(value)
    return mode.state.mode.constant(np.full([1 if d == UNKNOWN else d for d in shape], value, dtype.np))


def failure(kind: Any, message: str, rewrite: str) -> Exception:
    """An error that shows the user's line and what to write instead."""
    where = capture(2)
    error: Exception = kind(report(message, where, rewrite))
    if where is not None and hasattr(error, "lineno"):
        error.filename, error.lineno = where.file, where.line  # type: ignore[attr-defined]
    return error
