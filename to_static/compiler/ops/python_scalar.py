"""The operator `python`: arithmetic of Python numbers with Python's results and errors (`ZeroDivisionError`, big integers, `math`).

Integer tensors overflow, and division by zero gives infinity. If this can make a difference, arithmetic of numbers that depend on
tensors calls Python's functions at run time.
"""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.program import Var
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.core.array_types import Array, ArrayModule
from to_static.core.diagnostics.printable import quoted
from to_static.core.dtypes import DType, bool_, float64, int64
from to_static.core.errors import DTypeError, NumberError, ProgramError

BITS = 1 << 63
_MODULES = {"operator": operator, "math": math, "builtins": builtins}
_BUILTINS = frozenset(["abs", "bool", "complex", "divmod", "float", "int", "max", "min", "pow", "round", "sum"])
_TOTAL = frozenset(["operator.add", "operator.sub", "operator.mul", "operator.neg", "operator.abs"])  # never fail for small numbers
_DIVIDING = frozenset(["operator.truediv", "operator.floordiv", "operator.mod"])
_POWERS = frozenset(["operator.pow", "builtins.pow", "math.log"])  # which may divide by zero, too


def errors_of(function: str) -> tuple[type[Exception], ...]:
    """The errors that a function of numbers may raise."""
    if function in _TOTAL or function in _DIVIDING:
        return () if function in _TOTAL else (ZeroDivisionError,)
    return (ZeroDivisionError, OverflowError, ValueError) if function in _POWERS else (OverflowError, ValueError)


@op("python(X* -> Out) function dtype", file=None, traits="nodiff")
def python(values: Sequence[Tensor | float], function: str, dtype: DType) -> Tensor:
    """``function`` (a dotted name, like ``operator.floordiv`` or ``math.gcd``) of 0-D tensors as Python numbers.

    ``dtype``: int64, float64 or bool, for a result that Python gives as an int, float or bool. Raises what Python raises, and
    NumberError for a result of another type and for an int of more than 64 bits.
    """
    return python.emit(list(values), function=function, dtype=dtype)


@python.infer
def _(values: list[TensorSpec], function: str, dtype: DType) -> TensorSpec:
    for scalar_dtype in (dtype, *(value.dtype for value in values)):
        if scalar_dtype not in _PYTHON_TYPES:
            raise DTypeError(f"python: numbers are int64, float64 or bool, not {scalar_dtype.name}")
    return TensorSpec((), dtype)


@python.kernel
def _(xp: ArrayModule, values: list[Array], function: str, dtype: DType) -> Array:
    result: Any = resolve(function)(*[value.item() for value in values])
    python_type: Any = _PYTHON_TYPES[dtype]
    if type(result) is not python_type:
        raise NumberError(
            f"{function}() gives the {type(result).__name__} {result!r} here, and the Program was built for a number of type "
            f"{python_type.__name__}: write float(...) around an operand that makes it a float in any case"
        )
    if dtype is int64 and not -BITS <= result < BITS:
        raise NumberError(
            f"{result} needs more than 64 bits, but an integer that depends on tensors has 64: use a float, or compute it "
            "outside of the static function"
        )
    return xp.asarray(result, dtype.np)


_PYTHON_TYPES: dict[DType, type] = {int64: int, float64: float, bool_: bool}


@functools.cache
def resolve(name: str) -> Callable[..., Any]:
    """The function of a dotted name: one of `operator` or `math`, or of Python's numbers. Raises ProgramError for any other."""
    module, *path = name.split(".")
    member: Any = _MODULES.get(module)
    if (
        member is None
        or not path
        or any(part.startswith("_") for part in path)
        or (member is builtins and path[0] not in _BUILTINS)
    ):
        raise ProgramError(f"python: {quoted(name)} is no function of numbers")
    for part in path:
        member = getattr(member, part)
    return member  # type: ignore[no-any-return]


@python.may_raise
def _(values: tuple[Var, ...], function: str, dtype: DType) -> bool:
    return bool(errors_of(function))


python.samples(
    lambda: [
        Sample([np.asarray(7), np.asarray(-2)], function="operator.floordiv", dtype=int64),
        Sample([np.asarray(2.0), np.asarray(0.5)], function="math.pow", dtype=float64),
        Sample([np.asarray(2.5)], function="math.isfinite", dtype=bool_),
    ]
)


@op("python_order(X* -> Out) descending:bool", file=None, traits="nodiff")
def python_order(x: Tensor, descending: bool) -> Any:
    """Return the positions, int64, in the order in which ``sorted`` puts the elements of a 1-D tensor, also if some are NaN.

    ``x``: one tensor, or several of one length; then the tuples of their elements are compared.
    """
    return python_order.emit(list(x) if isinstance(x, (list, tuple)) else [x], descending=descending)


@python_order.infer
def _(xs: list[TensorSpec], descending: bool) -> TensorSpec:
    return xs[0].with_dtype(int64)


@python_order.kernel
def _(xp: ArrayModule, xs: list[Array], descending: bool) -> Array:
    keys = xs[0].tolist() if len(xs) == 1 else list(zip(*(x.tolist() for x in xs), strict=True))
    return xp.asarray(sorted(range(len(keys)), key=keys.__getitem__, reverse=descending), "int64")


python_order.samples(
    lambda: [
        Sample([np.asarray([2.0, np.nan, 1.0, 2.0, 0.5])], descending=False),
        Sample([np.asarray([2, 1, 2, 3]), np.asarray([2.5, 1.5, 1.5, 0.0])], descending=True),
    ]
)
