"""`ServedModel`: a model under the name that clients use, in the version of its files; a new version takes over when it is warm."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from to_static.compiler.formats.hub import prefix_of
from to_static.core.diagnostics.printable import printable, quoted
from to_static.serve.logs import log
from to_static.serve.model_pool import CannotLoad, ModelPool
from to_static.serve.options import Options
from to_static.serve.protocol import InferRequest
from to_static.serve.refusal import Refusal, bad_request, not_found, too_late, unavailable
from to_static.serve.scheduler import BatchReport, Scheduler
from to_static.serve.tensors import datatype_of


@dataclass
class Statistics:
    """Counts and seconds since the server started, as the protocol's statistics extension has them."""

    requests: int = 0
    failures: int = 0
    rows: int = 0
    batches: int = 0
    last: float = 0.0  # seconds since 1970
    request_seconds: float = 0.0
    failure_seconds: float = 0.0
    queue_seconds: float = 0.0
    compute_seconds: float = 0.0
    batch_sizes: dict[int, tuple[int, float]] = field(default_factory=dict)  # rows -> runs and seconds


class ServedModel:
    """A model that answers requests.

    Args:
        name: the name that clients use.
        path: prefix of the model's files.
        options: settings of the server.
        on_batch: is called with the name and each `BatchReport`, for metrics.
        on_death: is called with the name when a worker died.
    """

    def __init__(
        self,
        name: str,
        path: str,
        options: Options,
        on_batch: Callable[[str, BatchReport], None],
        on_death: Callable[[str], None],
    ) -> None:
        self.name = name
        self.path = path
        self.statistics = Statistics()
        self.reloads = 0
        self._options = options
        self._on_batch = on_batch
        self._on_death = on_death
        self._current: Scheduler | None = None
        self._version = 0
        self._signature: Any = None
        self._loading = asyncio.Lock()
        self._closing: set[asyncio.Task[None]] = set()

    @property
    def version(self) -> str:
        """The number of the version that answers: '1', and one more after each reload."""
        return str(self._version)

    @property
    def ready(self) -> bool:
        """Return whether a version answers."""
        return self._current is not None

    @property
    def unloaded(self) -> bool:
        """Return whether a client has unloaded the model; `load` brings it back."""
        return self._current is None and self._version > 0

    @property
    def scheduler(self) -> Scheduler:
        """Return the scheduler of the current version.

        Raises Refusal: 400 for a model that was unloaded, 503 for one that is not ready.
        """
        if self.unloaded:
            raise bad_request(f"Request for unknown model: {quoted(self.name)} was unloaded; load it first")
        if self._current is None:
            raise unavailable(f"model {quoted(self.name)} is not ready")
        return self._current

    def need_version(self, version: str | None) -> None:
        """Raise Refusal (404) for a version that does not answer."""
        if version and version != self.version:
            raise not_found(f"model {quoted(self.name)} has version {self.version}, not {printable(version)}")

    async def load(self) -> None:
        """Load the files as they are now; the version before answers until the new one is warm, then what it has.

        Raises CannotLoad, and the version before goes on, when the files are no model that can be served.
        """
        async with self._loading:
            self._signature = _signature(self.path)
            loop, options = asyncio.get_running_loop(), self._options
            arguments = self.path, options.device, options.batching, options.threads_per_worker(), options.plan_bytes
            pool = await loop.run_in_executor(None, ModelPool, *arguments)
            for info in (*pool.inputs, *pool.outputs):
                try:
                    datatype_of(info.dtype)
                except KeyError:
                    await loop.run_in_executor(None, pool.close)
                    raise CannotLoad(
                        f"{printable(info.name)} is {info.dtype}, which the protocol has no name for"
                    ) from None
            scheduler = Scheduler(
                pool,
                options.workers,
                options.max_batch,
                options.max_delay,
                options.queue,
                options.timeout,
                self._ran,
                self._died,
            )
            await scheduler.start()
            replaced, self._current = self._current, scheduler
            self._version += 1
            log(
                "model ready", model=self.name, version=self.version, batching=pool.axes is not None, reason=pool.reason,
                pids=scheduler.pids,
            )  # fmt: skip
            if not pool.warm:
                log("model not warmed up", model=self.name, reason=pool.reason)
            if replaced is not None:
                self.reloads += 1
                self._close_later(replaced)

    def _close_later(self, scheduler: Scheduler) -> None:
        task = asyncio.get_running_loop().create_task(scheduler.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def unload(self) -> None:
        """End the model's processes when they have answered what they have. New requests are refused until it is loaded again."""
        async with self._loading:
            scheduler, self._current = self._current, None
            log("model unloaded", model=self.name)
            if scheduler is not None:
                self._close_later(scheduler)

    async def reload_if_changed(self) -> None:
        """Load again when the files are others than those that answer; a failure is logged, once for each change."""
        if self.unloaded or _signature(self.path) == self._signature:
            return
        try:
            await self.load()
        except (CannotLoad, OSError) as error:
            log("reload failed", model=self.name, error=str(error))

    def _ran(self, report: BatchReport) -> None:
        statistics = self.statistics
        statistics.batches += 1
        statistics.rows += report.rows
        statistics.queue_seconds += sum(report.waited)
        statistics.compute_seconds += report.computed
        count, seconds = statistics.batch_sizes.get(report.rows, (0, 0.0))
        statistics.batch_sizes[report.rows] = count + 1, seconds + report.computed
        self._on_batch(self.name, report)

    def _died(self, pid: int) -> None:
        log("worker died", model=self.name, pid=pid)
        self._on_death(self.name)

    async def infer(self, request: InferRequest) -> tuple[dict[str, np.ndarray], str, bool]:
        """The outputs by name, the version that computed them, and whether the first dimension counts rows. Raises Refusal."""
        started = time.monotonic()
        statistics = self.statistics
        try:
            scheduler, version = self.scheduler, self.version
            arrays = self._inputs(scheduler.pool, request)
            limit = min(self._options.timeout, request.timeout or self._options.timeout)
            try:
                outputs = await asyncio.wait_for(scheduler.infer(arrays), limit)
            except asyncio.TimeoutError:
                raise too_late(f"no answer within {limit:g} s") from None
        except Refusal:
            statistics.failures += 1
            statistics.failure_seconds += time.monotonic() - started
            raise
        statistics.requests += 1
        statistics.request_seconds += time.monotonic() - started
        statistics.last = time.time()
        names = [info.name for info in scheduler.pool.outputs]
        axes = scheduler.pool.axes
        return dict(zip(names, outputs, strict=True)), version, axes is not None and axes.inputs == 0

    @staticmethod
    def _inputs(pool: ModelPool, request: InferRequest) -> list[np.ndarray]:
        """The inputs in the model's order. Raises Refusal for missing and surplus ones, other dtypes and shapes."""
        names = [info.name for info in pool.inputs]
        for name in request.inputs:
            if name not in names:
                raise bad_request(
                    f"the model has no input {quoted(name)}; it has {', '.join(map(printable, names)) or 'none'}"
                )
        arrays = []
        for info in pool.inputs:
            if info.name not in request.inputs:
                raise bad_request(f"input {quoted(info.name)} is missing")
            array = request.inputs[info.name]
            if datatype_of(array.dtype) != datatype_of(info.dtype):
                raise bad_request(
                    f"input {quoted(info.name)} is {datatype_of(info.dtype)}, got {datatype_of(array.dtype)}"
                )
            sizes = list(zip(info.shape, array.shape, strict=False))[
                1:
            ]  # the first may be another than in the file: see `Predictor`
            if array.ndim != len(info.shape) or any(declared not in (-1, size) for declared, size in sizes):
                raise bad_request(f"input {quoted(info.name)} has shape {list(info.shape)}, got {list(array.shape)}")
            arrays.append(array)
        return arrays

    async def close(self) -> None:
        """Answer what waits, then end the processes."""
        if self._current is not None:
            await self._current.close()
        if self._closing:
            await asyncio.gather(*self._closing)


def _signature(prefix: str) -> Any:
    """Return the names, sizes, times and numbers of the files of a prefix: they change when a file does."""
    folder, stem = os.path.split(prefix_of(prefix))
    if os.path.isdir(prefix):
        folder, stem = prefix, ""
    try:
        entries = [entry for entry in os.scandir(folder or ".") if entry.name.startswith(stem)]
        return sorted((e.name, s.st_size, s.st_mtime_ns, s.st_ino) for e in entries for s in [e.stat()])
    except FileNotFoundError:
        return None
