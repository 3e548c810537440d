"""Conversions of arguments to attributes: integers, lists of integers, and attributes that are computed once and cached."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.opdef import FrozenAttrs
from to_static.compiler.ir.tensor import Tensor
from to_static.core.errors import ArgumentTypeError, ShapeError


def _is_int(value: int | Sequence[int]) -> bool:
    if isinstance(value, Tensor):
        return value.python_type is int or value.spec.shape == ()
    return isinstance(value, (int, np.integer))


def int_list(value: Any) -> list[int]:
    """A list of Python ints from an int or a sequence. Raises ArgumentTypeError for what is no whole number."""
    return [python_int(v) for v in ([value] if _is_int(value) else value)]


def python_int(value: Any) -> int:
    """A Python int from an integer, a whole float or a tensor of one element. Raises ArgumentTypeError for what is none of them."""
    if isinstance(value, Tensor) or (isinstance(value, float) and value.is_integer()):
        return int(value)  # type: ignore[call-overload, no-any-return]
    try:
        return operator.index(value)
    except TypeError:
        raise ArgumentTypeError(f"expected an integer, got {value!r}") from None


def repeat_ints(value: Any, n: int, name: str) -> list[int]:
    """``value`` repeated to ``n`` entries when it is one integer. Raises ShapeError on a wrong length."""
    if _is_int(value):
        return [int(value)] * n
    values = [python_int(v) for v in value]
    if len(values) == 1:
        return values * n
    if len(values) != n:
        raise ShapeError(f"{name}: expected an integer or {n} of them, got {list(value)!r}")
    return values


_INT = {int}
_PLAIN_TYPES = frozenset((int, bool, str, type(None)))
_MAX_CACHED_ATTRS = 1024
_cached_attrs: dict[Any, FrozenAttrs] = {}


def frozen_attrs(make: Callable[..., dict[str, Any]], *args: Any) -> FrozenAttrs | None:
    """Return the attributes ``make(*args)``, cached for arguments that are numbers, strings, flags, None and lists of ints.

    It returns None for other arguments, and while a Program is built, where each op has its own attributes.
    """
    if mode.current().building:
        return None
    key: list[Any] = [make]
    for arg in args:
        if type(arg) is list or type(arg) is tuple:
            if not _INT.issuperset(map(type, arg)):
                return None
            arg = tuple(arg)
        elif type(arg) is float:
            arg = (float, arg or str(arg))  # not an int; -0.0 is not 0.0
        elif type(arg) not in _PLAIN_TYPES:
            return None
        key.append(arg)
    cached = _cached_attrs.get(tuple(key))
    if cached is None:
        if len(_cached_attrs) >= _MAX_CACHED_ATTRS:
            _cached_attrs.clear()
        cached = _cached_attrs[tuple(key)] = FrozenAttrs(make(*args))
    return cached


def list_argument_hint() -> str:
    """Say what to write for ``x.reshape(3, 2)``, as text to append to the text of an error; see `error_hints.in_one_list`."""
    from to_static.core.diagnostics import error_hints  # only for errors: it costs start-up time

    return error_hints.in_one_list(takes_tensor=True)
