"""`predict`: a model over files, shard by shard, on an engine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from to_static.batch.part_files import open_folder
from to_static.batch.shard_task import ShardTask
from to_static.batch.shards import InputShard, find_files, plan
from to_static.core.errors import ArgumentError

ENGINES = ("local", "ray", "dask")


@dataclass(frozen=True)
class JobReport:
    """The figures of a job: rows and parts written now, parts that were there before, seconds.

    Example:
        >>> paddle.batch.JobReport(rows=100, parts=2, parts_before=0, seconds=1.5).rows
        100
    """

    rows: int
    parts: int
    parts_before: int
    seconds: float


def predict(
    model: str | os.PathLike[str],
    dataset: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    engine: str = "local",
    workers: int = 1,
    batch: int = 64,
    resume: bool = False,
    columns: Mapping[str, Sequence[str]] | None = None,
    keys: Sequence[str] | None = None,
    mean: Sequence[float] = (),
    std: Sequence[float] = (),
    device: str = "cpu",
    progress: Callable[[int, int, int], None] | None = None,
) -> JobReport:
    """Predict all rows of files; write a Parquet file for each shard of them.

    Args:
        model: prefix of the model's files.
        dataset: files, or patterns such as ``'data/*.parquet|more/*.npy'``: .parquet, .csv, .npy (rows first), or images.
        output: a folder. Each part has the columns ``input_file`` and ``input_row``, the ``keys``, and a column for each output.
        engine: 'local' (processes of this machine), 'ray' (Ray Data) or 'dask' (the client that is there, or a local cluster).
        workers: processes that run the model.
        batch: rows that run together, where the model's rows are independent.
        resume: go on where a job of the same files and model was ended; parts that are there are not done again.
        columns: the columns of an input, by its name; see `RowModel`.
        keys: columns that are handed on; default: those that are no arrays and no inputs.
        mean, std: for images, by channel, after scaling to 0 to 1.
        device: 'cpu' or 'gpu:0'.
        progress: is called with parts done, all parts, and rows written now.

    Raises FileNotFoundError for a pattern without files, FormatError for a damaged one, ArgumentError for columns that do not fit
    or a folder of another job, ImportError, with the pip line, where an engine is not installed.

    Example:
        >>> to_static.batch.predict('model/net', 'data/*.parquet', 'out', workers=2)
        JobReport(rows=1000000, parts=62, parts_before=0, seconds=41.2)
    """
    if engine not in ENGINES:
        raise ArgumentError(f"engine must be one of {', '.join(ENGINES)}, got {engine!r}")
    if batch < 1 or workers < 1:
        raise ArgumentError(f"batch and workers must be at least 1, got {batch} and {workers}")
    started = time.monotonic()
    folder = os.path.abspath(output)
    shards = plan([os.path.abspath(path) for path in find_files(dataset)])
    missing = open_folder(folder, os.fspath(model), shards, resume)
    task = ShardTask(
        os.path.abspath(model), folder, batch, dict(columns or {}), None if keys is None else tuple(keys), tuple(mean), tuple(std),
        device,
    )  # fmt: skip
    done, rows = len(shards) - len(missing), 0
    if missing:
        for count in _engine(engine)(task, [(index, shards[index]) for index in missing], workers):
            done, rows = done + 1, rows + count
            if progress is not None:
                progress(done, len(shards), rows)
    return JobReport(rows, len(missing), len(shards) - len(missing), time.monotonic() - started)


def _engine(name: str) -> Callable[[ShardTask, list[tuple[int, InputShard]], int], Iterator[int]]:
    """The function that runs shards and yields the rows of each when it is done."""
    if name == "ray":
        from to_static.batch.on_ray import run_shards
    elif name == "dask":
        from to_static.batch.on_dask import run_shards
    else:
        from to_static.batch.on_this_machine import run_shards
    return run_shards
