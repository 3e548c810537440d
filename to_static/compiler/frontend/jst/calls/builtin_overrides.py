"""Replacements of builtins that translated code calls: functions with the same meaning that handle tensors."""

from __future__ import annotations

import builtins
import functools
import importlib
import inspect
import types
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.jst.calls import converted_call, methods, predicates
from to_static.compiler.frontend.jst.iteration import iterate
from to_static.compiler.frontend.jst.objects.union import UnionValue
from to_static.compiler.frontend.jst.objects.write_barrier import touch
from to_static.compiler.frontend.jst.values import text
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.side_effects import CONTAINERS
from to_static.compiler.frontend.tracing.trace_context import current, inside_block
from to_static.compiler.frontend.transpile.analysis.activity import STOPS
from to_static.compiler.frontend.transpile.builtin_table import BUILTINS
from to_static.compiler.ir.symbolic.sym_number import SymNumber
from to_static.core.diagnostics.source_expressions import in_expression

_JST = "to_static.compiler.frontend.jst"


def _look_up(target: Callable[..., Any], owner: Any, name: Any, *default: Any) -> Any:
    """``getattr`` and ``hasattr``; records the name, which the code may have computed, for the guards."""
    if type(name) is UnionValue:
        return name.each(lambda option: _look_up(target, owner, option, *default))
    guards = current().guards
    if guards is not None:
        guards.track_name(name)
    if target is builtins.getattr and not default and type(inspect.getattr_static(type(owner), str(name), None)) is property:
        return converted_call.attribute(owner, name)
    current().effects.untranslated_reads.mention([name])
    if name in STOPS:
        owner = predicates.guard_stop_gradient(owner)
    if type(owner) is UnionValue:
        return owner.each(lambda option: target(option, name, *default))
    cls = predicates.class_of(owner)
    stands_for = isinstance(owner, (SymNumber, text.Text)) or cls is list
    of_kind = stands_for and (target is builtins.hasattr or not hasattr(cls, name))
    return target(cls if of_kind else owner, name, *default)


def _set(target: Callable[..., Any], owner: Any, name: Any, *value: Any) -> Any:
    """``setattr`` and ``delattr``; the write is announced."""
    if type(name) is UnionValue:
        return name.each(lambda option: _set(target, owner, option, *value))
    touch(owner, name)
    return target(owner, name, *value)


def _python_only(target: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Break the graph at a builtin with an effect. ``next`` of a local iterator is allowed."""
    if target is builtins.next and args:
        is_local_generator = (
            isinstance(args[0], types.GeneratorType)
            and args[0].__name__ == "<genexpr>"
            and not current().outlives(args[0])
        )
        if is_local_generator and inspect.getgeneratorstate(args[0]) == inspect.GEN_CREATED:
            return target(*args, **kwargs)  # a generator expression that nobody else sees
        if not isinstance(args[0], types.GeneratorType) and not inside_block() and not current().outlives(args[0]):
            iterate.take(args[0])
            return target(*args, **kwargs)
    raise broken(
        f"{target.__name__}() is called{in_expression()}: it would happen once, "
        f"during the trace, and not in every run",
        "a list and an index in place of an iterator; files before the call",
    )


BY_NAME: dict[str, Callable[..., Any]] = {
    name: getattr(importlib.import_module(f"{_JST}.{row.module}"), f"{name}_") for name, row in BUILTINS.items()
}
converted_call.BUILTIN_OVERRIDES.update({getattr(builtins, name): function for name, function in BY_NAME.items()})
converted_call.WHILE_TRACING.update(
    {target: functools.partial(_look_up, target) for target in (builtins.getattr, builtins.hasattr)}
)
converted_call.WHILE_TRACING.update({target: functools.partial(_set, target) for target in (builtins.setattr, builtins.delattr)})
converted_call.WHILE_TRACING.update(
    {target: functools.partial(_python_only, target) for target in (builtins.id, builtins.next, builtins.open, builtins.input)}
)
converted_call.WHILE_TRACING[builtins.iter] = iterate.iter_of
converted_call.METHODS += [(CONTAINERS, methods.of_container), ((str,), methods.of_text)]
