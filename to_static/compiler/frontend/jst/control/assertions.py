"""``assert``, ``print`` and ``raise``: done in each run, if they use traced values or are under a tensor condition."""

from __future__ import annotations

import ast
import builtins
import contextlib
import sys
import types
from collections.abc import Callable
from typing import IO, Any

from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.control.raising import BlockRaisesError, caught, check_uncaught, raises
from to_static.compiler.frontend.jst.tracer_queries import is_traced
from to_static.compiler.frontend.jst.values.number import protocol_truth
from to_static.compiler.frontend.jst.values.text import between, pieces_of, resolve_unions, template
from to_static.compiler.frontend.tracing.graph_break import GraphBreak, broken
from to_static.compiler.frontend.tracing.trace_context import building, current
from to_static.compiler.frontend.transpile.source_code.source import source_of
from to_static.compiler.ir import mode
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ops.control.log_write import STDERR, write
from to_static.core.diagnostics.source_expressions import at_expression, in_expression
from to_static.core.errors import TranslationError


def assert_(test: object, message: Callable[[], Any] | None = None) -> None:
    """``assert test, message()``. A traced test is checked by the Program, with the same message."""
    test = protocol_truth(test, "an assertion")
    if not is_traced(test):
        if not test:
            raise raises(AssertionError(*([] if message is None else [message()])))
        return
    check_uncaught(AssertionError)
    if message is None:
        REGISTRY["assert"].emit(test, [], message="", error="AssertionError")
        return
    if_(test, None, lambda: _failing(message))


def _failing(message: Callable[[], Any]) -> Any:
    raise raises(AssertionError(message()))


def print_(*args: Any, sep: str | None = " ", end: str | None = "\n", file: IO[str] | None = None, flush: bool = False) -> None:
    """``print``; in a trace, an op that prints in every run."""
    if not mode.building():
        builtins.print(*args, sep=sep, end=end, file=file, flush=flush)
        return
    sep, end = " " if sep is None else sep, "\n" if end is None else end
    if file is not None and file is not sys.stdout and file is not sys.stderr:
        raise broken(
            f"print() to a file can't be part of a Program{in_expression()}",
            "print to the standard output, or write outside of the static function",
        )

    def write_line(sep: str, end: object, *values: Any) -> None:
        pieces = between(sep, list(map(pieces_of, values)))
        if file is sys.stderr:
            write(*template([*pieces, end]), STDERR)
        else:
            tensors, words = template(pieces)
            REGISTRY["print"].emit(tensors, template=words, end=end)

    resolve_unions(write_line, [sep, end, *args])


class entering:
    """A wrapper of a context manager, which breaks the graph if errors that depend on tensors would reach the manager."""

    def __init__(self, manager: object) -> None:
        self.manager = manager
        self.caught = caught(*[BaseException] if _sees_errors(manager) else ())

    def __enter__(self) -> Any:
        if building() and isinstance(self.manager, contextlib._GeneratorContextManager):
            mode.current().translate(self.manager.func)  # a graph break where the generator prints or changes something
        value = self._method("__enter__")()
        self.caught.__enter__()
        return value

    def _method(self, name: str) -> Any:
        method = getattr(self.manager, name)
        return mode.current().translate(method) if building() else method

    def __exit__(self, exc_type: object, error: object, trace: object) -> Any:
        if isinstance(error, (GraphBreak, BlockRaisesError)):
            current().catching.pop()
            return False
        self.caught.__exit__(exc_type, error, trace)
        return self._method("__exit__")(exc_type, error, trace)


def _sees_errors(manager: object) -> bool:
    """Return whether errors of the body come to a manager: not to a generator that yields outside of `try` and `with`."""
    if type(manager) is contextlib.nullcontext:
        return False
    if not isinstance(manager, contextlib._GeneratorContextManager) or not isinstance(manager.func, types.FunctionType):
        return True
    try:
        generator = source_of(manager.func).node
    except TranslationError:
        return True
    around = [node for node in ast.walk(generator) if type(node).__name__ in ("Try", "TryStar", "With", "AsyncWith")]
    return any(isinstance(part, (ast.Yield, ast.YieldFrom)) for node in around for part in ast.walk(node))


def decided(test: object) -> Any:
    """Return the test of a construct with a ``yield``, which Python must decide."""
    if is_traced(test):
        raise broken(
            f"what this generator yields depends on a tensor{at_expression()}",
            "a function that returns a list: `items.append(value)` in place of `yield value`",
        )
    return test
