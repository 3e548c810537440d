"""`ShardTask`: what every worker of a job needs to know, and the work on one shard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from to_static.batch.images import ImageSettings, settings_for
from to_static.batch.part_files import part_path, write_part
from to_static.batch.row_model import RowModel
from to_static.batch.shards import FILE, ROW, InputShard, batches
from to_static.core.errors import ArgumentError


@dataclass(frozen=True)
class ShardTask:
    """The settings of a job: see `to_static.batch.job.predict`."""

    model: str
    output: str
    batch: int = 64
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    keys: tuple[str, ...] | None = None  # columns of the input that are handed on; None: those that are not arrays
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()
    device: str = "cpu"

    def run(self, index: int, shard: InputShard, model: RowModel) -> int:
        """Compute and write a shard; returns its rows. Doing it twice writes the same."""
        first = model.inputs[0]
        images = (
            settings_for(first.shape, first.dtype, self.mean, self.std) if shard.format == "image" else ImageSettings()
        )
        return write_part(part_path(self.output, index), self._results(shard, model, images))

    def _results(self, shard: InputShard, model: RowModel, images: ImageSettings) -> Iterator[dict[str, Any]]:
        names = [info.name for info in model.inputs]
        for columns in batches(shard, self.batch, images):
            origin = {FILE: columns.pop(FILE), ROW: columns.pop(ROW)}
            if "" in columns:  # a file without names is the model's only input
                if len(names) != 1:
                    raise ArgumentError(
                        f"{shard.paths[0]} has no names of columns, and the model takes {len(names)} inputs"
                    )
                columns[names[0]] = columns.pop("")
            keys = {name: columns[name] for name in self._keys(columns, names)}
            inputs = {name: column for name, column in columns.items() if self.keys is None or name not in self.keys}
            yield {**origin, **keys, **model(inputs)}

    def _keys(self, columns: Mapping[str, Any], inputs: Sequence[str]) -> list[str]:
        if self.keys is not None:
            missing = [name for name in self.keys if name not in columns]
            if missing:
                raise ArgumentError(f"there is no column {missing[0]!r}; there is {', '.join(columns)}")
            return list(self.keys)
        used = {*inputs, *(name for names in self.columns.values() for name in names)}
        return [name for name, column in columns.items() if name not in used and getattr(column, "ndim", 2) == 1]
