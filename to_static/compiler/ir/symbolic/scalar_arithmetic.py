"""Rules for the arithmetic of Python numbers of which some are traced: which operator computes it, and the type of the result.

Integers have 64 bits. If a result may need more bits, or if Python may raise an error or return another type, the operator
``python`` calls Python's own function in each run. `sym_number` calls this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from to_static.compiler.ir.registry import FUNCTIONS
from to_static.core.diagnostics.source_location import capture, report
from to_static.core.dtypes import DType, bool_, float64, int64
from to_static.core.errors import TracedValueError

if TYPE_CHECKING:
    from to_static.compiler.ir.symbolic.sym_number import SymNumber

Scalar: TypeAlias = "SymNumber | bool | int | float"  # a number of Python, or one that the Program computes

DTYPES: dict[type, DType] = {bool: bool_, int: int64, float: float64}
COMPARISONS = frozenset(["equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal"])
_PYTHON = {
    "add": "operator.add", "subtract": "operator.sub", "multiply": "operator.mul", "truediv": "operator.truediv",
    "floor_divide": "operator.floordiv", "remainder": "operator.mod", "pow": "operator.pow", "lshift": "operator.lshift",
    "rshift": "operator.rshift", "equal": "operator.eq", "not_equal": "operator.ne", "less_than": "operator.lt",
    "less_equal": "operator.le", "greater_than": "operator.gt", "greater_equal": "operator.ge", "neg": "operator.neg",
    "abs": "operator.abs", "bitwise_and": "operator.and_", "bitwise_or": "operator.or_", "bitwise_xor": "operator.xor",
    "bitwise_not": "operator.invert",
}  # fmt: skip
_STEP = 1 << 31  # a number this near to the last one of 64 bits is not reached by counting
_EXACT = 1 << 53  # whole numbers up to here are floats, too
_BITS = 1 << 63


def python_type_of(value: Scalar) -> type:
    """The Python type of a number, traced or not."""
    cls = type(value)
    return cls if cls in DTYPES else value.python_type  # type: ignore[union-attr]


def result_kind(name: str, a: Scalar, b: Scalar) -> type:
    """The Python type of ``a name b``."""
    types = {python_type_of(a), python_type_of(b)}
    if name in COMPARISONS or (types == {bool} and name.startswith("bitwise")):
        return bool
    negative = name == "pow" and type(b) is int and b < 0
    return float if float in types or name == "truediv" or negative else int


def needs_python(name: str, a: Scalar, b: Scalar) -> bool:
    """True if the operators of tensors might give another result than Python, or none where Python raises an error."""
    types = {python_type_of(a), python_type_of(b)}
    if name in COMPARISONS:
        mixed = types == {int, float}
        return mixed and not any(type(v) is int and abs(v) < _EXACT for v in (a, b))
    if name in ("add", "subtract"):
        return float not in types and not any(type(v) in (bool, int) and abs(v) < _STEP for v in (a, b))
    if name == "multiply":
        return float not in types
    if name in ("truediv", "floor_divide", "remainder"):
        constant = type(b) in (int, float) and b not in (0, -1)
        return not constant or (name == "truediv" and python_type_of(a) is int)
    return name in ("pow", "lshift", "rshift")


def python(function: str, cls: type, *values: Scalar) -> Any:
    """A call of Python's ``function`` when the Program runs: the plain handle of its result, a number of type ``cls``."""
    return FUNCTIONS["python"](list(values), function, DTYPES[cls])


def python_name(name: str) -> str | None:
    """Return the name of the Python function for an operator of tensors; None if there is none."""
    return _PYTHON.get(name)


def check_size(*values: Scalar) -> None:
    """Raise an error for integers of more than 64 bits."""
    for value in values:
        if type(value) is int and not -_BITS <= value < _BITS:
            raise too_large(value)


def too_large(value: int) -> Exception:
    """The error for a whole number of more than 64 bits."""
    text = f"the int `{value}` needs more than 64 bits, but an integer that depends on tensors has 64"
    rewrite = f"a float, `float({value})`, or compute with it outside of conditions and loops over tensors"
    return TracedValueError(report(text, capture(2), rewrite))


def against_large(name: str, a: Scalar, b: Scalar) -> bool | None:
    """The answer of a comparison with an int of more than 64 bits; None when there is none."""
    large = next((v for v in (a, b) if type(v) is int and not -_BITS <= v < _BITS), None)
    if large is None or name not in COMPARISONS or python_type_of(a) is float or python_type_of(b) is float:
        return None
    if name in ("equal", "not_equal"):
        return name == "not_equal"
    return name.startswith("less") is (large > 0 if large is b else large < 0)
