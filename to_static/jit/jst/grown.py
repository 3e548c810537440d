"""Strings that grow in loops over tensors: a `Text` of as many parts as tensors say, which a loop carries as a list of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.errors import TranslationError
from to_static.jit.jst.alternatives import alternatives
from to_static.jit.jst.carried_lists import ListCarry
from to_static.jit.jst.choice import Choice, select
from to_static.jit.jst.kinds import joined_kinds
from to_static.jit.jst.rows import Rows, kinds_in, rows_of
from to_static.jit.jst.text import Parts, Piece, Text, one_of, pieces_of
from to_static.jit.jst.traced import failure
from to_static.ops.control import words


def grown(*values: Any) -> bool:
    """Whether all values are strings, and one of them is of as many parts as tensors say."""
    found = [x for value in values for x in alternatives(value)]
    return any(map(_has_parts, found)) and all(isinstance(x, (str, Text)) for x in found)


def _has_parts(value: Any) -> bool:
    return type(value) is Text and any(type(piece) is Parts for piece in value.pieces)


def grows(old: Any, new: Any, unknown: list[Any]) -> bool:
    """Whether an iteration makes the string ``old`` longer: what it is occurs in one of those of ``new`` that are ``unknown``."""
    before = alternatives(old)
    if not all(isinstance(x, (str, Text)) for x in (*before, *alternatives(new))):
        return False
    return grown(old, new) or any(_longer(a, b) for a in before for b in unknown) or any(_has_one_of(before, b) for b in unknown)


def _has_one_of(before: list[Any], new: Any) -> bool:
    """Whether a string has several pieces, one of which is that of these which tensors choose."""
    pieces = pieces_of(new)
    if len(pieces) < 2 or not all(type(x) is str for x in before):
        return False
    return words(None, before) in [piece.how for piece in pieces if isinstance(piece, Piece)]


def _longer(old: Any, new: Any) -> bool:
    if isinstance(old, str) and isinstance(new, str):
        return "" != old != new and old in new
    a, b = ([x if isinstance(x, str) else x.form for x in pieces_of(value)] for value in (old, new))
    return 0 < len(a) < len(b) and any(b[i : i + len(a)] == a for i in range(len(b) - len(a) + 1))


def parts_of(value: Any) -> Rows:
    """The list of the parts of a string."""
    if type(value) is Choice:
        is_one = all(type(x) is str for x in value.options)
        return parts_of(one_of(value.which, value.options)) if is_one else select(value, parts_of)  # type: ignore[no-any-return]
    pieces = pieces_of(value) or [""]
    at = next((i for i, piece in enumerate(pieces) if type(piece) is Parts), None)
    if at is None:
        return rows_of([x if isinstance(x, str) else Text([x]) for x in pieces])
    made = pieces[at].rows.copy()
    for piece in reversed(pieces[:at]):
        made.insert(0, Text([piece]) if isinstance(piece, Piece) else piece)
    for piece in pieces[at + 1 :]:
        if type(piece) is Parts:
            made.extend(piece.rows)
        else:
            made.append(Text([piece]) if isinstance(piece, Piece) else piece)
    return made


class TextCarry:
    """How a loop carries a string that grows: as the columns of its parts, which are of these ``kinds``."""

    __slots__ = ("kinds",)

    def __init__(self, kinds: list[Any]) -> None:
        self.kinds = kinds

    @staticmethod
    def joining(values: list[Any], name: str) -> TextCarry:
        """For variable ``name`` that is each of these strings at times."""
        from to_static.jit.jst.formatting import can_be_joined

        kinds: list[Any] = []
        for value in values:
            kinds = joined_kinds(kinds, kinds_in(parts_of(value)))
        if not can_be_joined(kinds):
            raise failure(
                TranslationError,
                f"{name} is a string that grows in a loop with a tensor condition, by the text of a tensor, or by strings that are "
                "joined with something between them",
                f"known strings and numbers, `{name} += f'{{float(v):.2f}} '`; or collect the parts in a list, and return that",
            )
        return TextCarry(kinds)

    def tensors(self, value: Any, name: str) -> list[Any]:
        """The lists of the Program that carry ``value``."""
        return ListCarry(kinds=self.kinds).tensors(parts_of(value), name)

    def tree(self, value: Any, name: str, slot: Callable[[Any], Any], specs: dict[int, Any]) -> Text:
        """The tree of ``value``."""
        return Text([Parts(ListCarry(kinds=self.kinds).tree(parts_of(value), name, slot, None, specs))])
