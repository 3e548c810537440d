"""Lists whose length comes to depend on tensors, while other names for them exist.

A branch or loop that makes a Python list longer or shorter needs a `TensorList` in its place: not only in the variable at hand but
in everything that holds the list, so that all names go on meaning one object. A block that finds such a list raises `Grows`; the
construct that the list lives around (`growing`) puts the `TensorList` into its place everywhere and is traced again.
"""

from __future__ import annotations

import collections
import ctypes
import functools
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.core.namespace import type_of
from to_static.core.site import capture, is_internal, report
from to_static.ir import mode
from to_static.jit.contents import ITERATORS, LIMIT, VIEWS, changed, held
from to_static.jit.fields import fields
from to_static.jit.jst.at_hand import is_at_hand
from to_static.jit.jst.attributes import can_change, note_outliving, write
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.kinds import kinds_of
from to_static.jit.jst.levels import Back
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.recursion import endless
from to_static.jit.jst.rows import Widens, widen
from to_static.jit.jst.table_kinds import DICTS, KINDS, can_be_table
from to_static.jit.jst.tables import Table
from to_static.jit.jst.traced import failure, inside_block
from to_static.jit.jst.unbound import Maybe
from to_static.jit.watch import names_of


class Grows(Back):
    """``value`` (a list, dict or set) changes in a block and was not made there."""

    def __init__(self, value: Any) -> None:
        self.value = value


def can_grow(value: Any) -> bool:
    """True for a list whose items a list of the Program can hold, and for a dict or set whose keys a `Table` can.

    """
    return all(None not in kinds_of(item) for item in value) if type(value) is list else can_be_table(value)


def growing(construct: Callable[..., Any]) -> Callable[..., Any]:
    """``construct(*args)`` for an operator that traces blocks."""

    @functools.wraps(construct)
    def run(*args: Any) -> Any:
        done: list[Any] = []
        while True:
            try:
                return construct(*args)
            except Widens as found:
                if isinstance(found.items, Table):
                    found.items.widened(found.kinds)
                else:
                    widen(found.items, found.kinds)
                continue
            except Grows as found:
                value = found.value
            except RecursionError as error:
                raise error if inside_block() else endless(error) from None
            if any(value is x for x in done):
                raise _refuse("something out of sight")
            done.append(value)
            made = grown(value, _inside(args))
            args = tuple(_replaced(x, value, made) for x in args)

    return run


def _inside(args: tuple[Any, ...]) -> list[Any]:
    return [x for arg in args for x in (_inside(arg) if type(arg) is tuple else [arg])]


def grown(value: Any, holders: Iterable[Any] = ()) -> Any:
    """What takes the place of a list, dict or set; raises `Grows` when a block around this one has to make it.

    ``holders`` are further values that may lead to it.
    """
    if _is_from_outside(value):
        raise Grows(value)
    made: Any = TensorList.of(value) if type(value) is list else KINDS[type_of(value)](value)
    mode.state.mode.lists.append((value, made))
    mode.state.mode.replaced.append((value, held(value), shown(), capture()))
    become(value, made, holders)
    return made


def check_replaced(builder: Any) -> None:
    """Refuse changes of what has others in its place since: Python still had it at hand, in the middle of an expression."""
    for value, before, place, where in builder.replaced:
        if changed(before, held(value)):
            kind = type(value).__name__
            text = f"a {kind} changes under a tensor condition or in a tensor loop{place}, and in the expression around that too"
            raise TranslationError(report(text, where, "take it apart: `value = f(items)`, and then `items.append(value)`"))


def _held_by_expression(value: Any) -> Exception:
    """The refusal of replacing what an expression has at hand."""
    return failure(
        TranslationError,
        f"a {type(value).__name__} changes under a tensor condition or in a tensor loop{shown()}, while an expression holds it",
        "a statement of its own for what changes it: `value = grow()`, and then `f(items, value)`",
    )


def _replaced(arg: Any, value: Any, made: Any) -> Any:
    if type(arg) is tuple:
        return tuple(_replaced(x, value, made) for x in arg)
    return made if arg is value else arg


def _is_from_outside(value: Any) -> bool:
    """True when the block that is being traced did not make the list: a block around it has to care."""
    from to_static.jit.jst.blocks import block_of

    copies = block_of(mode.state.mode.frame)
    if copies is None:
        return False
    original = copies.outer(value)
    if original is not None:
        raise Grows(original)
    return copies.around.has(value) or copies.has(value)


def become(value: Any, made: Any, holders: Iterable[Any] = ()) -> None:
    """Put ``made`` into everything that holds the object ``value``: variables, items, attributes and closures."""
    at_hand = mode.building() and is_at_hand(value)
    todo = [*getattr(mode.state.mode, "entered", ())]
    seen: set[int] = set()
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_code is not mode.state.mode.entry:
        if not is_internal(frame.f_code.co_filename):
            todo += _in_frame(frame, value, made) + _in_globals(frame.f_globals, frame.f_code, value, made)
        elif frame.f_code.co_name == "_unrolled" and type(frame.f_locals.get("iterable")) not in DICTS:
            todo.append(frame.f_locals.get("items"))
        frame = frame.f_back
    named = any(x is made for x in todo)
    if at_hand and (_put(todo, value, made, seen) or named):
        raise _held_by_expression(value)
    _put([*todo, *holders], value, made, seen)


def _put(todo: list[Any], value: Any, made: Any, seen: set[int]) -> bool:
    """Put ``made`` into what these objects lead to; whether it was anywhere."""
    found_it = False
    while todo and len(seen) < LIMIT:
        holder = todo.pop()
        if id(holder) in seen or holder is value:
            continue
        seen.add(id(holder))
        found = held(holder)
        if found is None:
            continue
        holds = any(x is value for x in found[1])
        if holds and isinstance(holder, ITERATORS):
            raise failure(
                TranslationError,
                f"a {type(value).__name__} changes under a tensor condition or in a tensor loop{shown()} while it is iterated over",
                "a loop over a copy: `for item in list(items): ...`",
            )
        if holds:
            found_it = True
            put_instead(holder, value, made)
        todo += found[1]
        if type(holder) is types.FunctionType and not is_internal(holder.__code__.co_filename):
            todo += _in_globals(holder.__globals__, holder.__code__, value, made)
    return found_it


def _in_frame(frame: Any, value: Any, made: Any) -> list[Any]:
    """Put ``made`` into the variables of a running function; what the variables hold."""
    space = frame.f_locals
    names = [name for name, x in space.items() if x is value]
    for name in names:
        space[name] = made
    if names and sys.version_info < (3, 13):  # later versions write through (PEP 667)
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    return list(space.values())


def _in_globals(space: dict[str, Any], code: types.CodeType, value: Any, made: Any) -> list[Any]:
    """The same for the global variables that a function reads."""
    found = [name for name in names_of(code)[1] if name in space]
    for name in found:
        if space[name] is value:
            space[name] = made
    return [space[name] for name in found]


def put_instead(holder: Any, value: Any, made: Any) -> None:
    """Put ``made`` into ``holder`` wherever it holds ``value``."""
    kind = type(holder)
    if isinstance(holder, tuple):
        items = [made if x is value else x for x in tuple.__iter__(holder)]
        become(holder, tuple.__new__(kind, items))
        return
    if kind is Maybe:
        holder.value = made
    elif isinstance(holder, Table):
        put_instead(holder.fixed, value, made)
    elif isinstance(holder, (list, collections.deque)) or kind is Choice:
        items = holder.options if kind is Choice else holder
        for i, x in enumerate(items):
            if x is value:
                items[i] = made
    elif isinstance(holder, dict):
        for key, x in list(holder.items()):
            if x is value:
                holder[key] = made
    elif kind is types.FunctionType:
        for cell in holder.__closure__ or ():
            if _contents(cell) is value:
                cell.cell_contents = made
        if holder.__defaults__ is not None:
            holder.__defaults__ = tuple(made if x is value else x for x in holder.__defaults__)
        if holder.__kwdefaults__ is not None:
            put_instead(holder.__kwdefaults__, value, made)
        put_instead(vars(holder), value, made)
    elif kind is functools.partial:
        args = made if holder.args is value else holder.args
        become(holder, functools.partial(made if holder.func is value else holder.func, *args, **holder.keywords))
    elif kind is types.GeneratorType:
        _in_frame(holder.gi_frame, value, made)
        if any(x is value for x in held(holder)[1]):  # type: ignore[index]
            raise _refuse("a generator that is running")
    elif kind in (types.BuiltinMethodType, types.MethodWrapperType) and hasattr(made, holder.__name__):
        become(holder, getattr(made, holder.__name__))
    elif kind in VIEWS:
        become(holder, getattr(made, kind.__name__.removeprefix("dict_"))())
    elif any(x is value for _, x in fields(holder)):
        for name, x in list(fields(holder)):
            if x is value:
                if not can_change(holder, name):
                    raise _refuse(f"attribute {name!r} of a {kind.__name__}")
                if mode.building():  # not when a trace has failed and gives everything back
                    note_outliving(holder, name)
                write(holder, name, made)
    else:
        raise _refuse(f"a {kind.__name__}")


def _refuse(holder: str) -> Exception:
    return failure(
        TranslationError,
        f"a list, dict or set that {holder} holds changes under a tensor condition or in a tensor loop",
        "keep it in a variable, in a list or dict, or in a plain attribute",
    )


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None
