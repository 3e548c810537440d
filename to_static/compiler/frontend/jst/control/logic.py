"""``and``, ``or``, ``not`` and chained comparisons with Python's meaning: lazy evaluation, and operands as results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.jst.control.block import AlwaysRaises, TracedBody
from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.tracer_queries import holds_union, is_tensor, is_traced, truth
from to_static.compiler.frontend.jst.values.number import protocol_truth
from to_static.compiler.ir import mode
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.rewriter import has
from to_static.compiler.ir.symbolic.sym_number import SymNumber, as_sym_number
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.dtypes import bool_


def and_(first: object, *thunks: Callable[[], Any]) -> Any:
    """``first and thunks[0]() and ...`` as a condition: only the truth of the result counts."""
    return _lazy(first, thunks, "logical_and", True)


def or_(first: object, *thunks: Callable[[], Any]) -> Any:
    """``first or thunks[0]() or ...`` as a condition: only the truth of the result counts."""
    return _lazy(first, thunks, "logical_or", True)


def and_value(first: object, *thunks: Callable[[], Any]) -> Any:
    """``first and thunks[0]() and ...``: the operand that Python would give."""
    return _lazy(first, thunks, "logical_and", False)


def or_value(first: object, *thunks: Callable[[], Any]) -> Any:
    """``first or thunks[0]() or ...``: the operand that Python would give."""
    return _lazy(first, thunks, "logical_or", False)


def not_(value: object) -> Any:
    """``not value``"""
    answer = protocol_truth(value)
    return as_sym_number(F.logical_not(answer)) if is_traced(answer) else not answer


def _lazy(value: object, thunks: tuple[Callable[[], Any], ...], operation: str, truth_only: bool) -> Any:
    conjunction = operation == "logical_and"
    for position, thunk in enumerate(thunks):
        answer = protocol_truth(value, operands=(position,))
        if is_traced(answer):
            value = (
                _decided(answer, thunk, operation, position) if truth_only else _operand(value, answer, thunk, operation)
            )
        elif answer is not conjunction:
            return answer if truth_only else value
        else:
            value = thunk()
    if truth_only and holds_union(value):
        truth(value, operands=(len(thunks),))
    return value


def _decided(first: Tensor, right: Callable[[], Any], operation: str, position: int) -> Any:
    """Return the truth: a boolean op if the right operand is harmless to compute, else a branch."""
    if _is_harmless(lambda: protocol_truth(right(), operands=(position + 1,))) is not None:
        second_truth = protocol_truth(right())
        if isinstance(second_truth, bool):  # the constant decides, or leaves the left operand
            return second_truth if second_truth is (operation == "logical_or") else as_sym_number(first)
        return as_sym_number(FUNCTIONS[operation](first, second_truth))

    def flag() -> Any:
        answer = protocol_truth(right(), operands=(position + 1,))
        return as_sym_number(answer) if is_traced(answer) else answer

    return if_(first, flag, lambda: False) if operation == "logical_and" else if_(first, lambda: True, flag)


def _operand(value: Any, first: Any, right: Callable[[], Any], operation: str) -> Any:
    """Return the operand: a boolean op if both are booleans and the right one is harmless to compute, else a branch."""
    if (is_tensor(value) and value.spec.dtype is bool_ and value.spec.size == 1) or isinstance(value, SymNumber):
        trial = _is_harmless(right)
        second_value: Any = None if trial is None else trial.value
        alike = is_traced(second_value) and isinstance(second_value, SymNumber) is isinstance(value, SymNumber)
        if alike and second_value.spec == value.spec and value.spec.dtype is bool_:
            result = FUNCTIONS[operation](value, right())
            return as_sym_number(result) if isinstance(value, SymNumber) else result
    return if_(first, right, lambda: value) if operation == "logical_and" else if_(first, lambda: value, right)


def _is_harmless(right: Callable[[], Any]) -> Any:
    """Return the right operand, traced on trial, if it cannot fail, is cheap and has no side effect; else None."""
    body = TracedBody(right)
    trial = mode.current().trace_block(body)
    if isinstance(trial.value, AlwaysRaises) or body.written or trial.rebound:
        return None
    harmless = all(
        not has(op, "may_raise") and ("elementwise" in op.opdef.traits or op.name in _HARMLESS)
        for op in trial.block.ops
    )
    return trial if harmless else None


_HARMLESS = frozenset(["constant", "reshape", "dim_size", "list_len", "cast", "python"])
