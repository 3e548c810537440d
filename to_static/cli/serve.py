"""``serve``: answer requests for saved models over HTTP and gRPC."""

from __future__ import annotations

import argparse
import os

from to_static.cli.model import UnusableInput, prefix_of
from to_static.core.diagnostics.printable import printable, quoted

SUMMARY = "answer requests for saved models over HTTP and gRPC"

DESCRIPTION = """Serve models with the Open Inference Protocol (version 2), which clients of Triton and KServe speak; tritonclient
works as it is. Requests that wait run together, by rows, where the model computes each row from that row alone.

It needs the extra `serve` (pip install 'to_static[serve]'), for gRPC the extra `grpc`, too."""

EPILOG = """examples:
  to_static serve model/net                                   http://127.0.0.1:8000/v2/models/net/infer
  to_static serve det=ocr/det rec=ocr/rec --grpc-port 8001    two models, over HTTP and gRPC
  to_static serve model/net --workers 4 --watch 2             four processes; a new version of the files takes over
  to_static serve model/net --host 0.0.0.0 --token-file token --tls-cert cert.pem --tls-key key.pem

SIGTERM: what was accepted is answered, new requests get 503, exit code 0. A page at / shows the models."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "models",
        metavar="[NAME=]MODEL",
        nargs="+",
        help="prefix of the files, or one of them; the name is that of the files",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1: this machine only)"
    )
    parser.add_argument("--port", type=int, default=8000, help="port of HTTP (default 8000; 0 takes a free one)")
    parser.add_argument(
        "--grpc-port", type=int, metavar="PORT", help="port of gRPC (default: no gRPC; 0 takes a free one)"
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=1,
        metavar="N",
        help="processes for each model; they share its weights (default 1)",
    )
    parser.add_argument(
        "--max-batch", type=int, default=32, metavar="ROWS", help="rows that run together, at most (default 32)"
    )
    parser.add_argument(
        "--max-delay-ms",
        type=float,
        default=0.0,
        metavar="MS",
        help="time that a request may wait for others (default 0)",
    )
    parser.add_argument("--no-batching", action="store_true", help="run each request by itself")
    parser.add_argument(
        "--queue", type=int, default=256, metavar="N", help="requests that may wait; more get 429 (default 256)"
    )
    parser.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="time to an answer (default 60)")
    parser.add_argument(
        "--max-body", type=float, default=256.0, metavar="MB", help="size of a request, at most (default 256)"
    )
    parser.add_argument(
        "--plan-memory",
        type=float,
        default=256.0,
        metavar="MB",
        help="buffers that each worker keeps for input sizes that come again (default 256; TO_STATIC_PLAN_CACHE_BYTES goes first)",
    )
    parser.add_argument("--token-file", metavar="FILE", help="clients must send the bearer token in this file")
    parser.add_argument("--tls-cert", metavar="FILE", help="PEM file of the certificate")
    parser.add_argument("--tls-key", metavar="FILE", help="PEM file of its key")
    parser.add_argument("--watch", type=float, metavar="SECONDS", help="look for new versions of the files so often")
    parser.add_argument("--access-log", action="store_true", help="log every request")
    parser.add_argument("--device", default="cpu", help="where to run: cpu (default) or gpu:0")


def run(args: argparse.Namespace) -> int:
    """Serve; see ``DESCRIPTION``."""
    from to_static.serve import Options
    from to_static.serve import run as serve

    options = Options(
        models=named_models(args.models), host=args.host, port=args.port, grpc_port=args.grpc_port, workers=args.workers,
        max_batch=args.max_batch, max_delay=args.max_delay_ms / 1000, batching="off" if args.no_batching else "auto",
        queue=args.queue, timeout=args.timeout, max_body=int(args.max_body * (1 << 20)),
        plan_bytes=int(args.plan_memory * (1 << 20)), token=_token(args.token_file),
        tls_cert=args.tls_cert, tls_key=args.tls_key, watch=args.watch, access_log=args.access_log, device=args.device,
    )  # fmt: skip
    try:
        return serve(options)
    except ImportError as error:
        raise UnusableInput(str(error)) from None


def named_models(words: list[str]) -> dict[str, str]:
    """Prefixes by name. Raises UnusableInput for a name that is there twice, or that no URL can hold."""
    from to_static.compiler.formats import hub

    models: dict[str, str] = {}
    for word in words:
        name, separator, path = word.partition("=")
        if not separator or os.sep in name or os.path.exists(word):
            name, path = "", word
        prefix = prefix_of(path)
        name = name or os.path.basename(os.path.normpath(hub.prefix_of(prefix)))
        if name in models:
            raise UnusableInput(f"two models are called {quoted(name)}: write NAME=MODEL")
        if not name or "/" in name:
            raise UnusableInput(f"{printable(word)}: a model needs a name without '/': write NAME={printable(path)}")
        models[name] = prefix
    return models


def _token(path: str | None) -> str | None:
    if path is None:
        return None
    with open(path, encoding="utf-8") as file:
        token = file.read().strip()
    if not token or not token.isascii() or not token.isprintable():
        raise UnusableInput(
            f"{printable(path)}: expected a token of printable ASCII characters, got {'nothing' if not token else 'others'}"
        )
    return token
