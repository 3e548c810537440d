"""A server under load: throughput and latency by the number of clients, and a soak with faults.

    python benchmarks/serve.py                  # requests per second, p50 and p99 at 1, 8 and 64 clients
    python benchmarks/serve.py --peer paddle=PYTHON --peer onnxruntime=PYTHON --model resnet18
                                                # beside other engines behind the same server, by interpreters that have them
    python benchmarks/serve.py --soak 600       # ten minutes with slow clients, garbage, kills and new versions

Clients are processes of their own, with connections that stay open. All traffic stays on 127.0.0.1. The soak counts: every request
that was accepted gets one answer, the right one, and the memory of all processes stays flat.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import to_static as paddle

FEATURES, CLASSES = 256, 10
SIZES = {"mlp": [FEATURES], "mobilenet_v3_small": [3, 224, 224], "resnet18": [3, 224, 224], "LeNet": [1, 28, 28]}


def save(prefix: Path, seed: int, model: str = "mlp", form: str = "pdmodel") -> tuple[np.ndarray, np.ndarray]:
    """Save a network; returns rows and their results."""
    paddle.seed(seed)
    if model == "mlp":
        layers = [paddle.nn.Linear(FEATURES, 512), paddle.nn.ReLU(), paddle.nn.Linear(512, 512), paddle.nn.ReLU()]
        net: Any = paddle.nn.Sequential(*layers, paddle.nn.Linear(512, CLASSES))
    else:
        net = getattr(paddle.vision.models, model)(num_classes=CLASSES)
    net.eval()
    sizes = SIZES[model]
    spec = [paddle.static.InputSpec([None, *sizes], "float32", name="x")]
    paddle.jit.save(net, str(prefix), input_spec=spec, format=form)
    x = np.random.default_rng(0).standard_normal((64 if model == "mlp" else 4, *sizes)).astype("float32")
    return x, net(paddle.to_tensor(x)).numpy()


@contextlib.contextmanager
def serving(*words: str, peer: tuple[str, str] | None = None, sizes: Any = ()) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """A server on a free port; ``peer``: the engine that it is to have, and the Python of its workers."""
    command = [sys.executable, "-m", "to_static", "serve"]
    if peer is not None:
        command = [sys.executable, str(Path(__file__).with_name("engine_worker.py")), "serve", peer[1], peer[0]]
    environment = {**os.environ, "SIZES": json.dumps(sizes)}
    process = subprocess.Popen([*command, *words, "--port", "0"], env=environment, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    port = 0
    while not port:
        line = process.stderr.readline()
        if not line:
            raise SystemExit("the server ended")
        if not line.startswith("{"):  # an engine's own words
            continue
        event = json.loads(line)
        port = int(event["url"].rpartition(":")[2]) if event["event"] == "serving" else 0
    threading.Thread(target=lambda: [None for _ in process.stderr], daemon=True).start()  # type: ignore[union-attr]
    try:
        yield port, process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(70)


def request(x: np.ndarray) -> tuple[bytes, dict[str, str]]:
    """The body and headers of a request with binary data."""
    entry = {"name": "x", "shape": list(x.shape), "datatype": "FP32", "parameters": {"binary_data_size": x.nbytes}}
    head = json.dumps({"inputs": [entry], "parameters": {"binary_data_output": True}}).encode()
    return head + x.tobytes(), {"Inference-Header-Content-Length": str(len(head))}


def answer_of(response: http.client.HTTPResponse) -> np.ndarray:
    """The first output of an answer."""
    data = response.read()
    length = int(response.headers["Inference-Header-Content-Length"])
    shape = json.loads(data[:length])["outputs"][0]["shape"]
    return np.frombuffer(data[length:], np.float32).reshape(shape)


def client(port: int, sizes: list[int], seconds: float, seed: int, latencies: Any) -> None:
    """Ask again and again, a row or a few at a time; the latencies in seconds go into a queue."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((4, *sizes)).astype("float32")
    bodies = [request(x[:n]) for n in (1, 2, 4)]
    connection = http.client.HTTPConnection("127.0.0.1", port)
    latencies_of_client = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        body, headers = bodies[len(latencies_of_client) % 3]
        started = time.perf_counter()
        connection.request("POST", "/v2/models/net/infer", body, headers)
        response = connection.getresponse()
        response.read()
        if response.status == 200:
            latencies_of_client.append(time.perf_counter() - started)
    latencies.put(latencies_of_client)


def load(server: tuple[int, int], sizes: list[int], clients: int, seconds: float) -> list[float]:
    """Requests per second, p50 and p99 in milliseconds, and milliseconds of processor time a request of server and workers."""
    port, pid = server
    start_time = processor_time(pid)
    context = multiprocessing.get_context("fork")
    latencies = context.Queue()
    processes = [context.Process(target=client, args=(port, sizes, seconds, seed, latencies)) for seed in range(clients)]
    for process in processes:
        process.start()
    all_latencies = np.concatenate([latencies.get() for _ in processes])
    for process in processes:
        process.join()
    spent = (processor_time(pid) - start_time) / max(1, len(all_latencies)) * 1000
    return [len(all_latencies) / seconds, *(np.percentile(all_latencies, [50, 99]) * 1000), *spent]


def family(pid: int) -> dict[int, int]:
    """A process and all that descend from it: the resident bytes by number."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,rss="], capture_output=True, text=True).stdout.splitlines()
    rows = [tuple(map(int, line.split())) for line in listed]
    members = {pid}
    for _ in range(5):
        members |= {p for p, parent, _ in rows if parent in members}
    return {p: rss * 1024 for p, _, rss in rows if p in members}


def resident(pid: int) -> int:
    """Resident bytes of a process and all that descend from it."""
    return sum(family(pid).values())


def processor_time(pid: int) -> np.ndarray:
    """Seconds of processor time of a server, and of its workers together; zeros where there is no /proc."""
    seconds = np.zeros(2)
    for member in family(pid):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
            seconds[int(member != pid)] += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


class Soak:
    """Clients of all sorts, and what happened to their requests."""

    def __init__(self, port: int, server: int, x: np.ndarray, expected: np.ndarray, prefix: Path) -> None:
        self.port, self.server, self.x, self.expected, self.prefix = port, server, x, expected, prefix
        self.counts: Counter[str] = Counter()
        self.stopped = threading.Event()
        self._lock = threading.Lock()

    def count(self, what: str) -> None:
        """Count an event."""
        with self._lock:
            self.counts[what] += 1

    def asking(self, seed: int) -> None:
        """A client that compares every answer."""
        draw = random.Random(seed)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while not self.stopped.is_set():
            start = draw.randrange(60)
            rows = slice(start, start + draw.choice((1, 2, 4)))
            body, headers = request(self.x[rows])
            try:
                connection.request("POST", "/v2/models/net/infer", body, headers)
                response = connection.getresponse()
                if response.status == 200:
                    right = np.allclose(answer_of(response), self.expected[rows], atol=1e-4)
                    self.count("right" if right else "WRONG")
                else:
                    response.read()
                    self.count(f"status {response.status}")
            except (OSError, http.client.HTTPException) as error:
                self.count(f"LOST {type(error).__name__}")
                connection.close()

    def disturbing(self, seed: int) -> None:
        """Slow clients, garbage, connections that are half closed or left, large bodies."""
        draw = random.Random(seed)
        body, headers = request(self.x[:1])
        lines = "".join(f"{key}: {value}\r\n" for key, value in headers.items())
        head = f"POST /v2/models/net/infer HTTP/1.1\r\nHost: a\r\n{lines}Content-Length: {len(body)}\r\n\r\n".encode()
        while not self.stopped.is_set():
            kind = draw.choice(("slow", "garbage", "half", "left", "large"))
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
                    if kind == "slow":
                        for i in range(0, len(body), 200):
                            connection.sendall(head + body[:200] if not i else body[i : i + 200])
                            time.sleep(0.05)
                        connection.recv(10)
                    elif kind == "garbage":
                        connection.sendall(draw.randbytes(draw.randrange(1, 5000)))
                        connection.recv(10)
                    elif kind == "half":
                        connection.sendall(head + body[:100])
                        connection.shutdown(socket.SHUT_WR)
                        connection.recv(10)
                    elif kind == "left":
                        connection.sendall(head + body)
                    else:
                        connection.sendall(b"POST /v2/models/net/infer HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n")
                        for _ in range(100):
                            connection.sendall(bytes(1_000_000))
                        connection.recv(10)
            except OSError:
                self.count(f"closed on {kind}")
            self.count(f"disturbed: {kind}")

    def killing(self, every: float) -> None:
        """Kill a worker, or save the model again, now and then."""
        draw = random.Random(0)
        while not self.stopped.wait(every):
            children = [pid for pid in family(self.server) if pid != self.server]
            if draw.random() < 0.5 and children:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(draw.choice(children), signal.SIGKILL)
                self.count("killed")
            else:
                save(self.prefix, 1)
                self.count("saved again")


def soak(seconds: float) -> int:
    """Run the soak; returns 1 where an answer was wrong or a connection was lost."""
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder) / "net"
        x, expected = save(prefix, 1)
        with serving(str(prefix), "--workers", "2", "--watch", "1", "--max-body", "64") as (port, server):
            state = Soak(port, server.pid, x, expected, prefix)
            threads = [threading.Thread(target=state.asking, args=(i,)) for i in range(6)]
            threads += [threading.Thread(target=state.disturbing, args=(i,)) for i in range(2)]
            threads.append(threading.Thread(target=state.killing, args=(max(2.0, seconds / 60),)))
            for thread in threads:
                thread.start()
            sizes = []
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                time.sleep(seconds / 20)
                sizes.append(resident(server.pid) / 1e6)
                print(f"{sizes[-1]:7.0f} MB  {dict(state.counts)}", flush=True)
            state.stopped.set()
            for thread in threads:
                thread.join()
        print(f"exit code {server.returncode}; memory {sizes[len(sizes) // 4]:.0f} -> {sizes[-1]:.0f} MB")
        bad = [what for what in state.counts if what.isupper() or what.startswith(("WRONG", "LOST"))]
        return 1 if bad or server.returncode else 0


def main(words: list[str]) -> int:
    """Run what the words ask for."""
    parser = argparse.ArgumentParser(description="A server under load.")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement (default 5)")
    parser.add_argument("--soak", type=float, metavar="SECONDS", help="run the soak")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--model", choices=sorted(SIZES), default="mlp", help="the network (default mlp)")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 64])
    parser.add_argument("--rounds", type=int, default=3, help="of all servers in turn (default 3)")
    parser.add_argument("--peer", action="append", default=[], metavar="ENGINE=PYTHON", help="paddle or onnxruntime; its Python")
    args = parser.parse_args(words)
    if args.soak is not None:
        return soak(args.soak)
    compare(args.model, dict(peer.split("=", 1) for peer in args.peer), args.workers, args.clients, args.seconds, args.rounds)
    return 0


def compare(model: str, peers: dict[str, str], workers: int, clients: list[int], seconds: float, rounds: int) -> None:
    """Measure all servers in turn, and print the median of the rounds for each number of clients."""
    sizes = SIZES[model]
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        prefix = Path(folder) / "net"
        x, expected = save(prefix, 1, model)
        words = "--workers", str(workers)

        def started(path: Path, *more: str, peer: tuple[str, str] | None = None) -> tuple[int, int]:
            port, process = stack.enter_context(serving(str(path), *words, *more, peer=peer, sizes=sizes))
            return port, process.pid

        servers = {"to_static": started(prefix), "to_static, one by one": started(prefix, "--no-batching")}
        for peer in peers.items():
            path = prefix
            if peer[0] == "onnxruntime":
                path = Path(folder) / "onnx" / "net"
                save(path, 1, model, "onnx")
            servers[peer[0]] = started(path, peer=peer)
        for name, server in servers.items():
            check(name, server[0], x[:2], expected[:2])
            load(server, sizes, 2, 1.0)
        for count in clients:
            figures: dict[str, list[list[float]]] = {name: [] for name in servers}
            for _ in range(rounds):
                for name, server in servers.items():
                    figures[name].append(load(server, sizes, count, seconds))
            for name, measured in figures.items():
                rate, p50, p99, own_time, of_workers = np.median(measured, axis=0)
                print(
                    f"{name:22s} {count:3d} clients  {rate:7.0f} requests/s  p50 {p50:7.2f} ms  p99 {p99:7.2f} ms  "
                    f"processor: server {own_time:.3f} ms, worker {of_workers:.3f} ms",
                    flush=True,
                )


def check(name: str, port: int, x: np.ndarray, expected: np.ndarray) -> None:
    """Make sure that a server computes what the network does."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    body, headers = request(x)
    connection.request("POST", "/v2/models/net/infer", body, headers)
    np.testing.assert_allclose(answer_of(connection.getresponse()), expected, rtol=1e-3, atol=1e-4, err_msg=name)
    connection.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
