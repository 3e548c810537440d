"""`CallFailure`: carries the error of a call of a static function to the code that decides what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from to_static.compiler.ops.output_tracking import written
from to_static.core import backend as backends

if TYPE_CHECKING:
    from to_static.compiler.frontend.function.program.concrete import ConcreteProgram


class Start:
    """The start of a run: its position in the random stream, and in the output of Programs."""

    def __init__(self) -> None:
        self.draws = backends.current().draws
        self.written = written.much.copy()


class CallFailure(Exception):
    """Raised inside of calls only: `StaticFunction.__call__` catches it and raises the ``error``, if Python does not do the call.

    Attributes:
        error: the error for the user.
        program: the Program whose run failed; None if none ran.
        start: where that run began, if it prints or draws random numbers.
        is_refusal: True if there is no Program for the call, and nothing has changed yet: a graph break.
    """

    def __init__(
        self,
        error: BaseException,
        program: ConcreteProgram | None = None,
        start: Start | None = None,
        is_refusal: bool = False,
    ) -> None:
        super().__init__(error)
        self.error = error
        self.program = program
        self.start = start
        self.is_refusal = is_refusal

    def in_run(self, program: ConcreteProgram, start: Start | None) -> CallFailure:
        """Add the Program and start of the run in which this failure occurred, if it has none; return self."""
        if self.program is None:
            self.program, self.start = program, start
        return self
