"""Translates ``match`` into a chain of ``if``: each pattern becomes a condition and assignments.

``case [1, y] if y > 0`` -> ``found = _jst.sequence(subject, 2) and subject[0] == 1``, ``if found: y = subject[1]; found = y > 0``:
a test of a part of the subject becomes a test of the expression for that part. Names are bound before the guard.
"""

from __future__ import annotations

from typing import Any

import gast

from to_static.compiler.frontend.transpile.analysis.static_values import is_settled
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import template, visiting


def as_ifs(s: gast.Match, ctx: Context) -> list[gast.stmt]:
    """Return the statements for a ``match``."""
    subject = ctx.unique_name("subject") if is_settled(s.subject, ctx) else ctx.variable("subject")
    looks = any(type(n).__name__ == "MatchSequence" for case in s.cases for n in visiting.walk(case.pattern))
    value = "_jst.resolve_list(VALUE)" if looks else "VALUE"
    return [*template.statements(f"NAME = {value}", at=s, NAME=subject, VALUE=s.subject), *_cases(s.cases, subject, ctx)]


def _cases(cases: list[Any], subject: str, ctx: Context) -> list[gast.stmt]:
    """Return the statements for the first case, with the next cases in the ``else`` of its condition."""
    if not cases:
        return []
    case, *next_cases = cases
    at, guard = case.pattern, case.guard
    tests, bound = _conditions(case.pattern, subject)
    bind = [template.statement(f"{name} = {value}", at=at) for name, value in bound]
    test = template.expression(" and ".join(tests), at=at) if tests else None
    if guard is None:
        body = [*bind, *case.body]
        return body if test is None else [_chosen(case, test, body, _cases(next_cases, subject, ctx))]
    if test is None:
        return [*bind, _chosen(case, guard, case.body, _cases(next_cases, subject, ctx))]
    if not bind:
        both = template.expression("TEST and GUARD", at=at, TEST=test, GUARD=guard)
        return [_chosen(case, both, case.body, _cases(next_cases, subject, ctx))]
    matched = ctx.variable("found")
    test.truth = True
    bind += template.statements("FOUND = GUARD", at=guard, FOUND=matched, GUARD=guard)
    tests_before = template.statements("FOUND = TEST\nif FOUND:\n    BIND", at=at, FOUND=matched, TEST=test, BIND=bind)
    return [*tests_before, _chosen(case, template.expression(matched, at=at), case.body, _cases(next_cases, subject, ctx))]


def _chosen(case: Any, test: gast.expr, body: list[gast.stmt], otherwise: list[gast.stmt]) -> gast.If:
    test_statement = template.statement("if TEST:\n    BODY", at=case.pattern, TEST=test, BODY=body)
    test_statement.orelse = otherwise
    guard = f" if {template.text_of(case.guard)}" if case.guard is not None else ""
    test_statement.header = f"case {template.text_of(case.pattern)}{guard}"
    return test_statement


def _conditions(pattern: Any, subject: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the conditions under which a pattern matches the expression ``subject``, and its names with their values."""
    pattern_name = type(pattern).__name__
    if pattern_name == "MatchValue":
        return [f"{subject} == {template.text_of(pattern.value)}"], []
    if pattern_name == "MatchSingleton":
        return [f"{subject} is {pattern.value}"], []
    if pattern_name == "MatchAs":
        tests, bound = ([], []) if pattern.pattern is None else _conditions(pattern.pattern, subject)
        return tests, [*bound, (pattern.name, subject)] if pattern.name else bound
    if pattern_name == "MatchOr":
        return _either([_conditions(p, subject) for p in pattern.patterns])
    if pattern_name == "MatchSequence":
        return _sequence(pattern.patterns, subject)
    wanted, count = template.text_of(pattern.cls), len(pattern.patterns)
    tests, bound = [f"_jst.instance({', '.join([subject, wanted, str(count), *map(repr, pattern.kwd_attrs)])})"], []
    values = [f"_jst.field({subject}, {wanted}, {i})" for i in range(count)]
    values += [f"{subject}.{name}" for name in pattern.kwd_attrs]
    parts = zip([*pattern.patterns, *pattern.kwd_patterns], values, strict=True)
    return _all(parts, tests, bound)


def _all(parts: Any, tests: list[str], bound: list[tuple[str, str]]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the conditions and names of several patterns, each with its subject, after ``tests`` and ``bound``."""
    for pattern, subject in parts:
        more, names = _conditions(pattern, subject)
        tests, bound = [*tests, *more], [*names, *bound]
    return tests, bound


def _sequence(patterns: list[Any], subject: str) -> tuple[list[str], list[tuple[str, str]]]:
    """``[a, *rest, b]``"""
    star = next((i for i, p in enumerate(patterns) if type(p).__name__ == "MatchStar"), None)
    if star is None:
        return _all(((p, f"{subject}[{i}]") for i, p in enumerate(patterns)), [f"_jst.sequence({subject}, {len(patterns)})"], [])
    count_after = len(patterns) - star - 1
    positions = [*range(star), *range(-count_after, 0)]
    parts = ((p, f"{subject}[{i}]") for p, i in zip([*patterns[:star], *patterns[star + 1 :]], positions, strict=True))
    name, starred_text = patterns[star].name, f"_jst.list({subject})[{star}:{-count_after or ''}]"
    return _all(parts, [f"_jst.sequence({subject}, {star + count_after}, more=True)"], [(name, starred_text)] if name else [])


def _either(options: list[tuple[list[str], list[tuple[str, str]]]]) -> tuple[list[str], list[tuple[str, str]]]:
    """``a | b``: the first pattern that matches gives the names their values; all patterns have the same names."""
    conditions = [" and ".join(tests) or "True" for tests, _ in options]
    *first_options, last_option = [dict(bound) for _, bound in options]
    names = []
    for name, value in last_option.items():
        for condition, bound in zip(conditions[-2::-1], first_options[::-1], strict=True):
            value = f"{bound[name]} if {condition} else {value}"
        names.append((name, value))
    return [f"({' or '.join(f'({c})' if ' and ' in c else c for c in conditions)})"], names
