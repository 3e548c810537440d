"""Writes to attributes, items, globals and closure variables: announced to the record of effects before they are made."""

from __future__ import annotations

from typing import Any

from to_static.ir.tensor import Tensor
from to_static.lower.objects.variables import Outer
from to_static.tracing import effects
from to_static.tracing.effects import Global
from to_static.tracing.effects import Variable as CellVariable
from to_static.tracing.session import building, current


def touch(owner: Any, name: str | None = None) -> None:
    """Called before an attribute (``name``), an item, or (of an `Outer`) a variable is written."""
    if not building():
        return
    record = current().effects
    if isinstance(owner, Outer):
        record.note(CellVariable(owner.cell, str(name)) if owner.cell is not None else Global(owner.space, str(name)))
    elif owner is None or isinstance(owner, Tensor):
        return  # None: a nonlocal variable of a function around, which is kept in `cells`
    elif name is not None:
        record.note_attribute(owner, name)
        held = vars(owner).get(name) if hasattr(owner, "__dict__") else None
        if isinstance(held, effects.CONTAINERS) and record.resolved(held) is held:
            record.note_items(held)  # `obj.items += [x]` changes the list
    elif isinstance(owner, (*effects.BUFFERS, *effects.CONTAINERS)):
        if record.resolved(owner) is owner:
            record.note_items(owner)
    elif hasattr(owner, "__dict__"):
        for attribute in list(vars(owner)):
            record.note(effects.Attribute(owner, attribute))
        record.note_below(vars(owner).values())


def touch_entry(owner: Any, key: Any) -> None:
    """Called before ``owner.__dict__[key]`` is written."""
    touch(owner, key if isinstance(key, str) else None)


def assign(owner: Any, name: str, value: Any) -> Any:
    """``owner.name = value``, announced; gives the value."""
    touch(owner, name)
    if isinstance(owner, Outer):
        if owner.cell is not None:
            owner.cell.cell_contents = value
        else:
            owner.space[name] = value
    else:
        setattr(owner, name, value)
    return value
