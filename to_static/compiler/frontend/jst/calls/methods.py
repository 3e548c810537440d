"""Methods of Python's lists, dicts, sets and strings, if the arguments or the object contain traced values."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.jst.calls.containers import collected
from to_static.compiler.frontend.jst.calls.reductions import sorted_
from to_static.compiler.frontend.jst.objects.tensor_list import TensorList
from to_static.compiler.frontend.jst.objects.write_barrier import touch
from to_static.compiler.frontend.jst.tracer_queries import is_traced
from to_static.compiler.frontend.jst.values.formatting import format_of, joined
from to_static.compiler.frontend.jst.values.text import may_hold
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.trace_context import current
from to_static.compiler.frontend.transpile.analysis.activity import MUTATORS
from to_static.compiler.ir.tensor import Tensor
from to_static.core.diagnostics.source_expressions import in_expression


def of_container(target: Callable[..., Any], owner: object) -> Any:
    """Return a method of a container; if it changes the container, the write is announced."""
    name = target.__name__
    record = current().effects
    if type(owner) is list:
        stood = record.resolved(owner)
        if stood is not owner:
            return getattr(stood, name)
    if isinstance(owner, (dict, set)) or name in ("index", "count", "remove"):
        return functools.partial(_keyed, target, owner)
    if name in MUTATORS:
        touch(owner)
        return functools.partial(_of_list, target, owner) if name in ("extend", "sort", "pop", "insert") else target
    return target


def _of_list(target: Callable[..., Any], owner: Any, *args: Any, **kwargs: Any) -> Any:
    """Call ``target``, a method of the list ``owner``, with arguments that may be traced."""
    name, record = target.__name__, current().effects
    extension = collected(args[0]) if args and name == "extend" else None
    if isinstance(extension, TensorList) or (name in ("pop", "insert") and args and is_traced(args[0])):
        traced_list = TensorList.of_items(owner)
        record.substitute(owner, traced_list)
        return getattr(traced_list, name)(*args, **kwargs)
    if name == "extend":
        return target(extension)
    if name == "sort":
        owner[:] = sorted_(list(owner), **kwargs)
        return None
    return target(*args, **kwargs)


def _keyed(target: Callable[..., Any], owner: Any, *args: Any, **kwargs: Any) -> Any:
    """Call ``target``, a method of the dict, set or list ``owner``, with a key or value that may be traced."""
    name = target.__name__
    traced = bool(args) and is_traced(args[0])
    if isinstance(owner, (dict, set)):
        if traced and name not in ("values", "items", "keys"):
            raise broken(
                f"a {type(owner).__name__} is looked up with a key that depends on a tensor{in_expression()}",
                "a list and an index, or a comparison with each key: `if k == 0: ...`",
            )
    elif traced or any(map(is_traced, owner)):
        raise broken(
            f"{name}() of a list compares with tensors{in_expression()}",
            "a loop over its items, with an `if` and a `break`",
        )
    if name in MUTATORS:
        touch(owner)
    return target(*args, **kwargs)


def of_text(target: Callable[..., Any], owner: str) -> Any:
    """Return a method of a string whose arguments may be `Text`."""

    def called(*args: Any, **kwargs: Any) -> Any:
        name = target.__name__
        if name == "format":
            return format_of(owner, args, kwargs)
        if name == "join" and len(args) == 1:
            items = collected(args[0])
            if not isinstance(items, (str, Tensor)):
                return joined(owner, list(items))
        if any(map(may_hold, args)) or any(map(may_hold, kwargs.values())):
            raise broken(f"{name}() of a string with tensors{in_expression()}", 'an f-string: `f"{x:.2f}"`')
        return target(*args, **kwargs)

    return called
