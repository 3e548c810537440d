"""``unless_none``: what a hook of a Layer gives back, where a tensor decides whether that is None."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.jit.jst.branch import if_
from to_static.jit.jst.chosen import over
from to_static.jit.jst.questions import is_


def unless_none(given: Any, old: Any, form: Callable[[Any], Any]) -> Any:
    """``old`` where ``given`` is None, else ``form(given)``."""
    return if_(is_(given, None), lambda: old, lambda: over(form)(given))
