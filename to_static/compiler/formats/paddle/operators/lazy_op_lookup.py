"""Finds the operator of a file's op type without importing every operator family, so that a saved model loads fast."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.registry import FILE_TYPES, REGISTRY, load_home


def operator(op_type: str) -> Any:
    """The OpDef that reads file op ``op_type``, or None: of several with that file type, the one of that name."""
    load_home(op_type)
    if REGISTRY.declared(op_type) and REGISTRY[op_type].file == op_type:
        return REGISTRY[op_type]
    if FILE_TYPES.declared(op_type):
        return FILE_TYPES[op_type]
    opdef = REGISTRY.get(op_type)
    return opdef if opdef is not None and opdef.file == op_type else FILE_TYPES.get(op_type)
