"""Waiting for servers of other processes."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable

__all__ = ["wait_server_ready"]


def wait_server_ready(endpoints: Iterable[str]) -> None:
    """Wait until something listens at each ``host:port``, looked at every three seconds. Raises ValueError for another form.

    Example:
        >>> wait_server_ready(['127.0.0.1:8080'])
    """
    waiting = []
    for endpoint in endpoints:
        host, colon, port = endpoint.rpartition(":")
        if not colon or not port.isdigit():
            raise ValueError(f"wait_server_ready: 'host:port' was expected, got {endpoint!r}")
        waiting.append((host, int(port)))
    while waiting:
        waiting = [address for address in waiting if not _listens(address)]
        if waiting:
            time.sleep(3)


def _listens(address: tuple[str, int]) -> bool:
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex(address) == 0
