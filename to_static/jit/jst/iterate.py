"""``for_`` and what it iterates over: Python iterables are unrolled, tensors and traced ranges become graph loops."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.core.errors import TranslationError
from to_static.core.expressions import quoted, shown
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.ir.unrolled import Unrolled
from to_static.jit.jst.blocks import touch
from to_static.jit.jst.branch import if_
from to_static.jit.jst.catching import check
from to_static.jit.jst.choice import Choice, same_length
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.logic import and_, not_, or_
from to_static.jit.jst.loops import graph_while, pack, unpack
from to_static.jit.jst.names import receivers
from to_static.jit.jst.plain_iterators import PlainIterator, goes_plainly, is_plain, plainly
from to_static.jit.jst.special import iterated
from to_static.jit.jst.table_kinds import DICTS
from to_static.jit.jst.traced import DTYPES, failure, is_number, is_traced, python_type, truth

UNROLLED = 100  # iterations under a traced flag that are unrolled at most


def enumerate_(iterable: Any, start: Any = 0) -> Any:
    """``enumerate``, also over tensors."""
    iterable = iterated(iterable)
    counted = counted_of(iterable)
    if counted is None:
        return plainly(builtins.enumerate(iterable, start), iterable)
    from_0 = isinstance(start, int) and start == 0
    return Counted(lambda: counted.length, lambda i: (i if from_0 else i + start, counted.item(i)), builtins.enumerate)


def zip_(*iterables: Any, strict: bool = False) -> Any:
    """``zip``, also over tensors; the shortest decides, unless ``strict``."""
    iterables = tuple(list(x) if type(x) is Choice and same_length(x) else iterated(x) for x in iterables)
    if not any(isinstance(x, Counted) or is_traced(x) or view_of(x) is not None for x in iterables):
        return plainly(builtins.zip(*iterables, strict=strict), *iterables)
    members = [by_index(_taken(x)) if c is None else c for x, c in ((x, counted_of(x)) for x in iterables)]
    lengths = [c.length for c in members]
    if strict and len(set(map(id, lengths))) > 1 and not (all(isinstance(n, int) for n in lengths) and len(set(lengths)) == 1):
        raise failure(
            TranslationError,
            f"zip(strict=True) needs lengths that are known and equal{quoted()}",
            "`zip(a, b)`, after `assert len(a) == len(b)`",
        )
    return Counted(lambda: _shortest([c.length for c in members]), lambda i: tuple(c.item(i) for c in members), builtins.zip)


def by_index(items: Any) -> Counted:
    """A sequence of Python's."""
    return Counted(len(items), _pick(items))


def _taken(iterable: Any) -> list[Any]:
    """All items, which Python would take one by one."""
    if not is_plain(iterable):
        raise failure(
            TranslationError,
            f"zip() takes items of an iterator and of what tensors make in turn{quoted()}",
            "a list, `items = list(iterator)`, or an index: `for i, v in enumerate(x):`",
        )
    items = list(iterable)
    if type(iterable) is PlainIterator:
        iterable.leave()
    return items


def _shortest(lengths: list[Any]) -> Any:
    known = [n for n in lengths if isinstance(n, int)]
    length: Any = min(known) if known else None
    for n in lengths:
        if isinstance(n, Tensor):
            length = n if length is None else number(FUNCTIONS["minimum"](n, length))
    return length


def reversed_(sequence: Any) -> Any:
    """``reversed``, also over tensors and traced ranges."""
    counted = counted_of(sequence)
    if counted is None:
        return plainly(builtins.reversed(sequence), sequence)
    length = counted.length
    return Counted(length, lambda i: counted.item(length - 1 - i), builtins.reversed)


def _pick(items: list[Any]) -> Callable[[Any], Any]:
    """Items of a Python list at an index that may be traced; numbers of one type stay numbers."""

    def item(i: Any) -> Any:
        if isinstance(i, int):
            return items[i]
        kinds = {python_type(x) for x in items if is_number(x)}
        if len(kinds) == 1 and all(map(is_number, items)):
            (kind,) = kinds
            return number(mode.state.mode.constant(np.asarray(items, DTYPES[kind].np))[i])
        return TensorList.of(items)[i]

    return item


def counted_of(iterable: Any) -> Counted | None:
    """``iterable`` by index when it is traced, else None."""
    if isinstance(iterable, Counted):
        return iterable.rest()
    view = view_of(iterable)
    if view is not None:
        return view.counted or counted_of(for_(view, _append, []))
    if not is_traced(iterable) or (type(iterable) is Choice and same_length(iterable)):
        return None
    if isinstance(iterable.spec, ListSpec):
        # one without a kind of items is empty, or is traced again when it is known what an enclosing loop puts into it
        empty = lambda: iterable.spec.element is None  # noqa: E731
        return Counted(lambda: 0 if empty() else number(FUNCTIONS["list_len"](iterable.main)), iterable.item)
    if isinstance(iterable, Number):
        return iter(iterable)  # type: ignore[no-any-return]  # raises Python's error
    if not iterable.spec.shape:
        raise TypeError("iteration over a 0-D tensor")
    return Counted(iterable.shape[0], lambda i: iterable[i])


def for_(iterable: Any, body: Callable[..., Any], *values: Any, breaks: bool = False) -> Any:
    """Run ``values = body(item, *values)`` for each item; returns the last values.

    With ``breaks`` the first value is a flag that ends the loop once it is true. Over tensors, traced ranges and lists that live
    in the graph this is a graph loop; other iterables are unrolled, under the flag from where it is traced.
    """
    if type(iterable) is Choice and not same_length(iterable) and not any(isinstance(x, Tensor) for x in iterable.options):
        return _for_each(iterable, 0, body, values, breaks)
    if isinstance(iterable, TensorList) and iterable.spec.element is None:
        return pack(values)  # empty, or traced again when it is known what an enclosing loop puts into it
    view = view_of(iterable)
    if view is not None:
        return view.walk(_loop_in, body, values, breaks)
    iterable = iterated(iterable)
    if isinstance(iterable, Counted) and iterable.once and not breaks:
        return iterable.consumed(lambda items: _graph_for(items, body, values, breaks))
    counted = counted_of(iterable)
    if counted is None:
        handed = [iterable]
        del iterable
        return _unrolled(handed, body, values, breaks)
    mine = [i for i, value in enumerate(values) if value is iterable]  # a list that the body changes
    return _graph_for(counted, body, values, breaks, mine[0] if mine and isinstance(iterable, TensorList) else None)


def _unrolled(handed: list[Any], body: Callable[..., Any], values: tuple[Any, ...], breaks: bool) -> Any:
    """The loop over an iterable of Python's, which is ``handed`` over: nobody else holds a generator without a name."""
    iterable = handed.pop()
    if hasattr(type(iterable), "__next__"):
        touch(iterable)
    count, guarded, index, turns = len(values), 0, -1, Unrolled()
    size = len(iterable) if type_of(iterable) in DICTS else 0
    items: Any = iter(iterable)
    plain = goes_plainly(items, iterable)
    try:
        while True:
            doubtful = breaks and is_traced(values[0])  # whether tensors may have ended the loop
            if doubtful and not plain:
                raise _moves_on(iterable)
            try:
                item = next(items)
            except StopIteration:
                break
            index += 1
            turns.turn()
            if index and type_of(iterable) in DICTS:
                _check_size(iterable, size, values[0] if breaks else False)
            if not doubtful:
                values = unpack(body(item, *values), count)
                if breaks and not is_traced(values[0]) and values[0]:
                    break
                continue
            if isinstance(iterable, range) and len(iterable) - index > UNROLLED // 4:
                return _graph_for(_rest(iterable[index:]), body, values, breaks)
            guarded += 1
            if guarded > UNROLLED:
                raise _too_many()
            values = unpack(_guarded(body, item, values), count)
    except BaseException:
        iterable = items = None  # Python's loop lets go of them here, which closes a generator that has no name
        raise
    if type_of(iterable) in DICTS:
        _check_size(iterable, size, values[0] if breaks else False)
    if type(iterable) is PlainIterator and breaks and is_traced(values[0]):
        iterable.leave()
    return pack(values)


def _moves_on(iterator: Any) -> Exception:
    kind = getattr(iterator, "stands_for", type_of(iterator)).__name__
    return failure(
        TranslationError,
        f"a loop{shown()} over a {kind} is left by a break or return that depends on a tensor: what computes its next item may not "
        "run then, and the iterator must not move on",
        "a loop over a list: `for item in list(items):` where all items may be computed before, or with what computes them in "
        "the body of the loop",
    )


def _too_many() -> Exception:
    return failure(
        TranslationError,
        f"a loop{shown()} is left by a break or return that depends on a tensor, and has more than {UNROLLED} "
        "Python items: each would be traced by itself",
        "iterate over a tensor, `for v in paddle.to_tensor(items):`, or over a range(), `for i in range(len(items)):`",
    )


def _check_size(iterable: Any, size: int, left: Any) -> None:
    """What Python finds when it asks a dict for the next key, which tensors may have given new ones since the loop began."""
    made = next((made for value, made in mode.state.mode.lists if value is iterable), None) if mode.building() else None
    same = True if made is None else or_(left, lambda: made.size() == size)
    if is_traced(same):
        check(truth(same), RuntimeError("dictionary changed size during iteration"))


def view_of(iterable: Any) -> Any:
    """What walks through a dict or set whose keys tensors decide; None for anything else."""
    method = getattr(type(iterable), "__view__", None)
    return None if method is None else method(iterable)


def members_of(iterable: Any) -> Any:
    """``iterable`` for one who does not see the order of its items: a set whose members tensors decide may be walked through."""
    method = getattr(type(iterable), "__members__", None)
    return iterable if method is None else method(iterable)


def _loop_in(counted: Counted, body: Callable[..., Any], values: tuple[Any, ...], breaks: bool) -> Any:
    return _graph_for(counted, body, values, breaks)


def _for_each(choice: Choice, index: int, body: Callable[..., Any], values: tuple[Any, ...], breaks: bool) -> Any:
    """The loop over the option that it is."""

    def one(*v: Any) -> Any:
        return for_(choice.options[index], body, *v, breaks=breaks)

    if index == len(choice.options) - 1:
        return one(*values)
    return if_(choice._is(index), one, lambda *v: _for_each(choice, index + 1, body, v, breaks), *values)


def _append(item: Any, made: Any) -> Any:
    made.append(item)
    return made


def _rest(items: range) -> Counted:
    return Counted(len(items), lambda i: items.start + i * items.step)


def _guarded(body: Callable[..., Any], item: Any, values: tuple[Any, ...]) -> Any:
    return if_(values[0], None, lambda *v: body(item, *v), *values)


def _graph_for(
    counted: Counted, body: Callable[..., Any], values: tuple[Any, ...], breaks: bool, changing: int | None = None
) -> Any:
    """``changing``: the place among ``values`` of the list itself."""
    count = len(values)
    length = counted.length

    def test(index: Any, *rest: Any) -> Any:
        more = index < (length if changing is None else number(FUNCTIONS["list_len"](rest[changing].main)))
        return and_(not_(rest[0]), lambda: more) if breaks else more

    def step(index: Any, *rest: Any) -> tuple[Any, ...]:
        item = (counted if changing is None else rest[changing]).item(index)
        return (index + 1, *unpack(body(item, *rest), count))

    if isinstance(length, int) and length == 0:
        return pack(values)
    return pack(graph_while(test, step, (0, *values), lambda: ["the loop index", *receivers(count)])[1:])
