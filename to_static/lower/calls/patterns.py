"""``match``: what the patterns of a ``case`` ask of a subject, in Python's order, with answers that may depend on tensors.

``found, names = _jst.match(subject, _jst.sequence(1, _jst.name('y'), _jst.star('rest')))``: ``found`` is a bool or a traced one,
``names`` the values of the captured names in the order of the text; ``_jst.captured(names)`` gives them where the case is taken.
Structure (types, lengths, keys, attributes) is Python's and is decided while tracing; comparisons with literals may be traced.
In place of a `Pattern` may stand the value that the subject must equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from to_static.ir.number import number
from to_static.lower.calls.predicates import is_, isinstance_
from to_static.lower.control.branch import if_
from to_static.lower.control.logic import and_, or_
from to_static.lower.objects.optional import Optional
from to_static.lower.objects.tensor_list import TensorList
from to_static.lower.objects.variables import bound
from to_static.lower.traced import is_traced
from to_static.lower.values.number import len_, protocol_truth
from to_static.lower.values.unbound import unbound
from to_static.tracing.session import building, current

Found = tuple[Any, tuple[Any, ...]]  # whether it matches, and the values of its names
_MISSING = object()
# types whose one positional sub-pattern is for the value itself
_SELF = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


class Pattern:
    """``names`` in order of binding; ``find(subject)`` answers for a subject of one kind; ``looks``: it may fail."""

    def __init__(self, names: tuple[str, ...], find: Callable[[Any], Found], looks: bool = True) -> None:
        self.names = names
        self.find = find
        self.looks = looks


def match(subject: Any, pattern: Any) -> Found:
    """Whether ``subject`` matches ``pattern``, and the values of the names."""
    pattern = _pattern(pattern)
    if building():
        subject = current().effects.standing_for(subject)
    if type(subject) is Optional and pattern.looks:
        return subject.each(pattern.find)  # type: ignore[no-any-return]
    return pattern.find(subject)


def captured(names: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of a matching pattern's names."""
    return tuple(map(bound, names))


def anything() -> Pattern:
    """``_``"""
    return Pattern((), lambda subject: (True, ()), looks=False)


def name(text: str) -> Pattern:
    """A name, which takes whatever there is."""
    return Pattern((text,), lambda subject: (True, (subject,)), looks=False)


def star(text: str = "") -> Pattern:
    """``*rest`` in a sequence."""
    made = name(text) if text else anything()
    made.star = True  # type: ignore[attr-defined]
    return made


def equal(value: Callable[[], Any]) -> Pattern:
    """A dotted name, evaluated when it is compared."""

    def find(subject: Any) -> Found:
        answer = protocol_truth(subject == value())
        return (number(answer) if is_traced(answer) else answer), ()

    return Pattern((), find)


def same(value: Any) -> Pattern:
    """None, True or False."""
    return Pattern((), lambda subject: (is_(subject, value), ()))


def named(pattern: Any, text: str) -> Pattern:
    """``pattern as text``"""
    inner = _pattern(pattern)

    def find(subject: Any) -> Found:
        found, names = match(subject, inner)
        return found, (*names, subject)

    return Pattern((*inner.names, text), find, inner.looks)


def either(*options: Any) -> Pattern:
    """``a | b``: the first that matches; all bind the same names."""
    patterns = [_pattern(p) for p in options]
    order = patterns[0].names

    def first(subject: Any, left: list[Pattern]) -> Found:
        found, names = match(subject, left[0])
        names = tuple(names[left[0].names.index(n)] for n in order)
        if found is True or len(left) == 1:
            return found, names
        if found is False:
            return first(subject, left[1:])
        if not order:
            return or_(found, lambda: first(subject, left[1:])[0]), ()
        return if_(found, lambda: (True, names), lambda: first(subject, left[1:]))  # type: ignore[no-any-return]

    return Pattern(order, lambda subject: first(subject, patterns))


def sequence(*items: Any) -> Pattern:
    """``[a, *rest, b]``"""
    patterns = [_pattern(p) for p in items]
    at = next((i for i, p in enumerate(patterns) if hasattr(p, "star")), None)
    after = len(patterns) - 1 - at if at is not None else 0

    def values(subject: Any) -> list[Any]:
        if isinstance(subject, TensorList):
            if at is None:
                return [subject[i] for i in range(len(patterns))]
            tail = [subject[i] for i in range(-after, 0)]
            return [*(subject[i] for i in range(at)), subject[at : -after or None], *tail]
        found = list(subject)
        return found if at is None else [*found[:at], found[at : len(found) - after], *found[len(found) - after :]]

    def find(subject: Any) -> Found:
        if not isinstance_(subject, Sequence) or isinstance_(subject, (str, bytes, bytearray)):
            return _failed(patterns)
        length = len_(subject)
        fits = length == len(patterns) if at is None else length >= len(patterns) - 1
        if is_traced(fits):
            return if_(fits, lambda: _all(patterns, values(subject)), lambda: _failed(patterns))  # type: ignore[no-any-return]
        return _all(patterns, values(subject)) if fits else _failed(patterns)

    return Pattern(_names(patterns), find)


def mapping(entries: Sequence[tuple[Callable[[], Any], Any]], rest: str = "") -> Pattern:
    """``{key: pattern, **rest}``"""
    patterns = [_pattern(p) for _, p in entries] + ([name(rest)] if rest else [])

    def find(subject: Any) -> Found:
        if not isinstance_(subject, Mapping) or len(subject) < len(entries):
            return _failed(patterns)
        keys: list[Any] = []
        for key in (k() for k, _ in entries):
            if key in keys:
                raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
            keys.append(key)
        values = [subject.get(key, _MISSING) for key in keys]
        if any(v is _MISSING for v in values):
            return _failed(patterns)
        others = [{k: v for k, v in subject.items() if k not in keys}] if rest else []
        return _all(patterns, values + others)

    return Pattern(_names(patterns), find)


def instance(kind: Callable[[], Any], *positional: Any, **attributes: Any) -> Pattern:
    """``Kind(a, b, field=c)``"""
    patterns = [_pattern(p) for p in (*positional, *attributes.values())]

    def find(subject: Any) -> Found:
        wanted = kind()
        if not isinstance(wanted, type):
            raise TypeError("called match pattern must be a class")
        if not isinstance_(subject, wanted):
            return _failed(patterns)
        values, fields = _positional(subject, wanted, len(positional))
        for field in (*fields, *attributes):
            value = getattr(subject, field, _MISSING)
            if value is _MISSING:
                return _failed(patterns)
            values.append(value)
        doubled = [f for f in attributes if f in fields]
        if doubled:
            raise TypeError(f"{wanted.__name__}() got multiple sub-patterns for attribute {doubled[0]!r}")
        return _all(patterns, values)

    return Pattern(_names(patterns), find)


def _positional(subject: Any, kind: type, count: int) -> tuple[list[Any], tuple[str, ...]]:
    """What ``count`` positional sub-patterns look at: the subject itself, or the attributes of these names."""
    if not count:
        return [], ()
    fields = getattr(kind, "__match_args__", None)
    itself = fields is None and issubclass(kind, _SELF)
    if fields is None:
        fields = ()
    if not isinstance(fields, tuple):
        raise TypeError(f"{kind.__name__}.__match_args__ must be a tuple (got {type(fields).__name__})")
    allowed = 1 if itself else len(fields)
    if count > allowed:
        plural = "" if allowed == 1 else "s"
        raise TypeError(f"{kind.__name__}() accepts {allowed} positional sub-pattern{plural} ({count} given)")
    return ([subject], ()) if itself else ([], fields[:count])


def _pattern(value: Any) -> Pattern:
    return value if isinstance(value, Pattern) else equal(lambda: value)


def _names(patterns: list[Pattern]) -> tuple[str, ...]:
    return tuple(n for p in patterns for n in p.names)


def _failed(patterns: list[Pattern]) -> Found:
    return False, tuple(map(unbound, _names(patterns)))


def _all(patterns: list[Pattern], values: list[Any]) -> Found:
    """Whether each value matches its pattern, from the left: what follows a failure is not looked at."""
    if not patterns:
        return True, ()
    found, names = match(values[0], patterns[0])
    rest = patterns[1:]
    if found is False:
        return _failed(patterns)
    if found is True or not any(p.looks for p in rest):
        more, others = _all(rest, values[1:])
        return (more if found is True else found), (*names, *others)
    if not _names(rest):
        return and_(found, lambda: _all(rest, values[1:])[0]), names
    more, others = if_(found, lambda: _all(rest, values[1:]), lambda: _failed(rest))
    return more, (*names, *others)
