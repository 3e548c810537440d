"""Traces a branch or loop body: its results, its errors, and its writes, which are undone at its end."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.jst.control.raising import BlockRaisesError, emit_raise, of_stand_in
from to_static.compiler.frontend.tracing.graph_break import GraphBreak
from to_static.compiler.frontend.tracing.trace_context import current
from to_static.compiler.ir import mode
from to_static.compiler.ir.building import builder
from to_static.compiler.ir.rewriter import has
from to_static.core.diagnostics.source_location import PACKAGE, is_internal
from to_static.core.errors import DTypeError, ToStaticError, UnboundVariableError

_OF_TRACES = tuple(os.path.join(PACKAGE, *room.split("/"), "") for room in ("compiler/ir", "compiler/frontend", "jit"))


class EffectProbe:
    """A probe of code that may run where Python would not run it: it tells whether the code has side effects."""

    def __init__(self) -> None:
        self.block = mode.current().frame.block
        self.first, self.written = len(self.block.ops), current().effects.write_count

    def has_side_effects(self, or_may_fail: bool = False) -> bool:
        """True if the code has written, printed or drawn, or may fail in a run."""
        traits = ("effect", "random", "may_raise") if or_may_fail else ("effect", "random")
        return current().effects.write_count > self.written or _has_one(self.block.ops[self.first :], traits)


def _has_one(ops: list[Any], traits: tuple[str, ...]) -> bool:
    return any(any(has(op, trait) for trait in traits) or any(_has_one(b.ops, traits) for b in op.blocks) for op in ops)


class AlwaysRaises:
    """The result of a block that always raises."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error


class TracedBody:
    """A function to trace as a block, once or again and again. ``written``: the places that it wrote when it ran last, and what
    they held at its end.
    """

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...] = ()) -> None:
        self.function = function
        self.args = args
        self.written: dict[Any, Any] = {}

    def __call__(self, *handles: object) -> Any:
        session = current()
        effects = session.effects
        effects.begin()
        catching, session.catching = session.catching, list(session.catching)
        try:
            effects.record_reachable(self.args)
            value = self.function(*handles)
            value = tuple(map(effects.as_passed_in, value)) if type(value) is tuple else effects.as_passed_in(value)
        except BlockRaisesError as end:
            session.errors_carry_tensors = session.errors_carry_tensors or end.__cause__ is not None
            value = AlwaysRaises(end.error)
        except (Exception, SystemExit) as error:
            if not is_user_error(error):
                raise
            session.errors_carry_tensors = session.errors_carry_tensors or may_be_ours(error)
            emit_raise(error)  # Python would raise it only where this block runs
            value = AlwaysRaises(error)
        finally:
            session.catching = catching
            self.written = effects.end((self.function, self.args, *session.functions))
        if type(value) is AlwaysRaises and (self.written or session.builder.frame.rebound):
            session.errors_carry_tensors = True  # of what it wrote the Program knows nothing
        return value


def current_values(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the values of variables, with lists of the Program in place of the lists that they replace."""
    resolved = current().effects.resolved
    return tuple(map(resolved, values))


def is_user_error(error: BaseException) -> bool:
    """True if Python would raise this error, too: not a graph break, and not a fault of the trace."""
    if isinstance(error, GraphBreak):
        return False
    trace, file = innermost(error)
    if isinstance(error, (ToStaticError, RecursionError)):
        return isinstance(error, UnboundVariableError) or (
            type(error) is DTypeError and file == builder.__file__
        )
    if of_stand_in(error):
        return False
    if trace is None or not is_internal(file) or may_be_ours(error):
        return True
    return not file.startswith(_OF_TRACES)


def may_be_ours(error: BaseException) -> bool:
    """True if a Python error may be a fault of the trace. A run that gets there is repeated in Python."""
    error_types = (LookupError, ValueError, ArithmeticError, NameError) if is_internal(innermost(error)[1]) else NameError
    return isinstance(error, error_types) and not isinstance(error, ToStaticError)


def innermost(error: BaseException) -> tuple[Any, str]:
    """Return the innermost traceback entry of an error, and its file."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace, "" if trace is None else trace.tb_frame.f_code.co_filename
