"""The engine 'ray': Ray Data maps shards; each actor loads the model once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from to_static.batch.row_model import RowModel, row_model
from to_static.batch.shard_task import ShardTask
from to_static.batch.shards import InputShard
from to_static.core.importing.extras import need


class _ShardRunner:
    """An actor. Ray starts another one, and gives it the shard again, when its process dies."""

    def __init__(self, task: ShardTask) -> None:
        self._task = task
        self._model: RowModel = row_model(task.model, task.columns, task.device)

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        return {
            "rows": self._task.run(
                row["number"],
                InputShard(tuple(row["paths"]), row["format"], row["start"], row["stop"], row["row"]),
                self._model,
            )
        }


def run_shards(task: ShardTask, shards: list[tuple[int, InputShard]], workers: int) -> Iterator[int]:
    """Run shards on the cluster that Ray is connected to, or on a local one; yields the rows of each."""
    ray = need("ray", "cluster")
    data = need("ray.data", "cluster")
    if not ray.is_initialized():
        ray.init(num_cpus=max(workers, 1), include_dashboard=False, log_to_driver=False)
    items = [{"number": index, **vars(shard), "paths": list(shard.paths)} for index, shard in shards]
    dataset = data.from_items(items, override_num_blocks=len(items))
    results = dataset.map(
        _ShardRunner, fn_constructor_args=[task], compute=data.ActorPoolStrategy(size=min(workers, len(items))),
        num_cpus=1, max_restarts=-1, max_task_retries=-1,
    )  # fmt: skip
    for row in results.iter_rows():
        yield row["rows"]
