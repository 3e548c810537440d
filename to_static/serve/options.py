"""`Options`: how a server runs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Options:
    """Settings of a server. ``to_static serve --help`` describes each of them.

    Args:
        models: prefix of a saved model's files by the name that clients use.
        host: address to listen on.
        port: TCP port of HTTP; 0 takes a free one.
        grpc_port: TCP port of gRPC; None (default): no gRPC.
        workers: processes that run each model, at least 1.
        max_batch: rows that run together, at most.
        max_delay: seconds that a request may wait for others to run with; 0 batches only what waits anyway.
        batching: 'auto' batches models whose rows are found independent; 'off' none.
        queue: requests of one model that may wait; more are answered 429.
        timeout: seconds from the arrival of a request to its answer.
        max_body: bytes of a request, at most.
        plan_bytes: bytes of buffers that a worker keeps for input sizes that come again, about.
        token: the bearer token that clients must send; None: none is asked for.
        tls_cert, tls_key: PEM files; both or none.
        watch: seconds between two looks at the files of models for a new version; None: models stay.
        access_log: log every request.
        device: 'cpu' or 'gpu:0'.
    """

    models: dict[str, str]
    host: str = "127.0.0.1"
    port: int = 8000
    grpc_port: int | None = None
    workers: int = 1
    max_batch: int = 32
    max_delay: float = 0.0
    batching: str = "auto"
    queue: int = 256
    timeout: float = 60.0
    max_body: int = 256 << 20
    plan_bytes: int = 256 << 20
    token: str | None = field(default=None, repr=False)
    tls_cert: str | os.PathLike[str] | None = None
    tls_key: str | os.PathLike[str] | None = None
    watch: float | None = None
    access_log: bool = False
    device: str = "cpu"

    def threads_per_worker(self) -> int:
        """The threads of the matrix library in each worker: all processors but one, shared out.

        The server itself needs that one: where threads of the library wait for a processor, a call of .1 ms takes 30.
        """
        affinity = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
        count = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
        return max(1, (count - 1) // (self.workers * max(1, len(self.models))))
