"""Runs that fail: Python repeats the call, so that everything that the function changes before its error is changed.

A Program assigns to objects and buffers at the end of a run. If the run raises before that, the user's function runs on the
same arguments and at the same position in the stream of random numbers; what the Program has already printed is not printed
again. Python also repeats a run whose integers exceed 64 bits, and a run whose error holds tensors or leaves a block that has
written something. If a Program has no writes, its error is raised without a second run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from to_static.compiler.frontend.function.program.call_failure import CallFailure, Start
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.ir.rewriter import has
from to_static.compiler.ops.control.py_func import PutBack
from to_static.compiler.ops.output_tracking import without, written
from to_static.core import backend as backends
from to_static.core.atomic import is_committed
from to_static.core.errors import NumberError, RankError, ReachError

_OUTGROWN = (NumberError, RankError, ReachError)
_REPEATED = ("assert", "current_number", "print", "write")  # effects that do not prevent a second run


def failure_of(error: BaseException, program: object, start: Start | None) -> CallFailure:
    """Return the failure of a run of ``program`` that began at ``start``.

    Without a Program, so that Python does not repeat the run, if its writes have been committed already.
    """
    ran = program if isinstance(program, ConcreteProgram) and not is_committed(error) else None
    return CallFailure(error, ran, start)


def must_rerun_in_python(failure: CallFailure) -> bool:
    """True if Python must repeat the failed call, because the function writes before its error, or the error itself differs."""
    if failure.program is None:
        return False
    traced = failure.program.traced
    writes = traced.writes or traced.bindings or traced.changed_arguments or traced.program.state
    differs = writes or traced.errors_carry_tensors or isinstance(failure.error, _OUTGROWN)
    return bool(differs) and not any(has(op, "effect") and not _may_repeat(op) for op in traced.program.block.walk())


def _may_repeat(op: Any) -> bool:
    """True if the effect of an op does not prevent a second run."""
    return op.name in _REPEATED or (op.name == "py_func" and type(op.attrs["call"]) is PutBack)


@contextlib.contextmanager
def rerun_in_python(start: Start | None) -> Iterator[None]:
    """Wrap Python's run: random numbers start from the same position, and output of the Program is not printed again."""
    if start is None:
        yield
        return
    backends.current().draws = start.draws
    with without(written.much - start.written):
        yield
