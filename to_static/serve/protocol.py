"""Requests and answers of the Open Inference Protocol over HTTP, with the binary tensor data extension."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from to_static.core.diagnostics.printable import printable, quoted
from to_static.serve.refusal import bad_request
from to_static.serve.tensors import (
    datatype_of,
    from_bytes,
    from_numbers,
    need_dtype,
    need_shape,
    to_bytes,
    to_numbers,
    top_classes,
)


@dataclass
class RequestedOutput:
    """An output that a client asks for. ``classes``: only the so many largest elements, as strings; 0: all."""

    name: str
    binary: bool = False
    classes: int = 0


@dataclass
class InferRequest:
    """One call of a model: ``inputs`` by name; ``outputs`` None asks for all, as binary data where ``binary``."""

    inputs: dict[str, np.ndarray]
    id: str = ""
    outputs: list[RequestedOutput] | None = None
    binary: bool = False
    timeout: float | None = None  # seconds


def parse_request(body: bytes, header_length: str | None = None) -> InferRequest:
    """The request in a body. ``header_length``: the value of ``Inference-Header-Content-Length``: where JSON ends and bytes begin.

    Raises Refusal, saying what is wrong, for a body that is no request.
    """
    import orjson

    split = len(body)
    if header_length is not None:
        if not header_length.isascii() or not header_length.isdigit() or int(header_length) > len(body):
            raise bad_request(
                f"Inference-Header-Content-Length must be a number up to {len(body)}, the bytes of the body, "
                f"got {printable(header_length)}"
            )
        split = int(header_length)
    try:
        fields = orjson.loads(memoryview(body)[:split])
    except orjson.JSONDecodeError as error:
        raise bad_request(f"the request is not JSON: {printable(error)}") from None
    fields = _mapping(fields, "the request")
    tail = memoryview(body)[split:]
    inputs: dict[str, np.ndarray] = {}
    at = 0
    for entry in _entries(fields, "inputs"):
        name = _text(entry, "name", "an input")
        if name in inputs:
            raise bad_request(f"input {quoted(name)} is there twice")
        dtype = need_dtype(entry.get("datatype"), name)
        shape = need_shape(entry.get("shape"), name)
        size = _mapping(entry.get("parameters") or {}, f"parameters of input {quoted(name)}").get("binary_data_size")
        if size is None:
            if "data" not in entry:
                raise bad_request(f"input {quoted(name)} has neither data nor a binary_data_size")
            inputs[name] = from_numbers(entry["data"], dtype, shape, name)
            continue
        if type(size) is not int or not 0 <= size <= len(tail) - at:
            raise bad_request(
                f"input {quoted(name)}: binary_data_size is {printable(size)}, {len(tail) - at} bytes are left"
            )
        inputs[name] = from_bytes(tail[at : at + size], dtype, shape, name)
        at += size
    if at != len(tail):
        raise bad_request(f"{len(tail) - at} bytes of binary data belong to no input")
    parameters = _mapping(fields.get("parameters") or {}, "parameters")
    need_no_sequence(parameters)
    outputs = None
    if fields.get("outputs"):
        outputs = [_requested(entry) for entry in _entries(fields, "outputs")]
    identity = fields.get("id", "")
    return InferRequest(
        inputs, identity if isinstance(identity, str) else str(identity), outputs, parameters.get("binary_data_output") is True,
        seconds(parameters.get("timeout")),
    )  # fmt: skip


def need_no_sequence(parameters: Mapping[str, Any]) -> None:
    """Raise Refusal for a request of a sequence: the server keeps no state by sequence, so the answer would be wrong."""
    sequence = parameters.get("sequence_id")
    if sequence:  # 0 and '' are no sequence
        raise bad_request(
            f"the request is of sequence {printable(sequence)}, and this server does not tell sequences apart; "
            "give the model its state as an input and take the new state from an output"
        )


def seconds(timeout: Any) -> float | None:
    """The time limit of a request, from the protocol's whole microseconds. Raises Refusal for anything else."""
    if timeout is None or timeout == 0:
        return None
    if type(timeout) is not int or timeout < 0:
        raise bad_request(f"timeout must be a number of microseconds, got {printable(timeout)}")
    return timeout / 1e6


def _requested(entry: Mapping[str, Any]) -> RequestedOutput:
    name = _text(entry, "name", "an output")
    parameters = _mapping(entry.get("parameters") or {}, f"parameters of output {quoted(name)}")
    return RequestedOutput(
        name, parameters.get("binary_data") is True, class_count(parameters.get("classification", 0), name)
    )


def class_count(count: Any, name: str) -> int:
    """The number of classes that are asked for. Raises Refusal for anything but a whole number that is not negative."""
    if type(count) is not int or count < 0:
        raise bad_request(f"output {quoted(name)}: classification must be a number of classes, got {printable(count)}")
    return count


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise bad_request(f"{what} must be a JSON object, got {type(value).__name__}")
    return value


def _entries(fields: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    entries = fields.get(key)
    if not isinstance(entries, list):
        raise bad_request(f"{key} must be a list of JSON objects")
    return [_mapping(entry, f"each of {key}") for entry in entries]


def _text(entry: Mapping[str, Any], key: str, what: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        raise bad_request(f"{what} must have a {key}")
    return value


def chosen_outputs(
    request: InferRequest, results: Mapping[str, np.ndarray], batched: bool
) -> list[tuple[RequestedOutput, np.ndarray]]:
    """The outputs that a request asks for, in its order. Raises Refusal for a name that the model does not have."""
    requested = request.outputs
    if requested is None:
        requested = [RequestedOutput(name, request.binary) for name in results]
    chosen = []
    for output in requested:
        if output.name not in results:
            raise bad_request(
                f"the model has no output {quoted(output.name)}; it has {', '.join(map(printable, results))}"
            )
        array = results[output.name]
        chosen.append((output, top_classes(array, output.classes, batched) if output.classes else array))
    return chosen


def answer(
    model: str, version: str, request: InferRequest, outputs: Sequence[tuple[RequestedOutput, np.ndarray]]
) -> tuple[bytes, int | None]:
    """The body of an answer, and the length of its JSON part where bytes follow (None where none do)."""
    import orjson

    entries, parts = [], []
    for output, array in outputs:
        entry: dict[str, Any] = {"name": output.name, "datatype": datatype_of(array.dtype), "shape": list(array.shape)}
        if output.binary or (request.binary and request.outputs is None):
            parts.append(to_bytes(array))
            entry["parameters"] = {"binary_data_size": len(parts[-1])}
        else:
            entry["data"] = to_numbers(array, output.name)
        entries.append(entry)
    fields: dict[str, Any] = {"model_name": model, "model_version": version, "outputs": entries}
    if request.id:
        fields["id"] = request.id
    head = orjson.dumps(fields)
    return (b"".join([head, *parts]), len(head)) if parts else (head, None)


def inflated(body: bytes, encoding: str, max_bytes: int) -> bytes:
    """A body without its compression.

    Raises Refusal for an encoding that is not known, damaged data, or more than ``max_bytes`` bytes.
    """
    if encoding in ("", "identity"):
        return body
    if encoding not in ("gzip", "deflate"):
        raise bad_request(f"Content-Encoding must be gzip or deflate, got {printable(encoding)}")
    stream = zlib.decompressobj(31 if encoding == "gzip" else 15)
    try:
        data = stream.decompress(body, max_bytes + 1)
    except zlib.error as error:
        raise bad_request(f"the body is not {encoding} data: {printable(error)}") from None
    if len(data) > max_bytes:
        raise bad_request(f"the body has more than {max_bytes} bytes when it is inflated")
    if not stream.eof:
        raise bad_request(f"the body's {encoding} data is cut")
    if stream.unused_data:
        raise bad_request(f"something follows the body's {encoding} data")
    return data
