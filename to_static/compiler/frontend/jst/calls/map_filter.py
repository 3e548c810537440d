"""``map`` and ``filter`` with translated functions."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from typing import Any

from to_static.compiler.frontend.jst.calls.containers import list_of
from to_static.compiler.frontend.jst.calls.converted_call import call
from to_static.compiler.frontend.jst.iteration.indexed import IndexedIterable
from to_static.compiler.frontend.jst.iteration.iterate import counted_of, iter_of, record_iterator, zip_
from to_static.compiler.frontend.tracing.trace_context import building


def map_(function: object, *iterables: Iterable[Any]) -> Any:
    """``map`` with a translated function."""
    converted = call(function)
    members = [counted_of(x) for x in iterables]
    if any(member is not None for member in members):
        zipped = zip_(*iterables)
        return IndexedIterable(zipped.length, lambda i: converted(*zipped.item(i)), builtins.map, calls=True)
    return record_iterator(builtins.map(converted, *iterables), *iterables)


def filter_(function: Callable[[Any], Any] | None, iterable: Iterable[Any]) -> Any:
    """``filter`` with a translated function; where tensors decide, a list of the Program."""
    if not building():
        return builtins.filter(function, iterable)
    return iter_of(list_of(lambda item: item, iterable, bool if function is None else call(function)))
