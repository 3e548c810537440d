"""One line of JSON on standard error for each event."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any

from to_static.core.diagnostics.printable import printable


def log(event: str, **fields: Any) -> None:
    """Write an event. Texts of clients and files are written so that they do nothing to a terminal."""
    printable_fields = {key: printable(value, 1000) if isinstance(value, str) else value for key, value in fields.items()}
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
    print(json.dumps({"time": f"{moment}Z", "event": event, **printable_fields}), file=sys.stderr, flush=True)


class LibraryLog(logging.Handler):
    """Writes what libraries log in the same form."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        fields = (
            {"error": f"{record.exc_info[0].__name__}: {record.exc_info[1]}"}
            if record.exc_info and record.exc_info[0]
            else {}
        )
        log(record.getMessage(), logger=record.name, level=record.levelname, **fields)


def take_over(*names: str) -> None:
    """Let warnings of these libraries go through `log`."""
    for name in names:
        logger = logging.getLogger(name)
        logger.handlers[:] = [LibraryLog(logging.WARNING)]
        logger.setLevel(logging.WARNING)
        logger.propagate = False
