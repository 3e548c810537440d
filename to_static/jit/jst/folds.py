"""``any``, ``all``, ``max``, ``min``, ``sum`` and ``sorted`` over values of which some are traced tensors."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable
from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.ir import mode
from to_static.jit.contents import is_users
from to_static.jit.jst.blocks import raises
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import bool_, len_
from to_static.jit.jst.chosen import over
from to_static.jit.jst.collect import collected
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.iterate import UNROLLED, counted_of, for_, members_of, view_of
from to_static.jit.jst.iterating import iterating
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.logic import and_, not_, or_
from to_static.jit.jst.plain_iterators import PlainIterator, is_plain
from to_static.jit.jst.sequences import holds_traced, less, more
from to_static.jit.jst.special import iterated
from to_static.jit.jst.traced import failure, has_open_length, is_tensor, is_traced

SORTED = 16  # traced values that are sorted one by one at most


def any_(iterable: Any) -> Any:
    """``any``; stops at the first value that Python knows to be true."""
    return any_of(lambda item: item, iterable)


def all_(iterable: Any) -> Any:
    """``all``; stops at the first value that Python knows to be false."""
    return all_of(lambda item: item, iterable)


def any_of(function: Callable[[Any], Any], iterable: Any, test: Callable[[Any], Any] | None = None) -> Any:
    """``any(function(item) for item in iterable if test(item))``: nothing is computed behind the first that is true."""
    holds = lambda item: bool_(function(item))  # noqa: E731
    return _found(iterable, holds if test is None else lambda item: and_(test(item), lambda: holds(item)))


def all_of(function: Callable[[Any], Any], iterable: Any, test: Callable[[Any], Any] | None = None) -> Any:
    """``all(function(item) for item in iterable if test(item))``: nothing is computed behind the first that is false."""
    fails = lambda item: not_(bool_(function(item)))  # noqa: E731
    return not_(_found(iterable, fails if test is None else lambda item: and_(test(item), lambda: fails(item))))


def _found(iterable: Any, test: Callable[[Any], Any]) -> Any:
    """Whether an item is there for which ``test`` is true; nothing runs further than that."""
    items: Any = members_of(iterated(iterable))
    items = counted_of(items) if has_open_length(items) else items
    if is_tensor(items) and not isinstance(items, (Counted, TensorList)) and (not items.spec.shape or items.shape[0] <= UNROLLED):
        items = list(items)
    if not is_plain(items):
        return for_(items, lambda item, found: test(item), False, breaks=True)
    found: Any = False
    for item in items:
        found = or_(found, lambda: test(item))  # noqa: B023
        if not is_traced(found) and found:
            break
    if type(items) is PlainIterator and is_traced(found):
        items.leave()
    return found


def max_(*args: Any, **kwargs: Any) -> Any:
    """``max``: of equal values the first."""
    return _extreme(builtins.max, more, args, kwargs)


def min_(*args: Any, **kwargs: Any) -> Any:
    """``min``: of equal values the first."""
    return _extreme(builtins.min, less, args, kwargs)


def _extreme(builtin: Any, better: Callable[[Any, Any], Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if len(args) == 1:
        items = collected(members_of(args[0]))
        if isinstance(items, TensorList):
            return _extreme_of_list(builtin, better, items, kwargs)
        args = (items if is_traced(items) or type(items) is list else list(items),)
    from to_static.jit.jst.convert import call

    values = args[0] if len(args) == 1 and not is_traced(args[0]) else args
    key = kwargs.get("key")
    if not mode.building() or not values or not (key or holds_traced(values) or any(is_users(type(x)) for x in values)):
        return builtin(*args, **kwargs)
    if kwargs.keys() - {"key", "default"} or ("default" in kwargs and values is args and len(args) > 1):
        return builtin(*args, **kwargs)  # Python's error
    if len(args) == 1 and values is args:  # a tensor: its rows
        values = list(values[0])
    if key is not None and type(values) is list:
        key, _ = iterating(call(key), values)
    best, rank = values[0], _rank(key, values[0])
    for value in itertools.islice(values, 1, None):
        if key is None:
            best = rank = _pick(better(value, best), value, best)
        else:
            mine = _rank(key, value)
            best, rank = _pick(better(mine, rank), (value, mine), (best, rank))
    return best


def _rank(key: Any, value: Any) -> Any:
    """What is compared of a value."""
    from to_static.jit.jst.convert import call

    return value if key is None else call(key)(value)


def _extreme_of_list(builtin: Any, better: Callable[[Any, Any], Any], items: TensorList, kwargs: dict[str, Any]) -> Any:
    """The extreme of a list of the Program."""
    key = kwargs.pop("key", None)

    def step(item: Any, best: Any, rank: Any) -> Any:
        return _pick(better(mine := _rank(key, item), rank), (item, mine), (best, rank))

    def whole() -> Any:
        first = items.item(0)
        if key is None:
            return for_(items, lambda item, best: _pick(better(item, best), item, best), first)
        return for_(items[1:], step, first, _rank(key, first))[0]

    def empty() -> Any:
        try:
            return builtin([], **kwargs)
        except ValueError as error:
            raise raises(error) from None

    return if_(len_(items) > 0, whole, empty)


def _pick(test: Any, value: Any, best: Any) -> Any:
    return if_(test, lambda: value, lambda: best)


def sum_(iterable: Any, start: Any = 0) -> Any:
    """``sum``; over a tensor or list of the Program by a loop."""
    iterable = iterated(members_of(iterable))
    if view_of(iterable) is None and not is_traced(iterable) and not isinstance(iterable, Counted):
        return builtins.sum(iterable, start)
    if isinstance(iterable, Counted):
        return iterable.consumed(lambda items: for_(items, lambda item, total: total + item, start))
    return for_(iterable, lambda item, total: total + item, start)


@over
def sorted_(iterable: Any, *, key: Any = None, reverse: bool = False) -> Any:
    """``sorted`` with a translated key; values that are traced are brought in order by comparing neighbours."""
    from to_static.jit.jst.convert import call

    translated = None if key is None else call(key)
    view = view_of(members_of(iterable))
    if view is not None:
        found = view.in_order(reverse) if translated is None else None
        if found is not None:
            return found
        iterable, translated = view, translated or view.sort_key()
    iterable = collected(iterable)
    if isinstance(iterable, TensorList):
        from to_static.jit.jst.list_methods import in_order

        return in_order(iterable, translated, reverse)
    items = list(iterable)
    keys = [item if translated is None else translated(item) for item in items]
    if not holds_traced(keys) and (len(keys) > SORTED or not any(is_users(type(key)) for key in keys)):
        order = builtins.sorted(builtins.range(len(items)), key=keys.__getitem__, reverse=reverse)
        return [items[i] for i in order]
    if len(items) > SORTED:
        raise failure(
            TracedValueError,
            f"sorted() brings {len(items)} tensors in order{quoted()}, one comparison after the other: {SORTED} at most",
            "`paddle.sort(paddle.stack(items))`, or paddle.argsort with a key",
        )
    better = more if reverse else less
    pairs = builtins.list(builtins.zip(keys, items, strict=True))
    for end in builtins.range(len(pairs) - 1, 0, -1):
        for i in builtins.range(end):
            a, b = pairs[i], pairs[i + 1]
            pairs[i], pairs[i + 1] = if_(better(b[0], a[0]), lambda a=a, b=b: (b, a), lambda a=a, b=b: (a, b))
    return [item for _, item in pairs]
