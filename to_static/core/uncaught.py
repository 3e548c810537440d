"""How Python prints the errors of a program that nothing catches: the user's frames, and below the text what was meant.

Imported at start-up, so that programs without static functions have it, too: what it takes is imported when there is an error.
"""

from __future__ import annotations

import sys
from typing import Any


def show_without_ours() -> None:
    """Let Python print uncaught errors without frames of ours, with the hints of `hints`; the hook that was there prints them."""
    before = sys.excepthook

    def show(kind: Any, error: BaseException, trace: Any) -> None:
        from to_static.core.tracebacks import of_uncaught  # start-up does without it

        try:
            shown, notes = of_uncaught(error, trace)
            trace = shown.__traceback__
        except Exception:  # a mistake in telling of errors must not hide them
            shown, notes = error, []
        before(kind, shown, trace)
        for note in notes:
            print(note, file=sys.stderr)

    sys.excepthook = show
