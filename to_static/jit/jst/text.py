"""Strings with tensors in them: f-strings, ``str()`` and ``repr()`` whose text is known only when the Program runs."""

from __future__ import annotations

import builtins
import collections
import math
import re
import types
from collections.abc import Callable
from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.ir import mode
from to_static.ir.number import Number
from to_static.ir.spec import ListSpec, TensorSpec
from to_static.ir.tensor import Tensor
from to_static.jit.contents import is_users
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.traced import failure, is_traced
from to_static.jit.recording import read_whole
from to_static.ops.control import spelled as spelled_by
from to_static.ops.control import words

_MARK = re.compile("\ue000(\\d+)\ue001")  # what stands for a tensor in a string that Python makes
_MANY = 16  # strings that tensors choose among
_CLOSED = frozenset([str, bytes, int, float, bool, complex, type(None), type, types.FunctionType, types.ModuleType])


class Piece:
    """A tensor in a text, with its conversion ('', 's', 'r' or 'a') and format specification, or ``how`` its numbers stand for
    strings (see `ops.control.words`).
    """

    __slots__ = ("conversion", "how", "spec", "value")

    def __init__(self, value: Tensor, conversion: str = "", spec: str = "", how: str = "") -> None:
        self.value = value
        self.conversion = conversion
        self.spec = spec
        self.how = how

    @property
    def form(self) -> str:
        """How the operators `print` and `assert` fill the hole: kind and specification."""
        if self.how:
            return f"words:{self.how}"
        if isinstance(self.value.spec, ListSpec):
            kind = "tensors" if self.value.holds in (None, Tensor) else "numbers"  # type: ignore[attr-defined]
        elif self.value.python_type is not None:
            kind = "number"
        else:
            kind = "tensor" if self.value.stop_gradient else "grad"  # type: ignore[attr-defined]
        return f"{kind}:{self.conversion}:{self.spec}" if self.spec or self.conversion else kind

    def plain(self) -> Piece:
        """A tensor and how it is made a string."""
        return self

    @property
    def carried(self) -> Any:
        """What branches join and loops carry of it."""
        return self.value

    def holding(self, value: Any) -> Piece:
        """One like this of another ``carried`` value."""
        return Piece(value, self.conversion, self.spec, self.how)


class Parts(Piece):
    """A string of as many parts as tensors say: the items of the list ``rows`` (see `grown`)."""

    __slots__ = ("rows",)
    form = "parts"

    def __init__(self, rows: Any) -> None:
        self.rows = rows

    def plain(self) -> Piece:
        """The numbers that stand for the parts, as the Program has them where it is asked."""
        from to_static.jit.jst.formatting import joined_parts

        return joined_parts("", self.rows)

    @property
    def carried(self) -> Any:
        """The list of its parts."""
        return self.rows

    def holding(self, value: Any) -> Piece:
        """The string of other parts."""
        return Parts(value)


class Text:
    """A string to be: Python strings and `Piece` in order. It can be printed, raised, asserted, joined by ``+`` and returned."""

    __slots__ = ("pieces",)
    stands_for = str
    known_later = True

    def __init__(self, pieces: list[Any]) -> None:
        self.pieces = pieces

    def __add__(self, other: Any) -> Any:
        if hasattr(type(other), "options"):
            return self + one_of(other.which, other.options) if is_picked(other) else other.each(lambda option: self + option)
        if not isinstance(other, (str, Text)):
            raise TypeError(f'can only concatenate str (not "{type(other).__name__}") to str')
        return Text([*self.pieces, *pieces_of(other)])

    def __radd__(self, other: Any) -> Text:
        return Text([*pieces_of(other), *self.pieces])

    def __mul__(self, count: Any) -> Any:
        if isinstance(count, Number):
            return mode.state.mode.repeats(self, count)
        return Text(self.pieces * count) if type(count) is int and count > 0 else self._refuse() if type(count) is not int else ""

    __rmul__ = __mul__

    def size(self, exact: bool = True) -> Any:
        """Its length; not ``exact``: a number that is 0 where it is empty."""
        from to_static.jit.jst.formatting import size_of

        return size_of(self, exact)

    def _refuse(self, *args: Any, rewrite: str = "", **kwargs: Any) -> Any:
        raise failure(
            TracedValueError,
            f"a string{quoted()} holds the numbers of a tensor, or as many parts as tensors say, which are known only when the "
            "Program runs: it can be printed, put into an assertion or an error, joined to other strings and returned, and nothing "
            "else",
            rewrite or "return it, or the tensor, and go on with the string outside of the static function: `str(f(x))`",
        )

    def _compare(self, other: Any) -> Any:
        grown = any(type(piece) is Parts for piece in self.pieces)
        return self._refuse(rewrite="" if grown else "the numbers themselves: `n == 1` in place of `f'layer{n}' == 'layer1'`")

    __str__ = __format__ = __len__ = __iter__ = __bool__ = __getitem__ = __mod__ = __contains__ = _refuse
    __int__ = __float__ = _refuse
    __eq__ = __lt__ = __gt__ = __le__ = __ge__ = _compare  # type: ignore[assignment]

    def __hash__(self) -> int:
        return self._refuse(rewrite="the number itself as key: `d[n]` in place of `d[f'layer{n}']`")  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        return self._refuse()

    def __repr__(self) -> str:
        return "<text with tensors>" if mode.state.mode.spells is None else self._refuse()


def worded(value: Any, conversion: str = "") -> Any:
    """What the text of an error is made of where that is known only when the Program runs; any other value as it is."""
    if not isinstance(value, BaseException) or not holds_later(value.args):
        return value
    if conversion in ("r", "a") and type(value).__repr__ is BaseException.__repr__:
        args = [part for arg in value.args for part in (", ", (arg, "r", ""))][1:]
        return text(f"{type(value).__name__}(", *args, ")")
    if type(value).__str__ is KeyError.__str__ and len(value.args) == 1 and not isinstance(value.args[0], Text):
        return repr_(value.args[0])
    if conversion in ("r", "a") or type(value).__str__ is not BaseException.__str__:
        raise failure(
            TracedValueError,
            f"the text of a {type(value).__name__}{quoted()} depends on a tensor",
            "take its arguments, `error.args`, or an error whose text is its argument, such as a ValueError",
        )
    return value.args[0] if len(value.args) == 1 else value.args


def pieces_of(value: Any, conversion: str = "s", spec: str = "") -> list[Any]:
    """What a value that is printed, or stands in an f-string, consists of: strings and `Piece`."""
    value = worded(value, conversion)
    if isinstance(value, Text):
        return value.pieces if not spec and conversion not in ("r", "a") else value._refuse()  # type: ignore[no-any-return]
    if is_traced(value) and not getattr(value, "undecided", False) and _is_one(value, conversion):
        return [*([] if spec else _before(value)), Piece(value, conversion if spec or conversion != "s" else "", spec)]
    if not may_hold(value):
        return [_formatted(value, conversion, spec)]
    made = spelled(value, lambda v: _formatted(v, conversion, spec))
    if conversion and spec and len(made) > 1:
        raise failure(
            TracedValueError,
            f"a format for the text of a {type(value).__name__}{quoted()} that has tensors in it",
            "a format for each of them, for instance `f'{x:8.2f}'`",
        )
    return made


def _is_one(value: Any, conversion: str) -> bool:
    """Whether the text is that of a tensor, or of a list (whose own format takes no specification, as Python says)."""
    return isinstance(value.spec, TensorSpec) or (bool(conversion) and value.is_spelled())


def _before(value: Any) -> list[str]:
    """What stands before the text of a tensor."""
    return ["Parameter containing:\n"] if getattr(value, "is_parameter", False) else []


def spelled(value: Any, make: Callable[[Any], str]) -> list[Any]:
    """The pieces of a string that Python itself makes (``make``) of an object which may hold tensors."""
    builder, found = mode.state.mode, []

    def mark(tensor: Any, conversion: str, spec: str, how: str = "") -> str:
        found.append(Piece(tensor, conversion if conversion == "a" else "", spec, how))
        return "".join([] if how else _before(tensor)) + f"\ue000{len(found) - 1}\ue001"

    before, builder.spells = builder.spells, mark
    try:
        parts: list[Any] = _MARK.split(make(value))
    finally:
        builder.spells = before
    if sorted(map(int, parts[1::2])) != list(range(len(found))):
        raise failure(
            TracedValueError,
            f"the text of a {type(value).__name__}{quoted()} is made of a part of the text of a tensor, or of its length",
            "return the value, and make the string outside of the static function",
        )
    parts[1::2] = [found[int(number)] for number in parts[1::2]]
    return [part for part in parts if part != ""]


def plainly(made: Any) -> Any:
    """What Python gets from a translated ``__repr__``, ``__str__`` or ``__format__``: a string."""
    spells = mode.state.mode.spells
    if is_picked(made):
        made = one_of(made.which, made.options)
    if type(made) is not Text:
        return made
    if spells is None:
        made._refuse()
    return "".join(spells(p.value, p.conversion, p.spec, p.how) if isinstance(p, Piece) else p for p in plain_pieces(made))


def is_picked(value: Any) -> bool:
    """Whether tensors choose among strings."""
    return hasattr(type(value), "options") and all(type(x) is str for x in value.options)


def one_of(which: Any, strings: list[str]) -> Text:
    """The one of these strings that has the number ``which``."""
    return Text([Piece(which, how=words(None, strings))])


def may_hold(value: Any) -> bool:
    """Whether the text of a value may have that of a tensor in it."""
    if type(value) in _CLOSED or not mode.building():
        return False
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        return any(map(may_hold, value))
    if isinstance(value, dict):
        return any(map(may_hold, value)) or any(map(may_hold, value.values()))
    if isinstance(value, BaseException) and any(map(may_hold, value.args)):
        return True
    if type(value) is slice:
        return any(map(may_hold, (value.start, value.stop, value.step)))
    if type(value) is types.SimpleNamespace:  # Python's own code makes its text
        read_whole(value)
    return holds_later(value) or is_users(type(value))


def holds_later(value: Any) -> bool:
    """True for a value whose text is known only when the Program runs, and for containers with one."""
    if isinstance(value, BaseException):
        value = value.args
    if isinstance(value, (list, tuple, dict)) and not is_traced(value):
        return any(map(holds_later, value.values() if isinstance(value, dict) else value))
    return is_traced(value) or isinstance(value, Text) or hasattr(type(value), "__later__")


def text(*parts: Any) -> Any:
    """An f-string: strings, and ``(value, conversion, specification)`` for what stands in braces."""
    if not any(type(part) is tuple and (may_hold(part[0]) or holds_later(part[2])) for part in parts):
        return "".join(part if type(part) is not tuple else _formatted(*part) for part in parts)
    values = [part[0] if type(part) is tuple and type(part[2]) is str else part for part in parts]
    made = picked(values, lambda i, option: _formatted(option, *parts[i][1:]))
    parts = tuple(part if new is old else (new, "", "") for part, old, new in zip(parts, values, made, strict=True))
    return chosen(_text, [_worded(*part) if type(part) is tuple else (part, None, None) for part in parts])


def _worded(value: Any, conversion: str, spec: str) -> tuple[Any, Any, Any]:
    made = worded(value, conversion)
    return made, conversion if made is value else "", spec


def _text(parts: list[tuple[Any, Any, Any]]) -> Any:
    pieces: list[Any] = []
    for value, conversion, spec in parts:
        if isinstance(spec, Text):
            raise failure(
                TracedValueError,
                f"the width or precision of a formatted value{quoted()} depends on a tensor",
                "a width that is known, `f'{x:8.2f}'`; or return the value and make the string outside of the static function",
            )
        pieces += [value] if conversion is None else pieces_of(value, conversion, spec)
    return Text(pieces) if any(isinstance(piece, Piece) for piece in pieces) else "".join(pieces)


def _formatted(value: Any, conversion: str, spec: str) -> str:
    if conversion:
        value = builtins.repr(value) if conversion == "r" else builtins.ascii(value) if conversion == "a" else builtins.str(value)
    return format(value, spec)


def str_(*args: Any, **kwargs: Any) -> Any:
    """``str``"""
    if len(args) == 1 and not kwargs and may_hold(args[0]):
        return text((args[0], "s", ""))
    return builtins.str(*args, **kwargs)


def repr_(value: Any) -> Any:
    """``repr``"""
    return text((value, "r", "")) if may_hold(value) else builtins.repr(value)


def plain_pieces(made: Text) -> list[Any]:
    """Strings, and tensors with how they are made strings."""
    return [x.plain() if isinstance(x, Piece) else x for x in made.pieces]


def template(pieces: list[Any]) -> tuple[list[Any], str]:
    """Tensors and the template with their holes, as the operators `print` and `assert` take them."""
    tensors: list[Any] = []
    out = []
    for piece in pieces:
        if isinstance(piece, Piece):
            piece = piece.plain()
            out.append(f"{{{len(tensors)}:{piece.form}}}" if piece.form != "tensor" else f"{{{len(tensors)}}}")
            tensors.append(piece.value)
        else:
            out.append(piece.replace("{", "{{").replace("}", "}}"))
    return tensors, "".join(out)


def filled(pieces: list[Any], values: list[Any], elements: Callable[[Any], list[Any]]) -> str:
    """The string, with the values of its tensors in order: what a static function returns. ``elements`` gives those of a list."""
    rest = iter(values)
    return "".join(
        _shown(piece, next(rest), elements) if isinstance(piece, Piece) else piece
        for piece in pieces
    )


def _shown(piece: Piece, value: Any, elements: Callable[[Any], list[Any]]) -> str:
    if piece.how:
        return spelled_by(value.numpy(), piece.how)
    if isinstance(getattr(piece.value, "spec", None), ListSpec):
        items = elements(value)
        plain = items if piece.value.holds in (None, Tensor) else [x.item() for x in items]  # type: ignore[attr-defined]
        return _formatted(plain, piece.conversion, piece.spec)
    return _formatted(value.item() if isinstance(piece.value, Number) else value, piece.conversion, piece.spec)


def too_many(a: Any, b: Any) -> Any:
    """``a + b`` of strings of which tensors choose, where these are many to choose among together; else None."""
    if not all(isinstance(x, (str, Text)) or is_picked(x) for x in (a, b)):
        return None
    made = picked([a, b])
    return None if made[0] is a and made[1] is b else Text([piece for x in made for piece in pieces_of(x)])


def picked(values: list[Any], make: Callable[[int, str], str] = lambda i, option: option) -> list[Any]:
    """Strings of which tensors choose some: where there would be many to choose among together, each as a text of its own, of what
    ``make(place, string)`` makes of it.
    """
    found = [i for i, v in enumerate(values) if is_picked(v)]
    if math.prod(len(values[i].options) for i in found) <= _MANY:
        return values
    made = list(values)
    for i in found:
        made[i] = one_of(values[i].which, [make(i, option) for option in values[i].options])
    return made
