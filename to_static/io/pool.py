"""The worker processes of one DataLoader, seen from the main process.

Tasks are dealt to the workers in turn, each over a pipe of its own, and the answers are taken in the same turn: results
are in order, no lock is shared, and a worker that is killed shows at once as the end of its pipe.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Iterable, Iterator
from multiprocessing import connection as connections
from typing import Any

from to_static.core.errors import WorkerError
from to_static.io import transport, worker

GRACE = 1.0  # seconds that a worker may take to finish its batch when the loop is left


class WorkerPool:
    """``num_workers`` processes that run one `Job`. Close it when done.

    Args:
        job: what the workers do.
        num_workers: how many.
        seeds: one random seed per worker.
        prefetch: tasks that each worker has been given ahead.
        timeout: seconds to wait for a batch; 0 waits as long as the worker lives.
    """

    def __init__(self, job: worker.Job, num_workers: int, seeds: list[int], prefetch: int, timeout: float) -> None:
        self.prefetch = prefetch
        self.timeout = timeout
        self.epoch = 0
        self.owner = os.getpid()
        self.processes: list[Any] = []
        self.pipes: list[Any] = []
        # fork starts in milliseconds and needs no pickling of the dataset; elsewhere Python's own choice is safer
        context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
        try:
            for worker_id in range(num_workers):
                parent_end, child_end = context.Pipe(duplex=True)
                self.pipes.append(parent_end)
                inherited = list(self.pipes) if context.get_start_method() == "fork" else []
                process = context.Process(
                    target=worker.run,
                    args=(job, worker_id, num_workers, seeds[worker_id], child_end, inherited),
                    name=f"DataLoader worker {worker_id}",
                    daemon=True,
                )
                with warnings.catch_warnings():
                    # Python 3.12 warns about any fork next to threads; NumPy's BLAS threads are made for it
                    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
                    process.start()
                self.processes.append(process)
                child_end.close()
        except BaseException:
            self.close()
            raise

    def run(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """The batches for ``tasks``, in order. A new run ends the one before."""
        self.epoch += 1
        epoch = self.epoch
        remaining = iter(tasks)
        active = list(range(len(self.processes)))
        waiting: list[int] = []  # whose turn it is, oldest task first
        for _ in range(self.prefetch):
            for worker_id in active:
                self._give(worker_id, epoch, remaining, waiting)
        while waiting:
            if epoch != self.epoch:
                raise RuntimeError("this iteration ended when its DataLoader (with persistent_workers) began another")
            worker_id = waiting.pop(0)
            message_type, value = self._take(worker_id, epoch)
            if message_type == worker.END:
                active = [active_id for active_id in active if active_id != worker_id]
            elif message_type == worker.ERROR:
                error, text = value
                raise error from worker.RemoteTraceback(f"(in DataLoader worker {worker_id})\n{text}")
            else:
                if worker_id in active:
                    self._give(worker_id, epoch, remaining, waiting)
                yield value

    def _give(self, worker_id: int, epoch: int, remaining: Iterator[Any], waiting: list[int]) -> None:
        try:
            task = next(remaining)
        except StopIteration:
            return
        try:
            self.pipes[worker_id].send((epoch, task))
        except OSError:
            raise self._died(worker_id) from None
        waiting.append(worker_id)

    def _take(self, worker_id: int, epoch: int) -> tuple[str, Any]:
        pipe = self.pipes[worker_id]
        while True:
            if not connections.wait([pipe], self.timeout or None):
                raise WorkerError(
                    f"DataLoader worker {worker_id} gave no batch within timeout={self.timeout} seconds. "
                    "Find out what its dataset waits for, or give the DataLoader a larger timeout (0 waits for ever)"
                )
            try:
                message_type, value, answered = transport.receive(pipe)
            except (EOFError, OSError):
                raise self._died(worker_id) from None
            if answered == epoch:  # else it is left over from an iteration that was broken off
                return message_type, value

    def _died(self, worker_id: int) -> WorkerError:
        process = self.processes[worker_id]
        process.join(GRACE)
        code = process.exitcode
        if code is not None and code < 0:
            try:
                cause = f"was killed by {signal.Signals(-code).name}"
            except ValueError:
                cause = f"was killed by signal {-code}"
            if -code == getattr(signal, "SIGKILL", 9):
                cause += " (the system does this when memory runs out)"
        else:
            cause = f"exited with code {code}"
        return WorkerError(
            f"DataLoader worker {worker_id} (pid {process.pid}) {cause} while it was loading data. "
            "Set num_workers=0 to see the error where it happens"
        )

    def close(self) -> None:
        """End all workers: politely at first, then not."""
        self.epoch += 1
        if os.getpid() != self.owner:
            return  # a forked child that inherited this object
        for pipe in self.pipes:
            with contextlib.suppress(OSError):
                pipe.send(None)  # closing is not enough: other children may hold copies of this end
            pipe.close()
        for end in (None, "terminate", "kill"):
            for process in self.processes:
                if end and process.is_alive():
                    getattr(process, end)()
            for process in self.processes:
                process.join(GRACE)
        self.pipes, self.processes = [], []
