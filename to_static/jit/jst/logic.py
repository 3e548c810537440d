"""``and``, ``or``, ``not`` and chained comparisons with Python's meaning: lazy, and giving back operands."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from to_static.core.dtypes import bool_
from to_static.core.errors import TranslationError
from to_static.ir import mode
from to_static.ir.edit import has
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.jit.jst.blocks import BlockRaises, in_block
from to_static.jit.jst.branch import if_
from to_static.jit.jst.copies import Copies
from to_static.jit.jst.growth import Grows
from to_static.jit.jst.rows import Widens
from to_static.jit.jst.special import asked
from to_static.jit.jst.traced import has_several, is_tensor, is_traced, truth

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "is": operator.is_, "is not": operator.is_not, "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip


def and_(first: Any, *rest: Callable[[], Any]) -> Any:
    """``first and rest[0]() and ...`` as a condition: only the truth of the result counts."""
    return _lazy(first, rest, "logical_and", True)


def or_(first: Any, *rest: Callable[[], Any]) -> Any:
    """``first or rest[0]() or ...`` as a condition: only the truth of the result counts."""
    return _lazy(first, rest, "logical_or", True)


def and_value(first: Any, *rest: Callable[[], Any]) -> Any:
    """``first and rest[0]() and ...``: the operand that Python would give."""
    return _lazy(first, rest, "logical_and", False)


def or_value(first: Any, *rest: Callable[[], Any]) -> Any:
    """``first or rest[0]() or ...``: the operand that Python would give."""
    return _lazy(first, rest, "logical_or", False)


def not_(value: Any) -> Any:
    """``not value``"""
    value = asked(value)
    return number(FUNCTIONS["logical_not"](truth(value))) if is_traced(value) else not value


def compare(left: Any, sign: str, right: Callable[[], Any], *rest: Any) -> Any:
    """``left < a <= b ...``: every operand is evaluated at most once, and none after the first comparison that fails."""
    from to_static.jit.jst import sequences

    middle = right()
    result = (sequences.COMPARE.get(sign) or _COMPARE[sign])(left, middle)
    return and_value(result, lambda: compare(middle, *rest)) if rest else result


def _lazy(value: Any, rest: tuple[Callable[[], Any], ...], operation: str, truth_only: bool) -> Any:
    conjunction = operation == "logical_and"
    for place, thunk in enumerate(rest):
        if is_traced(value):  # from the left, one operand at a time: each is traced twice at most
            _check_one(value, place, rest[place:])
            value = _decided(value, thunk, operation, place) if truth_only else _operand(value, thunk, operation)
            continue
        answer = asked(value)
        if is_traced(answer):  # of a class of the user's
            if truth_only:  # the object is not asked again
                value = _decided(answer, thunk, operation, place)
                continue
            value = if_(answer, thunk if conjunction else lambda: value, (lambda: value) if conjunction else thunk)  # noqa: B023
            continue
        if bool(answer) is not conjunction:
            return answer if truth_only else value
        value = thunk()
    if truth_only and is_traced(value):
        _check_one(value, len(rest))
    return value


def _check_one(value: Any, place: int, behind: tuple[Callable[[], Any], ...] = ()) -> None:
    """Refuse an operand of several elements, together with those ``behind`` it that have several, too."""
    if has_several(value):
        trials = map(_trial, behind)
        truth(value, operands=[place, *(i for i, made in enumerate(trials, place + 1) if made and has_several(made.value))])


def _decided(left: Any, right: Callable[[], Any], operation: str, place: int) -> Any:
    """The truth: a boolean op when the right operand can be computed at any time, else a branch. ``place``: of the left one."""
    left = truth(left)
    trial = _trial(lambda: _truth(right(), place + 1))
    if trial is not None and _harmless(trial):
        other = _truth(right(), place + 1)
        if isinstance(other, bool):  # the constant decides, or leaves the left operand
            return other if other is (operation == "logical_or") else number(left)
        return number(FUNCTIONS[operation](left, other))
    if operation == "logical_and":
        return if_(left, lambda: _flag(right(), place + 1), lambda: False)
    return if_(left, lambda: True, lambda: _flag(right(), place + 1))


def _harmless(trial: Any) -> bool:
    """True when these operations neither fail nor cost much, so that they may run whether or not Python would run them."""
    return not trial.rebound and all(map(_is_harmless, trial.block.ops))


def _is_harmless(op: Any) -> bool:
    return not has(op, "fails") and ("elementwise" in op.opdef.traits or op.name in _HARMLESS)


def _trial(right: Callable[[], Any]) -> Any:
    """The right operand traced to see what it takes; None when it belongs into a branch: it fails, or changes objects."""
    current, copies = mode.state.mode, Copies()
    try:
        made = current.trace_block(in_block(current, copies, right, right))
    except TranslationError:
        raise  # an object has changed that the block has no copy of
    except (Exception, BlockRaises, Grows, Widens):
        return None
    return None if copies.attributes.before else made


def _truth(value: Any, place: int) -> Any:
    value = asked(value)
    return truth(value, operands=(place,)) if is_traced(value) else bool(value)


def _flag(value: Any, place: int) -> Any:
    value = asked(value)
    return number(truth(value, operands=(place,))) if is_traced(value) else bool(value)


def _operand(left: Any, right: Callable[[], Any], operation: str) -> Any:
    """A boolean op when both are booleans of one kind and the right one can be computed at any time, else a branch."""
    if is_tensor(left) and left.spec.dtype is bool_ and left.spec.size == 1:
        trial = _trial(right)
        alike = trial is not None and is_tensor(trial.value) and trial.value.spec == left.spec
        if alike and isinstance(left, Number) is isinstance(trial.value, Number) and _harmless(trial):
            made = FUNCTIONS[operation](left, right())
            return number(made) if isinstance(left, Number) else made
    if operation == "logical_and":
        return if_(left, right, lambda: left)
    return if_(left, lambda: left, right)


# ops that neither fail nor cost much: a right operand made of these may be computed whether or not Python would
_HARMLESS = frozenset(["constant", "reshape", "dim_size", "list_len", "cast", "python"])
