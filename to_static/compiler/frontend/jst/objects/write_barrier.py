"""Writes to attributes, items, globals and closure variables: announced to the undo log (`tracing.side_effects`) before they
happen.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.frontend.jst.objects.variables import Outer
from to_static.compiler.frontend.tracing import side_effects
from to_static.compiler.frontend.tracing.side_effects import GlobalTarget
from to_static.compiler.frontend.tracing.side_effects import VariableTarget as CellVariable
from to_static.compiler.frontend.tracing.trace_context import building, current
from to_static.compiler.ir.tensor import Tensor
from to_static.nn.layer import Layer


def touch(owner: object, name: str | None = None) -> None:
    """Announce the write of an attribute ``name``, of an item, or (of an `Outer`) of a variable."""
    if not building():
        return
    record = current().effects
    if isinstance(owner, Outer):
        record.record_write(CellVariable(owner.cell, str(name)) if owner.cell is not None else GlobalTarget(owner.space, str(name)))
    elif owner is None or isinstance(owner, Tensor):
        return  # None: a nonlocal variable of a function around, which is kept in `cells`
    elif name is not None:
        read, guards = record.record_attribute_write(owner, name), current().guards
        if guards is not None:
            for attribute in read:
                guards.track_name(attribute)
            if isinstance(owner, Layer):
                guards.rewritten.note_write(owner, name, always=len(record.scopes) == 1)
        container = vars(owner).get(name) if hasattr(owner, "__dict__") else None
        if isinstance(container, side_effects.CONTAINERS) and record.resolved(container) is container:
            record.record_items_write(container)  # `obj.items += [x]` changes the list
    elif isinstance(owner, (*side_effects.BUFFERS, *side_effects.CONTAINERS)):
        if record.resolved(owner) is owner:
            record.record_items_write(owner)
    elif hasattr(owner, "__dict__"):
        for attribute in list(vars(owner)):
            record.record_write(side_effects.AttributeTarget(owner, attribute))
        record.record_reachable(vars(owner).values())


def touch_entry(owner: object, key: object) -> None:
    """Announce the write of ``owner.__dict__[key]``."""
    touch(owner, key if isinstance(key, str) else None)


def assign(owner: object, name: str, value: object) -> Any:
    """Announce and do ``owner.name = value``; return the value."""
    touch(owner, name)
    if isinstance(owner, Outer):
        if owner.cell is not None:
            owner.cell.cell_contents = value
        else:
            owner.space[name] = value
    else:
        setattr(owner, name, value)
    return value
