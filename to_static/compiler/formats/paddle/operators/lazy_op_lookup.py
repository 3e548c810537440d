"""Looks up the operator of a file's op without loading every operator family: a served model should start quickly."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.registry import FILE_TYPES, REGISTRY, load_home


def operator(kind: str) -> Any:
    """The OpDef that reads file op ``kind``, or None: of several with that file type, the one of that name."""
    load_home(kind)
    if REGISTRY.declared(kind) and REGISTRY[kind].file == kind:
        return REGISTRY[kind]
    if FILE_TYPES.declared(kind):
        return FILE_TYPES[kind]
    opdef = REGISTRY.get(kind)
    return opdef if opdef is not None and opdef.file == kind else FILE_TYPES.get(kind)
