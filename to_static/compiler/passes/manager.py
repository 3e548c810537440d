"""`run_passes` runs a list of passes over a Program; `every_block` iterates over its blocks. `pipeline` and passes call these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from to_static.compiler.ir.program import Block, Program
from to_static.compiler.ir.verifier import verify
from to_static.core.flags import debug
from to_static.core.log import log


class Pass(NamedTuple):
    """One rewrite: ``run(program)`` changes the Program and returns the number of changes; ``why`` is the reason for the pass."""

    name: str
    run: Callable[[Program], int]
    why: str


def run_passes(program: Program, passes: Sequence[Pass]) -> Program:
    """Run the passes in order, in place; returns the Program.

    The Program is verified before and after, and after every pass from TO_STATIC_DEBUG=3 on; the ProgramError about a
    broken one names the pass.
    """
    verify(program)
    for item in passes:
        count = item.run(program)
        log(2, f"pass {item.name}: {count} changes")
        if debug.value >= 3:
            verify(program, f"pass {item.name}")
    verify(program, "the passes")
    if debug.value >= 3:
        log(3, f"optimized program:\n{program}")
    return program


def every_block(program: Program) -> Iterator[Block]:
    """Iterate over all blocks, outermost first, with blocks of ops that are added during the iteration."""

    def inner(block: Block) -> Iterator[Block]:
        for op in block.ops:
            yield from op.blocks

    yield program.block
    work = [inner(program.block)]
    while work:
        block = next(work[-1], None)
        if block is None:
            work.pop()
        else:
            yield block
            work.append(inner(block))
