"""``told``: what is called gives (whether it ended by an error, the error, its result), for tensors may decide all three.

The user's functions have a form for that (see `transpile/passes/telling`). Others go step by step: the first check of theirs that
the Program would make is handed to the caller, and they run once more under the condition that it holds.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import operator
import types
from collections.abc import Callable
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.ir.number import Number
from to_static.jit import recording
from to_static.jit.contents import member
from to_static.jit.jst import steps
from to_static.jit.jst.blocks import catches_here, changes, reach, touch
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import float_, int_
from to_static.jit.jst.chosen import over
from to_static.jit.jst.convert import call, is_translatable
from to_static.jit.jst.drawn import step_of
from to_static.jit.jst.failures import failing_of
from to_static.jit.jst.growth import growing
from to_static.jit.jst.items import at
from to_static.jit.jst.leaks import is_the_users, leaked
from to_static.jit.jst.levels import ways
from to_static.jit.jst.pure import form_of
from to_static.jit.jst.table_kinds import KINDS
from to_static.jit.jst.traced import inside_block, is_traced
from to_static.jit.jst.unbound import Maybe, Unbound
from to_static.nn.layer import Layer
from to_static.transpile import is_translated, transpile_function

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
    "divmod": divmod, "/=": operator.itruediv, "//=": operator.ifloordiv, "%=": operator.imod,
}  # fmt: skip


def told(target: Any) -> Callable[..., tuple[Any, Any, Any]]:
    """``target``, so that it tells of its errors where the trace at hand asks for that."""
    if not (mode.building() and mode.state.mode.asks):
        return lambda *args, **kwargs: (False, None, call(target)(*args, **kwargs))
    form = _next if target is builtins.next else form_that_tells(target)
    if form is None:
        form = _steps_of(target)
    elif mode.state.mode.choices:
        form = over(form)
    return functools.partial(finished, form)


def telling(function: Any, form: Any) -> None:
    """Note the form that tells of its errors of a function that is defined in translated code."""
    function.__telling__ = form


def finished(form: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, Any, Any]:
    """What ``form(*args, **kwargs)`` tells: whether it ended by an error, the error, and its result."""
    try:
        found = form(*args, **kwargs)
    except (Exception, SystemExit) as error:  # Python's own: it comes as far as the block does
        if not inside_block() or catches_here() or not is_the_users(error) or leaked(error) is not None:
            raise
        found = True, failing_of(error), None
    raised, error, value = (part.value if type(part) is Maybe else part for part in found[:3])
    return raised, error, value


def form_that_tells(target: Any) -> Any:
    """The form of the user's function that ``target`` leads to; None where there is none."""
    kind = type(target)
    if mode.state.mode.methods is not None:
        mode.state.mode.methods.see(target)
    target = form_of(target) or target
    if type(target) is types.FunctionType:
        return _function(target)
    if kind is types.MethodType:
        form = form_that_tells(target.__func__)
        return None if form is None else functools.partial(form, target.__self__)
    if kind is functools.partial:
        form = form_that_tells(target.func)
        return None if form is None else functools.partial(form, *target.args, **target.keywords)
    if kind is type:
        return _new(target)
    if member(kind, "dygraph_function") is not None:
        return form_that_tells(target.dygraph_function)
    if isinstance(target, Layer):
        if target._forward_pre_hooks or target._forward_post_hooks:
            return None
        mode.state.mode.translate(target.forward)  # so that the trace knows the Layer
        return form_that_tells(target.forward)
    method = getattr(kind, "__call__", None)  # noqa: B004
    return form_that_tells(types.MethodType(method, target)) if type(method) is types.FunctionType else None


def _next(iterator: Any, *default: Any) -> Any:
    form = step_of(iterator)
    return form() if form is not None else _steps_of(builtins.next)(iterator, *default)


def _new(kind: Any) -> Any:
    """Making an object of a class, whose ``__init__`` may raise an error."""
    start = kind.__init__
    form = _function(start) if kind.__new__ is object.__new__ and type(start) is types.FunctionType else None
    if form is None:
        return None

    def made(*args: Any, **kwargs: Any) -> Any:
        new = kind.__new__(kind)
        raised, error, _ = form(new, *args, **kwargs)
        return raised, error, new

    return made


def _function(function: types.FunctionType) -> Any:
    function = getattr(function, "__leads_to__", function)
    if hasattr(function, "__telling__"):
        return function.__telling__
    if is_translated(function.__code__) or function.__code__.co_flags & inspect.CO_GENERATOR or not is_translatable(function):
        return None
    from to_static.jit import jst

    try:
        form = transpile_function(function, jst, entry=False, form="telling", **ways())[0]
    except TranslationError:
        return None
    recording.meet(function)
    reach(function)
    return form


def _steps_of(target: Any) -> Any:
    """What has no form of its own, step by step."""
    owner = getattr(target, "__self__", None)
    if target is set_item:
        return _set
    if type_of(owner) in (list, *KINDS) and isinstance(target, types.BuiltinMethodType):  # it may become one of the Program
        name = target.__name__
        return lambda *args, **kwargs: _stepwise(lambda own: call(getattr(own, name))(*args, **kwargs), 0, [], owner)
    made = functools.partial(quotient, "divmod") if target is divmod else _whole if target is int else call(target)
    return lambda *args, **kwargs: _stepwise(lambda: made(*args, **kwargs), 0, [])


def set_item(owner: Any, index: Any, value: Any) -> None:
    """``owner[index] = value``"""
    at(owner)[index] = value


def set_attribute(owner: Any, name: str, value: Any) -> None:
    """``owner.name = value``"""
    touch(owner, name)
    setattr(owner, name, value)


def _set(owner: Any, index: Any, value: Any) -> Any:
    if type_of(owner) in (list, *KINDS):
        return _stepwise(lambda own: set_item(own, index, value), 0, [], owner)
    return _stepwise(lambda: set_item(owner, index, value), 0, [])


def within(function: Any) -> Callable[..., Any]:
    """A function of the user's that Python calls; within what is asked step by step it runs once."""
    form = form_that_tells(function) if steps.asked() else None
    if form is None:
        return call(function)  # type: ignore[no-any-return]
    form = over(form) if mode.state.mode.choices else form

    def made(*args: Any, **kwargs: Any) -> Any:
        owner = getattr(function, "__self__", args[0] if args else None)
        return steps.running().once(owner, lambda: finished(form, *args, **kwargs))

    return made


def computed(run: Callable[[], Any]) -> tuple[Any, Any, Any]:
    """An expression of the user's, ``run()``, so that it tells of its errors where the trace at hand asks for that."""
    if not (mode.building() and mode.state.mode.asks):
        return False, None, run()
    return finished(_stepwise, run, 0, [])


def _stepwise(run: Callable[..., Any], passed: int, calls: list[Any], *owner: Any) -> tuple[Any, ...]:
    """``run(*owner)``, whose checks but for the first ones, which ``passed``, decide whether it ends by an error."""
    with steps.Steps(passed, run.__code__, calls) as made:
        made.value = run(*owner)
    if made.stop is None:
        return False, Unbound(""), made.value, *owner
    return _decided(run, passed, calls, *made.stop, *map(_now, owner))


@growing
def _decided(run: Any, passed: int, calls: list[Any], condition: Any, error: Any, *owner: Any) -> Any:
    def more(*own: Any) -> Any:
        return _stepwise(run, passed + 1, [*calls], *own)

    def ends(*own: Any) -> Any:
        made = error()
        return True, failing_of(made) if isinstance(made, BaseException) else made, Unbound(""), *own

    found = if_(condition, more, ends, *owner)
    if any(a is not b for a, b in zip(found[3:], owner, strict=True)):
        raise changes(owner[0], "in a `try`")
    return found


def _now(owner: Any) -> Any:
    """What took the place of a container that came to depend on tensors."""
    return next((made for old, made in reversed(mode.state.mode.lists) if old is owner), owner)


def quotient(sign: str, a: Any, b: Any) -> Any:
    """``a / b``, ``a // b``, ``a % b`` or ``divmod(a, b)``: whether ``b`` is zero is a step of its own."""
    compute = _OPERATORS[sign]
    if not (isinstance(b, Number) and isinstance(a, (Number, int, float))):
        return compute(a, b)

    def error() -> BaseException:
        try:
            one: Any = getattr(a, "python_type", type(a))
            compute(one(1), b.python_type(0))  # type: ignore[call-arg, arg-type]
        except ZeroDivisionError as found:
            return found
        raise AssertionError

    if not steps.asks(b != 0, error):
        return compute(a, b)
    ops = mode.state.mode.frame.block.ops
    first = len(ops)
    made = compute(a, b)
    for op in ops[first:]:
        if op.name == "python":
            op.attrs["function"] = op.attrs["function"].replace(".", ".__") + "__"  # the same function, which does not fail here
    return made


def _whole(*args: Any) -> Any:
    """``int``: whether a float is NaN or infinity are steps of their own."""
    value = float_(args[0]) if len(args) == 1 and is_traced(args[0]) and args[0].dtype.is_floating else None
    if not isinstance(value, Number):
        return call(int)(*args)

    def error(of: str) -> BaseException:
        try:
            int(float(of))
        except (ValueError, OverflowError) as found:
            return found
        raise AssertionError

    known = steps.asks(value == value, lambda: error("nan")) and steps.asks(abs(value) != float("inf"), lambda: error("inf"))
    made = int_(value)
    if known:
        mode.state.mode.frame.block.ops[-1].attrs["function"] = "builtins.float.__trunc__"  # which does not fail here
    return made
