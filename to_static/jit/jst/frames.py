"""The running functions of the user's that a trace has come to."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from to_static.core.site import is_internal
from to_static.ir import mode


def users_frames() -> Iterator[Any]:
    """Their frames within the trace at hand, the innermost first; translated code counts as the user's."""
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_code is not mode.state.mode.entry:
        if not is_internal(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back
