"""Paddle's ``distributed.fleet`` for a world of one process: what it makes of models and optimizers are these."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.distributed.fleet import auto, meta_optimizers, meta_parallel, utils
from to_static.distributed.fleet.data_generator import MultiSlotDataGenerator, MultiSlotStringDataGenerator
from to_static.distributed.fleet.roles import PaddleCloudRoleMaker, Role, UserDefinedRoleMaker
from to_static.distributed.fleet.strategy import DistributedStrategy
from to_static.distributed.fleet.topology import CommunicateTopology, HybridCommunicateGroup
from to_static.distributed.fleet.util import UtilBase
from to_static.distributed.fleet.whole import Fleet, fleet

init = fleet.init
get_hybrid_communicate_group = fleet.get_hybrid_communicate_group
get_hybrid_parallel_topology = fleet.get_hybrid_parallel_topology
util = fleet.util
is_first_worker, is_worker, is_server = fleet.is_first_worker, fleet.is_worker, fleet.is_server
worker_index, worker_num, worker_endpoints = fleet.worker_index, fleet.worker_num, fleet.worker_endpoints
server_num, server_index, server_endpoints = fleet.server_num, fleet.server_index, fleet.server_endpoints
barrier_worker, init_worker, stop_worker = fleet.barrier_worker, fleet.init_worker, fleet.stop_worker
distributed_model, distributed_optimizer, distributed_scaler = (
    fleet.distributed_model, fleet.distributed_optimizer, fleet.distributed_scaler,
)  # fmt: skip

__all__ = [
    "CommunicateTopology", "DistributedStrategy", "Fleet", "HybridCommunicateGroup", "MultiSlotDataGenerator",
    "MultiSlotStringDataGenerator", "PaddleCloudRoleMaker", "Role", "UserDefinedRoleMaker", "UtilBase", "auto", "barrier_worker",
    "distributed_model", "distributed_optimizer", "distributed_scaler", "fleet", "get_hybrid_communicate_group",
    "get_hybrid_parallel_topology", "init", "init_worker", "is_first_worker", "is_server", "is_worker", "meta_optimizers",
    "meta_parallel", "server_endpoints", "server_index", "server_num", "stop_worker", "util", "utils", "worker_endpoints",
    "worker_index", "worker_num",
]  # fmt: skip

__getattr__ = names_missing(__name__)
