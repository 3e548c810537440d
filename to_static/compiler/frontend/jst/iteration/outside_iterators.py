"""Iterators of libraries that existed before the call: each call would find them where the call before left them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.trace_context import building, current
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.importing.skiplist import SKIPPED_PACKAGES, package_of


def library_iterators(values: Iterable[object]) -> Iterator[object]:
    """The iterators of libraries among some values; files are iterators, too."""
    for value in values:
        if isinstance(value, Iterator) and package_of(type(value)) in SKIPPED_PACKAGES:
            yield value


def check_iterators(values: Iterable[object]) -> None:
    """Break the graph where a library, or a loop, gets an iterator that was there before the call."""
    if not building():
        return
    for iterator in library_iterators(values):
        if current().outlives(iterator):
            raise broken(
                f"an iterator that existed before the call is used{in_expression()}: it stands elsewhere in the next call",
                "a list in place of the iterator",
            )
