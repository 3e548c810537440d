"""A run that fails has written nothing: Python does the call, so that all it writes until its error is written.

What a Program writes to objects and buffers it writes at the end. Where such a run ends in an error, the function itself runs on
the same arguments, from the same place in the stream of random numbers. So does one whose whole numbers outgrew what a Program has
room for. Programs that write nothing just raise, and so do those that have printed.
"""

from __future__ import annotations

from typing import Any

from to_static.core import backend as backends
from to_static.core.errors import NumberError, RankError
from to_static.ir.edit import has
from to_static.jit.concrete import ConcreteProgram

_OUTGROWN = (NumberError, RankError)


def note(error: BaseException, program: Any, draws: Any) -> None:
    """A run of ``program`` failed, which began at ``draws`` in the stream of random numbers."""
    if isinstance(program, ConcreteProgram):
        error.__dict__["__run__"] = program, draws


def is_python_s(error: BaseException) -> bool:
    """Whether Python has to do the call that ended in this error; the random numbers begin where they were then."""
    program, draws = error.__dict__.pop("__run__", (None, None))
    if program is None:
        return False
    traced = program.traced
    writes = traced.writes or traced.changed or traced.program.state
    if not (writes or isinstance(error, _OUTGROWN)):
        return False
    if any(has(op, "effect") and op.name != "assert" for op in traced.program.block.walk()):
        return False
    if draws is not None:
        backends.current().draws = draws
    return True
