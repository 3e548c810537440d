"""``'%s' % x``, ``'{}'.format(x)``, ``', '.join(texts)`` and ``format(x, '.2f')`` where tensors take part."""

from __future__ import annotations

import builtins
import re
import string
from typing import Any

import numpy as np

from to_static.core.dtypes import float64, int64
from to_static.core.errors import TranslationError
from to_static.core.expressions import quoted
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.tensor import Tensor
from to_static.jit.jst.casts import float_, int_
from to_static.jit.jst.catching import check
from to_static.jit.jst.choice import Choice, select
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.collect import collected
from to_static.jit.jst.kinds import Const, Leaf, Made, Words, layout
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.rows import Rows
from to_static.jit.jst.text import Parts, Piece, Text, may_hold, picked, pieces_of, plain_pieces, text
from to_static.jit.jst.traced import constant, failure, is_traced
from to_static.ops.control import kinds_of_words, one_word, words

_PERCENT = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<digits>\*|\d*))?[hlL]?(?P<kind>.)", re.S
)


def percent(template: Any, values: Any) -> Any:
    """``template % values``"""
    if type(template) is not str or not may_hold(values):
        return template % values
    return chosen(lambda v: _percent(template, v), values)


def format_(value: Any, spec: Any = "") -> Any:
    """``format``"""
    if not may_hold((value, spec)):
        return builtins.format(value, spec)
    return chosen(lambda v: text((v[0], "", v[1])), (value, spec))


def format_of(template: str) -> Any:
    """``template.format``"""

    def made(*args: Any, **kwargs: Any) -> Any:
        if not may_hold((args, kwargs)):
            return template.format(*args, **kwargs)
        return chosen(lambda v: text(*_fields(template, v[0], v[1])), (args, kwargs))

    return made


def format_map_of(template: str) -> Any:
    """``template.format_map``"""

    def made(mapping: Any) -> Any:
        return format_of(template)(**mapping) if may_hold(mapping) else template.format_map(mapping)

    return made


def join_of(separator: str) -> Any:
    """``separator.join``"""

    def made(items: Any) -> Any:
        if type(items) is Choice:
            return select(items, made)
        items = collected(items)
        if isinstance(items, TensorList):
            joined = joined_parts(separator, items)
            return Text([joined if separator else Parts(items.elements())])
        if is_traced(items) or isinstance(items, (str, bytes)):
            return separator.join(items)
        items = picked(list(items))
        return chosen(lambda v: _join(separator, v), items) if may_hold(items) else separator.join(items)

    return made


def joined_parts(separator: str, items: Any) -> Piece:
    """As many strings as a tensor says."""
    kinds = items.kinds if isinstance(items, Rows) else []
    wrong = {i: name for i, kind in enumerate(kinds) if (name := _other_type(kind))}
    made = ["" if i in wrong else _spelled(kind) for i, kind in enumerate(kinds)]
    if not kinds or None in made:
        raise failure(
            TranslationError,
            f"a list that changes under a tensor condition or in a tensor loop is joined to a string{quoted()}, and its items are "
            "neither known strings nor strings made of one number",
            "return the list, and join it outside of the static function: `''.join(f(x))`",
        )
    which = _stacked(items.columns[0], int64)
    if wrong:
        _check_strings(which, wrong, len(kinds))
    leaves = [_stacked(x, leaf.dtype) for x, leaf in zip(items.columns[1:], layout(kinds)[0], strict=True)]
    return Piece(FUNCTIONS["stack"](_one_dtype(which, leaves), 1), how=words(separator, made))


def _one_dtype(which: Any, leaves: list[Any]) -> list[Any]:
    """Columns of one dtype: the kinds of strings, and the numbers that they are made of. Where these are ints and floats, those
    of the ints in two halves, then those of the floats: a float has no room for all ints.
    """
    whole: Any = [FUNCTIONS["cast"](x, int64) for x in leaves if x.dtype is not float64]
    floats = [x for x in leaves if x.dtype is float64]
    if not floats:
        return [which, sum(whole[1:], whole[0]) if whole else which]
    made = [which, *floats]
    if whole:
        number = sum(whole[1:], whole[0])
        half = FUNCTIONS["floor_divide"](number, 1 << 32)
        made = [which, half, number - half * (1 << 32), *floats]
    return [FUNCTIONS["cast"](x, float64) for x in made]


def _other_type(kind: Any) -> str:
    """The name of the type of items that are no strings."""
    if isinstance(kind, Const):
        return "" if type(kind.value) is str else type(kind.value).__name__
    return (kind.number or Tensor).__name__ if isinstance(kind, Leaf) else ""


def _check_strings(which: Any, wrong: dict[int, str], count: int) -> None:
    """Python's error where an item is no string. ``which``: the kinds of the items (of ``count``); ``wrong``: not strings."""
    kinds = FUNCTIONS["concat"]([which, constant(min(wrong), int64, (1,))])  # so that there is a first one
    table = mode.state.mode.constant(np.isin(np.arange(count), list(wrong)))
    place = FUNCTIONS["argmax"](FUNCTIONS["cast"](table[kinds], int64))
    for i, name in wrong.items():
        text = Text(["sequence item ", Piece(number(place)), f": expected str instance, {name} found"])
        check((place == which.shape[0]).logical_or(kinds[place] != i), TypeError(text))


def _spelled(kind: Any) -> Any:
    """How a string of this kind is made (see `ops.control.words`); None where that can't be said."""
    if isinstance(kind, Const):
        return kind.value if type(kind.value) is str else None
    if not (isinstance(kind, Made) and isinstance(kind.type, Words) and len(kind.parts) == 1):
        return None
    pieces = kind.type.pieces
    at = next(i for i, piece in enumerate(pieces) if type(piece) is tuple)
    before, after = "".join(pieces[:at]), "".join(pieces[at + 1 :])
    conversion, spec, how = pieces[at]
    if how:
        return one_word(how, before, after)
    number = kind.parts[0].number
    return None if number is None else (before, conversion, spec, after, number.__name__)


def can_be_joined(kinds: list[Any]) -> bool:
    """Whether the Program can make one string of strings of these kinds."""
    return all(_spelled(kind) is not None for kind in kinds)


def _stacked(column: Any, dtype: Any) -> Any:
    """The numbers of a list, which may be empty."""
    longer = FUNCTIONS["list_append"](column, constant(0, dtype))
    return FUNCTIONS["list_stack"](longer, 0)[:-1]


def size_of(made: Text, exact: bool) -> Any:
    """The length of a string that is known when the Program runs; not ``exact``: a number that is 0 where it is empty."""
    total: Any = 0
    for piece in plain_pieces(made):
        if isinstance(piece, str):
            total = total + len(piece)
            continue
        separator, kinds = kinds_of_words(piece.how) if piece.how else (None, None)
        if exact and any(type(kind) is not str and len(kind) > 1 for kind in kinds or [(1, 2)]):
            made._refuse()
        if kinds is None:
            total = total + 1
        elif separator is None:
            total = total + number(mode.state.mode.constant(np.asarray(list(map(len, kinds)), "int64"))[piece.value])
        else:
            count = piece.value.shape[0]
            total = total + _row_sizes(piece.value, kinds) + (count - 1) * (count > 0) * len(separator)
    return total


def _row_sizes(rows: Any, kinds: list[Any]) -> Any:
    """The length of all parts, of which those that are made of a number count as one."""
    width = max(1 if type(kind) is str or len(kind) > 1 else len(kind[0]) for kind in kinds)
    sizes = np.ones((len(kinds), width), "int64")
    for i, kind in enumerate(kinds):
        if type(kind) is str or len(kind) == 1:
            sizes[i, : 1 if type(kind) is str else len(kind[0])] = len(kind) if type(kind) is str else list(map(len, kind[0]))
    is_table = np.asarray([type(kind) is not str and len(kind) == 1 for kind in kinds], "int64")
    which = FUNCTIONS["cast"](rows[:, 0], int64)
    place = FUNCTIONS["cast"](rows[:, 1 if rows.shape[1] == 2 else 2], int64)
    constant = mode.state.mode.constant
    return number(FUNCTIONS["sum"](constant(sizes.ravel())[which * width + place * constant(is_table)[which]]))


def _join(separator: str, items: list[Any]) -> Any:
    parts: list[Any] = []
    for i, item in enumerate(items):
        if not isinstance(item, (str, Text)):
            kind = item.python_type if isinstance(item, Number) else type(item)
            raise TypeError(f"sequence item {i}: expected str instance, {kind.__name__} found")
        parts += ([separator] if i and separator else []) + pieces_of(item)
    return Text(parts) if any(not isinstance(p, str) for p in parts) else "".join(parts)


def _fields(template: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """The parts of an f-string that gives the same text."""
    formatter, position = string.Formatter(), 0
    parts: list[Any] = []
    for literal, field, spec, conversion in formatter.parse(template):
        if literal:
            parts.append(literal)
        if field is None:
            continue
        if field == "" or field[0] in ".[":
            field, position = f"{position}{field}", position + 1
        value, _ = formatter.get_field(field, args, kwargs)
        if spec and "{" in spec:
            spec = spec.format(*args, **kwargs)
        parts.append((value, conversion or "", spec or ""))
    return parts


def _percent(template: str, values: Any) -> Any:
    rest = iter(values if type(values) is tuple else (values,))
    parts: list[Any] = []
    end = used = 0
    for hole in _PERCENT.finditer(template):
        parts.append(template[end : hole.start()])
        end = hole.end()
        if hole["kind"] == "%":
            parts.append("%")
            continue
        width, digits = (_size(hole[name], rest) for name in ("width", "digits"))
        try:
            value = values[hole["key"]] if hole["key"] is not None else next(rest)
        except StopIteration:
            raise TypeError("not enough arguments for format string") from None
        used += 1
        parts.append(_hole(value, hole["kind"], hole["flags"], width, digits))
    if type_of(values) is not dict and used and next(rest, None) is not None:
        raise TypeError("not all arguments converted during string formatting")
    return text(*parts, template[end:])


def _size(found: str | None, rest: Any) -> str | None:
    return str(next(rest)) if found == "*" else found


def _hole(value: Any, kind: str, flags: str, width: str | None, digits: str | None) -> Any:
    """One hole as the part of an f-string."""
    if kind in "sra":
        conversion = kind if kind != "s" or not isinstance(value, (str, Text)) else ""
        spec = ("<" if "-" in flags else ">") + width if width else ""
        return value, conversion, spec + ("" if digits is None else f".{digits or 0}")
    if kind not in "diuxXoeEfFgG" or (digits is not None and kind in "diuxXo"):
        written = f"%{flags}{width or ''}{'' if digits is None else '.' + digits}{kind}"
        if not is_traced(value):
            return written % value
        raise failure(TranslationError, f"{written!r} of a value that depends on tensors", "an f-string, for instance `f'{x:>5}'`")
    whole = kind in "diuxXo"
    if is_traced(value):
        value = int_(value) if whole else float_(value)
    elif whole and kind in "diu":
        value = int(value)
    kind = "d" if kind in "iu" else kind
    align = "<" if "-" in flags else ""
    sign = "+" if "+" in flags else " " if " " in flags else ""
    zero = "0" if "0" in flags and not align and width else ""
    precision = "" if digits is None else f".{digits or 0}"
    return value, "", align + sign + ("#" if "#" in flags else "") + zero + (width or "") + precision + kind
