"""Paddle's ``distributed``: processes that train together, through MPI; scripts for many run in one process as they are.

Data is shared, models are not: what divides one model among processes is refused with that reason.
"""

from to_static.core.importing.lazy_module import attach

_HOMES = {
    "to_static.distributed.environment": (
        "ParallelEnv destroy_process_group get_backend get_rank get_world_size gloo_barrier gloo_init_parallel_env gloo_release "
        "init_parallel_env is_available is_initialized"
    ),
    "to_static.distributed.groups": "Group ParallelMode get_group is_member new_group",
    "to_static.distributed.collective": (
        "ReduceOp all_gather all_gather_object all_reduce alltoall alltoall_single barrier broadcast broadcast_object_list gather "
        "irecv isend recv reduce reduce_scatter scatter scatter_object_list send wait"
    ),
    "to_static.distributed.auto_parallel": (
        "DistAttr DistModel Partial Placement ProcessMesh ReduceType Replicate Shard Strategy dtensor_from_fn load_state_dict "
        "reshard save_state_dict shard_layer shard_optimizer shard_tensor split to_static"
    ),
    "to_static.distributed.dataset": "InMemoryDataset QueueDataset",
    "to_static.distributed.entry_attr": "CountFilterEntry ProbabilityEntry ShowClickEntry",
    "to_static.distributed.parallel": "DataParallel",
    "to_static.distributed.launching": "launch spawn",
    "to_static.io.batch_sampler": "DistributedBatchSampler",
}
__getattr__, __dir__, __all__ = attach(__name__, _HOMES, "fleet io sharding")
