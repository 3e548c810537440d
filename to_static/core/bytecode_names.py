"""The names that a code object reaches: global variables, variables of functions around, attributes."""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator
from dataclasses import dataclass, field

_CHANGES = ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_DEREF", "DELETE_DEREF", "IMPORT_NAME", "YIELD_VALUE")
_GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME")
_CELLS = ("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF")
_ATTRIBUTES = ("LOAD_METHOD", "LOAD_ATTR", "LOAD_SUPER_ATTR")


@dataclass
class NamesReached:
    """``changes``: whether a variable outside is assigned, a module imported or a generator made."""

    global_names: set[str] = field(default_factory=set)
    cells: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    changes: bool = False


def nested_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and those of the functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from nested_codes(constant)


def names_reached(code: types.CodeType) -> NamesReached:
    """The names that a code object and those of the functions in it load, by the way they are loaded."""
    reached = NamesReached()
    for part in nested_codes(code):
        for step in dis.get_instructions(part):
            reached.changes |= step.opname in _CHANGES
            for opnames, names in ((_GLOBALS, reached.global_names), (_CELLS, reached.cells), (_ATTRIBUTES, reached.attributes)):
                if step.opname in opnames and isinstance(step.argval, str):
                    names.add(step.argval)
    return reached


def names_mentioned(code: types.CodeType) -> set[str]:
    """All names in a code object and those of the functions in it, strings that could be names included."""
    names: set[str] = set()
    for part in nested_codes(code):
        names.update(part.co_names)
        names.update(constant for constant in part.co_consts if isinstance(constant, str) and constant.isidentifier())
    return names
