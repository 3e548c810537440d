"""``functools.reduce`` and functions of ``itertools`` over lists that only the Program has."""

from __future__ import annotations

import functools
import heapq
import itertools
import operator
from collections.abc import Callable
from typing import Any

from to_static.jit import recording
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import len_
from to_static.jit.jst.collect import collected
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.folds import sorted_
from to_static.jit.jst.iterate import for_
from to_static.jit.jst.iterating import iterating
from to_static.jit.jst.lazy import accumulate_, chain_, from_iterable, islice_
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.steps import check
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


def _items(iterable: Any) -> Any:
    """The items as a list; an iterator over known items is left to who takes them, perhaps not all."""
    if not isinstance(iterable, Counted) or not iterable.once:
        return collected(iterable)
    return iterable if iterable.is_known else collected(iterable.rest())


def _of_lists(function: Callable[..., Any], of_list: Callable[..., Any]) -> Callable[..., Any]:
    """``function``, or ``of_list`` where one of the arguments is a list of the Program, for the items of all."""

    def called(*args: Any, **kwargs: Any) -> Any:
        found = [_items(arg) for arg in args]
        if any(isinstance(x, TensorList) for x in found):
            return of_list(*found, **kwargs)
        return function(*found, **kwargs)

    return called


def _chain(*lists: Any) -> Any:
    made: Any = []
    for items in lists:
        made = made + (items if isinstance(items, TensorList) else list(items))
    return made


def _islice(items: Any, *bounds: Any) -> Any:
    return items[slice(*bounds)]


def _accumulate(items: Any, function: Any = None, *, initial: Any = None) -> Any:
    from to_static.jit.jst.convert import call

    join = (lambda a, b: a + b) if function is None else call(function)

    def add(item: Any, made: Any) -> Any:
        made.append(join(made[-1], item))
        return made

    if initial is not None:
        return for_(items, add, TensorList.of([initial]))
    return if_(len_(items) > 0, lambda: for_(items[1:], add, TensorList.of([items.item(0)])), items.elements)


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
    itertools.chain: chain_(_of_lists(itertools.chain, _chain)),
    itertools.chain.from_iterable: from_iterable(_of_lists(itertools.chain, _chain)),
    itertools.islice: islice_(_of_lists(itertools.islice, _islice)),
    itertools.accumulate: accumulate_(_of_lists(itertools.accumulate, _accumulate)),
}
