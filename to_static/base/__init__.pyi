"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from to_static import Tensor

from to_static.base import data_feed_desc as data_feed_desc
from to_static.base import data_feeder as data_feeder
from to_static.base import io as io
from to_static.base import layer_helper as layer_helper
from to_static.base import log_helper as log_helper
from to_static.base.data_feed_desc import DataFeedDesc as DataFeedDesc
from to_static.base.data_feeder import check_dtype as check_dtype
from to_static.base.data_feeder import check_shape as check_shape
from to_static.base.data_feeder import check_type as check_type
from to_static.base.data_feeder import check_variable_and_dtype as check_variable_and_dtype
from to_static.base.data_feeder import convert_dtype as convert_dtype
from to_static.base.layer_helper import LayerHelper as LayerHelper
from to_static.distributed.dataset import BoxPSDataset as BoxPSDataset
from to_static.distributed.dataset import DatasetBase as DatasetBase
from to_static.distributed.dataset import DatasetFactory as DatasetFactory
from to_static.distributed.dataset import FileInstantDataset as FileInstantDataset
from to_static.distributed.dataset import InMemoryDataset as InMemoryDataset
from to_static.distributed.dataset import QueueDataset as QueueDataset
from to_static.framework.core import EOFException as EOFException
from to_static.framework.lod_tensor import create_lod_tensor as create_lod_tensor
from to_static.framework.lod_tensor import create_random_int_lodtensor as create_random_int_lodtensor
from to_static.framework.lod_tensor import LoDTensor as LoDTensor
from to_static.framework.lod_tensor import LoDTensorArray as LoDTensorArray
from to_static.static.batches import DataFeeder as DataFeeder

def disable_dygraph() -> None:
    """From now on (in this thread or asyncio task) add operators to `static.default_main_program()` instead of running them."""
def enable_dygraph(place: Any = None) -> None:
    """Back to dynamic mode; with ``place``, on that device. Default names begin anew there, so they may be those of before."""

__all__ = ["BoxPSDataset", "DataFeedDesc", "DataFeeder", "DatasetBase", "DatasetFactory", "EOFException", "FileInstantDataset", "InMemoryDataset", "LayerHelper", "LoDTensor", "LoDTensorArray", "QueueDataset", "check_dtype", "check_shape", "check_type", "check_variable_and_dtype", "convert_dtype", "create_lod_tensor", "create_random_int_lodtensor", "data_feeder", "disable_dygraph", "enable_dygraph", "io", "layer_helper", "log_helper"]
