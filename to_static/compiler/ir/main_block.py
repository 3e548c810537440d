"""The block of the main Program, for code on levels below `static`, which has the Programs that are built by hand.

The package sets where it comes from when it is imported, so `static` loads with the first call of `main_block`.
"""

from __future__ import annotations

from collections.abc import Callable

_source: Callable[[], object] | None = None


def set_main_block(source: Callable[[], object]) -> None:
    """Make ``source`` the function that returns the root block of the present main Program."""
    global _source
    _source = source


def main_block() -> object:
    """The root block of `static.default_main_program()`, a `static.Block`."""
    assert _source is not None, "the package sets it"
    return _source()
