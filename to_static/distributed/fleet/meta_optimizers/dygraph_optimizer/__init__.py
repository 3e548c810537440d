"""Optimizers whose state processes share out. With one process `fleet.distributed_optimizer` gives the optimizer itself."""

from __future__ import annotations

from typing import Any

from to_static.core.errors import ModeError
from to_static.core.importing.paddle_module_aliases import names_around

__all__ = ["DygraphShardingOptimizer", "DygraphShardingOptimizerV2", "GroupShardedOptimizerStage2", "HybridParallelOptimizer"]


class _Shared:
    """Classes that programs test optimizers for: ``isinstance(opt, HybridParallelOptimizer)`` is False for all optimizers here."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        words = "there is a world of one process, which has nothing to share out; use the optimizer itself"
        raise ModeError(f"{type(self).__name__}: {words}")


class HybridParallelOptimizer(_Shared):
    """An optimizer over several groups of processes."""


class DygraphShardingOptimizer(_Shared):
    """An optimizer of which each process updates some parameters."""


class DygraphShardingOptimizerV2(_Shared):
    """An optimizer of which each process updates a part of every parameter."""


class GroupShardedOptimizerStage2(_Shared):
    """An optimizer whose state and gradients are shared out."""


__getattr__ = names_around(__name__)
