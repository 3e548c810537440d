"""Shallow copies of what an object holds, from which it gets that back: items, attributes, or the contents of cells."""

from __future__ import annotations

import collections
import contextlib
import contextvars
import logging
import operator
import types
from typing import Any

from to_static.core.namespace import type_of
from to_static.jit.contents import attributes_of, is_users, is_variable
from to_static.jit.fields import MISSING, fields, set_field
from to_static.nn.layer_tree import Table

_EMPTY = types.CellType()


_LISTS = list, set, collections.deque
_DICTS = dict, collections.OrderedDict, collections.defaultdict, collections.Counter, Table


def is_its_items(value: Any) -> bool:
    """Whether items are all that an object has: of a class made from list or dict `copy_of` copies the attributes."""
    return type_of(value) in (*_LISTS, *_DICTS)


def copy_of(value: Any) -> Any:
    """What can be put back, a list or dict; None for others."""
    kind = type_of(value)
    if kind in _LISTS:
        return list(value)
    if kind in _DICTS:
        return dict(value)
    if kind is types.FunctionType:  # the cells by number
        cells = [cell.cell_contents if cell != _EMPTY else MISSING for cell in value.__closure__ or ()]
        return {**dict(enumerate(cells)), **attributes_of(value)}
    if kind is contextvars.ContextVar:
        return [value.get(MISSING)]
    if isinstance(value, type):
        return {name: x for name, x in vars(value).items() if is_variable(value, name)} if is_users(value) else None
    return dict(fields(value)) if type_of(getattr(value, "__dict__", {})) is dict else None


def new_in(before: Any, now: Any) -> list[Any]:
    """What is held ``now`` and was not ``before``."""
    if isinstance(now, dict):
        return [x for key, x in now.items() if before.get(key, MISSING) is not x]
    same = len(now) == len(before) and all(map(operator.is_, now, before))
    return [] if same else now


def put(container: Any, content: Any) -> None:
    """Make a list, set, deque or dict hold ``content``."""
    container.clear()
    if isinstance(container, (list, collections.deque)):
        container.extend(content)
    else:
        container.update(content)


def set_attribute(owner: Any, name: str | int, value: Any) -> None:
    """Set (or with `MISSING` delete) an attribute, as the class itself would not see it; or fill a cell of a function."""
    if isinstance(name, int):
        if value is not MISSING:
            owner.__closure__[name].cell_contents = value
    elif isinstance(owner, type):
        if value is not MISSING:
            setattr(owner, name, value)
        elif name in vars(owner):
            delattr(owner, name)
    else:
        set_field(owner, name, value)


def _set_context(variable: contextvars.ContextVar[Any], value: Any) -> None:
    """Give a context variable its value, or (`MISSING`) that which it has where nobody sets it."""
    if value is MISSING:
        value = None  # where it has no default: nothing can make it a variable without value again
        with contextlib.suppress(LookupError):
            value = contextvars.Context().run(variable.get)
    variable.set(value)


def _in_order(before: Any, now: Any) -> bool:
    """Whether what holds the same keys has them in the same order."""
    return not isinstance(before, dict) or all(map(operator.is_, before, now))


def put_back(value: Any, before: Any) -> None:
    """Give an object what it held when ``before`` was its copy."""
    now = copy_of(value)
    if now is None or (len(now) == len(before) and not new_in(before, now) and _in_order(before, now)):
        return
    if is_its_items(value):
        put(value, before)
    elif type(value) is contextvars.ContextVar:
        _set_context(value, before[0])
    else:
        for name in {**now, **before}:
            if now.get(name, MISSING) is not before.get(name, MISSING):
                set_attribute(value, name, before.get(name, MISSING))
        if isinstance(value, logging.Logger):
            value.setLevel(value.level)  # it forgets what it worked out with the other level
