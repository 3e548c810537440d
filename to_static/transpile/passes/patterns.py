"""``match`` becomes a chain of ``if``.

Patterns that are values, ``|``, a name or ``_`` are comparisons: ``case 1 | 2`` -> ``subject == 1 or subject == 2``. Patterns that
look into the subject are asked at run time, ``found, names = _jst.match(subject, _jst.sequence(1, _jst.name('y')))``, and the names
are bound before the guard, as Python does: ``if found: (y,) = _jst.captured(names); found = y > 0``.
"""

from __future__ import annotations

from typing import Any

import gast

from to_static.transpile.analysis.known import is_settled
from to_static.transpile.context import Context
from to_static.transpile.trees import template, visiting


def as_ifs(s: gast.Match, ctx: Context) -> list[gast.stmt]:
    """The statements that a ``match`` becomes."""
    subject = ctx.fresh("subject") if is_settled(s.subject, ctx) else ctx.variable("subject")
    out = template.statements("NAME = VALUE", at=s, NAME=subject, VALUE=s.subject)
    return [*out, *_cases(s.cases, subject, ctx)]


def _cases(cases: list[Any], subject: str, ctx: Context) -> list[gast.stmt]:
    """The first case, and in the ``else`` of its condition the others."""
    if not cases:
        return []
    case, *others = cases
    at = case.pattern
    name, test = _simple(case.pattern, subject)
    bind = template.statements("NAME = SUBJECT", at=at, NAME=name, SUBJECT=subject) if name else []
    before: list[gast.stmt] = []
    if test is _LOOKS:
        found, names = ctx.variable("found"), ctx.variable("names")
        pattern = _made(case.pattern)
        before = template.statements(
            "FOUND, NAMES = _jst.match(SUBJECT, PATTERN)", at=at, FOUND=found, NAMES=names, SUBJECT=subject, PATTERN=pattern
        )
        bound = _bound(case.pattern)
        bind = template.statements("(NAMES,) = _jst.captured(FOUND)", at=at, NAMES=bound, FOUND=names) if bound else []
        test = template.expression("FOUND", at=at, FOUND=found)
        if bind and case.guard is not None:
            bind += template.statements("FOUND = GUARD", at=case.guard, FOUND=found, GUARD=case.guard)
            before += template.statements("if FOUND:\n    BIND", at=at, FOUND=found, BIND=bind)
            return [*before, _chosen(case, test, case.body, _cases(others, subject, ctx))]
    if case.guard is None:
        body = [*bind, *case.body]
        return body if test is None else [*before, _chosen(case, test, body, _cases(others, subject, ctx))]
    if test is None:
        return [*bind, _chosen(case, case.guard, case.body, _cases(others, subject, ctx))]
    if bind:  # a value with a name
        found = ctx.variable("found")
        bind += template.statements("FOUND = GUARD", at=case.guard, FOUND=found, GUARD=case.guard)
        before = template.statements("FOUND = TEST", at=at, FOUND=found, TEST=test)
        before += template.statements("if FOUND:\n    BIND", at=at, FOUND=found, BIND=bind)
        test = template.expression("FOUND", at=at, FOUND=found)
        return [*before, _chosen(case, test, case.body, _cases(others, subject, ctx))]
    both = gast.copy_location(gast.BoolOp(gast.And(), [test, case.guard]), at)
    return [*before, _chosen(case, both, case.body, _cases(others, subject, ctx))]


def _chosen(case: Any, test: gast.expr, body: list[gast.stmt], others: list[gast.stmt]) -> gast.If:
    made = template.statement("if TEST:\n    BODY", at=case.pattern, TEST=test, BODY=body)
    made.orelse = others
    guard = f" if {template.text_of(case.guard)}" if case.guard is not None else ""
    made.header = f"case {template.text_of(case.pattern)}{guard}"
    return made


_LOOKS = gast.Constant(None, None)  # the test of a pattern that looks into its subject


def _simple(pattern: Any, subject: str) -> tuple[str, gast.expr | None]:
    """The name that a pattern gives the subject ('' for none), and its test (None: always; `_LOOKS`: at run time)."""
    kind = type(pattern).__name__
    if kind == "MatchAs":
        name, test = ("", None) if pattern.pattern is None else _simple(pattern.pattern, subject)
        return ("", _LOOKS) if name or test is _LOOKS else (pattern.name or "", test)
    if kind == "MatchValue":
        return "", template.expression("SUBJECT == VALUE", at=pattern, SUBJECT=subject, VALUE=pattern.value)
    if kind == "MatchSingleton":
        return "", template.expression(f"SUBJECT is {pattern.value}", at=pattern, SUBJECT=subject)
    if kind == "MatchOr":
        tests = [_simple(p, subject) for p in pattern.patterns]
        if all(not name and test is not None and test is not _LOOKS for name, test in tests):
            return "", gast.copy_location(gast.BoolOp(gast.Or(), [test for _, test in tests]), pattern)
    return "", _LOOKS


def _bound(pattern: Any) -> list[str]:
    """The names that a pattern binds, in the order in which `_made` gives them to the run-time pattern."""
    kind = type(pattern).__name__
    if kind == "MatchOr":
        return _bound(pattern.patterns[0])
    children = list(getattr(pattern, "patterns", [])) + list(getattr(pattern, "kwd_patterns", []))
    if getattr(pattern, "pattern", None) is not None:
        children.append(pattern.pattern)
    own = pattern.rest if kind == "MatchMapping" else getattr(pattern, "name", None)
    return [n for child in children for n in _bound(child)] + ([own] if own else [])


def _made(pattern: Any) -> gast.expr:
    """The expression that makes the run-time pattern."""
    kind = type(pattern).__name__
    if kind == "MatchValue":
        return pattern.value if _literal(pattern.value) else _call("equal(PARTS)", pattern, [_later(pattern.value)])
    if kind == "MatchSingleton":
        return _call(f"same({pattern.value})", pattern)
    if kind == "MatchStar":
        return _call(f"star({pattern.name!r})" if pattern.name else "star()", pattern)
    if kind == "MatchAs" and pattern.pattern is None:
        return _call(f"name({pattern.name!r})" if pattern.name else "anything()", pattern)
    if kind == "MatchAs":
        return _call(f"named(PARTS, {pattern.name!r})", pattern, [_made(pattern.pattern)])
    if kind == "MatchMapping":
        entries = [
            template.expression("(KEY, PATTERN)", at=pattern, KEY=_later(key), PATTERN=_made(value))
            for key, value in zip(pattern.keys, pattern.patterns, strict=True)
        ]
        rest = f", rest={pattern.rest!r}" if pattern.rest else ""
        return _call(f"mapping([PARTS]{rest})", pattern, entries)
    parts = [_made(p) for p in pattern.patterns]
    if kind == "MatchClass":
        made = _call("instance(PARTS)", pattern, [_later(pattern.cls), *parts])
        for attribute, value in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
            made.keywords.append(gast.keyword(attribute, _made(value)))
        return made
    return _call("either(PARTS)" if kind == "MatchOr" else "sequence(PARTS)", pattern, parts)


def _call(text: str, at: gast.AST, parts: list[gast.expr] | None = None) -> gast.expr:
    return template.expression(f"_jst.{text}", at=at, PARTS=parts or [])


def _literal(value: gast.expr) -> bool:
    return not any(isinstance(n, gast.Attribute) for n in visiting.walk(value))


def _later(value: gast.expr) -> gast.expr:
    """``lambda: value``: Python evaluates it only when the pattern comes to it."""
    made = template.expression("lambda: VALUE", at=value, VALUE=value)
    made.thunk = True
    return made
