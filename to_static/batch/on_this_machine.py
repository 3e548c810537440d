"""The engine 'local': processes that share one copy of the weights, and a thread for each that reads and writes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

import numpy as np

from to_static.batch.row_model import RowModel
from to_static.batch.shard_task import ShardTask
from to_static.batch.shards import InputShard
from to_static.core.errors import ExecutionError
from to_static.serve.model_pool import ModelFault, ModelPool, ModelRefused, Worker, WorkerDied

TRIES = 3  # of a batch whose worker dies


class _Runner:
    """Runs batches on one worker at a time; takes another when it dies."""

    def __init__(self, pool: ModelPool) -> None:
        self._pool = pool
        self._worker: Worker = pool.worker()

    def __call__(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        for _ in range(TRIES):
            try:
                return self._worker.run(arrays)
            except WorkerDied:
                self._worker.close()
                self._worker = self._pool.worker()
            except (ModelRefused, ModelFault) as error:
                raise ExecutionError(f"the model failed: {error}") from None
        raise ExecutionError(f"{TRIES} processes died with this batch of {len(arrays[0])} rows")

    def close(self) -> None:
        self._worker.close()


def run_shards(task: ShardTask, shards: list[tuple[int, InputShard]], workers: int) -> Iterator[int]:
    """Run shards, in any order; yields the rows of each when it is written."""
    pool = ModelPool(task.model, task.device, "auto", max(1, (os.cpu_count() or 1) // workers))
    runners: list[_Runner] = []
    try:
        workers = 1 if pool.stateful else min(workers, len(shards))
        runners = [_Runner(pool) for _ in range(workers)]
        idle = [RowModel(runner, pool.inputs, pool.outputs, pool.axes, task.columns) for runner in runners]
        queue = list(reversed(shards))
        with ThreadPoolExecutor(workers) as threads:
            running: dict[Future[int], RowModel] = {}
            try:
                while queue or running:
                    while queue and idle:
                        model = idle.pop()
                        running[threads.submit(task.run, *queue.pop(), model)] = model
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        idle.append(running.pop(future))
                        yield future.result()
            finally:
                for future in running:
                    future.cancel()
    finally:
        for runner in runners:
            runner.close()
        pool.close()
