"""The protocol over gRPC: handlers registered on messages that are made at run time, and a server of them."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import numpy as np

from to_static.core.diagnostics.printable import printable, quoted
from to_static.serve.grpc_schema import DATA_TYPES, METHODS, SERVICE, messages
from to_static.serve.host import Host
from to_static.serve.http_api import repository_index
from to_static.serve.protocol import InferRequest, RequestedOutput, class_count, need_no_sequence, seconds
from to_static.serve.refusal import Refusal, bad_request, missing_endpoint
from to_static.serve.tensors import datatype_of, from_bytes, need_dtype, need_shape, to_bytes

CODES = {
    400: grpc.StatusCode.INVALID_ARGUMENT, 401: grpc.StatusCode.UNAUTHENTICATED, 404: grpc.StatusCode.NOT_FOUND,
    429: grpc.StatusCode.RESOURCE_EXHAUSTED, 503: grpc.StatusCode.UNAVAILABLE, 504: grpc.StatusCode.DEADLINE_EXCEEDED,
    507: grpc.StatusCode.RESOURCE_EXHAUSTED,
}  # fmt: skip
OPEN_METHODS = frozenset(f"/{SERVICE}/{name}" for name in ("ServerLive", "ServerReady"))
CONTENTS = {
    "BOOL": "bool_contents", "INT8": "int_contents", "INT16": "int_contents", "INT32": "int_contents", "INT64": "int64_contents",
    "UINT8": "uint_contents", "UINT16": "uint_contents", "UINT32": "uint_contents", "UINT64": "uint64_contents",
    "FP32": "fp32_contents", "FP64": "fp64_contents", "BYTES": "bytes_contents",
}  # fmt: skip

Answer = Callable[[Any], Awaitable[Any]]


async def start_grpc(host: Host) -> tuple[Any, int]:
    """Start the gRPC server of a host; returns it, and its port. Raises OSError where the port is taken."""
    options = host.options
    server = grpc.aio.server(
        interceptors=() if options.token is None else (_NeedToken(options.token),),
        options=[
            ("grpc.max_receive_message_length", options.max_body),
            ("grpc.max_send_message_length", -1),
            ("grpc.so_reuseport", 0),
        ],
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, _handlers(host)), _NoMethod()))
    address = f"[{options.host}]:{options.grpc_port}" if ":" in options.host else f"{options.host}:{options.grpc_port}"
    try:
        if options.tls_cert is not None and options.tls_key is not None:
            pair = Path(options.tls_key).read_bytes(), Path(options.tls_cert).read_bytes()
            port = server.add_secure_port(address, grpc.ssl_server_credentials([pair]))
        else:
            port = server.add_insecure_port(address)
    except RuntimeError as error:
        raise OSError(f"can't listen on {address}: {error}") from None
    await server.start()
    return server, port


class _NeedToken(grpc.aio.ServerInterceptor):  # type: ignore[misc]
    """Refuses calls without the bearer token before their message is read."""

    def __init__(self, token: str) -> None:
        self._token = f"Bearer {token}"

        async def refuse(request: Any, context: Any) -> None:
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED,
                "a bearer token is needed: send the metadata authorization: Bearer TOKEN",
            )

        self._refusal = grpc.unary_unary_rpc_method_handler(refuse)

    async def intercept_service(self, continuation: Any, details: Any) -> Any:
        """The handler of a call, or the refusal."""
        authorization = dict(details.invocation_metadata).get("authorization", "")
        if details.method in OPEN_METHODS or hmac.compare_digest(str(authorization).encode(), self._token.encode()):
            return await continuation(details)
        return self._refusal


class _NoMethod(grpc.GenericRpcHandler):  # type: ignore[misc]
    """The handler of every method that the server does not have."""

    def service(self, details: Any) -> Any:
        """The refusal, with the name of the method."""

        async def refuse(request: Any, context: Any) -> None:
            await context.abort(grpc.StatusCode.UNIMPLEMENTED, missing_endpoint(details.method))

        return grpc.unary_unary_rpc_method_handler(refuse)


def _handlers(host: Host) -> dict[str, Any]:
    """The method handlers by name."""
    new = messages()
    answers: dict[str, Answer] = {}

    def answer(name: str) -> Callable[[Answer], Answer]:
        def register(function: Answer) -> Answer:
            answers[name] = function
            return function

        return register

    @answer("ServerLive")
    async def live(request: Any) -> Any:
        return new["ServerLiveResponse"](live=True)

    @answer("ServerReady")
    async def ready(request: Any) -> Any:
        return new["ServerReadyResponse"](ready=host.ready)

    @answer("ModelReady")
    async def model_ready(request: Any) -> Any:
        return new["ModelReadyResponse"](ready=host.model(request.name, request.version).ready and not host.draining)

    @answer("ServerMetadata")
    async def server_metadata(request: Any) -> Any:
        return new["ServerMetadataResponse"](**host.server_metadata())

    @answer("ModelMetadata")
    async def model_metadata(request: Any) -> Any:
        return new["ModelMetadataResponse"](**host.model_metadata(host.model(request.name, request.version)))

    @answer("ModelConfig")
    async def model_config(request: Any) -> Any:
        config = host.model_config(host.model(request.name, request.version))
        for tensor in (*config["input"], *config["output"]):
            tensor["data_type"] = DATA_TYPES.index(tensor["data_type"].removeprefix("TYPE_"))
        return new["ModelConfigResponse"](config=config)

    @answer("ModelStatistics")
    async def statistics(request: Any) -> Any:
        models = [host.model(request.name, request.version)] if request.name else list(host.models.values())
        return new["ModelStatisticsResponse"](model_stats=[host.statistics(model) for model in models])

    @answer("RepositoryIndex")
    async def index(request: Any) -> Any:
        entries = [entry for entry in repository_index(host) if entry["state"] == "READY" or not request.ready]
        return new["RepositoryIndexResponse"](models=entries)

    @answer("RepositoryModelLoad")
    async def load(request: Any) -> Any:
        await host.reload(request.model_name)
        return new["RepositoryModelLoadResponse"]()

    @answer("RepositoryModelUnload")
    async def unload(request: Any) -> Any:
        await host.unload(request.model_name)
        return new["RepositoryModelUnloadResponse"]()

    @answer("ModelInfer")
    async def infer(request: Any) -> Any:
        with host.accepted():
            host.model(request.model_name, request.model_version)
            parsed = _parsed(request)
            version, outputs = await host.infer(request.model_name, request.model_version, parsed, "grpc")
            return _answer(request.model_name, version, parsed, outputs)

    async def stream(requests: AsyncIterator[Any], context: Any) -> AsyncIterator[Any]:
        async for request in requests:
            try:
                yield new["ModelStreamInferResponse"](infer_response=await infer(request))
            except Refusal as refusal:
                failed = new["ModelInferResponse"](model_name=request.model_name, id=request.id)
                yield new["ModelStreamInferResponse"](error_message=str(refusal), infer_response=failed)

    handlers = {
        name: grpc.unary_unary_rpc_method_handler(
            _guarded(answers[name]), new[f"{name}Request"].FromString, new[f"{name}Response"].SerializeToString
        )
        for name in METHODS
    }
    handlers["ModelStreamInfer"] = grpc.stream_stream_rpc_method_handler(
        stream, new["ModelInferRequest"].FromString, new["ModelStreamInferResponse"].SerializeToString
    )
    return handlers


def _guarded(answer: Answer) -> Callable[[Any, Any], Awaitable[Any]]:
    async def call(request: Any, context: Any) -> Any:
        try:
            return await answer(request)
        except Refusal as refusal:
            if refusal.retry_after is not None:
                context.set_trailing_metadata((("retry-after", str(max(1, round(refusal.retry_after)))),))
            await context.abort(CODES.get(refusal.status, grpc.StatusCode.INTERNAL), str(refusal))

    return call


def _parameters(fields: Any) -> dict[str, Any]:
    return {
        name: getattr(value, value.WhichOneof("choice") or "bool_param") for name, value in fields.items()
    }


def _parsed(request: Any) -> InferRequest:
    """The request in a message. Raises Refusal, saying what is wrong."""
    raw = request.raw_input_contents
    if raw and len(raw) != len(request.inputs):
        raise bad_request(f"raw_input_contents has {len(raw)} entries for {len(request.inputs)} inputs")
    inputs: dict[str, np.ndarray] = {}
    for i, tensor in enumerate(request.inputs):
        if tensor.name in inputs:
            raise bad_request(f"input {quoted(tensor.name)} is there twice")
        dtype, shape = need_dtype(tensor.datatype, tensor.name), need_shape(list(tensor.shape), tensor.name)
        inputs[tensor.name] = from_bytes(raw[i], dtype, shape, tensor.name) if raw else _contents(tensor, dtype, shape)
    outputs = [_requested(output) for output in request.outputs] or None
    parameters = _parameters(request.parameters)
    need_no_sequence(parameters)
    return InferRequest(inputs, request.id, outputs, True, seconds(parameters.get("timeout")))


def _requested(output: Any) -> RequestedOutput:
    return RequestedOutput(
        output.name, True, class_count(_parameters(output.parameters).get("classification", 0), output.name)
    )


def _contents(tensor: Any, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """The array of a tensor whose numbers stand in typed fields."""
    field = CONTENTS.get(tensor.datatype)
    if field is None:
        raise bad_request(f"input {quoted(tensor.name)}: {printable(tensor.datatype)} goes into raw_input_contents")
    values = getattr(tensor.contents, field)
    if dtype.kind == "O":
        array = np.empty(len(values), object)
        array[:] = list(values)
    else:
        unconverted = np.array(values)
        array = unconverted.astype(dtype)
        if dtype.kind in "iu" and not np.array_equal(array, unconverted):
            raise bad_request(f"input {quoted(tensor.name)}: a number does not fit {dtype.name}")
    if array.size != int(np.prod(shape)):
        raise bad_request(f"input {quoted(tensor.name)}: shape {list(shape)} does not have {array.size} elements")
    return array.reshape(shape)


def _answer(model: str, version: str, request: InferRequest, outputs: list[tuple[RequestedOutput, np.ndarray]]) -> Any:
    new = messages()
    tensors = [
        new["InferTensor"](name=output.name, datatype=datatype_of(array.dtype), shape=array.shape)
        for output, array in outputs
    ]
    raw = [to_bytes(array) for _, array in outputs]
    return new["ModelInferResponse"](
        model_name=model, model_version=version, id=request.id, outputs=tensors, raw_output_contents=raw
    )
