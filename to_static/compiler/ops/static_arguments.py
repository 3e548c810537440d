"""Errors for tensors as arguments that must be Python numbers when the Program is built."""

from __future__ import annotations

from to_static.core.diagnostics.source_location import capture, report
from to_static.core.errors import TracedValueError


def must_be_static(name: str, what: str, rewrite: str) -> TracedValueError:
    """The error for an argument ``what`` of the function ``name``; ``rewrite`` says what to write instead."""
    from to_static.core.diagnostics.source_expressions import in_expression  # only for errors: it costs start-up time

    words = f"{name}: {what} must be known when the Program is built{in_expression()}"
    return TracedValueError(report(words, capture(2), rewrite))


def axis_must_be_static(name: str) -> TracedValueError:
    """The error for an axis that a tensor decides."""
    call = f"paddle.{name}(x, axis=0) if first else paddle.{name}(x, axis=1)"
    return must_be_static(name, "axis", f"choose between the results: `y = {call}`; or a Python int, `axis=0`")
