"""Errors for traced values that are used outside of their Program or block."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.source_expressions import in_expression, running_expression
from to_static.core.errors import TracedValueError

if TYPE_CHECKING:
    from to_static.compiler.ir.symbolic.variable import Variable


def outside(variable: Variable) -> TracedValueError:
    """Eager mode got a value of a Program."""
    if variable.builder.thread != threading.get_ident():
        error = variable.builder.stray = _error(
            f"a traced tensor ({variable.spec}) is used{in_expression()} in another thread, which is not part of the Program",
            "a loop or list in place of the threads: `[f(x) for x in items]`",
        )
        return error
    if variable.builder.refuses_text:
        return _error(
            f"a traced tensor ({variable.spec}) is used{in_expression()} outside of the static function it belongs to: it was "
            "probably "
            "kept in a global, an attribute or a closure while the function was traced",
            "return it from the static function, and keep the result: `kept = f(x)`",
        )
    return _error(
        f"a Variable of a static Program ({variable.spec}) is used{in_expression()} in dynamic mode, where it has no value",
        "put the line under `with paddle.static.program_guard(program):` in static mode, or run the Program and use the array: "
        "`exe.run(program, feed={...}, fetch_list=[v])`",
    )


def of_another(variable: Variable) -> TracedValueError:
    """A Program being built got a value of another one."""
    if variable.builder.refuses_text:
        return _error(
            f"a tensor traced for one static Program is used{in_expression()} in another: it was probably kept in a global, an "
            "attribute "
            "or a closure by an earlier call",
            "return it from the static function, and keep the result: `kept = f(x)`",
        )
    return _error(
        f"a Variable of one static Program ({variable.spec}) is used{in_expression()} in another",
        "put both lines under the same `with paddle.static.program_guard(program):`, or feed the value with paddle.static.data()",
    )


def out_of_block() -> TracedValueError:
    """A value of a branch or loop body is used after it."""
    return _error(
        f"a tensor made inside a branch or loop body is used{in_expression()} outside of it",
        "assign it to a variable of the function, instead of keeping it in an object or a global",
    )


def of_list(expression: str = "", where: source_location.SourceLocation | None = None) -> TracedValueError:
    """Return the error for a traced list where a tensor, or a list of known length, is needed.

    ``expression``, ``where``: the user's code; default: the running expression.
    """
    expression, where = (expression, where) if where is not None else (running_expression(), source_location.capture())
    text = f" in `{expression}`" if expression else ""
    words = f"a list whose length depends on a tensor stands{text} where a tensor, or a list of a length that is known, is needed"
    rewrite = "a tensor, `paddle.stack(items)`; a shape or axes written out, with tensors for numbers, `x.reshape([1, n, -1])`"
    return TracedValueError(source_location.report(words, where, rewrite))


def _error(message: str, rewrite: str) -> TracedValueError:
    return TracedValueError(source_location.report(message, source_location.capture(), rewrite))
