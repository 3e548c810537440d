"""Whether running code may change tensors in place, or ask which tensor a variable is: only then numbers of tensors are kept."""

from __future__ import annotations

import dis
import functools
import re
import types
from collections.abc import Iterator
from typing import Any

from to_static.core.site import is_users
from to_static.jit.jst.frames import users_frames
from to_static.jit.jst.joined import numbers
from to_static.jit.watch import globals_read

_LIMIT = 200  # functions that are looked at, at most
_METHOD = re.compile(r"[a-z][a-z_0-9]*[a-z0-9]_$|set_value$")
_OURS = re.compile(r"(if|for|while|and|or|not|is|in)_$")  # operators of translated code


def expected() -> bool:
    """Whether one of the running functions, or a function that they know by its name, does; or whether a caller asks."""
    names = numbers()
    names.exact = names.exact or _expected()
    return names.exact or names.asked


def _expected() -> bool:
    seen: set[types.CodeType] = set()
    todo: list[Any] = []
    for frame in users_frames():
        if _does(frame.f_code):
            return True
        seen.add(frame.f_code)
        todo += _known(frame.f_code, frame.f_globals, frame.f_locals.values())
    while todo and len(seen) < _LIMIT:
        function = todo.pop()
        code = function.__code__
        if code not in seen and is_users(code.co_filename):
            if _does(code):
                return True
            seen.add(code)
            todo += _known(code, function.__globals__, [_contents(cell) for cell in function.__closure__ or ()])
    return False


def _known(code: types.CodeType, space: dict[str, Any], values: Any) -> list[Any]:
    """The functions and methods among the global variables that a function reads, and among ``values``."""
    found = [*globals_read(space, code), *values]
    found = [getattr(x, "__func__", x) for x in found if isinstance(x, (types.FunctionType, types.MethodType))]
    return [x for x in found if isinstance(x, types.FunctionType)]


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


@functools.lru_cache(1024)
def _does(code: types.CodeType) -> bool:
    if any(_METHOD.match(name) and not _OURS.match(name) for name in code.co_names) or any(_acts(code)):
        return True
    return any(_does(x) for x in code.co_consts if isinstance(x, types.CodeType))


def _acts(code: types.CodeType) -> Iterator[bool]:
    """For each instruction, whether it sets an item or asks ``is`` of two variables."""
    asks = none = False  # whether `is_` was looked up, and whether a constant is the operand before
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        asks = instruction.argval in ("is_", "is_not") if name in ("LOAD_ATTR", "LOAD_METHOD") else asks
        if name.startswith("CALL") or name == "IS_OP":
            yield not none and (asks or name == "IS_OP")
            asks = False
        if name not in ("PRECALL", "CACHE"):
            none = name.startswith("LOAD_CONST")
        yield name == "STORE_SUBSCR"
