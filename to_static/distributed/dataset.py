"""Data sets of text files whose lines say of each slot how many values it has, and which: ``2 17 4 1 0`` is two words, a label."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.core.errors import FormatError, ModeError
from to_static.framework.lod_tensor import LoDTensor

_NP_DTYPES = {"float32": np.float32, "float64": np.float64, "int64": np.int64, "int32": np.int32}


class DatasetBase:
    """The base of the data sets: `init`, `set_filelist`, and the older ``set_...`` methods, one for each setting.

    Settings of other machines (file systems, parameter servers) are kept and have no effect.
    """

    def __init__(self) -> None:
        self.batch_size, self.thread_num, self.pipe_command, self.filelist = 1, 1, "cat", list[str]()
        self.use_var: list[Any] = []
        self.settings: dict[str, Any] = {}

    def init(self, **kwargs: Any) -> None:
        """Set ``batch_size`` (1), ``use_var`` (tensors of `static.data`, a slot each), ``pipe_command`` ('cat'), ..."""
        self.update_settings(**kwargs)

    def update_settings(self, **kwargs: Any) -> None:
        """Change some of these."""
        for name, value in kwargs.items():
            if name in ("batch_size", "thread_num", "pipe_command", "use_var"):
                setattr(self, name, list(value) if name == "use_var" else value)
            else:
                self.settings[name] = value

    _init_distributed_settings = update_settings

    def set_filelist(self, filelist: list[str]) -> None:
        """The files."""
        self.filelist = list(filelist)

    def set_batch_size(self, batch_size: int) -> None:
        """Set the number of lines of a batch."""
        self.batch_size = batch_size

    def set_thread(self, thread_num: int) -> None:
        """Kept; files are read by one thread."""
        self.thread_num = thread_num

    def set_use_var(self, var_list: list[Any]) -> None:
        """Set the variables of the slots, in order."""
        self.use_var = list(var_list)

    def set_pipe_command(self, pipe_command: str) -> None:
        """A command of the shell that each file goes through; it prints the lines."""
        self.pipe_command = pipe_command

    def __getattr__(self, name: str) -> Any:
        is_setting = name.removeprefix("_").startswith(_SETTINGS)
        if not is_setting:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

        def keep(*args: Any, **kwargs: Any) -> None:
            self.settings[name.removeprefix("_").removeprefix("set_")] = args[0] if len(args) == 1 else (*args, *kwargs.values())

        return keep

    def desc(self) -> str:
        """The settings as text."""
        slots = "".join(f'  slots {{\n    name: "{v.name}"\n    type: "{v.dtype.name}"\n  }}\n' for v in self.use_var)
        return f'pipe_command: "{self.pipe_command}"\nbatch_size: {self.batch_size}\nmulti_slot_desc {{\n{slots}}}\n'

    def _lines(self) -> Iterator[list[np.ndarray]]:
        for path in self.filelist:
            with open(path, "rb") as file:
                run = subprocess.run(self.pipe_command, shell=True, stdin=file, capture_output=True, check=False)
            if run.returncode:
                raise FormatError(path, f"lines from {self.pipe_command!r}", f"exit status {run.returncode}: {run.stderr[:200]!r}")
            for line in run.stdout.decode().splitlines():
                if line.strip():
                    yield self._parsed(path, line)

    def _parsed(self, path: str, line: str) -> list[np.ndarray]:
        words, at, slots = line.split(), 0, []
        for var in self.use_var:
            try:
                count = int(words[at])
                values = np.asarray(words[at + 1 : at + 1 + count], _NP_DTYPES.get(var.dtype.name, np.int64))
            except (IndexError, ValueError) as error:
                raise FormatError(path, f"a count and so many values for slot {var.name!r}", repr(line[:60])) from error
            if len(values) != count or not count:
                raise FormatError(path, f"{count} values (one at the least) for slot {var.name!r}", repr(line[:60]))
            slots.append(values)
            at += 1 + count
        return slots

    def _samples(self) -> Iterator[list[np.ndarray]]:
        return self._lines()

    def batches(self, drop_last: bool = False) -> Iterator[dict[str, LoDTensor]]:
        """Yield the feeds of a Program: a `base.LoDTensor` for each slot, with offsets where the slot has some."""
        rows: list[list[np.ndarray]] = []
        for sample in self._samples():
            rows.append(sample)
            if len(rows) == self.batch_size:
                yield self._batch(rows)
                rows = []
        if rows and not drop_last:
            yield self._batch(rows)

    def _batch(self, rows: list[list[np.ndarray]]) -> dict[str, LoDTensor]:
        batch = {}
        for k, var in enumerate(self.use_var):
            values = np.concatenate([row[k] for row in rows])
            dims = list(var.spec.shape[1:])
            if var.lod_level:
                lengths = [len(row[k]) for row in rows]
                batch[var.name] = LoDTensor(values.reshape([-1, *dims]), [[0, *np.cumsum(lengths).tolist()]])
            else:
                batch[var.name] = LoDTensor(values.reshape([len(rows), *dims]))
        return batch


# names of methods that only keep a setting here
_SETTINGS = (
    "set_so_parser_name", "set_rank_offset", "set_fea_eval", "set_pv_batch_size", "set_input_type", "set_hdfs_config",
    "set_download_cmd", "set_feed_type", "set_queue_num", "set_parse_ins_id", "set_parse_content", "set_parse_logkey",
    "set_trainer_num", "set_merge_by_sid", "set_enable_pv_merge", "set_current_phase", "set_fleet_send_batch_size",
    "set_fleet_send_sleep_seconds", "set_merge_by_lineid", "set_generate_unique_feasigns", "set_date", "set_pass_id",
    "set_graph_config", "set_shuffle_by_uid", "set_heter_ps", "set_use_ps_gpu",
)  # fmt: skip


class QueueDataset(DatasetBase):
    """Reads files as they are needed. They can't be shuffled.

    Example:
        >>> dataset = paddle.distributed.QueueDataset()
        >>> dataset.init(batch_size=32, use_var=[words, label])
        >>> dataset.set_filelist(['a.txt'])
        >>> exe.train_from_dataset(main, dataset)
    """

    def local_shuffle(self) -> None:
        """Refused: raises NotImplementedError, as Paddle."""
        raise NotImplementedError("QueueDataset does not support local shuffle; please use InMemoryDataset for local_shuffle")

    def global_shuffle(self, fleet: Any = None) -> None:
        """Refused as `local_shuffle`."""
        raise NotImplementedError("QueueDataset does not support global shuffle; please use InMemoryDataset for global_shuffle")


class FileInstantDataset(QueueDataset):
    """The same, by another name of Paddle's."""


class InMemoryDataset(DatasetBase):
    """Reads all files at once, and may shuffle the lines.

    Example:
        >>> dataset = paddle.distributed.InMemoryDataset()
        >>> dataset.init(batch_size=32, use_var=[words, label])
        >>> dataset.set_filelist(['a.txt', 'b.txt'])
        >>> dataset.load_into_memory()
        >>> dataset.local_shuffle()
        >>> exe.train_from_dataset(main, dataset)
    """

    def __init__(self) -> None:
        super().__init__()
        self._memory: list[list[np.ndarray]] | None = None

    def load_into_memory(self, is_shuffle: bool = False) -> None:
        """Read the files."""
        self._memory = list(self._lines())
        if is_shuffle:
            self.local_shuffle()

    def preload_into_memory(self, thread_num: int | None = None) -> None:
        """The same."""
        self.load_into_memory()

    def wait_preload_done(self) -> None:
        """It is done when `preload_into_memory` comes back."""

    def local_shuffle(self) -> None:
        """Put the lines in a random order."""
        random.shuffle(self._loaded())

    def global_shuffle(self, fleet: Any = None, thread_num: int = 12) -> None:
        """The same: there is one process."""
        self.local_shuffle()

    def slots_shuffle(self, slots: list[str]) -> None:
        """Put the values of these slots in a random order of their own."""
        for k, var in enumerate(self.use_var):
            if var.name in slots:
                column = [row[k] for row in self._loaded()]
                random.shuffle(column)
                for row, values in zip(self._loaded(), column, strict=True):
                    row[k] = values

    def release_memory(self) -> None:
        """Forget what was read."""
        self._memory = None

    def get_memory_data_size(self, fleet: Any = None) -> int:
        """Return the number of lines."""
        return len(self._loaded())

    def get_shuffle_data_size(self, fleet: Any = None) -> int:
        """The same."""
        return len(self._loaded())

    def get_pass_id(self) -> int:
        """Return the value of `set_pass_id`, 0 before."""
        return int(self.settings.get("pass_id", 0))

    def _loaded(self) -> list[list[np.ndarray]]:
        if self._memory is None:
            raise ModeError("InMemoryDataset: call load_into_memory() first")
        return self._memory

    def _samples(self) -> Iterator[list[np.ndarray]]:
        return iter(self._loaded())


class BoxPSDataset(InMemoryDataset):
    """The data set of Paddle's parameter servers; here an `InMemoryDataset`."""


class DatasetFactory:
    """Makes data sets by name: 'QueueDataset' (default), 'InMemoryDataset', 'FileInstantDataset', 'BoxPSDataset'.

    Example:
        >>> dataset = paddle.base.DatasetFactory().create_dataset('InMemoryDataset')
    """

    def create_dataset(self, datafeed_class: str = "QueueDataset") -> DatasetBase:
        """A new one. Raises ValueError for another name."""
        for dataset_class in (QueueDataset, InMemoryDataset, FileInstantDataset, BoxPSDataset):
            if dataset_class.__name__ == datafeed_class:
                return dataset_class()
        raise ValueError(f"datafeed class {datafeed_class} does not exist")
