"""Offsets of sequences (LoD) of the tensors of a Program: where they come from, and which operators pass them on.

The offsets of a tensor are another tensor of the Program (`ops.sequence.lod`), which only operators on sequences read. The offsets
of an input are an input, too, named like it with `SUFFIX`: the Executor feeds them from a `LoDTensor`, a predictor from `set_lod`.
An operator whose result has as many rows as an input passes the offsets on, as in Paddle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ir.program import Program, Var
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.sequence.lod import pack
from to_static.core.diagnostics.printable import printable
from to_static.core.dtypes import int64
from to_static.core.errors import ProgramError

SUFFIX = "@LOD"
WITH_OFFSETS = ("sequence_rows", "crf_path")  # operators that only Programs with sequences have


def declare(x: Any, level: int) -> None:
    """Say that an input has so many levels of offsets."""
    x.builder.lod_levels[x.ssa] = level


def level_of(x: Any) -> int:
    """Return the number of levels of offsets that were declared for the input that a tensor comes from."""
    levels = x.builder.lod_levels
    return 0 if not levels else int(next((levels[v] for v in _way(x.ssa, x.builder.lods) if v in levels), 0))


def offsets_of(x: Any, name: str) -> Any:
    """The offsets of a tensor, for the operator ``name``. Raises ProgramError where nothing that it comes from can have any."""
    if not isinstance(x, Variable) or mode.tracing():
        raise ProgramError(f"{name}: sequences have offsets (LoD), which only tensors of a static Program can have")
    builder: Any = x.builder
    for var in _way(x.ssa, builder.lods):
        if builder.lods.get(var) is not None:
            return _asked(builder, var)
        if var in builder.program.feeds:
            return _fed(builder, var)
    raise ProgramError(f"{name}: sequences have offsets (LoD), which are fed; {printable(x.name)} comes from nothing that is fed")


def offsets_or_none(x: Any) -> Any:
    """The offsets of a tensor, or an empty vector where it has none."""
    offsets = known_offsets(x.builder, x.ssa) if isinstance(x, Variable) else None
    return F.constant(pack([])) if offsets is None else offsets


def known_offsets(builder: Any, var: Var) -> Any:
    """The offsets of a value, where something has asked for them or an input has some; else None."""
    for source in _way(var, builder.lods):
        if builder.lods.get(source) is not None:
            return _asked(builder, source)
        if builder.lod_levels.get(source) and source in builder.program.feeds:
            return _fed(builder, source)
    return None


def give(x: Any, offsets: Any, level: int) -> Any:
    """``x``, which has these offsets from now on."""
    x.builder.lods[x.ssa] = offsets
    x.builder.lod_levels[x.ssa] = level
    return x


def give_late(x: Any, compute: Callable[[], Any]) -> Any:
    """``x``, whose offsets are computed when something asks for them."""
    return give(x, compute, 1)


def _asked(builder: Any, var: Var) -> Any:
    """The offsets in the table, computed if they are not yet."""
    if callable(builder.lods[var]):
        builder.lods[var] = builder.lods[var]()
    return builder.lods[var]


def without(x: Any) -> Any:
    """``x``, which has no offsets, though what it comes from has some."""
    return give(x, None, 0)


def restore(builder: Any) -> None:
    """Find the offsets of inputs and results again, by their names, in a Program that was read."""
    program = builder.program
    for feed in program.feeds:
        owner = program.find(str(feed.name).removesuffix(SUFFIX)) if str(feed.name).endswith(SUFFIX) else None
        if owner is not None:
            builder.lods[owner] = Variable(feed, builder)
            builder.lod_levels[owner] = 1
    for name, var in program.aliases.items():
        owner = program.find(name.removesuffix(SUFFIX)) if name.endswith(SUFFIX) else None
        if owner is not None:
            builder.lods[owner] = Variable(var, builder)


def with_output_offsets(program: Program) -> Program:
    """``program``, whose results include the offsets of its results, as far as it has some."""
    names = program.output_names or []
    offset_values = {name: program.aliases[name] for name in (f"{name}{SUFFIX}" for name in names) if name in program.aliases}
    if offset_values:
        count = len(program.outputs)
        program.block.results[count:count] = list(offset_values.values())
        program.output_names = [*names, *offset_values]
    return program


def has_sequences(program: Program) -> bool:
    """True if an operator of a Program reads the offsets of sequences."""
    return any(op.name in WITH_OFFSETS for op in program.block.ops)


def inputs_of(program: Program) -> list[Var]:
    """The inputs of a Program that are not offsets of others."""
    return [feed for feed in program.feeds if not str(feed.name).endswith(SUFFIX)]


def _fed(builder: Any, var: Var) -> Any:
    name = f"{var.name}{SUFFIX}"
    variable = builder.program.find(name)
    offsets_var = builder.feed(TensorSpec((-1,), int64), name) if variable is None else Variable(variable, builder)
    builder.lods[var] = offsets_var
    return offsets_var


def _way(var: Var, lods: dict[Var, Any]) -> Any:
    """Yield a value and the values from which it may take its sequence offsets, nearest first.

    A value without offsets ends the search.
    """
    visited, todo = set(), [var]
    while todo:
        now = todo.pop(0)
        if now in visited:
            continue
        visited.add(now)
        yield now
        has_none = now in lods and lods[now] is None
        if now.op is not None and _rows(now) is not None and not has_none:
            todo += [v for v in now.op.operands() if _rows(v) == _rows(now)]


def _rows(var: Var) -> int | None:
    shape: Any = getattr(var.spec, "shape", None)
    return shape[0] if shape else None
