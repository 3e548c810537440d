"""What the items of a list of the Program are made of: tensors, numbers, other Python values, and tuples of these."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.ir.spec import TensorSpec
from to_static.ir.tensor import Tensor
from to_static.jit.fields import set_field
from to_static.jit.jst.text import Piece, Text, filled, is_picked, one_of, plain_pieces
from to_static.jit.jst.traced import DTYPES, constant, failure, is_number, is_numeric, is_tensor, python_type

LIMIT = 16  # kinds of items in one list
_EQUAL = (int, float, str, bytes, range, slice)  # of these, and of classes made from them, equal values are one


class Leaf(NamedTuple):
    """A tensor (``number`` is None), or a Python number of type ``number``."""

    number: type | None
    dtype: Any
    shape: tuple[int, ...]


class Const(NamedTuple):
    """One Python value."""

    value: Any


class Made(NamedTuple):
    """A tuple, a namedtuple or a frozen dataclass of parts, or a string with tensors (``type``: its `Words`)."""

    type: Any
    parts: tuple[Any, ...]


class Words(NamedTuple):
    """The strings of a `Text`, and the conversion, format specification and ``how`` of each tensor between them."""

    pieces: tuple[Any, ...]


def kind_of(item: Any) -> Any:
    """What an item is made of; None for what a list of the Program can't hold (a list or object that may change, say)."""
    from to_static.jit.jst.alternatives import plain

    if is_numeric(item):
        return Leaf(python_type(item), DTYPES[python_type(item)], ())
    if isinstance(item, Tensor):
        spec = None if getattr(item, "undecided", False) else item.spec
        return Leaf(None, spec.dtype, spec.shape) if isinstance(spec, TensorSpec) else None
    if isinstance(item, (tuple, Text)) or _is_frozen(item):
        inside = tuple(map(kind_of, _parts(item)))
        return None if None in inside else Made(_words(item) if type(item) is Text else type(item), inside)
    return Const(item) if plain(item) else None


def kinds_of(item: Any) -> list[Any]:
    """The kinds that an item may be of: one, unless tensors choose among several."""
    from to_static.jit.jst.chosen import options_of

    return [kind_of(option) for option in options_of(as_item(item))]


def as_item(item: Any) -> Any:
    """What a list of the Program holds for an item: one kind of item for many strings of which tensors choose one."""
    return one_of(item.which, item.options) if is_picked(item) and len(item.options) > LIMIT else item


def _is_frozen(item: Any) -> bool:
    return dataclasses.is_dataclass(item) and not isinstance(item, type) and item.__dataclass_params__.frozen  # type: ignore[attr-defined]


def _words(item: Text) -> Words:
    return Words(tuple((x.conversion, x.spec, x.how) if isinstance(x, Piece) else x for x in plain_pieces(item)))


def _parts(item: Any) -> list[Any]:
    if type(item) is Text:
        return [x.value for x in plain_pieces(item) if isinstance(x, Piece)]
    return list(item) if isinstance(item, tuple) else [getattr(item, f.name) for f in dataclasses.fields(item)]


def alike(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, Leaf):
        return a.number is b.number and a.dtype is b.dtype and len(a.shape) == len(b.shape)
    if isinstance(a, Const):
        return a.value is b.value or (type(a.value) is type(b.value) and isinstance(a.value, _EQUAL) and a == b)
    return a.type == b.type and len(a.parts) == len(b.parts) and all(map(alike, a.parts, b.parts))


def place_of(kinds: list[Any], kind: Any) -> int | None:
    """The position of a kind among others."""
    return next((i for i, known in enumerate(kinds) if alike(known, kind)), None)


def joined_kinds(first: list[Any], second: list[Any]) -> list[Any]:
    """All kinds of both."""
    return first + [kind for kind in second if place_of(first, kind) is None]


def _leaves_of(kind: Any) -> list[Leaf]:
    if isinstance(kind, Made):
        return [leaf for part in kind.parts for leaf in _leaves_of(part)]
    return [kind] if isinstance(kind, Leaf) else []


def layout(kinds: list[Any]) -> tuple[list[Leaf], list[list[int]]]:
    """What each column of leaves holds, and for each kind the columns of its leaves: kinds share columns where they can."""
    columns: list[Leaf] = []
    places = []
    for kind in kinds:
        mine: list[int] = []
        for leaf in _leaves_of(kind):
            free = (i for i, known in enumerate(columns) if i not in mine and alike(known, leaf))
            place = next(free, len(columns))
            if place == len(columns):
                columns.append(leaf)
            mine.append(place)
        places.append(mine)
    return columns, places


def apart(item: Any, kind: Any) -> list[Any]:
    """The leaves of an item as tensors."""
    if isinstance(kind, Made):
        return [x for part, inside in zip(_parts(item), kind.parts, strict=True) for x in apart(part, inside)]
    if isinstance(kind, Const):
        return []
    return [constant(item, kind.dtype) if is_number(item) else item]


def _placed(kind: Any, columns: Iterator[int]) -> Any:
    """A kind with the numbers of its columns in place of its leaves."""
    if isinstance(kind, Made):
        return Made(kind.type, tuple(_placed(part, columns) for part in kind.parts))
    return next(columns) if isinstance(kind, Leaf) else kind


def _construct(kind: Any, items: list[Any]) -> Any:
    if kind is tuple:
        return tuple(items)
    if isinstance(kind, Words):
        rest = iter(items)
        made = [x if isinstance(x, str) else Piece(next(rest), *x) for x in kind.pieces]
        return Text(made) if mode.building() else filled(made, items, list)
    if issubclass(kind, tuple):
        return tuple.__new__(kind, items)
    made = object.__new__(kind)
    for field, item in zip(dataclasses.fields(kind), items, strict=True):
        set_field(made, field.name, item)
    return made


def _alone(placed: Any, values: list[Any]) -> Any:
    if isinstance(placed, Made):
        return _construct(placed.type, [_alone(part, values) for part in placed.parts])
    return values[placed] if isinstance(placed, int) else placed.value


def together(kinds: list[Any], values: list[Any], choose: Callable[[list[Any]], Any]) -> Any:
    """An item from the values of all columns; ``choose(options)`` gives the one of the kind that it is."""
    return _together([_placed(k, iter(mine)) for k, mine in zip(kinds, layout(kinds)[1], strict=True)], values, choose)


def _together(options: list[Any], values: list[Any], choose: Callable[[list[Any]], Any]) -> Any:
    first = options[0]
    if isinstance(first, Made):
        if all(isinstance(x, Made) and x.type == first.type and len(x.parts) == len(first.parts) for x in options):
            each = [[x.parts[i] for x in options] for i in range(len(first.parts))]
            return _construct(first.type, [_together(some, values, choose) for some in each])
    elif all(x is first or (type(x) is type(first) and (x == first if isinstance(x, int) else alike(x, first))) for x in options):
        return _alone(first, values)
    return choose([_alone(x, values) for x in options])


def held(kinds: list[Any]) -> str:
    """What a list of items of these kinds holds, in a few words for messages."""
    if all(isinstance(kind, Leaf) and kind.number is None for kind in kinds):
        return "tensors of several dtypes or ranks"
    if all(isinstance(getattr(kind, "value", None), str) or isinstance(getattr(kind, "type", None), Words) for kind in kinds):
        return "strings"
    if all(isinstance(kind, Made) and not isinstance(kind.type, Words) and issubclass(kind.type, tuple) for kind in kinds):
        return "tuples"
    return "values that are no tensors, or of several kinds,"


def refused_item(item: Any, name: str = "a list") -> Exception:
    """The refusal of what a list of the Program can't hold."""
    return failure(
        TracedValueError,
        f"{name} changes under a tensor condition or in a tensor loop, where a list can hold only tensors, numbers, strings, None "
        f"and tuples of these, not {getattr(type(item), 'stands_for', type_of(item)).__name__}"
        + (quoted() if name == "a list" else ""),
        _instead(item),
    )


def _instead(item: Any) -> str:
    """What to put into a list of the Program in place of an item that it can't hold."""
    if callable(item):
        return "make Layers and functions before, and choose by an index: `for i in range(n): x = layers[i](x)`"
    if is_tensor(item):
        return "append a tensor that holds the items: `items.append(paddle.stack(inner))`"
    if isinstance(item, (list, dict, set)):
        made = "item" if isinstance(item, list) else "item.values()" if isinstance(item, dict) else "sorted(item)"
        return f"append a tuple, which nobody changes later: `items.append(tuple({made}))`"
    return (
        "append a tuple of what it holds, or make its class one that nobody changes, `@dataclass(frozen=True)`; or make all such "
        "objects before, in a list, and append the index of the one that is meant"
    )
