"""Offsets of sequences (LoD) beside the tensors of a Program: where they come from, and which operators pass them on.

The offsets of a tensor are another tensor of the Program (`ops.sequence.lod`), which only operators read that need sequences. The
offsets of an input are an input, too, which the Executor feeds from a `LoDTensor`. Any operator whose result has as many rows as
an input passes offsets on, as Paddle's do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.program import Var
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops.sequence.lod import pack, unpack
from to_static.core.dtypes import int64
from to_static.core.errors import ProgramError
from to_static.core.printable import printable
from to_static.framework.lod_tensor import LoDTensor

SUFFIX = "@LOD"


def declare(x: Any, level: int) -> None:
    """Say that an input has so many levels of offsets."""
    x.builder.lod_levels[x.ssa] = level


def level_of(x: Any) -> int:
    """Return the number of levels of offsets that were declared for the input that a tensor comes from."""
    levels = getattr(x.builder, "lod_levels", None)
    return 0 if not levels else int(next((levels[v] for v in _way(x.ssa) if v in levels), 0))


def offsets_of(x: Any, name: str) -> Any:
    """The offsets of a tensor, for the operator ``name``. Raises ProgramError where nothing that it comes from can have any."""
    builder = x.builder
    for var in _way(x.ssa):
        if var in builder.lods:
            if builder.lods[var] is None:
                break
            return builder.lods[var]
        if var in builder.program.feeds:
            return _fed(builder, var)
    raise ProgramError(f"{name}: sequences have offsets (LoD), which are fed; {printable(x.name)} comes from nothing that is fed")


def known_offsets(builder: Any, var: Var) -> Any:
    """The offsets of a value, where something has asked for them or an input has some; else None."""
    for source in _way(var):
        if source in builder.lods:
            return builder.lods[source]
        if builder.lod_levels.get(source) and source in builder.program.feeds:
            return _fed(builder, source)
    return None


def give(x: Any, offsets: Any, level: int) -> Any:
    """``x``, which has these offsets from now on."""
    x.builder.lods[x.ssa] = offsets
    x.builder.lod_levels[x.ssa] = level
    return x


def without(x: Any) -> Any:
    """``x``, which has no offsets, though what it comes from has some."""
    return give(x, None, 0)


def fed_offsets(value: Any) -> np.ndarray:
    """Return the offsets to feed for a value; none for an array."""
    return pack(value.lod()) if isinstance(value, LoDTensor) else pack([])


def fetched(array: Any, offsets: Any) -> LoDTensor:
    """A result with its offsets; without, where it has not the rows that they are of."""
    lod_tensor = LoDTensor(array, () if offsets is None else unpack(np.asarray(offsets)))
    return lod_tensor if lod_tensor.has_valid_recursive_sequence_lengths() else LoDTensor(array)


def _fed(builder: Any, var: Var) -> Any:
    name = f"{var.name}{SUFFIX}"
    variable = builder.program.find(name)
    offsets_var = builder.feed(TensorSpec((-1,), int64), name) if variable is None else Variable(variable, builder)
    builder.lods[var] = offsets_var
    return offsets_var


def _way(var: Var) -> Any:
    """A value, and those that it may have its offsets of, the nearest first."""
    visited, todo = set(), [var]
    while todo:
        now = todo.pop(0)
        if now in visited:
            continue
        visited.add(now)
        yield now
        if now.op is not None and _rows(now) is not None:
            todo += [v for v in now.op.operands() if _rows(v) == _rows(now)]


def _rows(var: Var) -> int | None:
    shape: Any = getattr(var.spec, "shape", None)
    return shape[0] if shape else None
