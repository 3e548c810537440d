"""What stands for the builtins that translated code calls: functions of the same meaning that understand tensors."""

from __future__ import annotations

import builtins
import functools
import inspect
import types
from typing import Any

from to_static.core.expressions import quoted
from to_static.ir.number import Number
from to_static.lower.calls import containers, convert, map_filter, methods, predicates, reductions
from to_static.lower.control import checks
from to_static.lower.iteration import iterate, ranges
from to_static.lower.objects.attribute import touch
from to_static.lower.objects.optional import Optional
from to_static.lower.values import number, text
from to_static.tracing.effects import CONTAINERS
from to_static.tracing.graph_break import broken
from to_static.tracing.session import current, inside_block
from to_static.transpile.analysis.scopes import STOPS


def _look_up(target: Any, owner: Any, name: Any, *default: Any) -> Any:
    """``getattr`` and ``hasattr``, whose answer the next call may not get: the name may be made up."""
    if type(name) is Optional:
        return name.each(lambda option: _look_up(target, owner, option, *default))
    watch = current().watch
    if watch is not None:
        watch.ask(name)
    if target is builtins.getattr and not default and type(inspect.getattr_static(type(owner), str(name), None)) is property:
        return convert.attribute(owner, name)
    current().effects.native.mention([name])
    if name in STOPS:
        owner = predicates.guard_stop_gradient(owner)
    if type(owner) is Optional:
        return owner.each(lambda option: target(option, name, *default))
    kind = predicates.class_of(owner)
    stands_for = isinstance(owner, (Number, text.Text)) or kind is list
    of_kind = stands_for and (target is builtins.hasattr or not hasattr(kind, name))
    return target(kind if of_kind else owner, name, *default)


def _set(target: Any, owner: Any, name: Any, *value: Any) -> Any:
    """``setattr`` and ``delattr``, announced."""
    if type(name) is Optional:
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
        f"{target.__name__}() is called{quoted()}: that is done while the Program is built, not when it runs",
        "a list and an index in place of an iterator; files before the call",
    )


convert.TWINS.update({
    builtins.print: checks.print_, builtins.len: number.len_, builtins.int: number.int_, builtins.float: number.float_,
    builtins.bool: number.bool_, builtins.range: ranges.range_, builtins.enumerate: iterate.enumerate_, builtins.zip: iterate.zip_,
    builtins.reversed: iterate.reversed_, builtins.map: map_filter.map_, builtins.filter: map_filter.filter_,
    builtins.sorted: reductions.sorted_, builtins.any: reductions.any_, builtins.all: reductions.all_,
    builtins.max: reductions.max_, builtins.min: reductions.min_, builtins.sum: reductions.sum_,
    builtins.isinstance: predicates.isinstance_, builtins.str: text.str_,
    builtins.repr: text.repr_, builtins.tuple: containers.tuple_, builtins.format: text.format_,
    builtins.list: containers.list_, builtins.dict: containers.dict_, builtins.set: containers.set_,
})  # fmt: skip
convert.WHILE_TRACING.update({target: functools.partial(_look_up, target) for target in (builtins.getattr, builtins.hasattr)})
convert.WHILE_TRACING.update({target: functools.partial(_set, target) for target in (builtins.setattr, builtins.delattr)})
convert.WHILE_TRACING.update(
    {target: functools.partial(_python_only, target) for target in (builtins.id, builtins.next, builtins.open, builtins.input)}
)
convert.WHILE_TRACING[builtins.iter] = iterate.iter_of
convert.METHODS += [(CONTAINERS, methods.of_container), ((str,), methods.of_text)]
