"""`run`: a server from its start until SIGTERM, and what it answers while it goes away."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from to_static.core.errors import ArgumentError
from to_static.core.importing.extras import need
from to_static.serve.logs import log, take_over
from to_static.serve.options import Options

if TYPE_CHECKING:
    from to_static.serve.host import Host

POLL = 0.02  # seconds between two looks at whether all is answered
PACKAGES = ("starlette", "uvicorn", "h11", "orjson", "prometheus_client")


def run(options: Options, started: Callable[[int, int | None], None] | None = None) -> int:
    """Serve until SIGTERM or SIGINT; returns the exit code 0.

    After the signal what was accepted is answered, new requests get 503, and the processes end. A second signal does not wait.

    Args:
        options: the settings.
        started: is called with the ports of HTTP and gRPC (None without it) when all models answer.

    Raises ImportError, with the pip line, where a package of the extra is missing; CannotLoad where a model can't be served;
    OSError where a port is taken; ArgumentError for settings that do not go together.

    Example:
        >>> to_static.serve.run(to_static.serve.Options({'net': 'model/net'}, port=8000))
    """
    for package in PACKAGES:
        need(package, "serve")
    if options.grpc_port is not None:
        need("grpc", "grpc")
    if (options.tls_cert is None) != (options.tls_key is None):
        raise ArgumentError("TLS needs both a certificate and its key")
    if (
        options.workers < 1
        or options.max_batch < 1
        or options.queue < 1
        or options.timeout <= 0
        or options.max_delay < 0
    ):
        raise ArgumentError(
            "workers, max_batch and queue must be at least 1, timeout more than 0, max_delay at least 0"
        )
    return asyncio.run(_serve(options, started))


async def _serve(options: Options, started: Callable[[int, int | None], None] | None) -> int:
    import uvicorn

    from to_static.serve.host import Host
    from to_static.serve.http_api import application
    from to_static.serve.http_server import HttpServer

    take_over("uvicorn", "uvicorn.error", "grpc", "asyncio")
    host = Host(options)
    listener = _listen(options.host, options.port)
    stopped = asyncio.Event()
    tasks: list[asyncio.Task[Any]] = []
    grpc_server: Any = None
    grpc_port: int | None = None
    try:
        with _signals(stopped):
            await host.load()
            config = uvicorn.Config(
                application(host), http="h11", ws="none", lifespan="off", log_config=None, access_log=False, server_header=False,
                ssl_certfile=options.tls_cert, ssl_keyfile=options.tls_key, timeout_keep_alive=75,
            )  # fmt: skip
            server = HttpServer(config)
            http = asyncio.create_task(server.serve(sockets=[listener]))
            tasks.append(http)
            if options.grpc_port is not None:
                from to_static.serve.grpc_api import start_grpc

                grpc_server, grpc_port = await start_grpc(host)
            if options.watch is not None:
                tasks.append(asyncio.create_task(host.watch(options.watch)))
            port = listener.getsockname()[1]
            scheme = "https" if options.tls_cert else "http"
            log("serving", url=f"{scheme}://{options.host}:{port}", grpc_port=grpc_port, models=list(options.models))
            if started is not None:
                started(port, grpc_port)
            stop = asyncio.create_task(stopped.wait())
            tasks.append(stop)
            await asyncio.wait((stop, http), return_when=asyncio.FIRST_COMPLETED)
            await _drain(host, stopped)
            server.should_exit = True
            if grpc_server is not None:
                await grpc_server.stop(1.0)
            await http
            log("stopped")
            return 0
    finally:
        for task in tasks:
            task.cancel()
        await host.close()
        listener.close()


async def _drain(host: Host, stopped: asyncio.Event) -> None:
    """Refuse what comes, wait for what was accepted; not longer than the time limit, nor after a second signal."""
    host.draining = True
    stopped.clear()
    log("draining", active=host.active)
    end = asyncio.get_running_loop().time() + host.options.timeout
    while host.active and not stopped.is_set() and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(POLL)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sets TCP_NODELAY where the protocol is said
    if os.name != "nt":  # where it lets two servers take one port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise OSError(error.errno, f"can't listen on {host}:{port}: {error.strerror}") from None
    listener.listen(2048)
    return listener


@contextlib.contextmanager
def _signals(stopped: asyncio.Event) -> Iterator[None]:
    """SIGTERM and SIGINT set the event."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGTERM, signal.SIGINT)
    old_handlers: dict[Any, Any] = {}
    try:
        for signal_number in signals:
            try:
                loop.add_signal_handler(signal_number, stopped.set)
            except NotImplementedError:  # Windows
                old_handlers[signal_number] = signal.signal(signal_number, lambda *_: loop.call_soon_threadsafe(stopped.set))
            except (ValueError, RuntimeError):  # not the main thread: whoever started the server stops it
                break
        yield
    finally:
        for signal_number in signals:
            if signal_number in old_handlers:
                signal.signal(signal_number, old_handlers[signal_number])
            else:
                with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                    loop.remove_signal_handler(signal_number)
