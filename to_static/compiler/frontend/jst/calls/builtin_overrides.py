"""What stands for the builtins that translated code calls: functions of the same meaning that understand tensors."""

from __future__ import annotations

import builtins
import functools
import inspect
import types
from typing import Any

from to_static.compiler.frontend.jst.calls import (
    containers,
    converted_call,
    map_filter,
    methods,
    predicates,
    reductions,
)
from to_static.compiler.frontend.jst.control import assertions
from to_static.compiler.frontend.jst.iteration import iterate, ranges
from to_static.compiler.frontend.jst.objects.union import UnionValue
from to_static.compiler.frontend.jst.objects.write_barrier import touch
from to_static.compiler.frontend.jst.values import number, text
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.side_effects import CONTAINERS
from to_static.compiler.frontend.tracing.trace_context import current, inside_block
from to_static.compiler.frontend.transpile.analysis.activity import STOPS
from to_static.compiler.ir.sym_number import SymNumber
from to_static.core.source_expressions import in_expression


def _look_up(target: Any, owner: Any, name: Any, *default: Any) -> Any:
    """``getattr`` and ``hasattr``, whose answer the next call may not get: the name may be made up."""
    if type(name) is UnionValue:
        return name.each(lambda option: _look_up(target, owner, option, *default))
    watch = current().watch
    if watch is not None:
        watch.ask(name)
    if target is builtins.getattr and not default and type(inspect.getattr_static(type(owner), str(name), None)) is property:
        return converted_call.attribute(owner, name)
    current().effects.native.mention([name])
    if name in STOPS:
        owner = predicates.guard_stop_gradient(owner)
    if type(owner) is UnionValue:
        return owner.each(lambda option: target(option, name, *default))
    kind = predicates.class_of(owner)
    stands_for = isinstance(owner, (SymNumber, text.Text)) or kind is list
    of_kind = stands_for and (target is builtins.hasattr or not hasattr(kind, name))
    return target(kind if of_kind else owner, name, *default)


def _set(target: Any, owner: Any, name: Any, *value: Any) -> Any:
    """``setattr`` and ``delattr``, announced."""
    if type(name) is UnionValue:
        return name.each(lambda option: _set(target, owner, option, *value))
    touch(owner, name)
    return target(owner, name, *value)


def _python_only(target: Any, *args: Any, **kwargs: Any) -> Any:
    """What is done while the Program is built: a graph break, but of ``next`` where nobody else sees it."""
    if target is builtins.next and args:
        own = isinstance(args[0], types.GeneratorType) and args[0].__name__ == "<genexpr>" and not current().outlives(args[0])
        if own and inspect.getgeneratorstate(args[0]) == inspect.GEN_CREATED:
            return target(*args, **kwargs)  # a generator expression that nobody else sees
        if not isinstance(args[0], types.GeneratorType) and not inside_block() and not current().outlives(args[0]):
            iterate.take(args[0])
            return target(*args, **kwargs)
    raise broken(
        f"{target.__name__}() is called{in_expression()}: that is done while the Program is built, not when it runs",
        "a list and an index in place of an iterator; files before the call",
    )


converted_call.BUILTIN_OVERRIDES.update({
    builtins.print: assertions.print_, builtins.len: number.len_, builtins.int: number.int_, builtins.float: number.float_,
    builtins.bool: number.bool_, builtins.range: ranges.range_, builtins.enumerate: iterate.enumerate_, builtins.zip: iterate.zip_,
    builtins.reversed: iterate.reversed_, builtins.map: map_filter.map_, builtins.filter: map_filter.filter_,
    builtins.sorted: reductions.sorted_, builtins.any: reductions.any_, builtins.all: reductions.all_,
    builtins.max: reductions.max_, builtins.min: reductions.min_, builtins.sum: reductions.sum_,
    builtins.isinstance: predicates.isinstance_, builtins.str: text.str_,
    builtins.repr: text.repr_, builtins.tuple: containers.tuple_, builtins.format: text.format_,
    builtins.list: containers.list_, builtins.dict: containers.dict_, builtins.set: containers.set_,
})  # fmt: skip
converted_call.WHILE_TRACING.update(
    {target: functools.partial(_look_up, target) for target in (builtins.getattr, builtins.hasattr)}
)
converted_call.WHILE_TRACING.update({target: functools.partial(_set, target) for target in (builtins.setattr, builtins.delattr)})
converted_call.WHILE_TRACING.update(
    {target: functools.partial(_python_only, target) for target in (builtins.id, builtins.next, builtins.open, builtins.input)}
)
converted_call.WHILE_TRACING[builtins.iter] = iterate.iter_of
converted_call.METHODS += [(CONTAINERS, methods.of_container), ((str,), methods.of_text)]
