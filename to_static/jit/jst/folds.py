"""``any``, ``all``, ``max`` and ``min`` over values of which some are traced tensors."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from typing import Any

from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import bool_
from to_static.jit.jst.logic import and_, or_
from to_static.jit.jst.traced import is_traced


def any_(iterable: Any) -> Any:
    """``any``; stops at the first value that Python knows to be true."""
    return _quantified(iter(iterable), False, or_)


def all_(iterable: Any) -> Any:
    """``all``; stops at the first value that Python knows to be false."""
    return _quantified(iter(iterable), True, and_)


def _quantified(values: Any, neutral: bool, join: Callable[..., Any]) -> Any:
    for value in values:
        if is_traced(value):
            return _joined(bool_(value), list(values), neutral, join)
        if bool(value) is not neutral:
            return not neutral
    return neutral


def _joined(first: Any, rest: list[Any], neutral: bool, join: Callable[..., Any]) -> Any:
    return join(first, lambda: _quantified(iter(rest), neutral, join)) if rest else first


def max_(*args: Any, **kwargs: Any) -> Any:
    """``max``: of equal values the first."""
    return _extreme(builtins.max, operator.gt, args, kwargs)


def min_(*args: Any, **kwargs: Any) -> Any:
    """``min``: of equal values the first."""
    return _extreme(builtins.min, operator.lt, args, kwargs)


def _extreme(builtin: Any, better: Callable[[Any, Any], Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if len(args) == 1 and not is_traced(args[0]):
        args = (list(args[0]),)
    values = args[0] if len(args) == 1 and not is_traced(args[0]) else args
    if kwargs or not values or not any(map(is_traced, values)):
        return builtin(*args, **kwargs)
    if len(values) == 1:  # a tensor: its rows
        values = list(values[0])
    best = values[0]
    for value in values[1:]:
        best = _pick(better(value, best), value, best)
    return best


def _pick(test: Any, value: Any, best: Any) -> Any:
    return if_(test, lambda: value, lambda: best)
