"""Where a run of a Program began: what `again` starts from, when it failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core import backend as backends
from to_static.ir.edit import has
from to_static.ir.program import Program
from to_static.ops.written import written


class Start:
    """Where random numbers and written texts were when a Program began to run."""

    def __init__(self) -> None:
        self.draws = backends.current().draws
        self.much = written.much.copy()


def noting(program: Program, run: Callable[..., Any]) -> Callable[..., Any]:
    """``run``, which runs ``program``, so that its errors tell where it began; itself where that makes no difference."""
    if not any(has(op, "random") or op.name in ("print", "set_seed", "write") for op in program.block.walk()):
        return run

    def noted(*arrays: Any) -> Any:
        start = Start()
        try:
            return run(*arrays)
        except (Exception, SystemExit) as error:
            error.__dict__.setdefault("__start__", start)
            raise

    return noted
