"""The errors for values of a Program that are used where they have no meaning."""

from __future__ import annotations

from typing import Any

from to_static.core import site
from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted


def outside(variable: Any) -> TracedValueError:
    """Eager mode got a value of a Program."""
    if variable.builder.refuses_text:
        return _error(
            f"a traced tensor ({variable.spec}) is used{quoted()} outside of the static function it belongs to: it was probably "
            "kept in a global, an attribute or a closure while the function was traced",
            "return it from the static function, and keep the result: `kept = f(x)`",
        )
    return _error(
        f"a Variable of a static Program ({variable.spec}) is used{quoted()} in dynamic mode, where it has no value",
        "put the line under `with paddle.static.program_guard(program):` in static mode, or run the Program and use the array: "
        "`exe.run(program, feed={...}, fetch_list=[v])`",
    )


def of_another(variable: Any) -> TracedValueError:
    """A Program being built got a value of another one."""
    if variable.builder.refuses_text:
        return _error(
            f"a tensor traced for one static Program is used{quoted()} in another: it was probably kept in a global, an attribute "
            "or a closure by an earlier call",
            "return it from the static function, and keep the result: `kept = f(x)`",
        )
    return _error(
        f"a Variable of one static Program ({variable.spec}) is used{quoted()} in another",
        "put both lines under the same `with paddle.static.program_guard(program):`, or feed the value with paddle.static.data()",
    )


def out_of_block() -> TracedValueError:
    """A value of a branch or loop body is used after it."""
    return _error(
        f"a tensor made inside a branch or loop body is used{quoted()} outside of it",
        "assign it to a variable of the function, instead of keeping it in an object or a global",
    )


def _error(message: str, rewrite: str) -> TracedValueError:
    return TracedValueError(site.report(message, site.capture(), rewrite))
