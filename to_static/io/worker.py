"""One worker process: take a task, make a batch, send it, until the main process closes the connection."""

from __future__ import annotations

import pickle
import queue
import random
import signal
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from to_static.core import backend as backends
from to_static.core.diagnostics.source_location import is_internal
from to_static.core.errors import WorkerError
from to_static.io import transport
from to_static.io.collate import to_arrays
from to_static.io.dataset import IterableDataset

BATCH, END, ERROR = "batch", "end", "error"


@dataclass(frozen=True)
class WorkerInfo:
    """The description that `get_worker_info` gives a worker of itself.

    ``id``: the number of the worker; ``num_workers``: how many there are; ``seed``: of its random numbers;
    ``dataset``: its copy.

    Example:
        >>> paddle.io.WorkerInfo(0, 2, 7, [1, 2]).num_workers
        2
    """

    id: int
    num_workers: int
    seed: int
    dataset: Any


@dataclass(frozen=True)
class Job:
    """The work of every worker: the dataset and the functions for its samples."""

    dataset: Any
    collate: Callable[[Any], Any]
    batch_size: int | None  # of a stream; None hands out single samples
    drop_last: bool
    init: Callable[[int], Any] | None
    use_shared_memory: bool


_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """In a worker process of a DataLoader: its ``id``, ``num_workers``, ``seed`` and copy of the ``dataset``.

    In the main process: None. An `IterableDataset` uses it to give each worker a part of the stream.

    Example:
        >>> paddle.io.get_worker_info() is None
        True
    """
    return _info


class RemoteTraceback(Exception):
    """Carries the text of a worker's traceback as the cause of the exception that is raised again."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return f"\n{self.text}"

    def __reduce__(self) -> Any:
        return RemoteTraceback, (self.text,)


def run(job: Job, worker_id: int, num_workers: int, seed: int, connection: Any, inherited: list[Any]) -> None:
    """The life of a worker. ``inherited``: the main process's ends of pipes, of which a forked child holds copies."""
    global _info
    for pipe_end in inherited:
        pipe_end.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the main process, which then closes its workers
    backends.set_device("cpu")  # a forked process cannot use the main one's GPU
    random.seed(seed)
    np.random.seed(np.random.SeedSequence(seed).generate_state(4))
    backends.seed(seed)
    _info = WorkerInfo(worker_id, num_workers, seed, job.dataset)
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
    stop = threading.Event()
    threading.Thread(target=_read_tasks, args=(connection, tasks, stop), daemon=True).start()
    answers = _Answers(job, worker_id)
    try:
        while (task := tasks.get()) is not None and not stop.is_set():
            epoch, indices = task
            _answer(connection, epoch, answers, indices, job.use_shared_memory)
    except OSError:
        return  # the main process is gone, or no longer listens


def _read_tasks(connection: Any, tasks: queue.SimpleQueue[Any], stop: threading.Event) -> None:
    # A thread of its own, so that the main process never waits for a worker that is itself waiting to send.
    task = True
    while task is not None:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            task = None
        if task is None:
            stop.set()
        tasks.put(task)


def _answer(connection: Any, epoch: int, answers: _Answers, indices: Any, use_shared_memory: bool) -> None:
    try:
        message = (*answers.to(epoch, indices), epoch)
    except Exception as error:
        message = (ERROR, _portable(error), epoch)
    try:
        transport.send(connection, message, use_shared_memory)
    except OSError:
        raise
    except Exception as error:  # the batch cannot be pickled
        transport.send(connection, (ERROR, _portable(error), epoch), False)


def _portable(error: Exception) -> tuple[Exception, str]:
    """The exception if it survives pickling, else one that says what it was; and its traceback as text."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None and is_internal(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next  # frames of ours around the user's say nothing
    text = "".join(traceback.format_exception(type(error), error, trace))
    try:
        pickle.loads(pickle.dumps(error))
        return error, text
    except Exception:
        return WorkerError(f"{type(error).__name__}: {error}"), text


class _Answers:
    """Makes the value for each task; sets the worker up at the first one, so that a failure there is an answer too."""

    def __init__(self, job: Job, worker_id: int) -> None:
        self.job = job
        self.worker_id = worker_id
        self.ready = False
        self.epoch = -1
        self.stream: Any = None

    def to(self, epoch: int, indices: Any) -> tuple[str, Any]:
        job = self.job
        if not self.ready:
            if job.init is not None:
                job.init(self.worker_id)
            self.ready = True
        if not isinstance(job.dataset, IterableDataset):
            samples = job.dataset[indices] if job.batch_size is None else [job.dataset[i] for i in indices]
            return BATCH, to_arrays(job.collate(samples))
        if epoch != self.epoch:
            self.epoch = epoch
            self.stream = iter(job.dataset)
        samples = list(islice(self.stream, job.batch_size or 1))
        if not samples or (job.batch_size and job.drop_last and len(samples) < job.batch_size):
            return END, None
        return BATCH, to_arrays(job.collate(samples[0] if job.batch_size is None else samples))
