"""Functions of `math` on numbers that depend on tensors: the Program calls them, and raises what they raise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.jst.tracer_queries import is_traced
from to_static.compiler.frontend.jst.values.number import float_
from to_static.compiler.ir.symbolic.sym_number import SymNumber, of_python

_WHOLE = frozenset(["floor", "ceil", "trunc", "gcd", "lcm", "factorial", "isqrt", "comb", "perm"])
_TRUTHS = frozenset(["isnan", "isinf", "isfinite", "isclose"])
_SEVERAL = frozenset(["frexp", "modf", "dist", "fsum", "prod", "sumprod", "hypot"])  # of sequences, or with two results


def mathematical(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of `math` that accepts traced numbers."""
    name = function.__name__
    result_type = int if name in _WHOLE else bool if name in _TRUTHS else float

    def called(*args: Any, **kwargs: Any) -> Any:
        if kwargs or name in _SEVERAL or not any(map(is_traced, args)):
            return function(*args, **kwargs)
        values = [float_(x) if is_traced(x) and not isinstance(x, SymNumber) else x for x in args]
        return of_python(f"math.{name}", result_type, *values)

    return called
