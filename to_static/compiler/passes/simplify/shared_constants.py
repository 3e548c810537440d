"""Sharing of folded constants: all Programs that fold the same operator on the same arrays get one result array.

A model that runs with inputs of many sizes has a Program for each size, and all of them pack the same filters. `fold` calls this.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from typing import Any

import numpy as np

from to_static.compiler.ir.building.constant_evaluation import evaluate
from to_static.compiler.ir.program import Op, Var
from to_static.core.caching.weak_tables import forgets

SMALLEST = 256  # results of operands with fewer bytes are not shared


class _Results:
    """Weak references to the results of an operator, valid as long as all results are alive.

    ``origin`` keeps the operands alive, and the further results of the operators that made them. So their ids stay valid as
    keys, and a Program that computes the same operands finds these results.
    """

    def __init__(self, key: Hashable, values: list[np.ndarray], operands: list[np.ndarray]) -> None:
        self.values = [weakref.ref(value, forgets(_results, key)) for value in values]
        makers = [_makers[id(array)][1] for array in operands if id(array) in _makers]
        self.origin = [operands, [reference() for maker in makers for reference in maker.values]]


_results: dict[Hashable, _Results] = {}
_makers: dict[int, tuple[weakref.ref[np.ndarray], _Results]] = {}  # id of a value -> the value, and the results it is one of


def fold_or_share(op: Op, constants: dict[Var, np.ndarray], limit: int) -> list[np.ndarray] | None:
    """Return the results of an operator on constants: arrays that another Program already holds, or those of `evaluate`.

    Returns None if a result has more than ``limit`` bytes. The caller holds the compile lock. Results stay shared as long as any
    Program holds all of them.
    """
    operands = [constants[var] for var in op.operands() if var in constants]
    if sum(array.nbytes for array in operands) < SMALLEST or len(operands) != len(op.operands()):
        return evaluate(op, constants, limit)
    key = _key(op, constants)
    if key is None:
        return evaluate(op, constants, limit)
    cached = _results.get(key)
    references = [] if cached is None else cached.values
    values = [value for reference in references if (value := reference()) is not None]
    if values and len(values) == len(references):
        return values if all(value.nbytes <= limit for value in values) else None
    results = evaluate(op, constants, limit)
    if results:
        _results[key] = entry = _Results(key, results, operands)
        for value in results:
            _makers[id(value)] = weakref.ref(value, forgets(_makers, id(value))), entry
    return results


def _key(op: Op, constants: dict[Var, np.ndarray]) -> Hashable | None:
    """Return a key of the operator, its attributes and its constants; None if an attribute cannot be part of a key."""
    slots: list[Any] = [
        tuple(id(constants[var]) for var in item) if isinstance(item, tuple) else item and id(constants[item]) for item in op.inputs
    ]
    # the text of a value distinguishes -0.0 from 0.0, which are equal
    key = op.name, tuple(slots), tuple((name, type(value), value, repr(value)) for name, value in op.attrs.items())
    try:
        hash(key)
    except TypeError:
        return None
    return key
