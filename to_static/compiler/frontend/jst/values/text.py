"""`Text`: strings that contain numbers of tensors, for ``print``, ``assert``, ``raise`` and f-strings."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from to_static.compiler.frontend.jst import protocol
from to_static.compiler.frontend.jst.protocol import ValueSpec, value_spec_of
from to_static.compiler.frontend.jst.protocol import join as join_specs
from to_static.compiler.frontend.jst.tracer_queries import is_list, is_traced
from to_static.compiler.frontend.jst.values.container import is_plain_object
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.trace_context import building, current
from to_static.compiler.frontend.tracing.untranslated_code import STAND_INS
from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.symbolic.sym_number import SymNumber
from to_static.compiler.ir.tensor import Tensor
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.errors import TracedValueError

_PARAMETER = "Parameter containing:\n"


class Piece:
    """A tensor or number in a text, with its conversion ('', 's', 'r' or 'a') and format specification."""

    __slots__ = ("conversion", "spec", "value")

    def __init__(self, value: Tensor, conversion: str = "", spec: str = "") -> None:
        self.value = value
        self.conversion = conversion
        self.spec = spec

    @property
    def form(self) -> str:
        """Return the format with which the operators `print` and `assert` fill the hole."""
        if isinstance(self.value, SymNumber):
            text_form = "number"
        else:
            text_form = "tensor" if self.value.stop_gradient else "grad"
        return f"{text_form}:{self.conversion}:{self.spec}" if self.spec or self.conversion else text_form


class Text:
    """A string that a run completes: Python strings and `Piece`s in order."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: list[Any]) -> None:
        self.pieces = pieces

    def __add__(self, other: object) -> Text:
        if type(other) in EACH:
            return resolve_unions(self.__add__, [other])
        return Text([*self.pieces, *pieces_of(other)]) if isinstance(other, (str, Text)) else self._refuse()

    def __radd__(self, other: object) -> Text:
        return Text([*pieces_of(other), *self.pieces]) if isinstance(other, (str, Text)) else self._refuse()

    def _refuse(self, *args: object, **kwargs: object) -> Any:
        raise broken(
            f"a string{in_expression()} holds the numbers of a tensor, which are known only when the Program runs: it can be "
            "printed, put "
            "into an assertion or an error, joined to other strings and returned, and nothing else",
            "the numbers themselves: `n == 1` in place of `f'layer{n}' == 'layer1'`; or return it, and continue outside",
            TracedValueError,
        )

    __str__ = __repr__ = __format__ = __len__ = __iter__ = __bool__ = __getitem__ = __mod__ = __contains__ = _refuse
    __int__ = __float__ = __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __hash__ = __mul__ = __rmul__ = _refuse  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        return self._refuse()


class OneText(ValueSpec):
    """A string of fixed pieces, with values between them. ``pieces``: strings, and (conversion, specification, spec)."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: list[Any]) -> None:
        self.pieces = pieces

    def flatten(self, value: Any) -> list[Any]:
        mine = [piece for piece in value.pieces if isinstance(piece, Piece)]
        specs = [piece[2] for piece in self.pieces if isinstance(piece, tuple)]
        return [tensor for spec, piece in zip(specs, mine, strict=True) for tensor in spec.flatten(piece.value)]

    def unflatten(self, tensors: Iterator[Any]) -> Any:
        pieces = [x if isinstance(x, str) else Piece(x[2].unflatten(tensors), x[0], x[1]) for x in self.pieces]
        if mode.building():
            return Text(pieces)
        texts = (x if isinstance(x, str) else _formatted(x.value, x.conversion, x.spec) for x in pieces)
        return "".join(texts).replace(_PARAMETER * 2, _PARAMETER)  # the tensor may be the parameter itself, which says so, too

    def tensor_specs(self) -> list[Any]:
        return [spec for piece in self.pieces if isinstance(piece, tuple) for spec in piece[2].tensor_specs()]

    def joined(self, other_spec: ValueSpec) -> ValueSpec | None:
        if not isinstance(other_spec, OneText) or len(self.pieces) != len(other_spec.pieces):
            return None
        pieces: list[Any] = []
        for a, b in zip(self.pieces, other_spec.pieces, strict=True):
            fixed = [x if isinstance(x, str) else x[:2] for x in (a, b)]
            if fixed[0] != fixed[1]:
                return None
            pieces.append(a if isinstance(a, str) else (*a[:2], join_specs(a[2], b[2])))
        return OneText(pieces)

    def key(self) -> Any:
        return ("text", tuple(x if isinstance(x, str) else (*x[:2], x[2].key()) for x in self.pieces))

    def describe(self) -> str:
        return "a string with numbers of tensors"


@protocol.first_spec_function
def describe_text(value: object) -> ValueSpec | None:
    """Return the spec of a text."""
    if type(value) is not Text:
        return None
    return OneText([x if isinstance(x, str) else (x.conversion, x.spec, value_spec_of(x.value)) for x in value.pieces])


STAND_INS[Text] = False
EACH: dict[type, Callable[[Any, Callable[[Any], Any]], Any]] = {}  # kinds of values that are one of several: what asks each
_SEVERAL = 3  # such values in one text


def resolve_unions(function: Callable[..., Any], values: Sequence[Any]) -> Any:
    """Return ``function(*values)``, in one branch for each option of a union among the values."""
    union_positions = [i for i, value in enumerate(values) if type(value) in EACH]
    if not union_positions:
        return function(*values)
    if len(union_positions) > _SEVERAL:
        raise broken(
            f"a string{in_expression()} has more than {_SEVERAL} possible values, which depend on tensors",
            "fewer such values in one string",
        )
    i = union_positions[0]
    return EACH[type(values[i])](values[i], lambda option: resolve_unions(function, [*values[:i], option, *values[i + 1 :]]))


def may_hold(value: Any) -> bool:
    """True if the text of a value may contain the text of a tensor."""
    if not mode.building():
        return False
    if type(value) in (list, tuple, set):
        return (type(value) is list and current().effects.resolved(value) is not value) or any(map(may_hold, value))
    if isinstance(value, dict):
        return any(map(may_hold, value)) or any(map(may_hold, value.values()))
    if isinstance(value, BaseException):
        return any(map(may_hold, value.args))
    if is_plain_object(value):
        return any(map(may_hold, vars(value).values()))
    if is_traced(value) or isinstance(value, Text):
        return True
    current().effects.untranslated_reads.check([value], None, f"the text of a {type(value).__name__}")
    return False


def pieces_of(value: Any, conversion: str = "", spec: str = "") -> list[Any]:
    """Return the pieces of a value in printed text or an f-string: strings and `Piece`s."""
    if isinstance(value, Text):
        return value.pieces if not spec and conversion not in ("r", "a") else value._refuse()
    if is_traced(value) and not getattr(value, "data_dependent", False) and isinstance(value.spec, TensorSpec):
        prefix = [_PARAMETER] if getattr(value, "is_parameter", False) and not spec else []
        return [*prefix, Piece(value, conversion if spec or conversion != "s" else "", spec)]
    if not may_hold(value):
        return [_formatted(value, conversion, spec)]
    if spec:
        raise broken(
            f"a format for the text of {_describe(value)}{in_expression()} that has tensors in it",
            "a format for each of them",
        )
    if type(value) in (list, tuple) and not (building() and current().effects.resolved(value) is not value):
        opening, closing = ("[", "]") if type(value) is list else ("(", ",)" if len(value) == 1 else ")")
        return merged([opening, *between(", ", [pieces_of(item, "r") for item in value]), closing])
    if type(value) is dict:
        items = [[*pieces_of(key, "r"), ": ", *pieces_of(item, "r")] for key, item in value.items()]
        return merged(["{", *between(", ", items), "}"])
    raise broken(
        f"the text of {_describe(value)}{in_expression()} that holds tensors",
        "write what it holds: `f'{v.x} {v.y}'`",
        TracedValueError,
    )


def _describe(value: object) -> str:
    return "a list" if is_list(value) else "one of several values" if type(value) in EACH else f"a {type(value).__name__}"


def between(separator: str, parts: list[list[Any]]) -> list[Any]:
    """Return the pieces of all parts, with a separator between them."""
    return [piece for i, part in enumerate(parts) for piece in ([separator, *part] if i and separator else part)]


def merged(pieces: list[Any]) -> list[Any]:
    """Return the pieces, with adjacent strings joined."""
    out: list[Any] = []
    for piece in pieces:
        if isinstance(piece, str) and out and isinstance(out[-1], str):
            out[-1] += piece
        else:
            out.append(piece)
    return out


def text(*parts: Any) -> Any:
    """An f-string: strings, and ``(value, conversion, specification)`` for what stands in braces."""
    if any(type(part) is tuple and type(part[0]) in EACH for part in parts):
        values = [part[0] if type(part) is tuple else part for part in parts]
        again = lambda *now: text(*((x, *p[1:]) if type(p) is tuple else p for x, p in zip(now, parts, strict=True)))  # noqa: E731
        return resolve_unions(again, values)
    if not any(type(part) is tuple and (may_hold(part[0]) or isinstance(part[2], Text)) for part in parts):
        return "".join(part if type(part) is not tuple else _formatted(*part) for part in parts)
    pieces: list[Any] = []
    for part in parts:
        if type(part) is tuple:
            if isinstance(part[2], Text):
                part[2]._refuse()
            pieces += pieces_of(*part)
        else:
            pieces.append(part)
    return Text(merged(pieces))


def _formatted(value: object, conversion: str, spec: str) -> str:
    converted: Any = {"r": builtins.repr, "a": builtins.ascii, "s": builtins.str}.get(conversion)
    return builtins.format(converted(value) if converted else value, spec)


def str_(*args: object, **kwargs: object) -> Any:
    """``str``"""
    holds = len(args) == 1 and not kwargs and may_hold(args[0])
    return text((args[0], "s", "")) if holds else builtins.str(*args, **kwargs)


def repr_(value: object) -> Any:
    """``repr``"""
    return text((value, "r", "")) if may_hold(value) else builtins.repr(value)


def format_(value: object, spec: str = "") -> Any:
    """``format``"""
    return text((value, "", spec)) if may_hold(value) else builtins.format(value, spec)


def template(pieces: list[Any]) -> tuple[list[Any], str]:
    """Return the tensors and the template of a text, for the operators `print` and `assert`."""
    tensors: list[Any] = []
    out = []
    for piece in pieces:
        if isinstance(piece, Piece):
            out.append(f"{{{len(tensors)}:{piece.form}}}" if piece.form != "tensor" else f"{{{len(tensors)}}}")
            tensors.append(piece.value)
        else:
            out.append(piece.replace("{", "{{").replace("}", "}}"))
    return tensors, "".join(out)
