"""``"%s" % x``, ``"{}".format(x)`` and ``", ".join(texts)`` with traced values: the results are `Text`."""

from __future__ import annotations

import re
import string
from typing import Any

from to_static.compiler.frontend.jst.tracer_queries import is_traced
from to_static.compiler.frontend.jst.values.number import float_, int_
from to_static.compiler.frontend.jst.values.text import (
    EACH,
    Text,
    between,
    may_hold,
    merged,
    pieces_of,
    resolve_unions,
    text,
)
from to_static.compiler.frontend.tracing.graph_break import GraphBreak, broken
from to_static.compiler.ir.symbolic.sym_number import SymNumber
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.errors import TracedValueError

_PERCENT = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<digits>\*|\d*))?[hlL]?(?P<kind>.)", re.S
)
_WHOLE, _FLOATING = "diuxXo", "eEfFgG"
_FSTRING = 'an f-string: `f"{x:.2f}"`'


def percent(template: Any, right: Any) -> Any:
    """``left % right``"""
    if type(template) is not str or not may_hold(right):
        return template % right
    values = list(right) if type(right) is tuple else [right]
    if any(type(value) in EACH for value in values):
        words = f"a `%` format of a value whose type a tensor decides{in_expression()}"
        raise broken(words, 'an f-string: `f"{x}"`', TracedValueError)
    pieces: list[Any] = []
    end = used = 0
    for field in _PERCENT.finditer(template):
        pieces.append(template[end : field.start()])
        end = field.end()
        if field["kind"] == "%":
            pieces.append("%")
            continue
        if field["key"] is not None:
            value = right[field["key"]]
        elif used < len(values):
            value, used = values[used], used + 1
        else:
            raise TypeError("not enough arguments for format string")
        pieces += _field(value, field)
    if used < len(values) and not isinstance(right, dict):
        raise TypeError("not all arguments converted during string formatting")
    return Text(merged([*pieces, template[end:]]))


def _field(value: object, match: re.Match[str]) -> list[Any]:
    """Return the pieces of one field, such as ``%5.2f``, for a value."""
    flags, width, digits, conversion = match["flags"], match["width"] or "", match["digits"], match["kind"]
    if not may_hold(value) and "*" not in (width, digits):
        return [f"%{flags}{width}{'' if digits is None else '.' + digits}{conversion}" % (value,)]
    is_left = "-" in flags
    precision = "" if digits is None else f".{digits or 0}"
    if "*" in (width, digits) or conversion not in "sr" + _WHOLE + _FLOATING or (precision and conversion in _WHOLE):
        raise _unable(f"`%{conversion}` of a tensor")
    if conversion in "sr":
        spec = f"{'<' if is_left else '>'}{width}{precision}" if width or precision else ""
        return pieces_of(value, conversion, spec)
    if not is_traced(value):
        raise TypeError(f"%{conversion} format: a real number is required, not {type(value).__name__}")
    if conversion in "xXo" and not (isinstance(value, SymNumber) and value.python_type is not float):
        raise _unable(f"`%{conversion}` of a tensor")
    sign = "+" if "+" in flags else " " if " " in flags else ""
    zero = "0" if "0" in flags and not is_left else ""
    spec = f"{'<' if is_left else ''}{sign}{'#' if '#' in flags else ''}{zero}{width}{precision}"
    converted = float_(value) if conversion in _FLOATING else int_(value)
    return pieces_of(converted, "", spec + ("d" if conversion in "iu" else conversion))


def format_of(template: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``template.format(*args, **kwargs)``"""
    if not (any(map(may_hold, args)) or any(map(may_hold, kwargs.values()))):
        return template.format(*args, **kwargs)
    parts: list[Any] = []
    count = 0
    for words, field, spec, conversion in string.Formatter().parse(template):
        parts.append(words)
        if field is None:
            continue
        if spec and "{" in spec:
            raise _unable("a format in a format")
        if not field or field[0] in ".[":
            field, count = f"{count}{field}", count + 1
        value, _ = string.Formatter().get_field(field, args, kwargs)
        parts.append((value, conversion or "", spec or ""))
    return text(*parts)


def joined(separator: str, items: list[Any]) -> Any:
    """``separator.join(items)``"""
    if not any(map(may_hold, items)):
        return separator.join(items)
    if any(type(item) in EACH for item in items):
        return resolve_unions(lambda *now: joined(separator, list(now)), items)
    for i, part in enumerate(items):
        if not isinstance(part, (str, Text)):  # Python says of what kind it is
            raise TypeError(f"sequence item {i}: expected str instance")
    return Text(merged(between(separator, list(map(pieces_of, items)))))


def _unable(what: str) -> GraphBreak:
    return broken(f"{what} in a string{in_expression()}", _FSTRING, TracedValueError)
