"""``any``, ``all``, ``max``, ``min``, ``sum`` and ``sorted`` of values some of which are traced."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Collection, Iterable
from typing import Any

from to_static.compiler.frontend.jst.calls.containers import collected, list_
from to_static.compiler.frontend.jst.calls.converted_call import call
from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.control.logic import and_, not_, or_
from to_static.compiler.frontend.jst.control.raising import check
from to_static.compiler.frontend.jst.iteration.indexed import IndexedIterable
from to_static.compiler.frontend.jst.iteration.iterate import END, for_, next_perhaps
from to_static.compiler.frontend.jst.objects.tensor_list import TensorList
from to_static.compiler.frontend.jst.tracer_queries import holds_union, is_number, is_tensor, is_traced
from to_static.compiler.frontend.jst.values.number import bool_, len_
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.trace_context import current
from to_static.compiler.ir import mode
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.errors import NumberError

SORTED = 16  # traced values that are sorted one by one at most


def any_(iterable: Iterable[Any]) -> Any:
    """``any``; stops at the first value that Python knows to be true."""
    return _quantified(iterable, False, or_)


def all_(iterable: Iterable[Any]) -> Any:
    """``all``; stops at the first value that Python knows to be false."""
    return _quantified(iterable, True, and_)


def any_of(function: Callable[[Any], Any], iterable: Iterable[Any], test: Callable[[Any], Any] | None = None) -> Any:
    """``any(function(item) for item in iterable if test(item))``: nothing is computed behind the first that is true."""
    holds = lambda item: bool_(function(item))  # noqa: E731
    return _search(iterable, holds if test is None else lambda item: and_(test(item), lambda: holds(item)))


def all_of(function: Callable[[Any], Any], iterable: Iterable[Any], test: Callable[[Any], Any] | None = None) -> Any:
    """``all(function(item) for item in iterable if test(item))``: nothing is computed behind the first that is false."""
    fails = lambda item: not_(bool_(function(item)))  # noqa: E731
    return not_(_search(iterable, fails if test is None else lambda item: and_(test(item), lambda: fails(item))))


def _search(iterable: Any, test: Callable[[Any], Any]) -> Any:
    """True if an item is there for which ``test`` is true; nothing runs further than that."""
    items = list(iterable) if is_tensor(iterable) and iterable.shape and is_number(iterable.shape[0]) else iterable
    return for_(items, lambda item, result: test(item), False, breaks=True)


def first_of(function: Callable[[Any], Any], iterable: object, test: Callable[[Any], Any], default: object) -> Any:
    """``next((function(item) for item in iterable if test(item)), default)``: nothing is computed behind the first."""

    def body(item: object, result: object, value: object) -> Any:
        return if_(test(item), lambda *_: (True, function(item)), None, result, value)

    return for_(iterable, body, False, default, breaks=True)[1]


def _quantified(iterable: Iterable[Any], neutral: bool, join: Callable[..., Any]) -> Any:
    items = collected(iterable) if mode.building() else iterable
    if isinstance(items, TensorList):
        test = (lambda item, result: bool_(item)) if not neutral else (lambda item, result: not_(bool_(item)))
        holds = for_(items, test, False, breaks=True)
        return not_(holds) if neutral else holds
    answer: Any = None
    iterator = iter(items)
    while (value := next(iterator, END) if answer is None else next_perhaps(iterator)) is not END:
        if answer is not None:
            answer = join(answer, lambda value=value: value)
        elif is_traced(value):
            answer = bool_(value)
        elif bool(value) is not neutral:
            return not neutral
    return neutral if answer is None else bool_(answer) if is_traced(answer) else bool(answer)


def max_(*args: object, **kwargs: object) -> Any:
    """``max``: of equal values the first."""
    return _extreme(builtins.max, lambda a, b: a > b, args, kwargs)


def min_(*args: object, **kwargs: object) -> Any:
    """``min``: of equal values the first."""
    return _extreme(builtins.min, lambda a, b: a < b, args, kwargs)


def _extreme(builtin: Callable[..., Any], better: Callable[[Any, Any], Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not mode.building() or (len(args) > 1 and "default" in kwargs):
        return builtin(*args, **kwargs)
    values = collected(args[0]) if len(args) == 1 else args
    key = kwargs.get("key")
    if isinstance(values, TensorList):
        if "default" in kwargs:
            raise broken(
                f"max() or min() with default= of a list whose length depends on tensors{in_expression()}",
                "`if items: best = max(items)`",
            )
        check(len_(values) > 0, _of_nothing(builtin))
        if key is None:
            return for_(values, lambda item, best: if_(better(item, best), lambda: item, lambda: best), values.get(0))
        rank_of, first = call(key), values.get(0)

        def ranked(item: object, best: object, mine: object) -> Any:
            rank = rank_of(item)
            return if_(better(rank, mine), lambda: (item, rank), lambda: (best, mine))

        return for_(values, ranked, first, rank_of(first))[0]
    values = values if isinstance(values, (list, tuple, dict)) else list(values)
    if values:
        kwargs.pop("default", None)
    if not values or kwargs.keys() - {"key"} or not (any(map(_holds, values)) or key is not None):
        return builtin(values, **kwargs) if len(args) == 1 else builtin(*args, **kwargs)
    rank = (lambda value: value) if key is None else call(key)
    values, ranks = _ranked(values, rank)
    if not any(map(_holds, ranks)):
        return builtin(values, **kwargs)
    best, mine = values[0], ranks[0]
    for value, next_rank in zip(values[1:], ranks[1:], strict=True):
        first = _compared(better, next_rank, mine)
        if key is None:
            best = mine = if_(first, lambda value=value: value, lambda best=best: best)
        else:
            best, mine = if_(
                first,
                lambda value=value, next_rank=next_rank: (value, next_rank),
                lambda best=best, mine=mine: (best, mine),
            )
    return best


def _holds(rank: object) -> bool:
    """True if the result of a comparison of the value is traced."""
    return is_traced(rank) or (isinstance(rank, (tuple, list)) and any(map(_holds, rank)))


def _compared(better: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """``a > b`` or ``a < b``; of tuples, as Python compares them, that of the first items that are not equal."""
    if not (type(a) is type(b) and isinstance(a, (tuple, list)) and a and b):
        return better(a, b)
    for item in (a[0], b[0]):
        if is_traced(item) and not holds_union(item):
            check(item == item, NumberError("NaN in a tuple equals itself where it is one object, which Python knows"))
    return if_(a[0] == b[0], lambda: _compared(better, a[1:], b[1:]), lambda: _compared(better, a[0], b[0]))


def _of_nothing(builtin: Callable[..., Any]) -> ValueError:
    """Return Python's error for an empty argument."""
    try:
        builtin(())
    except ValueError as error:
        return error
    raise AssertionError


def _ranked(values: Collection[Any], rank: Callable[[Any], Any]) -> tuple[list[Any], list[Any]]:
    """Return the values and their ranks. The list may change while the ranks are computed."""
    iterating = current().effects.iterating
    iterating[id(rank)] = rank, [values]
    try:
        pairs = [(value, rank(value)) for value in values]
    finally:
        del iterating[id(rank)]
    return [value for value, _ in pairs], [key for _, key in pairs]


def sum_(iterable: Iterable[Any], start: Any = 0) -> Any:
    """``sum``; over a tensor or list of the Program by a loop."""
    if not mode.building():
        return builtins.sum(iterable, start)
    if (is_traced(iterable) and not isinstance(iterable, TensorList)) or isinstance(iterable, IndexedIterable):
        return for_(iterable, lambda item, total: total + item, start)
    items = collected(iterable)
    if isinstance(items, TensorList):
        return for_(items, lambda item, total: total + item, start)
    return builtins.sum(items, start)


def sorted_(iterable: Iterable[Any], *, key: Callable[[Any], Any] | None = None, reverse: bool = False) -> Any:
    """``sorted`` with a translated key; values that are traced are brought in order by comparing neighbours."""
    if not mode.building():
        return builtins.sorted(iterable, key=key, reverse=reverse)
    items = list_(iterable)
    if isinstance(items, TensorList):
        items.sort(key=key, reverse=reverse)
        return items
    rank = (lambda value: value) if key is None else call(key)
    keys = [rank(item) for item in items]
    if not any(map(is_traced, keys)):
        firsts = {k[0] for k in keys if isinstance(k, tuple) and k and type(k[0]) in (str, int)}
        if len(firsts) < len(keys) and any(isinstance(k, (tuple, list)) and any(map(is_traced, k)) for k in keys):
            raise broken(f"sorted() of tuples that hold tensors{in_expression()}", "a key that is a number")
        order = builtins.sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
        return [items[i] for i in order]
    if len(items) > SORTED:
        raise broken(
            f"sorted() of {len(items)} tensors{in_expression()} compares them one by one, at most {SORTED}",
            "`paddle.sort(paddle.stack(items))`, or paddle.argsort with a key",
        )
    pairs = list(zip(keys, items, strict=True))
    for end in range(len(pairs) - 1, 0, -1):
        for i in range(end):
            a, b = pairs[i], pairs[i + 1]
            swap = b[0] > a[0] if reverse else b[0] < a[0]
            pairs[i], pairs[i + 1] = if_(swap, lambda a=a, b=b: (b, a), lambda a=a, b=b: (a, b))
    return [item for _, item in pairs]
