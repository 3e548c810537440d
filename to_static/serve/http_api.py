"""The protocol over HTTP: a Starlette application, and the gate before it."""

from __future__ import annotations

import asyncio
import hmac
import importlib.resources
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from to_static.core.diagnostics.printable import printable
from to_static.serve.host import Host
from to_static.serve.logs import log
from to_static.serve.metrics import CONTENT_TYPE
from to_static.serve.protocol import answer, inflated, parse_request
from to_static.serve.refusal import Refusal, missing_endpoint, not_found
from to_static.serve.served_model import ServedModel

HEADER_LENGTH = "Inference-Header-Content-Length"
# without a token: for load balancers, and the page, which holds nothing and asks for the token
OPEN_PATHS = frozenset({"/v2/health/live", "/v2/health/ready", "/", "/page/page.js", "/page/page.css"})
REQUEST_ID = re.compile(r"[\w.:/+=-]{1,128}", re.ASCII)
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"
)

Scope = Any
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


def application(host: Host) -> Gate:
    """The ASGI application of a host."""
    return Gate(host, Starlette(routes=_routes(host), exception_handlers={HTTPException: _no_route}))


class Gate:
    """The middleware before the routes: the token, the request's id, the access log.

    A request without the token is refused before its body is read.
    """

    def __init__(self, host: Host, app: Any) -> None:
        self._host = host
        self._app = app
        token = host.options.token
        self._token = None if token is None else f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        client_id = headers.get(b"x-request-id", b"").decode("latin-1")
        request_id = client_id if REQUEST_ID.fullmatch(client_id) else secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        started, status = time.monotonic(), 0

        async def send_with_id(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        try:
            if self._admits(scope["path"], headers):
                await self._app(scope, receive, send_with_id)
            else:
                refused = _error(Refusal(401, "a bearer token is needed: send the header Authorization: Bearer TOKEN"))
                refused.headers["WWW-Authenticate"] = "Bearer"
                await refused(scope, receive, send_with_id)
        finally:
            if self._host.options.access_log:
                client = scope.get("client") or ("",)
                log(
                    "request", id=request_id, client=client[0], method=scope["method"], path=scope["path"], status=status,
                    milliseconds=round(1000 * (time.monotonic() - started), 3),
                )  # fmt: skip

    def _admits(self, path: str, headers: dict[bytes, bytes]) -> bool:
        if self._token is None or path in OPEN_PATHS:
            return True
        return hmac.compare_digest(headers.get(b"authorization", b""), self._token)


def _json(content: Any, status: int = 200) -> Response:
    return Response(orjson.dumps(content), status, media_type="application/json")


def _error(refusal: Refusal) -> Response:
    response = _json({"error": str(refusal)}, refusal.status)
    if refusal.retry_after is not None:
        response.headers["Retry-After"] = str(max(1, round(refusal.retry_after)))
    return response


def _no_route(request: Request, error: Exception) -> Response:
    """The answer to a path or a method that the server does not have, such as Triton's shared memory, trace and log settings."""
    assert isinstance(error, HTTPException)
    response = _error(Refusal(error.status_code, missing_endpoint(f"{request.method} {request.url.path}")))
    response.headers.update(error.headers or {})
    return response


def _routes(host: Host) -> list[Route]:
    routes: list[Route] = []

    def route(path: str, method: str = "GET") -> Callable[[Callable[[Request], Any]], None]:
        def add(handler: Callable[[Request], Any]) -> None:
            async def guarded(request: Request) -> Response:
                try:
                    content = handler(request)
                    if asyncio.iscoroutine(content):
                        content = await content
                except Refusal as refusal:
                    return _error(refusal)
                except ClientDisconnect:
                    return Response(status_code=400)
                return content if isinstance(content, Response) else _json(content)

            routes.append(Route(path, guarded, methods=[method]))

        return add

    def model_of(request: Request) -> ServedModel:
        return host.model(request.path_params["name"], request.path_params.get("version"))

    @route("/v2/health/live")
    def live(request: Request) -> Any:
        return {"live": True}

    @route("/v2/health/ready")
    def ready(request: Request) -> Any:
        return _json({"ready": host.ready}, 200 if host.ready else 503)

    @route("/v2")
    def server(request: Request) -> Any:
        return host.server_metadata()

    @route("/v2/models")
    def models(request: Request) -> Any:
        return {"models": list(host.models)}

    @route("/v2/models/stats")
    def all_statistics(request: Request) -> Any:
        return {"model_stats": [host.statistics(model) for model in host.models.values()]}

    @route("/v2/repository/index", "POST")
    def index(request: Request) -> Any:
        return repository_index(host)

    @route("/v2/repository/models/{name}/load", "POST")
    async def load(request: Request) -> Any:
        await host.reload(request.path_params["name"])
        return {}

    @route("/v2/repository/models/{name}/unload", "POST")
    async def unload(request: Request) -> Any:
        await host.unload(request.path_params["name"])
        return {}

    for base in ("/v2/models/{name}", "/v2/models/{name}/versions/{version}"):

        @route(base)
        def metadata(request: Request) -> Any:
            return host.model_metadata(model_of(request))

        @route(f"{base}/ready")
        def model_ready(request: Request) -> Any:
            model = model_of(request)
            answers = model.ready and not host.draining
            return _json({"name": model.name, "ready": answers}, 200 if answers else 503)

        @route(f"{base}/config")
        def config(request: Request) -> Any:
            return host.model_config(model_of(request))

        @route(f"{base}/stats")
        def statistics(request: Request) -> Any:
            return {"model_stats": [host.statistics(model_of(request))]}

        @route(f"{base}/infer", "POST")
        async def infer(request: Request) -> Any:
            with host.accepted():
                return await _infer(host, request)

    @route("/metrics")
    def metrics(request: Request) -> Any:
        return Response(host.metrics.text(), media_type=CONTENT_TYPE)

    @route("/")
    def page(request: Request) -> Any:
        return _file("page.html", "text/html")

    @route("/page/{file}")
    def page_file(request: Request) -> Any:
        content_types = {"page.js": "text/javascript", "page.css": "text/css"}
        name = request.path_params["file"]
        if name not in content_types:
            raise not_found("there is no such file")
        return _file(name, content_types[name])

    @route("/graph/{name}")
    def graph(request: Request) -> Any:
        return Response(model_of(request).scheduler.pool.program, media_type="text/plain")

    return routes


def repository_index(host: Host) -> list[dict[str, str]]:
    """The models, their versions, and whether they answer."""
    return [
        {
            "name": model.name,
            "version": model.version,
            "state": "READY" if model.ready else "UNAVAILABLE",
            "reason": "unloaded" if model.unloaded else "",
        }
        for model in host.models.values()
    ]


def _file(name: str, media_type: str) -> Response:
    text = importlib.resources.files("to_static.serve").joinpath(name).read_text(encoding="utf-8")
    return Response(
        text,
        media_type=media_type,
        headers={"Content-Security-Policy": PAGE_POLICY, "X-Content-Type-Options": "nosniff"},
    )


async def _infer(host: Host, request: Request) -> Response:
    """Answer an inference, unless the client goes away."""
    name, version = request.path_params["name"], request.path_params.get("version")
    host.model(name, version)  # a name that is unknown is told before the body is read
    body = await _body(host, request)
    headers = request.headers
    parsed = parse_request(
        inflated(body, headers.get("content-encoding", ""), host.options.max_body), headers.get(HEADER_LENGTH)
    )
    work = asyncio.ensure_future(host.infer(name, version, parsed, "http"))
    disconnect = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((work, disconnect), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            return Response(status_code=400)  # nobody reads it
        served_version, outputs = work.result()
    finally:
        disconnect.cancel()
        work.cancel()
    data, length = answer(name, served_version, parsed, outputs)
    if length is None:
        return Response(data, media_type="application/json")
    return Response(data, media_type="application/octet-stream", headers={HEADER_LENGTH: str(length)})


async def _gone(request: Request) -> None:
    """Return when the client closes its connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _body(host: Host, request: Request) -> bytes:
    """The body. Raises Refusal for one that is too long (before it is read, where its length is announced) or too slow."""
    max_body = host.options.max_body
    announced = request.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and int(announced) > max_body:
        raise Refusal(413, f"the body has {printable(announced)} bytes, this server takes {max_body}")

    async def read() -> bytes:
        parts, size = [], 0
        async for part in request.stream():
            size += len(part)
            if size > max_body:
                raise Refusal(413, f"the body has more than the {max_body} bytes that this server takes")
            parts.append(part)
        return b"".join(parts)

    try:
        return await asyncio.wait_for(read(), host.options.timeout)
    except asyncio.TimeoutError:
        raise Refusal(408, f"the body did not arrive within {host.options.timeout:g} s") from None
