"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from to_static.distributed import auto_parallel as auto_parallel
from to_static.distributed import collective as collective
from to_static.distributed import dataset as dataset
from to_static.distributed import entry_attr as entry_attr
from to_static.distributed import environment as environment
from to_static.distributed import fleet as fleet
from to_static.distributed import gradient_average as gradient_average
from to_static.distributed import gradient_buckets as gradient_buckets
from to_static.distributed import groups as groups
from to_static.distributed import io as io
from to_static.distributed import launched_script as launched_script
from to_static.distributed import launching as launching
from to_static.distributed import layer_wrapper as layer_wrapper
from to_static.distributed import parallel as parallel
from to_static.distributed import parallel_helper as parallel_helper
from to_static.distributed import sharding as sharding
from to_static.distributed import spawned as spawned
from to_static.distributed import world as world
from to_static.distributed.auto_parallel import DistAttr as DistAttr
from to_static.distributed.auto_parallel import DistModel as DistModel
from to_static.distributed.auto_parallel import dtensor_from_fn as dtensor_from_fn
from to_static.distributed.auto_parallel import load_state_dict as load_state_dict
from to_static.distributed.auto_parallel import Partial as Partial
from to_static.distributed.auto_parallel import Placement as Placement
from to_static.distributed.auto_parallel import ProcessMesh as ProcessMesh
from to_static.distributed.auto_parallel import ReduceType as ReduceType
from to_static.distributed.auto_parallel import Replicate as Replicate
from to_static.distributed.auto_parallel import reshard as reshard
from to_static.distributed.auto_parallel import save_state_dict as save_state_dict
from to_static.distributed.auto_parallel import Shard as Shard
from to_static.distributed.auto_parallel import shard_layer as shard_layer
from to_static.distributed.auto_parallel import shard_optimizer as shard_optimizer
from to_static.distributed.auto_parallel import shard_tensor as shard_tensor
from to_static.distributed.auto_parallel import split as split
from to_static.distributed.auto_parallel import Strategy as Strategy
from to_static.distributed.auto_parallel import to_static as to_static
from to_static.distributed.collective import all_gather as all_gather
from to_static.distributed.collective import all_gather_object as all_gather_object
from to_static.distributed.collective import all_reduce as all_reduce
from to_static.distributed.collective import alltoall as alltoall
from to_static.distributed.collective import alltoall_single as alltoall_single
from to_static.distributed.collective import barrier as barrier
from to_static.distributed.collective import broadcast as broadcast
from to_static.distributed.collective import broadcast_object_list as broadcast_object_list
from to_static.distributed.collective import gather as gather
from to_static.distributed.collective import irecv as irecv
from to_static.distributed.collective import isend as isend
from to_static.distributed.collective import recv as recv
from to_static.distributed.collective import reduce as reduce
from to_static.distributed.collective import reduce_scatter as reduce_scatter
from to_static.distributed.collective import ReduceOp as ReduceOp
from to_static.distributed.collective import scatter as scatter
from to_static.distributed.collective import scatter_object_list as scatter_object_list
from to_static.distributed.collective import send as send
from to_static.distributed.collective import wait as wait
from to_static.distributed.dataset import InMemoryDataset as InMemoryDataset
from to_static.distributed.dataset import QueueDataset as QueueDataset
from to_static.distributed.entry_attr import CountFilterEntry as CountFilterEntry
from to_static.distributed.entry_attr import ProbabilityEntry as ProbabilityEntry
from to_static.distributed.entry_attr import ShowClickEntry as ShowClickEntry
from to_static.distributed.environment import destroy_process_group as destroy_process_group
from to_static.distributed.environment import get_backend as get_backend
from to_static.distributed.environment import get_rank as get_rank
from to_static.distributed.environment import get_world_size as get_world_size
from to_static.distributed.environment import gloo_barrier as gloo_barrier
from to_static.distributed.environment import gloo_init_parallel_env as gloo_init_parallel_env
from to_static.distributed.environment import gloo_release as gloo_release
from to_static.distributed.environment import init_parallel_env as init_parallel_env
from to_static.distributed.environment import is_available as is_available
from to_static.distributed.environment import is_initialized as is_initialized
from to_static.distributed.environment import ParallelEnv as ParallelEnv
from to_static.distributed.groups import get_group as get_group
from to_static.distributed.groups import Group as Group
from to_static.distributed.groups import is_member as is_member
from to_static.distributed.groups import new_group as new_group
from to_static.distributed.groups import ParallelMode as ParallelMode
from to_static.distributed.launching import launch as launch
from to_static.distributed.launching import spawn as spawn
from to_static.distributed.parallel import DataParallel as DataParallel
from to_static.io.batch_sampler import DistributedBatchSampler as DistributedBatchSampler


__all__ = ["CountFilterEntry", "DataParallel", "DistAttr", "DistModel", "DistributedBatchSampler", "Group", "InMemoryDataset", "ParallelEnv", "ParallelMode", "Partial", "Placement", "ProbabilityEntry", "ProcessMesh", "QueueDataset", "ReduceOp", "ReduceType", "Replicate", "Shard", "ShowClickEntry", "Strategy", "all_gather", "all_gather_object", "all_reduce", "alltoall", "alltoall_single", "barrier", "broadcast", "broadcast_object_list", "destroy_process_group", "dtensor_from_fn", "fleet", "gather", "get_backend", "get_group", "get_rank", "get_world_size", "gloo_barrier", "gloo_init_parallel_env", "gloo_release", "init_parallel_env", "io", "irecv", "is_available", "is_initialized", "is_member", "isend", "launch", "load_state_dict", "new_group", "recv", "reduce", "reduce_scatter", "reshard", "save_state_dict", "scatter", "scatter_object_list", "send", "shard_layer", "shard_optimizer", "shard_tensor", "sharding", "spawn", "split", "to_static", "wait"]
