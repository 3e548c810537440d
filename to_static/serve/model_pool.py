"""`ModelPool`: the processes of one version of a model, seen from the server."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, Listener
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from to_static.core.errors import ToStaticError
from to_static.core.processes.child_environment import child_environment
from to_static.core.processes.forking import free_in_children
from to_static.serve.row_independence import BatchAxes, TensorInfo
from to_static.serve.transport import receive, send
from to_static.serve.worker import can_fork

WORKER = [sys.executable, "-m", "to_static.serve.worker"]  # the command of the process that loads a model
PLAN_BYTES = "TO_STATIC_PLAN_CACHE_BYTES"
START_LIMIT = 600.0  # seconds for a model to load
FORK_LIMIT = 30.0


class WorkerDied(Exception):
    """The process ended before it answered. ``began``: whether it had got the inputs, so that they may be the cause."""

    def __init__(self, began: bool = True) -> None:
        super().__init__(began)
        self.began = began


class ModelRefused(Exception):
    """The model does not take these inputs."""


class ModelFault(Exception):
    """The model failed by a fault that is not the inputs'."""


class CannotLoad(ToStaticError):
    """The model can't be served: its files are damaged or not there, or its process died."""


class Worker:
    """One process. It runs one batch at a time."""

    def __init__(self, connection: Connection, pid: int) -> None:
        self.pid = pid
        self._connection = connection

    def run(self, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Run the model; blocks. Raises ModelRefused, ModelFault, MemoryError or WorkerDied."""
        try:
            send(self._connection, "run", None, inputs)
        except OSError:
            raise WorkerDied(began=False) from None
        try:
            word, text, outputs = receive(self._connection)
        except (EOFError, OSError):
            raise WorkerDied from None
        if word == "done":
            return outputs
        raise {"refused": ModelRefused, "memory": MemoryError}.get(word, ModelFault)(text)

    def kill(self) -> None:
        """End the process at once; `run` in another thread raises WorkerDied."""
        try:
            os.kill(self.pid, 9)
        except (ProcessLookupError, PermissionError):
            return

    def close(self) -> None:
        """Let the process end, when it has answered what it has."""
        self._connection.close()


class ModelPool:
    """Processes that share the weights of one model. Making one loads the model, which blocks.

    Args:
        model: prefix of the model's files.
        device: 'cpu' or 'gpu:0'.
        batching: 'auto' or 'off'.
        threads: threads of the matrix library in each process.
        plan_bytes: bytes of buffers that each process keeps for input sizes that come again; None: as everywhere.

    Attributes: ``inputs``, ``outputs``, ``axes`` (`BatchAxes`, or None), ``reason`` (why it is so), ``warm`` (whether it ran once),
    ``stateful`` (whether runs change the model's own values), ``program`` (its text).

    Raises CannotLoad.
    """

    def __init__(
        self, model: str, device: str = "cpu", batching: str = "auto", threads: int = 1, plan_bytes: int | None = None
    ) -> None:
        self._folder = tempfile.mkdtemp(prefix="to_static-")  # readable by this user only
        self._key = secrets.token_bytes(32)
        self._listener = Listener(None if os.name == "nt" else os.path.join(self._folder, "s"), authkey=self._key)
        self._orders = {"model": model, "device": device, "batching": batching, "key": self._key.hex()}
        self._environment = child_environment(threads)
        if plan_bytes is not None:
            self._environment.setdefault(PLAN_BYTES, str(plan_bytes))
        self._arrivals: SimpleQueue[tuple[Connection, int]] = SimpleQueue()
        self._fork_lock = free_in_children(threading.Lock())
        self._processes: list[subprocess.Popen[bytes]] = []
        self._closed = False
        threading.Thread(target=self._accept, daemon=True).start()
        try:
            self._template, self.template_pid, description = self._start()
        except BaseException:
            self.close()
            raise
        self.inputs, self.outputs = (
            [TensorInfo(entry["name"], entry["dtype"], tuple(entry["shape"])) for entry in description[key]]
            for key in ("inputs", "outputs")
        )
        axes = description["axes"]
        self.axes = None if axes is None else BatchAxes(axes[0], tuple(axes[1]))
        self.reason: str = description["reason"]
        self.warm: bool = description["warm"]
        self.stateful: bool = description["stateful"]
        self.program: str = description["program"]
        self._spare: Worker | None = None if can_fork(device) else Worker(self._template, self.template_pid)

    def _start(self) -> tuple[Connection, int, dict[str, Any]]:
        """A process that has loaded the model: its connection, its number and what it tells of the model."""
        process = subprocess.Popen(WORKER, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=self._environment)
        self._processes.append(process)
        assert process.stdin is not None
        process.stdin.write(json.dumps({**self._orders, "address": self._listener.address}).encode() + b"\n")
        process.stdin.close()
        connection, pid = self._arrived(START_LIMIT, lambda: process.poll() is not None)
        try:
            word, answer, _ = receive(connection)
        except (EOFError, OSError):
            raise CannotLoad(f"the process that loads the model ended (exit code {process.wait(10)})") from None
        if word == "failed":
            connection.close()
            process.wait(10)
            raise CannotLoad(answer)
        return connection, pid, answer

    def _accept(self) -> None:
        while not self._closed:
            try:
                connection = self._listener.accept()
                _, pid, _ = receive(connection)
            except Exception:  # a stranger without the key, or the listener is closed
                if self._closed:
                    return
                continue
            self._arrivals.put((connection, pid))

    def _arrived(self, limit: float, has_left: Callable[[], bool]) -> tuple[Connection, int]:
        """The next process that connects. Raises CannotLoad when none comes, or when who would start it is gone."""
        waited = 0.0
        while waited < limit:
            try:
                return self._arrivals.get(timeout=0.2)
            except Empty:
                waited += 0.2
                if has_left() and self._arrivals.empty():
                    raise CannotLoad("the process that loads the model ended before it was there") from None
        raise CannotLoad(f"no worker process came within {limit:g} s")

    def worker(self) -> Worker:
        """One more worker; blocks until it is there. Raises CannotLoad when the model can't be loaded any more."""
        with self._fork_lock:
            if self._spare is not None:
                spare, self._spare = self._spare, None
                return spare
            if not can_fork(self._orders["device"]):
                connection, pid, _ = self._start()
                return Worker(connection, pid)
            try:
                return self._forked()
            except (OSError, CannotLoad):  # the template itself is gone: load again
                self._template.close()
                self._template, self.template_pid, _ = self._start()
                return self._forked()

    def _forked(self) -> Worker:
        send(self._template, "fork")
        return Worker(*self._arrived(FORK_LIMIT, self._template.poll))  # it says nothing, so what can be read is its end

    def close(self) -> None:
        """Let the template end and forget the address. Workers end when they are closed."""
        self._closed = True
        template = getattr(self, "_template", None)
        if template is not None:
            template.close()
        try:
            self._listener.close()
        finally:
            for process in self._processes:
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
            if os.path.isdir(self._folder):
                os.rmdir(self._folder)
