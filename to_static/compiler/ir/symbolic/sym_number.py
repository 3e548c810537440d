"""`SymNumber`: a traced value that stands for a Python number.

In a trace, ``len(x)``, ``int(t)``, an unknown dimension of ``x.shape`` and the index of a loop over a tensor are `SymNumber`s. They
compute as Python's numbers do (`scalar_arithmetic.py`): ints stay ints, ``/`` gives a float, floats have double precision, and
errors are Python's. Next to a tensor a `SymNumber` takes the tensor's dtype (as in ``x * 2``). So static and dynamic results are
equal.
"""

from __future__ import annotations

import math
import pkgutil
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.symbolic import scalar_arithmetic
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import _BINARY, _COMPARE, Tensor
from to_static.core.diagnostics.source_location import caller_file, is_generated, is_internal

if TYPE_CHECKING:
    from to_static.compiler.ir.symbolic.scalar_arithmetic import Scalar
    from to_static.core.dtypes import DTypeLike

_DTYPES = scalar_arithmetic.DTYPES
_SEQUENCES = (list, tuple, str, bytes, bytearray)
_SIGNS = {
    "add": "+", "subtract": "-", "multiply": "*", "truediv": "/", "floor_divide": "//", "remainder": "%", "pow": "** or pow()",
    "matmul": "@", "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^", "lshift": "<<", "rshift": ">>", "less_than": "<",
    "less_equal": "<=", "greater_than": ">", "greater_equal": ">=",
}  # fmt: skip


_NUMPY = "a number of Python, `float(a)` or `int(a)`, or a tensor, `paddle.to_tensor(a)`, in place of the NumPy value"


class SymNumber(Variable):
    """A 0-D traced value with the arithmetic of a Python ``bool``, ``int`` or ``float`` (see `python_type`)."""

    __slots__ = ()

    @property
    def python_type(self) -> type:
        """The Python type it stands for."""
        return {"b": bool, "i": int, "u": int}.get(self.ssa.spec.dtype.kind, float)

    def __getattribute__(self, name: str) -> Any:
        file = caller_file()
        if is_internal(file) or (name.startswith("__") and not is_generated(file)):
            return object.__getattribute__(self, name)
        return attribute(self, name)

    def __getattr__(self, name: str) -> Any:
        if not is_internal(caller_file()):
            raise AttributeError(f"{self.python_type.__name__!r} object has no attribute {name!r}")
        return super().__getattr__(name)

    def as_constant(self) -> Any:
        """Return its value in the traced call, on which the Program then depends; None if only a run knows it."""
        number_inputs = self.builder.number_inputs
        return None if number_inputs is None else number_inputs.value(self.ssa)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        values = [x.as_constant() if isinstance(x, SymNumber) else x for x in inputs]
        if not any(x is None or isinstance(x, Variable) for x in values):
            return getattr(ufunc, method)(*values, **kwargs)
        name = ufunc.__name__
        rewrite = f"Python's own function, `math.{name}(n)`" if ufunc.nin == 1 and hasattr(math, name) else _NUMPY
        raise self._needs_value(f"numpy.{name}()", rewrite)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Any:
        value = self.as_constant()
        if value is not None:
            return np.asarray(value, dtype)  # type: ignore[arg-type]  # NumPy gives its own dtypes
        raise self._needs_value("NumPy", "Python's own functions: `math.prod(x.shape)`, `sum(x.shape)`, `math.sqrt(n)`", "numpy")

    def __neg__(self) -> Any:
        return _unary("neg", self)

    def __pos__(self) -> Any:
        return _cast(self, int) if self.python_type is bool else self

    def __abs__(self) -> Any:
        return _unary("abs", self)

    def __invert__(self) -> Any:
        if self.python_type is float:
            raise TypeError("bad operand type for unary ~: 'float'")
        return _compute("bitwise_not", int, self)

    def __divmod__(self, other: Scalar) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Scalar) -> Any:
        return other // self, other % self

    def __pow__(self, other: Scalar, modulus: Scalar | None = None) -> Any:
        return _power(self, other) if modulus is None else self._python("builtins.pow", int, other, modulus)

    def __rpow__(self, other: Scalar, modulus: Scalar | None = None) -> Any:
        return _power_of(self, other) if modulus is None else of_python("builtins.pow", int, other, self, modulus)

    def __round__(self, digits: Scalar | None = None) -> Any:
        if self.python_type is not float and digits is None:
            return _cast(self, int)
        if digits is None:
            return self._python("builtins.round", int)
        return self._python("builtins.round", float if self.python_type is float else int, digits)

    def __trunc__(self) -> Any:
        return _cast(self, int)

    def __floor__(self) -> Any:
        return self._python("math.floor", int) if self.python_type is float else _cast(self, int)

    def __ceil__(self) -> Any:
        return self._python("math.ceil", int) if self.python_type is float else _cast(self, int)

    def __iter__(self) -> Any:
        raise TypeError(f"{self.python_type.__name__!r} object is not iterable")

    def __getitem__(self, index: object) -> Any:
        raise TypeError(f"{self.python_type.__name__!r} object is not subscriptable")

    def __setitem__(self, index: object, value: object) -> None:
        raise TypeError(f"{self.python_type.__name__!r} object does not support item assignment")

    def __len__(self) -> int:
        raise TypeError(f"object of type {self.python_type.__name__!r} has no len()")

    def __hash__(self) -> int:
        value = self.as_constant()
        if value is not None:
            return hash(value)
        raise self._needs_value(
            "a dict, a set or hash()",
            "compare it with the keys, `if k == 1: ... elif k == 3: ...`, or keep the values in a list or tensor and index that",
        )

    def _python(self, function: str, cls: type, *args: Scalar) -> Any:
        return of_python(function, cls, self, *args)


def as_sym_number(value: Tensor, cls: type | None = None) -> SymNumber:
    """Return a traced 0-D (or one-element) value as the `SymNumber` that it stands for, of type ``cls`` (default: by its dtype)."""
    if value.spec.shape != () or not isinstance(value, Variable):
        value = FUNCTIONS["reshape"](value, [])
    if not isinstance(value, Variable):  # a buffer, say
        value = mode.current().capture(value)
    result = SymNumber(value.ssa, value.builder)
    result = result if cls is None else _cast(result, cls)
    if not result.ssa.stop_gradient:  # a Python number carries no gradient
        result = SymNumber(result.builder.detach(result).ssa, result.builder)
    return result


def _cast(value: Scalar, cls: type) -> Any:
    """``value`` (Number or Python number) as a `SymNumber` of a Python type."""
    if not isinstance(value, SymNumber):
        return cls(value)
    dtype = _DTYPES[cls]
    if value.ssa.spec.dtype is dtype:
        return value
    if cls is int and value.python_type is float:  # NaN and infinity are no ints
        return of_python("builtins.int", int, _cast(value, float))
    result = SymNumber(FUNCTIONS["cast"](value, dtype).ssa, value.builder)
    return _recorded(result, f"builtins.{cls.__name__}", value)


def _recorded(result: SymNumber, function: str, *operands: Scalar) -> SymNumber:
    """Record that ``result`` is ``function(*operands)``, for guards on number inputs; returns it."""
    number_inputs = result.builder.number_inputs
    if number_inputs is not None:
        values = [x.ssa if isinstance(x, SymNumber) else x for x in operands]
        number_inputs.compute(result.ssa, pkgutil.resolve_name(function.replace(".", ":", 1)), function.partition(".")[2], values)
    return result


def _compute(name: str, cls: type, *values: Scalar) -> SymNumber:
    """An operator on values brought to one Python type first."""
    operands = [_cast(v, cls) for v in values]
    result = FUNCTIONS[name](*map(_as_variable, operands))
    sym_number = SymNumber(result.ssa, result.builder)
    function = scalar_arithmetic.python_name(name)
    return sym_number if function is None else _recorded(sym_number, function, *operands)


def _as_variable(value: Scalar) -> Any:
    return Variable(value.ssa, value.builder) if isinstance(value, SymNumber) else value


def of_python(function: str, cls: type, *values: Scalar) -> Any:
    """Return the `SymNumber` that a Python function computes in each run."""
    scalar_arithmetic.check_size(*values)
    values = tuple(_cast(v, v.python_type) if isinstance(v, SymNumber) else v for v in values)
    computed = scalar_arithmetic.python(function, cls, *values)
    return _recorded(SymNumber(computed.ssa, computed.builder), function, *values)


def _unary(name: str, value: SymNumber) -> Any:
    if value.python_type is float:
        return _compute(name, float, value)
    return of_python(str(scalar_arithmetic.python_name(name)), int, value)


def _binary(name: str, a: Scalar, b: Scalar) -> Any:
    """An operator on two numbers."""
    answer = scalar_arithmetic.against_large(name, a, b)
    if answer is not None:
        return answer
    scalar_arithmetic.check_size(a, b)
    result_type = scalar_arithmetic.result_kind(name, a, b)
    if name == "matmul" or (
        float in (scalar_arithmetic.python_type_of(a), scalar_arithmetic.python_type_of(b))
        and name.startswith(("bitwise", "lsh", "rsh"))
    ):
        raise _unsupported(name, a, b)
    if scalar_arithmetic.needs_python(name, a, b):
        return of_python(str(scalar_arithmetic.python_name(name)), result_type, a, b)
    if name in scalar_arithmetic.COMPARISONS:
        result_type = max(map(scalar_arithmetic.python_type_of, (a, b)), key=(bool, int, float).index)
    return _compute(name, result_type, a, b)


def _unsupported(name: str, a: object, b: object) -> TypeError:
    """Python's words for operands that don't fit."""
    classes = (v.python_type if isinstance(v, SymNumber) else Tensor if isinstance(v, Tensor) else type(v) for v in (a, b))
    left, right = (cls.__name__ for cls in classes)
    if name in scalar_arithmetic.COMPARISONS:
        return TypeError(f"{_SIGNS[name]!r} not supported between instances of {left!r} and {right!r}")
    if name == "add" and isinstance(a, _SEQUENCES):
        if isinstance(a, (bytes, bytearray)):
            return TypeError(f"can't concat {right} to {left}")
        return TypeError(f'can only concatenate {left} (not "{right}") to {left}')
    return TypeError(f"unsupported operand type(s) for {_SIGNS[name]}: {left!r} and {right!r}")


def _operator(name: str, reflected: bool) -> Any:
    def method(self: SymNumber, other: object) -> Any:
        a, b = (other, self) if reflected else (self, other)
        if isinstance(other, SymNumber) or type(other) in _DTYPES:
            return _binary(name, a, b)  # type: ignore[arg-type]
        if isinstance(other, Tensor):
            if getattr(other, "data_dependent", False):
                return NotImplemented
            if name in ("lshift", "rshift"):  # no operators of tensors
                raise _unsupported(name, a, b)
            return FUNCTIONS[name](a, b)
        if other is None or isinstance(other, _SEQUENCES):
            if name == "multiply" and other is not None and (value := self.as_constant()) is not None:
                return other * value
            if name == "multiply" and other is not None:
                raise self._needs_value("repeating a sequence", "a `for` loop over range() that appends, or tile() of a tensor")
            if name in ("equal", "not_equal") or (name == "remainder" and reflected):
                return NotImplemented
            raise _unsupported(name, a, b)
        if isinstance(other, (complex, np.ndarray, np.generic)) and (value := self.as_constant()) is not None:
            function = pkgutil.resolve_name((scalar_arithmetic.python_name(name) or "operator.matmul").replace(".", ":"))
            return function(other, value) if reflected else function(value, other)
        if isinstance(other, complex):
            raise self._needs_value("an operator with a complex number", "a complex tensor: `x.astype('complex128') + 1j`")
        if isinstance(other, (np.ndarray, np.generic)):
            raise self._needs_value("an operator with a NumPy value", _NUMPY)
        if isinstance(other, (int, float)):  # of a class made from them: an IntEnum, say
            return method(self, _base_number(self, other, method.__name__[3 if reflected else 2 : -2]))
        inherited = getattr(Variable, method.__name__, None)
        return NotImplemented if inherited is None else inherited(self, other)

    return method


def _base_number(value: SymNumber, operand: float, operator: str) -> Any:
    """Return the plain int or float of ``operand``, whose class is derived from it; refuse a class that overrides this operator."""
    base_type: Any = int if isinstance(operand, int) else float
    names = (f"__{operator}__", f"__r{operator}__")
    if any(getattr(type(operand), name, None) is not getattr(base_type, name, None) for name in names):
        rewrite = f"a plain number in its place, `{base_type.__name__}(a)`"
        raise value._needs_value(f"an operator of {type(operand).__name__}", rewrite)
    return base_type.__pos__(operand)


def attribute(value: SymNumber, name: str) -> Any:
    """The result of ``value.name`` in the user's code: attributes and methods of the Python number."""
    cls = value.python_type
    if not hasattr(cls, name):
        raise AttributeError(f"{cls.__name__!r} object has no attribute {name!r}")
    if name.startswith("__"):
        return cls if name == "__class__" else object.__getattribute__(value, name)
    if name in ("real", "numerator"):
        return _cast(value, int) if cls is bool else value
    if name in ("imag", "denominator"):
        return cls(0) + 0 if name == "imag" else 1
    if name == "conjugate":
        return lambda: _cast(value, int) if cls is bool else value
    descriptor = _METHODS.get(name)
    if descriptor is None and (constant := value.as_constant()) is not None:
        return getattr(constant, name)
    if descriptor is None:
        raise value._needs_value(f".{name}() of a number", "return the number, and call the method outside of the static function")
    return lambda: value._python(f"builtins.{cls.__name__}.{name}", descriptor)


_METHODS = {"bit_length": int, "bit_count": int, "is_integer": bool}  # of numbers, with the type of what they give

for _table in (_BINARY, _COMPARE, {"lshift": "lshift", "rshift": "rshift"}):
    for _short, _name in _table.items():
        for _prefix in ("",) if _table is _COMPARE else ("", "r"):
            _method = _operator(_name, _prefix == "r")
            _method.__name__ = f"__{_prefix}{_short}__"
            if _short != "pow":
                setattr(SymNumber, _method.__name__, _method)
_power, _power_of = _operator("pow", False), _operator("pow", True)
_power.__name__, _power_of.__name__ = "__pow__", "__rpow__"
