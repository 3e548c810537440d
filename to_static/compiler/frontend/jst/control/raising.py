"""Errors that are raised in a run, and the end of a trace of a block that always raises."""

from __future__ import annotations

import copy
import re
from typing import Any

from to_static.compiler.frontend.jst.tracer_queries import constant, is_traced, truth
from to_static.compiler.frontend.jst.values.number import protocol_truth
from to_static.compiler.frontend.jst.values.text import EACH, Text, pieces_of, resolve_unions, template
from to_static.compiler.frontend.tracing.graph_break import GraphBreak, broken
from to_static.compiler.frontend.tracing.trace_context import building, current, inside_block
from to_static.compiler.ir import mode
from to_static.compiler.ir.rewriter import has
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.control.control import error_name, literal
from to_static.compiler.ops.python_scalar import errors_of
from to_static.core.diagnostics.source_expressions import at_expression
from to_static.core.diagnostics.source_location import of_error
from to_static.core.dtypes import bool_
from to_static.core.errors import REFUSALS, AutogradError, UnboundVariableError


class BlockRaisesError(BaseException):
    """Ends the tracing of a block that always raises; the Program raises there when it runs. ``frame``: that of the block."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error
        self.frame = mode.current().frame


def check(condition: object, error: BaseException) -> None:
    """Raise ``error``, here or when the Program runs, unless ``condition`` holds."""
    answer = protocol_truth(condition)
    if not is_traced(answer):
        if not answer:
            raise raises(error)
        return
    check_uncaught(type(error))
    words, name = _words(error.args, type(error))
    F.assert_(truth(answer), *words, name)


def raises(error: object) -> Any:
    """Return the error to raise. Under a tensor condition, it ends the block, and the Program raises the error."""
    if type(error) in EACH:
        EACH[type(error)](error, _raised)
    if not inside_block():
        return error
    exception = error() if isinstance(error, type) and issubclass(error, BaseException) else error
    if not isinstance(exception, BaseException):
        exception = TypeError("exceptions must derive from BaseException")
    for error_types, frame in reversed(current().catching):
        if isinstance(exception, error_types) and frame is mode.current().frame:
            return exception  # raised and caught in one block: Python does that
    emit_raise(exception)
    return BlockRaisesError(exception)


def _raised(error: object) -> None:
    raise raises(error)


def emit_raise(exception: BaseException) -> None:
    """Append an operation that raises this error in a run."""
    check_uncaught(type(exception))
    if any(type(a) in EACH for a in exception.args):
        resolve_unions(lambda *args: emit_raise(_with_args(exception, args)), exception.args)
        return
    if isinstance(exception, (StopIteration, GeneratorExit)):
        raise broken(f"{type(exception).__name__}{at_expression()} depends on a tensor", "a loop with `break`")
    (tensors, words), name = _words(exception.args, type(exception))
    attributes = {key: value for key, value in vars(exception).items() if literal(value) and not key.startswith("__")}
    has_simple_args = not tensors or (len(exception.args) == 1 and isinstance(exception.args[0], str | Text))
    if not has_simple_args or len(attributes) < len([key for key in vars(exception) if not key.startswith("__")]):
        current().errors_carry_tensors = True
    F.assert_(constant(False, bool_), tensors, words, f"{name}|{attributes!r}" if attributes else name)
    where = of_error(exception)
    if where is not None:
        mode.current().frame.block.ops[-1].site = where


def _with_args(error: BaseException, args: tuple[Any, ...]) -> BaseException:
    duplicate = copy.copy(error)
    duplicate.args = args
    return duplicate


def _words(args: tuple[Any, ...], cls: type) -> tuple[tuple[list[Any], str], str]:
    """Return the operands of the operator `assert`: tensors, template, and the name of the error."""
    value = args if len(args) > 1 else args[0] if args else ""
    tensors, words = template(pieces_of(value)) if args else ([], "")
    name = error_name(cls)
    if tensors:
        return (tensors, words), name
    words = unescaped(words)
    all_literal = all(isinstance(a, (int, float, str, bytes, type(None))) for a in args)
    if args and all_literal and (len(args) > 1 or not isinstance(args[0], str)):
        words, name = repr(args), f"{name}()"
    return ([], words), name


def unescaped(words: str) -> str:
    """Return the text of a template without holes."""
    return words.replace("{{", "{").replace("}}", "}")


class caught:
    """The context of a ``try`` body: breaks the graph if its clauses would catch an error that depends on tensors."""

    def __init__(self, *classes: object) -> None:
        self.error_types = tuple(
            k for entry in classes for k in (entry if isinstance(entry, tuple) else (entry,)) if isinstance(k, type)
        )

    def __enter__(self) -> None:
        if building():
            frame = mode.current().frame
            self.entry = (frame, len(frame.block.ops))
            current().catching.append((self.error_types, frame))

    def __exit__(self, exc_type: object, error: object, trace: object) -> None:
        if building():
            if current().catching:
                current().catching.pop()
            if isinstance(error, (*REFUSALS, AutogradError)) and not isinstance(error, UnboundVariableError):
                raise GraphBreak(error)
            if isinstance(error, Exception) and of_stand_in(error):
                raise broken(
                    f"{type(error).__name__} that Python raises for a symbolic value during the trace would be "
                    f"caught{at_expression()}",
                    "`if condition: ... else: ...` in place of `try` / `except`",
                )
            frame, first = self.entry
            if error is None and mode.current().frame is frame:
                self.check(frame.block.ops[first:])

    def check(self, ops: list[Any]) -> None:
        """Break the graph if operations of the body may fail in a run, and the clauses would catch the error."""
        for op in ops:
            for block in op.blocks:
                self.check(block.ops)
            error_kinds = errors_of(op.attrs["function"]) if op.name == "python" else [IndexError] if has(op, "may_raise") else []
            if op.name == "assert":
                error_kinds = [cls for cls in (ValueError, TypeError) if op.attrs["error"].startswith(cls.__name__)]
            for error_class in error_kinds:
                if any(issubclass(error_class, k) for k in self.error_types):
                    raise _uncaught(error_class)


_OURS = re.compile(
    r"\b(_Poison|TensorList|UnionValue|IndexedIterable|ContainerProxy|Text|Undefined|MaybeUndefined|SymNumber|Variable|ListSpec)\b"
)


def of_stand_in(error: BaseException) -> bool:
    """Return whether an error of Python names one of our symbolic objects, which untraced code would not see."""
    if _OURS.search(str(error)):
        return True
    return building() and bool(current().effects.traced_lists) and "to unpack (expected" in str(error)


def caught_types(*classes: object) -> Any:
    """Return the errors that ``except BaseException`` or a bare ``except`` catches: all except those that end a trace."""
    return classes or (Exception, KeyboardInterrupt, SystemExit, GeneratorExit)


def check_uncaught(cls: type[BaseException]) -> None:
    """Break the graph if an enclosing ``except`` would catch an error that the Program may raise."""
    for error_types, _ in current().catching:
        if any(issubclass(cls, k) for k in error_types):
            raise _uncaught(cls)


def _uncaught(cls: type[BaseException]) -> GraphBreak:
    return broken(
        f"{cls.__name__}{at_expression()} depends on a tensor and would be caught by an `except`, or be seen by a `finally` or "
        "`with`",
        "`if condition: ... else: ...` in place of `try` / `except`",
    )
