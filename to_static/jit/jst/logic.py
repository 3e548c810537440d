"""``and``, ``or``, ``not`` and chained comparisons with Python's meaning: lazy, and giving back operands."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from to_static.core.dtypes import bool_
from to_static.ir import mode
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.tensor import Tensor
from to_static.jit.jst.branch import if_
from to_static.jit.jst.traced import is_traced, truth

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
    "is": operator.is_, "is not": operator.is_not, "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip


def and_(first: Any, *rest: Callable[[], Any]) -> Any:
    """``first and rest[0]() and ...``"""
    return _lazy(first, rest, "logical_and")


def or_(first: Any, *rest: Callable[[], Any]) -> Any:
    """``first or rest[0]() or ...``"""
    return _lazy(first, rest, "logical_or")


def not_(value: Any) -> Any:
    """``not value``"""
    return number(FUNCTIONS["logical_not"](truth(value))) if is_traced(value) else not value


def compare(left: Any, sign: str, right: Callable[[], Any], *rest: Any) -> Any:
    """``left < a <= b ...``: every operand is evaluated at most once, and none after the first comparison that fails."""
    middle = right()
    result = _COMPARE[sign](left, middle)
    return and_(result, lambda: compare(middle, *rest)) if rest else result


def _lazy(value: Any, rest: tuple[Callable[[], Any], ...], operation: str) -> Any:
    conjunction = operation == "logical_and"
    for thunk in rest:
        if is_traced(value):  # from the left, one operand at a time: each is traced twice at most
            value = _traced(value, thunk, operation)
            continue
        if bool(value) is not conjunction:
            return value
        value = thunk()
    return value


def _traced(left: Any, right: Callable[[], Any], operation: str) -> Any:
    """A boolean op when the right operand is a boolean that can be computed at any time, else a branch."""
    if left.spec.dtype is bool_ and left.spec.size == 1:
        trial = mode.state.mode.trace_block(right)
        if isinstance(trial.value, bool) or (isinstance(trial.value, Tensor) and trial.value.spec.dtype is bool_):
            harmless = all("elementwise" in op.opdef.traits or op.name in _HARMLESS for op in trial.block.ops)
            if harmless and not trial.rebound and (isinstance(trial.value, bool) or trial.value.spec.size == 1):
                other = right()
                if isinstance(other, bool):  # the constant decides, or leaves the left operand
                    return other if other is (operation == "logical_or") else left
                if other.spec.shape != left.spec.shape:
                    left, other = truth(left), truth(other)
                made = FUNCTIONS[operation](left, other)
                return number(made) if isinstance(left, Number) and isinstance(other, Number) else made
    if operation == "logical_and":
        return if_(left, right, lambda: left)
    return if_(left, lambda: left, right)


# ops that neither fail nor cost much: a right operand made of these may be computed whether or not Python would
_HARMLESS = frozenset(["constant", "reshape", "dim_size", "list_len", "cast"])
