"""A server in a process of its own, as users start it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np


class Running:
    """A server that runs. ``events``: what it has logged."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.events: list[dict[str, Any]] = []
        self.other_lines: list[str] = []
        self._more = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()
        started = self.wait_for("serving")
        self.port = int(started["url"].rpartition(":")[2])
        self.grpc_port = started["grpc_port"]

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._more:
                try:
                    self.events.append(json.loads(line))
                except ValueError:
                    self.other_lines.append(line)
                self._more.notify_all()
        with self._more:
            self.events.append({"event": "end"})
            self._more.notify_all()

    def wait_for(self, event: str, count: int = 1) -> dict[str, Any]:
        """The ``count``-th event of a kind, when it has come."""

        def arrived() -> list[dict[str, Any]]:
            return [entry for entry in self.events if entry["event"] == event]

        with self._more:
            ended = self._more.wait_for(lambda: len(arrived()) >= count or self.events[-1:] == [{"event": "end"}], timeout=60)
            assert ended and len(arrived()) >= count, (event, self.events, self.other_lines)
            return arrived()[count - 1]

    def ask(self, method: str, path: str, body: Any = None, headers: Any = None) -> tuple[int, Any, dict[str, str]]:
        """Status, content (of JSON where it is) and headers of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, json.dumps(body) if isinstance(body, dict) else body, headers or {})
            response = connection.getresponse()
            data, told = response.read(), {key.lower(): value for key, value in response.getheaders()}
            return response.status, json.loads(data) if told.get("content-type") == "application/json" else data, told
        finally:
            connection.close()

    def infer(self, model: str, **inputs: np.ndarray) -> np.ndarray:
        """The first output of a model."""
        names = {"float32": "FP32", "int64": "INT64"}
        entries = [
            {"name": name, "shape": list(x.shape), "datatype": names[x.dtype.name], "data": x.reshape(-1).tolist()}
            for name, x in inputs.items()
        ]
        status, content, _ = self.ask("POST", f"/v2/models/{model}/infer", {"inputs": entries})
        assert status == 200, content
        output = content["outputs"][0]
        return np.array(output["data"], "float32").reshape(output["shape"])

    def stop(self) -> int:
        """Send SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


@contextlib.contextmanager
def running(*words: str) -> Iterator[Running]:
    """A server started with these words after ``to_static serve``, on free ports."""
    command = [sys.executable, "-W", "ignore", "-m", "to_static", "serve", *words, "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    try:
        yield Running(process)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
