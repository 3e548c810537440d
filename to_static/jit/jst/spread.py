"""Calls with a star: ``f(x, *items)`` where ``items`` may be a list that only the Program has.

A function with ``*args`` gets a `TensorTuple` for them, one without gets an item for each of its parameters.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

from to_static.core.dtypes import int64
from to_static.core.errors import TranslationError
from to_static.core.expressions import quoted
from to_static.ir.number import number
from to_static.ir.registry import FUNCTIONS
from to_static.jit.jst import checks
from to_static.jit.jst.blocks import raises
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import len_
from to_static.jit.jst.catching import check
from to_static.jit.jst.choice import Choice, select
from to_static.jit.jst.chosen import over
from to_static.jit.jst.collect import collected, list_of
from to_static.jit.jst.convert import call, converted
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.displays import SEVERAL
from to_static.jit.jst.folds import max_, min_
from to_static.jit.jst.iterate import for_
from to_static.jit.jst.kinds import Made
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.rows import Rows
from to_static.jit.jst.text import text
from to_static.jit.jst.traced import failure, is_traced
from to_static.jit.jst.tuples import TensorTuple


class Spread:
    """The place of a list of the Program, or of one of several lists or tuples, among the arguments of a call."""

    def __init__(self, items: Any) -> None:
        self.items = items


def star(items: Any) -> Any:
    """``*items`` in a call or display."""
    if type(items) is Choice:
        return [Spread(items)]
    items = collected(items)
    return [Spread(items.elements())] if isinstance(items, TensorList) else items  # as they are now


def spread(function: Any) -> Callable[..., Any]:
    """``function`` for arguments of which `star` made some."""

    def called(*args: Any, **kwargs: Any) -> Any:
        several = next((name for name in kwargs if name.startswith(SEVERAL)), None)
        if several is not None:
            return select(kwargs.pop(several), lambda option: called(*args, **kwargs, **option))
        for i, arg in enumerate(args):
            if type(arg) is Spread and type(arg.items) is Choice:
                return select(arg.items, lambda option: called(*args[:i], *star(option), *args[i + 1 :], **kwargs))  # noqa: B023
        if not any(type(arg) is Spread for arg in args):
            return call(function)(*args, **kwargs)
        own = _BUILTINS.get(function) if isinstance(function, (types.BuiltinFunctionType, type)) else None
        if own is not None:
            return own(args, **kwargs)
        return over(lambda *args, **kwargs: _handed(converted(function), function, args, kwargs))(*args, **kwargs)

    functools.update_wrapper(called, function, ("__module__", "__qualname__"), ())  # for the error of a name that is given twice
    return called


def display(*parts: Any) -> Any:
    """``[*items, x]``"""
    return _joined(parts) if any(type(part) is Spread for part in parts) else list(parts)


def _joined(parts: tuple[Any, ...]) -> Any:
    """All arguments in one list of the Program."""
    made: Any = None
    for part in parts:
        more = part.items.elements() if type(part) is Spread else TensorList.of([part])
        made = more if made is None else made + more
    return made


def _handed(made: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    while not isinstance(made, types.FunctionType):
        if isinstance(made, types.MethodType):
            args, made = (made.__self__, *args), made.__func__
        elif isinstance(made, functools.partial):
            args, kwargs, made = (*made.args, *args), {**made.keywords, **kwargs}, made.func
        else:
            raise _refuse(function)
    code = made.__code__
    names = code.co_varnames[: code.co_argcount]
    left = list(args)
    given: list[Any] = []
    while left and len(given) < len(names):
        if type(left[0]) is not Spread:
            given.append(left.pop(0))
            continue
        items = left[0].items
        optional = len(names) - len(made.__defaults__ or ())
        if len(given) >= optional or names[len(given)] in kwargs or len(left) > 1:
            raise _refuse(function)
        _enough(made.__qualname__, items, list(names[len(given) : optional]))
        given.append(items.item(0))
        left[0] = Spread(items[1:])
    if code.co_flags & inspect.CO_VARARGS:
        name = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
        return _gathering(made)(*given, **kwargs, **{name: TensorTuple.made_of(_joined(tuple(left)))})
    if len(left) > 1 or type(left[0]) is not Spread:
        raise _refuse(function)
    _no_more(made.__qualname__, len(names), len(given), left[0].items)
    return made(*given, **kwargs)


def _gathering(function: types.FunctionType) -> types.FunctionType:
    """``function`` with its ``*args`` as a parameter like others, which is handed in by name."""
    code = function.__code__
    code = code.replace(co_flags=code.co_flags & ~inspect.CO_VARARGS, co_kwonlyargcount=code.co_kwonlyargcount + 1)
    made = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__, made.__qualname__ = function.__kwdefaults__, function.__qualname__
    return made


def _enough(name: str, items: TensorList, names: list[str]) -> None:
    """The Program raises Python's error when there are not as many items as parameters."""
    for count in range(len(names)):
        missing = [repr(n) for n in names[count:]]
        listed = missing[0]
        if len(missing) > 1:
            listed = ", ".join(missing[:-1]) + ("," if len(missing) > 2 else "") + " and " + missing[-1]
        plural = "s" if len(missing) > 1 else ""
        error = TypeError(f"{name}() missing {len(missing)} required positional argument{plural}: {listed}")
        check(len_(items) != count, error)


def _no_more(name: str, wanted: int, given: int, items: TensorList) -> None:
    plural = "s" if wanted != 1 else ""

    def too_many() -> Any:
        words = text(f"{name}() takes {wanted} positional argument{plural} but ", (len_(items) + given, "", ""), " were given")
        raise raises(TypeError(words))

    if_(len_(items) > 0, too_many, None)


def _refuse(function: Any) -> Exception:
    return failure(
        TranslationError,
        f"a star hands {getattr(function, '__qualname__', type(function).__name__)}() as many arguments as a tensor says{quoted()}",
        "the list as one argument: `def f(items): ...` and `f(items)`",
    )


def _print(parts: tuple[Any, ...], sep: Any = " ", end: Any = "\n", **kwargs: Any) -> None:
    def one(item: Any, first: Any) -> Any:
        if_(first, None, lambda: checks.print_(end=" " if sep is None else sep, **kwargs))
        checks.print_(item, end="", **kwargs)
        return False

    first: Any = True
    for part in parts:
        first = for_(part.items, one, first) if type(part) is Spread else one(part, first)
    checks.print_(end=end, **kwargs)


def _extreme(function: Any, name: str) -> Callable[..., Any]:
    def called(parts: tuple[Any, ...], **kwargs: Any) -> Any:
        items = _joined(parts)
        length = len_(items)
        check(length > 0, TypeError(f"{name} expected at least 1 argument, got 0"))
        check(length > 1, TypeError("iteration over a 0-D tensor"))
        return function(items, **kwargs)

    return called


def _zipped(parts: tuple[Any, ...], **kwargs: Any) -> Any:
    """``zip(*items)`` of tuples: one tuple for each of their fields, or none if there are no items."""
    items = parts[0].items if len(parts) == 1 and not kwargs else None
    kinds = getattr(items, "kinds", [])
    if len(kinds) != 1 or not isinstance(kinds[0], Made) or not issubclass(kinds[0].type, tuple):
        raise _refuse(builtins.zip)
    fields = [list_of(_field(i), items) for i in range(len(kinds[0].parts))]
    if any(isinstance(field, Rows) for field in fields):
        raise _refuse(builtins.zip)
    made = [TensorTuple.made_of(field) for field in fields]
    some = FUNCTIONS["cast"](len_(items) > 0, int64)

    def one(place: Any) -> Any:
        if is_traced(place):
            raise failure(
                TranslationError,
                f"zip() of a star gives as many tuples as a tensor says{quoted()}",
                "take them apart: `a, b = zip(*items)`, or a list for each field: `[item[0] for item in items]`",
            )
        return made[place]

    return Counted(lambda: number(some * len(made)), one, builtins.zip)


def _field(place: int) -> Callable[[Any], Any]:
    return lambda item: item[place]


_BUILTINS: dict[Any, Any] = {builtins.print: _print, builtins.zip: _zipped}
_BUILTINS.update({builtins.max: _extreme(max_, "max"), builtins.min: _extreme(min_, "min")})
