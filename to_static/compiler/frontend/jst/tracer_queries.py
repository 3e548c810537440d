"""Queries about values: whether one is traced, its truth value, the tensor for a Python number."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import UNKNOWN, ListSpec, Spec, TensorSpec
from to_static.compiler.ir.symbolic.scalar_arithmetic import check_size
from to_static.compiler.ir.symbolic.sym_number import SymNumber, as_sym_number
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics.condition_diagnostics import of_several
from to_static.core.dtypes import DType, bool_, float64, int64
from to_static.core.errors import SeveralValuesError
from to_static.core.importing.skiplist import SKIPPED_PACKAGES, package_of

_NUMPY = (np.bool_, np.integer, np.floating)
DTYPES: dict[type, DType] = {bool: bool_, int: int64, float: float64}  # of Python numbers in the Program


def is_traced(value: object) -> bool:
    """True for tensors while a Program is being built: Python can't see their numbers."""
    return isinstance(value, Tensor) and mode.current().building


def is_tensor(value: object) -> bool:
    """True for a tensor that is not a number, a list of the Program or a union."""
    return isinstance(value, Tensor) and not isinstance(value, SymNumber) and not getattr(value, "data_dependent", False)


def is_list(value: object) -> bool:
    """True for a list of the Program."""
    return getattr(type(value), "is_list", False)


def is_union(value: object) -> bool:
    """True for a `UnionValue`."""
    return getattr(type(value), "is_union", False)


def own_method(value: object, name: str) -> Any:
    """Return the translated special method, such as ``__len__``, of a user's object; None for other objects."""
    builder = mode.current()
    if not builder.building:
        return None
    cls = type(value)
    function = getattr(cls, name, None)
    if type(function) is not types.FunctionType or package_of(cls) in SKIPPED_PACKAGES:
        return None
    is_user_code = package_of(function) not in SKIPPED_PACKAGES
    return types.MethodType(builder.translate(function), value) if is_user_code and hasattr(builder, "translate") else None


def was_there(tensor: Tensor) -> bool:
    """True if a tensor existed before the block that was traced last: from the current block, an enclosing one, or outside."""
    frame = mode.current().frame
    while frame is not None:
        if (tensor.frame or frame) is frame:
            return True
        frame = frame.parent
    return False


def is_number(value: object) -> bool:
    """True for Python and NumPy numbers, which may become constants of the Program; not for an IntEnum."""
    return type(value) in (bool, int, float) or isinstance(value, _NUMPY)


def python_type(value: object) -> type:
    """Return the type that a Python or NumPy number has in the Program: bool, int or float."""
    return bool if isinstance(value, (bool, np.bool_)) else int if isinstance(value, (int, np.integer)) else float


def constant(value: bool | int | float, dtype: DType, shape: tuple[int, ...] = ()) -> Variable:
    """Return a tensor of the Program for a number. Unknown dimensions of ``shape`` become 1, which broadcasts to them."""
    if dtype is int64:
        check_size(value)
    return mode.current().constant(np.full([1 if d == UNKNOWN else d for d in shape], value, dtype.np))


def filler(spec: Spec) -> Any:
    """Return zeros of a spec (an empty list for a list), for a value that is never read."""
    if isinstance(spec, ListSpec):
        return F.list_new([])
    return constant(0, spec.dtype, spec.shape)


def holds_union(value: Any) -> bool:
    """True if this is a tensor that is known to have several elements, or none: it has no truth."""
    return is_tensor(value) and isinstance(value.spec, TensorSpec) and value.spec.size not in (1, UNKNOWN)


def truth(value: Any, what: str = "a condition", operands: Any = ()) -> Variable:
    """Return the truth of a traced tensor as a 0-D boolean tensor. Breaks the graph unless it has one element.

    ``operands``: which one of ``a and b`` it is, and which others have several elements: for the words of the message.
    """
    spec = value.spec
    if holds_union(value):
        raise broken(*of_several(what, spec, operands), SeveralValuesError)
    if spec.size == UNKNOWN:
        one = F.equal(F.numel(value), 1)
        words = "bool() needs a tensor of one element, this one has another size; use any(), all() or item(i)"
        F.assert_(one, (), words, "ValueError")
    if spec.dtype is not bool_:
        value = F.cast(value, bool_)
    value = value if spec.shape == () else F.reshape(value, [])
    return value if isinstance(value, Variable) else mode.current().capture(value)


def as_constant(value: object) -> Any:
    """Return a number input as a Python number, which becomes a constant, also in a slice; other values unchanged."""
    if type(value) is slice:
        return slice(*map(as_constant, (value.start, value.stop, value.step)))
    constant = value.as_constant() if type(value) is SymNumber else None
    return value if constant is None else constant


def as_index(value: Any) -> Any:
    """Return an index as an int of the Program. Raises Python's error for a value that is not an integer."""
    if not is_traced(value):
        return value
    if isinstance(value, SymNumber) and value.python_type is float:
        raise TypeError("list indices must be integers or slices, not float")
    if not isinstance(value, SymNumber) and value.dtype.kind not in "iub":
        raise TypeError(f"only integer tensors can be used as an index, this one is {value.dtype.name}")
    return as_sym_number(value, int)
