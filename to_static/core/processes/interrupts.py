"""Ctrl-C while Python finishes an object: a KeyboardInterrupt there would be dropped, so it comes a moment later."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable

LATER = 0.05  # seconds


def finish(work: Callable[[], None]) -> None:
    """Do what an object ends with, again where a KeyboardInterrupt ends that; the main thread gets another one soon after."""
    for _ in range(3):
        try:
            work()
        except KeyboardInterrupt:
            retry_timer = threading.Timer(LATER, _thread.interrupt_main)
            retry_timer.daemon = True
            retry_timer.start()
        else:
            return
