"""`Number`: a traced value that stands for a Python number.

A loop index over a tensor's length, ``len(x)``, ``int(t)``, an unknown dimension of ``x.shape``: Python would see plain numbers
there. A `Number` computes as they do: ints are 64 bits wide and stay ints, ``/`` gives a float, floats have double precision, and
beside a tensor it takes the tensor's dtype (as ``x * 2`` does), so that the static result does not differ from the dynamic one.
"""

from __future__ import annotations

from typing import Any

from to_static.core.dtypes import DType, bool_, float64, int64
from to_static.core.errors import TracedValueError
from to_static.ir.registry import FUNCTIONS
from to_static.ir.tensor import _BINARY, _COMPARE, Tensor
from to_static.ir.variable import Variable

_DTYPES: dict[type, DType] = {bool: bool_, int: int64, float: float64}


_SEQUENCES = (list, tuple, str, bytes, bytearray)


class Number(Variable):
    """A 0-D traced value with the arithmetic of a Python ``bool``, ``int`` or ``float`` (see `python_type`)."""

    __slots__ = ()

    @property
    def python_type(self) -> type:
        """The Python type it stands for."""
        return {"b": bool, "i": int, "u": int}.get(self.var.spec.dtype.kind, float)

    def __neg__(self) -> Any:
        return _compute("neg", int if self.python_type is bool else self.python_type, self)

    def __pos__(self) -> Any:
        return _cast(self, int) if self.python_type is bool else self

    def __abs__(self) -> Any:
        return _compute("abs", int if self.python_type is bool else self.python_type, self)

    def __invert__(self) -> Any:
        return _compute("bitwise_not", int, self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __round__(self, digits: int | None = None) -> Any:
        if self.python_type is not float and (digits is None or digits >= 0):
            return _cast(self, int)
        if digits is not None:
            raise TracedValueError(
                f"round() of a number of the Program rounds to whole numbers only, not to {digits} digits: "
                "round what the static function returns"
            )
        low: Any = _compute("floor", float, self)
        over: Any = self - low  # a half goes to the even neighbour
        return _cast(low + (over > 0.5) + (over == 0.5) * (low % 2), int)


def number(value: Any, kind: type | None = None) -> Number:
    """A traced 0-D (or one-element) value as the Python number it stands for, of type ``kind`` (default: by its dtype)."""
    if value.spec.shape != ():
        value = FUNCTIONS["reshape"](value, [])
    made = Number(value.var, value.builder)
    made = made if kind is None else _cast(made, kind)
    if not made.var.stop_gradient:  # a Python number carries no gradient
        made = Number(made.builder.detach(made).var, made.builder)
    return made


def _cast(value: Any, kind: type) -> Any:
    """``value`` (Number or Python number) as a `Number` of a Python type."""
    if not isinstance(value, Number):
        return kind(value)
    dtype = _DTYPES[kind]
    if value.var.spec.dtype is dtype:
        return value
    return Number(FUNCTIONS["cast"](value, dtype).var, value.builder)


def _compute(name: str, kind: type, *values: Any) -> Number:
    """An operator on values brought to one Python type first."""
    result = FUNCTIONS[name](*(_plain(_cast(v, kind)) for v in values))
    return Number(result.var, result.builder)


def _plain(value: Any) -> Any:
    return Variable(value.var, value.builder) if isinstance(value, Number) else value


def _kind(name: str, a: Any, b: Any) -> type:
    """Python type in which ``a`` and ``b`` meet for an operator."""
    kinds = {v.python_type if isinstance(v, Number) else type(v) for v in (a, b)}
    if float in kinds or name in ("divide", "truediv"):
        return float
    if kinds == {bool} and (name.startswith("bitwise") or name in _COMPARE.values()):
        return bool
    return int


def _operator(name: str, reflected: bool) -> Any:
    def method(self: Number, other: Any) -> Any:
        a, b = (other, self) if reflected else (self, other)
        if isinstance(other, Number) or type(other) in _DTYPES:
            return _compute(name, _kind(name, a, b), a, b)
        if isinstance(other, Tensor):
            return NotImplemented if getattr(other, "undecided", False) else FUNCTIONS[name](a, b)
        if isinstance(other, _SEQUENCES):
            if name == "multiply":
                raise self._needs_value("repeating a sequence", "a `for` loop over range() that appends, or tile() of a tensor")
            return NotImplemented
        inherited = getattr(Variable, method.__name__)
        return inherited(self, other)

    return method


for _table in (_BINARY, _COMPARE):
    for _short, _name in _table.items():
        for _prefix in ("", "r") if _table is _BINARY else ("",):
            _method = _operator(_name, _prefix == "r")
            _method.__name__ = f"__{_prefix}{_short}__"
            setattr(Number, _method.__name__, _method)
Number.__hash__ = Tensor.__hash__  # type: ignore[method-assign]
