"""The engine 'dask': the shards are tasks of Dask's scheduler; each worker process loads the model once."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from to_static.batch.row_model import RowModel, row_model
from to_static.batch.shard_task import ShardTask
from to_static.batch.shards import InputShard
from to_static.core.importing.extras import need


@functools.lru_cache(maxsize=4)
def _loaded(model: str, columns: tuple[tuple[str, tuple[str, ...]], ...], device: str) -> RowModel:
    return row_model(model, dict(columns), device)


def _run(task: ShardTask, index: int, shard: InputShard) -> int:
    columns = tuple((name, tuple(names)) for name, names in task.columns.items())
    return task.run(index, shard, _loaded(task.model, columns, task.device))


def run_shards(task: ShardTask, shards: list[tuple[int, InputShard]], workers: int) -> Iterator[int]:
    """Run shards on the client that there is, or on a local cluster of processes; yields the rows of each."""
    distributed = need("distributed", "cluster")
    try:
        client, cluster = distributed.get_client(), None
    except ValueError:
        cluster = distributed.LocalCluster(
            n_workers=min(workers, len(shards)), threads_per_worker=1, processes=True, dashboard_address=None
        )
        client = distributed.Client(cluster)
    try:
        futures = [client.submit(_run, task, index, shard, pure=False, retries=3) for index, shard in shards]
        for future in distributed.as_completed(futures):
            yield future.result()
    finally:
        if cluster is not None:
            client.close()
            cluster.close()
