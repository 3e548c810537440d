"""Whether an object has other names than the variables that a branch or loop is about to overwrite.

A list or object that a branch replaces by another may be joined with that by value only when nobody else can see it afterwards.
"""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.jit.contents import LIMIT, held
from to_static.jit.jst.blocks import known_as
from to_static.jit.jst.frames import users_frames
from to_static.jit.jst.growth import Grows, can_grow
from to_static.jit.jst.traced import failure
from to_static.jit.watch import globals_read
from to_static.transpile import is_translated

_RETURNS = None  # what `_lost` gives where nothing of a function is read any more


def has_other_names(
    value: Any,
    more: Iterable[Any] = (),
    passed: Callable[[Any, str], bool] = lambda owner, name: False,
    apart: Any = None,
    once: bool = False,
) -> bool:
    """Whether anything that lives on holds ``value``, an object from before the block that was just traced.

    ``more`` are further holders; attributes for which ``passed(owner, name)`` are about to be overwritten, and ``apart`` does not
    count. ``once``: the running statement runs no more functions of the user's.
    """
    builder = mode.state.mode
    known = known_as(value)
    same, value = {id(x) for x in known}, known[-1]
    if builder.outlives(value) or any(value is made and builder.outlives(own) for own, made in builder.lists):
        return True
    todo = [*more, *_variables(once)]
    seen: set[int] = {id(apart)}
    while todo:
        holder = todo.pop()
        if id(holder) in same:
            return True
        if id(holder) in seen:
            continue
        seen.add(id(holder))
        if len(seen) > LIMIT:
            return True
        found = held(holder)
        if found is not None:
            own: Any = getattr(holder, "__dict__", None)
            inside = list(found[1])
            for lost in [x for name, x in own.items() if passed(holder, name)] if type_of(own) is dict else []:
                place = next((i for i, x in enumerate(inside) if x is lost), len(inside))
                del inside[place : place + 1]  # once: another attribute may hold it, too
            todo += inside
    return False


def reached(value: Any) -> set[int]:
    """The ids of what ``value`` holds, directly or not."""
    seen: set[int] = set()
    todo = [value]
    while todo and len(seen) < LIMIT:
        item = todo.pop()
        if id(item) not in seen:
            seen.add(id(item))
            todo += (held(item) or (None, []))[1]
    return seen


def check_names(function: Any, copies: Any) -> None:
    """At the end of a block, ``function`` working on ``copies``: what it changed, it must not see under another name as well."""
    changed = [copies.outer(copies.copy_of(value)) for value in copies.changed()]
    found = reached(_seen_by(function)) if changed else set()
    for value in changed:
        if id(value) in found:
            if can_grow(value):
                raise Grows(value)
            kind = type(value).__name__
            raise failure(
                TranslationError,
                f"a {kind} changes under a tensor condition or in a tensor loop{shown()}, where it has another name that is not "
                "assigned there (in an attribute, another list or a closure), and both are used",
                f"use one of its names in the condition or loop, or a copy, `new = {kind}(old)`",
            )


def _seen_by(function: Any) -> list[Any]:
    """What the user's function reads, or the ones that a function of ours calls."""
    seen: dict[int, Any] = {}
    found: list[Any] = []
    todo = [function]
    while todo:
        item = todo.pop()
        if type(item) is not types.FunctionType or id(item) in seen:
            continue
        seen[id(item)] = item
        inside = held(item)[1]  # type: ignore[index]
        if is_translated(item.__code__):
            found += [*inside, *globals_read(item.__globals__, item.__code__)]
        else:
            todo += inside
    return found


def _variables(once: bool) -> Iterator[Any]:
    """What the running functions of the user's still have names for once the running statement is over."""
    yield from mode.state.mode.entered
    for frame in users_frames():
        lost, once = _lost(frame.f_code, frame.f_lasti, once), False
        if lost is not _RETURNS:
            yield from [x for name, x in frame.f_locals.items() if name not in lost]
        yield from globals_read(frame.f_globals, frame.f_code)


@functools.lru_cache(1024)
def _lost(code: types.CodeType, position: int, once: bool) -> Any:
    """Names that nobody reads after the call at ``position``, or that get its result; `_RETURNS` when the function returns it.

    ``once``: the functions that the call was given run no more.
    """
    instructions = [i for i in dis.get_instructions(code) if i.opname != "CACHE"]
    after = [i for i in instructions if i.offset > position]
    written = _receivers(after)
    if written is _RETURNS or any("JUMP" in i.opname and isinstance(i.argval, int) and i.argval <= i.offset for i in instructions):
        return written
    read = set(code.co_freevars if once else code.co_cellvars + code.co_freevars)
    for i in after:
        if "LOAD" in i.opname:
            read.update(i.argval if isinstance(i.argval, tuple) else [i.argval])
    return written | (frozenset(code.co_varnames + code.co_cellvars) - read)


def _receivers(after: list[dis.Instruction]) -> Any:
    """Names that get the result of the call before these instructions, or `_RETURNS` when the function returns it."""
    names: list[str] = []
    count = 1
    for instruction in after:
        if instruction.opname == "RETURN_VALUE" and not names:
            return _RETURNS
        if instruction.opname == "UNPACK_SEQUENCE" and not names:
            count = instruction.argval
        elif instruction.opname in ("STORE_FAST", "STORE_DEREF", "STORE_FAST_LOAD_FAST"):
            names.append(instruction.argval if isinstance(instruction.argval, str) else instruction.argval[0])
            count -= 1
        elif instruction.opname == "STORE_FAST_STORE_FAST":
            names += instruction.argval
            count -= 2
        else:
            break
        if count <= 0:
            return frozenset(names)
    return frozenset()
