"""The input of a job in shards: rows of a file that are read, computed and written together."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from to_static.batch.images import IMAGES, ImageSettings, read_image
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import FormatError
from to_static.core.importing.extras import need

ROWS = 16_384  # of a shard, about
FILES = 256  # images of a shard
FILE, ROW = "input_file", "input_row"  # columns that tell where a row comes from


@dataclass(frozen=True)
class InputShard:
    """Part of one file, from ``start`` up to ``stop`` (rows of arrays, row groups of Parquet); of images ``paths``.

    ``row``: the number of its first row in the file.
    """

    paths: tuple[str, ...]
    format: str
    start: int = 0
    stop: int | None = None
    row: int = 0


def find_files(patterns: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """The files of patterns such as ``'data/*.parquet|more/*.npy'``, sorted within each.

    Raises FileNotFoundError for a pattern that finds none.
    """
    single = isinstance(patterns, (str, os.PathLike))
    words = os.fspath(patterns).split("|") if single else [os.fspath(pattern) for pattern in patterns]  # type: ignore[arg-type,union-attr]
    files: dict[str, None] = {}
    for word in words:
        matches = [word] if os.path.isfile(word) else sorted(glob.glob(word.strip(), recursive=True))
        matches = [path for path in matches if os.path.isfile(path)]
        if not matches:
            raise FileNotFoundError(f"no file matches {printable(word)}")
        files.update(dict.fromkeys(matches))
    return list(files)


def plan(files: Sequence[str]) -> list[InputShard]:
    """The shards of files, in order: the same for the same files. Raises FormatError for a kind of file that is not known."""
    shards: list[InputShard] = []
    images: list[str] = []
    for path in files:
        suffix = os.path.splitext(path)[1].lower()
        if suffix in IMAGES:
            images.append(path)
        elif suffix == ".npy":
            count = len(_mapped(path))
            shards += [
                InputShard((path,), "npy", start, min(start + ROWS, count), start) for start in range(0, count, ROWS)
            ]
        elif suffix == ".parquet":
            shards += _row_groups(path)
        elif suffix == ".csv":
            shards.append(InputShard((path,), "csv"))
        else:
            expected = f"a .parquet, .npy or .csv file, or an image ({', '.join(sorted(IMAGES))})"
            raise FormatError(path, expected, f"the suffix {printable(suffix) or 'none'}")
    shards += [InputShard(tuple(images[i : i + FILES]), "image") for i in range(0, len(images), FILES)]
    return shards


def _mapped(path: str) -> np.ndarray:
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise FormatError(path, "an array", printable(error)) from None
    if array.ndim == 0 or array.dtype.hasobject:
        raise FormatError(path, "an array of numbers with rows", f"{array.dtype} of shape {list(array.shape)}")
    return array


def _parquet(path: str) -> Any:
    parquet = need("pyarrow.parquet", "cluster")
    try:
        return parquet.ParquetFile(path)
    except (ValueError, OSError) as error:  # those of pyarrow are such
        raise FormatError(path, "a Parquet file", printable(error)) from None


def _row_groups(path: str) -> list[InputShard]:
    with _parquet(path) as file:
        sizes = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
    shards, start, row, size = [], 0, 0, 0
    for i, rows in enumerate(sizes):
        size += rows
        if size >= ROWS or i == len(sizes) - 1:
            shards.append(InputShard((path,), "parquet", start, i + 1, row))
            start, row, size = i + 1, row + size, 0
    return shards


def batches(shard: InputShard, rows: int, images: ImageSettings) -> Iterator[dict[str, Any]]:
    """The rows of a shard, ``rows`` at a time: columns by name, with the columns `FILE` and `ROW`.

    Raises FormatError for a file that is damaged.
    """
    reader = {"npy": _npy_batches, "parquet": _parquet_batches, "csv": _csv_batches}.get(shard.format)
    if reader is None:
        yield from _image_batches(shard, rows, images)
        return
    path, row = shard.paths[0], shard.row
    for columns in reader(shard, rows):
        count = len(next(iter(columns.values())))
        names = np.empty(count, object)
        names[:] = path
        yield {**columns, FILE: names, ROW: np.arange(row, row + count)}
        row += count


def _npy_batches(shard: InputShard, rows: int) -> Iterator[dict[str, Any]]:
    array, stop = _mapped(shard.paths[0]), shard.stop or 0
    for start in range(shard.start, stop, rows):
        yield {"": np.array(array[start : min(start + rows, stop)])}


def _parquet_batches(shard: InputShard, rows: int) -> Iterator[dict[str, Any]]:
    with _parquet(shard.paths[0]) as file:
        try:
            for batch in file.iter_batches(rows, row_groups=list(range(shard.start, shard.stop or 0))):
                yield _of_arrow(batch)
        except (ValueError, OSError) as error:
            raise FormatError(shard.paths[0], "a Parquet file", printable(error)) from None


def _csv_batches(shard: InputShard, rows: int) -> Iterator[dict[str, Any]]:
    csv = need("pyarrow.csv", "cluster")
    pyarrow = need("pyarrow", "cluster")
    try:
        with csv.open_csv(shard.paths[0]) as reader:
            for block in reader:
                for batch in pyarrow.Table.from_batches([block]).to_batches(max_chunksize=rows):
                    yield _of_arrow(batch)
    except (ValueError, OSError) as error:
        raise FormatError(shard.paths[0], "a CSV file with a line of names", printable(error)) from None


def _of_arrow(batch: Any) -> dict[str, Any]:
    """Columns as arrays; lists of one length become one array, others an array of arrays."""
    pyarrow = need("pyarrow", "cluster")
    columns: dict[str, Any] = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        shape, values = [len(column)], column
        while pyarrow.types.is_fixed_size_list(values.type) and not values.null_count:
            shape.append(values.type.list_size)
            values = values.flatten()
        if len(shape) > 1 and pyarrow.types.is_primitive(values.type) and not values.null_count:
            columns[name] = values.to_numpy(zero_copy_only=False).reshape(shape)
        elif pyarrow.types.is_list(column.type) or pyarrow.types.is_large_list(column.type):
            rows = [np.asarray(row) for row in column.to_pylist()]
            columns[name] = np.stack(rows) if len({row.shape for row in rows}) == 1 else rows
        else:
            columns[name] = column.to_numpy(zero_copy_only=False)
    return columns


def _image_batches(shard: InputShard, rows: int, images: ImageSettings) -> Iterator[dict[str, Any]]:
    for start in range(0, len(shard.paths), rows):
        paths = shard.paths[start : start + rows]
        names = np.empty(len(paths), object)
        names[:] = paths
        pixels = [read_image(path, images) for path in paths]
        same = len({image.shape for image in pixels}) == 1
        yield {"": np.stack(pixels) if same else pixels, FILE: names, ROW: np.zeros(len(paths), np.int64)}
