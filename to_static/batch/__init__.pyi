"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from to_static.batch import images as images
from to_static.batch import job as job
from to_static.batch import on_dask as on_dask
from to_static.batch import on_ray as on_ray
from to_static.batch import on_this_machine as on_this_machine
from to_static.batch import part_files as part_files
from to_static.batch import row_model as row_model
from to_static.batch import shard_task as shard_task
from to_static.batch import shards as shards
from to_static.batch.job import JobReport as JobReport
from to_static.batch.job import predict as predict
from to_static.batch.row_model import BatchPredictor as BatchPredictor


__all__ = ["BatchPredictor", "JobReport", "predict"]
