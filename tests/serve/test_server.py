"""A server in a process of its own: answers, refusals, deaths, new versions, and its end."""

import os
import signal
import socket
import threading
import time

import numpy as np
import pytest

import to_static as paddle
from tests.serve.running import running

for package in ("starlette", "uvicorn", "orjson", "prometheus_client", "grpc"):
    pytest.importorskip(package, reason=f"{package} comes with the extras `serve` and `grpc`")

pytestmark = pytest.mark.slow
X = np.random.default_rng(0).standard_normal((5, 4)).astype("float32")
ONE_ROW = {"name": "x", "shape": [1, 4], "datatype": "FP32", "data": [1] * 4}


class Slow(paddle.nn.Layer):
    """Takes as long as ``n`` tells."""

    def forward(self, n):
        i, total = paddle.zeros([1], "int64"), paddle.zeros([64, 64])
        while i < n:
            total = paddle.tanh(total + 1.0)
            i = i + 1
        return total.mean() + paddle.cast(i, "float32")


def save_net(prefix, seed):
    paddle.seed(seed)
    net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.ReLU(), paddle.nn.Linear(8, 3))
    paddle.jit.save(net, str(prefix), input_spec=[paddle.static.InputSpec([None, 4], "float32", name="x")])
    return lambda x: net(paddle.to_tensor(x)).numpy()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("models")
    paddle.jit.save(Slow(), str(path / "slow"), input_spec=[paddle.static.InputSpec([1], "int64", name="n")])
    return path


@pytest.fixture(scope="module")
def net(folder):
    return save_net(folder / "net", 1)


@pytest.fixture(scope="module")
def server(folder, net):
    models = [str(folder / "net"), f"late={folder / 'slow'}"]
    with running(*models, "--workers", "2", "--max-body", "1", "--queue", "64", "--timeout", "20") as server:
        yield server


def test_answers_are_those_of_the_model(server, net):
    np.testing.assert_allclose(server.infer("net", x=X), net(X), rtol=1e-5)
    status, content, headers = server.ask("GET", "/v2/models/net")
    assert status == 200 and content["inputs"] == [{"name": "x", "datatype": "FP32", "shape": [-1, 4]}]
    assert headers["x-request-id"]
    assert server.ask("GET", "/v2/health/ready")[0] == server.ask("GET", "/v2/models/net/versions/1/ready")[0] == 200


def test_many_clients_get_their_own_rows(server, net):
    wrong = []

    def client(seed):
        rng = np.random.default_rng(seed)
        for _ in range(5):
            x = rng.standard_normal((rng.integers(1, 40), 4)).astype("float32")
            if not np.allclose(server.infer("net", x=x), net(x), atol=1e-5):
                wrong.append(seed)

    threads = [threading.Thread(target=client, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    [stats] = server.ask("GET", "/v2/models/net/stats")[1]["model_stats"]
    assert stats["inference_stats"]["success"]["count"] >= 40 and stats["inference_count"] >= stats["execution_count"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "words"),
    [
        ("GET", "/v2/models/nothing", None, 404, "Request for unknown model: 'nothing'"),
        ("GET", "/v2/models/net/versions/7", None, 404, "version 1, not 7"),
        ("POST", "/v2/models/net/infer", b"\xff\x00", 400, "not JSON"),
        ("POST", "/v2/models/net/infer", {"inputs": []}, 400, "input 'x' is missing"),
        ("POST", "/v2/models/net/infer", {"inputs": [{**ONE_ROW, "datatype": "FP64"}]}, 400, "is FP32"),
        ("POST", "/v2/models/net/infer", {"inputs": [{**ONE_ROW, "shape": [1, 3], "data": [1] * 3}]}, 400, "shape"),
        ("POST", "/v2/models/net/infer", b" " * (2 << 20), 413, "takes 1048576"),
        ("POST", "/v2/repository/models/nothing/load", None, 404, "failed to load 'nothing'"),
        ("POST", "/v2/repository/models/nothing/unload", None, 404, "Request for unknown model"),
        ("GET", "/v2/systemsharedmemory/status", None, 404, "send tensors in the request"),
        ("POST", "/v2/models/net/trace/setting", {"trace_level": "OFF"}, 404, "there are no traces"),
        ("GET", "/v2/elsewhere", None, 404, "does not have GET /v2/elsewhere"),
        ("DELETE", "/v2/models/net", None, 405, "does not have DELETE"),
    ],
)
def test_what_can_not_be_answered_is_refused(server, method, path, body, status, words):
    told, content, _ = server.ask(method, path, body)
    assert told == status and words in content["error"]


def test_a_model_is_unloaded_and_loaded_again(server, net):
    def state():
        [entry] = [entry for entry in server.ask("POST", "/v2/repository/index")[1] if entry["name"] == "net"]
        return entry["state"], entry["reason"]

    assert server.ask("POST", "/v2/repository/models/net/unload")[0] == 200
    try:
        assert state() == ("UNAVAILABLE", "unloaded")
        status, content, _ = server.ask("POST", "/v2/models/net/infer", {"inputs": [ONE_ROW]})
        assert status == 400 and "'net' was unloaded" in content["error"]
        assert server.ask("GET", "/v2/models/net/ready")[0] == 503 and server.ask("GET", "/v2/health/ready")[0] == 200
        assert server.ask("GET", "/metrics")[0] == server.ask("GET", "/v2/models/stats")[0] == 200
    finally:
        assert server.ask("POST", "/v2/repository/models/net/load")[0] == 200
    assert state() == ("READY", "")
    np.testing.assert_allclose(server.infer("net", x=X), net(X), rtol=1e-5)


def test_garbage_and_half_requests_do_no_harm(server, net):
    for data in (b"\x00" * 100, b"GET /v2 HTTP/9\r\n\r\n", b"POST /v2/models/net/infer HTTP/1.1\r\nContent-Length: 500\r\n\r\n{"):
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(5)
            connection.recv(1000)
    np.testing.assert_allclose(server.infer("net", x=X), net(X), rtol=1e-5)


def test_a_client_that_goes_away_frees_its_place(server):
    body = b'{"inputs": [{"name": "n", "shape": [1], "datatype": "INT64", "data": [200000]}]}'
    head = b"POST /v2/models/late/infer HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(body)
    connections = []
    for _ in range(4):  # two run, two wait
        connections.append(socket.create_connection(("127.0.0.1", server.port)))
        connections[-1].sendall(head + body)

    def waiting():
        lines = server.ask("GET", "/metrics")[1].decode().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith('to_static_queue_requests{model="late"}'))

    def until(count):
        end = time.monotonic() + 10
        while waiting() != count:
            assert time.monotonic() < end
            time.sleep(0.02)

    until(2)
    for connection in connections:
        connection.close()
    until(0)


def test_a_worker_that_is_killed_is_replaced(server, net):
    pids = [event for event in server.events if event["event"] == "model ready" and event["model"] == "net"][-1]["pids"]
    for pid in pids:  # the one that holds the model, too
        os.kill(pid, signal.SIGKILL)
    for _ in range(4):  # nothing had begun, so no request is lost
        np.testing.assert_allclose(server.infer("net", x=X), net(X), rtol=1e-5)
    server.wait_for("worker died")
    assert b'to_static_worker_deaths_total{model="net"}' in server.ask("GET", "/metrics")[1]


def test_the_page_and_the_program(server):
    status, page, headers = server.ask("GET", "/")
    assert status == 200 and b"/page/page.js" in page and "script-src 'self'" in headers["content-security-policy"]
    assert server.ask("GET", "/page/page.js")[0] == 200 and server.ask("GET", "/page/host.py")[0] == 404
    assert b"relu" in server.ask("GET", "/graph/net")[1]


def test_a_new_version_takes_over_and_a_damaged_one_does_not(folder):
    first = save_net(folder / "changing", 2)
    with running(str(folder / "changing"), "--watch", "0.05") as server:
        np.testing.assert_allclose(server.infer("changing", x=X), first(X), rtol=1e-5)
        second = save_net(folder / "changing", 3)
        server.wait_for("model ready", 2)
        np.testing.assert_allclose(server.infer("changing", x=X), second(X), rtol=1e-5)
        assert server.ask("GET", "/v2/models/changing")[1]["versions"] == ["2"]
        (folder / "changing.pdmodel").write_bytes(b"no model")
        assert "changing.pdmodel" in server.wait_for("reload failed")["error"]
        np.testing.assert_allclose(server.infer("changing", x=X), second(X), rtol=1e-5)
        assert server.stop() == 0


def test_on_sigterm_what_was_accepted_is_answered_and_new_requests_get_503(folder, net, tmp_path):
    (tmp_path / "token").write_text("secret\n")
    bearer = {"Authorization": "Bearer secret"}
    with running(str(folder / "slow"), "--token-file", str(tmp_path / "token"), "--access-log") as server:
        body = {"inputs": [{"name": "n", "shape": [1], "datatype": "INT64", "data": [60000]}]}
        assert server.ask("POST", "/v2/models/slow/infer", body)[0] == 401
        assert server.ask("POST", "/v2/models/slow/infer", body, {"Authorization": "Bearer Secret"})[0] == 401
        assert server.ask("GET", "/v2/health/live")[0] == 200
        answers = []
        thread = threading.Thread(target=lambda: answers.append(server.ask("POST", "/v2/models/slow/infer", body, bearer)))
        thread.start()
        time.sleep(0.2)
        server.process.send_signal(signal.SIGTERM)
        server.wait_for("draining")
        status, content, headers = server.ask("POST", "/v2/models/slow/infer", body, bearer)
        assert (status, content["error"], headers["retry-after"]) == (503, "the server is shutting down", "1")
        assert server.ask("GET", "/v2/health/ready")[0] == 503
        thread.join()
        assert answers[0][0] == 200 and server.process.wait(20) == 0
        assert {event["status"] for event in server.events if event["event"] == "request"} == {200, 401, 503}
        assert not server.other_lines


def test_models_that_can_not_be_served_are_told(folder, capfd):
    from to_static.cli import main

    (folder / "bad.pdmodel").write_bytes(b"\x00\x01")
    for words, told in [
        ([str(folder / "bad")], "bad.pdmodel"),
        ([str(folder / "nothing")], "nothing"),
        ([str(folder / "net"), str(folder / "net")], "two models are called 'net'"),
        ([str(folder / "net"), "--tls-cert", "a"], "needs both"),
        ([str(folder / "net"), "--workers", "0"], "at least 1"),
    ]:
        assert main(["serve", *words, "--port", "0"]) == 1
        assert told in capfd.readouterr().err


def test_small_answers_are_sent_at_once():
    from to_static.serve.server import _listen

    with _listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()) as client:
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP and client.proto in (0, socket.IPPROTO_TCP)
