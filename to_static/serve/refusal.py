"""`Refusal`: a request that gets an error as its answer."""

from __future__ import annotations

from to_static.core.diagnostics.printable import printable


class Refusal(Exception):
    """An answer that is an error.

    Attributes: ``status`` (an HTTP status; `grpc_api` has the gRPC code of each), ``retry_after`` (seconds after which the same
    request may succeed, None where it can't).
    """

    def __init__(self, status: int, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


def bad_request(message: str) -> Refusal:
    """Make the refusal of a request that cannot be answered as it was sent."""
    return Refusal(400, message)


def not_found(message: str) -> Refusal:
    """There is no such model, version or path."""
    return Refusal(404, message)


def missing_endpoint(endpoint: str) -> str:
    """The words for an HTTP path or a gRPC method that the server does not have."""
    instead = ""
    if "sharedmemory" in endpoint.lower():
        instead = "; it has no shared memory: send tensors in the request"
    elif any(word in endpoint.lower() for word in ("/trace/", "tracesetting", "/logging", "logsettings")):
        instead = "; logs are set by the options of `to_static serve`, and there are no traces"
    return f"this server does not have {printable(endpoint)}{instead}"


def overloaded(message: str, retry_after: float) -> Refusal:
    """The queue is full."""
    return Refusal(429, message, retry_after)


def unavailable(message: str, retry_after: float | None = 1.0) -> Refusal:
    """The server can't answer now."""
    return Refusal(503, message, retry_after)


def too_late(message: str) -> Refusal:
    """The time of the request is over."""
    return Refusal(504, message)
