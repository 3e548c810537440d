"""Functions of `math` on numbers that depend on tensors: the Program calls them, and raises what they raise."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

from to_static.ir.arithmetic import check_size, kind_of, python
from to_static.ir.number import Number, number
from to_static.jit.jst import steps
from to_static.jit.jst.casts import float_
from to_static.jit.jst.traced import is_traced

_WHOLE = frozenset(["floor", "ceil", "trunc", "gcd", "lcm", "factorial", "isqrt", "comb", "perm"])
_TRUTHS = frozenset(["isnan", "isinf", "isfinite", "isclose"])
_SEVERAL = frozenset(["frexp", "modf", "dist", "fsum", "prod", "sumprod", "hypot"])  # of sequences, or with two results
_INTS = (-3, -1, 0, 1, 2, 5)
_FLOATS = (-math.inf, -1e300, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 1e300, math.inf, math.nan)


def pow_(base: Any, exp: Any, mod: Any = None) -> Any:
    """``pow``"""
    if mod is None or not any(map(is_traced, (exp, mod))):
        return pow(base, exp, mod)
    check_size(base, exp, mod)
    return number(python("builtins.pow", int, base, exp, mod))


def mathematical(function: Any) -> Callable[..., Any]:
    """A function of `math` for arguments that may be traced."""
    name = function.__name__
    kind = int if name in _WHOLE else bool if name in _TRUTHS else float

    def called(*args: Any, **kwargs: Any) -> Any:
        if kwargs or name in _SEVERAL or not any(map(is_traced, args)):
            return function(*args, **kwargs)
        values = [float_(x) if is_traced(x) and not isinstance(x, Number) else x for x in args]
        check_size(*values)
        return number(python(f"{'?' if _asked(function, values) else ''}math.{name}", kind, *values))

    return called


def _asked(function: Any, values: list[Any]) -> bool:
    """Whether somebody asked about all errors that a function may raise, and found that it raises none here."""
    errors = _errors(function, tuple(kind_of(v) for v in values)) if steps.asked() else None
    for kind, words in (errors or {}).items():
        raises = number(python(f"{kind.__name__}?math.{function.__name__}", bool, *values))
        steps.asks(raises == False, lambda: kind(words))  # noqa: B023, E712
    return bool(errors)


@functools.cache
def _errors(function: Any, kinds: tuple[type, ...]) -> dict[type[Exception], str] | None:
    """The errors that a function raises for some numbers, with their words; None where these are not always the same."""
    found: dict[type[Exception], str] = {}
    for values in itertools.product(*(_FLOATS if kind is float else _INTS for kind in kinds)):
        try:
            function(*values)
        except Exception as error:
            if found.setdefault(type(error), str(error)) != str(error):
                return None
    return found
