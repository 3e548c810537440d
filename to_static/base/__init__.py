"""Paddle's ``base``, the floor of its static mode: tensors with offsets, feeders, readers, data sets. The rest is around it."""

from __future__ import annotations

import importlib
from typing import Any

from to_static.core.importing.paddle_module_aliases import names_around

_HOMES = {
    "to_static.framework.lod_tensor": "LoDTensor LoDTensorArray create_lod_tensor create_random_int_lodtensor",
    "to_static.static.batches": "DataFeeder",
    "to_static.base.data_feeder": "check_dtype check_shape check_type check_variable_and_dtype convert_dtype",
    "to_static.base.layer_helper": "LayerHelper",
    "to_static.base.data_feed_desc": "DataFeedDesc",
    "to_static.framework.core": "EOFException",
    "to_static.distributed.dataset": "BoxPSDataset DatasetBase DatasetFactory FileInstantDataset InMemoryDataset QueueDataset",
    "to_static.static.mode": "disable_dygraph enable_dygraph",
}
_WHERE = {name: home for home, names in _HOMES.items() for name in names.split()}
_around = names_around(__name__)
_ROOMS = ("data_feeder", "io", "layer_helper", "log_helper")

__all__ = [*_WHERE, *_ROOMS]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in _WHERE:
        return _around(name)
    value = getattr(importlib.import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
