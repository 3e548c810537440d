"""Errors for calls with side effects: in a trace they would happen once, on every path, and not when the Program runs."""

from __future__ import annotations

from to_static.compiler.ir import mode
from to_static.core.diagnostics import source_location
from to_static.core.errors import ModeError


def forbid_while_tracing(what: str, rewrite: str) -> None:
    """Called before ``what`` happens: raises ModeError while a function is traced."""
    if mode.tracing():
        raise _refusal(what, "in a static function", rewrite)


def forbid_in_block(what: str, rewrite: str) -> None:
    """Called before ``what`` happens: raises ModeError in the block of a tensor condition or loop.

    Outside of such blocks a trace may contain ``what``, because the Program is then valid for one call only.
    """
    if mode.tracing() and mode.current().frame is not mode.current().root:
        raise _refusal(what, "under a tensor condition or in a tensor loop", rewrite)


def check_grad_mode(was_enabled: bool) -> None:
    """Raises ModeError when traced code switched gradients on or off for good; ``was_enabled``: whether they were on."""
    if mode.grad_enabled() is not was_enabled and mode.tracing():
        mode.set_grad_enabled(was_enabled)
        inside = mode.current().frame is not mode.current().root
        where = "under a tensor condition or in a tensor loop" if inside else "in a static function"
        raise _refusal("set_grad_enabled()", where, "limit it: `with paddle.set_grad_enabled(False):`; or call it outside")


def _refusal(what: str, where: str, rewrite: str) -> ModeError:
    from to_static.core.diagnostics.source_expressions import in_expression

    text = f"{what} {where}{in_expression()} would happen once, while the Program is built, whichever branch is taken"
    return ModeError(source_location.report(text, source_location.capture(), rewrite))
