"""Random numbers of Python and NumPy in a traced function: constants in a file, a graph break otherwise."""

from __future__ import annotations

import random

import numpy as np

from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.trace_context import TraceContext, current
from to_static.core import callables
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.diagnostics.source_location import capture, of_function

_GENERATORS = (random.Random, np.random.RandomState, np.random.Generator, np.random.BitGenerator)
_LIBRARIES = frozenset(["random", "secrets", "uuid"])
_PADDLES = "paddle's: `paddle.rand([1])`, `paddle.randint(0, n, [1])`"


def draws(target: object) -> bool:
    """True if a library function or method uses a generator of random numbers."""
    module = callables.module(target)
    return module in _LIBRARIES or module.startswith("numpy.random") or isinstance(callables.owner(target), _GENERATORS)


def note_drawing(target: object) -> None:
    """Record a call of such a function in a Program for a file; break the graph in another Program."""
    name, session = callables.name(target), current()
    if not session.for_file:
        raise broken(
            f"{name}() draws a random number of Python's{in_expression()}: the Program would use the same number in every run",
            f"{_PADDLES}; or draw it before and pass it as an argument",
        )
    if (call := (name, capture())) not in session.random_calls:
        session.random_calls.append(call)


def note_hidden_drawing(session: TraceContext, function: object) -> None:
    """Do the same for a function in which untranslated code has drawn random numbers."""
    where = of_function(function)
    if not session.for_file:
        name = f"`{where.function}()`" if where is not None else "the function"
        raise broken(
            f"random numbers of Python or NumPy are drawn in {name} or in a function that it calls: the Program would "
            f"use the same numbers in every run",
            f"{_PADDLES}; or draw before the call and pass them as an argument",
            where=where,
        )
    if not session.random_calls:
        session.random_calls.append((where.function if where is not None else "the function", where))
