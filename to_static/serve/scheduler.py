"""`Scheduler`: the queue of one version of a model, its batches, and its workers.

Requests wait in buckets of one kind: the same dtypes and, but for the number of rows, the same shapes. A worker that is free takes
the bucket whose first request has waited longest, up to ``max_batch`` rows of it. Nothing waits longer than ``max_delay`` for
others.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from to_static.serve.model_pool import CannotLoad, ModelFault, ModelPool, ModelRefused, Worker, WorkerDied
from to_static.serve.refusal import Refusal, bad_request, overloaded, unavailable

Arrays = list[np.ndarray]
TRIES = 2  # of a request whose worker died
_unique = itertools.count()


@dataclass
class BatchReport:
    """The figures of one run of a worker: rows, requests, and seconds waited (by each request) and computed."""

    rows: int
    requests: int
    waited: list[float]
    computed: float


@dataclass(eq=False)
class _Part:
    """Rows of one request that run together."""

    arrays: Arrays
    rows: int
    bucket: Hashable
    future: asyncio.Future[Arrays]
    arrived: float = field(default_factory=time.monotonic)
    tries: int = 0


class _Seat:
    """A worker and the thread that waits for it."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="to_static-worker")

    def close(self) -> None:
        self.worker.close()
        self.thread.shutdown(wait=False)


class Scheduler:
    """Runs requests on the workers of a pool. Used in one event loop.

    Args:
        pool: the processes; the scheduler closes it.
        workers: how many run at a time.
        max_batch, max_delay, queue, timeout: as in `Options`.
        report: is called after each run of a worker.
        died: is called with the number of each process that died.
    """

    def __init__(
        self, pool: ModelPool, workers: int, max_batch: int, max_delay: float, queue: int, timeout: float,
        report: Callable[[BatchReport], None], died: Callable[[int], None],
    ) -> None:  # fmt: skip
        self.pool = pool
        self._workers = 1 if pool.stateful else workers
        self._max_batch = max_batch
        self._max_delay = max_delay
        self._capacity = queue
        self._timeout = timeout
        self._report = report
        self._died = died
        self._seats: set[_Seat] = set()
        self._idle: list[_Seat] = []
        self._buckets: dict[Hashable, deque[_Part]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._seconds_per_part = 0.0
        self._closing = False

    async def start(self) -> None:
        """Start the workers. Raises CannotLoad."""
        loop = asyncio.get_running_loop()
        for _ in range(self._workers):
            self._add(_Seat(await loop.run_in_executor(None, self.pool.worker)))

    def _add(self, seat: _Seat) -> None:
        self._seats.add(seat)
        self._idle.append(seat)

    @property
    def waiting(self) -> int:
        """Parts of requests that wait."""
        return sum(map(len, self._buckets.values()))

    @property
    def oldest(self) -> float:
        """Seconds that the first request in the queue has waited; 0 where none waits."""
        return time.monotonic() - min((parts[0].arrived for parts in self._buckets.values()), default=time.monotonic())

    @property
    def pids(self) -> list[int]:
        """Numbers of the processes."""
        return [
            self.pool.template_pid,
            *(seat.worker.pid for seat in self._seats if seat.worker.pid != self.pool.template_pid),
        ]

    @property
    def batched(self) -> bool:
        """Return whether rows of several requests run together."""
        return self.pool.axes is not None

    async def infer(self, arrays: Arrays) -> Arrays:
        """The outputs for these inputs. Cancelling takes the request out of the queue.

        Raises Refusal: 400 for inputs that the model does not take, 429 where the queue is full, 503 where workers die.
        """
        if self._closing:
            raise unavailable("this version of the model is being taken away")
        if self.waiting >= self._capacity:
            retry = max(1.0, self._seconds_per_part * self.waiting / max(1, len(self._seats)))
            raise overloaded(f"{self.waiting} requests wait already", retry)
        loop = asyncio.get_running_loop()
        parts = [_Part(rows, count, bucket, loop.create_future()) for rows, count, bucket in self._split(arrays)]
        for part in parts:
            self._enqueue(part)
        self._dispatch()
        try:
            outputs = [await part.future for part in parts]
        finally:
            for part in parts:
                self._leave(part)
        if len(outputs) == 1:
            return outputs[0]
        assert self.pool.axes is not None
        return [
            np.concatenate(pieces, axis)
            for pieces, axis in zip(zip(*outputs, strict=True), self.pool.axes.outputs, strict=True)
        ]

    def _split(self, arrays: Arrays) -> list[tuple[Arrays, int, Hashable]]:
        """The request in parts of at most ``max_batch`` rows, each with its number of rows and its bucket."""
        axes = self.pool.axes
        if axes is None:
            return [(arrays, 1, next(_unique))]
        axis = axes.inputs
        counts = {array.shape[axis] for array in arrays}
        if len(counts) != 1:
            raise bad_request(f"inputs have {' and '.join(map(str, sorted(counts)))} rows along axis {axis}")
        (rows,) = counts
        bucket = tuple((array.dtype.str, array.shape[:axis], array.shape[axis + 1 :]) for array in arrays)
        if rows == 0:
            return [(arrays, 0, next(_unique))]
        starts = range(0, rows, self._max_batch)
        if len(starts) == 1:
            return [(arrays, rows, bucket)]
        pieces = [[_rows(array, axis, start, start + self._max_batch) for array in arrays] for start in starts]
        return [(piece, piece[0].shape[axis], bucket) for piece in pieces]

    def _enqueue(self, part: _Part) -> None:
        self._buckets.setdefault(part.bucket, deque()).append(part)

    def _leave(self, part: _Part) -> None:
        """Take a part whose answer nobody waits for out of the queue."""
        if not part.future.cancel() and not part.future.cancelled():
            part.future.exception()  # seen: another part of the request has failed, too
        queued_parts = self._buckets.get(part.bucket)
        if queued_parts is not None and part in queued_parts:
            queued_parts.remove(part)
            if not queued_parts:
                del self._buckets[part.bucket]

    def _dispatch(self) -> None:
        """Give waiting parts to workers that are free."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now = time.monotonic()
        while self._idle and self._buckets:
            parts, due = self._next(now)
            if not parts:
                self._timer = asyncio.get_running_loop().call_later(max(0.0, due - now), self._dispatch)
                return
            task = asyncio.get_running_loop().create_task(self._execute(self._idle.pop(), parts, now))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _next(self, now: float) -> tuple[list[_Part], float]:
        """The parts that run next; none, and the time when some will, where all may still wait for others."""
        due = float("inf")
        for bucket, queued_parts in sorted(self._buckets.items(), key=lambda item: item[1][0].arrived):
            full = sum(part.rows for part in queued_parts) >= self._max_batch or not isinstance(bucket, tuple)
            if full or self._closing or queued_parts[0].arrived + self._max_delay <= now:
                parts = [queued_parts.popleft()]
                rows = parts[0].rows
                while queued_parts and rows + queued_parts[0].rows <= self._max_batch:
                    parts.append(queued_parts.popleft())
                    rows += parts[-1].rows
                if not queued_parts:
                    del self._buckets[bucket]
                return parts, now
            due = min(due, queued_parts[0].arrived + self._max_delay)
        return [], due

    async def _execute(self, seat: _Seat, parts: list[_Part], started: float) -> None:
        loop = asyncio.get_running_loop()
        try:
            run = loop.run_in_executor(seat.thread, self._run_together, seat.worker, [part.arrays for part in parts])
            outputs = await asyncio.wait_for(run, self._timeout)
        except asyncio.TimeoutError:
            seat.worker.kill()
            await self._replace(seat)
            self._fail(parts, Refusal(504, f"the model ran longer than {self._timeout:g} s"))
        except WorkerDied as death:
            await self._replace(seat)
            for part in parts:
                part.tries += death.began
                if part.tries < TRIES and not (death.began and self.pool.stateful):
                    self._alone(part)
                else:
                    self._fail([part], unavailable("the process that ran this request died"))
        except (ModelRefused, ModelFault, MemoryError) as error:
            if len(parts) > 1:  # one of them is the cause: the others have their answers
                for part in parts:
                    self._alone(part)
            else:
                status = {ModelRefused: 400, MemoryError: 507}.get(type(error), 500)
                self._fail(parts, Refusal(status, str(error)))
        except Exception as error:  # a fault of ours: the client hears of it, and the worker stays
            self._fail(parts, Refusal(500, f"{type(error).__name__}: {error}"))
        else:
            computed = time.monotonic() - started
            self._seconds_per_part = 0.9 * self._seconds_per_part + 0.1 * computed / len(parts)
            for part, part_outputs in zip(parts, outputs, strict=True):
                if not part.future.done():
                    part.future.set_result(part_outputs)
            waited = [started - part.arrived for part in parts]
            self._report(BatchReport(sum(part.rows for part in parts), len(parts), waited, computed))
        if seat in self._seats:
            self._idle.append(seat)
        self._dispatch()

    def _run_together(self, worker: Worker, requests: Sequence[Arrays]) -> list[Arrays]:
        """The outputs of each request. In the thread of the worker: joining and splitting are not for the event loop."""
        if len(requests) == 1:
            return [worker.run(requests[0])]
        axes = self.pool.axes
        assert axes is not None
        outputs = worker.run([np.concatenate(arrays, axes.inputs) for arrays in zip(*requests, strict=True)])
        counts = [arrays[0].shape[axes.inputs] for arrays in requests]
        for output, axis in zip(outputs, axes.outputs, strict=True):
            if output.shape[axis] != sum(counts):
                raise ModelFault(f"{sum(counts)} rows gave {output.shape[axis]} rows")
        ends = np.cumsum(counts)[:-1]
        return [
            list(part)
            for part in zip(
                *(np.split(o, ends, axis) for o, axis in zip(outputs, axes.outputs, strict=True)), strict=True
            )
        ]

    def _alone(self, part: _Part) -> None:
        if not part.future.done():
            part.bucket = next(_unique)
            self._enqueue(part)

    @staticmethod
    def _fail(parts: Sequence[_Part], refusal: Refusal) -> None:
        for part in parts:
            if not part.future.done():
                part.future.set_exception(refusal)

    async def _replace(self, seat: _Seat) -> None:
        """Put a new worker in the place of one that died."""
        self._seats.discard(seat)
        seat.close()
        self._died(seat.worker.pid)
        loop = asyncio.get_running_loop()
        while not (self._closing and not self._buckets):
            try:
                self._add(_Seat(await loop.run_in_executor(None, self.pool.worker)))
            except (CannotLoad, OSError):
                if not self._seats:
                    self._fail(
                        [part for parts in self._buckets.values() for part in parts],
                        unavailable("no worker can be started"),
                    )
                    self._buckets.clear()
                await asyncio.sleep(1.0)
            else:
                return

    async def close(self) -> None:
        """Answer what waits, then end the workers."""
        self._closing = True
        self._dispatch()
        while self._tasks or self._buckets:
            await asyncio.sleep(0.005)
        for seat in self._seats:
            seat.close()
        await asyncio.get_running_loop().run_in_executor(None, self.pool.close)


def _rows(array: np.ndarray, axis: int, start: int, stop: int) -> np.ndarray:
    index: list[slice] = [slice(None)] * array.ndim
    index[axis] = slice(start, stop)
    return array[tuple(index)]
