"""Requests and answers over HTTP: every body is either understood wholly or refused."""

import gzip
import json
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from to_static.serve.protocol import InferRequest, RequestedOutput, answer, chosen_outputs, inflated, parse_request
from to_static.serve.refusal import Refusal

orjson = pytest.importorskip("orjson", reason="orjson comes with the extra `serve`")

X = {"name": "x", "shape": [1, 2], "datatype": "FP32", "data": [1, 2]}


def body(**fields):
    return json.dumps({"inputs": [X], **fields}).encode()


def test_a_request_of_json():
    outputs = [{"name": "y", "parameters": {"classification": 2}}]
    request = parse_request(body(id="7", outputs=outputs, parameters={"timeout": 1500}))
    assert request.inputs["x"].tolist() == [[1.0, 2.0]] and request.id == "7" and request.timeout == 0.0015
    assert request.outputs == [RequestedOutput("y", False, 2)] and not request.binary


def test_a_request_of_json_and_bytes():
    arrays = [np.arange(6, dtype="int64").reshape(2, 3), np.array([True, False])]
    entries = [
        {"name": name, "shape": list(array.shape), "datatype": datatype, "parameters": {"binary_data_size": array.nbytes}}
        for name, array, datatype in zip("ab", arrays, ("INT64", "BOOL"), strict=True)
    ]
    head = json.dumps({"inputs": entries, "parameters": {"binary_data_output": True}}).encode()
    request = parse_request(head + b"".join(array.tobytes() for array in arrays), str(len(head)))
    for name, array in zip("ab", arrays, strict=True):
        np.testing.assert_array_equal(request.inputs[name], array)
    data, length = answer("m", "3", request, chosen_outputs(request, {"y": arrays[0]}, True))
    told = json.loads(data[:length])
    assert told == {
        "model_name": "m", "model_version": "3",
        "outputs": [{"name": "y", "datatype": "INT64", "shape": [2, 3], "parameters": {"binary_data_size": 48}}],
    }  # fmt: skip
    assert data[length:] == arrays[0].tobytes()


def test_an_output_by_name_is_json_unless_it_is_asked_for_as_bytes():
    request = InferRequest({}, outputs=[RequestedOutput("y"), RequestedOutput("z", True)], binary=True)
    arrays = {"y": np.ones(2, "float32"), "z": np.ones(1, "float32"), "unasked": np.zeros(1)}
    data, length = answer("m", "1", request, chosen_outputs(request, arrays, False))
    assert [list(entry) for entry in json.loads(data[:length])["outputs"]] == [
        ["name", "datatype", "shape", "data"],
        ["name", "datatype", "shape", "parameters"],
    ]
    with pytest.raises(Refusal, match="no output 'q'"):
        chosen_outputs(InferRequest({}, outputs=[RequestedOutput("q")]), arrays, False)


@pytest.mark.parametrize(
    ("data", "length", "words"),
    [
        (b"", None, "not JSON"),
        (b"\xff", None, "not JSON"),
        (b"[" * 5000, None, "not JSON"),
        (b'{"a": NaN}', None, "not JSON"),
        (b"[]", None, "must be a JSON object"),
        (b"{}", None, "inputs must be a list"),
        (b'{"inputs": [1]}', None, "each of inputs"),
        (b'{"inputs": [{"shape": []}]}', None, "must have a name"),
        (json.dumps({"inputs": [X, X]}).encode(), None, "twice"),
        (json.dumps({"inputs": [{**X, "data": [1]}]}).encode(), None, "data has 1"),
        (json.dumps({"inputs": [{k: v for k, v in X.items() if k != "data"}]}).encode(), None, "neither data nor"),
        (body(parameters=3), None, "parameters must be"),
        (body(parameters={"timeout": -1}), None, "microseconds"),
        (body(parameters={"sequence_id": 5, "sequence_start": True}), None, "of sequence 5"),
        (body(outputs=[{"name": "y", "parameters": {"classification": -1}}]), None, "number of classes"),
        (body(), "999", "up to"),
        (body(), "-1", "up to"),
        (body(), "²", "up to"),
        (body() + b"tail", str(len(body())), "belong to no input"),
        (json.dumps({"inputs": [{**X, "parameters": {"binary_data_size": 8}}]}).encode(), None, "0 bytes are left"),
        (json.dumps({"inputs": [{**X, "parameters": {"binary_data_size": -8}}]}).encode(), None, "0 bytes are left"),
    ],
)
def test_what_is_no_request_is_refused(data, length, words):
    with pytest.raises(Refusal, match=words) as caught:
        parse_request(data, length)
    assert caught.value.status == 400


KEYS = st.sampled_from(["name", "shape", "datatype", "data", "parameters"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(JSON, max_size=3), JSON, JSON, st.sampled_from(["INT8", "FP16", "BOOL", "BYTES"]))
def test_whatever_comes_is_understood_or_refused(entries, outputs, parameters, datatype):
    defaults = {"name": "x", "datatype": datatype, "shape": [1]}
    entries = [{**defaults, **entry} if isinstance(entry, dict) else entry for entry in entries]
    try:
        data = json.dumps({"inputs": entries, "outputs": outputs, "parameters": parameters}).encode()
        assert isinstance(parse_request(data), InferRequest)
    except Refusal as refusal:
        assert refusal.status == 400 and str(refusal).isprintable()


def test_bodies_are_inflated_within_bounds():
    data = b"a" * 1000
    for packed, encoding in [(gzip.compress(data), "gzip"), (zlib.compress(data), "deflate"), (data, "")]:
        assert inflated(packed, encoding, 1000) == data
    for packed, encoding, words in [
        (gzip.compress(data), "gzip", "more than 999"),
        (data, "gzip", "is not gzip"),
        (gzip.compress(data[:9])[:-9], "gzip", "is cut"),
        (gzip.compress(data[:9]) + b"more", "gzip", "follows"),
        (data, "br", "must be gzip or deflate"),
    ]:
        with pytest.raises(Refusal, match=words):
            inflated(packed, encoding, 999)
