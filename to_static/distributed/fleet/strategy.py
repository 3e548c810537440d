"""`DistributedStrategy`: how to train together. All of it is kept, and none of it matters to one process."""

from __future__ import annotations

import copy
from typing import Any

_SWITCHES = (
    "amp", "recompute", "sharding", "pipeline", "tensor_parallel", "gradient_merge", "lars", "lamb", "dgc", "localsgd",
    "adaptive_localsgd", "a_sync", "auto", "semi_auto", "elastic", "asp", "heter_ccl_mode", "fuse_all_reduce_ops",
    "find_unused_parameters", "sync_nccl_allreduce", "use_hierarchical_allreduce", "sync_batch_norm", "without_graph_optimization",
    "cudnn_exhaustive_search", "cudnn_batchnorm_spatial_persistent", "fp16_allreduce", "qat", "adam_d2sum",
    "fuse_grad_merge", "auto_search", "split_data",
)  # fmt: skip
_ON = ("fuse_all_reduce_ops", "sync_nccl_allreduce", "without_graph_optimization")
_NUMBERS = {
    "nccl_comm_num": 1, "hierarchical_allreduce_inter_nranks": 1, "fuse_grad_size_in_num": 8,
    "fuse_grad_size_in_MB": 32, "last_comm_group_size_MB": 1, "conv_workspace_size_limit": 512,
}  # fmt: skip
_CONFIGS = (
    "amp", "recompute", "sharding", "pipeline", "tensor_parallel", "gradient_merge", "lars", "lamb", "dgc", "localsgd",
    "adaptive_localsgd", "a_sync", "hybrid", "qat", "gradient_scale", "trainer_desc",
)  # fmt: skip
_HYBRID = {"dp_degree": -1, "mp_degree": 1, "pp_degree": 1, "sharding_degree": 1, "sep_degree": 1}


class DistributedStrategy:
    """Settings by Paddle's names: switches such as ``amp``, and dicts such as ``hybrid_configs``.

    Raises AttributeError for names that are no settings, TypeError for other kinds of values.

    Example:
        >>> strategy = paddle.distributed.fleet.DistributedStrategy()
        >>> strategy.hybrid_configs = {'dp_degree': 1}
    """

    def __init__(self) -> None:
        values: dict[str, Any] = {name: name in _ON for name in _SWITCHES}
        values.update(_NUMBERS)
        values.update({f"{name}_configs": {} for name in _CONFIGS})
        values["hybrid_configs"] = dict(_HYBRID)
        values["build_strategy"] = values["execution_strategy"] = None
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dict__:
            raise AttributeError(f"DistributedStrategy has no setting {name!r}")
        old_value = self.__dict__[name]
        if old_value is not None and not isinstance(value, type(old_value)):
            raise TypeError(f"DistributedStrategy.{name} must be a {type(old_value).__name__}, got {type(value).__name__}")
        self.__dict__[name] = {**old_value, **value} if isinstance(value, dict) else value

    def __deepcopy__(self, memo: Any) -> DistributedStrategy:
        strategy = DistributedStrategy()
        strategy.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return strategy
