"""``functools.reduce`` and functions of ``itertools`` over lists that only the Program has."""

from __future__ import annotations

import functools
import heapq
import operator
from collections.abc import Callable
from typing import Any

from to_static.jit import recording
from to_static.jit.jst.casts import len_
from to_static.jit.jst.catching import check
from to_static.jit.jst.collect import collected
from to_static.jit.jst.folds import sorted_
from to_static.jit.jst.iterate import for_
from to_static.jit.jst.iterating import iterating
from to_static.jit.jst.lists import TensorList
from to_static.jit.watch import names_asked


def reduce_(function: Any, iterable: Any, *start: Any) -> Any:
    """``functools.reduce`` with a translated function."""
    from to_static.jit.jst.convert import call

    made = call(function)
    items = collected(iterable)
    if not isinstance(items, TensorList):
        return functools.reduce(*iterating(made, items), *start)
    if start:
        return for_(items, lambda item, total: made(total, item), start[0])
    check(len_(items) > 0, TypeError("reduce() of empty iterable with no initial value"))
    return for_(items.elements()[1:], lambda item, total: made(total, item), items.item(0))


def attribute_getter(target: operator.attrgetter[Any]) -> operator.attrgetter[Any]:
    """An `operator.attrgetter`, which reads attributes that no text of a function may mention."""
    for name in names_asked(target):
        recording.ask(name)
    return target


def method_caller(target: Any) -> Callable[[Any], Any]:
    """An `operator.methodcaller`, with translated methods."""
    from to_static.jit.jst.convert import call

    made, args = target.__reduce__()
    keywords = {}
    if type(made) is functools.partial:
        args, keywords = (*made.args, *args), made.keywords
    name, *args = args
    return lambda owner: call(getattr(owner, name))(*args, **keywords)


TWINS: dict[Any, Any] = {
    functools.reduce: reduce_,
    heapq.nlargest: lambda n, iterable, key=None: sorted_(iterable, key=key, reverse=True)[: max(n, 0)],
    heapq.nsmallest: lambda n, iterable, key=None: sorted_(iterable, key=key)[: max(n, 0)],
}
