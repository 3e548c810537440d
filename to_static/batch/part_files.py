"""The output of a job: a Parquet file for each shard, whole or not there, and a file that tells which job it is."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from to_static.batch.shards import InputShard
from to_static.compiler.formats.atomic_write import writing
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import ArgumentError
from to_static.core.importing.extras import need

JOB = "_job.json"  # readers of Parquet folders leave out what begins with "_"


def part_path(folder: str, index: int) -> str:
    """Return the path of the part with the rows of a shard."""
    return os.path.join(folder, f"part-{index:06d}.parquet")


def open_folder(folder: str, model: str, shards: Sequence[InputShard], resume: bool) -> list[int]:
    """Get a folder ready; returns the numbers of the shards that are still to be done.

    Raises ArgumentError where the folder has the parts of another job, or of this one and ``resume`` is False.
    """
    os.makedirs(folder, exist_ok=True)
    identity = {"model": os.path.abspath(model), "shards": [_identity(shard) for shard in shards]}
    record = os.path.join(folder, JOB)
    existing_parts = [name for name in os.listdir(folder) if name.startswith("part-") and name.endswith(".parquet")]
    if existing_parts and not resume:
        raise ArgumentError(
            f"{printable(folder)} holds {len(existing_parts)} parts already: resume that job, or take an empty folder"
        )
    if existing_parts or (resume and os.path.exists(record)):
        try:
            with open(record, encoding="utf-8") as file:
                recorded_identity = json.load(file)
        except (OSError, ValueError):
            recorded_identity = None
        if recorded_identity != identity:
            raise ArgumentError(
                f"{printable(folder)} holds parts of another job, of other files or another model: take an empty folder"
            )
    with writing(record) as file:
        file.write(json.dumps(identity).encode())
    return [index for index in range(len(shards)) if not os.path.exists(part_path(folder, index))]


def _identity(shard: InputShard) -> list[Any]:
    files = [[path, os.path.getsize(path), os.stat(path).st_mtime_ns] for path in shard.paths]
    return [shard.format, files, shard.start, shard.stop, shard.row]


def write_part(path: str, batches: Iterable[dict[str, Any]]) -> int:
    """Write batches of columns; returns the number of rows. The file is there when it is whole."""
    pyarrow = need("pyarrow", "cluster")
    parquet = need("pyarrow.parquet", "cluster")
    rows, writer = 0, None
    with writing(path) as file:
        try:
            for columns in batches:
                table = pyarrow.table({name: _to_arrow(pyarrow, column) for name, column in columns.items()})
                if writer is None:
                    writer = parquet.ParquetWriter(file, table.schema)
                writer.write_table(table.cast(writer.schema))
                rows += table.num_rows
        finally:
            if writer is not None:
                writer.close()
    return rows


def _to_arrow(pyarrow: Any, column: Any) -> Any:
    """A column: numbers, or lists of numbers (of any length, so that all batches have one type)."""
    if isinstance(column, np.ndarray) and column.ndim == 1:
        return pyarrow.array(column.tolist() if column.dtype == object else column)
    if isinstance(column, np.ndarray):
        values = pyarrow.array(column.reshape(-1))
        for size in reversed(column.shape[1:]):
            count = len(values) // size if size else int(np.prod(column.shape[:-1]))
            values = pyarrow.ListArray.from_arrays(np.arange(count + 1, dtype=np.int32) * size, values)
        return values
    return pyarrow.array([row.tolist() for row in column], _list_type(pyarrow, column))


def _list_type(pyarrow: Any, rows: Sequence[np.ndarray]) -> Any:
    arrow_type = pyarrow.from_numpy_dtype(rows[0].dtype)
    for _ in range(rows[0].ndim):
        arrow_type = pyarrow.list_(arrow_type)
    return arrow_type
