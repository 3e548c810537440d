"""How much the Programs of a thread have written until now, so that a call can be made again without writing it twice."""

from __future__ import annotations

import collections
import threading


class Written(threading.local):
    """``much``: characters by stream ("stdout", "stderr"), and records by the name of the log."""

    def __init__(self) -> None:
        self.much: collections.Counter[str] = collections.Counter()


written = Written()
