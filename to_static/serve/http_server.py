"""`HttpServer`: uvicorn without its signal handlers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import uvicorn


class HttpServer(uvicorn.Server):
    """Signals are those of `server`: what was accepted is answered before the socket is closed."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the handlers as they are."""
        yield
