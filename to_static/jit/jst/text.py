"""Strings with tensors in them: f-strings, ``str()`` and ``repr()`` whose text is known only when the Program runs."""

from __future__ import annotations

import builtins
from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.ir.number import Number
from to_static.ir.spec import TensorSpec
from to_static.ir.tensor import Tensor
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.traced import failure, is_traced


class Piece:
    """A tensor in a text, with its conversion ('', 's', 'r' or 'a') and format specification."""

    __slots__ = ("conversion", "spec", "value")

    def __init__(self, value: Tensor, conversion: str = "", spec: str = "") -> None:
        self.value = value
        self.conversion = conversion
        self.spec = spec

    @property
    def form(self) -> str:
        """How the operators `print` and `assert` fill the hole: kind and specification."""
        if self.value.python_type is not None:
            kind = "number"
        else:
            kind = "tensor" if self.value.stop_gradient else "grad"  # type: ignore[attr-defined]
        return f"{kind}:{self.conversion}:{self.spec}" if self.spec or self.conversion else kind


class Text:
    """A string to be: Python strings and `Piece` in order. It can be printed, raised, asserted, joined by ``+`` and returned."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: list[Any]) -> None:
        self.pieces = pieces

    def __add__(self, other: Any) -> Text:
        if not isinstance(other, (str, Text)):
            raise TypeError(f'can only concatenate str (not "{type(other).__name__}") to str')
        return Text([*self.pieces, *pieces_of(other)])

    def __radd__(self, other: Any) -> Text:
        return Text([*pieces_of(other), *self.pieces])

    def __mul__(self, count: Any) -> Any:
        return Text(self.pieces * count) if type(count) is int and count > 0 else self._refuse() if type(count) is not int else ""

    __rmul__ = __mul__

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        raise failure(
            TracedValueError,
            f"a string{quoted()} holds the numbers of a tensor, which are known only when the Program runs: it can be printed, put "
            "into an assertion or an error, joined to other strings and returned, and nothing else",
            "return the tensor, and make the string outside of the static function: `str(f(x))`",
        )

    __str__ = __format__ = __hash__ = __eq__ = __len__ = __iter__ = __bool__ = __getitem__ = __mod__ = __contains__ = _refuse
    __lt__ = __gt__ = __le__ = __ge__ = __int__ = __float__ = _refuse  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        return self._refuse()

    def __repr__(self) -> str:
        return "<text with tensors>"


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


def pieces_of(value: Any) -> list[Any]:
    """What a value that is printed consists of: strings and `Piece`."""
    value = worded(value)
    if isinstance(value, Text):
        return value.pieces
    if is_traced(value) and not getattr(value, "undecided", False) and isinstance(value.spec, TensorSpec):
        return [Piece(value)]
    kind = type(value)
    if kind in (list, tuple, dict) and _holds_tensors(value):
        return _container(value, kind)
    return [value if kind is str else builtins.str(value)]


def holds_later(value: Any) -> bool:
    """True for a value whose text is known only when the Program runs, and for containers with one."""
    if isinstance(value, BaseException):
        return _holds_tensors(value.args)
    return is_traced(value) or isinstance(value, Text) or (isinstance(value, (list, tuple, dict)) and _holds_tensors(value))


def _holds_tensors(value: Any) -> bool:
    items = value.values() if type(value) is dict else value
    return any(map(holds_later, items))


def _container(value: Any, kind: type) -> list[Any]:
    opening, closing = {"list": ("[", "]"), "tuple": ("(", ")"), "dict": ("{", "}")}[kind.__name__]
    pieces: list[Any] = [opening]
    for i, item in enumerate(value.items() if kind is dict else value):
        pieces.append(", " if i else "")
        if kind is dict:
            pieces.append(f"{item[0]!r}: ")
            item = item[1]
        item = worded(item, "r") if isinstance(item, BaseException) else item._refuse() if isinstance(item, Text) else item
        pieces += [builtins.repr(item)] if isinstance(item, str) else pieces_of(item)
    if kind is tuple and len(value) == 1:
        pieces.append(",")
    return [*pieces, closing]


def text(*parts: Any) -> Any:
    """An f-string: strings, and ``(value, conversion, specification)`` for what stands in braces."""
    if not any(type(part) is tuple and (holds_later(part[0]) or holds_later(part[2])) for part in parts):
        return "".join(part if type(part) is not tuple else _formatted(*part) for part in parts)
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
        if conversion is None:
            pieces.append(value)
        elif is_traced(value) and isinstance(value.spec, TensorSpec):
            pieces.append(Piece(value, conversion, spec))
        elif holds_later(value) and not spec:
            if isinstance(value, Text) and conversion in ("r", "a"):
                value._refuse()  # quotes and escapes depend on the text
            pieces += pieces_of(value)
        else:
            pieces.append(_formatted(value, conversion, spec))
    return Text(pieces) if any(isinstance(piece, Piece) for piece in pieces) else "".join(pieces)


def _formatted(value: Any, conversion: str, spec: str) -> str:
    if conversion:
        value = builtins.repr(value) if conversion == "r" else builtins.ascii(value) if conversion == "a" else builtins.str(value)
    return format(value, spec)


def str_(*args: Any, **kwargs: Any) -> Any:
    """``str``"""
    if len(args) == 1 and not kwargs and holds_later(args[0]):
        return text((args[0], "", ""))
    return builtins.str(*args, **kwargs)


def repr_(value: Any) -> Any:
    """``repr``"""
    return text((value, "r", "")) if holds_later(value) else builtins.repr(value)


def template(pieces: list[Any]) -> tuple[list[Any], str]:
    """Tensors and the template with their holes, as the operators `print` and `assert` take them."""
    tensors: list[Any] = []
    out = []
    for piece in pieces:
        if isinstance(piece, Piece):
            out.append(f"{{{len(tensors)}:{piece.form}}}" if piece.form != "tensor" else f"{{{len(tensors)}}}")
            tensors.append(piece.value)
        else:
            out.append(piece.replace("{", "{{").replace("}", "}}"))
    return tensors, "".join(out)


def filled(pieces: list[Any], values: list[Any]) -> str:
    """The string, with the values of its tensors in order: what a static function returns."""
    rest = iter(values)
    return "".join(
        _formatted(_python(piece, next(rest)), piece.conversion, piece.spec) if isinstance(piece, Piece) else piece
        for piece in pieces
    )


def _python(piece: Piece, value: Any) -> Any:
    return value.item() if isinstance(piece.value, Number) else value
