"""The protocol over gRPC, with messages made at run time; those of other clients are the same bytes."""

import numpy as np
import pytest

import to_static as paddle
from tests.serve.running import running

grpc = pytest.importorskip("grpc", reason="grpcio comes with the extra `grpc`")
for package in ("starlette", "uvicorn", "orjson", "prometheus_client"):
    pytest.importorskip(package, reason=f"{package} comes with the extra `serve`")
from to_static.serve.grpc_schema import SERVICE, messages  # noqa: E402

pytestmark = pytest.mark.slow
X = np.random.default_rng(0).standard_normal((3, 4)).astype("float32")


@pytest.fixture(scope="module")
def call(tmp_path_factory):
    """Calls a method by name with fields; ``call.net`` is the model."""
    path = tmp_path_factory.mktemp("model") / "net"
    paddle.seed(1)
    net = paddle.nn.Linear(4, 3)
    paddle.jit.save(net, str(path), input_spec=[paddle.static.InputSpec([None, 4], "float32", name="x")])
    (path.parent / "token").write_text("secret")
    with running(str(path), "--grpc-port", "0", "--token-file", str(path.parent / "token")) as server:
        with grpc.insecure_channel(f"127.0.0.1:{server.grpc_port}") as channel:

            def call(method_name, metadata=(("authorization", "Bearer secret"),), **fields):
                request = messages()[f"{method_name}Request"]
                method = channel.unary_unary(
                    f"/{SERVICE}/{method_name}", request.SerializeToString, messages()[f"{method_name}Response"].FromString
                )
                return method(request(**fields), timeout=30, metadata=metadata)

            call.net, call.channel = net, channel
            yield call


def inputs(shape=(3, 4), datatype="FP32", **fields):
    return {"model_name": "net", "inputs": [{"name": "x", "datatype": datatype, "shape": shape, **fields}]}


def test_inference(call):
    for fields in (
        {**inputs(), "raw_input_contents": [X.tobytes()]},
        inputs(contents={"fp32_contents": X.reshape(-1).tolist()}),
    ):
        answer = call("ModelInfer", id="7", **fields)
        assert (answer.model_name, answer.model_version, answer.id) == ("net", "1", "7")
        [output], [data] = answer.outputs, answer.raw_output_contents
        assert (output.datatype, list(output.shape)) == ("FP32", [3, 3])
        np.testing.assert_allclose(np.frombuffer(data, "float32").reshape(3, 3), call.net(paddle.to_tensor(X)).numpy(), rtol=1e-5)


def test_streams_answer_each_request(call):
    stream = call.channel.stream_stream(
        f"/{SERVICE}/ModelStreamInfer", messages()["ModelInferRequest"].SerializeToString,
        messages()["ModelStreamInferResponse"].FromString,
    )  # fmt: skip
    good = messages()["ModelInferRequest"](**inputs(), raw_input_contents=[X.tobytes()])
    bad = messages()["ModelInferRequest"](model_name="nothing")
    answers = list(stream(iter([good, bad, good]), timeout=30, metadata=(("authorization", "Bearer secret"),)))
    assert [bool(answer.error_message) for answer in answers] == [False, True, False]


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ({"model_name": "nothing"}, "NOT_FOUND", "unknown model"),
        ({"model_name": "net", "model_version": "9"}, "NOT_FOUND", "not 9"),
        ({"model_name": "net"}, "INVALID_ARGUMENT", "is missing"),
        ({**inputs(), "raw_input_contents": [b"1"]}, "INVALID_ARGUMENT", "takes 48 bytes"),
        ({**inputs(), "raw_input_contents": [b"1", b"2"]}, "INVALID_ARGUMENT", "2 entries"),
        (inputs(contents={"fp32_contents": [1.0]}), "INVALID_ARGUMENT", "1 elements"),
        (inputs(datatype="FP16", contents={"fp32_contents": [1.0]}), "INVALID_ARGUMENT", "raw_input_contents"),
        (inputs(shape=(1,), datatype="INT8", contents={"int_contents": [300]}), "INVALID_ARGUMENT", "does not fit int8"),
        (inputs(shape=(-1, 4)), "INVALID_ARGUMENT", "whole numbers"),
        ({**inputs(), "raw_input_contents": [X.tobytes()], "outputs": [{"name": "q"}]}, "INVALID_ARGUMENT", "no output 'q'"),
    ],
)
def test_what_can_not_be_answered_is_refused(call, fields, code, words):
    with pytest.raises(grpc.RpcError) as caught:
        call("ModelInfer", **fields)
    assert caught.value.code() is grpc.StatusCode[code] and words in caught.value.details()


def test_the_token_is_needed(call):
    assert call("ServerLive", metadata=()).live and call("ServerReady", metadata=()).ready
    for metadata in ((), (("authorization", "Bearer other"),)):
        with pytest.raises(grpc.RpcError) as caught:
            call("ModelMetadata", metadata, name="net")
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_what_is_told_of_models(call):
    told = call("ModelMetadata", name="net")
    assert list(told.inputs[0].shape) == [-1, 4] and told.outputs[0].datatype == "FP32"
    config = call("ModelConfig", name="net").config
    assert (config.max_batch_size, list(config.input[0].dims), config.input[0].data_type) == (32, [4], 11)
    assert call("ModelStatistics", name="net").model_stats[0].name == "net"
    assert call("RepositoryIndex").models[0].state == "READY" and call("ModelReady", name="net").ready
    assert call("ServerMetadata").name == "to_static"
    call("RepositoryModelLoad", model_name="net")
    assert call("RepositoryIndex").models[0].version == "2"


def test_a_method_that_is_not_there_is_named(call):
    with pytest.raises(grpc.RpcError, match="does not have /inference.GRPCInferenceService/LogSettings") as refused:
        call.channel.unary_unary(f"/{SERVICE}/LogSettings")(b"", timeout=30, metadata=(("authorization", "Bearer secret"),))
    assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED
    with pytest.raises(grpc.RpcError) as refused:
        call.channel.unary_unary(f"/{SERVICE}/LogSettings")(b"", timeout=30)
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_messages_are_those_of_triton():
    service = pytest.importorskip("tritonclient.grpc.service_pb2", reason="tritonclient is installed by hand")
    ours = messages()
    for name, made in ours.items():
        theirs = getattr(service, name, None)
        if theirs is not None:
            for field in made.DESCRIPTOR.fields:
                other = theirs.DESCRIPTOR.fields_by_name[field.name]
                for what in ("number", "type", "is_repeated"):
                    assert getattr(field, what) == getattr(other, what), (name, field.name)
